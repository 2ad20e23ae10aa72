use jiff::tz::{TimeZone, offset};

use super::{ProjectFilter, Since, parse_since_in};

#[track_caller]
fn check_since(text: &str, expected: Option<Since>) {
    let found = parse_since_in(text, TimeZone::fixed(offset(2)));
    assert_eq!(found.ok(), expected, "{text}");
}

#[test]
fn moments_as_people_say_them() {
    check_since("90m", Some(Since::Ago(5_400_000)));
    check_since("2w", Some(Since::Ago(1_209_600_000)));
    // Midnight two hours east of Greenwich is ten in the evening there.
    check_since("2026-01-31", Some(Since::At(1_769_810_400_000)));
    check_since("2026-01-31T02:00", Some(Since::At(1_769_817_600_000)));
    check_since("2026-01-31T00:00:00Z", Some(Since::At(1_769_817_600_000)));
    for text in ["", "d", "3", "yesterday", "2026-02-31", "5y"] {
        check_since(text, None);
    }
}

#[test]
fn below_means_whole_components() {
    let here = ProjectFilter::Below("/srv/shop".into());
    for (folder, is_wanted) in [
        ("/srv/shop", true),
        ("/srv/shop/web", true),
        ("/srv/shop-old", false),
        ("/srv", false),
        ("/mnt/srv/shop", false),
    ] {
        assert_eq!(here.admits(folder), is_wanted, "{folder}");
    }
    assert!(here.admits_slug("-srv-shop"));
    assert!(!here.admits_slug("-srv-shop-old"));
    assert!(ProjectFilter::Containing("shop".into()).admits("/srv/Shop-old"));
}
