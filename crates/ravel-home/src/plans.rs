//! Plans: `plans/<words>.md`, written when a session plans before it acts.

use std::cmp::Reverse;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::finding::{Finding, Listing};
use crate::home::{Home, is_plain_name};
use crate::json_file::files_of;

/// A heading stands near the top, or there is none worth showing.
const HEADING_SEARCH_BYTES: u64 = 4_096;

/// A plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The name of the file without its ending; sessions refer to it as `slug`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The first heading.
    pub title: Option<String>,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: SystemTime,
}

/// Lists the plans, the last modified first.
pub fn list_plans(home: &Home) -> Listing<Plan> {
    let mut listing = Listing::default();
    let files = files_of(&home.plans()).unwrap_or_else(|finding| {
        listing.findings.push(finding);
        Vec::new()
    });
    for (file_name, path) in files {
        if let Some(name) = file_name.strip_suffix(".md") {
            let plan = describe(name, &path).map_err(|error| Finding::new(&path, error));
            listing.take(plan.map(Some));
        }
    }
    listing.items.sort_by_key(|plan| Reverse(plan.modified));
    listing
}

/// Reads the text of a plan by its name. `None` when there is no such plan.
pub fn load_plan(home: &Home, name: &str) -> io::Result<Option<String>> {
    let name = name.strip_suffix(".md").unwrap_or(name);
    if !is_plain_name(name) {
        return Ok(None);
    }
    match fs::read(home.plans().join(format!("{name}.md"))) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn describe(name: &str, path: &Path) -> io::Result<Plan> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    Ok(Plan {
        name: name.to_owned(),
        path: path.to_path_buf(),
        title: heading(file),
        size: metadata.len(),
        modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
    })
}

fn heading(file: File) -> Option<String> {
    BufReader::new(file.take(HEADING_SEARCH_BYTES))
        .split(b'\n')
        .map_while(Result::ok)
        .map(|line| String::from_utf8_lossy(&line).trim().to_owned())
        .find(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_have_names_and_headings() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        fs::create_dir_all(home.plans()).unwrap();
        fs::write(
            home.plans().join("calm-red-fox.md"),
            "\n# Plan: a cart\ntext\n",
        )
        .unwrap();
        fs::write(home.plans().join("notes.txt"), "").unwrap();
        let plans = list_plans(&home).items;
        assert_eq!(plans.len(), 1);
        assert_eq!(plans[0].name, "calm-red-fox");
        assert_eq!(plans[0].title.as_deref(), Some("Plan: a cart"));
        let text = load_plan(&home, "calm-red-fox").unwrap().unwrap();
        assert!(text.ends_with("text\n"));
        assert_eq!(load_plan(&home, "../plans/calm-red-fox").unwrap(), None);
        assert_eq!(load_plan(&home, "none").unwrap(), None);
    }
}
