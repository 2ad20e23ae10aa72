//! Which requests a person asks for.

use jiff::civil::{DateTime, Time};
use jiff::{ToSpan as _, Zoned};
use ravel_format::Timestamp;
use ravel_model::usage::Request;

use super::FilterArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::filter::{ProjectFilter, Since, parse_since};
use crate::zone::Zone;

/// The days that `--recent` looks back.
const RECENT_MS: i64 = 3 * 86_400_000;

/// A point in time as a person says it; the zone comes later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// A whole day.
    Day(DateTime),
    /// A time of day.
    Local(DateTime),
    /// A time that needs no zone.
    Moment(Since),
}

/// Reads `3d`, `12h`, a date, or a date with a time.
pub(super) fn parse_when(text: &str) -> Result<When, String> {
    if text.parse::<jiff::Timestamp>().is_err()
        && let Ok(local) = text.parse::<DateTime>()
    {
        let names_time = text.contains([':', 'T', 't', ' ']);
        return Ok(match names_time || local.time() != Time::midnight() {
            true => When::Local(local),
            false => When::Day(local),
        });
    }
    parse_since(text).map(When::Moment)
}

impl When {
    /// Returns the first moment of it.
    fn start(self, zone: &Zone, now_ms: i64) -> Option<Timestamp> {
        let at = |zoned: Result<Zoned, jiff::Error>| Some(zoned.ok()?.timestamp().as_millisecond());
        let millis = match self {
            Self::Day(local) | Self::Local(local) => at(local.to_zoned(zone.rules.clone()))?,
            Self::Moment(since) => since.at(now_ms),
        };
        Some(Timestamp(millis))
    }

    /// Returns the first moment after it.
    fn end(self, zone: &Zone, now_ms: i64) -> Option<Timestamp> {
        match self {
            Self::Day(local) => {
                let next = local.checked_add(1.day()).ok()?;
                Self::Day(next).start(zone, now_ms)
            }
            other => other.start(zone, now_ms),
        }
    }
}

/// What the options ask for.
pub(super) struct Selection {
    /// Nothing before this.
    pub(super) since: Option<Timestamp>,
    /// Nothing from this on.
    pub(super) until: Option<Timestamp>,
    project: Option<ProjectFilter>,
    session: Option<String>,
    model: Option<String>,
}

impl Selection {
    /// Reads the options.
    pub(super) fn new(context: &Context, args: &FilterArgs, zone: &Zone) -> Result<Self, Failure> {
        let now_ms = context.now_ms();
        let far = || Failure::request("that date is too far away");
        let since = args
            .since
            .map(|when| when.start(zone, now_ms).ok_or_else(far));
        let until = args
            .until
            .map(|when| when.end(zone, now_ms).ok_or_else(far));
        let recent = args
            .recent
            .then(|| Timestamp(now_ms.saturating_sub(RECENT_MS)));
        let project = args.project.as_deref();
        let project = project.map(|project| ProjectFilter::new(context, project));
        Ok(Self {
            since: since.transpose()?.max(recent),
            until: until.transpose()?,
            project: project.transpose()?,
            session: args.session.clone(),
            model: args.model.as_ref().map(|model| model.to_lowercase()),
        })
    }

    /// Tells whether a request is asked for, whenever it was.
    pub(super) fn admits(&self, request: &Request) -> bool {
        // A project is known by its folder, or else by the name of its folder in the home.
        let in_project = |project: &ProjectFilter| {
            project.admits(&request.project) || project.admits_slug(&request.project)
        };
        self.project.as_ref().is_none_or(in_project)
            && self
                .session
                .as_ref()
                .is_none_or(|id| request.session.starts_with(id.as_str()))
            && self
                .model
                .as_ref()
                .is_none_or(|model| request.model.to_lowercase().contains(model))
    }

    /// Tells whether a time is asked for. What has no time is not at any.
    pub(super) fn admits_time(&self, time: Option<Timestamp>) -> bool {
        self.since
            .is_none_or(|since| time.is_some_and(|time| time >= since))
            && self
                .until
                .is_none_or(|until| time.is_some_and(|time| time < until))
    }
}

#[cfg(test)]
mod tests;
