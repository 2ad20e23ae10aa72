//! Writes JSON piece by piece.

use std::io;

use serde::Serialize;

use super::raw::mended;

/// A JSON text that is being written. It puts the commas; the caller balances the brackets.
pub(super) struct Stream<W> {
    out: W,
    needs_comma: bool,
}

impl<W: io::Write> Stream<W> {
    pub(super) fn new(out: W) -> Self {
        Self {
            out,
            needs_comma: false,
        }
    }

    pub(super) fn open_object(&mut self) -> io::Result<()> {
        self.open(b"{")
    }

    pub(super) fn close_object(&mut self) -> io::Result<()> {
        self.close(b"}")
    }

    pub(super) fn open_array(&mut self) -> io::Result<()> {
        self.open(b"[")
    }

    pub(super) fn close_array(&mut self) -> io::Result<()> {
        self.close(b"]")
    }

    /// Writes a key; its value comes next.
    pub(super) fn key(&mut self, key: &str) -> io::Result<()> {
        self.comma()?;
        serde_json::to_writer(&mut self.out, key)?;
        self.needs_comma = false;
        self.out.write_all(b":")
    }

    /// Writes a value of ours.
    pub(super) fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> io::Result<()> {
        self.comma()?;
        serde_json::to_writer(&mut self.out, value)?;
        Ok(())
    }

    /// Writes a value of the file, as it was written there.
    pub(super) fn raw(&mut self, json: &[u8]) -> io::Result<()> {
        self.comma()?;
        self.out.write_all(&mended(json))
    }

    /// Writes a key and a value of ours.
    pub(super) fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> io::Result<()> {
        self.key(key)?;
        self.value(value)
    }

    /// Ends the text with a line feed.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.out.write_all(b"\n")?;
        self.out.flush()
    }

    fn open(&mut self, bracket: &[u8]) -> io::Result<()> {
        self.comma()?;
        self.needs_comma = false;
        self.out.write_all(bracket)
    }

    fn close(&mut self, bracket: &[u8]) -> io::Result<()> {
        self.needs_comma = true;
        self.out.write_all(bracket)
    }

    fn comma(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.needs_comma, true) {
            self.out.write_all(b",")?;
        }
        Ok(())
    }
}
