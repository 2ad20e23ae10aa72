//! Maps the scopes of grammars to our roles.
//!
//! Grammars name hundreds of scopes; we tell a dozen meanings apart. The first
//! scope from the top of the stack that has a meaning here decides.

use std::collections::HashMap;
use std::sync::LazyLock;

use syntect::parsing::{Scope, ScopeStack};

use crate::style::Role;

/// Scope prefixes and what they mean; the first match counts, so specific ones lead.
const MEANINGS: &[(&str, Role)] = &[
    ("comment", Role::Comment),
    ("punctuation.definition.comment", Role::Comment),
    ("punctuation.definition.string", Role::Text),
    ("punctuation.definition.heading", Role::Heading),
    ("constant.character.escape", Role::Number),
    ("constant.other.symbol", Role::Text),
    ("string", Role::Text),
    ("constant", Role::Number),
    ("keyword.operator.word", Role::Keyword),
    ("keyword.operator.logical.python", Role::Keyword),
    ("keyword.operator", Role::Punctuation),
    ("keyword.other.unit", Role::Number),
    ("keyword", Role::Keyword),
    ("storage", Role::Keyword),
    ("variable.language", Role::Keyword),
    ("entity.name.function", Role::Function),
    ("entity.name.macro", Role::Function),
    ("support.function", Role::Function),
    ("support.macro", Role::Function),
    ("variable.function", Role::Function),
    ("variable.annotation", Role::Property),
    ("entity.name.tag", Role::Keyword),
    ("entity.name.section", Role::Heading),
    ("entity.other.attribute-name", Role::Property),
    ("entity.name", Role::Type),
    ("entity.other.inherited-class", Role::Type),
    ("support.type.property-name", Role::Property),
    ("support.type", Role::Type),
    ("support.class", Role::Type),
    ("variable.other.member", Role::Property),
    ("variable.other.property", Role::Property),
    ("markup.heading", Role::Heading),
    ("markup.inserted", Role::Added),
    ("markup.deleted", Role::Removed),
    ("markup.raw", Role::Code),
    ("markup.underline.link", Role::Link),
    ("meta.interpolation", Role::Plain),
    ("meta.embedded", Role::Plain),
    ("variable", Role::Plain),
    ("punctuation", Role::Punctuation),
    ("invalid", Role::Plain),
];

static SCOPES: LazyLock<Vec<(Scope, Role)>> = LazyLock::new(|| {
    MEANINGS
        .iter()
        .filter_map(|(name, role)| Some((Scope::new(name).ok()?, *role)))
        .collect()
});

static KEY: LazyLock<Option<Scope>> = LazyLock::new(|| Scope::new("meta.mapping.key").ok());

/// What scopes mean, remembered for one piece of code: the same few come up again.
#[derive(Default)]
pub(super) struct RoleCache {
    known: HashMap<Scope, Option<Role>>,
}

impl RoleCache {
    pub(super) fn role_of(&mut self, stack: &ScopeStack) -> Role {
        let scopes = stack.as_slice();
        let role = scopes
            .iter()
            .rev()
            .find_map(|scope| *self.known.entry(*scope).or_insert_with(|| meaning(*scope)))
            .unwrap_or(Role::Plain);
        // The key of a mapping is a string by its scope but a name to the reader.
        if role == Role::Text && scopes.iter().any(|scope| is_key(*scope)) {
            return Role::Property;
        }
        role
    }
}

fn is_key(scope: Scope) -> bool {
    KEY.is_some_and(|key| key.is_prefix_of(scope))
}

fn meaning(scope: Scope) -> Option<Role> {
    SCOPES
        .iter()
        .find(|(prefix, _)| prefix.is_prefix_of(scope))
        .map(|(_, role)| *role)
}
