//! Python environments under `target/`, made once per requirement file.
//!
//! The official SDK and some of the programs we measure against come from PyPI.
//! An environment is complete when it holds a copy of the requirement file it was
//! made from; a changed file therefore makes a new environment.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::project::{self, Program};

/// The copy of the requirement file, written last.
const STAMP: &str = "ravel-requirements.txt";

/// A Python environment that is ready to use.
pub(crate) struct Venv {
    folder: PathBuf,
}

impl Venv {
    /// Returns the environment `target/<name>` with everything `requirements` asks for.
    pub(crate) fn ensure(name: &str, requirements: &Path) -> Result<Self> {
        let folder = project::target_dir()?.join(name);
        let wanted = fs::read_to_string(requirements)
            .with_context(|| format!("could not read {}", requirements.display()))?;
        let venv = Self { folder };
        let stamp = venv.folder.join(STAMP);
        if fs::read_to_string(&stamp).is_ok_and(|made_from| made_from == wanted) {
            return Ok(venv);
        }
        println!("making the Python environment {}", venv.folder.display());
        require_python()?;
        Program::new(python())
            .args(["-m", "venv", "--clear"])
            .args([&venv.folder])
            .run()
            .context("python3 could not make a virtual environment")?;
        Program::new(venv.program("python"))
            .args(["-m", "pip", "install", "--quiet", "--requirement"])
            .args([requirements])
            .run()
            .context("pip could not install the requirements")?;
        fs::write(&stamp, wanted)
            .with_context(|| format!("could not write {}", stamp.display()))?;
        Ok(venv)
    }

    /// Returns the path of a program installed in the environment.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        if cfg!(windows) {
            self.folder.join("Scripts").join(format!("{name}.exe"))
        } else {
            self.folder.join("bin").join(name)
        }
    }
}

fn python() -> &'static str {
    if cfg!(windows) { "python" } else { "python3" }
}

/// Makes sure that Python has `venv` with pip in it, or says what to install.
fn require_python() -> Result<()> {
    if can_make_venv() {
        return Ok(());
    }
    // Only an unattended root may install packages without being asked.
    if env::var("CI").is_ok_and(|ci| ci == "true") && is_root() {
        println!("python3 lacks venv: installing python3-venv");
        Program::new("apt-get")
            .args(["install", "-y", "python3", "python3-venv"])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .run()?;
    }
    if can_make_venv() {
        return Ok(());
    }
    bail!(
        "Python 3.10 or newer with venv and pip is needed to run the official SDK\n\
         hint: on Debian or Ubuntu: sudo apt-get install python3-venv"
    )
}

/// Debian ships `venv` without `ensurepip`, which then fails half-way; both must be there.
fn can_make_venv() -> bool {
    Program::new(python())
        .args(["-c", "import venv, ensurepip"])
        .succeeds()
}

fn is_root() -> bool {
    Program::new("id")
        .args(["-u"])
        .output()
        .is_ok_and(|id| id.trim() == "0")
}
