//! Tests of goals and of the printed table.

use super::{Goal, Outcome, Row, table};

#[test]
fn a_goal_is_met_on_its_limit_and_never_by_an_unknown_number() {
    assert!(Goal::at_least("x", 10.0, 10.0).met());
    assert!(!Goal::at_least("x", 10.0, 9.9).met());
    assert!(Goal::at_most("x", 64.0, 64.0).met());
    assert!(!Goal::at_most("x", 64.0, f64::NAN).met());
}

#[test]
fn the_table_has_a_row_per_program_and_a_line_per_note_and_goal() {
    let outcome = Outcome {
        name: "ls".to_owned(),
        data: "3 sessions".to_owned(),
        rows: vec![Row {
            program: "ravel".to_owned(),
            best: 0.01,
            median: 1.5,
            peak_mb: 9.6,
        }],
        notes: vec!["a word more".to_owned()],
        goals: vec![
            Goal::at_least("times faster", 10.0, 23.45),
            Goal::at_most("MB", 4.0, 5.0),
        ],
    };
    assert_eq!(
        table(&outcome),
        "3 sessions\n\n\
         | program | best | median | peak memory |\n\
         |---|---:|---:|---:|\n\
         | ravel | 10.0 ms | 1.50 s | 10 MB |\n\n\
         - a word more\n\
         - 23.4 times faster (goal ≥ 10): reached\n\
         - 5.0 MB (goal ≤ 4): **missed**\n"
    );
}
