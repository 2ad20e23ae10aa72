//! Sums do not depend on how files are called, nor on how often a session is there.

use std::fs;

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use crate::answer::{check_usage, totals};
use crate::line::{Recipe, recipe};
use crate::shelf::{Change, Place, Shelf};

fn sessions() -> impl Strategy<Value = Vec<Vec<Recipe>>> {
    prop::collection::vec(prop::collection::vec(recipe(), 1..8), 1..5)
}

fn shelf_of(sessions: &[Vec<Recipe>]) -> Shelf {
    let mut shelf = Shelf::new();
    for (number, lines) in sessions.iter().enumerate() {
        shelf.add(
            Place::Session {
                project: number as u8,
            },
            lines,
        );
    }
    shelf
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    })]

    #[test]
    fn copying_and_forking_a_session_changes_no_total(
        sessions in sessions(),
        which in any::<u8>(),
        is_fork in any::<bool>(),
    ) {
        let mut shelf = shelf_of(&sessions);
        let before = totals(&shelf.library());
        let change = match is_fork {
            true => Change::Fork,
            false => Change::Copy(which),
        };
        let n_files = shelf.library().files().len();
        shelf.change(which, &change);
        prop_assert_eq!(shelf.library().files().len(), n_files + 1);
        prop_assert_eq!(totals(&shelf.library()), before);
        check_usage(&shelf.library(), &shelf.index());
    }

    #[test]
    fn the_order_of_files_changes_no_total(sessions in sessions()) {
        let shelf = shelf_of(&sessions);
        let before = totals(&shelf.library());
        let _ = shelf.index();
        let paths = shelf.paths();
        let n_files = paths.len();
        for (number, path) in paths.iter().enumerate() {
            // What was first is last.
            let folder = shelf.root().join(format!("projects/-order-{}", n_files - number));
            fs::create_dir_all(&folder).unwrap();
            fs::rename(path, folder.join(path.file_name().unwrap())).unwrap();
        }
        prop_assert_eq!(totals(&shelf.library()), before);
        check_usage(&shelf.library(), &shelf.index());
    }
}
