//! The `sdk` step: runs the official Agent SDK beside `ravel` on the same sessions.
//!
//! The tests are Python (`tests/sdk`), because the SDK is: it is the reference for
//! which messages a session has, and a translation of it would prove nothing.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::project::{self, Program};
use crate::test::CORPUS;
use crate::venv::Venv;

/// Builds `ravel` and runs `tests/sdk` against it.
pub(crate) fn run(corpus: Option<&Path>) -> Result<()> {
    let tests = project::root().join("tests").join("sdk");
    let venv = Venv::ensure("sdk-venv", &tests.join("requirements.txt"))?;
    let ravel = build_ravel(Profile::Debug)?;
    let mut pytest = Program::new(venv.program("python"))
        .args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"])
        .args([&tests])
        .env("RAVEL_BIN", &ravel)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    if let Some(corpus) = corpus {
        pytest = pytest.env(CORPUS, corpus);
    }
    pytest.run()
}

/// How `ravel` is compiled.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Debug,
    Release,
}

/// Builds the `ravel` binary and returns its path.
pub(crate) fn build_ravel(profile: Profile) -> Result<PathBuf> {
    let (flag, folder) = match profile {
        Profile::Debug => (None, "debug"),
        Profile::Release => (Some("--release"), "release"),
    };
    Program::cargo()
        .args(["build", "--package", "ravel", "--bin", "ravel"])
        .args(flag)
        .run()?;
    let name = format!("ravel{}", env::consts::EXE_SUFFIX);
    Ok(project::target_dir()?.join(folder).join(name))
}
