//! Several processes at one index.

use std::fs::File;

use ravel_index::{Detail, Index, IndexError, Patience, indexed_usage, scan_usage};

use crate::answer::{check_question, check_usage, questions};
use crate::line::{Kind, Recipe};
use crate::shelf::{Change, Place, Shelf};

fn line(number: usize) -> Recipe {
    Recipe {
        kind: [Kind::Prompt, Kind::Reply, Kind::Call, Kind::Result][number % 4],
        subject: (number / 4 % 200) as u8,
        tokens: (number % 251) as u8,
        words: vec![number % 20, number / 3 % 20, number / 7 % 20],
        style: (number % 2) as u8,
    }
}

fn shelf(n_sessions: usize, n_lines: usize) -> Shelf {
    let mut shelf = Shelf::new();
    for session in 0..n_sessions {
        let lines: Vec<Recipe> = (0..n_lines).map(|number| line(session + number)).collect();
        shelf.add(
            Place::Session {
                project: session as u8,
            },
            &lines,
        );
    }
    shelf
}

#[test]
fn while_another_process_writes_the_answer_is_the_same() {
    let mut shelf = shelf(4, 20);
    drop(shelf.index());
    shelf.change(0, &Change::Append(line(1)));
    shelf.change(1, &Change::Delete);
    shelf.change(2, &Change::Truncate(100));
    shelf.change(0, &Change::Copy(1));
    let lock = File::options()
        .append(true)
        .open(shelf.index_path().with_extension("lock"))
        .unwrap();
    lock.lock().unwrap();
    let library = shelf.library();
    let mut index = Index::open(&shelf.index_path()).unwrap().unwrap();
    let refused = index.update(&library, Patience::None, &());
    assert!(matches!(refused, Err(IndexError::Busy)), "{refused:?}");
    // What the index does not know is read; sums would take as long as without it.
    for question in questions() {
        check_question(&library, &index, &question);
    }
    for detail in [Detail::Sums, Detail::Copies] {
        let usage = indexed_usage(&library, &index, detail, (None, None)).unwrap();
        assert!(usage.is_none());
    }
    drop(lock);
    let updated = index.update(&library, Patience::None, &()).unwrap();
    assert_eq!(
        (
            updated.n_new,
            updated.n_grown,
            updated.n_replaced,
            updated.n_gone
        ),
        (1, 1, 1, 1)
    );
    check_usage(&library, &index);
}

#[test]
fn an_index_that_nobody_filled_yet_is_no_hindrance() {
    let shelf = shelf(2, 12);
    let index = Index::create(&shelf.index_path()).unwrap();
    for question in questions() {
        check_question(&shelf.library(), &index, &question);
    }
}

#[test]
fn all_who_update_at_once_get_one_result() {
    let mut shelf = shelf(12, 30);
    for round in 0..4 {
        let results: Vec<_> = std::thread::scope(|scope| {
            let update = || {
                let mut index = Index::create(&shelf.index_path()).unwrap();
                index.update(&shelf.library(), Patience::Wait, &()).unwrap()
            };
            let all: Vec<_> = (0..4).map(|_| scope.spawn(update)).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        // One of them did it, the others found it done.
        let n_busy = results
            .iter()
            .filter(|updated| !updated.is_nothing())
            .count();
        assert_eq!(n_busy, 1, "{results:?}");
        let library = shelf.library();
        let index = Index::open(&shelf.index_path()).unwrap().unwrap();
        let fresh = shelf.fresh_index();
        let (status, wanted) = (
            index.status(&library).unwrap(),
            fresh.status(&library).unwrap(),
        );
        assert_eq!(
            (status.n_files, status.n_read),
            (wanted.n_files, wanted.n_read)
        );
        assert_eq!(status.n_requests, wanted.n_requests);
        check_usage(&library, &index);
        for question in questions() {
            check_question(&library, &index, &question);
        }
        for file in 0..3 {
            shelf.change(
                file + round,
                &Change::Append(line(usize::from(file + round))),
            );
        }
        shelf.change(round, &Change::Copy(round));
    }
}

#[test]
fn making_it_anew_while_another_updates_loses_nothing() {
    let shelf = shelf(12, 30);
    for _ in 0..6 {
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut index = Index::create(&shelf.index_path()).unwrap();
                    index.clear().unwrap();
                    index.update(&shelf.library(), Patience::Wait, &()).unwrap()
                });
            }
        });
        let (index, _) = shelf.indexed();
        check_usage(&shelf.library(), &index);
        for question in questions() {
            check_question(&shelf.library(), &index, &question);
        }
    }
}

#[test]
fn a_question_is_answered_from_one_state() {
    let shelf = shelf(8, 30);
    drop(shelf.index());
    let library = shelf.library();
    let wanted = scan_usage(&library, Detail::Sums, &())
        .account
        .requests
        .len();
    let is_over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut index = Index::create(&shelf.index_path()).unwrap();
            for _ in 0..12 {
                index.clear().unwrap();
                index.update(&shelf.library(), Patience::Wait, &()).unwrap();
            }
            is_over.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let index = Index::open(&shelf.index_path()).unwrap().unwrap();
        while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
            // Either the index says that it does not know, or it knows everything.
            let usage = indexed_usage(&library, &index, Detail::Sums, (None, None)).unwrap();
            if let Some(tally) = usage {
                assert_eq!(tally.account.requests.len(), wanted);
            }
        }
    });
}

#[test]
fn an_index_of_another_version_is_left_alone_until_one_is_made() {
    let shelf = shelf(3, 12);
    drop(shelf.index());
    let set_version = |version: i64| {
        let connection = rusqlite::Connection::open(shelf.index_path()).unwrap();
        connection
            .pragma_update(None, "user_version", version)
            .unwrap();
        let count = |table: &str| -> i64 {
            let query = format!("SELECT count(*) FROM {table}");
            connection.query_row(&query, [], |row| row.get(0)).unwrap()
        };
        count("file")
    };
    let n_files = set_version(1);
    assert!(n_files > 0);
    assert!(Index::open(&shelf.index_path()).unwrap().is_none());
    assert_eq!(set_version(1), n_files, "opening changed it");
    let (index, updated) = shelf.indexed();
    assert_eq!(updated.n_new, n_files as u64);
    check_usage(&shelf.library(), &index);
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_others_away() {
    let shelf = shelf(3, 12);
    drop(shelf.index());
    let lost = shelf.library().files()[0].path.clone();
    let mut grown = std::fs::read(&lost).unwrap();
    grown.extend_from_slice(b"{}\n");
    std::fs::write(&lost, grown).unwrap();
    let library = shelf.library();
    // Gone between looking and reading is the one way to be unreadable that even root has.
    let bytes = std::fs::read(&lost).unwrap();
    std::fs::remove_file(&lost).unwrap();
    let (mut index, updated) = {
        let mut index = Index::open(&shelf.index_path()).unwrap().unwrap();
        let updated = index.update(&library, Patience::Wait, &()).unwrap();
        (index, updated)
    };
    assert_eq!(updated.findings.len(), 1);
    let usage = indexed_usage(&library, &index, Detail::Sums, (None, None)).unwrap();
    let usage = usage.expect("the index knows all that can be known");
    let scanned = scan_usage(&library, Detail::Sums, &());
    assert_eq!(usage.account.requests.len(), scanned.account.requests.len());
    assert_eq!(usage.skipped.findings.len(), 1);
    std::fs::write(&lost, bytes).unwrap();
    index.update(&shelf.library(), Patience::Wait, &()).unwrap();
    check_usage(&shelf.library(), &index);
}
