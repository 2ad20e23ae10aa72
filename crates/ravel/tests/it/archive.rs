//! `ravel archive`, and archived sessions in the other commands.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ravel_testkit::{AgentTask, Outcome, SessionBuilder, TestHome, Version};
use serde_json::{Value, json};

use crate::{home, parsed};

/// Two sessions of one folder: one with an agent of each layout and everything around it.
struct Kiln {
    home: TestHome,
    id: String,
    path: PathBuf,
}

impl Kiln {
    fn new(version: Version) -> Self {
        let home = home();
        let mut session = SessionBuilder::new(version, "archive kiln").with_slug("calm-red-fox");
        session.prompt("Glaze the bowls.");
        let task = AgentTask::new("Find the glaze", "Where is the blue glaze?");
        session.agent(&task, |agent| {
            agent.reply("In the drawer.");
        });
        session.call(
            "Bash",
            json!({"command": "ls"}),
            &Outcome::bash("bowl vase"),
        );
        session.reply("The bowls are blue.");
        session.custom_title("Blue bowls");
        let path = home.add_session(&session);
        let id = session.session_id().to_owned();
        home.add_todos(&id, &json!([{"content": "Mix", "status": "pending"}]));
        home.add_task(
            &id,
            &json!({"id": "1", "subject": "Fire", "status": "pending"}),
        );
        home.add_plan("calm-red-fox", "# Fire slowly\n");
        let mut other = SessionBuilder::new(version, "archive other");
        other.prompt("Round the prices.");
        other.reply("Done.");
        home.add_session(&other);
        Self { home, id, path }
    }

    /// What a command prints, without the mark of archived sessions.
    fn output(&self, arguments: &[&str]) -> String {
        let output = self.home.ravel(arguments);
        assert_eq!(output.stderr, "", "{arguments:?}");
        let kept = |line: &&str| !line.starts_with("archived: ");
        let lines: Vec<&str> = output.stdout.lines().filter(kept).collect();
        lines.join("\n").trim_start().to_owned()
    }

    /// Deletes what the client deletes.
    fn purge(&self) {
        fs::remove_file(&self.path).unwrap();
        let companion = self.path.with_extension("");
        if companion.exists() {
            fs::remove_dir_all(companion).unwrap();
        }
        for entry in fs::read_dir(self.path.parent().unwrap()).unwrap().flatten() {
            if entry.file_name().to_string_lossy().starts_with("agent-") {
                fs::remove_file(entry.path()).unwrap();
            }
        }
        for folder in ["todos", "tasks", "file-history", "plans"] {
            let _ = fs::remove_dir_all(self.home.claude().join(folder));
        }
    }
}

/// Every file below a folder with its bytes.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => found.push((entry.path(), fs::read(entry.path()).unwrap())),
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_other_commands_see_an_archived_session_as_it_was() {
    for version in [Version::V2_0_77, Version::V2_1_29, Version::V2_1_325] {
        let kiln = Kiln::new(version);
        let id = kiln.id.as_str();
        let before_files = files(&kiln.home.claude());
        let commands: [&[&str]; 9] = [
            &["show", id, "--agents", "--tools", "full", "--everything"],
            &["tree", id],
            &["export", id, "--format", "md"],
            &["export", id, "--format", "text"],
            &["show", "Blue bowls"],
            &["show", &id[..8], "--last", "1"],
            &["todos", id],
            &["files", id],
            &["show", kiln.path.to_str().unwrap()],
        ];
        let before: Vec<String> = commands.iter().map(|one| kiln.output(one)).collect();
        assert_eq!(kiln.home.ravel(["archive"]).code, 0);
        assert_eq!(
            files(&kiln.home.claude()),
            before_files,
            "the home is only read"
        );
        kiln.purge();
        for (arguments, before) in commands.iter().zip(&before) {
            assert_eq!(&kiln.output(arguments), before, "{version:?} {arguments:?}");
        }
        let shown = kiln.home.ravel(["show", id]).stdout;
        assert!(shown.starts_with("archived: "), "{shown}");
        let restored = kiln.home.ravel(["archive", "restore", id]);
        assert_eq!(restored.code, 0, "{}", restored.stderr);
        assert_eq!(files(&kiln.home.claude()), before_files);
        let shown = kiln.home.ravel(["show", id]).stdout;
        assert!(!shown.starts_with("archived: "), "{shown}");
    }
}

#[test]
fn a_listing_marks_archived_sessions() {
    let kiln = Kiln::new(Version::V2_1_29);
    let list = |options: &[&str]| -> Vec<Value> {
        let output = kiln.home.ravel(["ls", "--json"].iter().chain(options));
        parsed(&output).as_array().unwrap().clone()
    };
    let without_place = |items: Vec<Value>| -> Vec<Value> {
        let strip = |mut item: Value| {
            let object = item.as_object_mut().unwrap();
            object.remove("archived");
            object.remove("path");
            item
        };
        items.into_iter().map(strip).collect()
    };
    let before = list(&[]);
    kiln.home.ravel(["archive"]);
    assert_eq!(list(&[]), before, "what is in the home is taken from there");
    assert_eq!(list(&["--archived"]), Vec::<Value>::new());
    kiln.purge();
    let after = list(&[]);
    let marks: Vec<bool> = after.iter().map(|item| item["archived"] == true).collect();
    assert_eq!(marks.iter().filter(|mark| **mark).count(), 1);
    assert_eq!(without_place(after), without_place(before));
    let archived = list(&["--archived"]);
    assert_eq!(archived.len(), 1);
    assert_eq!(archived[0]["id"], kiln.id.as_str());
    let table = kiln.home.ravel(["ls"]).stdout;
    let marked: Vec<&str> = table
        .lines()
        .filter(|line| line.contains("archived"))
        .collect();
    assert_eq!(marked.len(), 1, "{table}");
    assert!(marked[0].starts_with(&kiln.id[..8]), "{table}");
}

#[test]
fn checks_of_an_archived_session_find_the_same() {
    let kiln = Kiln::new(Version::V2_1_29);
    let mut bytes = fs::read(&kiln.path).unwrap();
    bytes.extend(b"{\"torn\": ");
    fs::write(&kiln.path, bytes).unwrap();
    let codes = || {
        let output = kiln.home.ravel(["check", "--all", "--json"]);
        let document: Value = serde_json::from_str(&output.stdout).unwrap();
        let files = document["files"].as_array().unwrap();
        let mut found: Vec<String> = files
            .iter()
            .map(|file| format!("{} {} {}", file["errors"], file["warnings"], file["lines"]))
            .collect();
        found.sort();
        (output.code, found)
    };
    let before = codes();
    kiln.home.ravel(["archive"]);
    kiln.purge();
    assert_eq!(codes(), before);
    assert!(before.1.len() >= 3);
}

#[test]
fn a_summary_says_what_was_done() {
    let kiln = Kiln::new(Version::V2_1_29);
    let dry = parsed(&kiln.home.ravel(["archive", "--dry-run", "--json"]));
    assert!(!Path::new(dry["archive"].as_str().unwrap()).exists());
    let first = parsed(&kiln.home.ravel(["archive", "--json"]));
    for key in [
        "sessions",
        "sessions_changed",
        "files",
        "files_new",
        "new_bytes",
    ] {
        assert_eq!(dry[key], first[key], "{key}");
    }
    assert_eq!(
        (&first["sessions"], &first["sessions_changed"]),
        (&json!(2), &json!(2))
    );
    assert!(first["stored_bytes"].as_u64().unwrap() > 0);
    let again = parsed(&kiln.home.ravel(["archive", "--json"]));
    assert_eq!(
        (&again["sessions_changed"], &again["stored_bytes"]),
        (&json!(0), &json!(0))
    );
    let text = kiln.home.ravel(["archive"]).stdout;
    assert!(
        text.starts_with("archived 2 sessions: nothing new\n"),
        "{text}"
    );
    let home = home();
    let nothing = home.ravel(["archive"]);
    assert_eq!(nothing.code, 0);
    assert!(
        nothing
            .stdout
            .starts_with("archived 0 sessions: nothing new\n")
    );
}

#[test]
fn only_what_is_named_is_archived() {
    let kiln = Kiln::new(Version::V2_1_29);
    let done = parsed(&kiln.home.ravel(["archive", "--json", "Blue bowls"]));
    assert_eq!(done["sessions"], 1);
    let by_path = parsed(
        &kiln
            .home
            .ravel(["archive", "--json", kiln.path.to_str().unwrap()]),
    );
    assert_eq!(
        (&by_path["sessions"], &by_path["sessions_changed"]),
        (&json!(1), &json!(0))
    );
    let unknown = kiln.home.ravel(["archive", "nonesuch"]);
    assert_eq!(unknown.code, 2);
    kiln.purge();
    let gone = kiln.home.ravel(["archive", &kiln.id]);
    assert_eq!(gone.code, 2);
    assert!(
        gone.stderr.contains("in the archive already"),
        "{}",
        gone.stderr
    );
}

#[test]
fn a_restore_says_how_to_go_on_and_overwrites_nothing() {
    let kiln = Kiln::new(Version::V2_1_29);
    let early = kiln.home.ravel(["archive", "restore", &kiln.id]);
    assert_eq!(early.code, 2);
    assert!(
        early.stderr.contains("there is no archive"),
        "{}",
        early.stderr
    );
    kiln.home.ravel(["archive"]);
    kiln.purge();
    let restored = kiln.home.ravel(["archive", "restore", &kiln.id]);
    let command = format!("cd /home/robin/kiln && claude --resume {}\n", kiln.id);
    assert!(restored.stdout.ends_with(&command), "{}", restored.stdout);
    let bytes = fs::read(&kiln.path).unwrap();
    fs::write(&kiln.path, "{}\n").unwrap();
    let refused = kiln.home.ravel(["archive", "restore", &kiln.id]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    assert_eq!(fs::read(&kiln.path).unwrap(), b"{}\n");
    kiln.home.ravel(["archive"]);
    let n_versions = || {
        let list = ["archive", "restore", &kiln.id, "--list", "--json"];
        let listed = parsed(&kiln.home.ravel(list));
        listed["versions"].as_array().unwrap().len()
    };
    assert_eq!(n_versions(), 2);
    // What the archive has not seen yet is not lost either.
    fs::write(&kiln.path, "{\"unseen\":1}\n").unwrap();
    let old = ["archive", "restore", &kiln.id, "--version", "1", "--force"];
    let replaced = kiln.home.ravel(old);
    assert_eq!(replaced.code, 0, "{}", replaced.stderr);
    assert!(
        replaced.stdout.contains("archived as an earlier state"),
        "{}",
        replaced.stdout
    );
    assert_eq!(fs::read(&kiln.path).unwrap(), bytes);
    assert_eq!(n_versions(), 3);
    let back = ["archive", "restore", &kiln.id, "--version", "2", "--force"];
    assert_eq!(kiln.home.ravel(back).code, 0);
    assert_eq!(fs::read(&kiln.path).unwrap(), b"{\"unseen\":1}\n");
    assert_eq!(n_versions(), 3, "each state once");
}

#[test]
fn damage_is_a_warning_for_readers_and_an_error_for_verify() {
    let kiln = Kiln::new(Version::V2_1_29);
    kiln.home.ravel(["archive"]);
    kiln.purge();
    let sound = kiln.home.ravel(["archive", "verify"]);
    assert_eq!(sound.code, 0, "{}", sound.stderr);
    let archive = parsed(&kiln.home.ravel(["archive", "--json"]))["archive"].clone();
    let archive = PathBuf::from(archive.as_str().unwrap());
    let rest = kiln.path.strip_prefix(kiln.home.claude()).unwrap();
    let kept = archive
        .join("home")
        .join(format!("{}.kept", rest.display()));
    let text = fs::read_to_string(&kept).unwrap();
    let (_, chunk) = text.split_once("chunk ").unwrap();
    let chunk = chunk.split(' ').next().unwrap();
    let file = archive
        .join("chunks")
        .join(&chunk[..2])
        .join(format!("{chunk}.zst"));
    let packed = fs::read(&file).unwrap();
    fs::write(&file, &packed[..packed.len() / 2]).unwrap();
    let message = format!("chunk {chunk} of the archive is damaged");
    let commands: [&[&str]; 3] = [
        &["show", &kiln.id],
        &["archive", "restore", &kiln.id],
        &["archive", "verify"],
    ];
    for arguments in commands {
        let output = kiln.home.ravel(arguments);
        assert_ne!(output.code, 0, "{arguments:?}");
        assert!(
            output.stderr.contains(&message),
            "{arguments:?} {}",
            output.stderr
        );
    }
    assert!(!file.exists(), "it is put aside");
    assert!(archive.join(format!("damaged/{chunk}.zst")).exists());
    let listed = kiln.home.ravel(["ls"]);
    assert_eq!(listed.code, 0);
    assert!(listed.stderr.contains("is missing"), "{}", listed.stderr);
    fs::write(&kept, "nonsense").unwrap();
    let pruned = kiln.home.ravel(["archive", "prune"]);
    assert_eq!(pruned.code, 1);
    assert!(
        pruned.stdout.contains("nothing was removed"),
        "{}",
        pruned.stdout
    );
}

#[test]
fn two_at_once_make_one_archive() {
    let kiln = Kiln::new(Version::V2_1_29);
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ravel"));
        command
            .env_clear()
            .env("HOME", kiln.home.path())
            .arg("archive")
            .arg("--json");
        command
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let running: Vec<_> = (0..6).map(|_| start()).collect();
    let mut n_new = 0;
    for child in running {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        n_new += summary["files_new"].as_u64().unwrap();
    }
    let all = parsed(&kiln.home.ravel(["archive", "--json"]));
    assert_eq!(
        (&all["files"], &all["files_new"]),
        (&json!(n_new), &json!(0))
    );
    assert_eq!(kiln.home.ravel(["archive", "verify"]).code, 0);
}

#[test]
fn an_archived_session_is_not_followed() {
    let kiln = Kiln::new(Version::V2_1_29);
    kiln.home.ravel(["archive"]);
    kiln.purge();
    let output = kiln.home.ravel(["tail", &kiln.id]);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("does not grow"), "{}", output.stderr);
}
