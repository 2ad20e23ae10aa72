//! Fuzzing without extra tools: `cargo xtask fuzz TARGET`, and the smoke step of `test`.
//!
//! `cargo fuzz` needs a nightly compiler only for the address sanitizer. Ravel has
//! next to no unsafe code, so what counts is coverage, and the coverage pass of
//! LLVM is reachable from stable through `-C passes`. `cargo +nightly fuzz run`
//! works on the same crate for those who want the sanitizer too.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::project::{self, Program};

/// What libFuzzer needs the compiler to insert; the same flags `cargo fuzz` passes.
const COVERAGE: &str = "--cfg fuzzing -C passes=sancov-module \
     -C llvm-args=-sanitizer-coverage-level=4 \
     -C llvm-args=-sanitizer-coverage-inline-8bit-counters \
     -C llvm-args=-sanitizer-coverage-pc-table \
     -C llvm-args=-sanitizer-coverage-trace-compares \
     -C debug-assertions -C codegen-units=1";

/// The fuzz crate has a lock file of its own, which other crates' new dependencies outdate.
const LOCK_HINT: &str = "a fuzz target did not build (lock file outdated? cargo update -w --manifest-path fuzz/Cargo.toml)";

/// Fuzzes one target until it finds something or is stopped.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let Some((target, rest)) = args.split_first() else {
        bail!(
            "usage: cargo xtask fuzz TARGET [LIBFUZZER ARGS...]; targets: {}",
            targets()?.join(", ")
        );
    };
    if !targets()?.contains(target) {
        bail!(
            "no fuzz target `{target}`; there are: {}",
            targets()?.join(", ")
        );
    }
    let program = build(target, Instrumentation::Coverage)?;
    let fuzz = fuzz_dir();
    let corpus = fuzz.join("corpus").join(target);
    let artifacts = fuzz.join("artifacts").join(target);
    fs::create_dir_all(&corpus).context("could not make the corpus folder")?;
    fs::create_dir_all(&artifacts).context("could not make the artifact folder")?;
    Program::new(program)
        .args([format!("-artifact_prefix={}/", artifacts.display())])
        .args(rest)
        .args([&corpus, &project::root().join("fixtures")])
        .run()
}

/// Compiles every target and feeds it the fixtures once.
///
/// Only a C++ compiler can be missing (libFuzzer is C++); then it says so.
pub(crate) fn smoke() -> Result<()> {
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    if !Program::new(&compiler).args(["--version"]).succeeds() {
        println!("skipped: libFuzzer needs a C++ compiler and `{compiler}` does not run");
        return Ok(());
    }
    if !cfg!(unix) {
        println!("skipped: fuzz targets are built on Unix only");
        return Ok(());
    }
    let fixtures = project::files_below(&project::root().join("fixtures"))?;
    let sessions: Vec<&PathBuf> = fixtures.iter().filter(|path| is_session(path)).collect();
    for target in targets()? {
        let program = build(&target, Instrumentation::None)?;
        if sessions.is_empty() {
            println!("{target}: compiled; there are no fixtures to feed it");
            continue;
        }
        // libFuzzer prints a line per input; only a failure is worth showing.
        Program::new(program).args(&sessions).run_quietly()?;
        println!("{target}: accepted {} fixtures", sessions.len());
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Instrumentation {
    None,
    Coverage,
}

fn build(target: &str, instrumentation: Instrumentation) -> Result<PathBuf> {
    let (folder, flags) = match instrumentation {
        Instrumentation::None => ("fuzz-smoke", "--cfg fuzzing"),
        Instrumentation::Coverage => ("fuzz", COVERAGE),
    };
    let target_dir = project::target_dir()?.join(folder);
    let host = host_triple()?;
    // Naming the target keeps the flags away from build scripts, which do not link libFuzzer.
    Program::cargo()
        .args([
            "build",
            "--locked",
            "--bin",
            target,
            "--target",
            &host,
            "--manifest-path",
        ])
        .args([fuzz_dir().join("Cargo.toml")])
        .args(release_flag(instrumentation))
        .env("CARGO_TARGET_DIR", &target_dir)
        .env("RUSTFLAGS", flags)
        .run()
        .context(LOCK_HINT)?;
    let profile = if release_flag(instrumentation).is_some() {
        "release"
    } else {
        "debug"
    };
    Ok(target_dir.join(host).join(profile).join(target))
}

fn release_flag(instrumentation: Instrumentation) -> Option<&'static str> {
    (instrumentation == Instrumentation::Coverage).then_some("--release")
}

fn fuzz_dir() -> PathBuf {
    project::root().join("fuzz")
}

/// Returns the names of the targets: one file each.
fn targets() -> Result<Vec<String>> {
    let files = project::files_below(&fuzz_dir().join("fuzz_targets"))?;
    Ok(files
        .iter()
        .filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()))
        .collect())
}

fn is_session(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "jsonl")
}

fn host_triple() -> Result<String> {
    let facts = Program::new("rustc").args(["-vV"]).output()?;
    facts
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .context("rustc -vV names no host")
}
