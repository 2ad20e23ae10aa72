//! Who did what when, in every file.

use ravel_format::{Place, lines_from, parse_line};
use ravel_home::SessionBytes;
use ravel_model::activity::{Activity, Side};
use rayon::prelude::*;

use crate::library::{Library, SourceFile};
use crate::progress::Progress;
use crate::store::{Index, IndexError, load_activity};

/// Reads every file for its activity, in the order of the library.
///
/// A file that cannot be read to its end counts for what was read of it; [`scan_usage`] names
/// such files.
///
/// [`scan_usage`]: crate::scan_usage
pub fn scan_activity(library: &Library, progress: &dyn Progress) -> Vec<Activity> {
    let files = library.files().par_iter();
    files
        .map(|file| {
            let activity = read_from(file, 0);
            progress.add(file.size);
            activity
        })
        .collect()
}

/// Returns the activity of every file with the index, if that is up to date; `None` if not.
pub fn indexed_activity(
    library: &Library,
    index: &Index,
) -> Result<Option<Vec<Activity>>, IndexError> {
    let _snapshot = index.snapshot()?;
    let plan = index.plan(library)?;
    if !plan.is_done() {
        return Ok(None);
    }
    let mut by_name = std::collections::HashMap::new();
    for (id, (file, row)) in &plan.current {
        let stored = load_activity(&index.connection, *id);
        let mut activity = stored.map_err(|error| index.error(error))?;
        if row.n_read < file.size {
            activity.merge(read_from(file, row.n_read));
        }
        by_name.insert(&*file.name, activity);
    }
    let files = library.files().iter();
    let activities = files.map(|file| by_name.remove(&*file.name).unwrap_or_default());
    Ok(Some(activities.collect()))
}

/// Tells whose transcript a file is.
pub(crate) fn side_of(file: &SourceFile) -> Side {
    match file.agent {
        Some(_) => Side::Agent,
        None => Side::Main,
    }
}

/// Reads a file from an offset, where a line has to start.
fn read_from(file: &SourceFile, offset: u64) -> Activity {
    let side = side_of(file);
    let mut activity = Activity::default();
    if let Ok(bytes) = SessionBytes::open(&file.path) {
        let _ = bytes.scan_part(
            offset..u64::MAX,
            |piece, offset| read_piece(piece, offset, side),
            |piece| activity.merge(piece),
        );
    }
    activity
}

fn read_piece(piece: &[u8], offset: u64, side: Side) -> Activity {
    let mut activity = Activity::default();
    for line in lines_from(piece, Place { offset, line: 1 }) {
        for record in parse_line(&line) {
            activity.add(&record, side);
        }
    }
    activity
}
