use std::fs;

use serde_json::json;

use super::branch::branch_of;
use super::*;

#[test]
fn the_document_may_say_much_or_nothing() {
    assert_eq!(Input::read(&json!({})), Input::default());
    assert_eq!(Input::read(&json!([1, "x"])), Input::default());
    let input = Input::read(&json!({
        "session_id": "s1",
        "transcript_path": "/h/.claude/projects/-srv/s1.jsonl",
        "model": {"id": "claude-opus-4-5", "display_name": "Opus 4.5"},
        "workspace": {"current_dir": "/srv/shop"},
        "cwd": "/srv",
        "cost": {"total_cost_usd": 0.126},
        "context_window": {"used_percentage": 44.6, "context_window_size": 200000},
    }));
    assert_eq!(input.model.as_deref(), Some("Opus 4.5"));
    assert_eq!(input.folder.as_deref(), Some(Path::new("/srv/shop")));
    assert_eq!(input.cost.as_deref(), Some("$0.13"));
    assert_eq!(input.context_percent(None), Some(45));
}

#[test]
fn context_is_counted_where_the_client_does_not_say() {
    let percent = |document, tokens| Input::read(&document).context_percent(tokens);
    assert_eq!(percent(json!({}), None), None);
    assert_eq!(percent(json!({}), Some(50_000)), Some(25));
    assert_eq!(percent(json!({}), Some(u64::MAX)), Some(100));
    let large = json!({"model": {"id": "claude-sonnet-4-5[1m]"}});
    assert_eq!(percent(large, Some(50_000)), Some(5));
    let sized = json!({"context_window": {"context_window_size": 100_000}});
    assert_eq!(percent(sized, Some(50_000)), Some(50));
}

#[test]
fn the_branch_is_read_from_the_repository() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("repo/src/deep");
    fs::create_dir_all(&below).unwrap();
    assert_eq!(branch_of(&below), None);
    let git = folder.path().join("repo/.git");
    fs::create_dir_all(git.join("worktrees/w")).unwrap();
    fs::write(git.join("HEAD"), "ref: refs/heads/feature/cart\n").unwrap();
    assert_eq!(branch_of(&below).as_deref(), Some("feature/cart"));
    fs::write(git.join("HEAD"), "0123456789abcdef\n").unwrap();
    assert_eq!(branch_of(&below).as_deref(), Some("0123456"));
    let tree = folder.path().join("tree");
    fs::create_dir_all(&tree).unwrap();
    fs::write(tree.join(".git"), "gitdir: ../repo/.git/worktrees/w\n").unwrap();
    fs::write(git.join("worktrees/w/HEAD"), "ref: refs/heads/side\n").unwrap();
    assert_eq!(branch_of(&tree).as_deref(), Some("side"));
}

#[test]
fn money_and_time_are_short() {
    let texts = [0, 4_999_999, 5_000_000, 1_234_567_890_000].map(|nanos| dollars(Nanos(nanos)));
    assert_eq!(texts, ["$0.00", "$0.00", "$0.01", "$1234.57"]);
    assert_eq!(left(59_999), "0m");
    assert_eq!(left(3_600_000 + 120_000), "1h 02m");
}
