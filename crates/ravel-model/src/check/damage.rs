//! Lines that are no records.

use ravel_format::{Entry, Fault, Span};

use crate::diagnostic::{Code, Place};

use super::Subject;
use super::finding::Findings;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let outline = subject.outline();
    let mut last_glued_line = 0;
    for entry in outline.entries() {
        let Some(fault) = entry.fault else { continue };
        let at_end = outline.is_open_ended() && entry.span.end() == outline.n_bytes();
        match fault {
            // One finding for a line, however many records and padding share it.
            Fault::Glued | Fault::Blank if entry.line == last_glued_line => {}
            Fault::Glued => {
                last_glued_line = entry.line;
                report(findings, Code::GluedRecords, entry);
            }
            // A torn write still has its start; the outline tells only where the bytes stop.
            Fault::Torn if !starts_object(subject, entry) => {
                report(findings, Code::NotJson, entry);
            }
            Fault::Torn if at_end => report(findings, Code::TornTail, entry),
            Fault::Torn => report(findings, Code::TornLine, entry),
            Fault::Malformed => report(findings, Code::NotJson, entry),
            Fault::Nul => report(findings, Code::NulBytes, entry),
            Fault::NotAnObject => report(findings, Code::NotAnObject, entry),
            Fault::Blank => report(findings, Code::BlankLine, entry),
        }
    }
}

fn report(findings: &mut Findings, code: Code, entry: &Entry) {
    findings.add(code, Place::of(entry), || {
        format!("{} ({} bytes)", code.title(), entry.span.len)
    });
}

fn starts_object(subject: &Subject<'_>, entry: &Entry) -> bool {
    let start = Span {
        len: entry.span.len.min(64),
        ..entry.span
    };
    let bytes = subject.source.read(start);
    let is_padding = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | 0 | 0xEF | 0xBB | 0xBF);
    bytes.iter().find(|byte| !is_padding(byte)) == Some(&b'{')
}
