//! Where Ravel keeps its own files: never in the Claude folder.
//!
//! What can be made again is in the cache, what cannot is with the data, what a person wrote is
//! with the configuration. Index and archive belong to one home each, by the hash of its path.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::context::Context;
use crate::failure::Failure;

/// Which of the three folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Cache,
    Data,
    Config,
}

/// Returns the file of the index of this home.
pub(crate) fn index_file(context: &Context) -> Result<PathBuf, Failure> {
    if let Some(sample) = context.demo_folder() {
        return Ok(sample.join("ravel-cache").join("index.sqlite"));
    }
    let key = home_key(context.home()?.root());
    Ok(folder(Kind::Cache)?.join(key).join("index.sqlite"))
}

/// Returns the folder of the archive of this home.
pub(crate) fn archive_folder(context: &Context) -> Result<PathBuf, Failure> {
    if let Some(sample) = context.demo_folder() {
        return Ok(sample.join("ravel-archive"));
    }
    let key = home_key(context.home()?.root());
    Ok(folder(Kind::Data)?.join("archive").join(key))
}

/// Returns the file with a person's own prices.
pub(crate) fn prices_file() -> Result<PathBuf, Failure> {
    Ok(folder(Kind::Config)?.join("prices.toml"))
}

/// Names a home by its real path, so that a link to it is the same home.
fn home_key(root: &Path) -> String {
    let real = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let digest = Sha256::digest(real.as_os_str().as_encoded_bytes());
    let hex: String = digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    hex
}

fn folder(kind: Kind) -> Result<PathBuf, Failure> {
    folder_in(kind, |name| std::env::var_os(name)).ok_or_else(|| {
        Failure::request("could not find a folder for Ravel's files: HOME is not set")
    })
}

fn folder_in(kind: Kind, env: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let (variable, below_home) = match kind {
        Kind::Cache if cfg!(target_os = "macos") => ("XDG_CACHE_HOME", "Library/Caches"),
        Kind::Cache => ("XDG_CACHE_HOME", ".cache"),
        Kind::Data => ("XDG_DATA_HOME", ".local/share"),
        Kind::Config => ("XDG_CONFIG_HOME", ".config"),
    };
    let absolute = |name: &str| {
        let path = PathBuf::from(env(name)?);
        path.is_absolute().then_some(path)
    };
    let base = absolute(variable).or_else(|| {
        Some(
            absolute("HOME")
                .or_else(|| absolute("USERPROFILE"))?
                .join(below_home),
        )
    })?;
    Some(base.join("ravel"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_win_over_the_home_folder_and_relative_ones_do_not_count() {
        let env = |pairs: &'static [(&str, &str)]| {
            move |name: &str| {
                let pair = pairs.iter().find(|(key, _)| *key == name)?;
                Some(OsString::from(pair.1))
            }
        };
        let data = |pairs| folder_in(Kind::Data, env(pairs));
        assert_eq!(
            data(&[("HOME", "/home/sam"), ("XDG_DATA_HOME", "/data")]),
            Some("/data/ravel".into())
        );
        assert_eq!(
            data(&[("HOME", "/home/sam"), ("XDG_DATA_HOME", "data")]),
            Some("/home/sam/.local/share/ravel".into())
        );
        assert_eq!(data(&[("HOME", "")]), None);
    }
}
