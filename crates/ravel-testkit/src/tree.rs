//! A tree of files in memory, to be written, compared with a folder, or embedded.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// Files by their path, which uses `/` on every platform.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileTree {
    files: BTreeMap<String, Vec<u8>>,
}

impl FileTree {
    /// Makes an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file or replaces it.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// Adds all files of another tree below a folder of this one.
    pub fn extend_under(&mut self, folder: &str, other: Self) {
        for (path, bytes) in other.files {
            self.insert(format!("{folder}/{path}"), bytes);
        }
    }

    /// Returns the files in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files
            .iter()
            .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// Returns the bytes of one file.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// Returns the size of all files together.
    pub fn n_bytes(&self) -> usize {
        self.files.values().map(Vec::len).sum()
    }

    /// Writes every file below `root`, making folders as needed. Other files stay as they are.
    ///
    /// # Errors
    /// When a folder or file cannot be written.
    pub fn write_to(&self, root: &Path) -> io::Result<()> {
        for (path, bytes) in self.iter() {
            let target = root.join(path);
            if let Some(folder) = target.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(target, bytes)?;
        }
        Ok(())
    }

    /// Reads every file below `root`; a missing folder is an empty tree.
    ///
    /// # Errors
    /// When a folder or file cannot be read.
    pub fn load(root: &Path) -> io::Result<Self> {
        let mut tree = Self::new();
        if root.is_dir() {
            tree.load_folder(root, "")?;
        }
        Ok(tree)
    }

    /// Returns one line for each path that is missing, unexpected or different in `actual`.
    pub fn differences(&self, actual: &Self) -> Vec<String> {
        let mut found = Vec::new();
        for (path, bytes) in self.iter() {
            match actual.get(path) {
                None => found.push(format!("missing: {path}")),
                Some(other) if other != bytes => found.push(format!("different: {path}")),
                Some(_) => {}
            }
        }
        let unexpected = actual.iter().filter(|(path, _)| self.get(path).is_none());
        found.extend(unexpected.map(|(path, _)| format!("unexpected: {path}")));
        found
    }

    fn load_folder(&mut self, folder: &Path, prefix: &str) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.load_folder(&entry.path(), &format!("{path}/"))?;
            } else {
                self.insert(path, fs::read(entry.path())?);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
