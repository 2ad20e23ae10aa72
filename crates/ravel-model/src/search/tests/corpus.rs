//! Recorded sessions, searched with and without the prefilter. The files are other people's;
//! `RAVEL_CORPUS` says where they are.

use ravel_format::{lines, parse_line};

use super::{regex, words};
use crate::search::{Query, passages};

#[test]
#[expect(clippy::print_stderr, reason = "says what was found")]
fn the_prefilter_loses_nothing_of_the_corpus() {
    let Some(files) = ravel_testkit::corpus_files() else {
        return;
    };
    let queries = [
        words("error"),
        words("\"the file\" test"),
        words("é"),
        words("->"),
        words("\"\\n"),
        words("✓"),
        regex(r"[a-z]+_\w+\("),
        regex("(warning|error): "),
    ];
    let mut n_found = [0; 8];
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        for (query, n_found) in queries.iter().zip(&mut n_found) {
            *n_found += check(query, &bytes);
        }
    }
    eprintln!("records found: {n_found:?}");
    assert!(n_found.iter().all(|n| *n > 0), "{n_found:?}");
}

fn check(query: &Query, bytes: &[u8]) -> usize {
    let prefilter = query.prefilter();
    let candidates: Vec<usize> = prefilter.candidates(bytes).map(|line| line.start).collect();
    let mut n_found = 0;
    for line in lines(bytes) {
        for record in parse_line(&line) {
            if query.matches(&passages(&record), |_| true).is_some() {
                let start = usize::try_from(line.span.start).unwrap();
                assert!(
                    candidates.binary_search(&start).is_ok(),
                    "{query:?}: {record:?}"
                );
                n_found += 1;
            }
        }
    }
    n_found
}
