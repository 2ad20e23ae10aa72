//! `usage`: tokens and cost.

use std::sync::Arc;

use ravel_format::Timestamp;
use ravel_home::Discovery;
use ravel_index::{Detail, Library, indexed_usage, scan_usage};
use ravel_model::usage::{Group, Request, Sum, group};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, Refusal};
use crate::clock::{Edge, parse_time};
use crate::files::title;
use crate::page::Page;
use crate::recall::Recall;

/// How many rows an answer has, unless said otherwise.
const N_ROWS: usize = 30;

/// What to sum up.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageArgs {
    group: Grouping,
    project: Option<String>,
    since: Option<String>,
    until: Option<String>,
    limit: Option<usize>,
}

/// What the sums are by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Grouping {
    Day,
    Session,
    Project,
    Model,
}

/// Sums up what was used.
pub(crate) fn usage(recall: &Recall, args: &UsageArgs) -> Result<Answer, Refusal> {
    let clock = &*recall.settings.clock;
    let time = |text: &Option<String>, edge| {
        let text = text.as_deref();
        text.map(|text| parse_time(text, edge, clock)).transpose()
    };
    let (since, until) = (
        time(&args.since, Edge::Start)?,
        time(&args.until, Edge::End)?,
    );
    let settings = &recall.settings;
    let library = Library::open(&settings.home, settings.archive.as_deref());
    // An index that is behind is no reason to fail.
    let indexed = recall.index().and_then(|index| {
        let tally = indexed_usage(&library, &index, Detail::Sums, (since, until));
        tally.ok().flatten()
    });
    let tally = indexed.unwrap_or_else(|| scan_usage(&library, Detail::Sums, &()));
    let project = args.project.as_ref().map(|project| project.to_lowercase());
    let admits = |request: &&Request| {
        let in_project = |part: &String| request.project.to_lowercase().contains(part);
        project.as_ref().is_none_or(in_project)
            && since.is_none_or(|since| request.time.is_some_and(|time| time >= since))
            && until.is_none_or(|until| request.time.is_some_and(|time| time <= until))
    };
    let requests: Vec<&Request> = tally.account.requests.iter().filter(admits).collect();
    let total = Sum::of(requests.iter().copied(), &settings.book);
    let key = |request: &Request| -> Arc<str> {
        match args.group {
            Grouping::Day => match request.time {
                Some(time) => clock.day_of(time).to_string().into(),
                None => "no time".into(),
            },
            Grouping::Session => Arc::clone(&request.session),
            Grouping::Project => Arc::clone(&request.project),
            Grouping::Model => Arc::clone(&request.model),
        }
    };
    let mut rows: Vec<(Arc<str>, Group)> = group(requests.iter().copied(), &settings.book, key)
        .into_iter()
        .collect();
    match args.group {
        Grouping::Day => rows.reverse(),
        _ => rows.sort_by_key(|(_, group)| {
            std::cmp::Reverse((group.sum.cost, group.sum.tokens.total()))
        }),
    }
    Ok(page(recall, args, &rows, (&total, tally.skipped.n_lines)))
}

fn page(
    recall: &Recall,
    args: &UsageArgs,
    rows: &[(Arc<str>, Group)],
    (total, n_skipped): (&Sum, u64),
) -> Answer {
    let found = match args.group {
        Grouping::Session => recall.discover(),
        _ => Discovery::default(),
    };
    let heading = format!("{}; {} rows", words(recall, total), rows.len());
    let mut page = Page::new(recall.settings.max_bytes, &heading);
    for (key, group) in rows.iter().take(args.limit.unwrap_or(N_ROWS).max(1)) {
        let mut item = figures(recall, &group.sum);
        let title = match args.group {
            Grouping::Session => format!(" {}", title(recall, &found, key)),
            _ => String::new(),
        };
        if let Some(item) = item.as_object_mut() {
            item.insert("key".into(), recall.line(key).into());
            item.insert("title".into(), title.trim().into());
            item.insert("first".into(), group.first.map(Timestamp::to_iso).into());
            item.insert("last".into(), group.last.map(Timestamp::to_iso).into());
        }
        let text = format!(
            "- {}{title}: {}\n",
            recall.line(key),
            words(recall, &group.sum)
        );
        if !page.add(&text, item) {
            break;
        }
    }
    let n_more = rows.len() - page.n_items();
    let mut notes = Vec::new();
    if n_more > 0 {
        notes.push(format!(
            "{n_more} more rows: raise limit, or narrow since and until"
        ));
    }
    if n_skipped > 0 {
        notes.push(format!("{n_skipped} damaged lines were left out"));
    }
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    let facts = json!({"total": figures(recall, total), "n_rows": rows.len()});
    page.finish("rows", facts, note)
}

fn figures(recall: &Recall, sum: &Sum) -> Value {
    let unpriced: Vec<String> = sum
        .unpriced
        .iter()
        .take(10)
        .map(|model| recall.line(model))
        .collect();
    json!({
        "n_requests": sum.n_requests,
        "cost_usd": format!("{:.4}", sum.cost).trim_start_matches('$'),
        "input_tokens": sum.tokens.input,
        "output_tokens": sum.tokens.output,
        "cache_write_tokens": sum.tokens.cache_write(),
        "cache_read_tokens": sum.tokens.cache_read,
        "unpriced_models": unpriced,
    })
}

fn words(recall: &Recall, sum: &Sum) -> String {
    let unpriced: Vec<String> = sum
        .unpriced
        .iter()
        .take(5)
        .map(|model| recall.line(model))
        .collect();
    let unpriced = match unpriced.is_empty() {
        true => String::new(),
        false => format!(", without a price for {}", unpriced.join(", ")),
    };
    format!(
        "{:.2}{unpriced}, {} requests, {} tokens in, {} out, cache {} written and {} read",
        sum.cost,
        sum.n_requests,
        sum.tokens.input,
        sum.tokens.output,
        sum.tokens.cache_write(),
        sum.tokens.cache_read,
    )
}
