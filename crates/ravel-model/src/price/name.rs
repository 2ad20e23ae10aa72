//! The many names of a model.
//!
//! A transcript has the name that the provider uses: with a date, a region, a version of its own
//! or a mark of the client. [`candidates`] takes these off one by one, so that a price for the
//! longer name wins over one for the shorter. Nothing else is taken off: a model of another
//! generation never matches.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

#[cfg(test)]
mod tests;

/// Remembers what names were found under.
#[derive(Debug, Default)]
pub(super) struct NameCache {
    known: RwLock<HashMap<Box<str>, Option<Arc<str>>>>,
}

/// A hostile file may name as many models as it likes.
const MAX_KNOWN: usize = 1024;

impl NameCache {
    /// Returns what is known of a name, or finds it out.
    pub(super) fn get_or_insert(
        &self,
        name: &str,
        find: impl FnOnce() -> Option<Arc<str>>,
    ) -> Option<Arc<str>> {
        if let Ok(known) = self.known.read()
            && let Some(found) = known.get(name)
        {
            return found.clone();
        }
        let found = find();
        if let Ok(mut known) = self.known.write()
            && known.len() < MAX_KNOWN
        {
            known.insert(name.into(), found.clone());
        }
        found
    }
}

/// A copy of a book may be changed; it looks names up again.
impl Clone for NameCache {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Returns the names to look for, the most exact first. The name must be in lower case.
pub(super) fn candidates(model: &str) -> Vec<Cow<'_, str>> {
    // The client marks a context of a million tokens.
    let trimmed = model.trim();
    let unmarked = trimmed.strip_suffix("[1m]").unwrap_or(trimmed);
    let named = without_provider(unmarked);
    let unversioned = without_version(named);
    let undated = without_date(unversioned);
    let mut names: Vec<Cow<'_, str>> = [model, unmarked, named, unversioned, undated]
        .map(Cow::Borrowed)
        .into();
    names.push(plain(undated));
    names.dedup();
    names
}

/// OpenRouter writes `claude-sonnet-4.5`; gateways add `-latest` or `:thinking`.
fn plain(model: &str) -> Cow<'_, str> {
    let model = model.split(':').next().unwrap_or(model);
    let model = model.strip_suffix("-latest").unwrap_or(model);
    match model.contains('.') {
        true => Cow::Owned(model.replace('.', "-")),
        false => Cow::Borrowed(model),
    }
}

/// `bedrock/us.anthropic.claude-x`, `anthropic/claude-x`, `arn:…/eu.anthropic.claude-x`.
fn without_provider(model: &str) -> &str {
    let name = model.rsplit('/').next().unwrap_or(model);
    name.split_once("anthropic.")
        .filter(|(region, _)| is_region(region))
        .map_or(name, |(_, name)| name)
}

fn is_region(text: &str) -> bool {
    text.is_empty()
        || text.strip_suffix('.').is_some_and(|name| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        })
}

/// Bedrock's `-v1:0` and `-v1`.
fn without_version(model: &str) -> &str {
    let Some((name, version)) = model.rsplit_once("-v") else {
        return model;
    };
    let is_version = !version.is_empty()
        && version
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b':');
    if is_version { name } else { model }
}

/// `-20250929`, and Vertex's `@20250929`.
fn without_date(model: &str) -> &str {
    model
        .rsplit_once(['-', '@'])
        .filter(|(_, date)| date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit()))
        .map_or(model, |(name, _)| name)
}
