//! Project folder names from paths, and back as far as that goes.
//!
//! The client names a project folder after the directory it was started in: every
//! UTF-16 unit outside `[A-Za-z0-9]` becomes `-`, and a name of more than 200
//! units is cut and gets a hash of the whole path. That loses information, so the
//! way back is a guess for display ([`path_guess`]) or a search for directories
//! that really exist ([`existing_paths`]). The `cwd` in a session's own lines is
//! always the better answer.

use std::fs;
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use crate::home::Home;

/// The longest folder name that is not cut.
const LONGEST_NAME: usize = 200;

/// Bounds the search for existing directories: a slug of dashes matches anything.
const MOST_FOLDERS_LISTED: usize = 2_000;

/// The folder name the client gives to a path.
pub fn slug_of(path: &str) -> String {
    cut(
        sanitize(path.encode_utf16().map(u32::from)),
        path.encode_utf16().map(u32::from),
    )
}

/// Every folder name that some program gives to a path, the client's own first.
///
/// The client takes the path as it is; the official SDKs normalize it to NFC
/// first, and the Python one counts code points instead of UTF-16 units.
pub fn slugs_of(path: &str) -> Vec<String> {
    let composed: String = path.nfc().collect();
    let mut slugs = vec![slug_of(path)];
    let code_points = || composed.chars().map(u32::from);
    for slug in [
        slug_of(&composed),
        cut(sanitize(code_points()), code_points()),
    ] {
        if !slugs.contains(&slug) {
            slugs.push(slug);
        }
    }
    slugs
}

/// The folder name under the old `conversations`: `_` for `/`, nothing else.
pub fn conversation_name(path: &str) -> String {
    path.replace('/', "_")
}

/// The project folders that belong to a directory, the best match first.
///
/// Both the path as given and with symbolic links resolved are tried, because the
/// client resolves them and a person types them.
pub fn find_project_dirs(home: &Home, directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let resolved = fs::canonicalize(directory).ok();
    for path in resolved.iter().map(PathBuf::as_path).chain([directory]) {
        let Some(path) = path.to_str() else { continue };
        for slug in slugs_of(path) {
            push_folder(&mut found, home.projects().join(&slug));
            if slug.len() > LONGEST_NAME {
                push_same_start(&mut found, &home.projects(), &slug);
            }
        }
        push_folder(
            &mut found,
            home.conversations().join(conversation_name(path)),
        );
    }
    found
}

/// Guesses the path behind a folder name, for display only.
///
/// Every `-` is taken for a separator, so `/srv/my-app` comes back as `/srv/my/app`.
pub fn path_guess(slug: &str) -> String {
    match slug.as_bytes() {
        [drive, b'-', b'-', ..] if drive.is_ascii_alphabetic() => {
            let rest = slug.get(3..).unwrap_or_default();
            format!("{}:\\{}", char::from(*drive), rest.replace('-', "\\"))
        }
        [b'_', ..] => slug.replace('_', "/"),
        _ => slug.replace('-', "/"),
    }
}

/// Searches the disk for directories whose folder name this is.
///
/// Walks down from the root, only into directories that fit so far; gives up after
/// a bounded number of them.
pub fn existing_paths(slug: &str) -> Vec<PathBuf> {
    let mut search = Search {
        slug,
        found: Vec::new(),
        n_listed: 0,
    };
    search.descend(Path::new("/"), "");
    search.found.sort();
    search.found
}

/// Whether a text has the form of a UUID, which official readers ask of file names.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

struct Search<'a> {
    slug: &'a str,
    found: Vec<PathBuf>,
    n_listed: usize,
}

impl Search<'_> {
    /// `so_far` is the uncut slug of `dir`, without a trailing separator.
    fn descend(&mut self, dir: &Path, so_far: &str) {
        if self.n_listed >= MOST_FOLDERS_LISTED {
            return;
        }
        self.n_listed += 1;
        let Ok(entries) = fs::read_dir(dir) else {
            return;
        };
        for entry in entries.filter_map(Result::ok) {
            // Links are not followed: the client names folders by resolved paths.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.consider(&entry.path(), &entry.file_name().to_string_lossy(), so_far);
            }
        }
    }

    fn consider(&mut self, path: &Path, name: &str, so_far: &str) {
        let below = format!("{so_far}-{}", sanitize(name.encode_utf16().map(u32::from)));
        let kept = below.get(..LONGEST_NAME).unwrap_or(&below);
        if !self.slug.starts_with(kept) {
            return;
        }
        if path.to_str().is_some_and(|path| slug_of(path) == self.slug) {
            self.found.push(path.to_path_buf());
        }
        if below.len() > LONGEST_NAME
            || self
                .slug
                .get(below.len()..)
                .is_some_and(|rest| rest.starts_with('-'))
        {
            self.descend(path, &below);
        }
    }
}

fn sanitize(units: impl Iterator<Item = u32>) -> String {
    units
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
            _ => '-',
        })
        .collect()
}

/// Cuts a long name and makes it unique again with a hash of the original units.
fn cut(name: String, units: impl Iterator<Item = u32>) -> String {
    match name.get(..LONGEST_NAME) {
        Some(kept) if name.len() > LONGEST_NAME => format!("{kept}-{}", base36(java_hash(units))),
        _ => name,
    }
}

/// The string hash of Java, in 32 bits, without its sign.
fn java_hash(units: impl Iterator<Item = u32>) -> u32 {
    units
        .fold(0_i32, |hash, unit| {
            hash.wrapping_mul(31).wrapping_add(unit.cast_signed())
        })
        .unsigned_abs()
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

fn push_folder(found: &mut Vec<PathBuf>, dir: PathBuf) {
    if dir.is_dir() && !found.contains(&dir) {
        found.push(dir);
    }
}

/// Older clients hashed long paths differently, so only the first part agrees.
fn push_same_start(found: &mut Vec<PathBuf>, projects: &Path, slug: &str) {
    let Some(start) = slug.get(..=LONGEST_NAME) else {
        return;
    };
    let Ok(entries) = fs::read_dir(projects) else {
        return;
    };
    let mut same: Vec<_> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(start))
        .map(|entry| entry.path())
        .collect();
    same.sort();
    for dir in same {
        push_folder(found, dir);
    }
}

#[cfg(test)]
mod tests;
