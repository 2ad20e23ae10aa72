//! Two versions of a file side by side.

use std::fs::File;
use std::io::Read as _;

use ravel_render::diff::{self, Diff, LineKind};
use ravel_render::style::{Line, Role, Style};
use serde_json::{Value, json};

use super::version::{KeptFile, Moment, Store};
use crate::failure::Failure;

/// A larger file on disk is not compared: nobody reads such a diff, and the path comes from
/// a transcript.
const LARGEST_FILE: u64 = 32 << 20;

/// What a version says.
pub(crate) struct Text {
    /// Its bytes; none when there was no file.
    pub(crate) bytes: Vec<u8>,
    /// Why there are none.
    pub(crate) note: Option<&'static str>,
}

impl Text {
    /// A file that is not there.
    pub(crate) fn absent(note: &'static str) -> Self {
        Self {
            bytes: Vec::new(),
            note: Some(note),
        }
    }
}

/// Reads the file as it is on disk.
pub(crate) fn read_now(file: &KeptFile) -> Result<Text, Failure> {
    let Some(path) = file.absolute.as_deref() else {
        return Err(Failure::request(format!(
            "could not find {} on disk: the session does not say where it is",
            file.path
        ))
        .hint("compare two kept versions with --from and --to"));
    };
    let Ok(metadata) = std::fs::metadata(path) else {
        return Ok(Text::absent("the file is not on disk"));
    };
    // A pipe or a device would never end.
    if !metadata.is_file() || metadata.len() > LARGEST_FILE {
        return Err(Failure::request(format!(
            "could not read {path}: it is no file of a size to compare"
        ))
        .hint("compare two kept versions with --from and --to"));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|open| open.take(LARGEST_FILE).read_to_end(&mut bytes))
        .map_err(|error| Failure::io(format_args!("read {path}"), &error))?;
    Ok(Text { bytes, note: None })
}

/// What changed from one version to another.
pub(crate) struct Comparison {
    from: Moment,
    to: Moment,
    notes: Vec<String>,
    /// `None` when a version is no text.
    diff: Option<Diff>,
    is_equal: bool,
}

impl Comparison {
    pub(crate) fn new(
        store: &Store<'_>,
        file: &KeptFile,
        from: Moment,
        to: Moment,
    ) -> Result<Self, Failure> {
        let (old, new) = (store.read(file, from)?, store.read(file, to)?);
        let note = |moment: Moment, text: &Text| Some(format!("{moment}: {}", text.note?));
        let notes = [note(from, &old), note(to, &new)];
        let texts = (
            std::str::from_utf8(&old.bytes),
            std::str::from_utf8(&new.bytes),
        );
        let diff = match texts {
            (Ok(old), Ok(new)) => Some(Diff::of_texts(old, new)),
            _ => None,
        };
        Ok(Self {
            from,
            to,
            notes: notes.into_iter().flatten().collect(),
            diff,
            is_equal: old.bytes == new.bytes,
        })
    }

    pub(crate) fn render(&self, options: &diff::Options) -> Vec<Line> {
        let heading = format!("{} → {}", self.from, self.to);
        let mut heading = Line::of(&heading, Style::PLAIN.bold());
        if let Some(diff) = &self.diff {
            heading = heading.with(&format!("  {}", diff.summary()), Role::Muted);
        }
        let mut lines = vec![heading];
        lines.extend(self.notes.iter().map(|note| Line::of(note, Role::Muted)));
        match &self.diff {
            Some(diff) => lines.extend(diff::render(diff, options)),
            None if self.is_equal => lines.push(Line::of("no change", Role::Muted)),
            None => lines.push(Line::of("binary files differ", Role::Muted)),
        }
        lines
    }

    /// Returns the comparison for programs.
    pub(crate) fn json(&self) -> Value {
        let hunks = self.diff.iter().flat_map(|diff| &diff.hunks).map(|hunk| {
            let lines = hunk
                .lines
                .iter()
                .map(|line| json!({"kind": kind(line.kind), "text": line.text()}));
            json!({
                "old_start": hunk.old_start,
                "new_start": hunk.new_start,
                "lines": lines.collect::<Vec<_>>(),
            })
        });
        json!({
            "from": self.from.to_string(),
            "to": self.to.to_string(),
            "notes": self.notes,
            "is_equal": self.is_equal,
            "is_binary": self.diff.is_none(),
            "added": self.diff.as_ref().map(|diff| diff.added),
            "removed": self.diff.as_ref().map(|diff| diff.removed),
            "hunks": hunks.collect::<Vec<_>>(),
        })
    }
}

fn kind(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Context => "context",
        LineKind::Added => "added",
        LineKind::Removed => "removed",
        LineKind::Note => "note",
    }
}
