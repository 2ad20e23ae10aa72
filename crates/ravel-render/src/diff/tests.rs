use proptest::prelude::*;

use super::*;
use crate::style::Line;

fn picture(diff: &Diff) -> String {
    let mut out = String::new();
    for hunk in &diff.hunks {
        out += &format!("@ {} {}\n", hunk.old_start, hunk.new_start);
        for line in &hunk.lines {
            out.push(line.kind.sign());
            for piece in &line.pieces {
                out += &if piece.is_changed {
                    format!("[{}]", piece.text)
                } else {
                    piece.text.clone()
                };
            }
            out.push('\n');
        }
    }
    out
}

#[track_caller]
fn check(old: &str, new: &str, expect: &str) {
    assert_eq!(picture(&Diff::of_texts(old, new)), expect);
}

#[test]
fn changed_words_are_marked() {
    check(
        "a\nlet total = one + two;\nb\n",
        "a\nlet total = one + three;\nb\n",
        "@ 1 1\n a\n-let total = one + [two];\n+let total = one + [three];\n b\n",
    );
}

#[test]
fn lines_that_share_little_are_not_marked() {
    check(
        "alpha beta\n",
        "x = gamma(1)\n",
        "@ 1 1\n-alpha beta\n+x = gamma(1)\n",
    );
}

#[test]
fn far_changes_make_two_hunks() {
    let old: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    let new = old
        .replace("line 2\n", "")
        .replace("line 19\n", "line 19\nmore\n");
    let diff = Diff::of_texts(&old, &new);
    assert_eq!(diff.hunks.len(), 2);
    assert_eq!(diff.summary(), "+1 −1");
    assert_eq!(diff.hunks[1].lines.last().unwrap().new_number, Some(20));
}

#[test]
fn equal_and_empty_texts_have_no_hunks() {
    check("a\n", "a\n", "");
    check("", "", "");
    check("", "a\nb", "@ 1 1\n+a\n+b\n");
}

#[test]
fn patches_keep_their_numbers_and_tolerate_nonsense() {
    let hunk = PatchHunk {
        old_start: 7,
        new_start: 9,
        lines: vec![
            " same",
            "-old way",
            "+new way",
            "\\ No newline at end of file",
            "",
            "odd",
        ],
    };
    let diff = Diff::of_patch(&[hunk]);
    assert_eq!((diff.added, diff.removed), (1, 1));
    assert_eq!(diff.hunks[0].lines[1].old_number, Some(8));
    assert_eq!(diff.hunks[0].lines[2].new_number, Some(10));
    assert_eq!(
        picture(&diff),
        "@ 7 9\n same\n-[old] way\n+[new] way\n\\ No newline at end of file\n \n odd\n"
    );
    let wild = PatchHunk {
        old_start: usize::MAX,
        new_start: usize::MAX,
        lines: vec!["-a", "-b"],
    };
    assert_eq!(Diff::of_patch(&[wild]).removed, 2);
}

#[test]
fn big_unrelated_texts_become_one_replacement() {
    let text = |word: &str| {
        (0..20_000)
            .map(|n| format!("{word} {n}\n"))
            .collect::<String>()
    };
    let diff = Diff::of_texts(
        &format!("same\n{}", text("a")),
        &format!("same\n{}", text("b")),
    );
    assert_eq!(
        (diff.hunks.len(), diff.added, diff.removed),
        (1, 20_000, 20_000)
    );
}

#[test]
fn rendering_numbers_and_cuts() {
    let diff = Diff::of_texts("a\nb\nc\n", "a\n\tB\nc\nd\n");
    let text = |lines: Vec<Line>| lines.iter().map(Line::text).collect::<Vec<_>>();
    assert_eq!(
        text(render(&diff, &Options::new(40))),
        ["1   a", "2 - b", "2 +     B", "3   c", "4 + d"]
    );
    assert_eq!(
        text(render(&diff, &Options::new(40).with_max_lines(2))),
        ["1   a", "2 - b", "… 3 more lines"]
    );
    let long = Diff::of_texts("", "abcdefgh\n");
    assert_eq!(
        text(render(&long, &Options::new(8))),
        ["1 + abcd", "    efgh"]
    );
}

proptest! {
    #[test]
    fn applying_a_diff_gives_the_new_text(old in "([a-c]\n){0,30}", new in "([a-c]\n){0,30}") {
        let diff = Diff::of_texts(&old, &new);
        let old_lines: Vec<&str> = old.lines().collect();
        let mut built: Vec<String> = Vec::new();
        let mut at = 0;
        for hunk in &diff.hunks {
            built.extend(old_lines[at..hunk.old_start - 1].iter().map(ToString::to_string));
            at = hunk.old_start - 1;
            for line in &hunk.lines {
                if line.kind != LineKind::Removed { built.push(line.text()); }
                if line.kind != LineKind::Added { at += 1; }
            }
        }
        built.extend(old_lines[at..].iter().map(ToString::to_string));
        prop_assert_eq!(built, new.lines().collect::<Vec<_>>());
    }
}
