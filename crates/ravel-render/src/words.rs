//! What the client reports, in the same words everywhere.
//!
//! Compactions, hooks, retries and the like are one line in every renderer; only its looks
//! differ. The texts here come from the transcript in part, so whoever shows them escapes them.

use ravel_model::step::{Compaction, Hook, HookState, What};

use crate::amount::{count, counted};
use crate::when;

/// Hooks faster than this do not say how long they took.
const WORTH_SAYING_MS: u64 = 1000;

/// Words a compaction: `Compacted by hand · 158k → 12k tokens`.
pub fn compaction(compaction: &Compaction) -> String {
    let by_hand = compaction.trigger.as_deref() == Some("manual");
    let mut words = if by_hand {
        "Compacted by hand".to_owned()
    } else {
        "Compacted".to_owned()
    };
    match (compaction.pre_tokens, compaction.post_tokens) {
        (Some(pre), Some(post)) => {
            words.push_str(&format!(" · {} → {} tokens", count(pre), count(post)));
        }
        (Some(pre), None) => words.push_str(&format!(" · {} tokens", count(pre))),
        _ => {}
    }
    words
}

/// Words a microcompaction: `Cleared 3 old results · 31k tokens saved`.
pub fn microcompaction(tokens_saved: Option<u64>, n_tools: usize) -> String {
    let mut words = format!("Cleared {}", counted(n_tools, "old result"));
    if let Some(saved) = tokens_saved {
        words.push_str(&format!(" · {} tokens saved", count(saved)));
    }
    words
}

/// Words a hook: `PostToolUse:Edit hook · fmt.sh · failed`.
pub fn hook(hook: &Hook) -> String {
    let name = hook.name.as_deref().unwrap_or(&hook.event);
    let mut parts = vec![format!("{name} hook")];
    parts.extend(hook.command.clone());
    match hook.state {
        HookState::Failed => parts.push("failed".to_owned()),
        HookState::Blocked => parts.push("blocked".to_owned()),
        HookState::Started | HookState::Done => {}
    }
    let slow = hook.duration_ms.filter(|&ms| ms >= WORTH_SAYING_MS);
    parts.extend(slow.map(when::duration));
    parts.join(" · ")
}

/// Words a retry: `Retry 2 of 10 after 1.2 s: Overloaded`; empty for anything else.
pub fn retry(what: &What) -> String {
    let What::Retry {
        attempt,
        max,
        delay_ms,
        text,
    } = what
    else {
        return String::new();
    };
    let mut words = "Retry".to_owned();
    if let Some(attempt) = attempt {
        words.push_str(&format!(" {attempt}"));
    }
    if let Some(max) = max {
        words.push_str(&format!(" of {max}"));
    }
    if let Some(delay) = delay_ms {
        words.push_str(&format!(" after {}", when::duration(*delay)));
    }
    if !text.is_empty() {
        words.push_str(&format!(": {}", first_words(text, 300)));
    }
    words
}

/// Words an interruption by its marker.
pub fn interruption(marker: &str) -> &'static str {
    if marker.contains("for tool use") {
        "Interrupted during a tool call"
    } else {
        "Interrupted"
    }
}

/// Returns the first words of a text, on one line of at most `limit` characters.
pub fn first_words(text: &str, limit: usize) -> String {
    // Four times as much as is shown is enough for any amount of white space that people write.
    let reach = text.floor_char_boundary(limit.saturating_mul(4).saturating_add(256));
    let start = text.get(..reach).unwrap_or_default();
    let words = start.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = words.char_indices().nth(limit).map(|(at, _)| at);
    match end.and_then(|end| words.get(..end)) {
        Some(cut) => format!("{}…", cut.trim_end()),
        None if reach < text.len() => format!("{words}…"),
        None => words,
    }
}

/// Returns the short form of an id: agents' own ids as they are, UUIDs cut.
pub fn short_id(id: &str) -> &str {
    match id.find('-') {
        Some(_) => id.get(..id.floor_char_boundary(8)).unwrap_or(id),
        None => id,
    }
}

#[cfg(test)]
mod tests;
