//! The documentation says what the table says.

use std::collections::BTreeSet;

use super::Code;

const PAGE: &str = include_str!("../../../../docs/format/diagnostics.md");

#[test]
fn names_are_unique_and_readable() {
    let names: BTreeSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(names.len(), Code::ALL.len());
    for name in names {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(name.chars().all(is_plain), "{name}");
    }
}

#[test]
fn the_page_lists_every_code_as_it_is() {
    let rows: Vec<String> = Code::ALL
        .iter()
        .map(|code| {
            format!(
                "| `{}` | {} | {} | {} |",
                code.name(),
                code.severity(),
                code.title(),
                code.help()
            )
        })
        .collect();
    let listed: Vec<&str> = PAGE
        .lines()
        .skip_while(|line| !line.starts_with("| code "))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(listed, rows, "the table must read:\n{}", rows.join("\n"));
}

#[test]
fn every_code_that_the_page_names_exists() {
    let rules = PAGE
        .lines()
        .filter(|line| line.starts_with("| 001/") || line.starts_with("| 004/"));
    let mut n_rules = 0;
    for rule in rules {
        n_rules += 1;
        let last = rule.trim_end_matches('|').rsplit('|').next().unwrap();
        for name in last.split('`').skip(1).step_by(2) {
            let exists = Code::ALL.iter().any(|code| code.name() == name);
            assert!(exists, "{name} in {rule}");
        }
    }
    assert_eq!(n_rules, 17);
}
