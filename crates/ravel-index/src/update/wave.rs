//! Reading files for the index, some megabytes at a time.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use ravel_home::SessionBytes;
use rayon::prelude::*;

use super::plan::{Job, State};
use crate::activity::side_of;
use crate::digest::Digest;
use crate::fingerprint::{Mark, Stamp};
use crate::library::SourceFile;
use crate::store::FileRow;
use crate::usage::origin;

/// How much is read before it is written. Memory holds two waves.
const WAVE_BYTES: u64 = 32 << 20;

/// As long as a file is smaller, the folder it names first may still come.
const PROJECT_BYTES: u64 = 2 << 20;

/// Bytes of a file that were read.
pub(crate) struct Read<'a> {
    pub(crate) file: &'a SourceFile,
    /// What the index knows of it, unless it has to forget that.
    pub(crate) known: Option<FileRow>,
    /// What the index has to forget.
    pub(crate) outdated: Option<FileRow>,
    /// Where in the file the bytes start.
    pub(crate) start: u64,
    pub(crate) digest: Digest,
    pub(crate) mark: Mark,
    /// Whether the file was read to its end.
    pub(crate) is_done: bool,
    pub(crate) error: Option<io::Error>,
}

/// Takes jobs until a wave is full, and reads them.
pub(crate) fn read_wave<'a>(jobs: &mut VecDeque<Job<'a>>) -> Vec<Read<'a>> {
    let mut wave = Vec::new();
    let mut n_bytes = 0;
    while let Some(job) = jobs.front() {
        let size = job.n_left();
        if !wave.is_empty() && n_bytes + size > WAVE_BYTES {
            break;
        }
        n_bytes += size;
        wave.extend(jobs.pop_front());
    }
    let reads: Vec<Read<'a>> = wave.into_par_iter().map(read).collect();
    // A file larger than a wave was alone in it, and goes on in the next.
    if let Some(rest) = reads.last().and_then(Read::rest) {
        jobs.push_front(rest);
    }
    reads
}

impl Job<'_> {
    /// About how much is to be read.
    fn n_left(&self) -> u64 {
        match &self.state {
            State::New => self.file.size,
            State::Changed(row) | State::Begun(row) => match self.file.size.checked_sub(row.n_read)
            {
                Some(more) => more,
                None => self.file.size,
            },
        }
    }
}

fn read(job: Job<'_>) -> Read<'_> {
    let mut read = Read {
        file: job.file,
        known: None,
        outdated: None,
        start: 0,
        digest: Digest::default(),
        mark: Mark::default(),
        is_done: true,
        error: None,
    };
    if let Err(error) = read.fill(job.state) {
        // Nothing is known of a file that cannot be read, until it changes. Whoever asks reads
        // what the index does not have, and says why that does not work.
        let outdated = read.known.take().or(read.outdated.take());
        return Read {
            outdated,
            start: 0,
            digest: Digest::default(),
            mark: Mark::default(),
            is_done: true,
            error: Some(error),
            ..read
        };
    }
    read
}

impl<'a> Read<'a> {
    fn fill(&mut self, state: State) -> io::Result<()> {
        let bytes = match SessionBytes::open(&self.file.path) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.known = state.into_row();
                return Err(error);
            }
        };
        self.decide(state, &bytes)?;
        let project = self.known.as_ref().map(|row| Arc::clone(&row.project));
        let project = project.filter(|project| !project.is_empty());
        let origin = origin(
            self.file,
            project.unwrap_or_else(|| Arc::clone(&self.file.slug)),
        );
        let side = side_of(self.file);
        let part = self.start..self.start + WAVE_BYTES;
        let is_last = bytes.size()? <= part.end;
        bytes.scan_part(
            part,
            |piece, offset| Digest::read(piece, offset, &origin, side),
            |piece| self.digest.append(piece),
        )?;
        self.mark = Mark::of(&bytes, self.start + self.digest.n_bytes)?;
        // Without progress there is nothing to wait for: the last line has not ended.
        self.is_done = is_last || self.digest.n_bytes == 0;
        Ok(())
    }

    /// Finds out whether a file grew or is another one.
    fn decide(&mut self, state: State, bytes: &SessionBytes) -> io::Result<()> {
        let row = match state {
            State::New => return Ok(()),
            State::Begun(row) => {
                match Mark::of(bytes, row.n_read)? == row.mark {
                    true => {
                        self.start = row.n_read;
                        self.known = Some(row);
                    }
                    // It was rewritten between two waves.
                    false => self.outdated = Some(row),
                }
                return Ok(());
            }
            State::Changed(row) => row,
        };
        // The same size with other bytes, or another time, is not growth.
        let size = bytes.size()?;
        let is_same = [0, self.file.identity.inode].contains(&row.stamp.inode);
        let is_longer = size > row.stamp.size && size >= row.n_read;
        let has_grown = is_same && is_longer && Mark::of(bytes, row.n_read)? == row.mark;
        let names_project = !row.project.is_empty() || row.n_read >= PROJECT_BYTES;
        match has_grown && names_project {
            true => {
                self.start = row.n_read;
                self.known = Some(row);
            }
            false => self.outdated = Some(row),
        }
        Ok(())
    }

    /// Returns what is left to read after this, as far as it is known.
    fn rest(&self) -> Option<Job<'a>> {
        (!self.is_done).then(|| Job {
            file: self.file,
            state: State::Begun(self.row()),
        })
    }

    /// Returns what the index knows of the file from now on. Its number is up to the writer.
    pub(crate) fn row(&self) -> FileRow {
        let known = self.known.as_ref();
        let harvest = &self.digest.harvest;
        let said = harvest.project.clone();
        let before = known.map(|row| Arc::clone(&row.project));
        FileRow {
            id: known.map_or(0, |row| row.id),
            // Until all is read, the file is not what it is.
            stamp: if self.is_done {
                Stamp::of(self.file)
            } else {
                Stamp::default()
            },
            n_read: self.start + self.digest.n_bytes,
            n_lines: known.map_or(0, |row| row.n_lines) + harvest.n_lines,
            n_damaged: known.map_or(0, |row| row.n_damaged) + harvest.n_damaged,
            n_requests: known.map_or(0, |row| row.n_requests) + harvest.requests().count() as u64,
            project: before
                .filter(|project| !project.is_empty())
                .or(said)
                .unwrap_or_default(),
            mark: self.mark,
        }
    }
}

impl State {
    fn into_row(self) -> Option<FileRow> {
        match self {
            Self::New => None,
            Self::Changed(row) | Self::Begun(row) => Some(row),
        }
    }
}
