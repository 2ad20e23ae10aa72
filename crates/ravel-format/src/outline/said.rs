//! What the records of a file say again and again: version, folder, branch, model.

use crate::json::JsonText;

/// Different values of the keys that most records repeat, each once, in order of appearance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// Values of `version`.
    pub versions: Distinct,
    /// Values of `cwd`.
    pub folders: Distinct,
    /// Values of `gitBranch`.
    pub branches: Distinct,
    /// Values of `message.model`, without the client's own `<synthetic>`.
    pub models: Distinct,
}

impl Said {
    pub(super) fn append(&mut self, next: Self) {
        let Self {
            versions,
            folders,
            branches,
            models,
        } = next;
        self.versions.append(versions);
        self.folders.append(folders);
        self.branches.append(branches);
        self.models.append(models);
    }
}

/// A short list of different texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Distinct {
    texts: Vec<String>,
    latest: usize,
}

/// A file that changes folder with every line must not make this list, and reading it, grow
/// without end.
const MAX_TEXTS: usize = 64;

impl Distinct {
    /// Returns the texts in order of appearance.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Returns the text that was said last.
    pub fn latest(&self) -> Option<&str> {
        self.texts.get(self.latest).map(String::as_str)
    }

    pub(super) fn add(&mut self, text: JsonText<'_>) {
        // Nearly always the same as in the record before.
        let is_latest = self
            .texts
            .get(self.latest)
            .is_some_and(|latest| latest.as_bytes() == text.escaped());
        if !is_latest && !text.is_empty() {
            self.add_text(text.decode().into_owned());
        }
    }

    fn add_text(&mut self, text: String) {
        match self.texts.iter().position(|known| *known == text) {
            Some(place) => self.latest = place,
            None if self.texts.len() < MAX_TEXTS => {
                self.latest = self.texts.len();
                self.texts.push(text);
            }
            None => {}
        }
    }

    fn append(&mut self, next: Self) {
        let latest = next.latest().map(str::to_owned);
        next.texts
            .into_iter()
            .chain(latest)
            .for_each(|text| self.add_text(text));
    }
}

/// Whose words a user record holds, as far as its first bytes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Voice {
    /// A person's, or the model's.
    Words,
    /// A slash command: `<command-name>` or `<command-message>`.
    Command,
    /// What a slash command printed.
    CommandOutput,
    /// The client's note before a command.
    Caveat,
    /// A command of the shell mode.
    ShellInput,
    /// What a command of the shell mode printed.
    ShellOutput,
    /// `[Request interrupted by user]`.
    Interruption,
    /// News of a background task.
    TaskNotification,
    /// A reminder for the model.
    Reminder,
}

impl Voice {
    /// Tells the voice by how a text starts.
    pub fn of(text: &[u8]) -> Self {
        const STARTS: [(&[u8], Voice); 11] = [
            (b"<command-name>", Voice::Command),
            (b"<command-message>", Voice::Command),
            (b"<local-command-stdout>", Voice::CommandOutput),
            (b"<local-command-stderr>", Voice::CommandOutput),
            (b"<local-command-caveat>", Voice::Caveat),
            (b"<bash-input>", Voice::ShellInput),
            (b"<bash-stdout>", Voice::ShellOutput),
            (b"<bash-stderr>", Voice::ShellOutput),
            (b"[Request interrupted by user", Voice::Interruption),
            (b"<task-notification>", Voice::TaskNotification),
            (b"<system-reminder>", Voice::Reminder),
        ];
        if !matches!(text.first(), Some(b'<' | b'[')) {
            return Self::Words;
        }
        STARTS
            .iter()
            .find(|(start, _)| text.starts_with(start))
            .map_or(Self::Words, |&(_, voice)| voice)
    }
}
