use std::io::Write;

use super::Harmless;

/// Writes bytes in pieces of every size; the outcome must be the same.
#[track_caller]
fn check(bytes: &[u8], expected: &[u8]) {
    for size in 1..=bytes.len() {
        let mut out = Vec::new();
        let mut harmless = Harmless::new(&mut out);
        for piece in bytes.chunks(size) {
            harmless.write_all(piece).unwrap();
        }
        assert_eq!(out, expected, "in pieces of {size}");
    }
}

#[test]
fn what_a_terminal_obeys_is_escaped() {
    check("ä\n\t\"€\"😀".as_bytes(), "ä\n\t\"€\"😀".as_bytes());
    check(b"\x1b[2J\x07\r\x00", b"\\u001b[2J\\u0007\\u000d\\u0000");
    check(
        "\u{7f}\u{9b}31m\u{202e}x\u{2066}\u{61c}\u{2028}".as_bytes(),
        b"\\u007f\\u009b31m\\u202ex\\u2066\\u061c\\u2028",
    );
}

#[test]
fn bytes_that_are_no_text_hide_nothing_behind_them() {
    check(
        b"\xff\x1b[2J\xc3\x28\xc2\x9b",
        b"\xff\\u001b[2J\xc3(\\u009b",
    );
    check(b"\xe2\x80A\xe2\x80A", b"\xe2\x80A\xe2\x80A");
    check(b"\xe2\x80\x1b\xe2\x80\xae!", b"\xe2\x80\\u001b\\u202e!");
}
