use super::*;

#[track_caller]
fn check_depth(inputs: ColorInputs<'_>, expect: ColorDepth) {
    assert_eq!(ColorDepth::decide(&inputs), expect, "{inputs:?}");
}

#[test]
fn the_depth_follows_flag_then_environment_then_terminal() {
    let terminal = ColorInputs {
        is_terminal: true,
        term: Some("xterm-256color"),
        ..ColorInputs::default()
    };
    check_depth(terminal, ColorDepth::Ansi256);
    check_depth(
        ColorInputs {
            colorterm: Some("truecolor"),
            ..terminal
        },
        ColorDepth::TrueColor,
    );
    check_depth(
        ColorInputs {
            term: Some("xterm"),
            ..terminal
        },
        ColorDepth::Ansi16,
    );
    check_depth(
        ColorInputs {
            term: Some("dumb"),
            ..terminal
        },
        ColorDepth::None,
    );
    check_depth(
        ColorInputs {
            is_terminal: false,
            ..terminal
        },
        ColorDepth::None,
    );
    check_depth(
        ColorInputs {
            no_color: Some("1"),
            ..terminal
        },
        ColorDepth::None,
    );
    check_depth(
        ColorInputs {
            no_color: Some(""),
            ..terminal
        },
        ColorDepth::Ansi256,
    );
    let piped = ColorInputs {
        is_terminal: false,
        ..terminal
    };
    check_depth(
        ColorInputs {
            clicolor_force: Some("1"),
            ..piped
        },
        ColorDepth::Ansi256,
    );
    check_depth(
        ColorInputs {
            clicolor_force: Some("0"),
            ..piped
        },
        ColorDepth::None,
    );
    let always = ColorInputs {
        choice: ColorChoice::Always,
        no_color: Some("1"),
        ..piped
    };
    check_depth(always, ColorDepth::Ansi256);
    check_depth(
        ColorInputs {
            choice: ColorChoice::Never,
            ..terminal
        },
        ColorDepth::None,
    );
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
