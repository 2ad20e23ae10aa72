//! How findings are shown.

use std::io::{self, Write};

use ravel_home::Finding;
use ravel_model::check::Report;
use ravel_model::diagnostic::{Diagnostic, Severity};
use ravel_render::amount::{self, counted};
use ravel_render::style::{Line, Painter, Role, Style};
use serde_json::json;

use super::{Checked, diagnostic_json, severities};
use crate::context::{Context, display_path};

/// Sums over all files.
#[derive(Default)]
pub(super) struct Totals {
    n_files: u64,
    n_wrong: u64,
    n_messages: u64,
    n_reachable: u64,
    n_bytes: u64,
    n_lines: u64,
    findings: [u64; 3],
}

impl Totals {
    pub(super) fn add(&mut self, file: &Checked) {
        self.n_files += 1;
        self.n_wrong += u64::from(file.is_wrong());
        let Ok(report) = &file.outcome else { return };
        self.n_messages += report.counts.messages;
        self.n_reachable += n_reachable(report);
        self.n_bytes += report.counts.bytes;
        self.n_lines += report.counts.lines;
        for (sum, severity) in self.findings.iter_mut().zip(severities()) {
            *sum += report.n_findings(severity);
        }
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.n_wrong > 0
    }
}

/// Prints findings file by file, as text or as JSON.
pub(super) struct Printer {
    painter: Painter,
    is_json: bool,
    is_verbose: bool,
    n_printed: u64,
}

impl Printer {
    pub(super) fn new(context: &Context, is_verbose: bool) -> Self {
        Self {
            painter: context.painter(),
            is_json: context.json(),
            is_verbose,
            n_printed: 0,
        }
    }

    pub(super) fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.is_json {
            out.write_all(b"{\"files\":[")
        } else {
            Ok(())
        }
    }

    pub(super) fn file(&mut self, file: &Checked, mut out: &mut dyn Write) -> io::Result<()> {
        self.n_printed += 1;
        if self.is_json {
            let comma = if self.n_printed > 1 { ",\n" } else { "\n" };
            out.write_all(comma.as_bytes())?;
            return serde_json::to_writer(out, &file_json(file)).map_err(io::Error::from);
        }
        self.painter.write(&self.file_lines(file), &mut out)
    }

    fn file_lines(&self, file: &Checked) -> Vec<Line> {
        let name = display_path(&file.path);
        let report = match &file.outcome {
            Ok(report) => report,
            Err(error) => {
                return vec![Line::of("error", Role::Error).with(
                    &format!(" {name}: could not read it: {error}"),
                    Style::default(),
                )];
            }
        };
        let shown =
            |diagnostic: &&Diagnostic| self.is_verbose || diagnostic.severity == Severity::Error;
        if !self.is_verbose && !report.has_errors() {
            return Vec::new();
        }
        let shown = report.diagnostics.iter().filter(shown);
        let mut lines: Vec<Line> = shown.flat_map(|one| finding_lines(&name, one)).collect();
        for (code, n_more) in &report.more {
            if self.is_verbose || code.severity() == Severity::Error {
                lines.push(Line::of(
                    &format!("  … and {n_more} more of {}", code.name()),
                    Role::Muted,
                ));
            }
        }
        lines.push(summary_line(&name, report));
        lines
    }

    pub(super) fn end(
        &self,
        totals: &Totals,
        findings: &[Finding],
        mut out: &mut dyn Write,
    ) -> io::Result<()> {
        let [errors, warnings, notes] = totals.findings;
        if self.is_json {
            let sums = json!({
                "files": totals.n_files, "files_with_errors": totals.n_wrong,
                "lines": totals.n_lines, "bytes": totals.n_bytes,
                "messages": totals.n_messages, "reachable": totals.n_reachable,
                "errors": errors, "warnings": warnings, "notes": notes,
            });
            let findings: Vec<_> = findings.iter().map(finding_json).collect();
            let findings = json!(findings);
            return writeln!(out, "\n],\"findings\":{findings},\"totals\":{sums}}}");
        }
        if totals.n_files == 1 {
            return Ok(());
        }
        let line = Line::of(
            &format!("{} checked", counted(totals.n_files, "file")),
            Style::default().bold(),
        )
        .with(
            &format!(" · {} · ", amount::bytes(totals.n_bytes)),
            Role::Muted,
        )
        .with(
            &format!(
                "{} of {} messages reachable",
                totals.n_reachable, totals.n_messages
            ),
            Role::Muted,
        )
        .with(" · ", Role::Muted)
        .with(
            &counted(errors, "error"),
            if errors > 0 { Role::Error } else { Role::Muted },
        )
        .with(
            &format!(
                " in {} · {} · {}",
                counted(totals.n_wrong, "file"),
                counted(warnings, "warning"),
                counted(notes, "note")
            ),
            Role::Muted,
        );
        self.painter.write(&[line], &mut out)?;
        if totals.is_wrong() {
            let hint = Line::of(
                "hint: `ravel repair FILE` writes a copy that readers can read in full",
                Role::Muted,
            );
            self.painter.write(&[hint], &mut out)?;
        }
        Ok(())
    }
}

/// Shows a finding as compilers do: what, where, and what to do.
fn finding_lines(name: &str, diagnostic: &Diagnostic) -> Vec<Line> {
    let role = match diagnostic.severity {
        Severity::Error => Role::Error,
        Severity::Warning => Role::Warning,
        Severity::Info => Role::Muted,
    };
    let line = match diagnostic.place.line {
        0 => String::new(),
        line => format!(":{line}"),
    };
    let pointer = diagnostic
        .place
        .pointer
        .as_deref()
        .map(|pointer| format!(" at {pointer}"));
    let place = format!("{name}{line}{}", pointer.unwrap_or_default());
    vec![
        Line::of(
            &format!("{}[{}]", diagnostic.severity, diagnostic.code.name()),
            Style::of(role).bold(),
        )
        .with(&format!(": {}", diagnostic.message), Style::default()),
        Line::of("  --> ", Role::Accent).with(&place, Role::Muted),
        Line::of("   = ", Role::Accent).with(diagnostic.help, Role::Muted),
    ]
}

/// Counts the messages that readers can reach.
fn n_reachable(report: &Report) -> u64 {
    let counts = &report.counts;
    counts.messages.saturating_sub(counts.unreachable)
}

fn summary_line(name: &str, report: &Report) -> Line {
    let counts = &report.counts;
    let verdict = if report.has_errors() {
        ("damaged", Role::Error)
    } else {
        ("ok", Role::Added)
    };
    let mut parts = vec![
        counted(counts.lines, "line"),
        format!(
            "{} of {} messages reachable",
            n_reachable(report),
            counts.messages
        ),
        format!("{} on the main thread", counts.reachable),
    ];
    let extras = [
        (counts.compacted, "before compactions"),
        (counts.on_branches, "on other branches"),
        (counts.in_sidechains, "in sidechains"),
        (counts.hidden, "for the model only"),
    ];
    parts.extend(
        extras
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, words)| format!("{count} {words}")),
    );
    Line::of(verdict.0, Style::of(verdict.1).bold())
        .with(&format!(" {name}"), Style::default())
        .with(&format!("  {}", parts.join(" · ")), Role::Muted)
}

fn finding_json(finding: &Finding) -> serde_json::Value {
    json!({ "path": finding.path.to_string_lossy(), "line": finding.line, "message": finding.message })
}

fn file_json(file: &Checked) -> serde_json::Value {
    match &file.outcome {
        Err(error) => {
            json!({ "file": file.path.to_string_lossy(), "error": error.to_string(), "errors": 1 })
        }
        Ok(report) => json!({
            "file": file.path.to_string_lossy(),
            "errors": report.n_findings(Severity::Error),
            "warnings": report.n_findings(Severity::Warning),
            "notes": report.n_findings(Severity::Info),
            "counts": report.counts,
            "diagnostics": report.diagnostics.iter().map(|one| diagnostic_json(&file.path, one)).collect::<Vec<_>>(),
            "more": report.more.iter().map(|(code, n_more)| json!({ "code": code, "count": n_more })).collect::<Vec<_>>(),
        }),
    }
}
