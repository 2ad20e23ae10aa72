//! The `page` step: opens exported pages in a real browser.
//!
//! Whether a page runs what a hostile transcript says is for a browser to decide, so the step
//! needs Chromium. It is never skipped: without one it says what to install. The tests are Python
//! (`tests/page`) and share the environment of the `sdk` step for its pytest.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};

use crate::project::{self, Program};
use crate::sdk::{Profile, build_ravel};
use crate::venv::Venv;

/// The names that distributions give to the browser.
const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Builds `ravel` and runs `tests/page` against it.
pub(super) fn run() -> Result<()> {
    let tests = project::root().join("tests");
    let chromium = require_chromium()?;
    let requirements = tests.join("sdk").join("requirements.txt");
    let venv = Venv::ensure("sdk-venv", &requirements)?;
    let ravel = build_ravel(Profile::Debug)?;
    Program::new(venv.program("python"))
        .args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"])
        .args([tests.join("page")])
        .env("RAVEL_BIN", &ravel)
        .env("RAVEL_CHROMIUM", &chromium)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .run()
}

/// Finds the browser, or installs it where nobody is there to be asked.
fn require_chromium() -> Result<PathBuf> {
    if let Some(found) = find_chromium() {
        return Ok(found);
    }
    if may_install() {
        println!("no Chromium here: installing it");
        for arguments in [&["update"][..], &["install", "-y", "chromium"]] {
            Program::new("apt-get")
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive")
                .run()?;
        }
    }
    find_chromium().context(
        "Chromium is needed to open exported pages\n\
         hint: on Debian or Ubuntu: sudo apt-get install chromium",
    )
}

fn find_chromium() -> Option<PathBuf> {
    find_program(&env::var_os("PATH")?, NAMES)
}

/// Returns the first of the programs that a search path has; a name goes before a folder.
fn find_program(path: &std::ffi::OsStr, names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(path).collect();
    let places = names.iter().flat_map(|name| {
        let program = format!("{name}{}", env::consts::EXE_SUFFIX);
        folders.iter().map(move |folder| folder.join(&program))
    });
    places.into_iter().find(|place| place.is_file())
}

/// Only an unattended root on Debian may install packages without being asked.
fn may_install() -> bool {
    let is_unattended = env::var("CI").is_ok_and(|ci| ci == "true");
    let is_debian = Path::new("/etc/debian_version").exists();
    is_unattended && is_debian && is_root()
}

/// The dpkg database can be written to by root alone, and needs no program to ask.
fn is_root() -> bool {
    fs::OpenOptions::new()
        .append(true)
        .open("/var/lib/dpkg/status")
        .is_ok()
}

#[cfg(test)]
mod tests;
