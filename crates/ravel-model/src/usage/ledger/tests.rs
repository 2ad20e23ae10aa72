use proptest::prelude::*;

use super::{Account, Ledger};
use crate::usage::testing::request;
use crate::usage::{Request, Tokens};

fn settle(requests: impl IntoIterator<Item = Request>) -> Account {
    let mut ledger = Ledger::explaining();
    requests.into_iter().for_each(|request| ledger.add(request));
    ledger.settle()
}

fn output(account: &Account) -> u64 {
    account
        .requests
        .iter()
        .map(|request| request.tokens.output)
        .sum()
}

/// Adds lines, one a row, in both orders; expects the outputs counted and the reasons of the rest.
fn check(lines: &str, counted: &[u64], reasons: &[&str]) {
    let requests: Vec<Request> = lines.lines().map(request).collect();
    let account = settle(requests.clone());
    assert_eq!(account, settle(requests.into_iter().rev()));
    let mut outputs: Vec<u64> = account
        .requests
        .iter()
        .map(|request| request.tokens.output)
        .collect();
    outputs.sort_unstable();
    assert_eq!(outputs, counted, "{lines}");
    let mut found: Vec<&str> = account
        .dropped
        .iter()
        .map(|dropped| dropped.reason.code())
        .collect();
    found.sort_unstable();
    assert_eq!(found, reasons, "{lines}");
    assert_eq!(account.n_dropped(), reasons.len() as u64);
    for dropped in &account.dropped {
        let kept = &account.requests[dropped.kept];
        assert_eq!(kept.message, dropped.request.message);
    }
}

#[test]
fn the_lines_of_a_message_are_one_request() {
    check(
        "s m r o1 :1\ns m r o9 :2\ns m r o9 :3",
        &[9],
        &["repeated-line", "smaller-total"],
    );
    check("s m r o1\ns n q o2", &[1, 2], &[]);
    check("s m r o1\ns m q o2", &[1, 2], &[]);
}

#[test]
fn both_ids_name_a_request_everywhere() {
    check("s m r o9\nt m r o9", &[9], &["copy-in-other-session"]);
    check(
        "s m r o9 /one\ns m r o9 /two",
        &[9],
        &["copy-in-other-file"],
    );
}

#[test]
fn one_id_names_a_request_in_its_session() {
    check("s m - o1 :1\ns m - o9 :2", &[9], &["smaller-total"]);
    check("s m - o9\nt m - o9", &[9, 9], &[]);
    check("s - r o1 :1\ns - r o9 :2", &[9], &["smaller-total"]);
    check("s - r o9\nt - r o9", &[9, 9], &[]);
}

#[test]
fn records_without_ids_are_copies_of_themselves_only() {
    check("s - - o9 :1\ns - - o9 :2", &[9, 9], &[]);
    check("s - - o9 u1\nt - - o9 u1", &[9], &["copy-in-other-session"]);
    check("s - - o9 u1\ns - - o9 u2", &[9, 9], &[]);
    check("s - - o9 :1\ns - - o9 :1", &[9], &["repeated-line"]);
}

#[test]
fn a_fork_without_request_ids_is_known_by_its_records() {
    check(
        "s m - o9 u1\nt m - o9 u1 f",
        &[9],
        &["copy-in-other-session"],
    );
    // A third session joins the two that share nothing.
    check(
        "s m - o9 u1\nt m - o9 u2\nv m - o9 u1\nv m - o3 u2 :5",
        &[9],
        &[
            "copy-in-other-session",
            "copy-in-other-session",
            "smaller-total",
        ],
    );
    check("s m - o9 u1\nt m - o9 u2", &[9, 9], &[]);
    check("s m - o9 u1\nt n - o9 u1", &[9, 9], &[]);
}

#[test]
fn a_resumed_copy_without_request_ids_is_known_by_its_records() {
    check("s m r o9 u1\nt m - o9 u1", &[9], &["copy-in-other-session"]);
    check(
        "s m r o1 u1 :1\ns m r o9 u2 :2\nt m - o1 u1 :1\nt m - o9 u2 :2",
        &[9],
        &["copy-in-other-session", "smaller-total", "smaller-total"],
    );
    check("s m r o9 u1\nt m - o9 u2", &[9, 9], &[]);
}

#[test]
fn the_winner_is_no_sidechain_then_larger_then_has_speed() {
    check("s m r o1\ns m r o9 #", &[1], &["sidechain-copy"]);
    check("s m r o9 # :1\ns m r o1 # :2", &[9], &["smaller-total"]);
    check("s m r o9 ! :1\ns m r o9 :2", &[9], &["no-speed"]);
    check("s m r o1 ! :1\ns m r o9 :2", &[9], &["smaller-total"]);
}

#[test]
fn the_original_wins_over_its_copies() {
    let winner = |lines: &str| settle(lines.lines().map(request)).requests[0].clone();
    assert_eq!(&*winner("b m r o9\na m r o9 f").session, "b");
    assert_eq!(&*winner("b m r o9 t1\na m r o9 t2").session, "b");
    assert_eq!(&*winner("b m r o9\na m r o9").session, "a");
}

#[test]
fn a_sidechain_that_replays_a_message_does_not_count() {
    check("s m r o5\ns m q o9 #", &[5], &["sidechain-replay"]);
    check("s m r o5\nt m q o9 #", &[5], &["sidechain-replay"]);
    check("s m r o5 #\ns m q o9 #", &[9], &["sidechain-replay"]);
    check("s m r o5\ns m - o9 #", &[5], &["sidechain-replay"]);
    check("s m - o5\ns m r o9 #", &[5], &["sidechain-replay"]);
    // Two requests of the main thread are two requests.
    check(
        "s m r o5\ns m q o6\ns m p o9 #",
        &[5, 6],
        &["sidechain-replay"],
    );
    // Gateways use ids again.
    check("s m - o5\nt m - o9 #", &[5, 9], &[]);
    // A sidechain's own answers count.
    check("s m r o5\ns n q o9 #", &[5, 9], &[]);
}

#[test]
fn requests_come_by_time() {
    let account = settle(["s a r t3", "s b r t1", "s c r t2"].map(request));
    let ids: Vec<_> = account
        .requests
        .iter()
        .map(|request| request.message.as_deref().unwrap())
        .collect();
    assert_eq!(ids, ["b", "c", "a"]);
}

#[test]
fn copies_are_forgotten_unless_asked_for() {
    let mut ledger = Ledger::default();
    for line in 0..1_000 {
        ledger.add(request(&format!("s m r o{line} :{line}")));
    }
    assert_eq!((ledger.winners.len(), ledger.losers.len()), (1, 0));
    let account = ledger.settle();
    assert_eq!((account.n_dropped(), output(&account)), (999, 999));
    assert_eq!(account.dropped, []);
}

#[test]
fn a_million_uses_of_one_id_are_no_trouble() {
    let chain = (0..20_000).flat_map(|n| {
        let next = n + 1;
        [format!("s{n} m - u{n}"), format!("s{n} m - u{next} :1")]
    });
    let account = settle(chain.map(|line| request(&line)));
    assert_eq!(account.requests.len(), 1);
}

/// Requests that collide in every way, with few ids to choose from.
fn any_request() -> impl Strategy<Value = Request> {
    let ids = (0..3_u8, 0..4_u8, 0..4_u8, 0..4_u8);
    let marks = (any::<bool>(), any::<bool>(), any::<bool>());
    (ids, marks, 0..3_u64, 0..3_u64, 0..4_i64).prop_map(
        |((session, message, id, record), marks, output, written, time)| {
            let name = |kind: char, n: u8| {
                if n == 0 {
                    "-".into()
                } else {
                    format!("{kind}{n}")
                }
            };
            let (message, id) = (name('m', message), name('r', id));
            let mut made = request(&format!("s{session} {message} {id} o{output} t{time}"));
            made.record = (record > 0).then(|| format!("u{record}").into());
            made.is_sidechain = marks.0;
            made.is_fork = marks.1;
            made.speed = marks.2.then_some(crate::usage::Speed::Standard);
            made.tokens = Tokens {
                cache_write_1h: written,
                ..made.tokens
            };
            made
        },
    )
}

/// Lines as they are in files: each in a place of its own.
fn any_requests() -> impl Strategy<Value = Vec<Request>> {
    prop::collection::vec(any_request(), 0..40).prop_map(|mut requests| {
        for (n, request) in requests.iter_mut().enumerate() {
            request.offset = n as u64;
        }
        requests
    })
}

/// Makes the copy of a session in another file, or of a fork under another session id.
fn copied(request: &Request, is_fork: bool) -> Request {
    let mut copy = request.clone();
    copy.file = format!("copy of {}", request.file).into();
    if is_fork {
        copy.session = format!("fork of {}", request.session).into();
        copy.is_fork = true;
    }
    copy
}

fn without_ids(request: Request) -> Request {
    Request {
        message: None,
        request: None,
        record: None,
        ..request
    }
}

fn sums(account: &Account) -> (usize, Tokens) {
    let tokens = account
        .requests
        .iter()
        .fold(Tokens::default(), |sum, request| sum.plus(&request.tokens));
    (account.requests.len(), tokens)
}

proptest! {
    #[test]
    fn order_does_not_matter(
        (requests, shuffled) in any_requests().prop_flat_map(|requests| {
            (Just(requests.clone()), Just(requests).prop_shuffle())
        })
    ) {
        prop_assert_eq!(settle(requests), settle(shuffled));
    }

    #[test]
    fn pieces_are_the_whole(requests in any_requests(), cuts in prop::collection::vec(0..3_usize, 40)) {
        let mut pieces = vec![Ledger::explaining(); 3];
        for (request, piece) in requests.iter().zip(cuts) {
            pieces[piece].add(request.clone());
        }
        let whole = pieces.into_iter().reduce(|mut whole, piece| {
            whole.merge(piece);
            whole
        });
        prop_assert_eq!(whole.unwrap().settle(), settle(requests));
    }

    #[test]
    fn explaining_changes_nothing(requests in any_requests()) {
        let mut ledger = Ledger::default();
        requests.iter().cloned().for_each(|request| ledger.add(request));
        let account = settle(requests.clone());
        prop_assert_eq!(account.dropped.len() as u64, account.n_dropped());
        let summed = Account { requests: account.requests.into_iter().map(without_ids).collect(), dropped: Vec::new(), ..account };
        prop_assert_eq!(ledger.settle(), summed);
    }

    #[test]
    fn a_copied_or_forked_session_changes_nothing(mut requests in any_requests(), is_fork in any::<bool>()) {
        // Lines without any id cannot be told from others.
        requests.retain(|request| request.record.is_some());
        let copies = requests.iter().filter(|request| &*request.session == "s1");
        let more: Vec<Request> = copies.map(|request| copied(request, is_fork)).collect();
        let before = settle(requests.clone());
        let after = settle(requests.into_iter().chain(more));
        prop_assert_eq!(sums(&before), sums(&after));
    }

    #[test]
    fn a_resumed_copy_without_request_ids_changes_nothing(mut requests in any_requests()) {
        requests.retain(|request| request.record.is_some() && request.message.is_some());
        for request in &mut requests {
            // One message is one request, as it is outside of tests.
            request.request = request.message.clone();
        }
        let copies = requests.iter().filter(|request| &*request.session == "s1");
        let resumed = |request| Request { request: None, ..copied(request, true) };
        let more: Vec<Request> = copies.map(resumed).collect();
        let before = settle(requests.clone());
        let after = settle(requests.into_iter().chain(more));
        prop_assert_eq!(sums(&before), sums(&after));
    }
}
