//! Whatever happens to the files, the index answers as they do.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use crate::answer::{check_question, check_usage, questions};
use crate::line::{Recipe, recipe};
use crate::shelf::{Change, Place, Shelf};

/// One thing that happens between two looks at the home.
#[derive(Debug, Clone)]
enum Event {
    Add(Place, Vec<Recipe>),
    Change(u8, Change),
}

fn lines() -> impl Strategy<Value = Vec<Recipe>> {
    prop::collection::vec(recipe(), 0..8)
}

fn event() -> impl Strategy<Value = Event> {
    let place = prop_oneof![
        3 => any::<u8>().prop_map(|project| Place::Session { project }),
        1 => any::<u8>().prop_map(|file| Place::Agent { file }),
        1 => any::<u8>().prop_map(|file| Place::AgentBeside { file }),
    ];
    let change = prop_oneof![
        3 => recipe().prop_map(Change::Append),
        3 => (recipe(), any::<u8>()).prop_map(|(line, cut)| Change::AppendHalf(line, cut)),
        1 => any::<u8>().prop_map(Change::Truncate),
        1 => lines().prop_map(Change::Replace),
        1 => Just(Change::Rewrite),
        1 => Just(Change::Delete),
        1 => any::<u8>().prop_map(Change::Rename),
        1 => any::<u8>().prop_map(Change::Copy),
        2 => Just(Change::Fork),
    ];
    prop_oneof![
        1 => (place, lines()).prop_map(|(place, lines)| Event::Add(place, lines)),
        3 => (any::<u8>(), change).prop_map(|(file, change)| Event::Change(file, change)),
    ]
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn an_updated_index_answers_as_the_files_do(
        first in lines(),
        second in lines(),
        events in prop::collection::vec(event(), 1..10),
    ) {
        let mut shelf = Shelf::new();
        shelf.add(Place::Session { project: 0 }, &first);
        shelf.add(Place::Session { project: 2 }, &second);
        let all = questions();
        for (number, event) in events.iter().enumerate() {
            match event {
                Event::Add(place, lines) => shelf.add(*place, lines),
                Event::Change(file, change) => {
                    shelf.change(*file, change);
                }
            }
            let index = shelf.index();
            let library = shelf.library();
            check_usage(&library, &index);
            // All questions after each event would take long: each gets its turn.
            for question in all.iter().skip(number % 4).step_by(4) {
                check_question(&library, &index, question);
            }
        }
        // Nothing of the way here matters.
        let library = shelf.library();
        let (index, fresh) = (shelf.index(), shelf.fresh_index());
        check_usage(&library, &fresh);
        for question in &all {
            check_question(&library, &index, question);
            check_question(&library, &fresh, question);
        }
        let (status, fresh) = (index.status(&library).unwrap(), fresh.status(&library).unwrap());
        prop_assert_eq!(
            (status.n_files, status.n_read, status.n_requests, status.n_changed, status.n_gone),
            (fresh.n_files, fresh.n_read, fresh.n_requests, 0, 0)
        );
    }
}
