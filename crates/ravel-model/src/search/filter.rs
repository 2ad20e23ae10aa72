//! Which records and texts count.

use ravel_format::{ContentBlock, Json, JsonText, Kind, Record, Timestamp};

use super::{CallFacts, Passage, Role, fold};

/// Which records and texts count; what is not set lets everything through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Texts of these roles; all if empty.
    pub roles: Vec<Role>,
    /// Calls of this tool and their results. For tools of MCP servers, the last part of the name
    /// is enough. Case does not matter.
    pub tool: Option<String>,
    /// Calls that touch a file with this in its path, and their results. Case does not matter.
    pub path: Option<String>,
    /// What a model with this in its name wrote, and results of what it called. Case does not
    /// matter.
    pub model: Option<String>,
    /// Records from this time on. Records without a time do not count then.
    pub since: Option<Timestamp>,
    /// Records before this time.
    pub until: Option<Timestamp>,
    /// Records that were written on this branch.
    pub branch: Option<String>,
}

impl Filter {
    /// Tells whether results can only be judged with the facts of their calls.
    pub fn needs_calls(&self) -> bool {
        self.tool.is_some() || self.path.is_some() || self.model.is_some()
    }

    /// Tells whether texts of a record can count at all.
    pub fn admits_record(&self, record: &Record<'_>) -> bool {
        let mut facts = Facts::default();
        if self.since.or(self.until).is_some() || self.branch.is_some() {
            facts = Facts::of(record);
        }
        self.admits_time(facts.time)
            && self.admits_branch(facts.branch)
            && self.admits_model_of(record)
    }

    /// Tells whether a text counts; `call` is what is known of the call that it is the result of.
    pub fn admits_passage(&self, passage: &Passage<'_>, call: Option<&CallFacts>) -> bool {
        let is_result = passage.role == Role::ToolResult;
        let call = call.filter(|_| is_result);
        let tool = passage.tool.as_deref();
        let tool = tool.or(call.map(|call| call.tool.as_str()));
        let path = passage.path.as_deref();
        let paths = [path, call.and_then(|call| call.path.as_deref())];
        let model = passage.model.as_deref();
        let model = model.or(call.and_then(|call| call.model.as_deref()));
        let has_role = self.roles.is_empty() || self.roles.contains(&passage.role);
        let fits =
            |wanted: &Option<String>, has: &dyn Fn(&str) -> bool| wanted.as_deref().is_none_or(has);
        has_role
            && fits(&self.tool, &|wanted| {
                tool.is_some_and(|tool| is_tool(tool, wanted))
            })
            && fits(&self.path, &|wanted| {
                paths.iter().flatten().any(|path| holds(path, wanted))
            })
            && fits(&self.model, &|wanted| {
                model.is_some_and(|model| holds(model, wanted))
            })
    }

    fn admits_time(&self, time: Option<Timestamp>) -> bool {
        let is_late_enough = |since| time.is_some_and(|time| time >= since);
        let is_early_enough = |until| time.is_some_and(|time| time < until);
        self.since.is_none_or(is_late_enough) && self.until.is_none_or(is_early_enough)
    }

    fn admits_branch(&self, branch: Option<JsonText<'_>>) -> bool {
        let is_branch = |wanted: &str| branch.is_some_and(|branch| branch.is(wanted));
        self.branch.as_deref().is_none_or(is_branch)
    }

    /// A record with results is let through here: their calls decide.
    fn admits_model_of(&self, record: &Record<'_>) -> bool {
        let Some(wanted) = self.model.as_deref() else {
            return true;
        };
        let Some(message) = record.message() else {
            return false;
        };
        let own = message.model.map(JsonText::decode);
        let is_result = |block| {
            matches!(
                block,
                ContentBlock::ToolResult(_) | ContentBlock::ServerToolResult(_)
            )
        };
        own.is_some_and(|model| holds(&model, wanted))
            || record.kind() == Kind::ToolResult
            || message.content.blocks().any(is_result)
    }
}

#[derive(Default)]
struct Facts<'a> {
    time: Option<Timestamp>,
    branch: Option<JsonText<'a>>,
}

impl<'a> Facts<'a> {
    fn of(record: &Record<'a>) -> Self {
        let mut facts = Self::default();
        for (key, value) in record.json.into_iter().flat_map(Json::entries) {
            match key.escaped() {
                b"timestamp" => facts.time = Timestamp::from_json(value),
                b"gitBranch" => facts.branch = value.text(),
                _ => {}
            }
        }
        facts
    }
}

fn is_tool(tool: &str, wanted: &str) -> bool {
    let wanted = folded(wanted);
    let tool = folded(tool);
    let short = tool.starts_with("mcp__").then(|| tool.rsplit("__").next());
    tool == wanted || short.flatten() == Some(wanted.as_str())
}

fn holds(text: &str, wanted: &str) -> bool {
    folded(text).contains(&folded(wanted))
}

fn folded(text: &str) -> String {
    text.chars().map(fold).collect()
}
