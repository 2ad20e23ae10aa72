//! Rules of the paper dialects.
//!
//! Two of the documents that describe the format describe one that no client writes. Files made
//! after them exist, so their rules are checked, but only there: in real files some of these
//! rules are broken by every line.

use ravel_format::{Entry, Flags, JsonKind, Kind, Outline, Source, with_record};

use crate::diagnostic::{Code, Place};

use super::Subject;
use super::finding::Findings;

/// Whose format a file speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// That of a real client.
    Client,
    /// Seed 001: messages are texts, tools stand at the top level.
    Flat,
    /// Seed 004: people are `human`, tool results are records.
    Human,
}

/// How many messages are looked at to tell the dialect.
const MAX_SAMPLES: usize = 4;

/// Tells the dialect of a file. Reads nothing of a file that is plainly a client's.
pub(crate) fn dialect(outline: &Outline, source: &dyn Source) -> Dialect {
    let entries = outline.entries();
    let is_human = |kind| {
        matches!(
            kind,
            Kind::Human | Kind::ToolResult | Kind::CompactPrelude | Kind::CompactRecap
        )
    };
    if entries.iter().any(|entry| is_human(entry.kind)) {
        return Dialect::Human;
    }
    if entries
        .iter()
        .any(|entry| entry.kind == Kind::CompactSystem)
    {
        return Dialect::Flat;
    }
    if entries.iter().any(|entry| entry.message.is_some()) {
        return Dialect::Client;
    }
    let mut samples = entries
        .iter()
        .filter(|entry| entry.kind.is_message())
        .take(MAX_SAMPLES);
    let is_flat = samples.any(|entry| {
        with_record(source, entry, |record| {
            let message = record.get("message");
            record.get("toolName").is_some()
                || message.is_some_and(|message| message.kind() == JsonKind::Text)
        })
    });
    if is_flat {
        Dialect::Flat
    } else {
        Dialect::Client
    }
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    if subject.dialect == Dialect::Client {
        return;
    }
    findings.add(Code::PaperDialect, Place::default(), || {
        match subject.dialect {
            Dialect::Human => "people are called `human` here".to_owned(),
            _ => "messages are plain texts here".to_owned(),
        }
    });
    if subject.dialect != Dialect::Flat {
        return;
    }
    for entry in subject
        .outline()
        .entries()
        .iter()
        .filter(|entry| entry.kind.is_linked())
    {
        check_sidechain(entry, findings);
        check_tool(subject, entry, findings);
    }
}

fn check_sidechain(entry: &Entry, findings: &mut Findings) {
    if entry.has(Flags::SIDECHAIN) {
        return;
    }
    if entry.has(Flags::HAS_SIDECHAIN_KEY) {
        findings.add(
            Code::PaperSidechainKey,
            Place::within(entry, "/isSidechain"),
            || "the record is of the main conversation".to_owned(),
        );
    }
    if entry.has(Flags::EXTERNAL_USER) {
        findings.add(
            Code::PaperExternalUser,
            Place::within(entry, "/userType"),
            || "the record is of the main conversation".to_owned(),
        );
    }
}

fn check_tool(subject: &Subject<'_>, entry: &Entry, findings: &mut Findings) {
    let (lacks_name, bad_arguments) = with_record(subject.source, entry, |record| {
        let envelope = record.envelope();
        let is_call = envelope
            .subtype
            .is_some_and(|subtype| subtype.is("tool_use"));
        let bad = envelope
            .tool_arguments
            .is_some_and(|arguments| arguments.kind() != JsonKind::Object);
        (is_call && envelope.tool_name.is_none(), bad)
    });
    if lacks_name {
        findings.add(
            Code::PaperToolName,
            Place::within(entry, "/toolName"),
            || "the tool has no name".to_owned(),
        );
    }
    if bad_arguments {
        findings.add(
            Code::PaperToolArguments,
            Place::within(entry, "/toolArguments"),
            || "the arguments are no object".to_owned(),
        );
    }
}
