//! Whole sessions as text.

use ravel_testkit::SessionBuilder;

use crate::terminal::{TerminalOptions, Thinking, Tools};
use crate::testing::{find_control, hostile, with_session};

fn export(options: &TerminalOptions, write: impl FnOnce(&mut SessionBuilder)) -> String {
    with_session(write, |session| {
        let mut out = Vec::new();
        super::write(session, &session.history(), options, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    })
}

#[test]
fn marks_are_rendered_and_colors_left_out() {
    let options = TerminalOptions {
        palette: crate::style::Palette::new(
            crate::style::ColorDepth::TrueColor,
            crate::style::Background::Dark,
        ),
        hyperlinks: true,
        ..TerminalOptions::new(60)
    };
    let text = export(&options, |session| {
        session.prompt("Hi");
        session.reply("Use **this** [page](https://example.org/).");
    });
    insta::assert_snapshot!("text", text);
}

#[test]
fn nothing_hostile_is_written() {
    let options = TerminalOptions {
        tools: Tools::Full,
        thinking: Thinking::Shown,
        agents: true,
        everything: true,
        ..TerminalOptions::new(80)
    };
    assert_eq!(find_control(&export(&options, hostile)), None);
}
