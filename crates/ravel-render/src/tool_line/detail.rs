//! What there is to show below a call.

use ravel_format::tool::{
    AskUserQuestionCall, Outcome, ReadOutcome, TodoWriteCall, WebSearchOutcome, WriteCall,
};
use ravel_format::{Json, JsonText, Map, ToolCall};
use ravel_model::step::Call;

use super::change::{asked_change, patch_of};
use super::note::exit_code;
use super::read::{Reading, decoded};
use super::{CallState, picture_label};
use crate::diff::Diff;

/// What there is to show below a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// What was asked or answered.
    pub body: Body,
    /// What went wrong; empty when nothing did.
    pub error: String,
    /// Pictures in the answer, in words.
    pub pictures: Vec<String>,
    /// Whether the answer only confirms what was asked, so that the line says it all.
    pub is_receipt: bool,
}

/// What was asked or answered, by its nature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Body {
    /// The line says it all.
    #[default]
    Nothing,
    /// A file was changed, or was to be.
    Change {
        /// The file.
        path: String,
        /// The change.
        diff: Diff,
    },
    /// A whole new file was written.
    NewFile {
        /// The file.
        path: String,
        /// What is in it.
        text: String,
    },
    /// A part of a file was read.
    Source {
        /// The file.
        path: String,
        /// What is in it.
        text: String,
        /// The number of the first line.
        first_line: usize,
    },
    /// A command ran.
    Command {
        /// The command.
        command: String,
        /// What it printed.
        output: String,
    },
    /// A list of things to do.
    Todos(Vec<TodoItem>),
    /// Questions to the person, answered.
    Answers(Vec<Answer>),
    /// A plan, in Markdown.
    Plan(String),
    /// Pages that a search found.
    Links(Vec<Link>),
    /// Words for people, in Markdown, such as the report of an agent.
    Prose(String),
    /// Any other answer.
    Output(String),
    /// A call of a tool that has no view of its own.
    Arguments {
        /// The input, as JSON.
        json: String,
        /// The answer.
        output: String,
    },
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TodoItem {
    /// What is to be done.
    pub text: String,
    /// How far it is.
    pub progress: Progress,
}

/// How far a thing to do is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Progress {
    Pending,
    Active,
    Done,
}

impl Progress {
    /// Returns a box for it: `☐`, `◐`, `☑`.
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Pending => "☐",
            Self::Active => "◐",
            Self::Done => "☑",
        }
    }
}

/// One question with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The question.
    pub question: String,
    /// What could be chosen.
    pub options: Vec<String>,
    /// What was answered; empty when nothing was.
    pub answer: String,
}

/// One page that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
}

pub(super) fn detail(call: &Call, reading: &Reading<'_>, state: CallState) -> Detail {
    let pictures = call.result.iter().flat_map(|result| &result.pictures);
    let failed = matches!(state, CallState::Failed | CallState::Denied);
    Detail {
        body: body(reading, failed),
        error: if failed {
            error_text(reading)
        } else {
            String::new()
        },
        pictures: pictures.map(picture_label).collect(),
        is_receipt: !failed && is_confirmed(reading),
    }
}

/// Returns the error without the tags around it and without the exit code, which is a note.
fn error_text(reading: &Reading<'_>) -> String {
    let answer = reading.answer().trim();
    let answer = answer
        .strip_prefix("<tool_use_error>")
        .map_or(answer, |rest| {
            rest.strip_suffix("</tool_use_error>").unwrap_or(rest)
        });
    match exit_code(answer) {
        Some((_, rest)) => rest.trim_end().to_owned(),
        None => answer.to_owned(),
    }
}

/// Returns what to show; of a failed call only what was asked, since the answer is the error.
fn body(reading: &Reading<'_>, failed: bool) -> Body {
    let answer = if failed { "" } else { reading.answer() };
    let output = || match answer.trim_end() {
        "" => Body::Nothing,
        text => Body::Output(text.to_owned()),
    };
    match reading.call {
        Some(ToolCall::Write(call)) => write_body(reading, call),
        Some(ToolCall::Edit(call)) => change_body(reading, call.file_path),
        Some(ToolCall::MultiEdit(call)) => change_body(reading, call.file_path),
        Some(ToolCall::NotebookEdit(call)) => Body::NewFile {
            path: decoded(call.notebook_path),
            text: decoded(call.new_source),
        },
        Some(ToolCall::Bash(call)) => Body::Command {
            command: decoded(call.command),
            output: printed(reading, answer),
        },
        Some(ToolCall::TodoWrite(call)) => todos_body(call),
        Some(ToolCall::AskUserQuestion(call)) => answers_body(reading, call),
        Some(ToolCall::ExitPlanMode(call)) => plan_body(reading, call.plan),
        Some(ToolCall::Agent(_)) => prose(agent_report(reading).unwrap_or(answer.to_owned())),
        _ => match reading.outcome() {
            Some(Outcome::Read(outcome)) => read_body(outcome).unwrap_or_else(output),
            Some(Outcome::WebSearch(outcome)) => links_body(outcome, answer),
            Some(Outcome::WebFetch(outcome)) => prose(decoded(outcome.result)),
            None if matches!(reading.call, Some(ToolCall::WebSearch(_))) => listed_links(answer),
            None if matches!(reading.call, Some(ToolCall::WebFetch(_))) => prose(answer.to_owned()),
            Some(Outcome::TaskOutput(outcome)) if outcome.stdout.is_some() => Body::Command {
                command: decoded(outcome.command),
                output: both(outcome.stdout, outcome.stderr),
            },
            _ if is_known(reading) => output(),
            _ => arguments(reading, answer),
        },
    }
}

fn is_known(reading: &Reading<'_>) -> bool {
    !matches!(reading.call, None | Some(ToolCall::Mcp(_)))
}

/// Tells whether the answer of the tool only confirms.
fn is_confirmed(reading: &Reading<'_>) -> bool {
    matches!(
        reading.call,
        Some(
            ToolCall::TaskCreate(_)
                | ToolCall::TaskUpdate(_)
                | ToolCall::TaskStop(_)
                | ToolCall::Skill(_)
                | ToolCall::SlashCommand(_)
                | ToolCall::SendMessage(_)
                | ToolCall::ToolSearch(_)
                | ToolCall::EnterPlanMode(_)
        )
    )
}

fn arguments(reading: &Reading<'_>, answer: &str) -> Body {
    let json = reading
        .input
        .map(|input| String::from_utf8_lossy(input.raw()).into_owned());
    Body::Arguments {
        json: json.unwrap_or_default(),
        output: answer.trim_end().to_owned(),
    }
}

fn prose(text: String) -> Body {
    if text.trim().is_empty() {
        Body::Nothing
    } else {
        Body::Prose(text)
    }
}

fn both(stdout: Option<JsonText<'_>>, stderr: Option<JsonText<'_>>) -> String {
    let parts = [decoded(stdout), decoded(stderr)];
    let parts: Vec<&str> = parts
        .iter()
        .map(|part| part.trim_end())
        .filter(|part| !part.is_empty())
        .collect();
    parts.join("\n")
}

fn printed(reading: &Reading<'_>, answer: &str) -> String {
    match reading.outcome() {
        Some(Outcome::Bash(outcome)) if outcome.stdout.is_some() => {
            both(outcome.stdout, outcome.stderr)
        }
        _ => answer.trim_end().to_owned(),
    }
}

fn agent_report(reading: &Reading<'_>) -> Option<String> {
    let Some(Outcome::Agent(outcome)) = reading.outcome() else {
        return None;
    };
    let texts = outcome.content?.blocks().filter_map(|block| match block {
        ravel_format::ContentBlock::Text(text) => Some(decoded(text.text)),
        _ => None,
    });
    let report = texts.collect::<Vec<_>>().join("\n\n");
    Some(without_note(&report).to_owned())
}

/// Returns a report without the note for the model that newer clients put before it.
fn without_note(report: &str) -> &str {
    let report = report.trim();
    let note = report.strip_prefix("<tools-used-before-summary>");
    let rest = note.and_then(|note| note.split_once("</tools-used-before-summary>"));
    rest.map_or(report, |(_, rest)| rest.trim_start())
}

fn todos_body(call: TodoWriteCall<'_>) -> Body {
    let items = call.todos.into_iter().flatten().map(|todo| TodoItem {
        text: decoded(todo.content),
        progress: match decoded(todo.status).as_str() {
            "completed" => Progress::Done,
            "in_progress" => Progress::Active,
            _ => Progress::Pending,
        },
    });
    Body::Todos(items.collect())
}

fn answers_body(reading: &Reading<'_>, call: AskUserQuestionCall<'_>) -> Body {
    let given = match reading.outcome() {
        Some(Outcome::AskUserQuestion(outcome)) => outcome.answers,
        _ => call.answers,
    };
    let questions = call.questions.into_iter().flatten();
    let answers = questions.map(|question| {
        let text = decoded(question.question);
        let options = question.options.into_iter().flatten();
        Answer {
            answer: given
                .map(|given| answer_to(given, &text))
                .unwrap_or_default(),
            options: options.map(|option| decoded(option.label)).collect(),
            question: text,
        }
    });
    Body::Answers(answers.collect())
}

fn answer_to(given: Map<'_, Json<'_>>, question: &str) -> String {
    let found = given.iter().find(|(name, _)| name.is(question));
    let Some((_, answer)) = found else {
        return String::new();
    };
    let parts: Vec<String> = match answer.str() {
        Some(text) => vec![text.into_owned()],
        None => answer
            .items()
            .filter_map(|item| Some(item.str()?.into_owned()))
            .collect(),
    };
    parts.join(", ")
}

fn plan_body(reading: &Reading<'_>, plan: Option<JsonText<'_>>) -> Body {
    let kept = match reading.outcome() {
        Some(Outcome::ExitPlanMode(outcome)) => outcome.plan,
        _ => None,
    };
    match decoded(plan.or(kept)) {
        plan if plan.trim().is_empty() => Body::Nothing,
        plan => Body::Plan(plan),
    }
}

fn read_body(outcome: ReadOutcome<'_>) -> Option<Body> {
    let file = outcome.file?;
    Some(Body::Source {
        path: decoded(file.file_path),
        text: file.content?.decode().into_owned(),
        first_line: file
            .start_line
            .and_then(|line| usize::try_from(line).ok())
            .unwrap_or(1),
    })
}

fn links_body(outcome: WebSearchOutcome<'_>, answer: &str) -> Body {
    let links: Vec<Link> = outcome
        .hits()
        .map(|hit| Link {
            title: decoded(hit.title),
            url: decoded(hit.url),
        })
        .collect();
    if links.is_empty() {
        prose(answer.to_owned())
    } else {
        Body::Links(links)
    }
}

/// Finds the links in the words of a search, for files that keep only those.
fn listed_links(answer: &str) -> Body {
    let listed = answer
        .lines()
        .find_map(|line| line.strip_prefix("Links: "))
        .and_then(|json| Json::parse(json.trim().as_bytes()).ok());
    let text = |link: Json<'_>, key: &str| Some(link.get(key)?.str()?.into_owned());
    let links: Vec<Link> = listed
        .into_iter()
        .flat_map(Json::items)
        .filter_map(|link| {
            Some(Link {
                title: text(link, "title")?,
                url: text(link, "url")?,
            })
        })
        .collect();
    if links.is_empty() {
        prose(answer.to_owned())
    } else {
        Body::Links(links)
    }
}

fn write_body(reading: &Reading<'_>, call: WriteCall<'_>) -> Body {
    let path = decoded(call.file_path);
    match patch_of(reading) {
        Some(diff) => Body::Change { path, diff },
        None => Body::NewFile {
            path,
            text: decoded(call.content),
        },
    }
}

fn change_body(reading: &Reading<'_>, path: Option<JsonText<'_>>) -> Body {
    let path = decoded(path);
    match patch_of(reading).or_else(|| asked_change(reading)) {
        Some(diff) => Body::Change { path, diff },
        None => Body::Nothing,
    }
}
