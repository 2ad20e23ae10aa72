//! How far a long operation is, on a terminal.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error that counts bytes. It appears after a second, only on a terminal, and
/// goes away with the value.
pub(crate) struct Bar {
    bar: ProgressBar,
    started: Instant,
    is_shown: AtomicBool,
}

impl Bar {
    /// Starts counting. `what` says what is done, such as `archiving`.
    pub(crate) fn new(what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes} of {total_bytes}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self {
            bar,
            started: Instant::now(),
            is_shown: AtomicBool::new(false),
        }
    }

    /// Says how many bytes there are.
    pub(crate) fn set_length(&self, n_bytes: u64) {
        self.bar.set_length(n_bytes);
    }

    /// Says that so many more are done.
    pub(crate) fn advance(&self, n_bytes: u64) {
        self.bar.inc(n_bytes);
        if self.started.elapsed() > PATIENCE && !self.is_shown.swap(true, Ordering::Relaxed) {
            // Where there is no terminal, this draws nothing.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl ravel_archive::Progress for Bar {
    fn begin(&self, n_bytes: u64) {
        self.set_length(n_bytes);
    }

    fn add(&self, n_bytes: u64) {
        self.advance(n_bytes);
    }
}
