//! Runs the executable in a clean environment.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{io, thread};

/// What a run printed and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Standard output, lossily decoded.
    pub stdout: String,
    /// Standard error, lossily decoded.
    pub stderr: String,
    /// The exit code; -1 when a signal ended it.
    pub code: i32,
}

/// One run of `ravel`, with nothing inherited but what the operating system needs.
#[derive(Debug)]
pub struct RavelCommand {
    command: Command,
    stdin: Vec<u8>,
}

impl RavelCommand {
    /// Prepares a run of `executable` for a person whose home is `home` and who stands in `cwd`.
    pub fn new(executable: impl AsRef<OsStr>, home: &Path, cwd: &Path) -> Self {
        let mut command = Command::new(executable);
        command
            .env_clear()
            .current_dir(cwd)
            .env("HOME", home)
            .env("USERPROFILE", home);
        command
            .env("NO_COLOR", "1")
            .env("TZ", "UTC")
            .env("COLUMNS", "100");
        for inherited in ["SYSTEMROOT", "LLVM_PROFILE_FILE"] {
            if let Some(value) = std::env::var_os(inherited) {
                command.env(inherited, value);
            }
        }
        Self {
            command,
            stdin: Vec::new(),
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Removes a variable that is set by default, such as `NO_COLOR`.
    #[must_use]
    pub fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Sets the current directory.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.command.current_dir(folder.into());
        self
    }

    /// Sets what the program reads on its standard input.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Runs it to the end.
    ///
    /// # Errors
    /// When the program cannot be started or waited for.
    pub fn run(mut self) -> io::Result<Output> {
        let pipes = self
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = pipes.spawn()?;
        let input = child.stdin.take();
        let bytes = self.stdin;
        // A program may end without reading all of its input: the broken pipe is its good right.
        let writer = thread::spawn(move || input.map(|mut input| input.write_all(&bytes)));
        let output = child.wait_with_output()?;
        drop(writer.join());
        Ok(Output {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        })
    }
}
