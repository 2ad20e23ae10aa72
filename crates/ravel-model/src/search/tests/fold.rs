//! Letters without case.

use super::super::fold::spellings;
use crate::search::fold;

#[test]
fn one_character_stays_one_and_nothing_becomes_ascii() {
    for (from, to) in [
        ('A', 'a'),
        ('z', 'z'),
        ('É', 'é'),
        ('Σ', 'σ'),
        ('ς', 'σ'),
        ('ẞ', 'ß'),
        ('Ⱥ', 'ⱥ'),
        ('\u{212A}', '\u{212A}'),
        ('İ', 'İ'),
        ('日', '日'),
        ('1', '1'),
    ] {
        assert_eq!(fold(from), to, "{from}");
    }
}

#[test]
fn spellings_are_all_characters_with_the_same_fold() {
    let all = || '\0'..=char::MAX;
    for character in all() {
        let folded = fold(character);
        assert!(character.is_ascii() || !folded.is_ascii(), "{character}");
        if folded != character {
            let known = spellings(character);
            assert!(known.contains(&character), "{character:?}: {known:?}");
        }
    }
    for character in ['k', 'å', 'ǆ', 'ω', 'ß', '日'] {
        let mut expected: Vec<char> = all().filter(|one| fold(*one) == fold(character)).collect();
        let mut known = spellings(character);
        expected.sort_unstable();
        known.sort_unstable();
        assert_eq!(known, expected);
    }
}
