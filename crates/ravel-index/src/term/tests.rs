use proptest::prelude::*;

use super::*;

fn terms(text: &str) -> Vec<String> {
    let mut terms = Terms::default();
    terms.add(text);
    terms.text().split_whitespace().map(str::to_owned).collect()
}

#[test]
fn runs_of_letters_and_digits_are_terms_once_each() {
    assert_eq!(
        terms("Parse_line(x42), parse ÉCOLE 会议纪要"),
        ["parse", "line", "x42", "école", "会议纪要"]
    );
    assert!(terms(" -> !! \u{1b}[").is_empty());
}

#[test]
fn a_literal_says_how_its_words_go_on() {
    let is = |text: &str| Condition::Is(text.into());
    let begins = |text: &str| Condition::Begins(text.into());
    let ends = |text: &str| Condition::Ends(text.into());
    let has = |text: &str| Condition::Has(text.into());
    assert_eq!(conditions("Cart"), [has("cart")]);
    assert_eq!(conditions("art-of c"), [ends("art"), is("of"), begins("c")]);
    assert_eq!(conditions("(of)"), [is("of")]);
    assert_eq!(conditions("->"), []);
}

proptest! {
    /// Whatever part of a text is looked for, the terms of the text meet its conditions.
    #[test]
    fn conditions_are_necessary(
        text in "([a-zA-Z0-9é会]{0,150}[ -/]?){1,6}",
        from in 0usize..300,
        length in 1usize..200,
    ) {
        let literal: String = text.chars().skip(from).take(length).collect();
        let terms = terms(&text);
        for condition in conditions(&literal) {
            prop_assert!(
                terms.iter().any(|term| condition.admits(term)),
                "{condition:?} of {literal:?} in {terms:?}"
            );
        }
    }

    #[test]
    fn no_term_is_longer_than_a_window(text in "[a-z会]{0,400}") {
        for term in terms(&text) {
            prop_assert!(term.chars().count() <= WINDOW);
        }
    }
}

#[test]
fn a_letter_is_one_in_every_case() {
    let differs = |letter: &char| letter.is_alphanumeric() != fold(*letter).is_alphanumeric();
    let all: Vec<char> = ('\0'..=char::MAX).filter(differs).collect();
    assert_eq!(all, []);
}
