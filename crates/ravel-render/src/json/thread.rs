//! The messages of the conversation as it stands, in order.

use std::io;

use ravel_format::{Entry, Flags, JsonText, Record};
use ravel_model::{Session, Thread};

use super::stream::Stream;

/// Keys of a record that pass through when it has them.
const KEPT: &[&str] = &[
    "isCompactSummary",
    "isSidechain",
    "isApiErrorMessage",
    "requestId",
    "toolUseResult",
    "message",
];

/// Writes the visible messages of the main thread.
pub(super) fn write<W: io::Write>(session: &Session<'_>, out: &mut Stream<W>) -> io::Result<()> {
    out.open_array()?;
    if let Some(main) = session.main() {
        for index in Thread::main(&main.graph).visible(&main.graph) {
            let Some(entry) = main.graph.entry(index) else {
                continue;
            };
            let uuid = main.graph.outline().text(entry.uuid);
            main.read(entry, |record| message(&uuid, entry, record, out))?;
        }
    }
    out.close_array()
}

fn message<W: io::Write>(
    uuid: &str,
    entry: &Entry,
    record: &Record<'_>,
    out: &mut Stream<W>,
) -> io::Result<()> {
    out.open_object()?;
    out.field("uuid", uuid)?;
    let name = record.type_text().map(JsonText::decode);
    out.field("type", name.as_deref().unwrap_or_default())?;
    out.key("timestamp")?;
    out.raw(record.get("timestamp").map_or(b"null", |time| time.raw()))?;
    out.key("parentUuid")?;
    out.raw(
        record
            .get("parentUuid")
            .map_or(b"null", |parent| parent.raw()),
    )?;
    out.field("line", &entry.line)?;
    for key in KEPT {
        // `false` says the same as no key, and most records say it.
        let value = record.get(key).filter(|value| value.raw() != b"false");
        if let Some(value) = value {
            out.key(key)?;
            out.raw(value.raw())?;
        }
    }
    if entry.has(Flags::META) {
        out.field("isMeta", &true)?;
    }
    out.close_object()
}
