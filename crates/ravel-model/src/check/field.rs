//! What every record must say about itself.

use ravel_format::{Entry, Flags, Json, JsonKind, Kind, with_record};

use crate::diagnostic::{Code, Place};

use super::finding::Findings;
use super::{Dialect, Subject};

/// How many messages without a visible content are read to see what they hold.
const MAX_READ: usize = 256;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let outline = subject.outline();
    let is_stream = subject.is_stream;
    let mut n_read = 0;
    for entry in outline.entries() {
        match entry.kind {
            Kind::None if entry.fault.is_none() => {
                report(findings, Code::MissingType, entry, "/type");
            }
            Kind::Unknown => check_unknown(subject, entry, findings),
            // Standard output has its own rules: no parents, no times.
            kind if kind.is_linked() && !is_stream => check_linked(subject, entry, findings),
            _ => {}
        }
        // Real contents are looked at only when nothing was seen in them: it costs a read.
        let has_content = entry.has(Flags::CONTENT) || entry.has(Flags::THINKING);
        let seems_empty = !has_content && outline.edges(entry).is_empty();
        let is_due = match subject.dialect {
            Dialect::Client => seems_empty && n_read < MAX_READ,
            _ => true,
        };
        if entry.kind.is_message() && entry.has(Flags::HAS_MESSAGE) && is_due {
            n_read += 1;
            check_content(subject, entry, findings);
        }
    }
    if !is_stream {
        check_last_time(subject, findings);
    }
}

fn report(findings: &mut Findings, code: Code, entry: &Entry, pointer: &str) {
    findings.add(code, Place::within(entry, pointer), || {
        format!(
            "{}: this one is of type {}",
            code.title(),
            entry.kind.name()
        )
    });
}

fn check_unknown(subject: &Subject<'_>, entry: &Entry, findings: &mut Findings) {
    findings.add(Code::UnknownType, Place::within(entry, "/type"), || {
        let name = with_record(subject.source, entry, |record| {
            record.type_text().map(|text| text.decode().into_owned())
        });
        format!("the type is {:?}", name.unwrap_or_default())
    });
}

fn check_linked(subject: &Subject<'_>, entry: &Entry, findings: &mut Findings) {
    if entry.uuid.is_none() {
        report(findings, Code::MissingUuid, entry, "/uuid");
    }
    if entry.has(Flags::BAD_TIME) {
        report(findings, Code::BadTimestamp, entry, "/timestamp");
    } else if entry.time.is_none() {
        report(findings, Code::MissingTimestamp, entry, "/timestamp");
    }
    if entry.session.is_none() {
        report(findings, Code::MissingSessionId, entry, "/sessionId");
    }
    if !entry.has(Flags::HAS_PARENT_KEY) {
        report(findings, Code::MissingParentKey, entry, "/parentUuid");
    }
    // The flat dialect writes tool calls without one.
    let needs_message = entry.kind.is_message() && subject.dialect != Dialect::Flat;
    if needs_message && !entry.has(Flags::HAS_MESSAGE) {
        report(findings, Code::MissingMessage, entry, "/message");
    }
}

/// An empty text and an empty list are legal, if pointless; other values are not.
fn check_content(subject: &Subject<'_>, entry: &Entry, findings: &mut Findings) {
    let is_bad = with_record(subject.source, entry, |record| {
        let message = record.get("message")?;
        let content = message.get("content").map(Json::kind);
        let is_text = message.kind() == JsonKind::Text;
        Some(!is_text && !matches!(content, Some(JsonKind::Text | JsonKind::Array)))
    });
    if is_bad == Some(true) {
        report(findings, Code::BadContent, entry, "/message/content");
    }
}

/// The newest client finds no conversation when the last message has no time it can read.
fn check_last_time(subject: &Subject<'_>, findings: &mut Findings) {
    let last = subject
        .thread
        .leaf
        .and_then(|leaf| subject.graph.entry(leaf));
    let Some(entry) = last.filter(|_| subject.dialect == Dialect::Client) else {
        return;
    };
    let is_text = |entry: &Entry| {
        with_record(subject.source, entry, |record| {
            record
                .get("timestamp")
                .is_some_and(|time| time.kind() == JsonKind::Text)
        })
    };
    if entry.time.is_none() || !is_text(entry) {
        report(findings, Code::NoTimeAtEnd, entry, "/timestamp");
    }
}
