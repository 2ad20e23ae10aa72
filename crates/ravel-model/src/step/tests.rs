//! Steps of small sessions.

use crate::session::{Session, Transcript};
use crate::turn::turns;

use super::{What, steps};

/// Writes one word a step.
fn check(bytes: &[u8], expected: &str) {
    let transcripts = [Transcript::from_bytes(bytes.to_vec())];
    let session = Session::build(&transcripts);
    let segments = session.history();
    let all = turns(&session.main().unwrap().graph, &segments);
    let mut words = Vec::new();
    for turn in all {
        for step in steps(&session, 0, &turn.entries) {
            words.push(match step.what {
                What::Prompt(prompt) => format!("prompt({})", prompt.text),
                What::Reply(text) => format!("reply({text})"),
                What::Call(call) => format!(
                    "{}({})",
                    call.name,
                    call.result.map_or("-".into(), |result| result.text)
                ),
                What::Compaction(compaction) => {
                    format!("compaction({})", compaction.summary.unwrap_or_default())
                }
                What::Hook(hook) => format!("hook({} {:?})", hook.event, hook.state),
                What::Output(text) => format!("output({text})"),
                What::Interruption(_) => "interruption".into(),
                What::Hidden { label, .. } => format!("hidden({label})"),
                What::Unknown { name, .. } => format!("unknown({name})"),
                other => format!("{other:?}"),
            });
        }
    }
    assert_eq!(words.join(" "), expected);
}

fn lines(lines: &[&str]) -> Vec<u8> {
    let mut parent = "null".to_owned();
    let mut bytes = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let uuid = format!("\"u{number}\"");
        bytes.extend_from_slice(
            format!("{{\"uuid\":{uuid},\"parentUuid\":{parent},{line}}}\n").as_bytes(),
        );
        parent = uuid;
    }
    bytes
}

#[test]
fn a_call_is_shown_with_its_result() {
    check(
        &lines(&[
            r#""type":"user","message":{"content":"go"}"#,
            r#""type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}"#,
            r#""type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"done"}]}"#,
            r#""type":"assistant","message":{"id":"n","content":[{"type":"text","text":"ok"}]}"#,
        ]),
        "prompt(go) Bash(done) reply(ok)",
    );
}

#[test]
fn commands_outputs_and_interruptions_are_told_apart() {
    check(
        &lines(&[
            r#""type":"user","message":{"content":"<command-name>/cost</command-name>\n<command-args>now</command-args>"}"#,
            r#""type":"user","message":{"content":"<local-command-stdout>5 cents</local-command-stdout>"}"#,
            r#""type":"user","message":{"content":"<bash-input>ls</bash-input>"}"#,
            r#""type":"user","message":{"content":"<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>"}"#,
            r#""type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}"#,
            r#""type":"user","isMeta":true,"message":{"content":"note"}"#,
        ]),
        "prompt(/cost now) output(5 cents) prompt(ls) output(a) interruption hidden(for the model)",
    );
}

#[test]
fn boundaries_take_their_summary_and_hooks_their_end() {
    check(
        &lines(&[
            r#""type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"auto"}"#,
            r#""type":"user","isCompactSummary":true,"message":{"content":"so far"}"#,
            r#""type":"progress","toolUseID":"h","parentToolUseID":"t","data":{"type":"hook_progress","hookEvent":"Stop","hookName":"Stop"}"#,
            r#""type":"attachment","attachment":{"type":"hook_success","hookEvent":"Stop","hookName":"Stop","toolUseID":"t","stdout":"x"}"#,
            r#""type":"attachment","attachment":{"type":"never_seen"}"#,
            r#""type":"assistant","message":{"content":[{"type":"hologram"},{"type":"text","text":"hi"}]}"#,
        ]),
        "compaction(so far) hook(Stop Done) unknown(attachment) unknown(hologram) reply(hi)",
    );
}

#[test]
fn calls_thinking_and_marks_of_seed_001_are_understood() {
    check(
        &lines(&[
            r#""type":"user","message":"go","isDeleted":true"#,
            r#""type":"assistant","toolName":"Read","toolArguments":{}"#,
            r#""type":"system","message":"done""#,
            r#""type":"assistant","subtype":"thinking","message":"hm""#,
            r#""type":"assistant","toolName":"Bash","isAborted":true"#,
            r#""type":"assistant","message":"ok""#,
            r#""type":"system","message":"bye""#,
        ]),
        r#"prompt(go) Notice { level: Warning, text: "deleted" } Read(done) Thinking("hm") Bash(-) Notice { level: Warning, text: "aborted" } reply(ok) Notice { level: Info, text: "bye" }"#,
    );
}

#[test]
fn what_follows_a_compaction_of_seed_001_is_no_gap() {
    let file = concat!(
        r#"{"type":"user","uuid":"a","message":"go"}"#,
        "\n",
        r#"{"type":"assistant","uuid":"b","parentUuid":"a","message":"ok"}"#,
        "\n",
        r#"{"type":"compact_system","uuid":"c","parentUuid":"b","message":"conversation_compacted"}"#,
        "\n",
        r#"{"type":"user","uuid":"d","parentUuid":"gone","logicalParentUuid":"b","message":"on"}"#,
        "\n",
    );
    check(
        file.as_bytes(),
        "prompt(go) reply(ok) compaction() prompt(on)",
    );
    let transcripts = [Transcript::from_bytes(file.into())];
    let segments = Session::build(&transcripts).history();
    assert!(segments.iter().all(|segment| segment.gap.is_none()));
}
