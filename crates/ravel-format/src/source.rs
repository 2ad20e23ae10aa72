//! Where texts come from when an outline is not enough.

use std::borrow::Cow;
use std::io;

use crate::line::Span;
use crate::outline::Entry;
use crate::record::{Record, parse_record};

/// Gives out the bytes of a file by their place.
///
/// Nothing that reads texts through this does I/O of its own. An implementation over a file keeps the first error it meets
/// for its owner to ask about, and gives out nothing for the bytes it could not read.
pub trait Source: Sync {
    /// Returns the bytes at `span`, fewer when the file ends before.
    fn read(&self, span: Span) -> Cow<'_, [u8]>;

    /// Takes the first error that a read met, if any did.
    fn take_error(&self) -> Option<io::Error> {
        None
    }
}

impl Source for [u8] {
    fn read(&self, span: Span) -> Cow<'_, [u8]> {
        let start = usize::try_from(span.start)
            .unwrap_or(usize::MAX)
            .min(self.len());
        let end = usize::try_from(span.end())
            .unwrap_or(usize::MAX)
            .min(self.len());
        Cow::Borrowed(self.get(start..end).unwrap_or_default())
    }
}

impl Source for Vec<u8> {
    fn read(&self, span: Span) -> Cow<'_, [u8]> {
        self.as_slice().read(span)
    }
}

/// Reads the record of an outline entry and hands it to `view`.
pub fn with_record<T>(
    source: &dyn Source,
    entry: &Entry,
    view: impl FnOnce(&Record<'_>) -> T,
) -> T {
    let bytes = source.read(entry.span);
    view(&parse_record(&bytes, entry.span, u64::from(entry.line)))
}
