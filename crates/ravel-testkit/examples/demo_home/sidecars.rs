//! Everything of the home that is not a session.

use ravel_testkit::{FileTree, SessionBuilder, Version, hex_digest, project_slug};
use serde_json::{Value, json};

use crate::guide_plan::{PLAN, PLAN_SLUG, tasks};
use crate::{DemoSession, river};

/// Adds todos, tasks, plans, pastes, history, settings, statistics and a log.
pub(crate) fn add_to(tree: &mut FileTree, sessions: &[DemoSession]) {
    for session in sessions {
        add_lists(tree, &session.builder);
    }
    tree.insert(format!("plans/{PLAN_SLUG}.md"), PLAN);
    let hash = paste_hash();
    tree.insert(format!("paste-cache/{hash}.txt"), river::pasted());
    tree.insert("history.jsonl", history(sessions));
    tree.insert("settings.json", format!("{:#}\n", settings()));
    tree.insert("stats-cache.json", format!("{:#}\n", statistics(sessions)));
    if let Some(session) = sessions
        .iter()
        .find(|session| session.builder.version() == Version::V2_1_29)
    {
        let id = session.builder.session_id();
        tree.insert(format!("debug/{id}.txt"), debug_log(id));
    }
    if let Some(titled) = sessions.first() {
        let folder = project_slug(titled.builder.folder());
        let title = json!({"customTitle": "Prices as whole cents"});
        tree.insert(
            format!(
                "projects/{folder}/{}/custom-title.json",
                titled.builder.session_id()
            ),
            title.to_string(),
        );
    }
}

fn add_lists(tree: &mut FileTree, session: &SessionBuilder) {
    let id = session.session_id();
    if session.version() <= Version::V2_1_29
        || session
            .todos()
            .as_array()
            .is_some_and(|todos| !todos.is_empty())
    {
        tree.insert(
            format!("todos/{id}-agent-{id}.json"),
            session.todos().to_string(),
        );
    }
    if session
        .to_bytes()
        .windows(12)
        .any(|bytes| bytes == b"\"TaskCreate\"")
    {
        for task in tasks() {
            let number = task
                .get("id")
                .and_then(Value::as_str)
                .unwrap_or("1")
                .to_owned();
            tree.insert(format!("tasks/{id}/{number}.json"), format!("{task:#}"));
        }
    }
}

fn paste_hash() -> String {
    hex_digest(river::pasted().as_bytes())
        .chars()
        .take(16)
        .collect()
}

/// What was typed, oldest first; the long paste is shortened as the client does.
fn history(sessions: &[DemoSession]) -> String {
    let mut entries = Vec::new();
    for session in sessions.iter().map(|session| &session.builder) {
        for (at_ms, text) in session.typed() {
            entries.push((*at_ms, history_line(session, *at_ms, text)));
        }
    }
    entries.sort_by_key(|(at_ms, _)| *at_ms);
    entries
        .into_iter()
        .map(|(_, line)| format!("{line}\n"))
        .collect()
}

fn history_line(session: &SessionBuilder, at_ms: i64, text: &str) -> Value {
    let (display, pasted) = match text.strip_prefix(river::pasted()) {
        Some(question) => {
            let display = format!("[Pasted text #1 +5 lines] {}", question.trim());
            (
                display,
                json!({"1": {"id": 1, "type": "text", "contentHash": paste_hash()}}),
            )
        }
        None => (text.trim().to_owned(), json!({})),
    };
    json!({
        "display": display, "pastedContents": pasted, "timestamp": at_ms,
        "project": session.folder(), "sessionId": session.session_id(),
    })
}

fn settings() -> Value {
    json!({
        "model": "opus",
        "permissions": {"allow": ["Bash(cargo test:*)", "Bash(git status)", "WebSearch"], "deny": ["Read(./.env)"]},
        "hooks": {
            "PostToolUse": [{"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "ruff format plot.py"}]}],
            "Stop": [{"hooks": [{"type": "command", "command": "notify-send 'Claude is done'"}]}],
        },
        "env": {"EDITOR": "hx"},
        "statusLine": {"type": "command", "command": "~/.claude/status.sh"},
        "cleanupPeriodDays": 90,
    })
}

fn statistics(sessions: &[DemoSession]) -> Value {
    let mut days: Vec<Value> = Vec::new();
    let mut builders: Vec<&SessionBuilder> =
        sessions.iter().map(|session| &session.builder).collect();
    builders.sort_by_key(|session| session.now_ms());
    for session in &builders {
        let n_lines = session
            .to_bytes()
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        let date: String = session.now().chars().take(10).collect();
        days.push(json!({"date": date, "messageCount": n_lines, "sessionCount": 1, "toolCallCount": n_lines / 3}));
    }
    json!({
        "version": 1, "lastComputedDate": "2026-01-30", "dailyActivity": days,
        "totalSessions": builders.len(), "firstSessionDate": "2026-01-17T20:02:44.000Z",
        "hourCounts": {"8": 2, "9": 1, "10": 1, "13": 1, "16": 1, "17": 1, "18": 1, "20": 1, "22": 1},
    })
}

fn debug_log(session_id: &str) -> String {
    [
        "2026-01-26T13:05:39.204Z [DEBUG] Loading settings from user, project and local files",
        "2026-01-26T13:05:39.287Z [DEBUG] Found 2 hooks and no plugins",
        "2026-01-26T13:05:39.650Z [WARN] MCP server \"gauges\" is not configured for this project",
        "2026-01-26T13:05:40.011Z [DEBUG] Session ready",
    ]
    .iter()
    .map(|line| format!("{line}\n"))
    .chain([format!(
        "2026-01-26T13:05:40.012Z [DEBUG] Writing to {session_id}.jsonl\n"
    )])
    .collect()
}
