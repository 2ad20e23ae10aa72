use ravel_format::Timestamp;

use super::{Block, BurnRate, Projection, blocks};
use crate::price::{Book, Nanos};
use crate::usage::Request;
use crate::usage::testing::request;

fn at(minute: i64) -> Request {
    request(&format!("s m{minute} r o1000000 t{minute}"))
}

fn minutes(time: Timestamp) -> i64 {
    time.0 / 60_000
}

fn made(times: &[i64]) -> Vec<Block> {
    let requests: Vec<Request> = times.iter().map(|&minute| at(minute)).collect();
    blocks(&requests, &Book::bundled())
}

/// Writes blocks as `start-end:requests`, after the gap before them in brackets.
fn check(times: &[i64], expected: &str) {
    let text = |block: &Block| {
        let gap = block.gap.map_or(String::new(), |(from, to)| {
            format!("[{} {}] ", minutes(from), minutes(to))
        });
        let (start, end) = (minutes(block.start), minutes(block.end));
        format!("{gap}{start}-{end}:{}", block.group.sum.n_requests)
    };
    let found: Vec<String> = made(times).iter().map(text).collect();
    assert_eq!(found.join(" "), expected);
}

#[test]
fn a_block_starts_at_the_full_hour_and_lasts_five() {
    check(&[], "");
    check(&[59], "0-300:1");
    check(&[61], "60-360:1");
    check(&[61, 359], "60-360:2");
    check(&[359, 61], "60-360:2");
    // Exactly at the end begins the next.
    check(&[61, 360], "60-360:1 360-660:1");
    check(&[61, 300, 400], "60-360:2 360-660:1");
}

#[test]
fn silence_of_five_hours_is_a_gap() {
    check(&[10, 310], "0-300:1 300-600:1");
    check(&[10, 311], "0-300:1 [310 311] 300-600:1");
    check(&[10, 1_000], "0-300:1 [310 1000] 960-1260:1");
}

#[test]
fn a_rate_is_projected_to_the_end() {
    // Two requests of $20 an hour apart, seen two hours before the end.
    let block = &made(&[60, 120])[0];
    let now = Timestamp(240 * 60_000);
    let rate = BurnRate {
        tokens_a_minute: 33_333,
        fresh_tokens_a_minute: 33_333,
        cost_an_hour: Nanos(40_000_000_000),
    };
    assert_eq!(block.burn_rate(), Some(rate));
    let projection = Projection {
        tokens: 2_000_000 + 4_000_000,
        cost: Nanos(40_000_000_000 + 80_000_000_000),
        minutes_left: 120,
    };
    assert_eq!(block.projection(now), Some(projection));
    assert!(block.is_active(now));
}

#[test]
fn what_cannot_be_said_is_not() {
    let now = Timestamp(90 * 60_000);
    assert_eq!(made(&[60])[0].burn_rate(), None);
    assert_eq!(made(&[60])[0].projection(now), None);
    let over = &made(&[60, 120])[0];
    assert!(!over.is_active(over.end));
    assert_eq!(over.projection(over.end), None);
    let timeless = Request {
        time: None,
        ..at(0)
    };
    assert_eq!(blocks(&[timeless], &Book::bundled()), []);
}

#[test]
fn hostile_times_do_no_harm() {
    let far = |time| Request {
        time: Some(Timestamp(time)),
        ..at(0)
    };
    let requests = [far(i64::MIN), far(0), far(i64::MAX)];
    let blocks = blocks(&requests, &Book::bundled());
    for block in &blocks {
        let _ = (block.burn_rate(), block.projection(block.first));
    }
    let n_requests: u64 = blocks.iter().map(|block| block.group.sum.n_requests).sum();
    assert_eq!(n_requests, 3);
}
