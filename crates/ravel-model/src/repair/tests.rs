//! A repaired copy is whole, linked, and never shows less.

use std::collections::BTreeSet;

use proptest::prelude::*;
use ravel_format::{Json, Outline, lines};

use super::{n_reached, plan, write};
use crate::graph::Graph;
use crate::testing::{names, session};
use crate::thread::Thread;

/// Sessions of several shapes; every damage is done to each.
const SESSIONS: &[&str] = &[
    "u:a< a:b<a/m1 u:c<b a:d<c/m2 u:e<d a:f<e/m3 u:g<f a:h<g/m4",
    "s:a< u:b<a a:c<b/m1!t1 a:d<c/m1!t2 u:e<c=t1 u:f<d=t2 a:g<f/m2 u:h<g a:i<h/m3",
    "u:a< a:b<a/m1 u:c<b a:d<c/m2 B:e<~d S:f<e u:g<f a:h<g/m3 p:i<h",
    "u:a< a:b<a/m1!t1 u:s<# a:t<s#/n1 u:c<b=t1 a:d<c/m2 u:e<b a:f<e/m3",
    "u:a< a:b<a/m1 u:c<b? u:d<c a:e<d/m2 L:e u:f<e",
];

/// The session among them that was compacted.
const WITH_COMPACTION: usize = 2;

fn repaired(bytes: &[u8]) -> (Vec<u8>, Vec<String>) {
    let outline = Outline::from_bytes(bytes);
    let source = bytes.to_vec();
    let plan = plan(&Graph::build(&outline), &source);
    let mut out = Vec::new();
    write(&plan, &source, &mut out).unwrap();
    let actions = plan.actions.iter();
    let actions = actions.map(|action| format!("{}:{}", action.kind.name(), action.line));
    (out, actions.collect())
}

fn thread(bytes: &[u8]) -> String {
    let outline = Outline::from_bytes(bytes);
    let graph = Graph::build(&outline);
    let visible: Vec<usize> = Thread::main(&graph).visible(&graph).collect();
    names(&graph, visible)
}

fn check(file: &[u8], expected_actions: &str, expected_thread: &str) {
    let (out, actions) = repaired(file);
    let shown = String::from_utf8_lossy(file);
    assert_eq!(actions.join(" "), expected_actions, "{shown}");
    assert_eq!(thread(&out), expected_thread, "{shown}");
    assert_sound(&out);
    assert_no_loss(file, &out);
}

/// A repair never leads readers to fewer messages.
fn assert_no_loss(before: &[u8], after: &[u8]) {
    let shown = String::from_utf8_lossy(before);
    let reached = |bytes: &[u8]| n_reached(&Graph::build(&Outline::from_bytes(bytes)));
    assert!(reached(after) >= reached(before), "{shown}");
    let has_boundary = memchr::memmem::find(before, b"compact_boundary").is_some();
    if !has_boundary {
        let n_seen = |bytes: &[u8]| {
            let thread = thread(bytes);
            thread.split_whitespace().collect::<BTreeSet<_>>().len()
        };
        assert!(n_seen(after) >= n_seen(before), "{shown}");
    }
}

/// What every repair promises.
fn assert_sound(after: &[u8]) {
    for line in lines(after) {
        let json = Json::parse(line.bytes).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        assert!(json.flaw().is_none(), "{line:?}");
        assert_eq!(line.ending.bytes(), b"\n");
    }
    let outline = Outline::from_bytes(after);
    let graph = Graph::build(&outline);
    assert!(
        graph.orphans().is_empty(),
        "{}",
        String::from_utf8_lossy(after)
    );
    assert!(graph.cycles().is_empty());
    let (again, actions) = repaired(after);
    assert_eq!(actions, Vec::<String>::new());
    assert_eq!(again, after);
}

#[test]
fn a_healthy_file_stays_as_it_is() {
    for words in SESSIONS {
        // The shorthand leaves the session out, which nothing else in the file knows either.
        let bytes = session(words);
        let (out, actions) = repaired(&bytes);
        assert_eq!(actions, Vec::<String>::new(), "{words}");
        assert_eq!(out, bytes);
    }
}

#[test]
fn links_are_made_again() {
    let check_words =
        |words: &str, actions: &str, thread: &str| check(&session(words), actions, thread);
    check_words("u:a< a:b<a/m u:d<c a:e<d/n", "relink:3", "a b d e");
    check_words("u:b<a a:c<b/m", "make-root:1", "b c");
    check_words("u:a<d a:b<a/m u:c<b a:d<c/n", "cut-cycle:1", "a b c d");
    check_words("u:x< u:a<a a:b<a/m", "cut-cycle:2", "x a b");
    // The order of the file is the order of the conversation, wherever readers come in.
    check_words(
        "u:a<f a:b<a/m u:c<b a:d<c/n u:e<d u:f<e p:g<d",
        "cut-cycle:1",
        "a b c d e f",
    );
    check_words("u:a< a:b<a/m a:c</n u:d<c", "relink:3", "a b c d");
    check_words(
        "u:a< a:b<a/m!t u:x<b u:c<gone=t a:d<c/n",
        "relink:4",
        "a b c d",
    );
    check_words("u:a< a:b<a/m B:c<gone~b S:d<c", "make-root:3", "d");
    // Readers end at the first of two records with one id, and see more from there.
    check_words(
        "a:f<e/m3 a:b<a/m1!t1 u:c<b=t1 a:d<c/m2 u:e<b a:f<b/m3",
        "drop-duplicate:6 make-root:2 relink:3",
        "b e f c d",
    );
}

#[test]
fn only_the_parent_of_a_line_changes() {
    let bytes = session("u:a< a:b<a/m u:d<c a:e<d/n");
    let expected = String::from_utf8(bytes.clone()).unwrap();
    let expected = expected.replace(r#""parentUuid":"c""#, r#""parentUuid":"b""#);
    assert_eq!(repaired(&bytes).0, expected.into_bytes());
}

#[test]
fn lines_become_whole() {
    let text = String::from_utf8(session("u:a< a:b<a/m u:c<b a:d<c/n")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let [a, b, c, d] = lines.as_slice() else {
        panic!()
    };
    let cases: &[(String, &str, &str)] = &[
        (format!("{a}\n{b}{c}\n{d}\n"), "split-line:2", "a b c d"),
        (format!("{a}\n{b}\n{c}\n{d}"), "clean-line:4", "a b c d"),
        (
            format!("{a}\r\n{b}\r\n{c}\n{d}\n"),
            "clean-line:1",
            "a b c d",
        ),
        (
            format!("\u{FEFF}{a}\n{b}\n{c}\n{d}\n"),
            "clean-line:1",
            "a b c d",
        ),
        (
            format!("{a}\n\0\0{b}\n{c}\n\0\0\n{d}\n"),
            "clean-line:2 leave-out:4",
            "a b c d",
        ),
        (
            format!("{a}\n\n{b}\nnonsense\n{c}\n{d}\n"),
            "leave-out:2 leave-out:4",
            "a b c d",
        ),
        (
            format!("{a}\n{b}\n{c}\n{}", &d[..60]),
            "leave-out:4",
            "a b c",
        ),
        (
            format!("{a}\n{}{c}\n{d}\n", &b[..60]),
            "leave-out:2 relink:2",
            "a c d",
        ),
        (format!("{a}\n{b}\n[1, 2]\n{c}\n{d}\n"), "", "a b c d"),
        // Readers did not see the branch on the damaged line.
        (
            format!(
                "{a}\n{b}\n{c}\n\0{}\n",
                d.replace(r#""parentUuid":"c""#, r#""parentUuid":"a""#)
            ),
            "clean-line:4 relink:4",
            "a b c d",
        ),
    ];
    for (file, actions, thread) in cases {
        check(file.as_bytes(), actions, thread);
    }
}

#[test]
fn a_torn_message_is_closed_when_it_says_something() {
    let text = String::from_utf8(session("u:a< a:b<a/m")).unwrap();
    let torn = r#"{"parentUuid":"b","type":"user","message":{"role":"user","content":[{"type":"text","text":"half a \u00e"#;
    let file = format!("{text}{torn}");
    let (out, actions) = repaired(file.as_bytes());
    assert_eq!(actions, ["close-line:3", "add-uuid:3", "add-timestamp:3"]);
    let out = String::from_utf8(out).unwrap();
    let last = out.lines().last().unwrap();
    assert!(last.contains(r#""text":"half a "}]},"uuid":""#), "{last}");
    assert_sound(out.as_bytes());
    // A half-written call is of no use.
    let call = r#"{"parentUuid":"b","type":"assistant","uuid":"c","message":{"content":[{"type":"tool_use","id":"t"#;
    check(format!("{text}{call}").as_bytes(), "leave-out:3", "a b");
}

#[test]
fn keys_are_filled_in() {
    let file = r#"{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00.000Z","message":{"content":"x"}}
{"type":"assistant","parentUuid":"a","timestamp":"soon","message":{"id":"m","content":"y"}}
{"type":"user","uuid":"c","parentUuid":"lost","sessionId":"s","timestamp":1767225600000,"message":{"content":"z"}}
"#;
    let (out, actions) = repaired(file.as_bytes());
    let expected = [
        "add-uuid:2",
        "add-timestamp:2",
        "add-session-id:2",
        "add-timestamp:3",
        "relink:3",
    ];
    assert_eq!(actions, expected);
    let out = String::from_utf8(out).unwrap();
    assert_eq!(out.matches("2026-01-01T00:00:00.000Z").count(), 3);
    assert_sound(out.as_bytes());
    assert_eq!(thread(out.as_bytes()).split(' ').count(), 3);
}

#[test]
fn results_of_lost_calls_become_text() {
    let check = |block: &str, expected: &str| {
        let line = |content: &str| {
            format!(
                "{}{{\"type\":\"user\",\"uuid\":\"c\",\"parentUuid\":\"b\",\"timestamp\":\"2026-01-01T00:00:05.000Z\",\"message\":{{\"content\":[{content}]}}}}\n",
                String::from_utf8(session("u:a< a:b<a/m!t")).unwrap(),
            )
        };
        let kept = r#"{"type":"tool_result","tool_use_id":"t","content":"here"}"#;
        let lost = r#"{"type":"tool_result","tool_use_id":"gone""#;
        let (out, actions) = repaired(line(&format!("{kept}, {lost},{block}}}")).as_bytes());
        assert_eq!(actions, ["keep-as-text:3"]);
        let expected = format!(
            r#"{kept}, {{"type":"text","text":"[result of a tool call that is lost]{expected}"#
        );
        assert_eq!(String::from_utf8_lossy(&out), line(&expected));
        assert_sound(&out);
    };
    check(r#""content":"a \"b\"","is_error":true"#, r#"\na \"b\""}"#);
    check(
        r#""content":[{"type":"text","text":"x"},{"type":"image","source":{}},{"type":"odd"}]"#,
        r#"\nx\n(something that is no text)"},{"type":"image","source":{}}"#,
    );
    check(r#""content":null"#, r#""}"#);
    check(r#""content":{"a":1}"#, r#"\n(something that is no text)"}"#);
}

#[test]
fn paper_is_told_in_the_words_of_a_client() {
    let check = |record: &str, rest: &str, expected: &str| {
        let line = |id: &str, parent: &str, record: &str| {
            format!(
                "{{\"uuid\":\"{id}\",\"parentUuid\":{parent},\"timestamp\":\"2026-01-01T00:00:00.000Z\",{record}}}\n"
            )
        };
        let first = r#""type":"user","message":{"role":"user","content":"x"}"#;
        let head = line("a", "null", first);
        let second = line("b", "\"a\"", record);
        let third = line("c", "\"b\"", rest);
        let fourth = line("d", "\"c\"", r#""type":"user","message":"y""#);
        let (out, actions) = repaired(format!("{head}{second}{third}{fourth}").as_bytes());
        assert_eq!(actions, ["convert:2"]);
        let out = String::from_utf8(out).unwrap();
        let told = out
            .lines()
            .nth(1)
            .unwrap()
            .split_once("00:00.000Z\",")
            .unwrap()
            .1;
        let answer = out
            .lines()
            .nth(2)
            .unwrap()
            .split_once("00:00.000Z\",")
            .unwrap()
            .1;
        assert_eq!(format!("{told} {answer}"), expected);
        assert_sound(out.as_bytes());
    };
    check(
        r#""type":"assistant","toolName":"Read","toolArguments":{"a":1.0},"message":"so""#,
        r#""type":"system","message":"done""#,
        r#""type":"assistant","message":{"id":"msg_entry_1","type":"message","role":"assistant","content":[{"type":"text","text":"so"},{"type":"tool_use","id":"toolu_entry_1","name":"Read","input":{"a":1.0}}]}} "type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_entry_1","type":"tool_result","content":"done"}]}}"#,
    );
    check(
        r#""type":"assistant","toolName":"Read","toolArguments":"odd""#,
        r#""type":"compact_system","message":"conversation_compacted""#,
        r#""type":"assistant","message":{"id":"msg_entry_1","type":"message","role":"assistant","content":[{"type":"text","text":"[Read \"odd\"]"}]}} "type":"system","subtype":"informational","content":"conversation_compacted","level":"info"}"#,
    );
    check(
        r#""type":"human","message":{"type":"message","content":"hi"}"#,
        r#""type":"compact_recap","message":{"content":"so far"}"#,
        r#""type":"user","message":{"role":"user","content":"hi"}} "type":"user","message":{"role":"user","content":"so far"},"isCompactSummary":true}"#,
    );
}

#[test]
fn doubled_records_are_told_apart() {
    let text = String::from_utf8(session("u:a< a:b<a/m u:c<b a:d<c/n")).unwrap();
    let b = text.lines().nth(1).unwrap();
    check(
        format!("{text}{b}\n").as_bytes(),
        "drop-duplicate:5",
        "a b c d",
    );
    check(
        &session("u:a< a:b<a/m u:b<a a:c<b/n"),
        "rename-duplicate:2",
        "a b c",
    );
}

#[test]
fn text_is_made_strict() {
    let text = String::from_utf8(session("u:a< a:b<a/m")).unwrap();
    let broken = text.replace("\"content\":\"b\"", "\"content\":\"\u{1}b\\q\"");
    let (out, actions) = repaired(broken.as_bytes());
    assert_eq!(actions, ["mend-text:2"]);
    assert!(
        String::from_utf8(out)
            .unwrap()
            .contains(r#""content":"\u0001b\\q""#)
    );
}

/// One kind of damage, at a place that is taken modulo the number of lines.
#[derive(Debug, Clone)]
enum Harm {
    Remove(usize),
    Cut(usize, usize),
    Glue(usize),
    Nul(usize),
    Cycle(usize, usize),
    Double(usize, usize),
    Swap(usize),
}

fn harm() -> impl Strategy<Value = Harm> {
    let place = 0..16_usize;
    prop_oneof![
        place.clone().prop_map(Harm::Remove),
        (place.clone(), 1..160_usize).prop_map(|(line, cut)| Harm::Cut(line, cut)),
        place.clone().prop_map(Harm::Glue),
        place.clone().prop_map(Harm::Nul),
        (place.clone(), place.clone()).prop_map(|(line, to)| Harm::Cycle(line, to)),
        (place.clone(), place.clone()).prop_map(|(line, to)| Harm::Double(line, to)),
        place.prop_map(Harm::Swap),
    ]
}

fn damage(file: &mut Vec<Vec<u8>>, harm: &Harm) {
    let n_lines = file.len();
    if n_lines < 2 {
        return;
    }
    match *harm {
        Harm::Remove(line) => drop(file.remove(line % n_lines)),
        Harm::Cut(line, cut) => {
            let line = &mut file[line % n_lines];
            let kept = line.len().saturating_sub(cut);
            line.truncate(kept);
        }
        Harm::Glue(line) => {
            let second = file.remove((line % (n_lines - 1)) + 1);
            file[line % (n_lines - 1)].extend(second);
        }
        Harm::Nul(line) => drop(file[line % n_lines].splice(0..0, [0; 9])),
        Harm::Cycle(line, to) => {
            let text = String::from_utf8_lossy(&file[line % n_lines]).into_owned();
            let other = String::from_utf8_lossy(&file[to % n_lines]).into_owned();
            let value = |text: &str, key: &str| {
                let rest = text.split_once(key)?.1;
                Some(rest.split(',').next()?.to_owned())
            };
            if let Some((parent, uuid)) =
                value(&text, "parentUuid\":").zip(value(&other, "\"uuid\":"))
            {
                let changed = text.replace(
                    &format!("parentUuid\":{parent}"),
                    &format!("parentUuid\":{uuid}"),
                );
                file[line % n_lines] = changed.into_bytes();
            }
        }
        Harm::Double(line, to) => {
            let copy = file[line % n_lines].clone();
            file.insert(to % n_lines, copy);
        }
        Harm::Swap(line) => file.swap(line % (n_lines - 1), line % (n_lines - 1) + 1),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn any_damage_is_repaired(which in 0..SESSIONS.len(), harms in prop::collection::vec(harm(), 1..4)) {
        let bytes = session(SESSIONS[which]);
        let mut file: Vec<Vec<u8>> = lines(&bytes).map(|line| line.bytes.to_vec()).collect();
        for harm in &harms {
            damage(&mut file, harm);
        }
        let damaged = file.join(&b'\n');
        let (out, _) = repaired(&damaged);
        assert_sound(&out);
        // Several harms around a compaction can leave a message both before and after it.
        if harms.len() == 1 || which != WITH_COMPACTION {
            assert_no_loss(&damaged, &out);
        }
    }

    #[test]
    fn no_input_panics(bytes in prop::collection::vec(prop_oneof![
        Just(b'{'), Just(b'}'), Just(b'"'), Just(b'\\'), Just(b'\n'), Just(b':'), Just(b','), Just(0), Just(0xFF), any::<u8>(),
    ], 0..200)) {
        let (out, _) = repaired(&bytes);
        assert_sound(&out);
    }
}
