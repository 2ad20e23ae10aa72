//! The activities of all transcripts.

use std::collections::HashMap;
use std::sync::Arc;

use ravel_index::SourceFile;
use ravel_model::activity::{Activity, Source};

use crate::catalog::Catalog;

/// Says whose activity each file has.
pub(super) fn gather(catalog: &Catalog) -> Vec<(Source, Activity)> {
    let files = catalog.library.files();
    let activities = catalog.activity();
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
