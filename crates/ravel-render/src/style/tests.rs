use super::*;

#[track_caller]
fn check_depth(change: impl FnOnce(&mut ColorInputs<'static>), expect: ColorDepth) {
    let mut inputs = ColorInputs {
        is_terminal: true,
        term: Some("xterm-256color"),
        ..ColorInputs::default()
    };
    change(&mut inputs);
    assert_eq!(ColorDepth::decide(&inputs), expect, "{inputs:?}");
}

#[test]
fn a_terminal_gets_the_colors_it_has() {
    check_depth(|_| {}, ColorDepth::Ansi256);
    check_depth(|it| it.colorterm = Some("truecolor"), ColorDepth::TrueColor);
    check_depth(|it| it.term = Some("xterm"), ColorDepth::Ansi16);
    check_depth(|it| it.term = Some("dumb"), ColorDepth::None);
    check_depth(|it| it.is_terminal = false, ColorDepth::None);
}

#[test]
fn a_flag_beats_no_color_which_beats_force() {
    check_depth(|it| it.no_color = Some("1"), ColorDepth::None);
    check_depth(|it| it.no_color = Some(""), ColorDepth::Ansi256);
    check_depth(|it| it.choice = ColorChoice::Never, ColorDepth::None);
    for (force, expect) in [("1", ColorDepth::Ansi256), ("0", ColorDepth::None)] {
        let change = |it: &mut ColorInputs<'static>| {
            (it.is_terminal, it.clicolor_force) = (false, Some(force));
        };
        check_depth(change, expect);
    }
    let always = |it: &mut ColorInputs<'static>| {
        (it.choice, it.is_terminal, it.no_color) = (ColorChoice::Always, false, Some("1"));
    };
    check_depth(always, ColorDepth::Ansi256);
}

#[track_caller]
fn check_paint(depth: ColorDepth, span: Span, expect: &str) {
    let mut out = String::new();
    let painter = Painter::new(Palette::new(depth, Background::Dark)).with_hyperlinks();
    painter
        .paint_line(&Line::from(vec![span]), &mut out)
        .unwrap();
    assert_eq!(out, expect);
}

#[test]
fn each_depth_has_its_codes() {
    let error = || Span::new("no", Style::of(Role::Error).bold());
    check_paint(ColorDepth::None, error(), "no");
    check_paint(ColorDepth::Ansi16, error(), "\u{1b}[1;31mno\u{1b}[0m");
    check_paint(
        ColorDepth::Ansi256,
        error(),
        "\u{1b}[1;38;5;210mno\u{1b}[0m",
    );
    check_paint(
        ColorDepth::TrueColor,
        error(),
        "\u{1b}[1;38;2;240;138;132mno\u{1b}[0m",
    );
    check_paint(
        ColorDepth::TrueColor,
        Span::new("text", Role::Plain),
        "text",
    );
    check_paint(
        ColorDepth::Ansi16,
        Span::new("w", Role::AddedWord),
        "\u{1b}[4;32mw\u{1b}[0m",
    );
}

#[test]
fn only_web_links_become_hyperlinks() {
    let span = |address| Span::new("t", Role::Plain).linked(address);
    check_paint(
        ColorDepth::None,
        span("https://example.org/"),
        "\u{1b}]8;;https://example.org/\u{1b}\\t\u{1b}]8;;\u{1b}\\",
    );
    for refused in [
        "file:///etc/passwd",
        "https://a b",
        "https://a\u{1b}\\",
        "javascript:x",
    ] {
        check_paint(ColorDepth::None, span(refused), "t");
    }
}

#[test]
fn text_is_sanitized_on_the_way_in() {
    check_paint(
        ColorDepth::None,
        Span::new("\u{1b}[2J", Role::Plain),
        "␛[2J",
    );
    assert_eq!(Line::of("a\nb", Role::Plain).text(), "a b");
}

#[test]
fn writing_bytes_equals_painting_text() {
    let lines = [
        Line::of("one", Role::Accent),
        Line::new().with("a", Role::Plain),
    ];
    let painter = Painter::new(Palette::new(ColorDepth::Ansi256, Background::Light));
    let (mut text, mut bytes) = (String::new(), Vec::new());
    painter.paint(&lines, &mut text).unwrap();
    painter.write(&lines, &mut bytes).unwrap();
    assert_eq!(text.as_bytes(), bytes);
}
