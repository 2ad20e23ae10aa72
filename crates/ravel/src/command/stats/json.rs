//! The figures for programs, with the keys of `stats-cache.json` where they mean the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use ravel_format::Timestamp;
use ravel_model::activity::{Amount, Longest, SessionActivity, Starts, Streak};
use ravel_model::usage::Day;
use serde_json::{Map, Value, json};

use super::Answer;
use super::compare::{Comparison, Difference, Figure};

/// Returns the one document.
pub(super) fn document(answer: &Answer) -> Value {
    let stats = &answer.stats;
    let starts = Starts::of(started(answer), |time| answer.zone.hour(time));
    json!({
        "timeZone": answer.zone.name,
        "since": answer.since.map(date),
        "until": answer.until.map(date),
        "totalSessions": stats.sessions.len(),
        "totalMessages": stats.amount.messages,
        "totalToolCalls": stats.amount.tool_calls,
        "agentMessages": stats.amount.agent_messages,
        "agentToolCalls": stats.amount.agent_tool_calls,
        "firstSessionDate": starts.first.map(Timestamp::to_iso),
        "longestSession": starts.longest.as_ref().map(longest),
        "dailyActivity": daily_activity(&starts),
        "dailyModelTokens": daily_model_tokens(answer),
        "modelUsage": model_usage(answer),
        "hourCounts": hour_counts(&starts.hours),
        "activeDays": stats.active_days().len(),
        "currentStreak": stats.streaks.current.map(streak),
        "longestStreak": stats.streaks.longest.map(streak),
        "days": days(answer),
        "hours": stats.hours,
        "tools": counts(&stats.tools),
        "projects": projects(answer),
        "cache": answer.comparison.as_ref().map(cache),
        "skippedLines": answer.n_skipped,
    })
}

/// With a first or a last day, only sessions that began in between are told by their beginning.
fn started(answer: &Answer) -> impl Iterator<Item = &SessionActivity> {
    let is_whole = answer.since.is_none() && answer.until.is_none();
    answer.stats.sessions.iter().filter(move |session| {
        let day = session.first.map(|time| answer.zone.day(time));
        is_whole
            || day.is_some_and(|day| {
                answer.since.is_none_or(|since| day >= since)
                    && answer.until.is_none_or(|until| day <= until)
            })
    })
}

fn date(day: Day) -> String {
    day.to_string()
}

fn longest(longest: &Longest) -> Value {
    json!({
        "sessionId": &*longest.session,
        "duration": longest.duration_ms,
        "messageCount": longest.n_messages,
        "timestamp": longest.first.to_iso(),
    })
}

fn daily_activity(starts: &Starts) -> Value {
    let days = starts.days.iter().map(|(day, found)| {
        json!({
            "date": date(*day),
            "messageCount": found.n_messages,
            "sessionCount": found.n_sessions,
            "toolCallCount": found.n_tool_calls,
        })
    });
    days.collect()
}

fn daily_model_tokens(answer: &Answer) -> Value {
    let days = answer.stats.model_days.iter();
    days.map(|(day, models)| json!({"date": date(*day), "tokensByModel": counts(models)}))
        .collect()
}

fn model_usage(answer: &Answer) -> Value {
    let models = answer.stats.models.iter().map(|(model, used)| {
        let value = json!({
            "inputTokens": used.tokens.input,
            "outputTokens": used.tokens.output,
            "cacheReadInputTokens": used.tokens.cache_read,
            "cacheCreationInputTokens": used.tokens.cache_write(),
            "webSearchRequests": used.web_searches,
            "requests": used.n_requests,
        });
        (model.to_string(), value)
    });
    Value::Object(models.collect())
}

fn counts(counts: &BTreeMap<Arc<str>, u64>) -> Value {
    let named = counts.iter();
    let named = named.map(|(name, n)| (name.to_string(), Value::from(*n)));
    Value::Object(named.collect())
}

fn hour_counts(hours: &[u64; 24]) -> Value {
    let named = hours.iter().enumerate().filter(|(_, n)| **n > 0);
    let named = named.map(|(hour, n)| (hour.to_string(), Value::from(*n)));
    Value::Object(named.collect())
}

fn streak(streak: Streak) -> Value {
    json!({
        "days": streak.n_days(),
        "first": date(streak.first),
        "last": date(streak.last),
    })
}

fn days(answer: &Answer) -> Value {
    let days = answer.stats.days.iter().map(|(day, found)| {
        let mut value = amount(&found.amount);
        value.insert("date".into(), date(*day).into());
        value.insert("sessionCount".into(), found.n_sessions.into());
        Value::Object(value)
    });
    days.collect()
}

fn projects(answer: &Answer) -> Value {
    let projects = answer.stats.projects.iter().map(|(project, found)| {
        let mut value = amount(&found.amount);
        value.insert("project".into(), (**project).into());
        value.insert("sessionCount".into(), found.n_sessions.into());
        Value::Object(value)
    });
    projects.collect()
}

fn amount(amount: &Amount) -> Map<String, Value> {
    let figures = [
        ("messageCount", amount.messages),
        ("toolCallCount", amount.tool_calls),
        ("agentMessageCount", amount.agent_messages),
        ("agentToolCallCount", amount.agent_tool_calls),
    ];
    let figures = figures.into_iter();
    figures.map(|(key, n)| (key.to_owned(), n.into())).collect()
}

fn cache(comparison: &Comparison) -> Value {
    let agrees = comparison.differences.is_empty() && comparison.findings.is_empty();
    json!({
        "lastComputedDate": comparison.last.map(date),
        "agrees": agrees,
        "compared": comparison.n_compared,
        "differences": comparison.differences.iter().map(difference).collect::<Vec<_>>(),
        "findings": comparison.findings,
    })
}

fn difference(difference: &Difference) -> Value {
    json!({
        "figure": difference.figure,
        "cache": difference.cache.as_ref().map(Figure::json),
        "ravel": difference.ravel.as_ref().map(Figure::json),
    })
}
