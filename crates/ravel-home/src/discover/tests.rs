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

fn archived_summary(found: &Discovery) -> Vec<String> {
    let sessions = found.sessions.iter().map(|session| {
        let mark = if session.is_archived {
            "archived"
        } else {
            "live"
        };
        format!(
            "{mark} {} {}",
            session.project.slug,
            session.session_id.replace(SID, "SID")
        )
    });
    let agents = found.agents.iter().map(|agent| {
        let mark = if agent.is_archived {
            "archived"
        } else {
            "live"
        };
        let meta = if agent.meta.is_some() { " +meta" } else { "" };
        format!("{mark} agent {}{meta}", agent.agent_id)
    });
    sessions.chain(agents).collect()
}

#[test]
fn what_is_gone_from_the_home_is_found_in_the_archive() {
    use crate::kept::tests::keep;
    let dir = tempfile::tempdir().unwrap();
    let (root, archive) = (&dir.path().join("home"), &dir.path().join("archive"));
    let line = format!("{{\"sessionId\":\"{SID}\"}}\n");
    let kept = [
        format!("projects/-srv-a/{SID}.jsonl"),
        format!("projects/-srv-a/{SID}/subagents/agent-a1.jsonl"),
        format!("projects/-srv-a/{SID}/subagents/w/agent-a2.jsonl"),
        "projects/-srv-a/agent-b1.jsonl".to_owned(),
        "projects/-srv-a/other.jsonl".to_owned(),
        "projects/-srv-gone/third.jsonl".to_owned(),
    ];
    for name in &kept {
        keep(archive, name, line.as_bytes(), 10);
    }
    keep(
        archive,
        &format!("projects/-srv-a/{SID}/subagents/agent-a1.meta.json"),
        b"{\"agentType\":\"t\"}",
        10,
    );
    let mirror = crate::mirror_of(archive);
    write(
        &mirror,
        "projects/-srv-a/other.jsonl.kept.1",
        "an earlier version",
    );
    write(&mirror, "projects/-srv-a/stray.jsonl", "not kept");
    write(&mirror, "projects/-srv-a/broken.jsonl.kept", "damaged");
    write(root, "projects/-srv-a/other.jsonl", "{}\n{}\n");
    write(
        root,
        &format!("projects/-srv-a/{SID}/subagents/w/agent-a2.jsonl"),
        "{}\n",
    );

    let home = Home::at(root);
    let found = discover_with_archive(&home, Some(archive), Depth::Agents);
    assert_eq!(
        archived_summary(&found),
        [
            "archived -srv-a SID",
            "live -srv-a other",
            "archived -srv-gone third",
            "archived agent b1",
            "archived agent a1 +meta",
            "live agent a2",
        ]
    );
    assert_eq!(found.findings.len(), 1);
    assert_eq!(
        found.findings[0].message,
        "the kept file is not one of Ravel's"
    );
    let session = found.session(SID).unwrap();
    assert_eq!(session.size, line.len() as u64);
    assert_eq!(session.live_path(), root.join(&kept[0]));
    let agents = agents_of(session).items;
    let ids: Vec<_> = agents
        .iter()
        .map(|agent| (agent.agent_id.as_str(), agent.is_archived))
        .collect();
    assert_eq!(ids, [("a2", false), ("a1", true), ("b1", true)]);
    let meta = crate::load_agent_meta(agents[1].meta.as_ref().unwrap())
        .unwrap()
        .unwrap();
    assert_eq!(meta.agent_type.as_deref(), Some("t"));
}

#[test]
fn without_an_archive_there_is_only_the_home() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    write(root, &format!("projects/-srv-a/{SID}.jsonl"), "{}\n");
    let home = Home::at(root);
    assert_eq!(
        discover_with_archive(&home, None, Depth::Agents),
        discover(&home, Depth::Agents)
    );
    let nowhere = discover_with_archive(&home, Some(&root.join("none")), Depth::Agents);
    assert_eq!(nowhere, discover(&home, Depth::Agents));
}

#[test]
fn agents_that_are_gone_are_found_for_a_session_that_is_not() {
    use crate::kept::tests::keep;
    let dir = tempfile::tempdir().unwrap();
    let (root, archive) = (&dir.path().join("home"), &dir.path().join("archive"));
    let agent = format!("projects/-srv-a/{SID}/subagents/agent-a1.jsonl");
    keep(archive, &agent, b"{}\n", 10);
    write(root, &format!("projects/-srv-a/{SID}.jsonl"), "{}\n");
    let found = discover_with_archive(&Home::at(root), Some(archive), Depth::Sessions);
    assert_eq!(archived_summary(&found), ["live -srv-a SID"]);
    let agents = agents_of(&found.sessions[0]).items;
    assert_eq!(agents.len(), 1);
    assert!(agents[0].is_archived);
    write(root, &agent, "{}\n{}\n");
    let found = discover_with_archive(&Home::at(root), Some(archive), Depth::Agents);
    assert_eq!(
        archived_summary(&found),
        ["live -srv-a SID", "live agent a1"]
    );
    assert!(!agents_of(&found.sessions[0]).items[0].is_archived);
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_the_archive_are_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let (archive, outside) = (dir.path().join("archive"), dir.path().join("outside"));
    crate::kept::tests::keep(&archive, "projects/-srv-a/x.jsonl", b"{}\n", 10);
    let elsewhere = crate::kept::tests::keep(&outside, "projects/-srv-b/y.jsonl", b"{}\n", 10);
    let mirror = crate::mirror_of(&archive);
    std::os::unix::fs::symlink(elsewhere.parent().unwrap(), mirror.join("projects/-srv-b"))
        .unwrap();
    let found = discover_with_archive(
        &Home::at(dir.path().join("home")),
        Some(&archive),
        Depth::Agents,
    );
    assert_eq!(archived_summary(&found), ["archived -srv-a x"]);
    assert_eq!(
        found.findings[0].message,
        "a link that leads out of the home"
    );
}
