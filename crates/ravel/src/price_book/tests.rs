use ravel_model::price::Book;

use super::line_of;

#[track_caller]
fn check(text: &str, expected: Option<usize>) {
    let error = Book::default().merge(text, "mine").unwrap_err();
    assert_eq!(line_of(text, &error), expected, "{error}");
}

#[test]
fn the_line_that_is_wrong_is_found() {
    const PRICES: &str =
        "input = 1\noutput = 2\ncache-write-5m = 1\ncache-write-1h = 1\ncache-read = 1\n";
    check("format = 1\n\nread = 2026-13-01\n", Some(3));
    check("format = 1\nprises = 3\n", Some(2));
    check("# mine\nformat = 7\n", Some(2));
    check(&format!("\n[[price]]\nmodels = []\n{PRICES}"), Some(3));
    check("[fees]\nbatch = -1\n", Some(2));
    check(
        &format!("[[price]]\nmodels = [\"m\"]\nfrom = 10:00:00\n{PRICES}"),
        Some(3),
    );
    let bands = "[[price.above]]\nprompt = 9\n";
    check(
        &format!("[[price]]\nmodels = [\"M\"]\n{PRICES}{bands}{PRICES}{bands}{PRICES}"),
        Some(2),
    );
}
