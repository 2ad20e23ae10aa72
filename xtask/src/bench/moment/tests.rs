//! Tests of dates around leap days and turns of years.

use super::Moment;

#[test]
fn moments_are_shown_as_sessions_write_them() {
    for (millis, shown) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (1_735_689_599_999, "2024-12-31T23:59:59.999Z"),
        (1_735_689_600_000, "2025-01-01T00:00:00.000Z"),
        (1_794_700_801_250, "2026-11-15T00:00:01.250Z"),
    ] {
        assert_eq!(Moment::new(millis).to_string(), shown);
    }
    assert_eq!(Moment::new(1_000).later(500).earlier(1_500), Moment::new(0));
}
