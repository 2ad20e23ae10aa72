//! How long Claude Code keeps sessions.
//!
//! `cleanupPeriodDays` in any of the settings files; 30 when none has it. The client looks at each
//! start and deletes what was last written longer ago.

use ravel_home::Settings;
use serde_json::Value;

use super::{Check, State};
use crate::context::display_path;

/// What holds without a setting.
const DEFAULT_DAYS: u64 = 30;

/// What the settings say.
pub(super) struct Period {
    days: Days,
    /// The file that says it.
    source: Option<String>,
}

enum Days {
    /// So many.
    Number(u64),
    /// Nothing is set.
    Default,
    /// 0, which does not mean what it seems to.
    Zero,
    /// No number of days.
    Odd(String),
}

impl Period {
    pub(super) fn of(settings: &Settings) -> Self {
        let mut all = settings.settings.iter();
        let Some(setting) = all.find(|setting| setting.key == ["cleanupPeriodDays"]) else {
            return Self {
                days: Days::Default,
                source: None,
            };
        };
        Self {
            days: Days::of(&setting.value),
            source: Some(display_path(&setting.file.path)),
        }
    }

    /// After how many days a session is deleted.
    pub(super) fn days(&self) -> u64 {
        match self.days {
            Days::Number(days) => days,
            // A value that is refused leaves the default.
            Days::Default | Days::Zero | Days::Odd(_) => DEFAULT_DAYS,
        }
    }

    pub(super) fn check(&self) -> Check {
        let source = self.source.as_deref().unwrap_or_default();
        let check = |state, message: String| Check::new("cleanup", state, message);
        let set_it = "set cleanupPeriodDays to a large number, such as 36500, to keep sessions";
        match &self.days {
            Days::Default => check(
                State::Fine,
                format!("Claude Code deletes sessions {DEFAULT_DAYS} days after their last use, its default"),
            )
            .hint(set_it),
            Days::Number(days) => check(
                State::Fine,
                format!("Claude Code deletes sessions {days} days after their last use ({source})"),
            ),
            Days::Zero => check(
                State::Warning,
                format!(
                    "cleanupPeriodDays is 0 ({source}): clients before 2.1.89 then write no sessions at all, later ones refuse it"
                ),
            )
            .hint(set_it),
            Days::Odd(value) => check(
                State::Warning,
                format!("cleanupPeriodDays is {value} ({source}), which is no number of days"),
            )
            .hint(set_it),
        }
    }
}

impl Days {
    fn of(value: &Value) -> Self {
        match value.as_u64() {
            Some(0) => Self::Zero,
            Some(days) => Self::Number(days),
            None => Self::Odd(value.to_string()),
        }
    }
}
