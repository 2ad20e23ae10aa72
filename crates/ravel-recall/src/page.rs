//! An answer that grows item by item until it is full.

use serde_json::{Map, Value};

use crate::answer::Answer;

/// Room that is kept for what stands around the items.
const FRAME: usize = 1024;

/// A bounded list of items, as text and for programs.
pub(crate) struct Page {
    max_bytes: usize,
    text: String,
    items: Vec<Value>,
    n_json_bytes: usize,
}

impl Page {
    /// Starts a page with a heading.
    pub(crate) fn new(max_bytes: usize, heading: &str) -> Self {
        Self {
            max_bytes: max_bytes.saturating_sub(FRAME).max(FRAME),
            text: format!("{heading}\n"),
            items: Vec::new(),
            n_json_bytes: 0,
        }
    }

    /// Returns how many bytes one item may have so that at least one fits.
    pub(crate) fn item_room(&self) -> usize {
        self.max_bytes / 2
    }

    /// Adds an item, if there is room for it.
    #[must_use]
    pub(crate) fn add(&mut self, text: &str, item: Value) -> bool {
        let n_json_bytes = item.to_string().len();
        let is_full = self.text.len() + text.len() > self.max_bytes
            || self.n_json_bytes + n_json_bytes > 2 * self.max_bytes;
        // One item is always there: an empty page helps nobody.
        if is_full && !self.items.is_empty() {
            return false;
        }
        self.text.push_str(text);
        self.n_json_bytes += n_json_bytes;
        self.items.push(item);
        true
    }

    /// Returns how many items there are.
    pub(crate) fn n_items(&self) -> usize {
        self.items.len()
    }

    /// Ends the page: the items under a name, other facts beside them, a note below.
    pub(crate) fn finish(mut self, name: &str, facts: Value, note: Option<String>) -> Answer {
        let mut document = match facts {
            Value::Object(facts) => facts,
            _ => Map::new(),
        };
        document.insert(name.into(), Value::Array(self.items));
        if let Some(note) = note {
            self.text.push_str(&note);
            document.insert("note".into(), note.into());
        }
        Answer {
            text: self.text.trim_end().to_owned(),
            json: Value::Object(document),
        }
    }
}
