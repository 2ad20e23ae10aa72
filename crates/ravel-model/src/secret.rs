//! Finds and masks secrets in text.
//!
//! Transcripts hold what people and tools printed: keys in environments, passwords in connection
//! strings, tokens in headers. [`find`] says where they are and [`mask`] hides them, by known shapes
//! ([`Kind::Key`], [`Kind::Jwt`], [`Kind::PrivateKey`]) and by the words they stand next to
//! ([`Kind::Assigned`], [`Kind::Header`], [`Kind::UrlPassword`]).
//!
//! One pass of an automaton finds the places worth a look, and each look is bounded, so hostile text
//! costs no more than other text of its length. Hashes, ids and pictures stay: what has no known
//! shape and no telling word next to it is not a secret here. Why: `docs/design/secrets.md`.
//!
//! ```
//! use ravel_model::secret::mask;
//!
//! let text = "export DB_PASSWORD=tr0ub4dor-and-3 # at 3f2a9c1";
//! assert_eq!(mask(text), "export DB_PASSWORD=…[masked] # at 3f2a9c1");
//! ```

use std::borrow::Cow;
use std::ops::Range;

mod anchor;
mod assignment;
mod header;
mod pem;
#[cfg(test)]
mod tests;
mod token;
mod url;
mod value;

use anchor::Anchor;

/// What a secret is replaced by.
pub const MASK: &str = "…[masked]";

/// A part of a text that should not be shown.
///
/// What tells the kind of secret, such as `sk-ant-` or `PASSWORD=`, is not part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// Its bytes, on borders of characters.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// What a secret is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A key of the shape that a vendor gives its keys.
    Key(&'static str),
    /// A secret access key of AWS.
    AwsSecret,
    /// A JSON web token.
    Jwt,
    /// A private key in PEM.
    PrivateKey,
    /// The credentials of an `Authorization` header.
    Header,
    /// The password in a URL.
    UrlPassword,
    /// The value of something that is called a password, token, secret or key.
    Assigned,
}

impl Kind {
    /// Returns a name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Key(vendor) => vendor,
            Self::AwsSecret => "AWS secret key",
            Self::Jwt => "JSON web token",
            Self::PrivateKey => "private key",
            Self::Header => "authorization header",
            Self::UrlPassword => "password in a URL",
            Self::Assigned => "password, token or key",
        }
    }
}

/// Finds the secrets of a text, in order and apart from each other.
pub fn find(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    let mut done = 0;
    for (anchor, place) in anchor::anchors(text) {
        if place.start < done {
            continue;
        }
        for mut secret in look(text.as_bytes(), anchor, place) {
            // The rest of a private key is known by its end only, and may hold what was found.
            while found
                .pop_if(|last| last.range.start >= secret.range.start)
                .is_some()
            {}
            done = found.last().map_or(0, |last| last.range.end);
            secret.range.start = secret.range.start.max(done);
            if !secret.range.is_empty() && text.get(secret.range.clone()).is_some() {
                done = secret.range.end;
                found.push(secret);
            }
        }
    }
    found
}

/// Returns the text with its secrets replaced by [`MASK`]. Masking twice changes nothing.
pub fn mask(text: &str) -> Cow<'_, str> {
    let secrets = find(text);
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for Secret { range, .. } in secrets {
        masked.push_str(text.get(done..range.start).unwrap_or_default());
        masked.push_str(MASK);
        done = range.end;
    }
    masked.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(masked)
}

/// Looks what stands at a place.
fn look(text: &[u8], anchor: Anchor, place: Range<usize>) -> Vec<Secret> {
    match anchor {
        Anchor::Token(shape) => token::at(text, shape, place.start),
        Anchor::Word => assignment::at(text, place).into_iter().collect(),
        Anchor::Scheme => url::at(text, place.end).into_iter().collect(),
        Anchor::Authorization => header::authorization(text, place.end).into_iter().collect(),
        Anchor::Bearer => header::bearer(text, place).into_iter().collect(),
        Anchor::Pem => pem::at(text, place.end).into_iter().collect(),
        Anchor::PemEnd => pem::before(text, &place).into_iter().collect(),
    }
}
