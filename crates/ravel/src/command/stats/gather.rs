//! The activities of all transcripts.

use std::collections::HashMap;
use std::sync::Arc;

use ravel_format::{Place, lines_from, parse_line};
use ravel_home::SessionBytes;
use ravel_index::{Library, SourceFile};
use ravel_model::activity::{Activity, Side, Source};
use rayon::prelude::*;

/// Reads every file for its activity.
///
/// A file that cannot be read to its end counts for what was read of it.
pub(super) fn gather(library: &Library) -> Vec<(Source, Activity)> {
    let files = library.files();
    let activities: Vec<Activity> = files.par_iter().map(read_file).collect();
    let projects = projects(files, &activities);
    let named = files.iter().zip(activities);
    named
        .map(|(file, activity)| {
            let source = Source {
                session: Arc::clone(&file.session),
                project: project(file, &activity, &projects),
            };
            (source, activity)
        })
        .collect()
}

fn read_file(file: &SourceFile) -> Activity {
    let side = match file.agent {
        Some(_) => Side::Agent,
        None => Side::Main,
    };
    let mut activity = Activity::default();
    if let Ok(bytes) = SessionBytes::open(&file.path) {
        // What fails here fails for the usage too, which says so.
        let _ = bytes.scan(
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

type Projects = HashMap<(Arc<str>, Arc<str>), Arc<str>>;

/// Returns the folder that each session was started in, by project folder and session.
fn projects(files: &[SourceFile], activities: &[Activity]) -> Projects {
    let sessions = files
        .iter()
        .zip(activities)
        .filter(|(file, _)| file.agent.is_none());
    sessions
        .filter_map(|(file, activity)| {
            let (_, folder) = activity.folder.as_ref()?;
            Some((key(file), Arc::clone(folder)))
        })
        .collect()
}

/// A sub-agent that went elsewhere still works for the project of its session.
fn project(file: &SourceFile, activity: &Activity, projects: &Projects) -> Arc<str> {
    let own = activity.folder.as_ref().map(|(_, folder)| folder);
    let folder = projects.get(&key(file)).or(own);
    Arc::clone(folder.unwrap_or(&file.slug))
}

fn key(file: &SourceFile) -> (Arc<str>, Arc<str>) {
    (Arc::clone(&file.slug), Arc::clone(&file.session))
}
