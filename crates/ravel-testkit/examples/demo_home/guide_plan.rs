//! The documentation site: planning first, with tasks.

use ravel_testkit::{Outcome, SessionBuilder, Version};
use serde_json::{Value, json};

use crate::sources;

pub(crate) const GUIDE: &str = "/home/robin/sites/trail-guide";

/// The name of the plan, which the session's lines carry as their slug.
pub(crate) const PLAN_SLUG: &str = "add-search-curious-lovelace";

/// The plan, also written to `plans/`.
pub(crate) const PLAN: &str = "# Search for the trail guide\n\n## Goal\nFind a walk by name, place or length, without a server.\n\n## Steps\n1. Build an index (`search.json`) with the site: title, place, kilometers, first paragraph.\n2. A small script loads it on the first key press and shows up to eight hits.\n3. Works without JavaScript: the field is a form that opens the list of all walks.\n\n## Not now\nFuzzy matching and pictures in the results.\n";

/// The tasks of the session, also written to `tasks/`.
pub(crate) fn tasks() -> Vec<Value> {
    let task = |id: &str, subject: &str, status: &str, blocked_by: Value| json!({"id": id, "subject": subject, "description": subject, "activeForm": subject, "status": status, "blocks": [], "blockedBy": blocked_by});
    vec![
        task("1", "Build the search index", "completed", json!([])),
        task("2", "Show hits while typing", "in_progress", json!(["1"])),
        task("3", "Fallback without JavaScript", "pending", json!(["2"])),
    ]
}

pub(crate) fn search_plan() -> SessionBuilder {
    let mut session = SessionBuilder::new(Version::V2_1_325, "demo search plan")
        .in_folder(GUIDE)
        .on_branch("search")
        .starting_at("2026-01-24T10:30:00.000Z")
        .interactive();
    session.put_file("docs/index.md", sources::GUIDE_INDEX);
    session.put_file("mkdocs.yml", sources::GUIDE_CONFIG);
    session.mode("normal");
    session.permission_mode("plan");
    session.set_permission_mode("plan");
    session.set_slug(PLAN_SLUG);
    let path = format!("/home/robin/.claude/plans/{PLAN_SLUG}.md");
    session.prompt(
        "Visitors ask for a search on the trail guide. How would you add one? It is a static site.",
    );
    session.opening_attachments();
    session.plan_mode(&path);
    let calls = vec![
        session.read_call("docs/index.md"),
        session.read_call("mkdocs.yml"),
    ];
    session.parallel_tools(calls);
    session.thinking("Two dozen walks: an index of a few kilobytes, no library needed. Keep it usable without JavaScript.");
    session.reply("With two dozen walks the whole index is a few kilobytes, so the browser can search it alone. I wrote the plan down.");
    session.write_file(&path, PLAN);
    session.call(
        "ExitPlanMode",
        json!({"plan": PLAN}),
        &Outcome::PlanApproved {
            plan: PLAN.into(),
            path: path.clone(),
        },
    );
    session.set_permission_mode("acceptEdits");
    session.permission_mode("acceptEdits");
    session.plan_mode_exit(&path);
    carry_out(&mut session);
    session
}

fn carry_out(session: &mut SessionBuilder) {
    for (id, subject) in [
        ("1", "Build the search index"),
        ("2", "Show hits while typing"),
        ("3", "Fallback without JavaScript"),
    ] {
        let created = json!({"task": {"id": id, "subject": subject, "description": subject}});
        session.call(
            "TaskCreate",
            json!({"subject": subject, "description": subject}),
            &Outcome::text(
                &format!("Task #{id} created successfully: {subject}"),
                created,
            ),
        );
    }
    update_task(session, "1", ("pending", "in_progress"));
    session.write_file("hooks/search_index.py", "\"\"\"Writes search.json when the site is built.\"\"\"\n\nimport json\n\nWALKS = []\n\n\ndef on_page_content(html, page, **_):\n    if page.url.startswith(\"walks/\"):\n        meta = page.meta\n        WALKS.append({\"title\": page.title, \"place\": meta.get(\"place\"), \"km\": meta.get(\"km\"), \"url\": page.url})\n\n\ndef on_post_build(config):\n    with open(f\"{config['site_dir']}/search.json\", \"w\") as out:\n        json.dump(WALKS, out)\n");
    session.edit_file(
        "mkdocs.yml",
        "theme: simple\n",
        "theme: simple\nhooks:\n  - hooks/search_index.py\n",
    );
    session.call("Bash", json!({"command": "mkdocs build -q && wc -c site/search.json", "description": "Build and measure the index"}), &Outcome::bash("3174 site/search.json"));
    update_task(session, "1", ("in_progress", "completed"));
    update_task(session, "2", ("pending", "in_progress"));
    session.reply("Step 1 is done: the index is built with the site and has **3.2 kB**. Shall I go on with the search field?");
    session.turn_duration(95_400);
    session.ai_title("Search for the trail guide");
    session.last_prompt();
    session.cost_state(0.6639);
}

fn update_task(session: &mut SessionBuilder, id: &str, (from, to): (&str, &str)) {
    let change = json!({"success": true, "taskId": id, "updatedFields": ["status"], "statusChange": {"from": from, "to": to}});
    session.call(
        "TaskUpdate",
        json!({"taskId": id, "status": to}),
        &Outcome::text(&format!("Updated task #{id} status"), change),
    );
}
