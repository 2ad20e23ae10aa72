//! Second layer, on paper only: every record gets the shape that a client reads.
//!
//! Two documents describe formats that no client writes, and files made after them exist. Their
//! people are `human`, their messages are plain texts, their tool calls have no ids. A copy that
//! only had its links mended would still be of no use to a client, so such records are told in
//! its words. Values are kept as written; keys that say nothing to a client stay.

use ravel_format::{Entry, Json, JsonKind, Kind, Record, Source, Span, parse_record};
use rustc_hash::FxHashMap;

use crate::api::paper::{answer_of, is_call};
use crate::check::{Dialect, dialect};
use crate::graph::Graph;

use super::layer::{Piece, push_lines};
use super::splice::Splice;
use super::{ActionKind, Changes, action};

/// Gives the records of a paper dialect the shape that a client reads.
pub(super) fn to_client(graph: &Graph<'_>, source: &dyn Source) -> Changes {
    let outline = graph.outline();
    let mut changes = Changes::default();
    if dialect(outline, source) == Dialect::Client {
        return changes;
    }
    let shaper = Shaper::new(graph, source);
    let entries = outline.entries();
    let (mut first, mut n_shaped) = (None, 0);
    for (index, entry) in entries.iter().enumerate() {
        let next = entries.get(index + 1);
        let end = next.map_or(outline.n_bytes(), |next| next.span.start);
        let Some(bytes) = shaper.shaped(index, entry) else {
            let len = end - entry.span.start;
            push_lines(&mut changes.pieces, Span { len, ..entry.span });
            continue;
        };
        first.get_or_insert(entry.span);
        n_shaped += 1;
        changes.pieces.push(Piece::Record {
            span: entry.span,
            splices: vec![Splice {
                at: 0,
                cut: entry.span.len as usize,
                bytes,
            }],
        });
    }
    if let Some(first) = first {
        let words = format!("told {n_shaped} records in the words of a client");
        changes
            .actions
            .push(action(ActionKind::Convert, first, words));
    }
    changes
}

struct Shaper<'a> {
    graph: &'a Graph<'a>,
    source: &'a dyn Source,
    /// The ids of calls, by the entry of the call and by that of its answer.
    calls: FxHashMap<usize, String>,
    answers: FxHashMap<usize, String>,
}

impl<'a> Shaper<'a> {
    fn new(graph: &'a Graph<'a>, source: &'a dyn Source) -> Self {
        let mut shaper = Self {
            graph,
            source,
            calls: FxHashMap::default(),
            answers: FxHashMap::default(),
        };
        for (index, entry) in graph.outline().entries().iter().enumerate() {
            let answer = Some(index)
                .filter(|_| is_call(source, entry) && shaper.has_arguments(entry))
                .and_then(|index| answer_of(graph, source, index));
            if let Some(answer) = answer {
                let id = shaper.new_id(index);
                shaper.calls.insert(index, id.clone());
                shaper.answers.insert(answer, id);
            }
        }
        shaper
    }

    fn read<T>(&self, entry: &Entry, view: impl FnOnce(&Record<'_>) -> T) -> T {
        let bytes = self.source.read(entry.span);
        view(&parse_record(&bytes, entry.span, u64::from(entry.line)))
    }

    /// Tells whether what a tool was asked can be sent on.
    fn has_arguments(&self, entry: &Entry) -> bool {
        self.read(entry, |record| {
            let arguments = record.get("toolArguments");
            arguments.is_none_or(|json| json.kind() == JsonKind::Object)
        })
    }

    fn new_id(&self, index: usize) -> String {
        let mut id = format!("toolu_entry_{index}");
        while self.graph.outline().ids().find(&id).is_some() {
            id.push('_');
        }
        id
    }

    /// Returns the record in the words of a client when it is not in them.
    fn shaped(&self, index: usize, entry: &Entry) -> Option<Vec<u8>> {
        if entry.fault.is_some() || !entry.kind.is_linked() {
            return None;
        }
        self.read(entry, |record| {
            let mut shape = match entry.kind {
                _ if self.answers.contains_key(&index) => self.answer(index, record),
                Kind::Assistant => self.reply(index, record),
                Kind::System | Kind::CompactSystem => note(entry, record),
                kind if kind.is_user() => said(entry, record),
                _ => Shape::default(),
            };
            let time = record.get("timestamp").map(Json::kind);
            if time.is_some_and(|kind| kind != JsonKind::Text) {
                let time = entry.time.map(|time| format!("\"{}\"", time.to_iso()));
                shape.set.extend(time.map(|time| ("timestamp", time)));
            }
            shape.apply(record.json?)
        })
    }

    fn answer(&self, index: usize, record: &Record<'_>) -> Shape {
        let id = self.answers.get(&index).map_or("", String::as_str);
        let content = record.get("message").map(raw).unwrap_or_default();
        let result = format!(
            r#"{{"tool_use_id":{},"type":"tool_result","content":{content}}}"#,
            quoted(id)
        );
        Shape::default()
            .set("type", "\"user\"")
            .set("message", &user(&format!("[{result}]")))
    }

    fn reply(&self, index: usize, record: &Record<'_>) -> Shape {
        let message = record.get("message");
        let name = record.get("toolName").and_then(Json::str);
        let content = match message.map(Json::kind) {
            Some(JsonKind::Object) => message.and_then(|message| message.get("content")),
            Some(JsonKind::Text) => message,
            _ => record.get("content"),
        };
        let is_list = content.is_some_and(|content| content.kind() == JsonKind::Array);
        let has_role = message.is_some_and(|message| message.get("role").is_some());
        let mut shape = Shape::default();
        if name.is_some() {
            shape.drop = &["toolName", "toolArguments"];
        }
        if is_list && has_role || content.is_none() && name.is_none() {
            return shape;
        }
        let blocks = match content.map(|content| (raw(content), content.kind())) {
            Some((list, JsonKind::Array)) => list,
            Some((block, JsonKind::Object)) => format!("[{block}]"),
            _ => format!("[{}]", self.blocks(index, record, content)),
        };
        let others = message.map(|message| others(message, &["id", "type", "role", "content"]));
        let id = message.and_then(|message| message.get("id")).map(raw);
        let id = id.unwrap_or_else(|| quoted(&format!("msg_entry_{index}")));
        let message = format!(
            r#"{{"id":{id},"type":"message","role":"assistant","content":{blocks}{}}}"#,
            others.unwrap_or_default()
        );
        shape.set("message", &message)
    }

    /// Returns the words of a reply, and its call: with an id when something answers it.
    fn blocks(&self, index: usize, record: &Record<'_>, words: Option<Json<'_>>) -> String {
        let text = |words: &str| format!(r#"{{"type":"text","text":{words}}}"#);
        let words = words.filter(|words| words.text().is_some_and(|text| !text.is_empty()));
        let mut blocks: Vec<String> = words.map(|words| text(&raw(words))).into_iter().collect();
        if let Some(name) = record.get("toolName").and_then(Json::str) {
            let input = record.get("toolArguments").map(raw);
            blocks.push(match self.calls.get(&index) {
                Some(id) => format!(
                    r#"{{"type":"tool_use","id":{},"name":{},"input":{}}}"#,
                    quoted(id),
                    quoted(&name),
                    input.as_deref().unwrap_or("{}")
                ),
                None => text(&quoted(&format!("[{name} {}]", input.unwrap_or_default()))),
            });
        }
        blocks.join(",")
    }
}

/// What changes in a record.
#[derive(Debug, Default)]
struct Shape {
    set: Vec<(&'static str, String)>,
    drop: &'static [&'static str],
}

impl Shape {
    fn set(mut self, key: &'static str, value: &str) -> Self {
        self.set.push((key, value.to_owned()));
        self
    }

    /// Writes the record anew; `None` when nothing changes.
    fn apply(self, record: Json<'_>) -> Option<Vec<u8>> {
        if self.set.is_empty() && self.drop.is_empty() {
            return None;
        }
        let mut done = vec![false; self.set.len()];
        let mut members = Vec::new();
        for (key, value) in record.entries() {
            let name = key.decode();
            if self.drop.contains(&&*name) {
                continue;
            }
            let at = self.set.iter().position(|(key, _)| *key == name);
            let changed = at.and_then(|at| Some((self.set.get(at)?, done.get_mut(at)?)));
            let value = match changed {
                Some(((_, value), done)) => {
                    // A key that stands twice is told once.
                    if std::mem::replace(done, true) {
                        continue;
                    }
                    value.clone()
                }
                None => raw(value),
            };
            members.push(format!("{}:{value}", String::from_utf8_lossy(key.raw())));
        }
        let missing = self.set.iter().zip(done).filter(|(_, done)| !done);
        members.extend(missing.map(|((key, value), _)| format!("\"{key}\":{value}")));
        Some(format!("{{{}}}", members.join(",")).into_bytes())
    }
}

/// Shapes what a person, or a tool with an id, said.
fn said(entry: &Entry, record: &Record<'_>) -> Shape {
    let mut shape = Shape::default();
    if entry.kind != Kind::User {
        shape = shape.set("type", "\"user\"");
    }
    if entry.kind == Kind::CompactRecap {
        shape = shape.set("isCompactSummary", "true");
    }
    let message = record.get("message");
    match message.map(|message| (message, message.kind())) {
        Some((message, JsonKind::Text)) => shape.set("message", &user(&raw(message))),
        Some((message, JsonKind::Object)) if message.get("role").is_none() => {
            let others = others(message, &["type", "role"]);
            shape.set("message", &format!(r#"{{"role":"user"{others}}}"#))
        }
        Some(_) => shape,
        None => match record.get("content") {
            Some(content) => shape.set("message", &user(&raw(content))),
            None => shape,
        },
    }
}

/// Shapes what the client said.
fn note(entry: &Entry, record: &Record<'_>) -> Shape {
    let message = record.get("message").filter(|json| json.text().is_some());
    let mut shape = Shape::default();
    if entry.kind == Kind::CompactSystem {
        shape = shape.set("type", "\"system\"");
    }
    let Some(message) = message else { return shape };
    if record.get("subtype").is_none() {
        shape = shape.set("subtype", "\"informational\"");
    }
    shape.drop = &["message"];
    shape.set("content", &raw(message)).set("level", "\"info\"")
}

fn user(content: &str) -> String {
    format!(r#"{{"role":"user","content":{content}}}"#)
}

/// Returns the members of an object but some, each with a comma before it.
fn others(object: Json<'_>, but: &[&str]) -> String {
    let members = object
        .entries()
        .filter(|(key, _)| !but.contains(&&*key.decode()));
    let member = |(key, value): (ravel_format::JsonText<'_>, Json<'_>)| {
        format!(",{}:{}", String::from_utf8_lossy(key.raw()), raw(value))
    };
    members.map(member).collect()
}

/// Returns a value as written; the texts of a file are strict by now.
fn raw(json: Json<'_>) -> String {
    String::from_utf8_lossy(json.raw()).into_owned()
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}
