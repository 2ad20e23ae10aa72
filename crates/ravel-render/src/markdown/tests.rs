use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

fn plain(text: &str, width: usize) -> String {
    let lines = render(text, &Options::new(width));
    lines.iter().map(|line| line.text() + "\n").collect()
}

#[track_caller]
fn check(text: &str, width: usize, expect: &str) {
    assert_eq!(plain(text, width), expect.trim_start_matches('\n'));
}

#[test]
fn blocks_stand_apart() {
    check(
        "# Title\nSome *soft*\ntext.\n\n---\nMore.",
        20,
        "
Title

Some soft text.

────────────────────

More.
",
    );
}

#[test]
fn lists_nest_and_hang() {
    check(
        "1. first item that wraps\n   - inner\n     - deep\n2. second\n\nafter",
        16,
        "
1. first item
   that wraps
   ◦ inner
     • deep
2. second

after
",
    );
    check(
        "- [x] done\n- [ ] open\n-\n",
        20,
        "• ☑ done\n• ☐ open\n• \n",
    );
    check("- a\n\n- b\n", 20, "• a\n\n• b\n");
}

#[test]
fn quotes_keep_their_bar() {
    check(
        "> one two three\n>\n> - item\n> > deep\n\nout",
        12,
        "
│ one two
│ three
│
│ • item
│
│ │ deep

out
",
    );
}

#[test]
fn links_show_where_they_go() {
    check("[text](https://e.org/)", 60, "text (https://e.org/)\n");
    check("<https://e.org/>", 60, "https://e.org/\n");
    check("[x](javascript:alert(1))", 60, "x (javascript:alert(1))\n");
    check("![alt](a.png)", 60, "[image: alt] (a.png)\n");
    let linked = render(
        "[text](https://e.org/)",
        &Options::new(60).with_hyperlinks(),
    );
    assert_eq!(linked[0].text(), "text");
    assert_eq!(linked[0].spans()[0].link(), Some("https://e.org/"));
}

#[test]
fn html_is_shown_as_text() {
    check(
        "a <b>bold</b>\n\n<script>x</script>\n",
        60,
        "a <b>bold</b>\n\n<script>x</script>\n",
    );
}

#[test]
fn code_keeps_its_shape() {
    check(
        "```rust\nfn a() {\n    b()\n}\n```\nafter",
        30,
        "  fn a() {\n      b()\n  }\n\nafter\n",
    );
    check("- item\n  ```\n  x\n  ```\n", 30, "• item\n    x\n");
    let code = render("```rust\nfn a() {}\n```", &Options::new(30));
    assert!(code[0].spans().len() > 1);
}

#[test]
fn tables_align_and_shrink() {
    let table = "|name|count|\n|:--|--:|\n|a|1|\n|long name|20|\n";
    check(
        table,
        40,
        "
name      │ count
──────────┼──────
a         │     1
long name │    20
",
    );
    check(
        "|k|text|\n|-|-|\n|a|one two three four|\n",
        16,
        "
k │ text
──┼─────────────
a │ one two
  │ three four
",
    );
    check(
        "|first|second|\n|-|-|\n|aaaaaaaa|bbbbbbb|\n",
        10,
        "first:\n  aaaaaaaa\nsecond:\n  bbbbbbb\n",
    );
}

#[test]
fn hostile_markdown_takes_linear_time() {
    let wide_head = format!(
        "{}\n{}\n{}",
        "|a".repeat(2_000),
        "|-".repeat(2_000),
        "|x\n".repeat(2_000)
    );
    let cases = [
        ">".repeat(50_000) + "x",
        "- ".repeat(20_000) + "x",
        "*a_ ".repeat(20_000),
        "[".repeat(50_000),
        "![[]()".repeat(10_000),
        "`".repeat(50_000),
        "<".repeat(50_000),
        (0..3_000)
            .map(|n| " ".repeat(n % 300) + "- x\n")
            .collect::<String>(),
        wide_head,
        "x".repeat(900_000),
        "\u{301}".repeat(200_000),
    ];
    for case in cases {
        let start = Instant::now();
        render(&case, &Options::new(80));
        let head: String = case.chars().take(12).collect();
        // Generous for a debug build; quadratic work would take minutes.
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{head:?} {:?}",
            start.elapsed()
        );
    }
}

proptest! {
    #[test]
    fn lines_fit(text in "[-#>*_`|a-c \\n\\[\\](){}1.日]{0,120}", width in 24usize..60) {
        for line in render(&text, &Options::new(width)) {
            prop_assert!(line.width() <= width, "{:?}", line.text());
        }
    }
}
