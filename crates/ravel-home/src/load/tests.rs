//! A file in pieces is the file.

use std::io::Write;

use ravel_format::{Outline, Source};

use super::{PIECE, SessionBytes, load_outline};

fn check(bytes: &[u8]) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let loaded = load_outline(file.path()).unwrap();
    let whole = Outline::from_bytes(bytes);
    assert_eq!(loaded.n_lines(), whole.n_lines());
    assert_eq!(loaded.n_bytes(), whole.n_bytes());
    assert_eq!(loaded.is_open_ended(), whole.is_open_ended());
    assert_eq!(loaded.entries().len(), whole.entries().len());
    let source = SessionBytes::open(file.path()).unwrap();
    for (one, other) in loaded.entries().iter().zip(whole.entries()) {
        assert_eq!((one.span, one.line), (other.span, other.line));
        assert_eq!(loaded.text(one.uuid), whole.text(other.uuid));
        assert_eq!(source.read(one.span), bytes.read(other.span));
    }
    assert!(source.take_error().is_none());
}

fn line(number: usize, length: usize) -> Vec<u8> {
    format!(
        "{{\"type\":\"user\",\"uuid\":\"u{number}\",\"message\":\"{}\"}}\n",
        "x".repeat(length)
    )
    .into_bytes()
}

#[test]
fn empty_and_small_files_load() {
    check(b"");
    check(b"\n");
    check(b"{\"type\":\"user\",\"uuid\":\"a\"}");
    check(&line(1, 10));
}

#[test]
fn lines_across_pieces_are_read_once() {
    let piece = PIECE as usize;
    let many: Vec<u8> = (0..3_000).flat_map(|number| line(number, 5_000)).collect();
    check(&many);
    let long: Vec<u8> = [10, piece * 3, 10, piece - 45, 10, 1, piece * 2]
        .iter()
        .enumerate()
        .flat_map(|(number, &length)| line(number, length))
        .collect();
    check(&long);
    check(&long[..long.len() - 1]);
}

#[test]
fn a_line_that_ends_right_at_a_border_belongs_to_one_piece() {
    let overhead = line(0, 0).len();
    let exact = [
        line(0, PIECE as usize - overhead),
        line(1, 5),
        line(2, PIECE as usize),
    ]
    .concat();
    check(&exact);
}
