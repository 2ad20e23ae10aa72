use super::*;
use proptest::prelude::*;
use std::fs;
use std::io::Write;

struct Case {
    _dir: tempfile::TempDir,
    path: PathBuf,
    tail: Tail,
}

impl Case {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        Self {
            tail: Tail::from_start(&path),
            _dir: dir,
            path,
        }
    }

    fn append(&self, bytes: &[u8]) {
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(&self.path)
            .unwrap();
        file.write_all(bytes).unwrap();
    }

    /// Polls once and says what happened in a few words.
    fn poll(&mut self) -> String {
        match self.tail.poll().unwrap() {
            TailEvent::Lines(chunk) => {
                let lines: Vec<_> = chunk
                    .lines()
                    .map(|(at, line)| format!("{at}:{}", String::from_utf8_lossy(line)))
                    .collect();
                lines.join(" ")
            }
            other => format!("{other:?}"),
        }
    }
}

#[test]
fn a_torn_line_is_held_back_until_its_newline_comes() {
    let mut case = Case::new();
    assert_eq!(case.poll(), "Missing");
    case.append(b"one\ntw");
    assert_eq!(case.poll(), "0:one");
    assert_eq!(case.tail.pending(), b"tw");
    assert_eq!(case.tail.offset(), 4);
    assert_eq!(case.poll(), "Idle");
    case.append(b"o");
    assert_eq!(case.poll(), "Idle");
    assert_eq!(case.tail.pending(), b"two");
    case.append(b"\n\nfour\n");
    assert_eq!(case.poll(), "4:two 8: 9:four");
    assert_eq!(case.tail.pending(), b"");
}

#[test]
fn truncation_starts_over() {
    let mut case = Case::new();
    case.append(b"one\ntwo\n");
    assert_eq!(case.poll(), "0:one 4:two");
    fs::write(&case.path, "x\n").unwrap();
    assert_eq!(case.poll(), "Reset");
    assert_eq!(case.poll(), "0:x");
    assert_eq!(case.poll(), "Idle");
}

#[test]
fn a_rewrite_that_is_longer_starts_over() {
    let mut case = Case::new();
    case.append(b"one\ntwo\n");
    assert_eq!(case.poll(), "0:one 4:two");
    fs::write(&case.path, "other\nlines\nhere\n").unwrap();
    assert_eq!(case.poll(), "Reset");
    assert_eq!(case.poll(), "0:other 6:lines 12:here");
}

#[test]
fn a_replacement_starts_over_even_with_the_same_text() {
    let mut case = Case::new();
    case.append(b"one\n");
    assert_eq!(case.poll(), "0:one");
    let new = case.path.with_extension("new");
    fs::write(&new, "one\n").unwrap();
    fs::rename(&new, &case.path).unwrap();
    assert_eq!(case.poll(), "Reset");
    assert_eq!(case.poll(), "0:one");
}

#[test]
fn a_file_that_goes_and_comes_back_starts_over() {
    let mut case = Case::new();
    case.append(b"one\n");
    assert_eq!(case.poll(), "0:one");
    fs::remove_file(&case.path).unwrap();
    assert_eq!(case.poll(), "Reset");
    assert_eq!(case.poll(), "Missing");
    case.append(b"two\n");
    assert_eq!(case.poll(), "0:two");
}

#[test]
fn following_can_start_at_a_later_line() {
    let mut case = Case::new();
    case.append(b"one\ntwo\n");
    case.tail = Tail::from_offset(&case.path, 4);
    assert_eq!(case.poll(), "4:two");
    case.tail = Tail::from_offset(&case.path, 99);
    assert_eq!(case.poll(), "Reset");
}

#[test]
fn a_line_larger_than_one_read_comes_whole() {
    let mut case = Case::new();
    let line = vec![b'x'; LARGEST_READ + 10];
    case.append(&line);
    case.append(b"\nlast\n");
    assert_eq!(case.poll(), "Idle");
    let TailEvent::Lines(chunk) = case.tail.poll().unwrap() else {
        panic!()
    };
    let lengths: Vec<_> = chunk.lines().map(|(_, line)| line.len()).collect();
    assert_eq!(lengths, [LARGEST_READ + 10, 4]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_chunking_gives_the_same_lines(
        chunks in prop::collection::vec(prop::collection::vec(prop::sample::select(b"ab\n\r\0".to_vec()), 0..12), 0..12),
    ) {
        let mut case = Case::new();
        let mut seen = Vec::new();
        let mut next = 0;
        for chunk in &chunks {
            case.append(chunk);
            if let TailEvent::Lines(chunk) = case.tail.poll().unwrap() {
                prop_assert_eq!(chunk.offset, next);
                next += chunk.bytes.len() as u64;
                seen.extend(chunk.bytes);
            }
        }
        let whole = chunks.concat();
        let end = whole.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        prop_assert_eq!(&seen, &whole[..end]);
        prop_assert_eq!(case.tail.pending(), &whole[end..]);
    }
}
