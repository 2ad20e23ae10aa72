//! Several processes at one index.

use std::fs::File;

use ravel_index::{Detail, Index, IndexError, Patience, indexed_usage};

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
