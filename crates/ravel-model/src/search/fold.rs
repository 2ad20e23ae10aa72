//! Letters without case.

use std::sync::LazyLock;

/// Returns the lower-case form of a character.
///
/// One character stays one character, and none outside of ASCII becomes an ASCII one (the Kelvin
/// sign stays what it is). So ASCII words can be looked for in bytes.
pub fn fold(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    // The one letter with two lower-case forms.
    if character == 'ς' {
        return 'σ';
    }
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(only), None) if !only.is_ascii() => only,
        _ => character,
    }
}

/// Returns every character that folds to the same as `character`, itself included.
pub(super) fn spellings(character: char) -> Vec<char> {
    let folded = fold(character);
    if folded.is_ascii() {
        let upper = folded.to_ascii_uppercase();
        return if upper == folded {
            vec![folded]
        } else {
            vec![folded, upper]
        };
    }
    let others = CASED.iter().filter(|(form, _)| *form == folded);
    let others = others.map(|&(_, spelling)| spelling);
    // A letter whose lower-case form folds further does not spell that form itself.
    let own = Some(folded).filter(|&own| fold(own) == folded);
    own.into_iter().chain(others).collect()
}

/// All characters outside of ASCII that fold to another one, which few queries ask for. No script
/// with upper and lower case lies beyond the second plane.
static CASED: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    ('\u{80}'..='\u{1ffff}')
        .map(|character| (fold(character), character))
        .filter(|(folded, character)| folded != character)
        .collect()
});
