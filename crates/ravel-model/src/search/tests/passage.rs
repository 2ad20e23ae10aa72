//! What a record says, in every dialect.

use super::{with_passages, with_record};
use crate::search::{CallFacts, Role, calls};

/// Checks texts as `role: text`, one a line, ends of lines as `|`.
#[track_caller]
fn check(line: &str, expected: &[&str]) {
    let found = with_passages(line, |passages| {
        let shown = passages.iter().map(|passage| {
            let text = passage.text.replace('\n', "|");
            format!("{}: {text}", passage.role.word())
        });
        shown.collect::<Vec<_>>()
    });
    assert_eq!(found, expected, "{line}");
}

#[test]
fn roles_have_words() {
    for role in Role::ALL {
        assert_eq!(Role::from_word(role.word()), Some(role));
    }
    assert_eq!(Role::from_word("Prompt"), None);
}

#[test]
fn users_say_prompts_results_and_what_the_client_puts_in() {
    let user = |rest: &str| format!(r#"{{"type":"user",{rest}}}"#);
    for (rest, expected) in [
        (
            r#""message":{"content":"caf\u00e9 \"now\""}"#,
            &["prompt: café \"now\""][..],
        ),
        (
            r#""message":{"content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"text","text":"<system-reminder>b"}]}"#,
            &["prompt: a", "other: <system-reminder>b"],
        ),
        (r#""isMeta":true,"message":{"content":"a"}"#, &["other: a"]),
        (
            r#""isCompactSummary":true,"message":{"content":"a"}"#,
            &["other: a"],
        ),
        (
            r#""message":{"content":"<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>a < b</command-args>"}"#,
            &["prompt: fix|/fix|a < b"],
        ),
        (
            r#""message":{"content":"<bash-input>ls -l</bash-input>"}"#,
            &["prompt: ls -l"],
        ),
        (
            r#""message":{"content":"<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>"}"#,
            &["other: x"],
        ),
        (
            r#""message":{"content":"[Request interrupted by user]"}"#,
            &["other: [Request interrupted by user]"],
        ),
        (
            r#""message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"out"},{"type":"text","text":"beside"}]},"toolUseResult":{"stdout":"out"}"#,
            &["tool-result: out", "other: beside"],
        ),
        (
            r#""message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"a"},{"type":"tool_reference","tool_name":"B"},{"type":"image","source":{"type":"base64","data":"AAAA"}},{"type":"resource","resource":{"uri":"u:1","mimeType":"m","blob":"AAAA","text":"c"}}]}]}"#,
            &["tool-result: a|B|u:1|c"],
        ),
        (r#""message":"paper""#, &["prompt: paper"]),
        (r#""message":{"content":""}"#, &[]),
        (r#""message":null"#, &[]),
        (
            r#""message":{"content":[{"type":"document","title":"t","source":{"type":"text","data":"words"}},{"type":"new","id":"i","content":{"deep":["a"]}}]}"#,
            &["other: t|words", "other: a"],
        ),
    ] {
        check(&user(rest), expected);
    }
    check(
        r#"{"type":"human","message":{"content":"a"}}"#,
        &["prompt: a"],
    );
    check(
        r#"{"type":"tool_result","message":{"content":"a"}}"#,
        &["tool-result: a"],
    );
    check(
        r#"{"type":"compact_recap","message":{"content":"a"}}"#,
        &["other: a"],
    );
}

#[test]
fn the_model_replies_thinks_and_calls() {
    let assistant = |content: &str| {
        format!(r#"{{"type":"assistant","message":{{"model":"m-1","content":{content}}}}}"#)
    };
    for (content, expected) in [
        (
            r#"[{"type":"text","text":"a"},{"type":"thinking","thinking":"b","signature":"SIG"}]"#,
            &["reply: a", "thinking: b"][..],
        ),
        (r#"[{"type":"redacted_thinking","data":"SECRET"}]"#, &[]),
        (
            r#"[{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"/a.rs","n":1,"edits":[{"old":"x","type":"y"}],"image":{"media_type":"image/png","data":"AAAA"}}}]"#,
            &["tool-input: /a.rs|x|y|image/png"],
        ),
        (
            r#"[{"type":"tool_use","id":"t","name":"X","input":"raw words"}]"#,
            &["tool-input: raw words"],
        ),
        (
            r#"[{"type":"web_search_tool_result","tool_use_id":"t","content":[{"type":"web_search_result","title":"T","url":"u","encrypted_content":"AAAA"}]}]"#,
            &["tool-result: T|u"],
        ),
    ] {
        check(&assistant(content), expected);
    }
    check(
        r#"{"type":"assistant","isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"limit"}]}}"#,
        &["other: limit"],
    );
    check(
        r#"{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"none"}]}}"#,
        &["other: none"],
    );
    check(
        r#"{"type":"assistant","subtype":"thinking","message":"hm"}"#,
        &["thinking: hm"],
    );
    check(
        r#"{"type":"assistant","subtype":"tool_use","message":"so","toolName":"Read","toolArguments":{"path":"p"}}"#,
        &["reply: so", "tool-input: p"],
    );
}

#[test]
fn reports_and_titles_are_other_and_copies_are_nothing() {
    for (line, expected) in [
        (
            r#"{"type":"custom-title","customTitle":"a","sessionId":"s"}"#,
            &["other: a"][..],
        ),
        (r#"{"type":"ai-title","aiTitle":"a"}"#, &["other: a"]),
        (
            r#"{"type":"summary","summary":"a","leafUuid":"l"}"#,
            &["other: a"],
        ),
        (r#"{"type":"agent-name","agentName":"a"}"#, &["other: a"]),
        (r#"{"type":"last-prompt","lastPrompt":"a"}"#, &[]),
        (
            r#"{"type":"progress","data":{"type":"agent_progress","prompt":"a"},"message":{"content":"b"}}"#,
            &[],
        ),
        (
            r#"{"type":"api-request-blob","message":{"content":"a"}}"#,
            &[],
        ),
        (
            r#"{"type":"queue-operation","operation":"enqueue","content":"a"}"#,
            &["other: a"],
        ),
        (
            r#"{"type":"system","subtype":"informational","content":"a","level":"info"}"#,
            &["other: a"],
        ),
        (
            r#"{"type":"system","subtype":"local_command","content":"<command-name>/x</command-name>"}"#,
            &["prompt: /x"],
        ),
        (
            r#"{"type":"system","subtype":"local_command","content":"<local-command-stdout>y</local-command-stdout>"}"#,
            &["other: y"],
        ),
        (
            r#"{"type":"system","subtype":"stop_hook_summary","hookInfos":[{"command":"lint"}],"hookErrors":["bad"]}"#,
            &["other: lint|bad"],
        ),
        (
            r#"{"type":"attachment","attachment":{"type":"hook_success","toolUseID":"t","stdout":"done"}}"#,
            &["other: done"],
        ),
        (
            r#"{"type":"attachment","attachment":{"type":"prompt_snapshot","systemPrompt":["a"]}}"#,
            &[],
        ),
        (
            r#"{"type":"never-heard-of","content":{"a":["b"]},"other":"c"}"#,
            &["other: b"],
        ),
        (r#"{"content":"no type"}"#, &["other: no type"]),
        ("[1]", &[]),
        (r#"{"type":"user","message":{"content":"torn"#, &[]),
    ] {
        check(line, expected);
    }
}

#[test]
fn calls_and_results_name_tools_and_files() {
    let call = r#"{"type":"assistant","message":{"model":"m-1","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"/a.rs"}}]}}"#;
    with_passages(call, |passages| {
        let call = &passages[1];
        assert_eq!(call.block, 1);
        assert_eq!(call.tool.as_deref(), Some("Edit"));
        assert_eq!(call.call.as_deref(), Some("t1"));
        assert_eq!(call.path.as_deref(), Some("/a.rs"));
        assert_eq!(call.model.as_deref(), Some("m-1"));
    });
    let result = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]},"toolUseResult":{"file":{"filePath":"/b.rs"}}}"#;
    with_passages(result, |passages| {
        assert_eq!(passages[0].call.as_deref(), Some("t1"));
        assert_eq!(passages[0].path.as_deref(), Some("/b.rs"));
        assert_eq!(passages[0].tool, None);
    });
    let facts = with_record(call, |record| {
        calls(record)
            .map(|(id, facts)| (id.into_owned(), facts))
            .collect::<Vec<_>>()
    });
    let expected = CallFacts {
        tool: "Edit".into(),
        path: Some("/a.rs".into()),
        model: Some("m-1".into()),
    };
    assert_eq!(facts, [("t1".into(), expected)]);
    with_record(result, |record| assert_eq!(calls(record).count(), 0));
}

#[test]
fn depth_has_an_end() {
    let deep = format!("{}\"deep\"{}", "[".repeat(100_000), "]".repeat(100_000));
    let input = format!(
        r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","name":"X","input":["top",{deep}]}}]}}}}"#
    );
    check(&input, &["tool-input: top"]);
    let mut result = r#"{"type":"text","text":"deep"}"#.to_owned();
    for _ in 0..10_000 {
        result = format!(r#"{{"type":"tool_result","content":[{result}]}}"#);
    }
    check(
        &format!(r#"{{"type":"user","message":{{"content":[{result}]}}}}"#),
        &[],
    );
}
