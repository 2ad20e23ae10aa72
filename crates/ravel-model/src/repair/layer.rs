//! A file as it would be with some lines changed.

use std::borrow::Cow;
use std::io;

use ravel_format::{Source, Span};

use super::splice::{Splice, spliced};

/// A part of the changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Whole lines as they stand, line ends included.
    Lines(Span),
    /// One record on a line of its own, with changes.
    Record {
        /// Where it stands in the file below, line end excluded.
        span: Span,
        splices: Vec<Splice>,
    },
}

impl Piece {
    fn len(&self) -> u64 {
        match self {
            Self::Lines(span) => span.len,
            Self::Record { span, splices } => {
                let grown: u64 = splices.iter().map(|splice| splice.bytes.len() as u64).sum();
                let cut: u64 = splices.iter().map(|splice| splice.cut as u64).sum();
                (span.len + grown).saturating_sub(cut) + 1
            }
        }
    }

    fn below(&self) -> Span {
        match self {
            Self::Lines(span) | Self::Record { span, .. } => *span,
        }
    }
}

/// Adds whole lines, to the piece before when they follow it.
pub(super) fn push_lines(pieces: &mut Vec<Piece>, span: Span) {
    match pieces.last_mut() {
        Some(Piece::Lines(last)) if last.end() == span.start => last.len += span.len,
        _ if span.len == 0 => {}
        _ => pieces.push(Piece::Lines(span)),
    }
}

/// The changed file, read through to the one below.
pub(super) struct Layer<'a> {
    below: &'a dyn Source,
    pieces: &'a [Piece],
    /// Where each piece starts, and where the last one ends.
    starts: Vec<u64>,
}

impl<'a> Layer<'a> {
    pub(super) fn new(below: &'a dyn Source, pieces: &'a [Piece]) -> Self {
        let mut starts = vec![0];
        let mut start = 0;
        for piece in pieces {
            start += piece.len();
            starts.push(start);
        }
        Self {
            below,
            pieces,
            starts,
        }
    }

    /// Returns the number of bytes of the changed file.
    pub(super) fn len(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Finds where in the file below the byte at `offset` came from.
    pub(super) fn origin(&self, offset: u64) -> u64 {
        let after = self.starts.partition_point(|&start| start <= offset);
        let found = self
            .pieces
            .iter()
            .zip(&self.starts)
            .nth(after.saturating_sub(1));
        match found {
            Some((Piece::Lines(span), &start)) => span.start + (offset - start),
            Some((Piece::Record { span, .. }, _)) => span.start,
            None => self.pieces.last().map_or(0, |piece| piece.below().end()),
        }
    }

    /// Reads bytes `from..to` of one piece.
    fn read_piece(&self, piece: &Piece, from: u64, to: u64) -> Cow<'_, [u8]> {
        match piece {
            Piece::Lines(span) => self.below.read(Span {
                start: span.start + from,
                len: to - from,
            }),
            Piece::Record { span, splices } => {
                let mut bytes = spliced(&self.below.read(*span), splices);
                bytes.push(b'\n');
                let range = from as usize..(to as usize).min(bytes.len());
                Cow::Owned(bytes.get(range).unwrap_or_default().to_vec())
            }
        }
    }
}

impl Source for Layer<'_> {
    fn read(&self, span: Span) -> Cow<'_, [u8]> {
        let first = self.starts.partition_point(|&start| start <= span.start);
        let mut found = Cow::Borrowed(&[][..]);
        let from_first = self
            .pieces
            .iter()
            .zip(&self.starts)
            .skip(first.saturating_sub(1));
        for (piece, &start) in from_first {
            if start >= span.end() {
                break;
            }
            let from = span.start.saturating_sub(start);
            let to = piece.len().min(span.end() - start);
            let bytes = self.read_piece(piece, from, to);
            if found.is_empty() {
                found = bytes;
            } else {
                found.to_mut().extend_from_slice(&bytes);
            }
        }
        found
    }
}

/// How much is copied at once.
const WINDOW: u64 = 1 << 20;

/// Writes a whole source.
pub(super) fn copy(source: &dyn Source, n_bytes: u64, out: &mut dyn io::Write) -> io::Result<()> {
    let mut start = 0;
    while start < n_bytes {
        let bytes = source.read(Span {
            start,
            len: WINDOW.min(n_bytes - start),
        });
        if bytes.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        out.write_all(&bytes)?;
        start += bytes.len() as u64;
    }
    Ok(())
}
