//! The branch that is checked out, without starting git.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the branch of the repository that a folder is in, or the start of a commit's hash if no
/// branch is checked out.
pub(super) fn branch_of(folder: &Path) -> Option<String> {
    let repository = folder.ancestors().find_map(repository_at)?;
    let head = fs::read_to_string(repository.join("HEAD")).ok()?;
    let head = head.trim();
    Some(match head.strip_prefix("ref:") {
        Some(name) => {
            let name = name.trim();
            name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()
        }
        None => head.chars().take(7).collect(),
    })
}

/// A work tree names its repository in a file.
fn repository_at(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(&git).ok()?;
    let place = text.trim().strip_prefix("gitdir:")?.trim();
    Some(folder.join(place))
}
