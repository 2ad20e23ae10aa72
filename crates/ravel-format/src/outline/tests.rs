//! The outline says the same as the records, in any chunking.

use proptest::prelude::*;

use super::{Flags, Outline, ToolRole};
use crate::line::lines;
use crate::record::parse_line;

/// Writes one line a record: kind, ids, flags and tool calls.
fn describe(outline: &Outline) -> Vec<String> {
    outline
        .entries()
        .iter()
        .map(|entry| {
            let flag = |flag, name| if entry.has(flag) { name } else { "" };
            let tools: String = [
                (ToolRole::Call, "!"),
                (ToolRole::Result, "="),
                (ToolRole::Launch, "@"),
                (ToolRole::Progress, "~"),
            ]
            .iter()
            .flat_map(|&(role, mark)| outline.tools(entry, role).map(move |id| (mark, id)))
            .map(|(mark, id)| format!(" {mark}{}", outline.ids().text(id)))
            .collect();
            format!(
                "{}:{} {}<{}{}{}{}{}",
                entry.line,
                entry.kind.name(),
                outline.text(entry.uuid),
                outline.text(entry.parent),
                flag(Flags::SIDECHAIN, " side"),
                flag(Flags::META, " meta"),
                entry
                    .fault
                    .map(|fault| format!(" {fault:?}"))
                    .unwrap_or_default(),
                tools,
            )
        })
        .collect()
}

const SAMPLE: &str = concat!(
    r#"{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"hi"},"uuid":"a","timestamp":"2026-01-01T00:00:00.000Z"}"#,
    "\n",
    r#"{"parentUuid":"a","type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"type":"text","id":"x"}}]},"uuid":"b"}"#,
    "\n\n",
    r#"{"parentUuid":"b","type":"user","message":{"content":[{"tool_use_id":"t1","type":"tool_result","content":"ok"}]},"uuid":"c","toolUseResult":{"agentId":"ag"},"isMeta":true}"#,
    "\n",
    r#"{"type":"progress","data":{"type":"agent_progress","agentId":"ag"},"toolUseID":"t2","parentToolUseID":"t1","uuid":"d","parentUuid":"c","isSidechain":true}"#,
    "\n[1]\n",
    r#"{"uuid":"e","type":"mystery"}{"uuid":"f","type":"user","parentUuid":"e"}"#,
);

#[test]
fn entries_hold_what_linking_needs() {
    assert_eq!(
        describe(&Outline::from_bytes(SAMPLE.as_bytes())),
        [
            "1:user a<",
            "2:assistant b<a !t1",
            "3:none < Blank",
            "4:user c<b meta =t1 @ag",
            "5:progress d<c side @ag ~t2 ~t1",
            "6:none < NotAnObject",
            "7:unknown e< Glued",
            "7:user f<e Glued",
        ]
    );
}

#[test]
fn a_damaged_line_leaves_no_trace_of_its_first_try() {
    let torn = br#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1"}]},"uu"#;
    let outline = Outline::from_bytes(torn);
    assert_eq!(describe(&outline), ["1:none < Torn"]);
    assert!(outline.is_open_ended());
}

proptest! {
    #[test]
    fn pieces_joined_are_the_whole(cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4)) {
        let bytes = SAMPLE.repeat(3).into_bytes();
        let ends: Vec<usize> = lines(&bytes).map(|line| line.span.end() as usize + line.ending.bytes().len()).collect();
        let mut bounds: Vec<usize> = cuts.iter().map(|cut| *cut.get(&ends)).collect();
        bounds.extend([0, bytes.len()]);
        bounds.sort_unstable();
        let mut joined = Outline::default();
        for pair in bounds.windows(2) {
            joined.append(Outline::from_piece(&bytes[pair[0]..pair[1]], pair[0] as u64));
        }
        let whole = Outline::from_bytes(&bytes);
        prop_assert_eq!(describe(&joined), describe(&whole));
        prop_assert_eq!(joined.n_bytes(), whole.n_bytes());
    }

    #[test]
    fn every_record_is_in_the_outline_once(input in r#"(\{"uuid":"[ab]{0,2}"\}|\{"type":"x|[{}\[\]",:a1 \n]){0,12}"#) {
        let spans: Vec<_> = lines(input.as_bytes()).flat_map(|line| parse_line(&line)).map(|record| record.span).collect();
        let outline = Outline::from_bytes(input.as_bytes());
        let found: Vec<_> = outline.entries().iter().map(|entry| entry.span).collect();
        prop_assert_eq!(found, spans);
    }
}
