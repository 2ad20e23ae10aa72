//! `--demo`: a newcomer without sessions sees everything.

use std::path::Path;

use ravel_testkit::RavelCommand;

use crate::home;

const COMMANDS: &[&[&str]] = &[
    &["ls"],
    &["show"],
    &["show", "--thinking", "--tools", "full", "--agents"],
    &["tree"],
    &["check"],
    &["repair", "latest", "--dry-run"],
    &["export"],
    &["export", "--format", "html"],
    &["export", "--format", "api"],
    &["todos"],
    &["plans"],
    &["history"],
    &["files"],
    &["settings"],
    &["paths"],
];

/// Prepares a run for a person who has nothing, with a folder of its own for temporary files.
fn newcomer(folder: &Path) -> RavelCommand {
    let temporary = folder.join("tmp");
    std::fs::create_dir_all(&temporary).unwrap();
    RavelCommand::new(env!("CARGO_BIN_EXE_ravel"), &folder.join("nobody"), folder)
        .env("TMPDIR", &temporary)
        .env("TEMP", &temporary)
        .env("TMP", &temporary)
        .arg("--demo")
}

#[test]
fn every_command_shows_something_and_leaves_nothing_behind() {
    let home = home();
    for arguments in COMMANDS {
        // The forms of `export` are for people or for programs by themselves.
        let is_export = arguments.first() == Some(&"export");
        let ways: &[&[&str]] = if is_export {
            &[&[]]
        } else {
            &[&[], &["--json"]]
        };
        for json in ways {
            let command = newcomer(home.path()).args(*arguments).args(*json);
            let output = command.run().unwrap();
            assert_eq!(output.code, 0, "{arguments:?} {json:?}: {}", output.stderr);
            assert!(output.stdout.len() > 20, "{arguments:?}: {}", output.stdout);
            assert_eq!(output.stderr, "", "{arguments:?}");
        }
    }
    let left = std::fs::read_dir(home.path().join("tmp")).unwrap().count();
    assert_eq!(left, 0, "temporary files are left");
    assert!(!home.path().join("nobody").exists());
}

#[test]
fn one_sample_is_damaged_so_that_check_has_something_to_say() {
    let home = home();
    let output = newcomer(home.path())
        .args(["check", "--all"])
        .run()
        .unwrap();
    assert_eq!(output.code, 1, "{}", output.stderr);
    assert!(output.stdout.contains(" in 1 file · "), "{}", output.stdout);
}

#[test]
fn a_mistake_leaves_nothing_behind_either() {
    let home = home();
    let output = newcomer(home.path())
        .args(["show", "nosuch"])
        .run()
        .unwrap();
    assert_eq!(output.code, 2);
    let left = std::fs::read_dir(home.path().join("tmp")).unwrap().count();
    assert_eq!(left, 0);
}

#[test]
fn the_sample_has_several_projects_and_is_recent() {
    let home = home();
    let output = newcomer(home.path()).args(["ls", "--json"]).run().unwrap();
    let listed: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let sessions = listed.as_array().unwrap();
    assert!(sessions.len() >= 8, "{}", sessions.len());
    let mut projects: Vec<&str> = sessions
        .iter()
        .map(|session| session["project"].as_str().unwrap())
        .collect();
    projects.sort_unstable();
    projects.dedup();
    assert!(projects.len() >= 3, "{projects:?}");
    let recent = newcomer(home.path()).args(["ls", "--since", "2d"]).run();
    assert!(recent.unwrap().stdout.lines().count() >= 2);
}

#[test]
fn the_sample_shows_what_sessions_can_have() {
    let home = home();
    let output = newcomer(home.path()).args(["ls", "--json"]).run().unwrap();
    let listed: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let (mut n_agents, mut n_branches, mut n_compactions) = (0, 0, 0);
    for session in listed.as_array().unwrap() {
        let id = session["id"].as_str().unwrap();
        let tree = newcomer(home.path())
            .args(["tree", "--json", id])
            .run()
            .unwrap();
        let tree: serde_json::Value = serde_json::from_str(&tree.stdout).unwrap();
        n_agents += tree["agents"].as_array().unwrap().len();
        n_branches += tree["branches"].as_array().unwrap().len();
        n_compactions += tree["facts"]["n_compactions"].as_u64().unwrap();
    }
    assert!(n_agents > 0 && n_branches > 0 && n_compactions > 0);
}
