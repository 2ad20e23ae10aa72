//! Second layer: every record gets the keys that readers need.

use std::hash::Hasher;

use ravel_format::{Entry, Flags, Id, JsonKind, Kind, Source, Span, Timestamp, parse_record};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::check::{Dialect, dialect, main_session};
use crate::graph::Graph;

use super::layer::{Piece, push_lines};
use super::splice::set_keys;
use super::{ActionKind, Changes, action};

/// Fills in keys and keeps the first of several equal records, where the client wrote it.
pub(super) fn keep_first(graph: &Graph<'_>, source: &dyn Source) -> Changes {
    fill_keys(&Filler::new(graph, source, Keep::First), graph, source)
}

/// Fills in keys and keeps the last of several equal records, which readers take the place of.
pub(super) fn keep_last(graph: &Graph<'_>, source: &dyn Source) -> Changes {
    fill_keys(&Filler::new(graph, source, Keep::Last), graph, source)
}

/// Fills in keys and keeps only the last of several records with one id, equal or not.
pub(super) fn keep_only_last(graph: &Graph<'_>, source: &dyn Source) -> Changes {
    fill_keys(&Filler::new(graph, source, Keep::OnlyLast), graph, source)
}

/// Fills in keys and keeps only the first of several records with one id, equal or not: at the end
/// of a conversation readers go by that one.
pub(super) fn keep_only_first(graph: &Graph<'_>, source: &dyn Source) -> Changes {
    fill_keys(&Filler::new(graph, source, Keep::OnlyFirst), graph, source)
}

/// Which of several records with one id to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    First,
    Last,
    OnlyLast,
    OnlyFirst,
}

/// Fills in ids, times and sessions, and tells apart records with the same id.
fn fill_keys(filler: &Filler<'_>, graph: &Graph<'_>, source: &dyn Source) -> Changes {
    let entries = graph.outline().entries();
    let mut changes = Changes::default();
    let mut last_time = None;
    for (index, entry) in entries.iter().enumerate() {
        let line_end = entries
            .get(index + 1)
            .map_or(graph.outline().n_bytes(), |next| next.span.start);
        let line = Span {
            start: entry.span.start,
            len: line_end - entry.span.start,
        };
        last_time = entry.time.or(last_time);
        let needs = filler.needs(index, entry);
        if !needs.any() {
            push_lines(&mut changes.pieces, line);
            continue;
        }
        if needs.drop {
            let words = "left out a record that stands elsewhere with the same id".to_owned();
            changes
                .actions
                .push(action(ActionKind::DropDuplicate, entry.span, words));
            continue;
        }
        if needs.leave_out {
            let words = format!("left out {} bytes whose type is no word", entry.span.len);
            changes
                .actions
                .push(action(ActionKind::LeaveOut, entry.span, words));
            changes.left_out_bytes += entry.span.len;
            continue;
        }
        let bytes = source.read(entry.span);
        let values = filler.values(&mut changes, index, needs, last_time);
        changes.pieces.push(Piece::Record {
            span: entry.span,
            splices: set_keys(&bytes, &values),
        });
    }
    changes
}

/// What a record lacks.
#[derive(Debug, Clone, Copy, Default)]
struct Needs {
    drop: bool,
    /// The `type` is a list or an object, which ends the official SDK.
    leave_out: bool,
    /// The parent is a list or an object, which ends the official SDK.
    parent: bool,
    new_uuid: bool,
    uuid: bool,
    time: bool,
    session: bool,
}

impl Needs {
    fn any(self) -> bool {
        self.drop
            || self.leave_out
            || self.parent
            || self.new_uuid
            || self.uuid
            || self.time
            || self.session
    }
}

struct Filler<'a> {
    graph: &'a Graph<'a>,
    source: &'a dyn Source,
    keep: Keep,
    session: Option<String>,
    /// Paper dialects have other rules for times.
    is_client: bool,
    last_message: Option<usize>,
    /// The first of the records with an id that stands more than once, when it is to be kept.
    kept_first: FxHashMap<Id, usize>,
}

impl<'a> Filler<'a> {
    fn new(graph: &'a Graph<'a>, source: &'a dyn Source, keep: Keep) -> Self {
        let outline = graph.outline();
        let entries = outline.entries();
        let session = main_session(entries).map(|session| outline.text(Some(session)));
        let mut filler = Self {
            graph,
            source,
            keep,
            kept_first: FxHashMap::default(),
            session: session.filter(|session| !session.is_empty()),
            is_client: dialect(outline, source) == Dialect::Client,
            last_message: entries.iter().rposition(|entry| entry.kind.is_message()),
        };
        if matches!(keep, Keep::First | Keep::OnlyFirst) {
            filler.find_first();
        }
        filler
    }

    /// Finds first records that are the same as the last ones with their id.
    fn find_first(&mut self) {
        let mut seen = FxHashSet::default();
        for &index in self.graph.duplicates() {
            let uuid = self.graph.entry(index).and_then(|entry| entry.uuid);
            let Some(uuid) = uuid.filter(|&uuid| seen.insert(uuid)) else {
                continue;
            };
            let is_same = |last| self.keep == Keep::OnlyFirst || self.is_same(index, last);
            if self.graph.holder(uuid).is_some_and(is_same) {
                self.kept_first.insert(uuid, index);
            }
        }
    }

    fn is_same(&self, one: usize, other: usize) -> bool {
        let spans = self.graph.entry(one).zip(self.graph.entry(other));
        spans.is_some_and(|(one, other)| {
            one.span.len == other.span.len
                && self.source.read(one.span) == self.source.read(other.span)
        })
    }

    fn needs(&self, index: usize, entry: &Entry) -> Needs {
        let mut needs = Needs::default();
        if entry.fault.is_some() {
            return needs;
        }
        needs.leave_out = entry.kind == Kind::None && self.is_nested(entry, "type");
        if !entry.kind.is_linked() {
            return needs;
        }
        let names_no_parent = entry.parent.is_none() && entry.has(Flags::HAS_PARENT_KEY);
        needs.parent = names_no_parent && self.is_nested(entry, "parentUuid");
        let last = entry.uuid.and_then(|uuid| self.graph.holder(uuid));
        let first = entry
            .uuid
            .and_then(|uuid| self.kept_first.get(&uuid).copied());
        if let Some(kept) = first.or(last).filter(|&kept| kept != index) {
            let keeps_one = matches!(self.keep, Keep::OnlyLast | Keep::OnlyFirst);
            needs.drop = keeps_one || self.stands_for(kept, index);
            needs.new_uuid = !needs.drop;
        }
        needs.uuid = entry.uuid.is_none();
        needs.time = entry.time.is_none() || self.is_last_without_text(index, entry);
        needs.session = entry.session.is_none() && self.session.is_some();
        needs
    }

    /// Tells whether the value of a key is a list or an object.
    fn is_nested(&self, entry: &Entry, key: &str) -> bool {
        let bytes = self.source.read(entry.span);
        let record = parse_record(&bytes, entry.span, u64::from(entry.line));
        let kind = record.get(key).map(ravel_format::Json::kind);
        matches!(kind, Some(JsonKind::Array | JsonKind::Object))
    }

    /// Tells whether one record is the same as another, or a version of it.
    ///
    /// Two versions of one line of a reply make the same tool calls, so they cannot both be kept;
    /// readers show the later one anyway.
    fn stands_for(&self, kept: usize, index: usize) -> bool {
        let message = |index: usize| self.graph.entry(index).and_then(|entry| entry.message);
        let is_version = message(kept).is_some() && message(kept) == message(index);
        is_version || self.is_same(kept, index)
    }

    /// The client reads a last message with a number for its time as none.
    fn is_last_without_text(&self, index: usize, entry: &Entry) -> bool {
        let is_last = self.is_client && self.last_message == Some(index);
        is_last && {
            let bytes = self.source.read(entry.span);
            let record = parse_record(&bytes, entry.span, u64::from(entry.line));
            let time = record.get("timestamp");
            time.is_none_or(|time| time.kind() != JsonKind::Text)
        }
    }

    /// Returns the keys to set, as JSON, and notes why.
    fn values(
        &self,
        changes: &mut Changes,
        index: usize,
        needs: Needs,
        last_time: Option<Timestamp>,
    ) -> Vec<(&'static str, String)> {
        let mut values = Vec::new();
        let Some(entry) = self.graph.entry(index) else {
            return values;
        };
        let mut note = |kind, words: String| changes.actions.push(action(kind, entry.span, words));
        if needs.parent {
            let words = "the parent was no id; the record is a root now".to_owned();
            note(ActionKind::MakeRoot, words);
            values.push(("parentUuid", "null".to_owned()));
        }
        if needs.uuid || needs.new_uuid {
            let uuid = self.new_uuid(entry);
            if needs.uuid {
                note(
                    ActionKind::AddUuid,
                    format!("gave a record without uuid the uuid {uuid}"),
                );
            } else {
                let words = format!("another record has the same uuid; this one is now {uuid}");
                note(ActionKind::RenameDuplicate, words);
            }
            values.push(("uuid", format!("\"{uuid}\"")));
        }
        if needs.time {
            let time = last_time
                .or_else(|| self.next_time(index))
                .unwrap_or(Timestamp(0))
                .to_iso();
            let had = if entry.has(Flags::BAD_TIME) {
                "an unreadable"
            } else {
                "no usable"
            };
            note(
                ActionKind::AddTimestamp,
                format!("a record had {had} time; it is now {time}"),
            );
            values.push(("timestamp", format!("\"{time}\"")));
        }
        if let Some(session) = self.session.as_ref().filter(|_| needs.session) {
            note(
                ActionKind::AddSessionId,
                "a record had no session; it is now that of the file".to_owned(),
            );
            let text = serde_json::to_string(session).unwrap_or_default();
            values.push(("sessionId", text));
        }
        values
    }

    fn next_time(&self, index: usize) -> Option<Timestamp> {
        let later = self.graph.outline().entries().iter().skip(index);
        later.filter_map(|entry| entry.time).next()
    }

    /// Derives an id from the place and the bytes of a record, so that a second repair of the
    /// same file makes the same copy.
    fn new_uuid(&self, entry: &Entry) -> String {
        let bytes = self.source.read(entry.span);
        let half = |salt: u64| {
            let mut hasher = FxHasher::default();
            hasher.write_u64(salt);
            hasher.write_u64(entry.span.start);
            hasher.write(&bytes);
            hasher.finish()
        };
        let mut salt = 0;
        loop {
            let (high, low) = (half(2 * salt), half(2 * salt + 1));
            // Version 8 is for ids made by one's own rule.
            let text = format!(
                "{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}",
                high >> 32,
                high >> 16 & 0xFFFF,
                high & 0xFFF,
                low >> 48 & 0x3FFF | 0x8000,
                low & 0xFFFF_FFFF_FFFF
            );
            if self.graph.outline().ids().find(&text).is_none() {
                return text;
            }
            salt += 1;
        }
    }
}
