use super::{Book, Factor, Rate, Shelf};
use crate::usage::Day;

const PRICE: &str = "output = 2\ncache-write-5m = 1\ncache-write-1h = 1\ncache-read = 1\n";

fn day(text: &str) -> Day {
    let mut parts = text.split('-').map(|part| part.parse::<i32>().unwrap());
    let mut next = || parts.next().unwrap();
    Day::from_ymd(next(), next() as u8, next() as u8).unwrap()
}

/// The price of input in cents per million, `-` for none.
fn input(book: &Book, model: &str, on: Option<&str>) -> String {
    book.find(model, on.map(day))
        .map_or("-".into(), |row| row.rates.input.to_string())
}

#[test]
fn the_bundled_book_has_the_prices_of_the_table() {
    let book = Book::bundled();
    // Model: input, output, write 5m, write 1h, read in thousandths of a dollar per million.
    let table = [
        ("claude-fable-5-1", [10_000, 50_000, 12_500, 20_000, 250]),
        ("claude-mythos-5-1", [10_000, 50_000, 12_500, 20_000, 250]),
        ("claude-fable-5", [10_000, 50_000, 12_500, 20_000, 1_000]),
        ("claude-mythos-5", [10_000, 50_000, 12_500, 20_000, 1_000]),
        ("claude-opus-5-5", [4_000, 20_000, 5_000, 8_000, 200]),
        ("claude-opus-5", [5_000, 25_000, 6_250, 10_000, 500]),
        ("claude-opus-4-8", [5_000, 25_000, 6_250, 10_000, 500]),
        ("claude-opus-4-7", [5_000, 25_000, 6_250, 10_000, 500]),
        ("claude-opus-4-6", [5_000, 25_000, 6_250, 10_000, 500]),
        ("claude-opus-4-5", [5_000, 25_000, 6_250, 10_000, 500]),
        ("claude-opus-4-1", [15_000, 75_000, 18_750, 30_000, 1_500]),
        ("claude-opus-4", [15_000, 75_000, 18_750, 30_000, 1_500]),
        ("claude-3-opus", [15_000, 75_000, 18_750, 30_000, 1_500]),
        ("claude-sonnet-5-5", [2_000, 10_000, 2_500, 4_000, 200]),
        ("claude-sonnet-5", [2_000, 10_000, 2_500, 4_000, 200]),
        ("claude-sonnet-4-6", [3_000, 15_000, 3_750, 6_000, 300]),
        ("claude-sonnet-4-5", [3_000, 15_000, 3_750, 6_000, 300]),
        ("claude-sonnet-4", [3_000, 15_000, 3_750, 6_000, 300]),
        ("claude-3-7-sonnet", [3_000, 15_000, 3_750, 6_000, 300]),
        ("claude-haiku-5-5", [100, 500, 125, 200, 10]),
        ("claude-haiku-4-5", [1_000, 5_000, 1_250, 2_000, 100]),
        ("claude-3-5-haiku", [800, 4_000, 1_000, 1_600, 80]),
        ("claude-3-haiku", [250, 1_250, 300, 500, 30]),
    ];
    for (model, expected) in table {
        let rates = book.find(model, None).unwrap().rates;
        let found = [
            rates.input,
            rates.output,
            rates.cache_write_5m,
            rates.cache_write_1h,
            rates.cache_read,
        ];
        assert_eq!(
            found,
            expected.map(|price| Rate(price * 1_000_000)),
            "{model}"
        );
    }
    assert_eq!(book.entries().count(), table.len());
    assert_eq!(book.fees().us_only, Some(Factor(1_100)));
    assert_eq!(book.fees().batch, Some(Factor(500)));
    assert_eq!(book.fees().web_search, Some(Rate(10_000_000_000_000)));
    let dated = |(_, row): (&str, &super::Row)| row.read == Some(day("2026-11-15"));
    assert!(book.entries().all(dated));
    assert!(book.aliases().all(|(_, model)| book.has(model)));
}

#[test]
fn only_some_models_have_fast_mode_and_bands() {
    let book = Book::bundled();
    for (model, row) in book.entries() {
        let fast = match model {
            "claude-opus-4-6" | "claude-opus-4-7" => Some(Factor(6_000)),
            "claude-opus-4-8" | "claude-opus-5" | "claude-opus-5-5" => Some(Factor(2_000)),
            _ => None,
        };
        assert_eq!(row.fast, fast, "{model}");
        let above: Vec<u64> = row.bands.iter().map(|band| band.above).collect();
        let expected: &[u64] = match model {
            "claude-sonnet-4" | "claude-sonnet-4-5" => &[200_000],
            "claude-haiku-5-5" => &[100_000],
            _ => &[],
        };
        assert_eq!(above, expected, "{model}");
    }
}

#[test]
fn names_are_found_and_never_guessed() {
    let book = Book::bundled();
    let check = |model: &str, expected: &str| assert_eq!(input(&book, model, None), expected);
    check("claude-opus-4-5-20251101", "$5.00");
    check("Claude-Opus-4-5", "$5.00");
    check("claude-opus-4-20250514", "$15.00");
    check("claude-sonnet-4-0", "$3.00");
    check("us.anthropic.claude-haiku-4-5-20251001-v1:0", "$1.00");
    check("claude-3-5-haiku-latest", "$0.80");
    check("anthropic/claude-3.7-sonnet", "$3.00");
    for unknown in [
        "",
        "sonnet",
        "inherit",
        "claude-opus-6",
        "claude-opus-5-6",
        "claude-3-5-sonnet",
        "claude-haiku-4",
        "gpt-5",
        "<synthetic>",
    ] {
        check(unknown, "-");
    }
}

#[test]
fn a_row_holds_from_its_day_on() {
    let mut book = Book::default();
    let rows = format!(
        "[[price]]\nmodels = [\"m\"]\nfrom = 2026-03-01\ninput = 3\n{PRICE}\
         [[price]]\nmodels = [\"m\"]\nfrom = 2026-01-01\ninput = 1\n{PRICE}"
    );
    book.merge(&rows, "mine").unwrap();
    let check = |on, expected: &str| assert_eq!(input(&book, "m", on), expected, "{on:?}");
    check(Some("2025-12-31"), "-");
    check(Some("2026-01-01"), "$1.00");
    check(Some("2026-02-28"), "$1.00");
    check(Some("2026-03-01"), "$3.00");
    check(None, "$3.00");
}

#[test]
fn a_persons_prices_lie_on_top() {
    let mut book = Book::bundled();
    let rows = format!(
        "read = 2026-12-24\n[fees]\nbatch = 0.4\n[aliases]\nHouse-Model = \"claude-opus-5\"\n\
         [[price]]\nmodels = [\"claude-opus-4-1\"]\ninput = 7\nsource = \"contract\"\n{PRICE}\
         [[price]]\nmodels = [\"claude-opus-5-5\"]\nfrom = 2027-01-01\ninput = 3\n{PRICE}"
    );
    book.merge(&rows, "prices.toml").unwrap();
    assert_eq!(input(&book, "claude-opus-4-1-20250805", None), "$7.00");
    assert_eq!(input(&book, "claude-opus-4", None), "$15.00");
    assert_eq!(input(&book, "claude-opus-5-5", Some("2026-12-31")), "$4.00");
    assert_eq!(input(&book, "claude-opus-5-5", Some("2027-01-01")), "$3.00");
    assert_eq!(input(&book, "house-model", None), "$5.00");
    assert_eq!(book.fees().batch, Some(Factor(400)));
    assert_eq!(book.fees().us_only, Some(Factor(1_100)));
    let row = book.find("claude-opus-4-1", None).unwrap();
    assert_eq!(row.shelf, Shelf::Override("prices.toml".into()));
    assert_eq!(
        (&*row.source, row.read),
        ("contract", Some(day("2026-12-24")))
    );
    let rows = book
        .entries()
        .filter(|(model, _)| *model == "claude-opus-4-1");
    assert_eq!(rows.count(), 1, "the bundled row is out of use");
}
