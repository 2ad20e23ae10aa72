//! Session files into outlines, and back to their texts.
//!
//! A file is read in pieces on all cores, each piece at the lines that start in it, and forgotten
//! as soon as it is outlined: memory holds a few pieces and the outline, whatever the size of the
//! file. Files are read, not mapped, because the client may cut one short at any time and a
//! mapped page that is gone kills the reader.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

use memchr::memchr;
use ravel_format::{Outline, Source, Span};
use rayon::prelude::*;

use crate::kept::StoredFile;
use buffer::Buffer;

mod buffer;
#[cfg(test)]
mod tests;

/// How much of a file one core reads at a time. Large enough that the borders do not count,
/// small enough that a few of them are nothing.
const PIECE: u64 = 2 << 20;

/// How many pieces are outlined before their results are joined.
const WAVE: u64 = 16;

/// Reads part of a file in pieces of whole lines, `read_piece` on any core, `join` in file order.
///
/// `read_piece` gets the bytes and their offset. The part begins at the start of a line; the line
/// that is cut by its end is read whole.
fn scan<T: Send>(
    file: &StoredFile,
    part: Range<u64>,
    read_piece: impl Fn(&[u8], u64) -> T + Sync,
    mut join: impl FnMut(T) + Send,
) -> io::Result<()> {
    let (size, _) = file.size_and_time()?;
    let part = part.start..part.end.min(size);
    let n_pieces = part.end.saturating_sub(part.start).div_ceil(PIECE);
    let lines = Lines { file, part, size };
    let read_wave = |first: u64| -> Vec<io::Result<T>> {
        let wave = first..n_pieces.min(first + WAVE);
        let read = |number: u64| lines.read(number * PIECE, &read_piece).transpose();
        wave.into_par_iter().filter_map(read).collect()
    };
    let mut join_all = |results: Vec<io::Result<T>>| -> io::Result<()> {
        results
            .into_iter()
            .try_for_each(|result| result.map(&mut join))
    };
    let mut results = read_wave(0);
    // Joining is work for one core; the others read on meanwhile.
    for first in (WAVE..n_pieces).step_by(WAVE as usize) {
        let (joined, next) = rayon::join(
            || join_all(std::mem::take(&mut results)),
            || read_wave(first),
        );
        joined?;
        results = next;
    }
    join_all(results)
}

/// Loads the outline of a session file.
pub fn load_outline(path: &Path) -> io::Result<Outline> {
    SessionBytes::open(path)?.outline()
}

/// The lines of a part of a file.
struct Lines<'a> {
    file: &'a StoredFile,
    part: Range<u64>,
    size: u64,
}

impl Lines<'_> {
    /// Reads the lines that start within a piece of the part and hands them on.
    fn read<T>(&self, from: u64, read_piece: impl Fn(&[u8], u64) -> T) -> io::Result<Option<T>> {
        thread_local! {
            /// One buffer a thread: fresh memory for every piece would cost more than reading it.
            static BUFFER: RefCell<Buffer> = RefCell::default();
        }
        BUFFER.with_borrow_mut(|buffer| {
            let start = self.part.start + from;
            let end = self.part.end.min(start + PIECE);
            // One byte more at the front tells whether a line starts right here.
            let front = if from == 0 { start } else { start - 1 };
            // A line of many megabytes is rare; its memory is not kept.
            buffer.clear(4 * PIECE as usize);
            buffer.read(self.file, front, end)?;
            let skipped = match (from, memchr(b'\n', buffer.bytes())) {
                (0, _) => 0,
                (_, Some(newline)) => newline + 1,
                (_, None) => return Ok(None),
            };
            if front + skipped as u64 >= end {
                return Ok(None);
            }
            finish_line(self.file, buffer, end, self.size)?;
            let lines = buffer.bytes().get(skipped..).unwrap_or_default();
            Ok(Some(read_piece(lines, front + skipped as u64)))
        })
    }
}

/// Reads on until the last line of a piece is whole.
fn finish_line(file: &StoredFile, buffer: &mut Buffer, mut end: u64, size: u64) -> io::Result<()> {
    const STEP: u64 = 256 << 10;
    let mut is_whole = buffer.bytes().last() == Some(&b'\n');
    while !is_whole && end < size {
        let next = size.min(end + STEP);
        let n_before = buffer.bytes().len();
        buffer.read(file, end, next)?;
        let more = buffer.bytes().get(n_before..).unwrap_or_default();
        match memchr(b'\n', more) {
            Some(newline) => {
                buffer.truncate(n_before + newline + 1);
                is_whole = true;
            }
            // The file was cut short meanwhile.
            None if more.is_empty() => break,
            None => end = next,
        }
    }
    Ok(())
}

/// The texts of a file on disk, or of one in the archive.
#[derive(Debug)]
pub struct SessionBytes {
    file: StoredFile,
    error: Mutex<Option<io::Error>>,
}

impl SessionBytes {
    /// Opens a file for reading by place.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: StoredFile::open(path)?,
            error: Mutex::new(None),
        })
    }
}

impl SessionBytes {
    /// Reads the file in pieces of whole lines, `read_piece` on any core, `join` in file order.
    ///
    /// `read_piece` gets the bytes and their offset. What is appended meanwhile is not read.
    pub fn scan<T: Send>(
        &self,
        read_piece: impl Fn(&[u8], u64) -> T + Sync,
        join: impl FnMut(T) + Send,
    ) -> io::Result<()> {
        self.scan_part(0..u64::MAX, read_piece, join)
    }

    /// Reads the lines that start within a part of the file, as [`SessionBytes::scan`] does. The
    /// part has to begin where a line does.
    pub fn scan_part<T: Send>(
        &self,
        part: Range<u64>,
        read_piece: impl Fn(&[u8], u64) -> T + Sync,
        join: impl FnMut(T) + Send,
    ) -> io::Result<()> {
        scan(&self.file, part, read_piece, join)
    }

    /// Returns the size of the file.
    pub fn size(&self) -> io::Result<u64> {
        Ok(self.file.size_and_time()?.0)
    }

    /// Reads the file for its outline.
    pub fn outline(&self) -> io::Result<Outline> {
        let mut outline = Outline::default();
        self.scan(Outline::from_piece, |piece| outline.append(piece))?;
        Ok(outline)
    }
}

impl Source for SessionBytes {
    fn read(&self, span: Span) -> Cow<'_, [u8]> {
        let mut buffer = Buffer::default();
        if let Err(error) = buffer.read(&self.file, span.start, span.end()) {
            buffer.clear(0);
            if let Ok(mut first) = self.error.lock() {
                first.get_or_insert(error);
            }
        }
        Cow::Owned(buffer.into_bytes())
    }

    fn take_error(&self) -> Option<io::Error> {
        self.error.lock().ok().and_then(|mut error| error.take())
    }
}
