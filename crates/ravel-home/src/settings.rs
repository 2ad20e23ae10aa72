//! Settings from all the files that hold them, merged, each with its source.
//!
//! The files in rising order of precedence: the user's, the user's local ones, the
//! project's, the project's local ones, and what an administrator manages. A single
//! value is taken from the highest file that has it. Lists of permissions and hooks
//! are not replaced but joined: every entry counts, and each knows where it comes
//! from. A file that is not JSON is a finding, and the others still hold.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::finding::Finding;
use crate::home::Home;
use crate::json_file::load_object;

/// Which kind of file a setting stands in, in rising order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SettingsSource {
    /// `settings.json` in the home.
    User,
    /// `settings.local.json` in the home.
    UserLocal,
    /// `.claude/settings.json` in the project.
    Project,
    /// `.claude/settings.local.json` in the project.
    Local,
    /// The administrator's file.
    Managed,
}

/// One file to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFile {
    /// What kind of file it is.
    pub source: SettingsSource,
    /// Where it is.
    pub path: PathBuf,
}

/// The files to look at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettingsPaths {
    /// The files. The order does not matter, except between files of one kind.
    pub files: Vec<SettingsFile>,
}

/// What one file says.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsLayer {
    /// The file.
    pub file: SettingsFile,
    /// What it says; `None` when it is not there or cannot be understood.
    pub values: Option<Map<String, Value>>,
}

/// One value, or one entry of a joined list.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The names that lead to it.
    pub key: Vec<String>,
    /// The value.
    pub value: Value,
    /// The file it comes from.
    pub file: SettingsFile,
    /// Whether it is one entry of a list that is joined over the files.
    pub is_entry: bool,
    /// The files that say something else and are overruled.
    pub overruled: Vec<SettingsFile>,
}

/// All settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// What each file says, the lowest precedence first.
    pub layers: Vec<SettingsLayer>,
    /// Every value that holds, by key.
    pub settings: Vec<Setting>,
    /// The files that could not be understood.
    pub findings: Vec<Finding>,
}

impl SettingsPaths {
    /// The usual files for a home, and for a project when one is given.
    pub fn standard(home: &Home, project: Option<&Path>) -> Self {
        let mut paths = Self::default();
        paths.add(SettingsSource::User, home.settings());
        paths.add(SettingsSource::UserLocal, home.settings_local());
        if let Some(project) = project {
            let folder = project.join(".claude");
            // Started in the user's home folder, the project's files are the user's.
            if folder != home.root() {
                paths.add(SettingsSource::Project, folder.join("settings.json"));
                paths.add(SettingsSource::Local, folder.join("settings.local.json"));
            }
        }
        paths.add(SettingsSource::Managed, managed_path());
        paths
    }

    fn add(&mut self, source: SettingsSource, path: PathBuf) {
        self.files.push(SettingsFile { source, path });
    }
}

impl Settings {
    /// The value of a key, by its names; a joined list is put together.
    pub fn get(&self, key: &[&str]) -> Option<Value> {
        let mut value = &self.merged();
        for name in key {
            value = value.get(name)?;
        }
        Some(value.clone())
    }

    /// The entries of a joined list, such as `permissions`, `allow`.
    pub fn entries<'a>(&'a self, key: &'a [&'a str]) -> impl Iterator<Item = &'a Setting> {
        self.settings
            .iter()
            .filter(move |setting| setting.is_entry && setting.key == key)
    }

    /// Everything as one document.
    pub fn merged(&self) -> Value {
        let mut root = Value::Object(Map::new());
        for setting in &self.settings {
            insert(&mut root, setting);
        }
        root
    }
}

impl fmt::Display for SettingsSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            SettingsSource::User => "user",
            SettingsSource::UserLocal => "user-local",
            SettingsSource::Project => "project",
            SettingsSource::Local => "local",
            SettingsSource::Managed => "managed",
        })
    }
}

/// Reads and merges settings. Never fails: what cannot be read is a finding.
pub fn load_settings(paths: &SettingsPaths) -> Settings {
    let mut files = paths.files.clone();
    files.sort_by_key(|file| file.source);
    let mut loaded = Settings::default();
    for file in files {
        let values = load_object(&file.path).unwrap_or_else(|finding| {
            loaded.findings.push(finding);
            None
        });
        loaded.layers.push(SettingsLayer { file, values });
    }
    loaded.settings = merge(&loaded.layers);
    loaded
}

/// Where an administrator puts settings, which is fixed for each platform.
fn managed_path() -> PathBuf {
    let folder = if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode"
    } else if cfg!(windows) {
        "C:\\Program Files\\ClaudeCode"
    } else {
        "/etc/claude-code"
    };
    Path::new(folder).join("managed-settings.json")
}

/// Walks the layers upward; a later value replaces an earlier one and remembers it.
fn merge(layers: &[SettingsLayer]) -> Vec<Setting> {
    let mut values: BTreeMap<Vec<String>, Setting> = BTreeMap::new();
    let mut entries = Vec::new();
    for layer in layers {
        for setting in layer
            .values
            .iter()
            .flat_map(|values| leaves(values, &layer.file))
        {
            if setting.is_entry {
                push_entry(&mut entries, setting);
            } else {
                replace(&mut values, setting);
            }
        }
    }
    let mut merged: Vec<_> = values.into_values().chain(entries).collect();
    merged.sort_by(|one, other| one.key.cmp(&other.key));
    merged
}

fn push_entry(entries: &mut Vec<Setting>, setting: Setting) {
    let is_known = |known: &Setting| known.key == setting.key && known.value == setting.value;
    if !entries.iter().any(is_known) {
        entries.push(setting);
    }
}

fn replace(values: &mut BTreeMap<Vec<String>, Setting>, mut setting: Setting) {
    // A value and an object of the same name cannot both hold: the higher file decides.
    let conflicting: Vec<_> = values
        .keys()
        .filter(|key| key.starts_with(&setting.key) || setting.key.starts_with(key))
        .cloned()
        .collect();
    for key in conflicting {
        if let Some(lower) = values.remove(&key) {
            setting.overruled.extend(lower.overruled);
            setting.overruled.push(lower.file);
        }
    }
    values.insert(setting.key.clone(), setting);
}

/// The values of one file, down to where there are no more names.
fn leaves(values: &Map<String, Value>, file: &SettingsFile) -> Vec<Setting> {
    let mut found = Vec::new();
    let mut open: Vec<(Vec<String>, &Value)> = vec![];
    open.extend(
        values
            .iter()
            .map(|(name, value)| (vec![name.clone()], value)),
    );
    while let Some((key, value)) = open.pop() {
        let leaf = |value: &Value, is_entry| Setting {
            key: key.clone(),
            value: value.clone(),
            file: file.clone(),
            is_entry,
            overruled: Vec::new(),
        };
        match value {
            Value::Object(below) if !below.is_empty() => {
                open.extend(below.iter().map(|(name, value)| {
                    let mut longer = key.clone();
                    longer.push(name.clone());
                    (longer, value)
                }));
            }
            Value::Array(items) if is_joined(&key) => {
                found.extend(items.iter().map(|item| leaf(item, true)));
            }
            _ => found.push(leaf(value, false)),
        }
    }
    found
}

/// Whether the lists under a key are joined over the files.
fn is_joined(key: &[String]) -> bool {
    match key
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["permissions", list] => {
            matches!(*list, "allow" | "ask" | "deny" | "additionalDirectories")
        }
        ["hooks", _] => true,
        _ => false,
    }
}

/// Puts a setting into the document it came from, or one like it.
fn insert(root: &mut Value, setting: &Setting) {
    let mut place = root;
    for name in &setting.key {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        let Value::Object(object) = place else { return };
        place = object.entry(name.clone()).or_insert(Value::Null);
    }
    if !setting.is_entry {
        *place = setting.value.clone();
    } else if let Value::Array(items) = place {
        items.push(setting.value.clone());
    } else {
        *place = Value::Array(vec![setting.value.clone()]);
    }
}

#[cfg(test)]
mod tests;
