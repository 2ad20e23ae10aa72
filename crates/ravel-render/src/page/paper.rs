//! What everything on a page is made with.

use std::sync::atomic::{AtomicBool, Ordering};

use ravel_format::Timestamp;
use ravel_model::{Facts, Session};

use super::PageOptions;
use crate::amount;
use crate::when;

/// What everything on a page is made with.
pub(super) struct Paper<'p, 't> {
    pub(super) session: &'p Session<'t>,
    pub(super) folder: Option<&'p str>,
    options: &'p PageOptions,
    /// Which agents are on the page already; each is there once.
    placed: Vec<AtomicBool>,
}

impl<'p, 't> Paper<'p, 't> {
    pub(super) fn new(
        session: &'p Session<'t>,
        facts: &'p Facts,
        options: &'p PageOptions,
    ) -> Self {
        let placed = session.agents().iter().map(|_| AtomicBool::new(false));
        Self {
            session,
            folder: facts.cwd.as_deref(),
            options,
            placed: placed.collect(),
        }
    }

    /// Takes an agent for a place; `false` when it stands elsewhere.
    ///
    /// The calls that can ask for the same agent are in one record and so on one thread, which
    /// makes the first of them the same in every run.
    pub(super) fn place_agent(&self, number: usize) -> bool {
        let flag = self.placed.get(number);
        flag.is_some_and(|flag| !flag.swap(true, Ordering::Relaxed))
    }

    /// Tells whether an agent is on the page.
    pub(super) fn has_agent(&self, number: usize) -> bool {
        let flag = self.placed.get(number);
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Returns a time of day.
    pub(super) fn clock(&self, time: Option<Timestamp>) -> String {
        time.map(|Timestamp(ms)| when::clock(ms, &self.options.zone))
            .unwrap_or_default()
    }

    /// Returns date and time.
    pub(super) fn moment(&self, time: Option<Timestamp>) -> String {
        time.map(|Timestamp(ms)| when::moment(ms, &self.options.zone))
            .unwrap_or_default()
    }

    /// Returns the part of a text that the page shows, and a remark when it is not all.
    pub(super) fn cut<'a>(&self, text: &'a str) -> (&'a str, Option<String>) {
        if text.len() <= self.options.max_text {
            return (text, None);
        }
        let shown = text
            .get(..text.floor_char_boundary(self.options.max_text))
            .unwrap_or_default();
        let left_out = amount::bytes((text.len() - shown.len()) as u64);
        let all = amount::bytes(text.len() as u64);
        let remark = format!("{left_out} of {all} are left out here; the session file has all");
        (shown, Some(remark))
    }
}

/// Returns how long after `from` something was, where both are known and in order.
pub(super) fn elapsed(from: Option<Timestamp>, to: Option<Timestamp>) -> Option<u64> {
    let (Timestamp(from), Timestamp(to)) = (from?, to?);
    u64::try_from(to.checked_sub(from)?).ok()
}
