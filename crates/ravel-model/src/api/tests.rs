//! One test for each rule of what is sent.
//!
//! A session is written one line a record: `kind uuid parent content`, then `| ` and more fields.
//! `T(x)` is a text block, `U(t)` a tool call, `R(t)` its result, `I(t)` the result that is made
//! up for a call at the end, `K(x)` thinking; `u`, `a` and `a/m` are user and assistant lines, the
//! last one of reply `m`.

use proptest::prelude::*;
use ravel_format::Outline;

use super::{ApiContent, ApiMessage, BlockKind, DropReason, Options, Rebuilt, Role, rebuild};
use crate::graph::Graph;

const INTERRUPTED: &str = "[Tool call interrupted: the session ended while it was running. \
     It may or may not have taken effect.]";

fn block(letter: char, word: &str) -> String {
    match letter {
        'T' => format!(r#"{{"type":"text","text":"{word}"}}"#),
        'U' => format!(r#"{{"type":"tool_use","id":"{word}","name":"Bash","input":{{}}}}"#),
        'R' => format!(r#"{{"tool_use_id":"{word}","type":"tool_result","content":"ok"}}"#),
        'I' => format!(
            r#"{{"type":"tool_result","content":"{INTERRUPTED}","is_error":true,"tool_use_id":"{word}"}}"#
        ),
        _ => format!(r#"{{"type":"thinking","thinking":"{word}","signature":"sig"}}"#),
    }
}

fn expand(shorthand: &str) -> String {
    let mut out = String::new();
    let mut rest = shorthand;
    while let Some(at) = rest.find('(') {
        let (before, after) = rest.split_at(at);
        let letter = before
            .chars()
            .last()
            .filter(|letter| "TURIK".contains(*letter));
        let (Some(letter), Some(end)) = (letter, after.find(')')) else {
            out.push_str(&rest[..=at]);
            rest = &rest[at + 1..];
            continue;
        };
        out.push_str(&before[..before.len() - 1]);
        out.push_str(&block(letter, &after[1..end]));
        rest = &after[end + 1..];
    }
    out + rest
}

fn record(n: usize, words: &str) -> String {
    if words.starts_with('{') {
        return words.to_owned();
    }
    let (words, extra) = words.split_once(" | ").unwrap_or((words, ""));
    let mut parts = words.splitn(4, ' ');
    let mut part = || parts.next().unwrap();
    let (kind, uuid, parent, content) = (part(), part(), part(), expand(part()));
    let (kind, message) = kind.split_once('/').unwrap_or((kind, ""));
    let body = match kind {
        "u" => format!(r#""type":"user","message":{{"role":"user","content":{content}}}"#),
        "a" if message.is_empty() => {
            format!(r#""type":"assistant","message":{{"content":{content}}}"#)
        }
        "a" => format!(r#""type":"assistant","message":{{"id":"{message}","content":{content}}}"#),
        "s" => format!(r#""type":"system","subtype":"{message}","content":{content}"#),
        "att" => format!(r#""type":"attachment","attachment":{content}"#),
        other => format!(r#""type":"{other}","data":{content}"#),
    };
    let parent = match parent {
        "-" => "null".to_owned(),
        parent => format!("{parent:?}"),
    };
    let extra = if extra.is_empty() {
        String::new()
    } else {
        format!(",{extra}")
    };
    format!(
        r#"{{"uuid":"{uuid}","parentUuid":{parent},"timestamp":"2026-01-01T00:00:{n:02}.000Z",{body}{extra}}}"#
    )
}

fn session(shorthand: &str) -> Vec<u8> {
    let lines = shorthand
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let records = lines.enumerate().map(|(n, line)| record(n, line) + "\n");
    records.collect::<String>().into_bytes()
}

fn rebuild_with(bytes: &[u8], options: &Options) -> Rebuilt {
    let outline = Outline::from_bytes(bytes);
    rebuild(&Graph::build(&outline), &bytes.to_vec(), options)
}

fn written(rebuilt: &Rebuilt) -> String {
    let mut out = Vec::new();
    rebuilt.write_json(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn expected(shorthand: &str) -> String {
    let lines = shorthand
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let messages = lines.map(|line| {
        let (role, content) = line.split_once(' ').unwrap();
        format!(r#"{{"role":"{role}","content":{}}}"#, expand(content))
    });
    format!("[{}]", messages.collect::<Vec<_>>().join(","))
}

fn check(input: &str, messages: &str) -> Vec<DropReason> {
    let rebuilt = rebuild_with(&session(input), &Options::default());
    assert_eq!(written(&rebuilt), expected(messages), "{input}");
    rebuilt
        .dropped
        .iter()
        .map(|dropped| dropped.reason)
        .collect()
}

#[test]
fn texts_stay_strings_and_replies_stay_lists() {
    let dropped = check(
        r#"
        u a - "hello"
        a/m b a [T(hi)]
        u c b [T(and)] | "isMeta":true
        a/n d c "plain"
        "#,
        r#"
        user "hello"
        assistant [T(hi)]
        user [T(and)]
        assistant [T(plain)]
        "#,
    );
    assert_eq!(dropped, []);
}

#[test]
fn only_the_thread_is_sent() {
    let dropped = check(
        r#"
        u a - "old branch"
        u b - "hello"
        progress c b {"type":"hook_progress"}
        s/informational d c "note"
        att e d {"type":"date"} | "rendered":[{"content":"<system-reminder>today</system-reminder>"}]
        a/m f e [T(hi)]
        "#,
        r#"
        user "hello"
        assistant [T(hi)]
        "#,
    );
    let not_a_message = DropReason::NotAMessage;
    assert_eq!(
        dropped,
        [not_a_message, not_a_message, DropReason::Reminder]
    );
}

#[test]
fn a_leaf_can_be_chosen() {
    let bytes = session("u a - \"one\"\na/m b a [T(two)]\nu c b \"three\"");
    let options = Options {
        leaf: Some(1),
        ..Options::default()
    };
    let rebuilt = rebuild_with(&bytes, &options);
    assert_eq!(
        written(&rebuilt),
        expected("user \"one\"\nassistant [T(two)]")
    );
}

#[test]
fn sidechain_lines_are_left_out_of_a_main_thread_only() {
    let aside = r#""isSidechain":true"#;
    let input = format!("u a - \"task\" | {aside}\na/m b a [T(report)] | {aside}");
    check(&input, "user \"task\"\nassistant [T(report)]");
    let dropped = check(
        &format!("{input}\nu c b \"go\""),
        "user \"go\"\nassistant [T(No response requested.)]",
    );
    assert_eq!(dropped, [DropReason::Sidechain, DropReason::Sidechain]);
    let at_the_end = format!(
        "u x - \"q\"\na/n y x [T(r)]\nu a y \"task\" | {aside}\na/m b a [T(report)] | {aside}"
    );
    check(&at_the_end, "user \"q\"\nassistant [T(r)]");
}

#[test]
fn a_boundary_cuts_what_is_before_it() {
    let input = r#"
        u a - "old"
        a/m b a [T(old)]
        s/compact_boundary c b "Conversation compacted"
        u d c "summary" | "isCompactSummary":true
        a/n e d [T(new)]
        "#;
    check(input, "user \"summary\"\nassistant [T(new)]");
    assert_eq!(
        rebuild_with(&session(input), &Options::default()).n_compacted,
        3
    );
}

#[test]
fn kept_messages_come_back_after_the_summary() {
    let input = |metadata: &str| {
        format!(
            r#"
            u a - "old"
            a/m b a [T(old)]
            u c b "kept"
            a/n d c [U(t)]
            u e d [R(t)]
            s/compact_boundary f - "Conversation compacted" | "compactMetadata":{{{metadata}}}
            u g f "summary" | "isCompactSummary":true
            a/o h g [T(new)]
            "#
        )
    };
    let segment = r#""preservedSegment":{"headUuid":"c","anchorUuid":"g","tailUuid":"e"}"#;
    let messages = r#"
        user [T(summary\n),T(kept)]
        assistant [U(t)]
        user [R(t)]
        assistant [T(new)]
        "#;
    check(&input(segment), messages);
    let list = r#""preservedMessages":{"anchorUuid":"g","uuids":["c","d","e"]}"#;
    check(&input(list), messages);
    let lost = r#""preservedSegment":{"headUuid":"x","anchorUuid":"g","tailUuid":"y"}"#;
    check(&input(lost), "user \"summary\"\nassistant [T(new)]");
}

#[test]
fn a_summary_without_boundary_is_a_root() {
    check(
        r#"
        u a - "old"
        u b - "summary" | "isCompactSummary":true
        a/m c b [T(new)]
        "#,
        "user \"summary\"\nassistant [T(new)]",
    );
}

#[test]
fn replies_are_joined_by_their_id_past_results_but_not_past_words() {
    check(
        r#"
        u a - "go"
        a/m b a [U(t1)]
        u c b [R(t1)]
        a/m d c [U(t2)]
        u e d [R(t2)]
        a/n f e [T(done)]
        u g f "more"
        a/n h g [T(again)]
        a i h [T(one)]
        a j i [T(two)]
        "#,
        r#"
        user "go"
        assistant [U(t1),U(t2)]
        user [R(t1),R(t2)]
        assistant [T(done)]
        user "more"
        assistant [T(again)]
        assistant [T(one)]
        assistant [T(two)]
        "#,
    );
}

#[test]
fn parallel_results_beside_the_thread_are_sent() {
    check(
        r#"
        u a - "go"
        a/m b a [U(t1)]
        a/m c b [U(t2)]
        u d b [R(t1)]
        u e c [R(t2)]
        a/n f d [T(done)]
        "#,
        r#"
        user "go"
        assistant [U(t1),U(t2)]
        user [R(t1),R(t2)]
        assistant [T(done)]
        "#,
    );
}

#[test]
fn results_beside_the_thread_keep_their_place_in_the_file_and_their_companions() {
    check(
        r#"
        u a - "go"
        a/m b a [U(t1)]
        a/m c b [U(t2)]
        a/m d c [U(t3)]
        u e d [R(t3)]
        u f b [R(t1)]
        u g c [R(t2)]
        u h g [T(companion)] | "isMeta":true
        a/n i f [T(done)]
        "#,
        r#"
        user "go"
        assistant [U(t1),U(t2),U(t3)]
        user [R(t3),R(t1),R(t2),T(companion)]
        assistant [T(done)]
        "#,
    );
}

#[test]
fn user_lines_in_a_row_are_one_message_with_results_first() {
    check(
        r#"
        u a - "one\n"
        u b a [T(two),T(three)]
        u c b "four"
        a/m d c [U(t1),U(t2)]
        u e d "words"
        u f e [R(t1)]
        u g f [T(companion)] | "isMeta":true
        u h g [R(t2)]
        a/n i h [U(t3)]
        u j i [T(before),R(t3)]
        u k j "after"
        a/o l k [T(done)]
        "#,
        r#"
        user [T(one\n\n),T(two),T(three\n),T(four)]
        assistant [U(t1),U(t2)]
        user [R(t1),R(t2),T(words\n),T(companion)]
        assistant [U(t3)]
        user [R(t3),T(before),T(after)]
        assistant [T(done)]
        "#,
    );
}

#[test]
fn output_of_a_local_command_is_said_by_the_user_and_needs_no_reply() {
    let head = "u a - \"hello\"\na/m b a [T(hi)]\nu c b \"<command-name>/cost</command-name>\"\n";
    let out = r#""<local-command-stdout>2</local-command-stdout>""#;
    let messages = r#"
        user "hello"
        assistant [T(hi)]
        user [T(<command-name>/cost</command-name>\n),T(<local-command-stdout>2</local-command-stdout>)]
        "#;
    check(&format!("{head}s/local_command d c {out}"), messages);
    check(&format!("{head}u d c {out}"), messages);
    check(
        &format!("{head}u d c {out}\natt e d {{\"type\":\"model\"}}"),
        messages,
    );
}

#[test]
fn the_next_prompt_joins_a_user_message() {
    let command = r#"u a - "<local-command-stdout>2</local-command-stdout>""#;
    let mut rebuilt = rebuild_with(&session(command), &Options::default());
    rebuilt.push_prompt("say \"x\"");
    assert_eq!(
        written(&rebuilt),
        expected(r#"user [T(<local-command-stdout>2</local-command-stdout>\n),T(say \"x\")]"#)
    );
    let mut rebuilt = rebuild_with(
        &session("u a - \"one\"\na/m b a [T(two)]"),
        &Options::default(),
    );
    rebuilt.push_prompt("next");
    assert_eq!(
        written(&rebuilt),
        expected("user \"one\"\nassistant [T(two)]\nuser \"next\"")
    );
}

#[test]
fn what_says_nothing_is_dropped() {
    let dropped = check(
        r#"
        u a - "go"
        a/e b a [T(API Error)] | "isApiErrorMessage":true
        u c b "again"
        a/m d c [K(hm)]
        u e d ""
        a/n f e [T( \n)]
        u g f []
        a/o h g [K(so)]
        a/o i h [T(done)]
        u j i [T( ),T(word)]
        a/p k j [T( ),U(t)]
        u l k [R(t)]
        a/q m l [T(end)]
        "#,
        r#"
        user [T(go\n),T(again)]
        assistant [K(so),T(done)]
        user [T(word)]
        assistant [T( ),U(t)]
        user [R(t)]
        assistant [T(end)]
        "#,
    );
    use DropReason::{ApiError, BlankText, Empty, ThinkingOnly};
    assert_eq!(dropped, [ApiError, Empty, BlankText, Empty, ThinkingOnly]);
}

#[test]
fn calls_and_results_need_each_other() {
    let dropped = check(
        r#"
        u a - "go"
        a/m b a [T(calling)]
        a/m c b [U(t1)]
        a/m d c [U(t2)]
        u e d [R(t2)]
        a/n f e [K(hm)]
        a/n g f [U(t3)]
        u h g "never mind"
        a/o i h [T(fine)]
        u j i [R(t9)]
        a/p k j [T(x)]
        u l k [R(t9),T(words)]
        a/q m l [T(done)]
        "#,
        r#"
        user "go"
        assistant [T(calling),U(t2)]
        user [R(t2),T(never mind)]
        assistant [T(fine)]
        user "(no content)"
        assistant [T(x)]
        user [T(words)]
        assistant [T(done)]
        "#,
    );
    use DropReason::{CallWithoutResult, ResultWithoutCall, ThinkingOnly};
    assert_eq!(
        dropped,
        [
            CallWithoutResult,
            CallWithoutResult,
            ResultWithoutCall,
            ResultWithoutCall,
            ThinkingOnly
        ]
    );
}

#[test]
fn an_id_is_used_once() {
    let dropped = check(
        r#"
        u a - "go"
        a/m b a [U(t1)]
        u c b [R(t1)]
        u d c [R(t1)]
        a/n e d [T(more),U(t1)]
        u f e [R(t1)]
        a/o g f [T(done)]
        "#,
        r#"
        user "go"
        assistant [U(t1)]
        user [R(t1)]
        assistant [T(more)]
        assistant [T(done)]
        "#,
    );
    assert_eq!(dropped, [DropReason::Repeated; 3]);
}

#[test]
fn a_call_at_the_end_gets_a_result() {
    check(
        r#"
        u a - "go"
        a/m b a [U(t1)]
        a/m c b [U(t2)]
        u d b [R(t1)]
        "#,
        r#"
        user "go"
        assistant [U(t1),U(t2)]
        user [R(t1),I(t2)]
        assistant [T(No response requested.)]
        "#,
    );
}

#[test]
fn a_question_without_reply_gets_one() {
    let messages = "user \"hello\"\nassistant [T(No response requested.)]";
    check("u a - \"hello\"", messages);
    check("u a - \"hello\"\natt b a {\"type\":\"date\"}", messages);
    check(
        "u a - \"hello\"\na/m b a [T(API Error)] | \"isApiErrorMessage\":true",
        "user \"hello\"",
    );
}

#[test]
fn the_last_of_two_records_with_an_id_counts() {
    check(
        "u a - \"first\"\nu a - \"second\"\na/m b a [T(hi)]",
        "user \"second\"\nassistant [T(hi)]",
    );
}

#[test]
fn blocks_keep_their_bytes() {
    let odd =
        r#"{ "b":1.50,"type":"tool_use" ,"id":"t","name":"X","input":{"z":1,"a":[1e3,"\u00e9"]}}"#;
    check(
        &format!("u a - \"go\"\na/m b a [{odd}]\nu c b [R(t)]\na/n d c [T(done)]"),
        &format!("user \"go\"\nassistant [{odd}]\nuser [R(t)]\nassistant [T(done)]"),
    );
}

#[test]
fn half_characters_become_replacement_characters() {
    check(
        r#"
        u a - "x\ud83dy \ud83d\ude00 \udc00"
        a/m b a [{"type":"text","text":"\ud83d"}]
        "#,
        r#"
        user "x\ufffdy \ud83d\ude00 \ufffd"
        assistant [T(\ufffd)]
        "#,
    );
    let mut bytes = session("u a - \"x?y\tz\"\na/m b a [T(hi)]");
    let at = bytes.iter().position(|&byte| byte == b'?').unwrap();
    bytes[at] = 0xFF;
    let rebuilt = rebuild_with(&bytes, &Options::default());
    let messages = "user \"x\u{FFFD}y\\u0009z\"\nassistant [T(hi)]";
    assert_eq!(written(&rebuilt), expected(messages));
}

#[test]
fn queued_words_go_with_the_result_before_them() {
    let queued = r#"{"type":"queued_command","prompt":"also","commandMode":"prompt"}"#;
    let plain = r#""rendered":[{"content":"also"}],"renderedRole":"user""#;
    let input = |result: &str, extra: &str| {
        format!(
            "u a - \"go\"\na/m b a [U(t)]\nu c b [{result}]\natt d c {queued}{extra}\na/n e d [T(done)]"
        )
    };
    let messages = |result: &str| {
        format!("user \"go\"\nassistant [U(t)]\nuser [{result}]\nassistant [T(done)]")
    };
    let result = |content: &str| {
        format!(r#"{{"type":"tool_result","tool_use_id":"t","content":{content},"n":1}}"#)
    };
    let folded = result(r#""ok\n\nalso""#);
    check(
        &input(&result("\"ok\\n\""), &format!(" | {plain}")),
        &messages(&folded),
    );
    check(&input(&result("\"ok\""), ""), &messages(&folded));
    check(
        &input(&result("[T(ok)]"), &format!(" | {plain}")),
        &messages(&result("[T(ok\\n),T(also)]")),
    );
    let wrapped = r#" | "rendered":[{"content":"<system-reminder>also</system-reminder>"}]"#;
    check(&input("R(t)", wrapped), &messages("R(t)"));
    check(
        &format!("u a - \"go\"\natt b a {queued} | {plain}\na/m c b [T(done)]"),
        "user [T(also\\n),T(go)]\nassistant [T(done)]",
    );
}

#[test]
fn reminders_are_included_on_request() {
    let reminder = r#""rendered":[{"content":"<system-reminder>now</system-reminder>"}]"#;
    let input = format!(
        r#"
        u a - "go"
        att b a {{"type":"date"}} | {reminder}
        att c b {{"type":"model"}}
        a/m d c [U(t)]
        u e d [R(t)]
        u f e [T(words)]
        att g f {{"type":"date"}} | {reminder}
        a/n h g [T(done)]
        "#
    );
    let options = Options {
        reminders: true,
        ..Options::default()
    };
    let rebuilt = rebuild_with(&session(&input), &options);
    let messages = r#"
        user [T(<system-reminder>now</system-reminder>),T(go)]
        assistant [U(t)]
        user [R(t),T(<system-reminder>now</system-reminder>),T(words)]
        assistant [T(done)]
        "#;
    assert_eq!(written(&rebuilt), expected(messages));
}

#[test]
fn string_messages_of_seed_001_are_sent() {
    let call =
        r#""type":"assistant","subtype":"tool_use","toolName":"Read","toolArguments":{"p":1}"#;
    let input = format!(
        r#"
        {{"type":"user","uuid":"a","message":"look"}}
        {{{call},"uuid":"b","parentUuid":"a"}}
        {{"type":"system","uuid":"c","parentUuid":"b","message":"it says x"}}
        {{{call},"uuid":"d","parentUuid":"c"}}
        {{"type":"assistant","uuid":"e","parentUuid":"d","message":"done"}}
        "#
    );
    check(
        &input,
        r#"
        user "look"
        assistant [{"type":"tool_use","id":"toolu_entry_1","name":"Read","input":{"p":1}}]
        user [{"type":"tool_result","tool_use_id":"toolu_entry_1","content":"it says x"}]
        assistant [T([Read {\"p\":1}])]
        assistant [T(done)]
        "#,
    );
}

#[test]
fn people_of_seed_004_are_users_and_its_recap_starts_anew() {
    check(
        r#"
        {"type":"human","uuid":"a","message":{"content":"old"}}
        {"type":"compact_prelude","uuid":"b","parentUuid":"a","message":{"content":"kept"}}
        {"type":"compact_recap","uuid":"c","parentUuid":"b","message":{"content":"so far"}}
        a/m d c [U(t)]
        {"type":"tool_result","uuid":"e","parentUuid":"d","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}
        {"type":"human","uuid":"f","parentUuid":"e","message":{"content":"next"}}
        a/n g f [T(done)]
        "#,
        r#"
        user [T(kept\n),T(so far)]
        assistant [U(t)]
        user [{"type":"tool_result","tool_use_id":"t","content":"ok"},T(next)]
        assistant [T(done)]
        "#,
    );
}

#[test]
fn messages_tell_their_texts_and_entries() {
    let bytes = session("u a - \"one\"\na/m b a [K(hm)]\na/m c b [T(two)]");
    let rebuilt = rebuild_with(&bytes, &Options::default());
    let texts: Vec<String> = rebuilt
        .messages
        .iter()
        .flat_map(ApiMessage::texts)
        .collect();
    assert_eq!(texts, ["one", "two"]);
    let entries: Vec<&[usize]> = rebuilt.messages.iter().map(|m| &m.entries[..]).collect();
    assert_eq!(entries, [&[0][..], &[1, 2]]);
}

/// Checks what the API asks of every conversation.
fn assert_sendable(rebuilt: &Rebuilt) {
    assert!(serde_json::from_str::<serde_json::Value>(&written(rebuilt)).is_ok());
    let mut open: Vec<&str> = Vec::new();
    for message in &rebuilt.messages {
        let ids = |kind| {
            let blocks = message
                .blocks()
                .iter()
                .filter(move |block| block.kind() == kind);
            blocks.filter_map(|block| block.tool_id())
        };
        if message.role == Role::User {
            let mut answered: Vec<&str> = ids(BlockKind::ToolResult).collect();
            answered.sort_unstable();
            open.sort_unstable();
            assert_eq!(answered, open);
            open.clear();
        }
        open.extend(ids(BlockKind::ToolUse).filter(|_| message.role == Role::Assistant));
        assert!(!matches!(&message.content, ApiContent::Blocks(blocks) if blocks.is_empty()));
    }
    assert_eq!(open, [""; 0]);
}

proptest! {
    #[test]
    fn any_conversation_can_be_sent(
        lines in prop::collection::vec((0..3_usize, 0..9_usize, 0..4_usize), 1..14)
    ) {
        let blocks = ["T(x)", "U(t1)", "U(t2)", "R(t1)", "R(t2)", "K(k)", "T( )", "R(t1),T(y)", "T(z),U(t3)"];
        let kinds = ["u", "a/m", "a/n"];
        let line = |(n, &(kind, block, back)): (usize, &(usize, usize, usize))| {
            let parent = n.checked_sub(1 + back / 2).map_or("-".into(), |n| format!("i{n}"));
            // A call on the user's side is no shape that any client writes.
            let block = if kind == 0 { blocks[block].replace('U', "R") } else { blocks[block].replace('R', "U") };
            format!("{} i{n} {parent} [{block}]", kinds[kind])
        };
        let input: Vec<String> = lines.iter().enumerate().map(line).collect();
        assert_sendable(&rebuild_with(&session(&input.join("\n")), &Options::default()));
    }

    #[test]
    fn any_bytes_are_taken(bytes in prop::collection::vec(any::<u8>(), 0..60), at in 0..300_usize) {
        let mut file = session("u a - \"go\\n\"\na/m b a [U(t),T(x)]\nu c b [R(t)]\nu d c \"\\u00e9\"");
        let at = at.min(file.len());
        file.splice(at..at, bytes);
        let rebuilt = rebuild_with(&file, &Options { leaf: None, reminders: true });
        prop_assert!(serde_json::from_str::<serde_json::Value>(&written(&rebuilt)).is_ok());
    }
}
