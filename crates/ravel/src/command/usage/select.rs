//! Which requests a person asks for.

use ravel_format::Timestamp;
use ravel_model::usage::Request;

use super::FilterArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::filter::ProjectFilter;
use crate::zone::Zone;

/// The days that `--recent` looks back.
const RECENT_MS: i64 = 3 * 86_400_000;

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
        let now = Timestamp(context.now_ms());
        let recent = args
            .recent
            .then(|| Timestamp(now.0.saturating_sub(RECENT_MS)));
        let project = args.project.as_deref();
        let project = project.map(|project| ProjectFilter::new(context, project));
        Ok(Self {
            since: args.since.map(|when| when.start(zone, now)).max(recent),
            until: args.until.map(|when| when.end(zone, now)),
            project: project.transpose()?,
            session: args.session.clone(),
            model: args.model.as_ref().map(|model| model.to_lowercase()),
        })
    }

    /// Tells whether a request is asked for, whenever it was.
    pub(super) fn admits(&self, request: &Request) -> bool {
        let in_project = |project: &ProjectFilter| project.admits_project(&request.project);
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
