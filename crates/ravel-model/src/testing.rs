//! A shorthand for sessions in tests: one word a line.
//!
//! `u:a<` is a prompt `a` without parent, `a:b<a` a reply, `a:b<a/m1!t1` a line of reply `m1` that
//! calls `t1`, `u:c<b=t1` its result, `s:d<` a system line, `B:d<~c` a compact boundary after `c`,
//! `S:e<d` a compact summary; `#` marks a sidechain and `?` a meta line. `L:x` is a `last-prompt`
//! that names `x`.

use ravel_format::Outline;

use crate::graph::Graph;

/// Makes the bytes of a session.
pub(crate) fn session(words: &str) -> Vec<u8> {
    words
        .split_whitespace()
        .enumerate()
        .map(|(n, word)| line(n, word) + "\n")
        .collect::<String>()
        .into_bytes()
}

/// Builds the graph of a session and hands it on.
pub(crate) fn with_graph<T>(words: &str, view: impl FnOnce(&Graph<'_>) -> T) -> T {
    let outline = Outline::from_bytes(&session(words));
    view(&Graph::build(&outline))
}

/// Names entries by their ids.
pub(crate) fn names(graph: &Graph<'_>, entries: impl IntoIterator<Item = usize>) -> String {
    let name = |index: usize| {
        graph
            .outline()
            .text(graph.entry(index).and_then(|entry| entry.uuid))
    };
    entries.into_iter().map(name).collect::<Vec<_>>().join(" ")
}

fn line(n: usize, word: &str) -> String {
    let (kind, rest) = word.split_once(':').unwrap();
    if kind == "L" {
        return format!(r#"{{"type":"last-prompt","leafUuid":"{rest}"}}"#);
    }
    let mark = |mark: char| {
        let from = rest.find(mark).map(|at| &rest[at + 1..])?;
        Some(
            from.split(['<', '/', '!', '=', '~', '#', '?'])
                .next()
                .unwrap(),
        )
    };
    let uuid = rest.split('<').next().unwrap();
    let text = |value: Option<&str>| {
        value
            .filter(|value| !value.is_empty())
            .map_or("null".into(), |value| format!("{value:?}"))
    };
    let (name, extra) = match kind {
        "u" => ("user", String::new()),
        "a" => ("assistant", String::new()),
        "s" => ("system", r#","subtype":"informational""#.into()),
        "p" => ("progress", r#","data":{"type":"hook_progress"}"#.into()),
        "B" => (
            "system",
            format!(
                r#","subtype":"compact_boundary","logicalParentUuid":{}"#,
                text(mark('~'))
            ),
        ),
        "S" => ("user", r#","isCompactSummary":true"#.into()),
        other => panic!("no such kind: {other}"),
    };
    let content = match (mark('!'), mark('=')) {
        (Some(call), _) => {
            format!(r#"[{{"type":"tool_use","id":"{call}","name":"Bash","input":{{}}}}]"#)
        }
        (_, Some(result)) => {
            format!(r#"[{{"type":"tool_result","tool_use_id":"{result}","content":"ok"}}]"#)
        }
        _ => format!("{uuid:?}"),
    };
    let (side, meta) = (rest.contains('#'), rest.contains('?'));
    format!(
        r#"{{"type":"{name}","uuid":"{uuid}","parentUuid":{parent}{extra},"isSidechain":{side},"isMeta":{meta},"timestamp":"2026-01-01T00:00:{n:02}.000Z","message":{{"id":{id},"content":{content}}}}}"#,
        parent = text(mark('<')),
        id = text(mark('/')),
    )
}
