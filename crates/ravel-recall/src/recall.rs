//! The one who answers.

use std::path::PathBuf;

use ravel_home::{Depth, Discovery, Home, discover_with_archive};
use ravel_index::Index;
use ravel_model::price::Book;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answer::{Answer, Refusal};
use crate::clock::Clock;
use crate::{clean, files, list, read, search, tool, usage};

/// How large an answer is at most, unless said otherwise.
const MAX_BYTES: usize = 20_000;

/// Less than this holds nothing useful.
const LEAST_BYTES: usize = 4_000;

/// What is served, and how.
pub struct Settings {
    /// The home.
    pub home: Home,
    /// The archive of the home, when there is one.
    pub archive: Option<PathBuf>,
    /// The index of the home. It is used where it is, never made.
    pub index: Option<PathBuf>,
    /// The prices.
    pub book: Book,
    /// What happens to secrets.
    pub secrets: Secrets,
    /// How many bytes of text an answer has at most.
    pub max_bytes: usize,
    /// The time.
    pub clock: Box<dyn Clock>,
}

/// What happens to secrets in transcripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrets {
    /// They are masked.
    Masked,
    /// They are shown.
    Shown,
}

impl Settings {
    /// Serves a home without archive and index, with the prices that come with Ravel.
    pub fn new(home: Home, clock: Box<dyn Clock>) -> Self {
        Self {
            home,
            archive: None,
            index: None,
            book: Book::bundled(),
            secrets: Secrets::Masked,
            max_bytes: MAX_BYTES,
            clock,
        }
    }
}

/// Answers questions about the sessions of a home.
pub struct Recall {
    pub(crate) settings: Settings,
}

impl Recall {
    /// Takes the settings; nothing is read yet.
    pub fn new(mut settings: Settings) -> Self {
        settings.max_bytes = settings.max_bytes.max(LEAST_BYTES);
        Self { settings }
    }

    /// Opens the index. One that cannot be used is as good as none: all can be answered without.
    pub(crate) fn index(&self) -> Option<Index> {
        let opened = self.settings.index.as_deref().map(Index::open)?;
        opened.ok().flatten()
    }

    /// Calls a tool.
    ///
    /// # Errors
    /// When the tool is unknown, its arguments are wrong, or what they name is not there.
    pub fn call(&self, name: &str, arguments: &Value) -> Result<Answer, Refusal> {
        match name {
            "search_sessions" => search::search(self, &parse(name, arguments)?),
            "list_sessions" => list::list(self, &parse(name, arguments)?),
            "read_messages" => read::read(self, &parse(name, arguments)?),
            "list_files" => files::files(self, &parse(name, arguments)?),
            "usage" => usage::usage(self, &parse(name, arguments)?),
            _ => Err(
                Refusal::new(format!("there is no tool {:?}", self.line(name)))
                    .hint(format!("the tools are {}", tool::names())),
            ),
        }
    }

    /// Finds the sessions there are now.
    pub(crate) fn discover(&self) -> Discovery {
        let archive = self.settings.archive.as_deref();
        discover_with_archive(&self.settings.home, archive, Depth::Sessions)
    }

    /// Cleans a text.
    pub(crate) fn text(&self, text: &str) -> String {
        clean::clean(text, self.settings.secrets)
    }

    /// Cleans a whole text; see [`clean::clean_around`].
    pub(crate) fn text_around(&self, text: &str, place: usize) -> (String, usize) {
        clean::clean_around(text, place, self.settings.secrets)
    }

    /// Cleans a text and puts it on one line.
    pub(crate) fn line(&self, text: &str) -> String {
        clean::clean_line(text, self.settings.secrets)
    }
}

/// Reads the arguments of a tool; none at all are empty ones.
fn parse<T: DeserializeOwned>(name: &str, arguments: &Value) -> Result<T, Refusal> {
    let arguments = match arguments {
        Value::Null => Value::Object(serde_json::Map::new()),
        other => other.clone(),
    };
    serde_json::from_value(arguments).map_err(|error| {
        let message = clean::clean_line(&error.to_string(), Secrets::Masked);
        Refusal::new(format!("the arguments of {name} are wrong: {message}"))
            .hint(tool::usage_of(name))
    })
}
