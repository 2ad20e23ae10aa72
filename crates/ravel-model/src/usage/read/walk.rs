//! A record in one walk.
//!
//! Parsing a line and then looking for its keys passes the content of the message three times.
//! Here every value is passed once. What is not written as the client writes it is left to the
//! parser, so this needs to know nothing about damage.

use ravel_format::{Json, JsonText};

use super::{Message, Top};

/// Reads a line that is one object, without spaces between its parts; `None` for others.
pub(super) fn read(line: &[u8]) -> Option<Top<'_>> {
    let mut walk = Walk { rest: line };
    let mut top = Top::default();
    walk.object(|walk, key| {
        match key.escaped() {
            b"message" => top.message = Some(walk.message()?),
            _ => top.take(key, walk.value()?),
        }
        Some(())
    })?;
    walk.rest.is_empty().then_some(top)
}

/// What is left of a line.
struct Walk<'a> {
    rest: &'a [u8],
}

impl<'a> Walk<'a> {
    /// Passes an object; `visit` has to pass the value of each key.
    fn object(
        &mut self,
        mut visit: impl FnMut(&mut Self, JsonText<'a>) -> Option<()>,
    ) -> Option<()> {
        self.pass(b'{')?;
        if self.pass(b'}').is_some() {
            return Some(());
        }
        loop {
            let key = self.value()?.text()?;
            self.pass(b':')?;
            visit(self, key)?;
            if self.pass(b',').is_none() {
                return self.pass(b'}');
            }
        }
    }

    fn message(&mut self) -> Option<Message<'a>> {
        let mut message = Message::default();
        match self.rest.first()? {
            b'{' => {}
            byte if byte.is_ascii_whitespace() => return None,
            _ => {
                self.value()?;
                return Some(message);
            }
        }
        self.object(|walk, key| {
            message.take(key, walk.value()?);
            Some(())
        })?;
        Some(message)
    }

    fn value(&mut self) -> Option<Json<'a>> {
        let (value, rest) = Json::parse_prefix(self.rest).ok()?;
        self.rest = rest;
        Some(value)
    }

    fn pass(&mut self, expected: u8) -> Option<()> {
        let (first, rest) = self.rest.split_first()?;
        (*first == expected).then(|| self.rest = rest)
    }
}
