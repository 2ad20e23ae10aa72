//! What a model is told about the tools.

use serde_json::{Map, Value, json};

/// A tool as a model sees it.
#[derive(Debug, Clone, Copy)]
pub struct ToolCard {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it is for.
    pub description: &'static str,
    arguments: &'static [Argument],
}

/// An argument of a tool.
#[derive(Debug, Clone, Copy)]
struct Argument {
    name: &'static str,
    kind: Kind,
    about: &'static str,
}

/// What an argument may be.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    RequiredText,
    Count,
    Yes,
    OneOf(&'static [&'static str]),
    RequiredOneOf(&'static [&'static str]),
}

const fn arg(name: &'static str, kind: Kind, about: &'static str) -> Argument {
    Argument { name, kind, about }
}

const SINCE: Argument = arg(
    "since",
    Kind::Text,
    "Only from then on: 90m, 12h, 3d, 2w (ago), a date, or an ISO time",
);
const UNTIL: Argument = arg(
    "until",
    Kind::Text,
    "Only up to then; a date includes the whole day",
);
const PROJECT: Argument = arg(
    "project",
    Kind::Text,
    "Only projects whose folder contains this text",
);
const LIMIT: Argument = arg("limit", Kind::Count, "At most so many results");

/// The tools.
pub const TOOLS: [ToolCard; 5] = [
    ToolCard {
        name: "search_sessions",
        title: "Search past sessions",
        description: "Finds messages in past sessions by their words. All words must occur in one message; \
put a \"phrase\" in quotes. Gives snippets with session ids and message uuids for read_messages.",
        arguments: &[
            arg(
                "query",
                Kind::RequiredText,
                "Words, and \"phrases\" in quotes",
            ),
            PROJECT,
            arg(
                "role",
                Kind::OneOf(&ROLES),
                "Only in prompts of the person, replies, thinking, or what tools got and gave",
            ),
            arg(
                "tool",
                Kind::Text,
                "Only in calls of this tool, such as Bash or Edit",
            ),
            arg(
                "path",
                Kind::Text,
                "Only in tool calls about files whose path contains this text",
            ),
            SINCE,
            UNTIL,
            LIMIT,
        ],
    },
    ToolCard {
        name: "list_sessions",
        title: "List past sessions",
        description: "Lists past sessions, the last used first: id, title, project, branch, time, size.",
        arguments: &[
            PROJECT,
            arg("branch", Kind::Text, "Only sessions on this git branch"),
            arg(
                "text",
                Kind::Text,
                "Only sessions whose title or first prompt contains this text",
            ),
            SINCE,
            LIMIT,
            arg(
                "cursor",
                Kind::Text,
                "next_cursor of the answer before, for the sessions after it",
            ),
        ],
    },
    ToolCard {
        name: "read_messages",
        title: "Read messages of a session",
        description: "Reads messages of one session in order, across compactions: by number (from, to), or around a uuid \
that search_sessions gave. Tool results are shown with their calls. Long messages are cut in the middle; ask for one message \
alone to see more of it.",
        arguments: &[
            arg(
                "session",
                Kind::RequiredText,
                "Session id, the start of it, its exact title, or `latest`",
            ),
            arg(
                "agent",
                Kind::Text,
                "Read this sub-agent of the session instead, by its id",
            ),
            arg("from", Kind::Count, "First message, counted from 1"),
            arg("to", Kind::Count, "Last message"),
            arg(
                "around",
                Kind::Text,
                "Uuid of a message to read around, instead of from and to",
            ),
            arg(
                "before",
                Kind::Count,
                "With around: so many messages before it",
            ),
            arg(
                "after",
                Kind::Count,
                "With around: so many messages after it",
            ),
            arg(
                "include_tools",
                Kind::OneOf(&["none", "brief", "full"]),
                "How much of tool calls and results; brief unless said",
            ),
            arg("include_thinking", Kind::Yes, "Also what the model thought"),
        ],
    },
    ToolCard {
        name: "list_files",
        title: "List files touched",
        description: "Lists which files and folders tools read, wrote, edited or searched: all of a session, or all sessions that \
touched a path. Says which tool, how often and when.",
        arguments: &[
            arg("session", Kind::Text, "The session whose files are wanted"),
            arg(
                "path",
                Kind::Text,
                "A path, the end of one, or a folder: who touched it",
            ),
            LIMIT,
            arg(
                "cursor",
                Kind::Count,
                "next_cursor of the answer before, for the rows after it",
            ),
        ],
    },
    ToolCard {
        name: "usage",
        title: "Tokens and cost",
        description: "Sums tokens and cost in US dollars over past sessions, each API request counted once.",
        arguments: &[
            arg(
                "group",
                Kind::RequiredOneOf(&["day", "session", "project", "model"]),
                "What to sum by",
            ),
            PROJECT,
            SINCE,
            UNTIL,
            LIMIT,
        ],
    },
];

/// The roles that can be searched for.
const ROLES: [&str; 6] = [
    "prompt",
    "reply",
    "thinking",
    "tool-input",
    "tool-result",
    "other",
];

/// Returns the names of all tools.
pub(crate) fn names() -> String {
    TOOLS.map(|tool| tool.name).join(", ")
}

/// Returns the arguments of a tool in words.
pub(crate) fn usage_of(name: &str) -> String {
    let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
        return format!("the tools are {}", names());
    };
    let arguments = tool.arguments.iter().map(|argument| match argument.kind {
        Kind::RequiredText => format!("{} (needed)", argument.name),
        Kind::RequiredOneOf(words) => format!("{} (needed: {})", argument.name, words.join(", ")),
        Kind::OneOf(words) => format!("{} ({})", argument.name, words.join(", ")),
        Kind::Text | Kind::Count | Kind::Yes => argument.name.to_owned(),
    });
    format!(
        "its arguments are {}",
        arguments.collect::<Vec<_>>().join(", ")
    )
}

impl ToolCard {
    /// Returns the JSON schema of its arguments.
    pub fn schema(&self) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for argument in self.arguments {
            let mut property = match argument.kind {
                Kind::Text | Kind::RequiredText => json!({"type": "string"}),
                Kind::Count => json!({"type": "integer", "minimum": 0}),
                Kind::Yes => json!({"type": "boolean"}),
                Kind::OneOf(words) | Kind::RequiredOneOf(words) => {
                    json!({"type": "string", "enum": words})
                }
            };
            if let Some(property) = property.as_object_mut() {
                property.insert("description".into(), argument.about.into());
            }
            if matches!(argument.kind, Kind::RequiredText | Kind::RequiredOneOf(_)) {
                required.push(argument.name);
            }
            properties.insert(argument.name.into(), property);
        }
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }
}
