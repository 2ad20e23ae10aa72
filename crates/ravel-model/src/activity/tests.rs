use proptest::prelude::*;
use ravel_format::{lines, parse_line};

use super::*;
use crate::usage::Day;
use crate::usage::testing::request;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Makes a line from words: kind, minute, tools that are called; `#` marks a sidechain.
fn line(words: &str) -> String {
    let mut words = words.split_whitespace();
    let kind = match words.next().unwrap() {
        "u" => "user",
        "a" => "assistant",
        "s" => "system",
        other => other,
    };
    let minute = words.next().unwrap();
    let time = match minute.parse::<i64>() {
        Ok(minute) => format!(r#","timestamp":"{}""#, Timestamp(minute * 60_000).to_iso()),
        Err(_) => String::new(),
    };
    let rest: Vec<&str> = words.collect();
    let is_sidechain = rest.contains(&"#");
    let calls = rest.iter().filter(|word| **word != "#");
    let calls: Vec<String> = calls
        .map(|name| format!(r#"{{"type":"tool_use","id":"x","name":"{name}","input":{{}}}}"#))
        .collect();
    let content = calls.join(",");
    format!(
        r#"{{"type":"{kind}","isSidechain":{is_sidechain}{time},"cwd":"/srv/{minute}","message":{{"content":[{content}]}}}}"#
    )
}

fn activity(text: &str, side: Side) -> Activity {
    let mut activity = Activity::default();
    for line in lines(text.as_bytes()) {
        for record in parse_line(&line) {
            activity.add(&record, side);
        }
    }
    activity
}

fn of_lines(list: &[&str]) -> Activity {
    let text: String = list.iter().map(|words| line(words) + "\n").collect();
    activity(&text, Side::Main)
}

fn source(session: &str, project: &str) -> Source {
    Source {
        session: session.into(),
        project: project.into(),
    }
}

/// Two hours east of Greenwich, on day 3.
fn east(since: Option<i32>, until: Option<i32>) -> Lens<'static> {
    Lens {
        day: &|time| Day::utc(Timestamp(time.0.saturating_add(2 * HOUR_MS))),
        hour: &|time| ((time.0.saturating_add(2 * HOUR_MS)).rem_euclid(DAY_MS) / HOUR_MS) as u8,
        today: Day(3),
        since: since.map(Day),
        until: until.map(Day),
    }
}

#[test]
fn messages_are_what_a_person_and_the_model_say_in_the_conversation_itself() {
    let found = of_lines(&[
        "u 1",
        "a 2 Read Read",
        "u 3",
        "a 16 Bash",
        "s 4",
        "summary 5",
        "u 6 #",
        "a 7 Grep #",
        "u -",
        // A person's line calls no tool, whatever it looks like.
        "u 8 Write",
    ]);
    let expect = Amount {
        messages: 6,
        tool_calls: 3,
        agent_messages: 2,
        agent_tool_calls: 1,
    };
    assert_eq!(found.amount(), expect);
    let quarters: Vec<_> = found.quarters.keys().collect();
    assert_eq!(quarters, [&None, &Some(Quarter(0)), &Some(Quarter(1))]);
    let tools = found.tools.iter();
    let tools: Vec<_> = tools.map(|((_, name), n)| format!("{name} {n}")).collect();
    assert_eq!(tools, ["Grep 1", "Read 2", "Bash 1"]);
    assert_eq!(found.first, Some(Timestamp(60_000)));
    assert_eq!(found.last, Some(Timestamp(16 * 60_000)));
    assert_eq!(found.folder, Some((0, "/srv/1".into())));
}

#[test]
fn all_that_stands_in_a_sub_agents_transcript_is_its_own() {
    let found = activity(&line("a 1 Bash"), Side::Agent);
    let expect = Amount {
        agent_messages: 1,
        agent_tool_calls: 1,
        ..Amount::default()
    };
    assert_eq!(found.amount(), expect);
    assert_eq!(found.first, None);
}

#[test]
fn damaged_and_odd_lines_count_for_what_they_are() {
    let long = "x".repeat(5_000);
    let call = format!(r#"{{"type":"tool_use","name":"{long}"}}"#);
    let text = [
        r#"{"type":"assistant","message":{"content":[{"type":"tool_use"#.to_owned(),
        "[1,2]".into(),
        r#"{"type":7,"message":{}}"#.into(),
        r#"{"type":"assistant","message":"text","timestamp":"never"}"#.into(),
        r#"{"type":"assistant","message":{"content":[7,null,{"type":"tool_use","name":5}]}}"#
            .into(),
        format!(r#"{{"type":"assistant","message":{{"content":[{call}]}}}}"#),
        r#"{"type":"user","timestamp":9223372036854775807}"#.into(),
        r#"{"type":"user","timestamp":-9223372036854775807}"#.into(),
    ];
    let found = activity(&text.join("\n"), Side::Main);
    assert_eq!(found.amount().messages, 5);
    assert_eq!(found.amount().tool_calls, 2);
    let longest = found.tools.keys().map(|(_, name)| name.len()).max();
    assert_eq!(longest, Some(200));
    let stats = Stats::build([(&source("s", "p"), &found)], [], &east(None, None));
    assert_eq!(stats.amount.messages, 5);
    assert_eq!(Starts::of(&stats.sessions, |_| 99).n_sessions, 1);
}

#[test]
fn each_message_counts_when_it_was_written_and_each_session_when_it_began() {
    // 23:30 in Greenwich is half past one on the next day in the east.
    let one = of_lines(&["u 1410", "a 1411 Bash", "u 2900"]);
    let two = of_lines(&["u 10", "a 11 Read"]);
    let agent = activity(&line("a 12 Grep"), Side::Agent);
    let (shop, blog) = (source("one", "/shop"), source("two", "/blog"));
    let helper = source("two", "/blog");
    let all = [(&shop, &one), (&blog, &two), (&helper, &agent)];
    let mut asked = request("s m r o5 t1410");
    asked.tokens.input = 2;
    let stats = Stats::build(all, [&asked], &east(None, None));

    let days: Vec<String> = stats
        .days
        .iter()
        .map(|(day, found)| {
            let amount = found.amount;
            let parts = [found.n_sessions, amount.messages, amount.tool_calls];
            format!("{} {parts:?} {}", day.0, amount.agent_messages)
        })
        .collect();
    assert_eq!(days, ["0 [1, 2, 1] 1", "1 [1, 2, 1] 0", "2 [1, 1, 0] 0"]);
    assert_eq!((stats.hours[1], stats.hours[2], stats.hours[3]), (2, 3, 0));
    assert_eq!(stats.tools.len(), 3);
    assert_eq!(stats.projects["/blog"].amount.agent_tool_calls, 1);
    assert_eq!(stats.projects["/blog"].n_sessions, 1);
    let longest = stats.streaks.longest.unwrap();
    assert_eq!((longest.first, longest.last), (Day(0), Day(2)));
    assert_eq!(stats.streaks.current, Some(longest));
    assert_eq!(stats.models["claude-opus-5-5"].tokens.output, 5);
    assert_eq!(stats.model_days[&Day(0)]["claude-opus-5-5"], 7);

    let starts = Starts::of(&stats.sessions, east(None, None).hour);
    assert_eq!(starts.n_sessions, 2);
    assert_eq!(starts.n_messages, 5);
    let day = DayStarts {
        n_sessions: 2,
        n_messages: 5,
        n_tool_calls: 2,
    };
    assert_eq!(starts.days, [(Day(0), day)].into());
    assert_eq!((starts.hours[1], starts.hours[2]), (1, 1));
    assert_eq!(starts.first, Some(Timestamp(600_000)));
    let longest = starts.longest.unwrap();
    assert_eq!(&*longest.session, "one");
    assert_eq!(longest.duration_ms, 1490 * 60_000);
    assert_eq!(longest.n_messages, 3);
}

#[test]
fn only_some_days() {
    let one = of_lines(&["u 1410", "a 1411 Bash", "u 2900", "u -"]);
    let shop = source("one", "/shop");
    let count = |since, until| {
        let asked = [request("s m r o5 t1410"), request("s m2 r2 o5 t2900")];
        let stats = Stats::build([(&shop, &one)], &asked, &east(since, until));
        let n_requests: u64 = stats.models.values().map(|model| model.n_requests).sum();
        (
            stats.amount.messages,
            stats.sessions.len(),
            stats.tools.len(),
            n_requests,
        )
    };
    assert_eq!(count(None, None), (4, 1, 1, 2));
    assert_eq!(count(Some(1), Some(1)), (2, 1, 1, 1));
    assert_eq!(count(Some(2), None), (1, 1, 0, 1));
    assert_eq!(count(None, Some(0)), (0, 0, 0, 0));
}

#[test]
fn of_equally_long_sessions_the_earlier_one() {
    let (one, two) = (of_lines(&["u 5", "u 6"]), of_lines(&["u 8", "u 9"]));
    let (first, second) = (source("b", "p"), source("a", "p"));
    let all = [(&first, &one), (&second, &two)];
    let stats = Stats::build(all, [], &east(None, None));
    let longest = Starts::of(&stats.sessions, |_| 0).longest.unwrap();
    assert_eq!(&*longest.session, "b");
}

fn any_line() -> impl Strategy<Value = String> {
    let kind = prop_oneof![Just("u"), Just("a"), Just("s")];
    let minute = prop_oneof![
        (-3_000i64..9_000).prop_map(|n| n.to_string()),
        Just("-".into())
    ];
    let rest = prop_oneof![
        Just(""),
        Just("#"),
        Just("Bash"),
        Just("Read Bash"),
        Just("Read #")
    ];
    (kind, minute, rest).prop_map(|(kind, minute, rest)| line(&format!("{kind} {minute} {rest}")))
}

proptest! {
    #[test]
    fn neither_the_order_nor_the_pieces_matter(
        list in proptest::collection::vec(any_line(), 0..40),
        cut in any::<prop::sample::Index>(),
    ) {
        let text = list.join("\n");
        let whole = activity(&text, Side::Main);
        // The records keep their places in the file.
        let cut = cut.index(list.len() + 1);
        let (mut front, mut back) = (Activity::default(), Activity::default());
        for (n, line) in lines(text.as_bytes()).enumerate() {
            let half = if n < cut { &mut front } else { &mut back };
            parse_line(&line).iter().for_each(|record| half.add(record, Side::Main));
        }
        let (mut forward, mut backward) = (front.clone(), back.clone());
        forward.merge(back);
        backward.merge(front);
        prop_assert_eq!(&forward, &whole);
        prop_assert_eq!(&backward, &whole);
    }

    #[test]
    fn figures_do_not_change_with_the_order_of_files(
        files in proptest::collection::vec(proptest::collection::vec(any_line(), 0..8), 0..6),
        since in proptest::option::of(-2i32..4),
    ) {
        let files: Vec<(Source, Activity)> = files
            .iter()
            .enumerate()
            .map(|(n, list)| {
                let source = source(&format!("s{n}"), &format!("p{}", n % 2));
                (source, activity(&list.join("\n"), Side::Main))
            })
            .collect();
        let lens = east(since, None);
        let build = |reversed: bool| {
            let mut pairs: Vec<_> = files.iter().map(|(source, found)| (source, found)).collect();
            if reversed {
                pairs.reverse();
            }
            Stats::build(pairs, [], &lens)
        };
        let stats = build(false);
        prop_assert_eq!(&stats, &build(true));
        let by_project: u64 = stats.projects.values().map(|found| found.amount.messages).sum();
        prop_assert_eq!(by_project, stats.amount.messages);
        let by_hour: u64 = stats.hours.iter().sum();
        let by_day: u64 = stats.days.values().map(|found| found.amount.messages).sum();
        prop_assert_eq!(by_hour, by_day);
        prop_assert!(by_day <= stats.amount.messages);
    }
}
