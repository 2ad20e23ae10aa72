use super::*;
use crate::{Depth, Home, discover};
use std::fs;

#[test]
fn sidecars_are_read_and_bad_ones_are_findings() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("projects/p");
    let folder = project.join("one");
    fs::create_dir_all(folder.join("subagents")).unwrap();
    fs::create_dir_all(folder.join("tool-results")).unwrap();
    fs::write(project.join("one.jsonl"), "{}\n").unwrap();
    fs::write(
        folder.join("custom-title.json"),
        r#"{"customTitle":"Cart"}"#,
    )
    .unwrap();
    fs::write(folder.join("tool-results/out.txt"), "12345").unwrap();
    let meta = folder.join("subagents/agent-a1.meta.json");
    fs::write(
        &meta,
        r#"{"agentType":"scout","toolUseId":"toolu_1","spawnDepth":2,"new":[1]}"#,
    )
    .unwrap();
    fs::write(
        project.join("sessions-index.json"),
        r#"{"version":1,"originalPath":"/srv/p","entries":[{"sessionId":"one","messageCount":4},7]}"#,
    )
    .unwrap();

    let found = discover(&Home::at(dir.path()), Depth::Sessions);
    let session = &found.sessions[0];
    assert_eq!(custom_title(session).as_deref(), Some("Cart"));
    let results = tool_results(session).items;
    assert_eq!((results[0].name.as_str(), results[0].size), ("out.txt", 5));
    let meta_read = load_agent_meta(&meta).unwrap().unwrap();
    assert_eq!(meta_read.agent_type.as_deref(), Some("scout"));
    assert_eq!((meta_read.spawn_depth, meta_read.raw.len()), (Some(2), 4));
    let index = load_sessions_index(&found.projects[0]).unwrap().unwrap();
    assert_eq!(index.original_path.as_deref(), Some("/srv/p"));
    assert_eq!(index.entries[0].message_count, Some(4));
    assert_eq!(index.entries.len(), 1);

    fs::write(&meta, "").unwrap();
    assert_eq!(load_agent_meta(&meta), Ok(None));
    fs::write(&meta, "{torn").unwrap();
    assert!(load_agent_meta(&meta).is_err());
    fs::write(&meta, "[1]").unwrap();
    assert!(load_agent_meta(&meta).is_err());
}
