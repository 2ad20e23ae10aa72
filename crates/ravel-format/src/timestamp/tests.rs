//! Every way a time was seen written.

use proptest::prelude::*;

use super::Timestamp;

fn check(text: &str, expected: Option<&str>) {
    let found = Timestamp::from_iso(text.as_bytes()).map(Timestamp::to_iso);
    assert_eq!(found.as_deref(), expected, "{text}");
}

#[test]
fn times_are_read_in_every_spelling() {
    check("2026-01-31T09:30:00.123Z", Some("2026-01-31T09:30:00.123Z"));
    check(
        "2026-01-31T09:30:00.123456Z",
        Some("2026-01-31T09:30:00.123Z"),
    );
    check("2026-01-31T09:30:00Z", Some("2026-01-31T09:30:00.000Z"));
    check(
        "2026-01-31T09:30:00+02:00",
        Some("2026-01-31T07:30:00.000Z"),
    );
    check("2024-02-29", Some("2024-02-29T00:00:00.000Z"));
    check("1969-12-31T23:59:59.999Z", Some("1969-12-31T23:59:59.999Z"));
}

#[test]
fn what_is_no_time_is_none() {
    for text in [
        "",
        "yesterday",
        "2026-13-01T00:00:00Z",
        "2026-01-31T9:30Z",
        "2026-01-31X",
        "2026/01/31",
    ] {
        check(text, None);
    }
}

proptest! {
    #[test]
    fn writing_and_reading_agree(millis in -50_000_000_000_000_i64..250_000_000_000_000) {
        let time = Timestamp(millis);
        let text = time.to_iso();
        prop_assert_eq!(Timestamp::from_iso(text.as_bytes()), Some(time));
    }
}
