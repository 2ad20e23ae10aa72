//! What `stats-cache.json` says, beside what the transcripts say.
//!
//! Both sides are laid out as figures with names, section by section, and those that differ are
//! listed. Nobody is right here: transcripts may be gone by now, and the client's rules are known
//! from the outside only. Days after the last one that the client computed are not compared.

use std::collections::{BTreeMap, BTreeSet};

use ravel_format::Timestamp;
use ravel_model::activity::{Starts, Stats};
use ravel_model::usage::Day;
use serde_json::Value;

mod cache;
#[cfg(test)]
mod tests;

/// One figure.
///
/// [`Figure::text`] is how people see it, [`Figure::json`] how programs do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Figure {
    /// So many.
    Count(u64),
    /// A time in epoch milliseconds.
    Time(i64),
    /// A name.
    Name(String),
}

impl Figure {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Count(n) => n.to_string(),
            Self::Time(millis) => Timestamp(*millis).to_iso(),
            Self::Name(name) => name.clone(),
        }
    }

    pub(super) fn json(&self) -> Value {
        match self {
            Self::Count(n) => (*n).into(),
            other => other.text().into(),
        }
    }
}

/// The figures of one part of the cache, by their names in it.
type Section = BTreeMap<String, Figure>;

/// A figure that is not the same on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// Its name: the keys in the cache that lead to it.
    pub(super) figure: String,
    /// What the cache says.
    pub(super) cache: Option<Figure>,
    /// What the transcripts say.
    pub(super) ravel: Option<Figure>,
}

/// What came out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Comparison {
    /// The last day that the client computed.
    pub(super) last: Option<Day>,
    /// How many figures were compared.
    pub(super) n_compared: usize,
    /// Those that differ.
    pub(super) differences: Vec<Difference>,
    /// What is odd about the cache.
    pub(super) findings: Vec<String>,
}

impl Comparison {
    /// Makes one of a cache that cannot be read.
    pub(super) fn unreadable(finding: String) -> Self {
        Self {
            findings: vec![finding],
            ..Self::default()
        }
    }

    /// Compares one section; a figure that one side does not have is a count of nothing there.
    fn section(&mut self, name: &str, cache: &Section, ravel: &Section) {
        let names: BTreeSet<&String> = cache.keys().chain(ravel.keys()).collect();
        let value = |figure: Option<&Figure>| figure.cloned().unwrap_or(Figure::Count(0));
        self.n_compared += names.len();
        for key in names {
            let (theirs, ours) = (cache.get(key), ravel.get(key));
            if value(theirs) != value(ours) {
                self.differences.push(Difference {
                    figure: format!("{name} {key}").trim_end().to_owned(),
                    cache: theirs.cloned(),
                    ravel: ours.cloned(),
                });
            }
        }
    }
}

/// Returns the last day that the client computed, if it says so.
pub(super) fn last_day(cache: &Value) -> Option<Day> {
    cache::day(cache.get("lastComputedDate")?.as_str()?)
}

/// Compares a cache with the figures up to its [`last_day`], by the days of Greenwich.
pub(super) fn compare(cache: &Value, stats: &Stats, hour: impl Fn(Timestamp) -> u8) -> Comparison {
    let mut comparison = Comparison {
        last: last_day(cache),
        ..Comparison::default()
    };
    let Some(cache) = cache.as_object() else {
        comparison.findings.push("not a JSON object".into());
        return comparison;
    };
    if comparison.last.is_none() {
        let finding = "`lastComputedDate` is no date, so all days are compared";
        comparison.findings.push(finding.into());
    }
    for (name, ours) in sections(stats, &Starts::of(&stats.sessions, hour)) {
        let Some(value) = cache.get(name) else {
            continue;
        };
        let mut reader = cache::Reader::new(comparison.last);
        if let Some(theirs) = reader.read(name, value) {
            comparison.section(name, &theirs, &only_known(name, ours, value));
        }
        comparison.findings.append(&mut reader.findings);
    }
    comparison
}

/// What is told of a session or a model differs from version to version: only what the cache tells
/// is compared.
fn only_known(name: &str, mut ours: Section, theirs: &Value) -> Section {
    match name {
        "longestSession" => ours.retain(|key, _| theirs.get(key).is_some()),
        "modelUsage" => ours.retain(|figure, _| {
            let (model, key) = figure.rsplit_once(' ').unwrap_or_default();
            theirs.get(model).is_none_or(|used| used.get(key).is_some())
        }),
        _ => {}
    }
    ours
}

/// Lays out the figures of the transcripts, by the keys of the cache.
fn sections(stats: &Stats, starts: &Starts) -> [(&'static str, Section); 8] {
    let one = |figure: Figure| Section::from([(String::new(), figure)]);
    let hours = starts.hours.iter().enumerate();
    let hours = hours.map(|(hour, n)| (hour.to_string(), Figure::Count(*n)));
    [
        ("totalSessions", one(Figure::Count(starts.n_sessions))),
        ("totalMessages", one(Figure::Count(starts.n_messages))),
        (
            "firstSessionDate",
            starts
                .first
                .map(|time| one(Figure::Time(time.0)))
                .unwrap_or_default(),
        ),
        ("longestSession", longest(starts)),
        ("hourCounts", hours.collect()),
        ("dailyActivity", days(starts)),
        ("dailyModelTokens", model_days(stats)),
        ("modelUsage", models(stats)),
    ]
}

fn longest(starts: &Starts) -> Section {
    let Some(longest) = &starts.longest else {
        return Section::new();
    };
    Section::from([
        (
            "sessionId".into(),
            Figure::Name(longest.session.to_string()),
        ),
        ("duration".into(), Figure::Count(longest.duration_ms)),
        ("messageCount".into(), Figure::Count(longest.n_messages)),
        ("timestamp".into(), Figure::Time(longest.first.0)),
    ])
}

fn days(starts: &Starts) -> Section {
    let parts = starts.days.iter().flat_map(|(day, found)| {
        [
            (
                format!("{day} messageCount"),
                Figure::Count(found.n_messages),
            ),
            (
                format!("{day} sessionCount"),
                Figure::Count(found.n_sessions),
            ),
            (
                format!("{day} toolCallCount"),
                Figure::Count(found.n_tool_calls),
            ),
        ]
    });
    parts.collect()
}

fn model_days(stats: &Stats) -> Section {
    let parts = stats.model_days.iter().flat_map(|(day, models)| {
        models
            .iter()
            .map(move |(model, n)| (format!("{day} {model}"), Figure::Count(*n)))
    });
    parts.collect()
}

fn models(stats: &Stats) -> Section {
    let parts = stats.models.iter().flat_map(|(model, used)| {
        let figures = [
            used.tokens.input,
            used.tokens.output,
            used.tokens.cache_read,
            used.tokens.cache_write(),
            used.web_searches,
        ];
        cache::MODEL_KEYS
            .iter()
            .zip(figures)
            .map(move |(key, n)| (format!("{model} {key}"), Figure::Count(n)))
    });
    parts.collect()
}
