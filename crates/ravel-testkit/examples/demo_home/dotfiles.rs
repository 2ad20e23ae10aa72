//! The dotfiles: an old session, a damaged one and a short one.

use ravel_testkit::{AgentTask, Outcome, SessionBuilder, Version};
use serde_json::json;

use crate::{DemoSession, sources};

const DOTFILES: &str = "/home/robin/dotfiles";

/// Version 1.0: the sub-agent's lines stand inside the file, the title is a summary line.
pub(crate) fn prompt_colors() -> SessionBuilder {
    let mut session = SessionBuilder::new(Version::V1_0_128, "demo prompt colors")
        .in_folder(DOTFILES)
        .starting_at("2026-01-17T20:02:44.000Z");
    session.put_file("bashrc", sources::BASHRC);
    session.prompt("Show the git branch in my shell prompt, but keep it fast.");
    session.agent(&AgentTask::new("Measure git prompts", "Measure how long `git status` and `git symbolic-ref` take in a large repository."), |agent| {
        agent.call("Bash", json!({"command": "time git status >/dev/null; time git symbolic-ref --short HEAD"}), &Outcome::bash("real 0m0.412s\nmain\nreal 0m0.003s"));
        agent.reply("`git status` takes 412 ms, `git symbolic-ref` 3 ms.");
    });
    session.reply("Reading only the branch name costs 3 ms instead of 412, so I'll use that.");
    session.read_file("bashrc");
    session.edit_file("bashrc", "PS1='\\u@\\h:\\w\\$ '", "branch() { git symbolic-ref --quiet --short HEAD 2>/dev/null; }\nPS1='\\u@\\h:\\w \\[\\e[33m\\]$(branch)\\[\\e[0m\\]\\$ '");
    let leaf =
        session.reply("Done. The branch appears in yellow; outside of git nothing is shown.");
    session.summary("Fast git branch in the shell prompt", &leaf);
    session
}

/// A session that went through a full disk: a torn line, a lost parent, a result without a call.
pub(crate) fn damaged() -> DemoSession {
    let mut session = SessionBuilder::new(Version::V2_1_29, "demo damaged")
        .in_folder(DOTFILES)
        .starting_at("2026-01-23T22:47:19.000Z");
    session.prompt("My disk is full. What takes the space?");
    let mut call = session.call(
        "Bash",
        json!({"command": "du -sh ~/* | sort -h | tail -3", "description": "Find large folders"}),
        &Outcome::bash(
            "4.1G\t/home/robin/Music\n38G\t/home/robin/Videos\n112G\t/home/robin/.cache",
        ),
    );
    session.reply("`~/.cache` has 112 GB, most of it from builds.");
    session.prompt("Clear the build caches older than a month.");
    session.reply("I'll remove what was not used for 30 days.");
    call.id = "toolu_01lostinthefulldisk00".to_owned();
    session.tool_result(&call, &Outcome::bash("removed 1,204 files"));
    session.branch_at("00000000-0000-4000-a000-00000000f011");
    session.prompt("Did it work?");
    session.reply("Yes: 97 GB are free again. The log of this session has a hole from when the disk was full.");
    let replaced = Some(tear(&session.to_bytes()));
    DemoSession {
        builder: session,
        replaced,
    }
}

/// Cuts the fifth line in half, as a full disk does, and glues the sixth to it.
fn tear(bytes: &[u8]) -> Vec<u8> {
    let mut torn = Vec::new();
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let kept = if index == 4 {
            line.len() / 2
        } else {
            line.len()
        };
        torn.extend_from_slice(line.get(..kept).unwrap_or_default());
    }
    torn
}

/// A short question, the newest session of all.
pub(crate) fn quick_question() -> SessionBuilder {
    let mut session = SessionBuilder::new(Version::V2_1_325, "demo quick question")
        .in_folder(DOTFILES)
        .starting_at("2026-01-30T17:31:02.000Z")
        .interactive();
    session.prompt("What does `set -euo pipefail` do, in one sentence each?");
    session.opening_attachments();
    session.wait_ms(3_100);
    session.reply("- `-e` stops the script when a command fails.\n- `-u` makes an unset variable an error.\n- `-o pipefail` lets a pipe fail when any of its commands does.\n\nTogether they turn silent mistakes into loud ones.");
    session.turn_duration(4_100);
    session.last_prompt();
    session.cost_state(0.0412);
    session
}
