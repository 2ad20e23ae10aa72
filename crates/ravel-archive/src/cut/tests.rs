//! Cuts are stable.

use proptest::prelude::*;

use super::*;

fn lines(n_lines: usize, length: usize) -> Vec<u8> {
    let line = |number: usize| {
        let number = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!(
            "{{\"uuid\":\"{number:x}\",\"text\":\"{}\"}}\n",
            "x".repeat(length)
        )
    };
    (0..n_lines)
        .flat_map(|number| line(number).into_bytes())
        .collect()
}

fn cut(bytes: &[u8]) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let length = first_chunk(rest);
        lengths.push(length);
        rest = &rest[length..];
    }
    lengths
}

#[test]
fn chunks_have_the_sizes_they_should_and_end_with_lines() {
    for length in [50, 1_000, 30_000] {
        let bytes = lines((40 << 20) / (length + 30), length);
        let lengths = cut(&bytes);
        let mean = bytes.len() / lengths.len();
        assert!((700 << 10..1_500 << 10).contains(&mean), "{length}: {mean}");
        let mut end = 0;
        for (number, chunk) in lengths.iter().enumerate() {
            end += chunk;
            assert_eq!(bytes[end - 1], b'\n');
            assert!(*chunk <= LARGEST);
            assert!(*chunk >= SMALLEST || number + 1 == lengths.len());
        }
    }
}

#[test]
fn a_line_of_many_megabytes_is_cut_by_size() {
    let bytes = vec![b'x'; 10 << 20];
    assert_eq!(cut(&bytes), [LARGEST, LARGEST, 2 << 20]);
}

#[test]
fn a_file_that_grows_keeps_all_chunks_but_the_last() {
    let bytes = lines(20_000, 400);
    let all = cut(&bytes);
    for end in [1_000_000, 3_333_333, bytes.len() - 1] {
        let before = cut(&bytes[..end]);
        let n_whole = before.len() - 1;
        assert_eq!(before[..n_whole], all[..n_whole]);
    }
}

#[test]
fn what_stands_before_is_soon_forgotten() {
    let bytes = lines(20_000, 400);
    let mut other = lines(1, 123_456);
    other.extend(&bytes);
    let ends = |lengths: &[usize], skipped: usize| -> Vec<usize> {
        let ends = lengths.iter().scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        ends.filter_map(|end| end.checked_sub(skipped)).collect()
    };
    let (one, other) = (
        ends(&cut(&bytes), 0),
        ends(&cut(&other), other.len() - bytes.len()),
    );
    let n_shared = one.iter().filter(|end| other.contains(end)).count();
    assert!(n_shared * 2 > one.len(), "{n_shared} of {}", one.len());
}

proptest! {
    #[test]
    fn every_chunk_has_something_in_it(bytes in proptest::collection::vec(any::<u8>(), 1..2_000)) {
        prop_assert_eq!(cut(&bytes).iter().sum::<usize>(), bytes.len());
    }
}
