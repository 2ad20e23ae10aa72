use super::*;
use std::fs;
use std::path::Path;

const SID: &str = "5f0c7a52-3c4e-4a57-9d38-0a4b8a1f2c11";

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// One line per thing found, so that a test reads like a listing.
fn summary(found: &Discovery) -> Vec<String> {
    let sessions = found.sessions.iter().map(|session| {
        let folder = if session.companion.is_some() {
            " +folder"
        } else {
            ""
        };
        let uuid = if session.has_uuid_name {
            ""
        } else {
            " odd-name"
        };
        let id = session.session_id.replace(SID, "SID");
        format!(
            "session {} {id} {}{folder}{uuid}",
            session.project.slug, session.size
        )
    });
    let agents = found.agents.iter().map(|agent| {
        let session = agent
            .session_id
            .as_deref()
            .unwrap_or("?")
            .replace(SID, "SID");
        let group = agent.group.as_deref().unwrap_or("-");
        let meta = if agent.meta.is_some() { " +meta" } else { "" };
        format!(
            "agent {} {:?} {session} {group}{meta}",
            agent.agent_id, agent.layout
        )
    });
    sessions.chain(agents).collect()
}

#[test]
fn all_layouts_are_found_in_projects_and_conversations() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    write(root, &format!("projects/-srv-a/{SID}.jsonl"), "{}\n");
    write(root, "projects/-srv-a/notes.jsonl", "");
    write(root, "projects/-srv-a/agent-1a2b3c4.jsonl", "{}\n");
    write(root, "projects/-srv-a/sessions-index.json", "{}");
    write(root, "projects/-srv-a/memory/x.jsonl", "{}\n");
    write(
        root,
        &format!("projects/-srv-a/{SID}/subagents/agent-a11.jsonl"),
        "{}\n",
    );
    write(
        root,
        &format!("projects/-srv-a/{SID}/subagents/agent-a11.meta.json"),
        "{}",
    );
    write(
        root,
        &format!("projects/-srv-a/{SID}/subagents/workflows/w1/agent-a22.jsonl"),
        "{}\n",
    );
    write(root, "conversations/_srv_b/2025-01-29.jsonl", "{}\n");
    write(root, "projects/stray.jsonl", "{}\n");

    let found = discover(&Home::at(root), Depth::Agents);
    assert_eq!(
        summary(&found),
        [
            "session -srv-a SID 3 +folder",
            "session -srv-a notes 0 odd-name",
            "session _srv_b 2025-01-29 3 odd-name",
            "agent 1a2b3c4 Beside ? -",
            "agent a11 Nested SID - +meta",
            "agent a22 Nested SID workflows/w1",
        ]
    );
    assert_eq!(found.findings, []);
    assert_eq!(found.projects[1].kind, ProjectKind::Conversation);

    let shallow = discover(&Home::at(root), Depth::Sessions);
    assert_eq!(shallow.sessions, found.sessions);
    assert_eq!(shallow.agents.len(), 1);
}

#[test]
fn a_home_without_projects_is_empty() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(
        discover(&Home::at(dir.path()), Depth::Agents),
        Discovery::default()
    );
}

#[test]
fn agents_beside_a_session_are_matched_by_their_lines() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    write(root, &format!("projects/p/{SID}.jsonl"), "{}\n");
    write(
        root,
        "projects/p/agent-mine.jsonl",
        &format!("{{\"isSidechain\":true,\"sessionId\":\"{SID}\"}}\n"),
    );
    write(
        root,
        "projects/p/agent-other.jsonl",
        "{\"sessionId\": \"another\"}\n",
    );
    write(root, "projects/p/agent-empty.jsonl", "");
    write(
        root,
        &format!("projects/p/{SID}/subagents/agent-nested.jsonl"),
        "{}\n",
    );
    let found = discover(&Home::at(root), Depth::Sessions);
    let agents = agents_of(&found.sessions[0]);
    let ids: Vec<_> = agents
        .items
        .iter()
        .map(|agent| agent.agent_id.as_str())
        .collect();
    assert_eq!(ids, ["nested", "mine"]);
    assert!(
        agents
            .items
            .iter()
            .all(|agent| agent.session_id.as_deref() == Some(SID))
    );
}

#[test]
fn of_copies_the_newest_that_is_not_empty_is_meant() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &format!("projects/a/{SID}.jsonl"), "{}\n");
    write(dir.path(), &format!("projects/b/{SID}.jsonl"), "");
    let found = discover(&Home::at(dir.path()), Depth::Sessions);
    assert_eq!(found.session(SID).unwrap().project.slug, "a");
    assert!(found.session("none").is_none());
}

#[cfg(unix)]
#[test]
fn links_are_followed_only_inside_the_home() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("home");
    let outside = dir.path().join("outside");
    write(&outside, "p/secret.jsonl", "{}\n");
    write(&root, "projects/real/one.jsonl", "{}\n");
    symlink(root.join("projects/real"), root.join("projects/inside")).unwrap();
    symlink(outside.join("p"), root.join("projects/outside")).unwrap();
    symlink(root.join("nothing"), root.join("projects/broken")).unwrap();
    symlink(
        outside.join("p/secret.jsonl"),
        root.join("projects/real/two.jsonl"),
    )
    .unwrap();
    let found = discover(&Home::at(&root), Depth::Agents);
    assert_eq!(
        summary(&found),
        [
            "session inside one 3 odd-name",
            "session real one 3 odd-name"
        ]
    );
    let messages: Vec<_> = found.findings.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 4, "{messages:?}");
}

#[cfg(unix)]
#[test]
fn a_projects_folder_on_another_disk_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("home");
    fs::create_dir_all(&root).unwrap();
    write(dir.path(), "disk/p/one.jsonl", "{}\n");
    std::os::unix::fs::symlink(dir.path().join("disk"), root.join("projects")).unwrap();
    let found = discover(&Home::at(&root), Depth::Sessions);
    assert_eq!(found.sessions.len(), 1);
}

#[cfg(unix)]
#[test]
fn an_unreadable_folder_is_a_finding() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "projects/p/one.jsonl", "{}\n");
    // A file in the place of a folder is unreadable for every user, root included.
    write(dir.path(), "conversations", "");
    let found = discover(&Home::at(dir.path()), Depth::Sessions);
    assert_eq!(found.sessions.len(), 1);
    assert_eq!(found.findings.len(), 1);
}
