//! Every case under `fixtures/` has the model it had before.
//!
//! Adding a case is adding a folder: the first run writes `model.snap.new` beside it, and
//! `RAVEL_BLESS=1 cargo test -p ravel fixtures` accepts what all cases say now.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ravel_home::{
    Discovery, Scope, SessionBytes, Target, agents_of, load_agent_meta, load_outline, resolve,
};
use ravel_model::branch::branches;
use ravel_model::check::check;
use ravel_model::facts::facts;
use ravel_model::placement::placements;
use ravel_model::turn::turns;
use ravel_model::{AgentMeta, Segment, Session, Thread, Transcript, What, api, steps};

#[test]
fn every_fixture_has_its_model() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut changed = Vec::new();
    let mut n_cases = 0;
    for dialect in folders(&root) {
        for case in folders(&dialect) {
            n_cases += 1;
            if !is_as_before(&case) {
                changed.push(case.strip_prefix(&root).unwrap().display().to_string());
            }
        }
    }
    assert!(
        n_cases > 50,
        "the fixtures are not where they were: {n_cases} found"
    );
    assert!(
        changed.is_empty(),
        "these have another model now, see model.snap.new in: {}",
        changed.join(", ")
    );
}

fn is_as_before(case: &Path) -> bool {
    let mut text = String::new();
    for file in sessions(case) {
        writeln!(text, "# {}\n", file.file_name().unwrap().to_string_lossy()).unwrap();
        describe(&file, &mut text);
    }
    let (snapshot, new) = (case.join("model.snap"), case.join("model.snap.new"));
    if std::fs::read_to_string(&snapshot).is_ok_and(|before| before == text) {
        let _ = std::fs::remove_file(new);
        return true;
    }
    let is_blessed = std::env::var_os("RAVEL_BLESS").is_some();
    std::fs::write(if is_blessed { snapshot } else { new }, text).unwrap();
    is_blessed
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

fn sessions(case: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(case)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let is_session = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.ends_with(".jsonl") && !name.starts_with("agent-")
    };
    let mut found: Vec<PathBuf> = entries.filter(is_session).collect();
    found.sort();
    found
}

fn load(path: &Path) -> Vec<Transcript> {
    let target = resolve(&Discovery::default(), path.to_str().unwrap(), &Scope::All).unwrap();
    let transcript = |path: &Path, agent| Transcript {
        outline: load_outline(path).unwrap(),
        source: Box::new(SessionBytes::open(path).unwrap()),
        agent,
    };
    let mut transcripts = vec![transcript(path, None)];
    let Target::Session(session) = target else {
        return transcripts;
    };
    for file in agents_of(&session).items {
        let meta = file
            .meta
            .as_deref()
            .and_then(|path| load_agent_meta(path).ok().flatten())
            .unwrap_or_default();
        let agent = AgentMeta {
            id: file.agent_id.clone(),
            kind: meta.agent_type,
            description: meta.description,
            tool_use_id: meta.tool_use_id,
            parent_agent_id: meta.parent_agent_id,
        };
        transcripts.push(transcript(&file.path, Some(agent)));
    }
    transcripts
}

/// Writes the model of a session for people to compare.
fn describe(path: &Path, out: &mut String) {
    let transcripts = load(path);
    let session = Session::build(&transcripts);
    let main = session.main().unwrap();
    let graph = &main.graph;
    let segments = session.history();
    let facts = facts(&session, &segments);
    writeln!(out, "title     {:?} ({})", facts.title, facts.title_source).unwrap();
    writeln!(
        out,
        "facts     {} lines, {} messages, {} turns, {} calls, {} agents, {} compactions",
        facts.n_lines,
        facts.n_messages,
        facts.n_turns,
        facts.n_tool_calls,
        facts.n_agents,
        facts.n_compactions
    )
    .unwrap();
    writeln!(
        out,
        "said      versions {:?} models {:?}",
        facts.versions, facts.models
    )
    .unwrap();
    describe_threads(&session, &segments, out);
    describe_uses(&session, out);
    for turn in turns(graph, &segments) {
        writeln!(out, "turn").unwrap();
        for step in steps(&session, 0, &turn.entries) {
            writeln!(out, "  {:>3} {}", step.line, step_words(&step.what)).unwrap();
        }
    }
    out.push('\n');
}

/// Writes where every entry went.
fn describe_threads(session: &Session<'_>, segments: &[Segment], out: &mut String) {
    let graph = &session.main().unwrap().graph;
    let all_branches = branches(graph, segments);
    let name = |index: usize| {
        graph
            .entry(index)
            .map_or(String::new(), |entry| format!("{}", entry.line))
    };
    let list = |entries: &[usize]| {
        entries
            .iter()
            .map(|&index| name(index))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let visible: Vec<usize> = Thread::main(graph).visible(graph).collect();
    writeln!(out, "thread    {}", list(&visible)).unwrap();
    for (number, segment) in segments.iter().enumerate() {
        let start = match (segment.compaction, segment.gap) {
            (Some(_), _) => " after a compaction",
            (_, Some(_)) => " after a gap",
            _ => "",
        };
        writeln!(
            out,
            "segment {number}{start}: {}",
            list(&segment.thread.entries)
        )
        .unwrap();
    }
    for branch in &all_branches {
        let fork = branch.fork.map_or("nothing".into(), name);
        writeln!(
            out,
            "branch    {:?} from {fork}: {}",
            branch.origin,
            list(&branch.entries)
        )
        .unwrap();
    }
    let mut places = placements(graph, segments, &all_branches);
    assert_eq!(places.len(), graph.outline().entries().len());
    places.sort();
    let mut counts: Vec<(String, usize)> = Vec::new();
    for place in places {
        let word = format!("{place:?}");
        match counts.last_mut().filter(|(last, _)| *last == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    writeln!(out, "placed    {counts:?}").unwrap();
}

/// Writes agents, findings and what would be sent.
fn describe_uses(session: &Session<'_>, out: &mut String) {
    let main = session.main().unwrap();
    let graph = &main.graph;
    for agent in session.agents() {
        writeln!(
            out,
            "agent     {} {:?} depth {} link {} call {:?} {} lines",
            agent.id,
            agent.kind,
            agent.depth,
            agent.link.name(),
            agent.call.map(|call| (call.part, call.entry)),
            agent.entries.len()
        )
        .unwrap();
    }
    for diagnostic in check(graph, &*main.transcript.source).diagnostics {
        writeln!(
            out,
            "finding   {}[{}] line {} {}",
            diagnostic.severity,
            diagnostic.code.name(),
            diagnostic.place.line,
            diagnostic.place.pointer.unwrap_or_default()
        )
        .unwrap();
    }
    let rebuilt = api::rebuild(graph, &*main.transcript.source, &api::Options::default());
    let sent: Vec<String> = rebuilt
        .messages
        .iter()
        .map(|message| format!("{}×{}", message.role.name(), message.blocks().len()))
        .collect();
    writeln!(out, "sent      {}", sent.join(" ")).unwrap();
}

fn step_words(what: &What) -> String {
    let short = |text: &str| format!("{:?}", text.chars().take(60).collect::<String>());
    match what {
        What::Prompt(prompt) => format!(
            "prompt {:?} {} {} pictures",
            prompt.asker,
            short(&prompt.text),
            prompt.pictures.len()
        ),
        What::Reply(text) => format!("reply {}", short(text)),
        What::Thinking(text) => format!("thinking {}", short(text)),
        What::Call(call) => {
            let result = call.result.as_ref().map_or("no result".into(), |result| {
                let failed = if result.is_error { "failed " } else { "" };
                format!(
                    "{failed}{} {} pictures",
                    short(&result.text),
                    result.pictures.len()
                )
            });
            format!("call {} {result} agents {:?}", call.name, call.agents)
        }
        What::Hidden { label, .. } => format!("hidden {label}"),
        What::Unknown { name, .. } => format!("unknown {name}"),
        What::StrayResult(result) => format!("stray result {}", short(&result.text)),
        What::Compaction(compaction) => format!(
            "compaction {:?} {:?} → {:?} {}",
            compaction.trigger,
            compaction.pre_tokens,
            compaction.post_tokens,
            short(compaction.summary.as_deref().unwrap_or(""))
        ),
        What::Output(text) => format!("output {}", short(text)),
        other => short(&format!("{other:?}")),
    }
}
