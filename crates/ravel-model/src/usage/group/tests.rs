use super::{Period, Sum, by_model, by_period, by_project, by_session};
use crate::price::{Book, Nanos};
use crate::usage::testing::request;
use crate::usage::{Day, Request, Weekday};

const DAY: i64 = 24 * 60;

fn at(minute: i64) -> Request {
    request(&format!("s m{minute} r o1000000 t{minute}"))
}

#[test]
fn periods_are_named_by_their_first_day() {
    // 1970 began on a Thursday.
    let requests = [at(0), at(DAY - 1), at(DAY), at(4 * DAY), at(31 * DAY)];
    let check = |period, offset_ms: i64, expected: &str| {
        let day =
            |time: ravel_format::Timestamp| Day::utc(ravel_format::Timestamp(time.0 + offset_ms));
        let groups: Vec<String> = by_period(&requests, &Book::bundled(), period, day)
            .into_iter()
            .map(|(day, group)| format!("{}={}", day.unwrap(), group.sum.n_requests))
            .collect();
        assert_eq!(groups.join(" "), expected);
    };
    check(
        Period::Day,
        0,
        "1970-01-01=2 1970-01-02=1 1970-01-05=1 1970-02-01=1",
    );
    check(
        Period::Week(Weekday::Monday),
        0,
        "1969-12-29=3 1970-01-05=1 1970-01-26=1",
    );
    check(
        Period::Week(Weekday::Sunday),
        0,
        "1969-12-28=3 1970-01-04=1 1970-02-01=1",
    );
    check(Period::Month, 0, "1970-01-01=4 1970-02-01=1");
    // An hour west of Greenwich.
    check(
        Period::Day,
        -3_600_000,
        "1969-12-31=1 1970-01-01=2 1970-01-04=1 1970-01-31=1",
    );
}

#[test]
fn requests_without_a_time_are_apart() {
    let timeless = Request {
        time: None,
        ..at(0)
    };
    let groups = by_period(&[timeless], &Book::bundled(), Period::Day, Day::utc);
    assert_eq!(groups.into_keys().collect::<Vec<_>>(), [None]);
}

#[test]
fn sums_name_what_has_no_price() {
    let unknown = Request {
        model: "house".into(),
        session: "t".into(),
        project: "other".into(),
        ..at(5)
    };
    let requests = [at(0), unknown, at(9)];
    let book = Book::bundled();
    let sum = Sum::of(&requests, &book);
    assert_eq!(sum.n_requests, 3);
    assert_eq!(sum.tokens.output, 3_000_000);
    assert_eq!(sum.cost, Nanos(40_000_000_000));
    assert_eq!(sum.n_unpriced, 1);
    assert_eq!(
        sum.unpriced
            .iter()
            .map(|model| &**model)
            .collect::<Vec<_>>(),
        ["house"]
    );
    for groups in [
        by_session(&requests, &book),
        by_project(&requests, &book),
        by_model(&requests, &book),
    ] {
        let mut counts: Vec<u64> = groups.values().map(|group| group.sum.n_requests).collect();
        counts.sort_unstable();
        assert_eq!(counts, [1, 2]);
        let mut whole = Sum::default();
        groups.values().for_each(|group| whole.plus(&group.sum));
        assert_eq!(whole, sum);
        let parts = groups.values().flat_map(|group| group.by_model.values());
        assert_eq!(parts.map(|part| part.cost).sum::<Nanos>(), sum.cost);
    }
}
