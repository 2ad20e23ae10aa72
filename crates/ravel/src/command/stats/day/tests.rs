use super::*;

#[test]
fn days_have_names() {
    let today = Day::from_ymd(2026, 3, 1).unwrap();
    for (text, expect) in [
        ("2026-01-31", "2026-01-31"),
        ("0d", "2026-03-01"),
        ("1d", "2026-02-28"),
        ("2w", "2026-02-15"),
    ] {
        let day = parse_day(text).unwrap().on(today);
        assert_eq!(day.to_string(), expect, "{text}");
    }
    for text in ["", "d", "soon", "3h", "2026-02-30", "é", "99999999999d"] {
        assert!(parse_day(text).is_err(), "{text}");
    }
}
