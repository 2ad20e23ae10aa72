use proptest::prelude::*;

use super::*;
use crate::code::Language;
use crate::diff::Diff;

#[track_caller]
fn check(markdown: &str, expect: &str) {
    let html = markdown_html(markdown).0;
    assert_eq!(html, format!("<div class=\"prose\">{expect}</div>"));
}

#[test]
fn markdown_becomes_tags() {
    check(
        "# A\n*b* **c** ~~d~~",
        "<h3>A</h3><p><em>b</em> <strong>c</strong> <del>d</del></p>",
    );
    check("3. a\n4. b", "<ol start=\"3\"><li>a</li><li>b</li></ol>");
    check(
        "- [x] a",
        "<ul><li><span class=\"task\">☑</span> a</li></ul>",
    );
    check(
        "|a|b|\n|-|-:|\n|1|2|",
        "<div class=\"wide\"><table><thead><tr><th>a</th><th class=\"right\">b</th></tr></thead>\
         <tbody><tr><td>1</td><td class=\"right\">2</td></tr></tbody></table></div>",
    );
}

#[test]
fn raw_html_is_text() {
    check(
        "a <img src=x onerror=y>",
        "<p>a &lt;img src=x onerror=y&gt;</p>",
    );
    check(
        "<script>x</script>",
        "<pre class=\"text\">&lt;script&gt;x&lt;/script&gt;</pre>",
    );
}

#[test]
fn only_web_and_mail_links_are_links() {
    check(
        "[a](https://e.org/?a=1&b=\"2\")",
        "<p><a rel=\"noopener noreferrer\" href=\"https://e.org/?a=1&amp;b=&quot;2&quot;\">a</a></p>",
    );
    for address in [
        "javascript:x",
        "JaVaScript:x",
        "data:text/html,x",
        "file:///x",
        "//e.org",
        "vbscript:x",
    ] {
        let html = markdown_html(&format!("[a]({address})")).0;
        assert!(!html.contains("href"), "{html}");
    }
}

#[test]
fn images_are_named_and_never_loaded() {
    let html =
        markdown_html("![alt *text*](https://e.org/a.png) ![b](data:image/png;base64,AAAA)").0;
    assert!(!html.contains("<img") && !html.contains("AAAA"), "{html}");
    assert!(html.contains("[image] alt"), "{html}");
    assert!(
        image("image/png", "AAAA", "d")
            .0
            .contains("src=\"data:image/png;base64,AAAA\"")
    );
    for (kind, data) in [
        ("image/svg+xml", "AAAA"),
        ("image/png", "\"onerror=x"),
        ("text/html", "AA"),
        ("image/png", ""),
    ] {
        assert!(!image(kind, data, "d").0.contains("<img"), "{kind} {data}");
    }
}

#[test]
fn a_linked_image_is_one_link() {
    let html = markdown_html("[![b](https://e.org/b.svg)](https://e.org)").0;
    assert_eq!(html.matches("<a ").count(), 1, "{html}");
}

#[test]
fn deep_nesting_is_limited_and_balanced() {
    let html = markdown_html(&(">".repeat(10_000) + "x")).0;
    assert!(html.matches("<blockquote>").count() < 100);
    assert_eq!(
        html.matches("<blockquote>").count(),
        html.matches("</blockquote>").count()
    );
    assert!(html.contains('x'));
}

#[test]
fn code_has_classes_and_big_code_has_none() {
    let small = code_html("fn a() {}", Language::Named("rust")).0;
    assert!(small.contains("<span class=\"f\">a</span>"), "{small}");
    let big = code_html(&"fn a() {}\n".repeat(110_000), Language::Named("rust")).0;
    assert!(!big.contains("class=\"f\""));
    let hostile = code_html("</code><script>", Language::Named("\"><script>")).0;
    assert!(!hostile.contains("<script>"), "{hostile}");
}

#[test]
fn diffs_mark_words_and_cut() {
    let diff = Diff::of_texts("let a = 1;\n", "let a = 2;\n<b>\n");
    let html = diff_html(&diff, 2).0;
    assert!(html.contains("<span class=\"del\" data-n=\"1\">"), "{html}");
    assert!(
        html.ends_with("<span class=\"skip\">… 1 more line</span></pre>"),
        "{html}"
    );
    assert!(
        diff_html(&Diff::of_texts("a b c\n", "a x c\n"), 9)
            .0
            .contains("<mark>x</mark>")
    );
}

#[test]
fn terminals_keep_colors_only() {
    let html = terminal_html("ls <x>", "\u{1b}[31mred\u{1b}[0m\u{1b}]0;t\u{7}").0;
    assert_eq!(
        html,
        "<pre class=\"terminal\"><span class=\"command\">ls &lt;x&gt;</span><span class=\"e\">red</span>\n</pre>"
    );
}

#[test]
fn a_page_streams_to_the_same_bytes() {
    let head = Head {
        title: "A </title><script>x</script>",
        facts: &[("Model", "<m>".to_owned())],
    };
    let body = reply("r", &markdown_html("text"));
    let mut writer = PageWriter::new(Vec::new(), &head).unwrap();
    writer.section(&body).unwrap();
    let streamed = String::from_utf8(writer.finish().unwrap()).unwrap();
    let whole = page(&head, &body);
    assert_eq!(streamed.replace("</section>\n", "</section>"), whole);
    assert!(!whole.contains("<script>x"));
}

#[test]
fn nothing_comes_from_outside() {
    let whole = page(
        &Head {
            title: "t",
            facts: &[],
        },
        &reply("r", &text_html("x")),
    );
    assert_eq!(whole.matches("<script").count(), 1);
    assert_eq!(whole.matches("<style").count(), 1);
    for outside in ["http://", "https://", "url(", "@import", " style=\""] {
        assert!(!whole.contains(outside), "{outside}");
    }
    assert!(whole.contains("default-src 'none'"));
    assert!(
        whole.contains("script-src 'sha256-"),
        "the policy names the script"
    );
}

proptest! {
    #[test]
    fn no_text_becomes_markup(text in "[<>&\"'a-c\\n`*\\[\\]()!#|:/-]{0,60}") {
        let pieces = [
            markdown_html(&format!("{text}<script>alert(1)</script>")).0,
            code_html(&format!("{text}<script>"), Language::Named("html")).0,
            terminal_html(&text, &format!("{text}<script>")).0,
            prompt(&text, Asked { who: &text, time: &text }, &text_html("<script>")).0,
        ];
        for html in pieces {
            prop_assert!(!html.contains("<script"), "{html}");
            prop_assert!(!html.contains("<b>") && !html.contains("onerror="));
        }
    }
}
