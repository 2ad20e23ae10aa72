//! Recorded sessions: what stands in them is found with and without the index.

use std::collections::BTreeSet;
use std::fs;

use ravel_format::{Place, lines_from, parse_line};
use ravel_model::search::{Case, passages};

use crate::answer::{Question, check_question, check_usage};
use crate::shelf::Shelf;

#[test]
fn literals_of_the_corpus_are_found_alike() {
    let Some(files) = ravel_testkit::corpus_files() else {
        return;
    };
    let mut shelf = Shelf::new();
    let mut texts = Texts::default();
    for (number, path) in files.iter().enumerate() {
        let bytes = fs::read(path).unwrap();
        shelf.write(
            &format!("projects/-corpus/corpus-{number:05}.jsonl"),
            &bytes,
        );
        texts.sample(&bytes);
    }
    let library = shelf.library();
    let index = shelf.index();
    check_usage(&library, &index);
    let literals = texts.literals();
    assert!(literals.len() >= 300, "only {} literals", literals.len());
    for (number, literal) in literals.iter().enumerate() {
        let mut question = Question::new(quoted(literal));
        question.case = [Case::Fold, Case::Exact][number % 2];
        check_question(&library, &index, &question);
        let found = question.ask(&library, Some(&index), Some(1));
        assert_eq!(found.hits.len(), 1, "{literal:?} was taken from a text");
    }
}

/// Texts from all over the corpus.
#[derive(Default)]
struct Texts {
    texts: Vec<String>,
    random: Random,
}

impl Texts {
    fn sample(&mut self, bytes: &[u8]) {
        let start = Place { offset: 0, line: 1 };
        for line in lines_from(bytes, start) {
            if self.random.below(4) != 0 {
                continue;
            }
            for record in parse_line(&line) {
                let texts = passages(&record).into_iter();
                self.texts.extend(
                    texts
                        .map(|passage| passage.text.into_owned())
                        .filter(|text| text.chars().count() > 12),
                );
            }
        }
    }

    /// Words, pieces of words, phrases, and the neighborhood of everything that is special.
    fn literals(mut self) -> BTreeSet<String> {
        let mut literals = BTreeSet::new();
        for number in 0..220 {
            let text = &self.texts[self.random.below(self.texts.len())];
            let letters: Vec<char> = text.chars().collect();
            let length = [3, 5, 8, 14, 40][number % 5].min(letters.len());
            let start = self.random.below(letters.len() - length + 1);
            literals.insert(letters[start..start + length].iter().collect::<String>());
        }
        let is_special = |letter: &char| !letter.is_ascii() || "\"\\\n\t".contains(*letter);
        for number in 0..220 {
            let text = &self.texts[self.random.below(self.texts.len())];
            let letters: Vec<char> = text.chars().collect();
            let special: Vec<usize> = (0..letters.len())
                .filter(|&at| is_special(&letters[at]))
                .collect();
            if special.is_empty() {
                continue;
            }
            let at = special[self.random.below(special.len())];
            let end = letters.len().min(at + 1 + number % 7);
            let start = at.saturating_sub(number % 5);
            literals.insert(letters[start..end].iter().collect::<String>());
        }
        literals.retain(|literal| {
            // A phrase cannot end with a backslash: that makes the quote a part of it.
            !literal.trim().is_empty() && !literal.ends_with('\\')
        });
        literals
    }
}

/// Makes a phrase of a literal.
fn quoted(literal: &str) -> String {
    format!("\"{}\"", literal.replace('"', "\\\""))
}

/// The same numbers in every run.
struct Random(u64);

impl Default for Random {
    fn default() -> Self {
        Self(0x2545_f491_4f6c_dd1d)
    }
}

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}
