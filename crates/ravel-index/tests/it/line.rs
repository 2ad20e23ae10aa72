//! Lines of made-up sessions, the odd ones included.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::{Value, json};

/// Words that are hard on a search: parts of each other, without case, outside of ASCII, with
/// everything that JSON escapes, and longer than a term.
pub(crate) const WORDS: [&str; 20] = [
    "cart",
    "shoppingCart",
    "total",
    "Straße",
    "ÉCOLE",
    "日本語",
    "naïve",
    "foo_bar",
    "a\"b",
    "back\\slash",
    "tab\there",
    "\u{1b}[31mred",
    "\u{212a}elvin",
    "İstanbul",
    "e\u{301}t",
    "x",
    "0x1F",
    "two\nlines",
    "😀smile",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
];

/// What is on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Prompt,
    Reply,
    Thinking,
    Call,
    Result,
    Title,
    /// Two records without a line end between them.
    Glued,
    /// The first part of a line that nobody finished.
    Torn,
    /// Half a line, and a whole one behind it.
    TornThenGlued,
    Blank,
    /// A hole that a crash left.
    Nuls,
    /// A hole before a good line.
    NulsThenReply,
    NoJson,
}

const KINDS: [Kind; 18] = [
    Kind::Prompt,
    Kind::Prompt,
    Kind::Reply,
    Kind::Reply,
    Kind::Reply,
    Kind::Reply,
    Kind::Thinking,
    Kind::Call,
    Kind::Result,
    Kind::Result,
    Kind::Title,
    Kind::Glued,
    Kind::Torn,
    Kind::TornThenGlued,
    Kind::Blank,
    Kind::Nuls,
    Kind::NulsThenReply,
    Kind::NoJson,
];

/// How a line is made.
#[derive(Debug, Clone)]
pub(crate) struct Recipe {
    pub(crate) kind: Kind,
    /// Which message or call it is about: lines with the same number are about the same.
    pub(crate) subject: u8,
    pub(crate) tokens: u8,
    pub(crate) words: Vec<usize>,
    /// Bits: escapes all but ASCII, ends with CR LF, which ids it has.
    pub(crate) style: u8,
}

/// Makes recipes.
pub(crate) fn recipe() -> impl Strategy<Value = Recipe> {
    let words = prop::collection::vec(0..WORDS.len(), 1..5);
    let kind = prop::sample::select(&KINDS[..]);
    (kind, 0..6u8, any::<u8>(), words, any::<u8>()).prop_map(
        |(kind, subject, tokens, words, style)| Recipe {
            kind,
            subject,
            tokens,
            words,
            style,
        },
    )
}

/// The session that a line is written in.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    pub(crate) session: String,
    pub(crate) folder: String,
    pub(crate) is_agent: bool,
    /// Counts lines, for ids and times.
    pub(crate) n_lines: u64,
}

impl Writer {
    /// Writes a line and its end.
    pub(crate) fn line(&mut self, recipe: &Recipe) -> Vec<u8> {
        let mut bytes = match recipe.kind {
            Kind::Blank => b"  ".to_vec(),
            Kind::Nuls => vec![0; 7],
            Kind::NoJson => b"cart total, but no JSON".to_vec(),
            Kind::Glued => [
                self.json(recipe, Kind::Prompt),
                self.json(recipe, Kind::Reply),
            ]
            .concat(),
            Kind::Torn => half(self.json(recipe, Kind::Reply), recipe),
            Kind::TornThenGlued => [
                half(self.json(recipe, Kind::Reply), recipe),
                self.json(recipe, Kind::Reply),
            ]
            .concat(),
            Kind::NulsThenReply => [vec![0; 5], self.json(recipe, Kind::Reply)].concat(),
            kind => self.json(recipe, kind),
        };
        if recipe.style & 2 != 0 {
            bytes.push(b'\r');
        }
        bytes.push(b'\n');
        bytes
    }

    fn json(&mut self, recipe: &Recipe, kind: Kind) -> Vec<u8> {
        self.n_lines += 1;
        let mut line = self.body(recipe, kind);
        let moment = 1_000 + self.n_lines * 7_000 + u64::from(recipe.subject);
        line["uuid"] = json!(format!("{}-{:04}", self.session, self.n_lines));
        line["sessionId"] = json!(self.session);
        line["timestamp"] = json!(format!(
            "2026-01-{:02}T{:02}:{:02}:{:02}.000Z",
            1 + moment / 86_400 % 28,
            moment / 3_600 % 24,
            moment / 60 % 60,
            moment % 60
        ));
        line["gitBranch"] = json!(["main", "side"][usize::from(recipe.subject) % 2]);
        if !self.folder.is_empty() {
            line["cwd"] = json!(self.folder);
        }
        line["isSidechain"] = json!(self.is_agent);
        let text = line.to_string();
        match recipe.style & 1 {
            0 => text.into_bytes(),
            _ => in_ascii(&text).into_bytes(),
        }
    }

    fn body(&self, recipe: &Recipe, kind: Kind) -> Value {
        let words: Vec<&str> = recipe.words.iter().map(|&word| WORDS[word]).collect();
        let text = words.join([" ", ", ", "-", "."][usize::from(recipe.tokens) % 4]);
        let call = format!("call-{}", recipe.subject);
        let tool = ["Bash", "Edit"][usize::from(recipe.subject) % 2];
        match kind {
            Kind::Title => json!({"type": "custom-title", "customTitle": text}),
            Kind::Prompt => {
                json!({"type": "user", "message": {"role": "user", "content": text}})
            }
            Kind::Result => {
                json!({"type": "user", "message": {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": call, "content": text},
                ]}})
            }
            Kind::Call => self.said(
                recipe,
                &json!({"type": "tool_use", "id": call, "name": tool, "input": {
                    "file_path": format!("/srv/shop/{}.rs", recipe.subject), "command": text,
                }}),
            ),
            Kind::Thinking => self.said(recipe, &json!({"type": "thinking", "thinking": text})),
            _ => self.said(recipe, &json!({"type": "text", "text": text})),
        }
    }

    /// A line of the model, with its usage.
    fn said(&self, recipe: &Recipe, block: &Value) -> Value {
        let model = ["claude-opus-5-5", "claude-haiku-5"][usize::from(recipe.subject) % 2];
        let mut line = json!({"type": "assistant", "message": {
            "role": "assistant",
            "model": model,
            "content": [block],
            "usage": {
                "input_tokens": recipe.tokens,
                "output_tokens": u64::from(recipe.tokens) * 3,
                "cache_creation_input_tokens": recipe.subject,
            },
        }});
        let ids = recipe.style >> 4 & 3;
        if ids != 3 {
            line["message"]["id"] = json!(format!("message-{}", recipe.subject));
        }
        if ids < 2 || recipe.style & 64 != 0 {
            line["requestId"] = json!(format!("request-{}", recipe.subject));
        }
        line
    }
}

fn half(mut bytes: Vec<u8>, recipe: &Recipe) -> Vec<u8> {
    let length = 1 + usize::from(recipe.tokens) * (bytes.len() - 2) / 255;
    bytes.truncate(length);
    bytes
}

/// Writes every character outside of ASCII as an escape.
fn in_ascii(json: &str) -> String {
    let mut out = String::new();
    for letter in json.chars() {
        if letter.is_ascii() {
            out.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04X}");
        }
    }
    out
}
