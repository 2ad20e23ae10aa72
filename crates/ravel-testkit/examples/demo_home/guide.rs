//! The documentation site: dead links, found by an agent in the background.

use ravel_testkit::{AgentTask, Outcome, SessionBuilder, Version};
use serde_json::json;

use crate::guide_plan::GUIDE;
use crate::sources;

/// A custom command, a background agent with its notification, a small compaction, a renaming.
pub(crate) fn broken_links() -> SessionBuilder {
    let mut session = SessionBuilder::new(Version::V2_1_29, "demo broken links")
        .in_folder(GUIDE)
        .starting_at("2026-01-20T09:15:00.000Z")
        .with_slug("patient-mapping-marmot")
        .interactive();
    session.put_file("docs/index.md", sources::GUIDE_INDEX);
    session.custom_command(
        "check-links",
        "docs/",
        "Check every link below docs/ and report the dead ones with a suggestion for each.",
    );
    session.write_todos(&[
        ("Check links of the site", "in_progress"),
        ("Check links to other sites", "in_progress"),
        ("Repair dead links", "pending"),
    ]);
    let task = AgentTask::new(
        "Check outside links",
        "Request every link of docs/ that leads to another site and report those that do not answer.",
    );
    let (call, run) = session.background_agent(&task, |agent| {
        agent.call("Bash", json!({"command": "lychee --offline=false docs/", "description": "Check links"}), &Outcome::bash("✗ https://bus.example.org/line-7 → 404\n✓ 41 others"));
        agent.reply("One dead link of 42: `https://bus.example.org/line-7` in `docs/travel.md`. The timetable moved to `/lines/7`.");
    });
    session.reply(
        "Links to other sites are being checked in the background. Meanwhile I look at our own.",
    );
    let grep = session.call("Grep", json!({"pattern": "\\]\\(", "path": "docs", "output_mode": "content", "-n": true}), &Outcome::grep_content("docs/index.md:5:- [Old mill loop](walks/old-mill.md)\ndocs/index.md:6:- [Ridge path](walks/ridge.md)\ndocs/index.md:7:- [Getting there](travel.md)"));
    session.call(
        "Glob",
        json!({"pattern": "docs/**/*.md"}),
        &Outcome::glob(&[
            "docs/index.md",
            "docs/travel.md",
            "docs/walks/old-mill.md",
            "docs/walks/ridge-path.md",
        ]),
    );
    session.reply("`walks/ridge.md` does not exist; the file is called `ridge-path.md`.");
    session.edit_file("docs/index.md", "walks/ridge.md", "walks/ridge-path.md");
    session.wait_minutes(2);
    session.task_notification(&call, &task, &run);
    finish(&mut session, &grep.id);
    session
}

fn finish(session: &mut SessionBuilder, old_output: &str) {
    session.put_file("docs/travel.md", "# Getting there\n\nBus line 7 stops at the old mill ([timetable](https://bus.example.org/line-7)).\n");
    session.read_file("docs/travel.md");
    session.edit_file("docs/travel.md", "org/line-7", "org/lines/7");
    session.write_todos(&[
        ("Check links of the site", "completed"),
        ("Check links to other sites", "completed"),
        ("Repair dead links", "completed"),
    ]);
    session.reply("Both dead links are repaired:\n\n- `docs/index.md`: ridge path\n- `docs/travel.md`: bus timetable");
    session.microcompact(&[old_output]);
    session.prompt("Lovely. Anything else on that travel page?");
    session
        .reply("It could say that line 7 does not run on Sundays; the new timetable mentions it.");
    session.custom_title("Dead links of the guide");
    session.local_command("rename", "Dead links of the guide", "Renamed.");
}
