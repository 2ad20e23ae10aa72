//! What Claude Code says about the session.
//!
//! Every key is optional: older clients say less, and what is missing is left out or found out in
//! another way.

use std::path::PathBuf;

use serde_json::Value;

/// The parts of the document that the line is made of.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Input {
    pub(super) session: Option<String>,
    pub(super) transcript: Option<PathBuf>,
    pub(super) model: Option<String>,
    pub(super) folder: Option<PathBuf>,
    /// What the client itself thinks the session cost, in words.
    pub(super) cost: Option<String>,
    percent: Option<u64>,
    window: Option<u64>,
    is_large: bool,
}

/// The context of most models, and of those with the larger one.
const WINDOW: u64 = 200_000;
const LARGE_WINDOW: u64 = 1_000_000;

impl Input {
    /// Reads the document.
    pub(super) fn read(document: &Value) -> Self {
        let text = |path: &str| {
            let text = document.pointer(path).and_then(Value::as_str);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let number = |path: &str| document.pointer(path).and_then(Value::as_f64);
        let id = text("/model/id");
        let whole = |number: f64| number.clamp(0.0, 1e15).round() as u64;
        Self {
            session: text("/session_id"),
            transcript: text("/transcript_path").map(PathBuf::from),
            is_large: id.as_deref().is_some_and(|id| id.ends_with("[1m]")),
            model: text("/model/display_name").or(id),
            folder: text("/workspace/current_dir")
                .or_else(|| text("/cwd"))
                .map(PathBuf::from),
            cost: number("/cost/total_cost_usd").map(|cost| format!("${:.2}", cost.max(0.0))),
            percent: number("/context_window/used_percentage").map(whole),
            window: number("/context_window/context_window_size")
                .map(whole)
                .filter(|&size| size > 0),
        }
    }

    /// Returns how much of the context is used, in percent.
    pub(super) fn context_percent(&self, tokens: Option<u64>) -> Option<u64> {
        let window = self.window.unwrap_or(match self.is_large {
            true => LARGE_WINDOW,
            false => WINDOW,
        });
        let counted = || Some(tokens?.saturating_mul(100) / window);
        self.percent
            .or_else(counted)
            .map(|percent| percent.min(100))
    }
}
