//! Tests of how often words come.

use super::{Random, Vocabulary};

#[test]
fn common_words_are_common_and_rare_ones_rare() {
    let vocabulary = Vocabulary::new();
    let mut random = Random::new(1);
    let topic = vocabulary.topic(&mut random);
    let text = vocabulary.compose(&mut random, &topic, 1_000_000);
    let count = |searched: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| *word == searched)
            .count()
    };
    assert!(count(vocabulary.common(0)) > 500);
    let n_middling: usize = (0..20).map(|n| count(vocabulary.middling(n))).sum();
    assert!((1..200).contains(&n_middling), "{n_middling}");
    let n_rare: usize = (0..20).map(|n| count(vocabulary.rare(n))).sum();
    assert!(n_rare < 20, "{n_rare}");
    assert_eq!(count("zzyqwoxv"), 0);
}

#[test]
fn text_has_about_the_length_asked_for() {
    let vocabulary = Vocabulary::new();
    let mut random = Random::new(2);
    let topic = vocabulary.topic(&mut random);
    for length in [1, 30, 5_000] {
        let text = vocabulary.compose(&mut random, &topic, length);
        assert!(text.len() <= length + 80, "{} for {length}", text.len());
    }
}
