//! One pass over the text for everything that may stand anywhere in it.
//!
//! Titles and tags are rare and often absent, so each search of its own would run
//! over the whole text; together with the count of messages that made ten passes and
//! most of the cost of a listing. Here all of them are found in one.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Match, MatchKind, packed};

use super::KEYS;
use super::census::Census;
use super::field;

/// What is searched for. The order is that of [`Hit`].
const PATTERNS: [&str; 7] = [
    "{\"type\":\"tag\"",
    "\"type\":",
    "\"customTitle\":",
    "\"aiTitle\":",
    "\"lastPrompt\":",
    "\"agent-name\"",
    "\"summary\"",
];

/// The vectorized search where the processor has it, and the portable one elsewhere.
static SEARCHER: LazyLock<Searcher> = LazyLock::new(|| match packed::Searcher::new(PATTERNS) {
    Some(searcher) => Searcher::Packed(searcher),
    None => Searcher::Portable(
        AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostFirst)
            .build(PATTERNS)
            .ok(),
    ),
});

enum Searcher {
    Packed(packed::Searcher),
    Portable(Option<AhoCorasick>),
}

impl Searcher {
    /// Calls `visit` for every match, in order.
    fn each(&self, text: &[u8], mut visit: impl FnMut(Match)) {
        match self {
            Searcher::Packed(searcher) => searcher.find_iter(text).for_each(&mut visit),
            Searcher::Portable(Some(searcher)) => searcher.find_iter(text).for_each(&mut visit),
            Searcher::Portable(None) => {}
        }
    }
}

/// The last value found at each end of the file, still escaped.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Ends<'t> {
    pub(super) head: Option<&'t [u8]>,
    pub(super) tail: Option<&'t [u8]>,
}

/// What a pass found.
#[derive(Debug, Default)]
pub(super) struct Scan<'t> {
    pub(super) custom_title: Ends<'t>,
    pub(super) ai_title: Ends<'t>,
    pub(super) last_prompt: Ends<'t>,
    pub(super) agent_name: Ends<'t>,
    /// Titles in records of type `summary`.
    pub(super) summary: Ends<'t>,
    /// Values of any key `summary`, which is what the SDKs go by.
    pub(super) any_summary: Ends<'t>,
    /// The last line that is a tag record.
    pub(super) tag_line: Ends<'t>,
    pub(super) census: Census,
}

impl<'t> Scan<'t> {
    /// Searches a text. What starts at `tail_start` or later belongs to the tail.
    pub(super) fn add(&mut self, text: &'t [u8], tail_start: usize) {
        let mut lines = self.census.lines(text);
        SEARCHER.each(text, |found| {
            let (at, after) = (found.start(), found.end());
            let is_tail = at >= tail_start;
            match found.pattern().as_usize() {
                0 => self.tag_line.put(is_tail, tag_line(text, at)),
                1 => lines.see_type(at, after),
                2 => self
                    .custom_title
                    .put(is_tail, field::string_at(text, after)),
                3 => self.ai_title.put(is_tail, field::string_at(text, after)),
                4 => self.last_prompt.put(is_tail, field::string_at(text, after)),
                5 => self.agent_name.put(is_tail, agent_name(text, at)),
                _ => {
                    self.summary.put(is_tail, summary(text, at));
                    self.any_summary.put(is_tail, any_summary(text, after));
                }
            }
        });
        self.census = lines.finish();
    }
}

impl<'t> Ends<'t> {
    fn put(&mut self, is_tail: bool, value: Option<&'t [u8]>) {
        let end = if is_tail {
            &mut self.tail
        } else {
            &mut self.head
        };
        *end = value.or(*end);
    }

    /// The value at the end of the file, else the one at its start; empty ones do not
    /// count.
    pub(super) fn latest(&self) -> Option<&'t [u8]> {
        let values = [self.tail, self.head].into_iter().flatten();
        values.into_iter().find(|value| !value.is_empty())
    }

    /// The value at the end of the file, unless it is empty.
    pub(super) fn in_tail(&self) -> Option<&'t [u8]> {
        self.tail.filter(|value| !value.is_empty())
    }
}

/// Anywhere but at the start of a line, a tag means something different, such as a
/// git tag in the input of a tool.
fn tag_line(text: &[u8], at: usize) -> Option<&[u8]> {
    let line = field::line_around(text, at);
    line.starts_with(b"{\"type\":\"tag\"").then_some(line)
}

/// Every line of a team session has an `agentName`; only a record of its own is a title.
fn agent_name(text: &[u8], at: usize) -> Option<&[u8]> {
    is_type(text, at).then(|| KEYS.agent_name.last(field::line_around(text, at)))?
}

fn summary(text: &[u8], at: usize) -> Option<&[u8]> {
    is_type(text, at).then(|| KEYS.summary.last(field::line_around(text, at)))?
}

fn any_summary(text: &[u8], after: usize) -> Option<&[u8]> {
    (text.get(after) == Some(&b':')).then(|| field::string_at(text, after + 1))?
}

/// Whether the string at `at` is the value of a `type`.
fn is_type(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let before = before.strip_suffix(b" ").unwrap_or(before);
    before.ends_with(b"\"type\":")
}
