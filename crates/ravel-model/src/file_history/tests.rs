//! Versions named by records.

use crate::session::{Session, Transcript};

use super::tracked_files;

/// Writes each file as `path=absolute[version:backup@prompt ...]`.
fn check(lines: &[&str], expected: &str) {
    let bytes = lines.join("\n").into_bytes();
    let transcripts = [Transcript::from_bytes(bytes)];
    let session = Session::build(&transcripts);
    let words: Vec<String> = tracked_files(session.main().unwrap())
        .iter()
        .map(|file| {
            let versions = file.versions.iter().map(|version| {
                let found = if version.prompt.is_some() { "" } else { "?" };
                let backup = version.backup_name.as_deref().unwrap_or("-");
                format!(
                    "{}:{backup}@{}{found}",
                    version.version, version.prompt_uuid
                )
            });
            format!(
                "{}={}[{}]",
                file.path,
                file.absolute.as_deref().unwrap_or("-"),
                versions.collect::<Vec<_>>().join(" ")
            )
        })
        .collect();
    assert_eq!(words.join(" "), expected);
}

const PROMPT: &str = r#"{"type":"user","uuid":"p1","cwd":"/srv/app","message":{"content":"go"}}"#;

#[test]
fn snapshots_repeat_and_updates_belong_to_the_prompt() {
    check(
        &[
            PROMPT,
            r#"{"type":"file-history-snapshot","messageId":"a1","isSnapshotUpdate":true,"snapshot":{"messageId":"p1","trackedFileBackups":{"b.rs":{"backupFileName":"00@v1","version":1}}}}"#,
            r#"{"type":"file-history-snapshot","messageId":"p2","snapshot":{"messageId":"p2","trackedFileBackups":{"b.rs":{"backupFileName":"00@v2","version":2},"/etc/x":{"backupFileName":null,"version":1}}}}"#,
            r#"{"type":"file-history-snapshot","messageId":"p3","snapshot":{"messageId":"p3","trackedFileBackups":{"b.rs":{"backupFileName":"00@v2","version":2}}}}"#,
        ],
        "/etc/x=/etc/x[1:-@p2?] b.rs=/srv/app/b.rs[1:00@v1@p1 2:00@v2@p2?]",
    );
}

#[test]
fn deltas_name_one_version_each() {
    check(
        &[
            PROMPT,
            r#"{"type":"file-history-delta","messageId":"a1","snapshotMessageId":"p1","trackingPath":"a.rs","backup":{"backupFileName":"11@v1","version":1}}"#,
        ],
        "a.rs=/srv/app/a.rs[1:11@v1@p1]",
    );
}

#[test]
fn odd_shapes_are_passed_over() {
    check(
        &[
            r#"{"type":"file-history-snapshot"}"#,
            r#"{"type":"file-history-snapshot","snapshot":{"trackedFileBackups":{"a":"text"}}}"#,
            r#"{"type":"file-history-delta","trackingPath":7}"#,
            r#"{"type":"file-history-delta","trackingPath":"c","backup":{}}"#,
        ],
        "c=-[0:-@?]",
    );
}

#[test]
fn paths_of_another_system_stay_its_own() {
    let prompt = r#"{"type":"user","uuid":"p1","cwd":"C:\\app","message":{"content":"go"}}"#;
    let delta = |path: &str| {
        format!(
            r#"{{"type":"file-history-delta","snapshotMessageId":"p1","trackingPath":"{path}","backup":{{"version":1}}}}"#
        )
    };
    check(
        &[prompt, &delta("D:\\\\x"), &delta("src\\\\y")],
        r"D:\x=D:\x[1:-@p1] src\y=C:\app\src\y[1:-@p1]",
    );
}
