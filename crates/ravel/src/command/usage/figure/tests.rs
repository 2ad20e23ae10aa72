use ravel_model::price::Nanos;
use ravel_model::usage::Sum;

use super::{Money, grouped, short_model};

#[test]
fn digits_stand_in_groups() {
    let check = |number, expected: &str| {
        assert_eq!(grouped(number).replace('\u{202f}', "_"), expected);
    };
    check(0, "0");
    check(999, "999");
    check(1_000, "1_000");
    check(12_345_678, "12_345_678");
    check(u64::MAX, "18_446_744_073_709_551_615");
}

fn sum(cost: u64, n_requests: u64, n_unpriced: u64) -> Sum {
    Sum {
        n_requests,
        n_unpriced,
        cost: Nanos(cost),
        ..Sum::default()
    }
}

#[test]
fn amounts_have_decimals_by_the_size_of_the_total() {
    let small = Money::fitting(&sum(999_999_999, 1, 0));
    let large = Money::fitting(&sum(1_000_000_000, 1, 0));
    let check = |money: Money, cost, expected: &str| {
        let text = money.sum(&sum(cost, 1, 0));
        assert_eq!(text.replace('\u{202f}', "_"), expected);
    };
    check(small, 123_456_789, "$0.1235");
    check(small, 0, "$0.0000");
    check(small, 49_999, "<$0.0001");
    check(small, 50_000, "$0.0001");
    check(large, 123_456_789, "$0.12");
    check(large, 4_999_999, "<$0.01");
    check(large, 5_000_000, "$0.01");
    check(large, 1_234_567_890_000_000, "$1_234_567.89");
    check(large, 999_995_000_000, "$1_000.00");
}

#[test]
fn what_has_no_price_is_marked() {
    let money = Money::fitting(&sum(2_000_000_000, 3, 1));
    assert_eq!(money.sum(&sum(2_000_000_000, 3, 1)), "$2.00+");
    assert_eq!(money.sum(&sum(2_000_000_000, 2, 0)), "$2.00 ");
    assert_eq!(money.sum(&sum(0, 1, 1)), "– ");
}

#[test]
fn names_of_models_are_short() {
    let check = |model, expected| assert_eq!(short_model(model), expected);
    check("claude-opus-4-5-20251101", "opus-4-5");
    check(
        "us.anthropic.claude-haiku-4-5-20251001-v1:0",
        "haiku-4-5-20251001-v1:0",
    );
    check("anthropic/claude-sonnet-4.5", "sonnet-4.5");
    check("claude-opus-5-5[1m]", "opus-5-5[1m]");
    check("glm-4.6", "glm-4.6");
    check("claude-", "claude-");
    check("20251101", "20251101");
    check("", "(no model)");
}
