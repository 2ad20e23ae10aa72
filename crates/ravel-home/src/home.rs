//! Where the Claude Code folder is, and what stands where in it.
//!
//! [`Home`] is found once, at the start, from what a person said (`--home`), what
//! the environment says (`$CLAUDE_CONFIG_DIR`), or the default `~/.claude`. Every
//! other module asks it for places and never joins folder names itself. It checks
//! that the folder exists and nothing more: each part of it is optional.

use std::ffi::OsString;
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// The Claude Code folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
    origin: HomeOrigin,
}

/// What named the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HomeOrigin {
    /// A person, with `--home`.
    Explicit,
    /// The environment variable `CLAUDE_CONFIG_DIR`.
    ConfigDir,
    /// Nobody: it is `.claude` in the user's home folder.
    Default,
}

/// Why there is no Claude Code folder to read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum HomeError {
    /// The folder does not exist.
    #[error("find the Claude folder {} ({origin})", path.display())]
    Missing {
        /// The folder that was looked for.
        path: PathBuf,
        /// What named it.
        origin: HomeOrigin,
    },
    /// There is something at that path, but not a folder.
    #[error("use {} as the Claude folder ({origin}): it is not a folder", path.display())]
    NotAFolder {
        /// What was looked at.
        path: PathBuf,
        /// What named it.
        origin: HomeOrigin,
    },
    /// Nothing says where to look.
    #[error("find the Claude folder: neither CLAUDE_CONFIG_DIR nor a home folder is set")]
    Nowhere,
}

impl fmt::Display for HomeOrigin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            HomeOrigin::Explicit => "from --home",
            HomeOrigin::ConfigDir => "from CLAUDE_CONFIG_DIR",
            HomeOrigin::Default => "the default place",
        })
    }
}

impl Home {
    /// Finds the folder: the explicit path, else `$CLAUDE_CONFIG_DIR`, else `~/.claude`.
    ///
    /// A path that was named and is not there is an error, never a reason to read
    /// some other folder instead.
    pub fn locate(
        explicit: Option<&Path>,
        env: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Self, HomeError> {
        let (root, origin) = named_root(explicit, env).ok_or(HomeError::Nowhere)?;
        if root.is_dir() {
            Ok(Self { root, origin })
        } else if root.exists() {
            Err(HomeError::NotAFolder { path: root, origin })
        } else {
            Err(HomeError::Missing { path: root, origin })
        }
    }

    /// Takes a folder as it is, without looking whether it exists.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            origin: HomeOrigin::Explicit,
        }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What named the folder.
    pub fn origin(&self) -> HomeOrigin {
        self.origin
    }

    /// Session files, one folder per project.
    pub fn projects(&self) -> PathBuf {
        self.root.join("projects")
    }

    /// The old place of session files, with `_` for `/` in the folder names.
    pub fn conversations(&self) -> PathBuf {
        self.root.join("conversations")
    }

    /// Todo lists of clients up to 2.1.29.
    pub fn todos(&self) -> PathBuf {
        self.root.join("todos")
    }

    /// Task lists of newer clients, one folder per session.
    pub fn tasks(&self) -> PathBuf {
        self.root.join("tasks")
    }

    /// Plans, as Markdown files.
    pub fn plans(&self) -> PathBuf {
        self.root.join("plans")
    }

    /// Pasted texts by their hash.
    pub fn paste_cache(&self) -> PathBuf {
        self.root.join("paste-cache")
    }

    /// Everything a person typed, over all projects.
    pub fn history(&self) -> PathBuf {
        self.root.join("history.jsonl")
    }

    /// Earlier versions of edited files, one folder per session.
    pub fn file_history(&self) -> PathBuf {
        self.root.join("file-history")
    }

    /// The user's settings.
    pub fn settings(&self) -> PathBuf {
        self.root.join("settings.json")
    }

    /// The user's settings of this machine only.
    pub fn settings_local(&self) -> PathBuf {
        self.root.join("settings.local.json")
    }

    /// Usage figures that `/stats` keeps.
    pub fn stats_cache(&self) -> PathBuf {
        self.root.join("stats-cache.json")
    }

    /// Debug logs, one file per session.
    pub fn debug(&self) -> PathBuf {
        self.root.join("debug")
    }

    /// Running clients, one file per process.
    pub fn sessions(&self) -> PathBuf {
        self.root.join("sessions")
    }

    /// Environment kept for each session.
    pub fn session_env(&self) -> PathBuf {
        self.root.join("session-env")
    }

    /// The shell's functions and settings, as the client found them.
    pub fn shell_snapshots(&self) -> PathBuf {
        self.root.join("shell-snapshots")
    }

    /// Copies of the client's own configuration.
    pub fn backups(&self) -> PathBuf {
        self.root.join("backups")
    }

    /// Installed plugins.
    pub fn plugins(&self) -> PathBuf {
        self.root.join("plugins")
    }

    /// Every known place with its name, in the order of the list above.
    pub fn places(&self) -> Vec<(&'static str, PathBuf)> {
        vec![
            ("projects", self.projects()),
            ("conversations", self.conversations()),
            ("todos", self.todos()),
            ("tasks", self.tasks()),
            ("plans", self.plans()),
            ("paste-cache", self.paste_cache()),
            ("history.jsonl", self.history()),
            ("file-history", self.file_history()),
            ("settings.json", self.settings()),
            ("settings.local.json", self.settings_local()),
            ("stats-cache.json", self.stats_cache()),
            ("debug", self.debug()),
            ("sessions", self.sessions()),
            ("session-env", self.session_env()),
            ("shell-snapshots", self.shell_snapshots()),
            ("backups", self.backups()),
            ("plugins", self.plugins()),
        ]
    }
}

/// Whether `name` is one plain file name. Ids come out of transcripts, so one like
/// `../../x` must never be joined to a path.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let mut components = Path::new(name).components();
    matches!(components.next(), Some(Component::Normal(first)) if first == name)
        && components.next().is_none()
        && !name.contains(['/', '\\', '\0'])
}

fn named_root(
    explicit: Option<&Path>,
    env: impl Fn(&str) -> Option<OsString>,
) -> Option<(PathBuf, HomeOrigin)> {
    if let Some(path) = explicit {
        return Some((path.to_path_buf(), HomeOrigin::Explicit));
    }
    let set = |name: &str| {
        env(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    if let Some(path) = set("CLAUDE_CONFIG_DIR") {
        return Some((path, HomeOrigin::ConfigDir));
    }
    let user_home = set("HOME").or_else(|| set("USERPROFILE"))?;
    Some((user_home.join(".claude"), HomeOrigin::Default))
}

#[cfg(test)]
mod tests;
