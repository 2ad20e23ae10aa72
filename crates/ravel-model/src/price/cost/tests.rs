use super::{Surcharge, Unpriced, cost};
use crate::price::{Book, Nanos};
use crate::usage::testing::request;
use crate::usage::{Geo, Request, Speed, Tier, Tokens};

/// Input, output, write 5m, write 1h, read.
fn tokens(counts: [u64; 5]) -> Tokens {
    let [input, output, cache_write_5m, cache_write_1h, cache_read] = counts;
    Tokens {
        input,
        output,
        cache_write_5m,
        cache_write_1h,
        cache_read,
    }
}

fn of(model: &str, counts: [u64; 5]) -> Request {
    Request {
        model: model.into(),
        tokens: tokens(counts),
        ..request("s m r")
    }
}

fn check(request: &Request, nanos: u64) {
    let book = Book::bundled();
    let found = cost(request, &book).map(|cost| cost.total());
    assert_eq!(found, Ok(Nanos(nanos)));
}

#[test]
fn the_client_comes_to_the_same_cost() {
    // What two versions reported as `total_cost_usd` for the same usage.
    check(&of("claude-opus-5-5", [12, 42, 345, 0, 6_789]), 3_970_800);
    let sonnet = of("claude-sonnet-4-5-20250929", [12, 42, 345, 0, 6_789]);
    check(&sonnet, 3_996_450);
}

#[test]
fn an_hour_in_the_cache_has_its_own_price() {
    // 1,000 tokens at $6.25 and 1,000 at $10 per million.
    check(&of("claude-opus-4-5", [0, 0, 1_000, 0, 0]), 6_250_000);
    check(&of("claude-opus-4-5", [0, 0, 0, 1_000, 0]), 10_000_000);
}

#[test]
fn a_band_holds_for_the_whole_request() {
    let at = of("claude-sonnet-4", [1_000, 1_000, 0, 0, 199_000]);
    // 1,000 x $3 + 1,000 x $15 + 199,000 x $0.30.
    check(&at, 3_000_000 + 15_000_000 + 59_700_000);
    let above = of("claude-sonnet-4", [1_000, 1_000, 0, 1, 199_000]);
    // 1,000 x $6 + 1,000 x $22.50 + 1 x $12 + 199,000 x $0.60.
    check(&above, 6_000_000 + 22_500_000 + 12_000 + 119_400_000);
    let book = Book::bundled();
    assert_eq!(cost(&above, &book).unwrap().above, Some(200_000));
    // Output is no part of the prompt: 1 x $0.10 + 300,000 x $0.50.
    check(&of("claude-haiku-5-5", [1, 300_000, 0, 0, 0]), 150_000_100);
    // 100,001 x $0.50.
    check(&of("claude-haiku-5-5", [100_001, 0, 0, 0, 0]), 50_000_500);
    // No band: 1,000,000 x $5.
    check(
        &of("claude-opus-4-6", [1_000_000, 0, 0, 0, 0]),
        5_000_000_000,
    );
}

#[test]
fn fast_mode_us_only_and_batch_are_factors() {
    let plain = of("claude-opus-4-6", [100, 10, 0, 0, 1_000]);
    // 100 x $5 + 10 x $25 + 1,000 x $0.50.
    check(&plain, 1_250_000);
    let fast = Request {
        speed: Some(Speed::Fast),
        ..plain.clone()
    };
    check(&fast, 7_500_000);
    let us = Request {
        geo: Some(Geo::Us),
        ..plain.clone()
    };
    check(&us, 1_375_000);
    let both = Request {
        geo: Some(Geo::Us),
        ..fast
    };
    check(&both, 8_250_000);
    let names = [Surcharge::Fast, Surcharge::UsOnly];
    let book = Book::bundled();
    let surcharges = cost(&both, &book).unwrap().surcharges;
    assert_eq!(
        surcharges
            .into_iter()
            .map(|(name, _)| name)
            .collect::<Vec<_>>(),
        names
    );
    let batch = Request {
        tier: Some(Tier::Batch),
        ..plain.clone()
    };
    check(&batch, 625_000);
    let priority = Request {
        tier: Some(Tier::Priority),
        ..plain
    };
    check(&priority, 1_250_000);
}

#[test]
fn searches_have_a_fee_that_no_factor_changes() {
    let request = Request {
        web_searches: 3,
        geo: Some(Geo::Us),
        ..of("claude-opus-5-5", [0, 0, 0, 0, 0])
    };
    check(&request, 30_000_000);
}

#[test]
fn what_has_no_price_says_why() {
    let mut book = Book::bundled();
    let row = "[[price]]\nmodels = [\"late\"]\nfrom = 2030-01-01\ninput = 1\noutput = 1\n\
               cache-write-5m = 1\ncache-write-1h = 1\ncache-read = 1\n";
    book.merge(row, "mine").unwrap();
    let check = |request: &Request, why| assert_eq!(cost(request, &book), Err(why));
    check(&of("claude-opus-9", [1; 5]), Unpriced::Model);
    check(&of("", [1; 5]), Unpriced::Model);
    check(&of("late", [1; 5]), Unpriced::Day);
    let at = |speed| Request {
        speed: Some(speed),
        ..of("claude-sonnet-5", [1; 5])
    };
    check(&at(Speed::Fast), Unpriced::Speed);
    check(&at(Speed::Other), Unpriced::Speed);
    let search = Request {
        web_searches: 1,
        ..of("claude-sonnet-5", [1; 5])
    };
    let mut bare = Book::default();
    let text = row
        .replace("late", "claude-sonnet-5")
        .replace("2030", "1960");
    bare.merge(&text, "mine").unwrap();
    assert_eq!(cost(&search, &bare), Err(Unpriced::Fee));
}

#[test]
fn the_parts_are_the_whole() {
    let book = Book::bundled();
    let request = of("claude-opus-5", [1, 2, 3, 4, 5]);
    let cost = cost(&request, &book).unwrap();
    let parts: Vec<_> = cost
        .parts
        .iter()
        .map(|part| {
            format!(
                "{} {} {} {}",
                part.count,
                part.what.name(),
                part.rate,
                part.nanos.0
            )
        })
        .collect();
    assert_eq!(
        parts,
        [
            "1 input $5.00 5000",
            "2 output $25.00 50000",
            "3 cache write 5m $6.25 18750",
            "4 cache write 1h $10.00 40000",
            "5 cache read $0.50 2500",
        ]
    );
    assert_eq!(cost.total(), Nanos(116_250));
    assert_eq!(cost.row_date(), None);
}
