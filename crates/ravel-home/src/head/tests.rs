use super::*;
use crate::discover::{Depth, discover};
use crate::home::Home;
use proptest::prelude::*;
use std::fs::{self, File};

const SID: &str = "5f0c7a52-3c4e-4a57-9d38-0a4b8a1f2c11";

/// The head of a session with this content.
fn head_of(content: impl AsRef<[u8]>) -> SessionHead {
    named_head_of(SID, content.as_ref(), None).unwrap()
}

fn named_head_of(id: &str, content: &[u8], title_file: Option<&str>) -> Option<SessionHead> {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("projects/-srv-shop");
    fs::create_dir_all(&project).unwrap();
    fs::write(project.join(format!("{id}.jsonl")), content).unwrap();
    if let Some(text) = title_file {
        fs::create_dir_all(project.join(id)).unwrap();
        fs::write(project.join(id).join("custom-title.json"), text).unwrap();
    }
    let found = discover(&Home::at(dir.path()), Depth::Sessions);
    let listing = list_heads(&found.sessions);
    assert_eq!(listing.findings, []);
    listing.items.into_iter().next()
}

fn user(text: &str) -> String {
    format!(
        "{{\"parentUuid\":null,\"isSidechain\":false,\"cwd\":\"/srv/shop\",\"version\":\"2.1.29\",\"gitBranch\":\"main\",\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":{}}},\"uuid\":\"u\",\"timestamp\":\"2026-01-02T03:04:05.678Z\"}}\n",
        serde_json::Value::from(text)
    )
}

fn assistant(text: &str) -> String {
    format!(
        "{{\"isSidechain\":false,\"cwd\":\"/srv/shop/sub\",\"version\":\"2.1.30\",\"gitBranch\":\"feature\",\"message\":{{\"model\":\"model-9\",\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}},{{\"type\":\"tool_use\",\"input\":{{\"model\":\"other\"}}}}]}},\"type\":\"assistant\",\"timestamp\":\"2026-01-02T03:05:00.000Z\"}}\n"
    )
}

#[test]
fn facts_come_from_both_ends() {
    let head = head_of(user("Add a cart") + &assistant("Done."));
    assert_eq!(head.session_id, SID);
    assert_eq!(head.project.slug, "-srv-shop");
    assert_eq!(head.cwd.as_deref(), Some("/srv/shop"));
    assert_eq!(head.git_branch.as_deref(), Some("feature"));
    assert_eq!(head.version.as_deref(), Some("2.1.30"));
    assert_eq!(head.model.as_deref(), Some("model-9"));
    assert_eq!(head.created.unwrap().as_millisecond(), 1_767_323_045_678);
    assert_eq!(
        head.last_active.unwrap().to_string(),
        "2026-01-02T03:05:00Z"
    );
    assert_eq!((head.n_messages, head.is_exact), (2, true));
    assert_eq!(
        (head.title.as_str(), head.title_source),
        ("Add a cart", TitleSource::FirstPrompt)
    );
    assert!(head.sdk_visible && !head.is_sidechain_only);
}

#[test]
fn titles_have_a_fixed_order() {
    let records = [
        r#"{"type":"agent-name","agentName":"named","sessionId":"x"}"#,
        r#"{"type":"custom-title","customTitle":"custom","sessionId":"x"}"#,
        r#"{"type":"ai-title","aiTitle":"by model","sessionId":"x"}"#,
        r#"{"type":"summary","summary":"summed up","leafUuid":"u"}"#,
        r#"{"type":"last-prompt","lastPrompt":"last asked","sessionId":"x"}"#,
    ];
    let check = |n_skipped: usize, title: &str, sdk_summary: &str| {
        let records = records[n_skipped..]
            .iter()
            .rev()
            .map(|record| format!("{record}\n"));
        let head = head_of(user("first asked") + &records.collect::<String>());
        assert_eq!(
            (head.title.as_str(), head.sdk_summary.as_deref()),
            (title, Some(sdk_summary))
        );
    };
    check(0, "named", "custom");
    check(1, "custom", "custom");
    check(2, "by model", "by model");
    check(3, "summed up", "last asked");
    check(4, "last asked", "last asked");
    check(5, "first asked", "first asked");
}

#[test]
fn the_last_of_repeated_titles_counts_and_escapes_are_decoded() {
    let check = |record: &str, title: &str| {
        let before = "{\"type\":\"custom-title\",\"customTitle\":\"old\"}\n";
        assert_eq!(
            head_of(user("x") + before + record).title,
            title,
            "{record}"
        );
    };
    check(r#"{"type":"custom-title","customTitle":"new"}"#, "new");
    check(
        r#"{"type": "custom-title", "customTitle": "spaced"}"#,
        "spaced",
    );
    check(
        r#"{"customTitle":"caf\u00e9 \"q\" \ud83d\ude00"}"#,
        "café \"q\" 😀",
    );
    check(r#"{"customTitle":"half \ud83d"}"#, "half \u{fffd}");
    check(r#"{"customTitle":"two\nlines"}"#, "two lines");
    check(r#"{"customTitle":"torn"#, "old");
    check(r#"{"text":"\"customTitle\":\"quoted\""}"#, "old");
}

#[test]
fn the_title_file_counts_when_no_record_does() {
    let file = Some(r#"{"customTitle":"from file"}"#);
    let head = named_head_of(SID, user("x").as_bytes(), file).unwrap();
    assert_eq!(
        (head.title.as_str(), head.title_source),
        ("from file", TitleSource::CustomTitle)
    );
    assert_eq!(head.sdk_summary.as_deref(), Some("x"));
    let record = user("x") + r#"{"customTitle":"from record"}"#;
    assert_eq!(
        named_head_of(SID, record.as_bytes(), file).unwrap().title,
        "from record"
    );
}

#[test]
fn names_of_other_things_are_not_titles() {
    let team = r#"{"type":"user","agentName":"worker","message":{"content":"hi"}}"#;
    assert_eq!(head_of(team).title, "hi");
    let input = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","input":{"summary":"nested"}}]}}"#;
    let head = head_of(user("asked") + input);
    assert_eq!(head.title, "asked");
    // The SDKs take it for one.
    assert_eq!(head.sdk_summary.as_deref(), Some("nested"));
}

#[test]
fn the_first_prompt_passes_over_what_no_person_wrote() {
    let check = |lines: &str, expect: Option<&str>| {
        assert_eq!(head_of(lines).first_prompt.as_deref(), expect, "{lines}");
    };
    let then = user("real");
    check(
        &(user("<local-command-stdout>x</local-command-stdout>") + &then),
        Some("real"),
    );
    check(
        &(user("[Request interrupted by user for tool use]") + &then),
        Some("real"),
    );
    check(
        &(user("<ide_opened_file>a</ide_opened_file>") + &then),
        Some("real"),
    );
    check(&(user("<tick>") + &then), Some("real"));
    check(
        &user("<ide_selection>a</ide_selection> and this"),
        Some("<ide_selection>a</ide_selection> and this"),
    );
    check(
        &(user("<command-name>/clear</command-name>") + &then),
        Some("real"),
    );
    check(
        &user("<command-name>/clear</command-name> <command-args>"),
        Some("/clear"),
    );
    check(&user("  a\nb  "), Some("a b"));
    check(&user(" \n"), None);
    check(
        &(user("hidden").replace("\"uuid\"", "\"isMeta\":true,\"uuid\"") + &then),
        Some("real"),
    );
    check(
        &(user("s").replace("\"uuid\"", "\"isCompactSummary\": true,\"uuid\"") + &then),
        Some("real"),
    );
    check(
        r#"{"type":"user","message":{"content":[{"type":"tool_result"}]}}"#,
        None,
    );
    check(
        r#"{"type":"user","message":{"content":[{"type":"image"},{"type":"text","text":"look"}]}}"#,
        Some("look"),
    );
    check(
        &user(&"é".repeat(201)),
        Some(&format!("{}…", "é".repeat(200))),
    );
    check(&user(&"é".repeat(200)), Some(&"é".repeat(200)));
}

#[test]
fn old_dialects_and_torn_prompts_are_read_though_the_sdk_gives_up() {
    let check = |content: &str, title: &str| {
        let head = head_of(content);
        assert_eq!((head.title.as_str(), head.sdk_visible), (title, false));
    };
    check(
        r#"{"type":"human","timestamp":1738160130123,"message":{"type":"message","content":"old way"}}"#,
        "old way",
    );
    check(r#"{"type":"user","message":"as a string"}"#, "as a string");
    let long = format!(
        "{{\"type\":\"user\",\"message\":{{\"content\":\"begin {}",
        "x".repeat(HEAD_BYTES)
    );
    assert!(head_of(&long).title.starts_with("begin xxx"));
    check("{}\n", UNTITLED);
}

#[test]
fn numeric_timestamps_are_read() {
    let head = head_of("{\"timestamp\":1738160130123}\n{\"timestamp\": 1738160130124}\n");
    assert_eq!(head.created.unwrap().as_millisecond(), 1_738_160_130_123);
    assert_eq!(
        head.last_active.unwrap().as_millisecond(),
        1_738_160_130_124
    );
}

#[test]
fn a_tag_counts_only_on_a_line_of_its_own() {
    let check = |content: &str, expect: Option<&str>| {
        assert_eq!(head_of(content).tag.as_deref(), expect, "{content}");
    };
    check(
        "{\"type\":\"tag\",\"tag\":\"one\",\"sessionId\":\"x\"}\n",
        Some("one"),
    );
    check(
        "{\"type\":\"tag\",\"tag\":\"one\"}\n{\"type\":\"tag\",\"tag\":\"\"}\n",
        None,
    );
    check(
        "{\"type\":\"tag\",\"tag\":\"one\"}\n{\"a\":{\"type\":\"tag\",\"tag\":\"in\"}}\n",
        Some("one"),
    );
    check("{\"input\":{\"tag\":\"v1\"}}\n", None);
}

#[test]
fn the_sdk_would_not_list_sidechains_and_odd_names() {
    let aside = user("x").replace("\"isSidechain\":false", "\"isSidechain\":true");
    let head = head_of(&aside);
    assert!(!head.sdk_visible && head.is_sidechain_only);
    let mixed = head_of(aside + &user("y"));
    assert!(!mixed.sdk_visible && !mixed.is_sidechain_only);
    assert!(
        !named_head_of("notes", user("x").as_bytes(), None)
            .unwrap()
            .sdk_visible
    );
    assert_eq!(named_head_of(SID, b"", None), None);
}

#[test]
fn messages_inside_other_records_are_not_counted() {
    let progress = r#"{"type":"progress","data":{"type":"agent_progress","message":{"type":"user","message":{"role":"user"}}}}"#;
    let nested_first = r#"{"data":{"message":{"type":"assistant"}},"type":"progress"}"#;
    let quoted = r#"{"type":"system","content":"{\"type\":\"user\"}"}"#;
    let result = r#"{"toolUseResult":{"type":"odd"},"message":{"role":"user"},"type":"user"}"#;
    let lines = [
        progress,
        nested_first,
        quoted,
        result,
        "",
        "{torn \"type\":\"us",
    ];
    let head = head_of(lines.join("\n"));
    assert_eq!((head.n_messages, head.is_exact), (1, true));
}

#[test]
fn large_files_are_estimated_from_both_ends() {
    let mut content = String::new();
    while content.len() < 20 * HEAD_BYTES {
        content += &user("question");
        content += &assistant("answer");
    }
    let n_lines = content.lines().count() as u64;
    let head = head_of(content + r#"{"type":"custom-title","customTitle":"late"}"#);
    assert!(!head.is_exact);
    assert!(
        head.n_messages.abs_diff(n_lines) < n_lines / 50,
        "{} of {n_lines}",
        head.n_messages
    );
    assert_eq!(head.title, "late");
    assert!(head.size > 20 * HEAD_BYTES as u64);
}

#[test]
fn files_of_two_buffers_are_counted_exactly() {
    let mut content = String::new();
    while content.len() < 2 * HEAD_BYTES - 1_000 {
        content += &user("question");
    }
    let head = head_of(&content);
    assert_eq!(
        (head.n_messages, head.is_exact),
        (content.lines().count() as u64, true)
    );
}

#[test]
fn bytes_of_any_kind_are_survived() {
    for content in [
        &b"\0\0\0\n"[..],
        b"\xff\xfe{}",
        b"\"",
        b"{\"type\":\"user\"",
        b"[[[[",
        b"\n\n",
        b"\\",
    ] {
        let head = head_of(content);
        assert_eq!(head.title, UNTITLED);
    }
}

#[test]
fn heads_are_listed_newest_first() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("projects/p");
    fs::create_dir_all(&project).unwrap();
    for (name, seconds) in [("a", 10), ("b", 30), ("c", 20)] {
        let path = project.join(format!("{name}.jsonl"));
        fs::write(&path, user(name)).unwrap();
        let file = File::options().append(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds))
            .unwrap();
    }
    let found = discover(&Home::at(dir.path()), Depth::Sessions);
    let titles: Vec<_> = list_heads(&found.sessions)
        .items
        .into_iter()
        .map(|head| head.title)
        .collect();
    assert_eq!(titles, ["b", "c", "a"]);
}

/// Pieces of records, so that random texts come close to real ones.
const PIECES: [&str; 20] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    "\n",
    ":",
    ",",
    " ",
    "\"type\":",
    "\"user\"",
    "\"summary\"",
    "\"customTitle\":",
    "\"agent-name\"",
    "\"timestamp\":",
    "\"message\":",
    "\\ud83d",
    "9",
    "é",
];

proptest! {
    #[test]
    fn no_text_is_too_odd(
        pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..60),
        cut in 0_usize..4,
    ) {
        let text = pieces.concat();
        let bytes = text.as_bytes().get(cut..).unwrap_or_default();
        let mut scan = Scan::default();
        scan.add(bytes, bytes.len() / 2);
        let prompt = prompt::first_prompt(bytes);
        prop_assert!(prompt.is_none_or(|prompt| !prompt.text.is_empty()));
        prop_assert!(scan.census.estimate(bytes.len() as u64) <= bytes.len() as u64);
        decode_text(bytes);
    }
}
