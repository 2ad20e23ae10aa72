//! The programs that Ravel is compared with, and where they come from.
//!
//! What is installed is used. What is not is put below `target/bench/tools` or into
//! a Python environment there, once.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::bench::measure::{Clock, Entrant};
use crate::project::{self, Program};
use crate::venv::Venv;

const CCUSAGE: &str = "@ccusage/ccusage-linux-x64";
const CCUSAGE_VERSION: &str = "20.0.24";

pub(super) fn venv() -> Result<Venv> {
    Venv::ensure(
        "bench-venv",
        &project::root().join("xtask").join("bench-requirements.txt"),
    )
}

pub(super) fn python() -> Result<PathBuf> {
    Ok(venv()?.program("python"))
}

/// Returns ripgrep: the installed one, else one that cargo builds once.
pub(super) fn ripgrep(folder: &Path) -> Result<PathBuf> {
    if Program::new("rg").args(["--version"]).succeeds() {
        return Ok(PathBuf::from("rg"));
    }
    let tools = folder.join("tools");
    let program = tools
        .join("bin")
        .join(format!("rg{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        println!("ripgrep is not installed: building it with cargo");
        Program::cargo()
            .args(["install", "ripgrep", "--locked", "--quiet", "--root"])
            .args([&tools])
            .run()
            .context("cargo could not install ripgrep; install `rg` by hand")?;
    }
    Ok(program)
}

/// Prepares ripgrep to count the lines with `literal` in every session of a home.
pub(super) fn count_lines(folder: &Path, home: &Path, literal: &str) -> Result<Entrant> {
    let name = format!("rg -c '{literal}'");
    Ok(Entrant::new(name, ripgrep(folder)?, Clock::End)
        .args(["--no-config", "--no-ignore", "--count", literal])
        .args(["--glob", "*.jsonl"])
        .args([home]))
}

/// Returns the native ccusage, from npm.
pub(super) fn ccusage(folder: &Path) -> Result<Entrant> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        bail!("{CCUSAGE} runs on Linux on x86-64 only");
    }
    let tools = folder.join("tools").join("npm");
    let package = tools.join("node_modules").join(CCUSAGE);
    let program = package.join("bin").join("ccusage");
    if !has_version(&package.join("package.json")) {
        println!("installing ccusage {CCUSAGE_VERSION} with npm");
        std::fs::create_dir_all(&tools)?;
        Program::new("npm")
            .args(["install", "--no-save", "--no-audit", "--no-fund"])
            .args(["--loglevel", "error", "--prefix"])
            .args([&tools])
            .args([format!("{CCUSAGE}@{CCUSAGE_VERSION}")])
            .run_quietly()
            .context("npm could not install ccusage")?;
    }
    make_executable(&program)?;
    // It looks for other agents' files in the home folder too; there it finds none.
    Ok(
        Entrant::new(format!("ccusage {CCUSAGE_VERSION}"), program, Clock::End)
            .env("HOME", folder.join("nobody")),
    )
}

/// Returns what was prepared; when it could not be, says so and goes on without it.
pub(super) fn if_possible(peer: Result<Entrant>) -> Option<Entrant> {
    peer.inspect_err(|error| println!("left out: {error:#}"))
        .ok()
}

fn has_version(manifest: &Path) -> bool {
    std::fs::read_to_string(manifest).is_ok_and(|text| text.contains(CCUSAGE_VERSION))
}

/// The package carries its program without the executable bit; its launcher sets it.
fn make_executable(program: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755))
            .with_context(|| format!("could not make {} executable", program.display()))?;
    }
    let _ = program;
    Ok(())
}
