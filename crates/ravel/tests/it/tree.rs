//! `ravel tree`.

use ravel_testkit::{AgentTask, SessionBuilder, TestHome, Trigger, Version};

use crate::{home, parsed};

/// A rewind, a compaction and nested agents; returns the prompt that was rewound.
fn grown() -> (TestHome, String) {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_325, "tree");
    session.prompt("Which clay?");
    let answer = session.reply("Stoneware.");
    let rewound = session.prompt("Glaze it white.");
    session.reply("White.");
    session.branch_at(&answer);
    session.prompt("Glaze it black.");
    session.reply("Black.");
    session.compact(Trigger::Manual, "We chose clay and glaze.");
    session.prompt("Fire it.");
    let outer = AgentTask::new("Watch the kiln", "Watch it.");
    session.agent(&outer, |agent| {
        let inner = AgentTask::new("Read the dial", "Read it.").of_kind("Explore");
        agent.agent(&inner, |nested| {
            nested.reply("900 degrees.");
        });
        agent.reply("All is well.");
    });
    session.reply("It burns.");
    home.add_session(&session);
    (home, rewound)
}

#[test]
fn turns_branches_compactions_and_agents_are_drawn() {
    let (home, _) = grown();
    let output = home.ravel(["tree"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(output.stdout, @r"
    ├─ 1 Which clay?  2 messages
    │  └─ ⑂ 1 rewind Glaze it white.  2 messages · bf333105
    ├─ 2 Glaze it black.  2 messages
    ├─ ── Compacted by hand · 12k → 2.6k tokens
    └─ 3 Fire it.  4 messages
       └─ ◇ general-purpose Watch the kiln  4 messages · a5cecf8afd0896dee
          └─ ◇ Explore Read the dial  2 messages · af3ad7ea62e60ae51
    ");
}

#[test]
fn its_numbers_are_the_ones_show_takes() {
    let (home, rewound) = grown();
    let document = parsed(&home.ravel(["tree", "--json"]));
    let branches = document["branches"].as_array().unwrap();
    assert_eq!(branches.len(), 1);
    assert!(branches[0].to_string().contains(&rewound));
    let text = home.ravel(["show", "--branch", "1"]).stdout;
    assert!(text.contains("Glaze it white."), "{text}");
    assert!(!text.contains("Glaze it black."), "{text}");
}

#[test]
fn json_has_the_shape_without_the_texts() {
    let (home, _) = grown();
    let output = home.ravel(["tree", "--json"]);
    let document = parsed(&output);
    let keys: Vec<&str> = document
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    for key in ["facts", "segments", "branches", "agents"] {
        assert!(keys.contains(&key), "{keys:?}");
    }
    assert_eq!(document["segments"].as_array().unwrap().len(), 2);
    let depths: Vec<u64> = document["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| agent["depth"].as_u64().unwrap())
        .collect();
    assert_eq!(depths, [0, 1]);
    assert!(!output.stdout.contains("900 degrees."));
}
