//! What the files say and what the index says, to compare.

use ravel_format::Timestamp;
use ravel_index::{
    Detail, Hit, Index, Library, SearchRequest, SearchResults, indexed_usage, scan_search,
    scan_usage, search,
};
use ravel_model::search::{Case, Filter, Query, Role, Syntax};
use ravel_model::usage::{Account, Request, Tokens};

/// Anything a person may look for.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) case: Case,
    pub(crate) filter: Filter,
    /// A part of the folder or of its name in the home.
    pub(crate) project: &'static str,
}

impl Question {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            case: Case::Fold,
            filter: Filter::default(),
            project: "",
        }
    }

    pub(crate) fn of(text: &str, change: impl FnOnce(&mut Self)) -> Self {
        let mut question = Self::new(text);
        change(&mut question);
        question
    }

    /// Asks the index, or the files if there is none.
    pub(crate) fn ask(
        &self,
        library: &Library,
        index: Option<&Index>,
        limit: Option<usize>,
    ) -> SearchResults {
        let query = Query::parse(&self.text, Syntax::Words, self.case).unwrap();
        let request = SearchRequest {
            query: &query,
            filter: &self.filter,
            admits_project: &|project| project.contains(self.project),
            limit,
            snippet_width: 60,
        };
        match index {
            Some(index) => search(library, index, &request, &()).unwrap(),
            None => scan_search(library, &request, &()),
        }
    }
}

/// Questions with every filter, to words that are there, that are parts of others, and to none.
pub(crate) fn questions() -> Vec<Question> {
    let at = |text: &str| Timestamp::from_iso(text.as_bytes());
    let mut questions: Vec<Question> = [
        "cart",
        "art",
        "CART total",
        "\"cart, total\"",
        "\"total-\"",
        "straße",
        "aß",
        "école",
        "本",
        "oo_b",
        "\"a\\\"b\"",
        "k\\s",
        "\"b\there\"",
        "\u{1b}",
        "elvin",
        "\u{212a}elvin",
        "i\u{307}stanbul",
        "e\u{301}",
        "elektrizitätenhauptbetriebswerkbauunterbeamten",
        "\"two\nlin\"",
        "😀",
        "x",
        "nowhere to be found",
        "-",
    ]
    .map(Question::new)
    .into();
    questions.extend([
        Question::of("Cart", |question| question.case = Case::Exact),
        Question::of("cart", |question| question.project = "shop"),
        Question::of("cart", |question| question.project = "other"),
        Question::of("", |question| question.project = "Shop front"),
        Question::of("total", |question| {
            question.filter.roles = vec![Role::ToolResult];
        }),
        Question::of("cart", |question| {
            question.filter.roles = vec![Role::Prompt, Role::Thinking];
        }),
        Question::of("art", |question| question.filter.tool = Some("bash".into())),
        Question::of("", |question| question.filter.tool = Some("Edit".into())),
        Question::of("t", |question| question.filter.path = Some("shop/1".into())),
        Question::of("cart", |question| {
            question.filter.model = Some("haiku".into());
        }),
        Question::of("total", |question| {
            question.filter.branch = Some("side".into());
        }),
        Question::of("cart", |question| {
            question.filter.since = at("2026-01-02T00:00:00Z");
        }),
        Question::of("cart", |question| {
            question.filter.until = at("2026-01-02T00:00:00Z");
        }),
    ]);
    questions
}

/// Everything about a hit, except for what the file system says about its file.
fn facts(hit: &Hit) -> String {
    let Hit { file, copies, .. } = hit;
    let copies: Vec<_> = copies.iter().map(|file| &file.name).collect();
    format!(
        "{} {:?} {:?} score {} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} copies {copies:?}",
        file.name,
        hit.span,
        hit.role,
        hit.score,
        hit.session,
        hit.uuid,
        hit.time,
        hit.tool,
        hit.path,
        hit.model,
        hit.branch,
        hit.folder,
        hit.snippet,
    )
}

pub(crate) fn all_facts(results: &SearchResults) -> Vec<String> {
    results.hits.iter().map(facts).collect()
}

/// Checks that the index finds what the files say, in the same order.
#[track_caller]
pub(crate) fn check_question(library: &Library, index: &Index, question: &Question) {
    let scanned = question.ask(library, None, None);
    let indexed = question.ask(library, Some(index), None);
    let (scanned_facts, indexed_facts) = (all_facts(&scanned), all_facts(&indexed));
    assert_eq!(indexed_facts, scanned_facts, "{question:?}");
    assert!(scanned.is_complete && indexed.is_complete, "{question:?}");
    assert_eq!(indexed.n_found, scanned.n_found, "{question:?}");
    let few = question.ask(library, Some(index), Some(2));
    assert!(few.hits.len() <= 2);
    for hit in all_facts(&few) {
        // A copy beyond those that were looked at is not named, but the message is a hit.
        let message = |facts: &str| facts.split(" copies ").next().map(str::to_owned);
        let known = scanned_facts
            .iter()
            .any(|one| message(one) == message(&hit));
        assert!(known || !few.is_complete, "{question:?} {hit}");
    }
    assert_eq!(few.hits.len(), scanned.n_found.min(2), "{question:?}");
    if few.is_complete {
        assert_eq!(few.n_found, scanned.n_found, "{question:?}");
        assert_eq!(all_facts(&few), scanned_facts[..few.hits.len()]);
    } else {
        assert!(few.n_found <= scanned.n_found, "{question:?}");
    }
}

/// Checks that the index counts what the files say.
#[track_caller]
pub(crate) fn check_usage(library: &Library, index: &Index) {
    for detail in [Detail::Sums, Detail::Copies] {
        let scanned = scan_usage(library, detail, &());
        let indexed = indexed_usage(library, index, detail, (None, None)).unwrap();
        let indexed = indexed.unwrap();
        assert_eq!(indexed.skipped, scanned.skipped);
        assert_eq!(indexed.account.n_lines, scanned.account.n_lines);
        match detail {
            Detail::Sums => assert_eq!(sums(&indexed.account), sums(&scanned.account)),
            Detail::Copies => assert_eq!(indexed.account, scanned.account),
        }
    }
}

/// The requests without ids and places, which sums do not need.
fn sums(account: &Account) -> Vec<Request> {
    let nowhere = |request: &Request| Request {
        message: None,
        request: None,
        record: None,
        file: "".into(),
        line: 0,
        offset: 0,
        ..request.clone()
    };
    let mut requests: Vec<Request> = account.requests.iter().map(nowhere).collect();
    requests.sort_by_cached_key(|request| format!("{request:?}"));
    requests
}

/// The tokens of everything, by model.
pub(crate) fn totals(library: &Library) -> Vec<(String, u64, Tokens)> {
    let tally = scan_usage(library, Detail::Sums, &());
    let mut totals = std::collections::BTreeMap::<String, (u64, Tokens)>::new();
    for request in &tally.account.requests {
        let (n_requests, tokens) = totals.entry(request.model.to_string()).or_default();
        *n_requests += 1;
        *tokens = tokens.plus(&request.tokens);
    }
    let all = totals.into_iter();
    all.map(|(model, (n_requests, tokens))| (model, n_requests, tokens))
        .collect()
}
