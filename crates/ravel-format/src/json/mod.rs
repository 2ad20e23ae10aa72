//! JSON read in place.
//!
//! A session is mostly text that nobody asks for, so nothing is built until someone does.
//! [`Json`] is a slice of the file that is known to be one well-formed value;
//! [`JsonText`] is a string in it, decoded only for display.
//! Numbers keep their digits, duplicate keys stay in the bytes, and a lone surrogate
//! is no error: it is a fact about the file.
//!
//! What is checked on the way is structure (brackets, commas, colons, closed strings).
//! Whether the escapes inside a string are valid is answered by [`Json::flaw`].

mod cursor;
mod strict;
mod text;
mod value;

#[cfg(test)]
mod tests;

pub(crate) use cursor::Cursor;
pub use cursor::{Malformed, Reason};
pub use strict::TextFlaws;
pub use text::JsonText;
pub use value::{Entries, Items, Json, JsonKind};
