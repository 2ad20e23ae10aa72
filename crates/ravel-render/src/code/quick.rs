//! A small lexer for common languages, a hundred times faster than a grammar.
//!
//! An export colors megabytes of code, where grammars would take longer than all
//! the rest. What a reader gains from color is mostly comments, strings, keywords
//! and names; one scan finds those without understanding the language. It is
//! sometimes wrong and never slow: every byte is looked at a few times at most.

use super::Token;
use super::dialect::Dialect;
use crate::style::Role;

/// What is still open at the end of a line.
type Open = Option<(&'static str, Role)>;

/// Returns the tokens of each line of `text`.
pub(super) fn lex<'a>(text: &'a str, dialect: &'static Dialect) -> Vec<Vec<Token<'a>>> {
    let mut open = None;
    super::lines(text)
        .map(|line| {
            let mut scan = Scan {
                line,
                at: 0,
                dialect,
                tokens: Vec::new(),
            };
            open = scan.run(open);
            scan.tokens
        })
        .collect()
}

struct Scan<'a> {
    line: &'a str,
    at: usize,
    dialect: &'static Dialect,
    tokens: Vec<Token<'a>>,
}

impl<'a> Scan<'a> {
    fn run(&mut self, open: Open) -> Open {
        // Long lines are data, and some scans look ahead to the end of the line.
        if self.line.len() > super::MAX_LINE {
            self.push(self.line.len(), Role::Plain);
            return open;
        }
        if let Some((close, role)) = open
            && !self.take_until(0, close, role)
        {
            return open;
        }
        while let Some(c) = self.rest().chars().next() {
            if let Some(still_open) = self.take_opener() {
                if still_open.is_some() {
                    return still_open;
                }
            } else if c.is_ascii_digit() {
                self.take_number();
            } else if c.is_alphabetic() || c == '_' || c == '$' || c == '@' {
                self.take_word();
            } else {
                self.push(c.len_utf8(), Role::Plain);
            }
        }
        None
    }

    fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or_default()
    }

    /// Takes a comment or string that starts here; returns what it leaves open.
    fn take_opener(&mut self) -> Option<Open> {
        let rest = self.rest();
        let dialect = self.dialect;
        if dialect
            .line_comments
            .iter()
            .any(|opener| self.opens_comment(opener))
        {
            self.push(rest.len(), Role::Comment);
            return Some(None);
        }
        if let Some((opener, close)) = dialect.block_comment
            && rest.starts_with(opener)
        {
            let is_closed = self.take_until(opener.len(), close, Role::Comment);
            return Some((!is_closed).then_some((close, Role::Comment)));
        }
        let quote = dialect
            .quotes
            .iter()
            .find(|quote| rest.starts_with(**quote))?;
        if *quote == "'" && dialect.is_quote_a_char && !is_char_literal(rest) {
            return None;
        }
        let role = self.string_role(quote);
        let is_closed = self.take_until(quote.len(), quote, role);
        let may_go_on = quote.len() > 1 || *quote == "`" || dialect.strings_go_on;
        Some((!is_closed && may_go_on).then_some((*quote, role)))
    }

    /// Says whether a comment starts here; `#` does so after a space only.
    fn opens_comment(&self, opener: &str) -> bool {
        let before = self.line.get(..self.at).unwrap_or_default();
        self.rest().starts_with(opener)
            && (opener != "#" || before.is_empty() || before.ends_with([' ', '\t', ';']))
    }

    fn string_role(&self, quote: &str) -> Role {
        if !self.dialect.has_keys {
            return Role::Text;
        }
        let inside = self.rest().get(quote.len()..).unwrap_or_default();
        let after = inside
            .find(quote)
            .and_then(|end| inside.get(end + quote.len()..));
        match after {
            Some(after) if after.trim_start().starts_with(':') => Role::Property,
            _ => Role::Text,
        }
    }

    /// Takes text up to and with `close`; all of the line when it is not there.
    fn take_until(&mut self, skip: usize, close: &str, role: Role) -> bool {
        let mut rest = self.rest().get(skip..).unwrap_or_default();
        let mut length = skip;
        let escapes = role != Role::Comment;
        loop {
            let Some(at) = rest.find(close) else {
                self.push(self.rest().len(), role);
                return false;
            };
            let backslashes = rest.get(..at).unwrap_or_default();
            let n_backslashes = backslashes
                .bytes()
                .rev()
                .take_while(|byte| *byte == b'\\')
                .count();
            length += at + close.len();
            if !escapes || n_backslashes.is_multiple_of(2) {
                self.push(length, role);
                return true;
            }
            rest = rest.get(at + close.len()..).unwrap_or_default();
        }
    }

    fn take_number(&mut self) {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let rest = self.rest();
        let mut length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        // A range such as `1..5` is two numbers.
        if let Some(range) = rest.get(..length).and_then(|number| number.find("..")) {
            length = range.max(1);
        }
        self.push(length, Role::Number);
    }

    fn take_word(&mut self) {
        let rest = self.rest();
        let dashes = self.dialect.words_have_dashes;
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || (dashes && c == '-');
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let tail = rest.get(first..).unwrap_or_default();
        let length = first + tail.find(|c| !is_part(c)).unwrap_or(tail.len());
        let word = rest.get(..length).unwrap_or_default();
        let after = rest.get(length..).unwrap_or_default();
        let role = self.word_role(word, after);
        self.push(length, role);
    }

    fn word_role(&self, word: &str, after: &str) -> Role {
        let is_shout = word.len() > 1 && word.bytes().all(|byte| !byte.is_ascii_lowercase());
        if self.dialect.is_keyword(word) {
            Role::Keyword
        } else if matches!(
            word,
            "true" | "false" | "null" | "None" | "True" | "False" | "nil"
        ) {
            Role::Number
        } else if is_name(word) || self.is_key(after) {
            Role::Property
        } else if after.starts_with('(') || after.starts_with("!(") || after.starts_with("::<") {
            Role::Function
        } else if is_shout {
            Role::Number
        } else if word.starts_with(char::is_uppercase) {
            Role::Type
        } else {
            Role::Plain
        }
    }

    /// Says whether the word that ends before `after` is the key of its line.
    fn is_key(&self, after: &str) -> bool {
        if !self.dialect.has_keys {
            return false;
        }
        let before = self.line.get(..self.at).unwrap_or_default();
        let starts_line = before
            .bytes()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'-'));
        starts_line && after.trim_start().starts_with([':', '=', '.'])
    }

    fn push(&mut self, length: usize, role: Role) {
        let end = self.at.saturating_add(length);
        super::push_token(&mut self.tokens, self.line, self.at..end, role);
        self.at = end;
    }
}

/// Says whether the word is a variable or decorator by its first character.
fn is_name(word: &str) -> bool {
    word.starts_with(['$', '@']) && word.len() > 1
}

/// Tells `'a'` and `'\n'` from the lifetime `'a`.
fn is_char_literal(rest: &str) -> bool {
    let mut chars = rest.chars().skip(1);
    match chars.next() {
        Some('\\') => true,
        Some(_) => chars.next() == Some('\''),
        None => false,
    }
}
