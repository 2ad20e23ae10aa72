//! Lines put together again are the file.

use proptest::prelude::*;

use super::{Ending, lines};

#[test]
fn endings_are_told_apart() {
    let found: Vec<_> = lines(b"a\r\n\n\rb\nc")
        .map(|line| (line.number, line.bytes, line.ending))
        .collect();
    assert_eq!(
        found,
        [
            (1, &b"a"[..], Ending::CrLf),
            (2, b"", Ending::Lf),
            (3, b"\rb", Ending::Lf),
            (4, b"c", Ending::Eof),
        ]
    );
}

proptest! {
    #[test]
    fn lines_and_endings_are_the_file(bytes in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..200)) {
        let mut again = Vec::new();
        for line in lines(&bytes) {
            prop_assert_eq!(line.span.start as usize, again.len());
            again.extend_from_slice(line.bytes);
            again.extend_from_slice(line.ending.bytes());
        }
        prop_assert_eq!(again, bytes);
    }
}
