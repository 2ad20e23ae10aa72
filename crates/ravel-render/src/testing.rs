//! Small sessions for the tests of the renderers.

use std::path::{Path, PathBuf};

use ravel_model::agent::AgentMeta;
use ravel_model::step::{Step, What};
use ravel_model::{Session, Transcript};
use ravel_testkit::{FileTree, SessionBuilder, Version};

/// Builds a session of the newest client and hands it on.
pub(crate) fn with_session<T>(
    write: impl FnOnce(&mut SessionBuilder),
    view: impl FnOnce(&Session<'_>) -> T,
) -> T {
    let mut builder = SessionBuilder::new(Version::V2_1_325, "render");
    write(&mut builder);
    let transcripts = transcripts(&builder);
    view(&Session::build(&transcripts))
}

/// Returns the first call of a session.
pub(crate) fn first_call(session: &Session<'_>) -> Step {
    let entries: Vec<usize> =
        (0..session.main().unwrap().graph.outline().entries().len()).collect();
    let steps = ravel_model::steps(session, 0, &entries);
    let is_call = |step: &Step| matches!(step.what, What::Call(_));
    steps.into_iter().find(is_call).unwrap()
}

fn transcripts(builder: &SessionBuilder) -> Vec<Transcript> {
    let files = builder.files();
    let main = Transcript::from_bytes(builder.to_bytes());
    let agents = files.iter().filter_map(|(path, bytes)| {
        let stem = path.strip_suffix(".jsonl")?;
        let id = stem.rsplit('/').next()?.strip_prefix("agent-")?;
        Some(Transcript {
            agent: Some(meta(&files, stem, id)),
            ..Transcript::from_bytes(bytes.to_vec())
        })
    });
    std::iter::once(main).chain(agents).collect()
}

fn meta(files: &FileTree, stem: &str, id: &str) -> AgentMeta {
    let bytes = files.get(&format!("{stem}.meta.json")).unwrap_or(b"{}");
    let json: serde_json::Value = serde_json::from_slice(bytes).unwrap();
    let text = |key: &str| {
        json.get(key)
            .and_then(|value| value.as_str())
            .map(str::to_owned)
    };
    AgentMeta {
        id: id.to_owned(),
        kind: text("agentType"),
        description: text("description"),
        tool_use_id: text("toolUseId"),
        parent_agent_id: text("parentAgentId"),
    }
}

/// Writes a session in which every text tries to reach the terminal.
pub(crate) fn hostile(session: &mut SessionBuilder) {
    use ravel_testkit::Outcome;
    use serde_json::json;
    session.custom_title(EVIL);
    session.session_start_hook(EVIL, EVIL);
    session.prompt(EVIL);
    session.thinking(EVIL);
    session.reply(&format!("{EVIL}\n\n```{EVIL}\n{EVIL}\n```\n\n[{EVIL}](https://a/{EVIL})\n\n| {EVIL} |\n|---|\n| {EVIL} |"));
    session.call(
        "Bash",
        json!({"command": EVIL, "description": EVIL}),
        &Outcome::bash(EVIL),
    );
    session.call(
        "Bash",
        json!({"command": EVIL}),
        &Outcome::bash_error(3, EVIL),
    );
    session.call(
        "Read",
        json!({"file_path": EVIL}),
        &Outcome::read(EVIL, EVIL),
    );
    session.call(
        "Write",
        json!({"file_path": EVIL, "content": EVIL}),
        &Outcome::create(EVIL, EVIL),
    );
    session.put_file("a.rs", &format!("let a = 1;\n{EVIL}\n"));
    session.edit_file("a.rs", EVIL, &format!("{EVIL}{EVIL}"));
    session.write_todos(&[(EVIL, "in_progress")]);
    session.call("mcp__evil__tool", json!({"q": EVIL}), &Outcome::mcp(EVIL));
    session.call(EVIL, json!({"q": EVIL}), &Outcome::failed(EVIL));
    let found = json!({"query": EVIL, "results": [{"tool_use_id": "s", "content": [{"title": EVIL, "url": EVIL}]}], "durationSeconds": 1.0});
    session.call(
        "WebSearch",
        json!({"query": EVIL}),
        &Outcome::text(EVIL, found),
    );
    let questions = json!([{"question": EVIL, "header": EVIL, "options": [{"label": EVIL, "description": EVIL}], "multiSelect": false}]);
    let answered = json!({"questions": questions, "answers": {EVIL: EVIL}});
    session.call(
        "AskUserQuestion",
        json!({"questions": questions}),
        &Outcome::text(EVIL, answered),
    );
    session.call(
        "ExitPlanMode",
        json!({"plan": EVIL}),
        &Outcome::text(EVIL, json!({"plan": EVIL})),
    );
    hostile_events(session);
}

/// Writes agents, odd records and what the client reports, each with the same text.
fn hostile_events(session: &mut SessionBuilder) {
    use ravel_testkit::{AgentTask, Trigger};
    use serde_json::json;
    session.agent(&AgentTask::new(EVIL, EVIL).of_kind(EVIL), |agent| {
        agent.reply(EVIL);
    });
    session.unlinked_agent(EVIL, |agent| {
        agent.reply(EVIL);
    });
    session.prompt_blocks(&json!([
        {"type": "text", "text": EVIL},
        {"type": "image", "source": {"type": "base64", "media_type": EVIL, "data": EVIL}},
    ]));
    session.blocks(&json!([{"type": EVIL, "x": EVIL}]));
    session.attachment(&json!({"type": EVIL, "x": EVIL}), &[EVIL.to_owned()]);
    session.local_command("cost", EVIL, EVIL);
    session.bash_mode(EVIL, EVIL);
    session.informational(EVIL);
    session.api_retry(529, EVIL, 1);
    session.api_error(EVIL, EVIL);
    session.compact(Trigger::Auto, EVIL);
    session.prompt("on");
    session.stop_hook_summary(EVIL);
}

/// Clears the screen, sets the clipboard and the title, turns text around, in all known ways.
pub(crate) const EVIL: &str = "\u{1b}[2J\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}]0;t\u{1b}\\\u{9b}31m\u{9d}8;;x\u{9c}\u{1b}P1q\u{202e}gro\u{2066}\u{8}\r\u{7f}\u{85}\u{0}<script>alert(1)</script>";

/// Returns the first character that a terminal could act on.
pub(crate) fn find_control(text: &str) -> Option<char> {
    let turns_text = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    text.chars()
        .find(|&c| c != '\n' && (c.is_control() || turns_text(c)))
}

/// Returns the session files of all fixtures, and those of `RAVEL_CORPUS` when it is set.
pub(crate) fn session_files() -> Vec<PathBuf> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let corpus = std::env::var_os("RAVEL_CORPUS").map(PathBuf::from);
    let folders = std::iter::once(fixtures).chain(corpus);
    let mut files: Vec<PathBuf> = folders
        .flat_map(|folder| ravel_testkit::session_files(&folder))
        .collect();
    assert!(files.len() > 50, "the fixtures are there");
    files.sort();
    files
}
