//! What could not be read, said beside what could.

use std::fmt::Display;
use std::io::{self, Write as _};

use ravel_home::Finding;
use ravel_render::sanitize::sanitize_line;

/// Says something on standard error that a person should know, and goes on.
pub(crate) fn warn(message: impl Display) {
    // There is nobody left to tell when standard error is closed.
    let message = message.to_string();
    let _ = writeln!(io::stderr(), "warning: {}", sanitize_line(&message));
}

/// Says on standard error what could not be read; the rest is still shown.
pub(crate) fn report_findings<'f>(findings: impl IntoIterator<Item = &'f Finding>) {
    let mut err = io::stderr().lock();
    for finding in findings {
        // There is nobody left to tell when standard error is closed.
        let _ = writeln!(err, "warning: {}", sanitize_line(&finding.to_string()));
    }
}
