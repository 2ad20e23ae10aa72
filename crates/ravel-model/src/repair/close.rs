//! Closes a record that was torn.
//!
//! The bytes of a torn record are good up to where they stop. What is open there is closed: a
//! string that is a value ends where it was torn, a half-written key or number goes, brackets are
//! closed. The result is kept only when it is still a message that says something.

use ravel_format::{Json, Kind, Span, parse_record};

use super::splice::{Splice, spliced};

/// Returns the change that closes `torn`, unless nothing worth keeping comes out.
pub(super) fn close(torn: &[u8]) -> Option<Splice> {
    let end = Walk::over(torn).end()?;
    let splice = Splice {
        at: end.keep,
        cut: torn.len() - end.keep,
        bytes: end.closers,
    };
    let closed = spliced(torn, std::slice::from_ref(&splice));
    says_something(&closed).then_some(splice)
}

/// Tells whether bytes are a message with a text; a half-written tool call is no use to anyone.
fn says_something(closed: &[u8]) -> bool {
    let record = parse_record(closed, Span::default(), 0);
    let is_message = matches!(record.kind(), Kind::User | Kind::Assistant);
    let is_strict = record.json.is_some_and(|json| json.flaw().is_none());
    let content = record
        .json
        .and_then(|json| json.at(&["message", "content"]));
    let is_text = |block: Json<'_>| {
        let is_text = block
            .get("type")
            .and_then(Json::text)
            .is_some_and(|name| name.is("text"));
        is_text && block.get("text").is_some_and(Json::is_truthy)
    };
    let says = content.is_some_and(|content| match content.text() {
        Some(text) => !text.is_empty(),
        None => content.items().next().is_some() && content.items().all(is_text),
    });
    record.damage.is_none() && is_message && is_strict && says
}

/// Where to cut a torn record, and what to put there.
struct End {
    keep: usize,
    closers: Vec<u8>,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Key,
    Colon,
    Value,
    Comma,
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    open: Vec<u8>,
    state: State,
    /// After the last whole member: where to cut when the rest is of no use.
    safe: usize,
    safe_open: Vec<u8>,
    /// Start of a value string that never ended.
    torn_string: Option<usize>,
}

impl<'a> Walk<'a> {
    /// Goes over the bytes until they end or stop making sense.
    fn over(bytes: &'a [u8]) -> Self {
        let mut walk = Self {
            bytes,
            at: 0,
            open: Vec::new(),
            state: State::Value,
            safe: 0,
            safe_open: Vec::new(),
            torn_string: None,
        };
        while walk.step().is_some() {}
        walk
    }

    fn step(&mut self) -> Option<()> {
        let &byte = self.bytes.get(self.at)?;
        match (byte, self.state) {
            (b' ' | b'\t' | b'\r' | b'\n', _) => self.at += 1,
            (b'"', State::Key | State::Value) => self.string()?,
            (b':', State::Colon) => self.pass(State::Value),
            (b',', State::Comma) => {
                let in_object = self.open.last() == Some(&b'}');
                self.pass(if in_object { State::Key } else { State::Value });
            }
            (b'{', State::Value) => self.enter(b'}', State::Key),
            (b'[', State::Value) => self.enter(b']', State::Value),
            (b'}' | b']', _) => {
                self.open.pop_if(|closer| *closer == byte)?;
                self.at += 1;
                self.member_done();
            }
            (_, State::Value) => self.scalar()?,
            _ => return None,
        }
        Some(())
    }

    fn pass(&mut self, next: State) {
        self.at += 1;
        self.state = next;
    }

    fn enter(&mut self, closer: u8, next: State) {
        self.open.push(closer);
        self.pass(next);
        self.mark_safe();
    }

    fn member_done(&mut self) {
        self.state = State::Comma;
        self.mark_safe();
    }

    fn mark_safe(&mut self) {
        self.safe = self.at;
        self.safe_open.clone_from(&self.open);
    }

    fn string(&mut self) -> Option<()> {
        let start = self.at;
        let mut at = start + 1;
        loop {
            match self.bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => {
                    self.torn_string = Some(start).filter(|_| self.state == State::Value);
                    return None;
                }
            }
        }
        self.at = at + 1;
        if self.state == State::Key {
            self.state = State::Colon;
        } else {
            self.member_done();
        }
        Some(())
    }

    fn scalar(&mut self) -> Option<()> {
        let rest = self.bytes.get(self.at..)?;
        let is_part =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
        let len = rest.iter().take_while(is_part).count();
        // A number at the very end may have had more digits.
        if len == 0 || len == rest.len() {
            return None;
        }
        self.at += len;
        self.member_done();
        Some(())
    }

    fn end(self) -> Option<End> {
        let (keep, open, quote) = match self.torn_string {
            Some(start) => (self.text_end(start), self.open, true),
            None => (self.safe, self.safe_open, false),
        };
        if open.is_empty() {
            return None;
        }
        let quote = quote.then_some(b'"').into_iter();
        Some(End {
            keep,
            closers: quote.chain(open.into_iter().rev()).collect(),
        })
    }

    /// Returns where the text of a torn string is still whole: no half escape, no half character.
    fn text_end(&self, start: usize) -> usize {
        let mut at = start + 1;
        let mut whole = at;
        while let Some(&byte) = self.bytes.get(at) {
            at += match byte {
                b'\\' if self.bytes.get(at + 1) == Some(&b'u') => 6,
                0xF0.. => 4,
                0xE0.. => 3,
                b'\\' | 0xC0.. => 2,
                _ => 1,
            };
            if at <= self.bytes.len() {
                whole = at;
            }
        }
        whole
    }
}
