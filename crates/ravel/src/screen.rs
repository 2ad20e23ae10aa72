//! Where output goes: standard output, or a pager in front of it.

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

use ravel_render::sanitize::sanitize;

mod harmless;

pub(crate) use harmless::Harmless;

/// Standard output, or a pager.
pub(crate) enum Screen {
    /// Standard output itself.
    Plain(BufWriter<io::Stdout>),
    /// Standard output, for JSON.
    Json(BufWriter<Harmless<BufWriter<io::Stdout>>>),
    /// A pager that shows what it is given.
    Paged {
        /// What is shown.
        input: Option<BufWriter<ChildStdin>>,
        /// The pager.
        pager: Child,
    },
}

impl Screen {
    pub(crate) fn plain() -> Self {
        Self::Plain(BufWriter::with_capacity(64 << 10, io::stdout()))
    }

    pub(crate) fn json() -> Self {
        // JSON comes in many small writes and is looked through in large ones.
        let out = BufWriter::with_capacity(64 << 10, io::stdout());
        Self::Json(BufWriter::with_capacity(64 << 10, Harmless::new(out)))
    }

    /// Starts the pager; without one, output goes straight out.
    pub(crate) fn paged() -> Self {
        let Some((program, arguments)) = pager_command() else {
            return Self::plain();
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped());
        // Stay on one screen when it fits, keep colors, do not clear, fold long lines.
        if std::env::var_os("LESS").is_none() {
            command.env("LESS", "FRX");
        }
        match command.spawn() {
            Ok(mut pager) => {
                crate::interrupt::leave_to_pager();
                let input = pager
                    .stdin
                    .take()
                    .map(|stdin| BufWriter::with_capacity(16 << 10, stdin));
                Self::Paged { input, pager }
            }
            Err(_) => Self::plain(),
        }
    }

    /// Writes a text of somebody else: as it is for programs, tame for people.
    pub(crate) fn write_foreign(&mut self, bytes: &[u8]) -> io::Result<()> {
        if io::stdout().is_terminal() {
            let text = String::from_utf8_lossy(bytes);
            return self.write_all(sanitize(&text).as_bytes());
        }
        self.write_all(bytes)
    }

    /// Sends what was written and waits until the reader is done with it.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()
    }
}

/// Returns the pager a person chose; an empty choice means none.
fn pager_command() -> Option<(String, Vec<String>)> {
    let chosen = std::env::var("RAVEL_PAGER").or_else(|_| std::env::var("PAGER"));
    let command = chosen.unwrap_or_else(|_| "less".into());
    let mut words = command.split_whitespace().map(str::to_owned);
    let program = words.next()?;
    (program != "cat").then(|| (program, words.collect()))
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Json(out) => out.write(bytes),
            Self::Paged {
                input: Some(input), ..
            } => input.write(bytes),
            Self::Paged { input: None, .. } => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Json(out) => out.flush(),
            Self::Paged {
                input: Some(input), ..
            } => input.flush(),
            Self::Paged { input: None, .. } => Ok(()),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if let Self::Paged { input, pager } = self {
            // Closing its input tells the pager that this is all; it ends when the person does.
            drop(input.take());
            let _ = pager.wait();
        }
    }
}
