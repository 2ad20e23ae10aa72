use super::super::Book;
use crate::price::{Factor, Rate};

const PRICE: &str = "[[price]]\nmodels = [\"m\"]\ninput = 1\noutput = 2.5\ncache-write-5m = 0.000001\n\
                     cache-write-1h = 4\ncache-read = 0\n";

fn error(text: &str) -> String {
    let before = Book::bundled();
    let mut book = before.clone();
    let error = book.merge(text, "prices.toml").unwrap_err().to_string();
    assert_eq!(book.entries().count(), before.entries().count());
    error
}

#[test]
fn decimals_are_exact() {
    let mut book = Book::default();
    book.merge(&format!("{PRICE}fast = 1.125"), "mine").unwrap();
    let row = book.find("m", None).unwrap();
    assert_eq!(row.rates.input, Rate(1_000_000_000));
    assert_eq!(row.rates.output, Rate(2_500_000_000));
    assert_eq!(row.rates.cache_write_5m, Rate(1_000));
    assert_eq!(row.fast, Some(Factor(1_125)));
}

#[test]
fn mistakes_are_errors_and_change_nothing() {
    let check = |text: &str, part: &str| {
        let error = error(text);
        assert!(error.contains(part), "{error}");
    };
    check("price = 3", "read prices");
    check("[[price]]\nmodels = [\"m\"]", "missing field `input`");
    check(&format!("{PRICE}input-tokens = 3"), "unknown field");
    check("[fees]\nbatch = -1", "from 0 to");
    check("[fees]\nbatch = nan", "from 0 to");
    check("[fees]\nbatch = 0.0001", "at most 3 decimals");
    check("[fees]\nweb-search = 1e300", "from 0 to");
    check("[fees]\nweb-search = \"10\"", "from 0 to");
    check("format = 2", "format 2");
    check(&PRICE.replace("[\"m\"]", "[]"), "without models");
    check(&format!("{PRICE}from = 2026-02-30"), "read prices");
    check(&format!("{PRICE}from = 2026-02-03T10:00:00Z"), "as a day");
    check(&format!("{PRICE}from = 10:00:00"), "as a day");
    let band = "[[price.above]]\nprompt = 5\ninput = 1\noutput = 1\ncache-write-5m = 1\n\
                cache-write-1h = 1\ncache-read = 1\n";
    check(&format!("{PRICE}{band}{band}"), "the bands of m");
}
