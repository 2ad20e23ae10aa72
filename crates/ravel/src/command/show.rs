//! `ravel show`: a session to read.

use std::io;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use jiff::tz::TimeZone;
use ravel_home::Target;
use ravel_model::check::check;
use ravel_model::facts::facts;
use ravel_model::turn::turns;
use ravel_model::{Branch, Segment, Session, Turn, history};
use ravel_render::markdown_export::MarkdownOptions;
use ravel_render::style::{Line, Role};
use ravel_render::terminal::{Renderer, TerminalOptions, Thinking, Tools};
use ravel_render::words::short_id;

use crate::context::Context;
use crate::failure::Failure;
use crate::open::{Agents, Opened, find, open, open_target};
use crate::screen::Screen;

mod early;

use early::Early;

/// Read a session
///
/// Shows the conversation across its compactions: prompts, replies, tool calls with their results,
/// edits as diffs, sub-agents, hooks. Long output goes through a pager.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel show                        the latest session\n  ravel show 3f2a --last 2          the last two turns of another one\n  ravel show 3f2a --tools full --agents\n  ravel show 3f2a --branch 1        a road not taken, see `ravel tree`\n  ravel show - < session.jsonl\n  ravel show 3f2a --json | jq '.thread[].uuid'"
)]
pub(crate) struct ShowArgs {
    /// The session
    #[arg(value_name = "SESSION", default_value = "latest")]
    session: String,
    #[command(flatten)]
    view: ConversationArgs,
    /// Show a branch instead of the main thread: its number in `ravel tree`, or the id of a record on it
    #[arg(long, value_name = "N|ID")]
    branch: Option<String>,
    /// Start at the turn with this record
    #[arg(long, value_name = "ID", conflicts_with = "last")]
    at: Option<String>,
    /// Show only the last N turns
    #[arg(long, value_name = "N")]
    last: Option<usize>,
}

/// What is shown of a conversation.
#[derive(Debug, Clone, Args)]
pub(crate) struct ViewArgs {
    /// Show what the model thought
    #[arg(long)]
    thinking: bool,
    /// How much of tool calls to show [default: brief]
    #[arg(long, value_name = "HOW")]
    tools: Option<ToolsWhen>,
    /// Show what is meant for the model or the client, too
    #[arg(long)]
    everything: bool,
}

/// What is shown of a conversation that is read as a whole.
#[derive(Debug, Clone, Args)]
pub(crate) struct ConversationArgs {
    #[command(flatten)]
    view: ViewArgs,
    /// Show what sub-agents did below the calls that started them
    #[arg(long)]
    agents: bool,
}

/// How much of tool calls to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolsWhen {
    /// All of inputs and results
    Full,
    /// One line each, with a few lines of what matters
    Brief,
    /// Nothing
    None,
}

impl From<ToolsWhen> for Tools {
    fn from(when: ToolsWhen) -> Self {
        match when {
            ToolsWhen::Full => Self::Full,
            ToolsWhen::Brief => Self::Brief,
            ToolsWhen::None => Self::None,
        }
    }
}

impl ViewArgs {
    /// Returns how to show a conversation in this terminal, without its agents.
    pub(crate) fn options(&self, context: &Context) -> TerminalOptions {
        let mut options = TerminalOptions::new(context.width());
        options.palette = context.palette();
        options.thinking = if self.thinking {
            Thinking::Shown
        } else {
            Thinking::Folded
        };
        options.tools = self.tools();
        options.agents = false;
        options.everything = self.everything;
        options.timezone = TimeZone::system();
        options
    }

    fn tools(&self) -> Tools {
        self.tools.unwrap_or(ToolsWhen::Brief).into()
    }
}

impl ConversationArgs {
    /// Returns what goes into a Markdown file, which always has its agents.
    pub(crate) fn markdown_options(&self) -> MarkdownOptions {
        MarkdownOptions {
            thinking: self.view.thinking,
            tools: self.view.tools(),
            agents: true,
            timezone: TimeZone::system(),
        }
    }

    /// Returns how to show a conversation in this terminal.
    pub(crate) fn options(&self, context: &Context) -> TerminalOptions {
        let mut options = self.view.options(context);
        options.agents = self.agents;
        options
    }

    /// Returns the names of the options that were given.
    pub(crate) fn chosen(&self) -> Vec<&'static str> {
        let options = [
            (self.view.thinking, "--thinking"),
            (self.view.tools.is_some(), "--tools"),
            (self.agents, "--agents"),
            (self.view.everything, "--everything"),
        ];
        let given = options.into_iter().filter(|(is_given, _)| *is_given);
        given.map(|(_, name)| name).collect()
    }
}

/// Shows a session.
pub(crate) fn run(context: &Context, args: &ShowArgs) -> Result<ExitCode, Failure> {
    if context.json() {
        refuse_places(args)?;
    }
    let mut show = Show {
        renderer: Renderer::new(&args.view.options(context)),
        screen: context.screen(),
        early: None,
    };
    let opened = show.open(context, args)?;
    let session = Session::build(&opened.transcripts);
    let main_segments = session.history();
    let segments = match (&args.branch, &args.at) {
        (Some(name), _) => branch_history(&session, &main_segments, name)?,
        // A record that is on no way to the main leaf is on a branch.
        (None, Some(id)) => match branch_with(&session, &main_segments, id) {
            Some(leaf) => session
                .main()
                .map(|main| history(&main.graph, leaf))
                .unwrap_or_default(),
            None => main_segments,
        },
        (None, None) => main_segments,
    };
    if context.json() {
        write_json(&opened, &session, &segments, &mut show.screen)?;
        show.screen.finish()?;
        opened.check_read()?;
        return Ok(ExitCode::SUCCESS);
    }
    show.text(args, &opened, &session, &segments)
}

/// A conversation on its way to the screen.
struct Show {
    renderer: Renderer,
    screen: Screen,
    early: Option<Early>,
}

impl Show {
    /// Opens the session; the first turns of a long one are shown meanwhile.
    fn open(&mut self, context: &Context, args: &ShowArgs) -> Result<Opened, Failure> {
        if args.session == "-" {
            return open(context, "-", Agents::Included);
        }
        let target = find(context, &args.session)?;
        if !context.json() {
            self.say_archived(&target)?;
        }
        let shows_start = args.branch.is_none() && args.at.is_none() && args.last.is_none();
        if let Target::Session(file) = &target
            && shows_start
            && !context.json()
        {
            self.early = early::show(file, &self.renderer, &mut self.screen)?;
        }
        open_target(target, Agents::Included)
    }

    /// Says of a session that is gone from the home how to get it back.
    fn say_archived(&mut self, target: &Target) -> Result<(), Failure> {
        if let Target::Session(session) = target
            && session.is_archived
        {
            let note = format!(
                "archived: Claude Code no longer has it; `ravel archive restore {}` puts it back",
                short_id(&session.session_id)
            );
            let lines = [Line::of(&note, Role::Warning), Line::default()];
            self.renderer.painter().write(&lines, &mut self.screen)?;
        }
        Ok(())
    }

    fn text(
        mut self,
        args: &ShowArgs,
        opened: &Opened,
        session: &Session<'_>,
        segments: &[Segment],
    ) -> Result<ExitCode, Failure> {
        let painter = self.renderer.painter();
        let turns = session
            .main()
            .map(|main| turns(&main.graph, segments))
            .unwrap_or_default();
        let shown = wanted(session, &turns, args)?;
        let n_before = match &self.early {
            Some(early) => early.n_shown(&turns, &self.renderer, &mut self.screen)?,
            None => {
                painter.write(
                    &self.renderer.header(&facts(session, segments)),
                    &mut self.screen,
                )?;
                0
            }
        };
        let with_gap = segments
            .iter()
            .enumerate()
            .filter(|(_, segment)| segment.gap.is_some());
        let mut gaps = with_gap.map(|(number, _)| number).peekable();
        for turn in shown.iter().skip(n_before) {
            if gaps.next_if(|&gap| gap <= turn.segment).is_some() {
                let note = "── lines are missing here; `ravel check` says which ──";
                painter.write(
                    &[Line::default(), Line::of(note, Role::Warning)],
                    &mut self.screen,
                )?;
            }
            self.renderer
                .write_entries(session, (0, &turn.entries), &mut self.screen)?;
        }
        if args.branch.is_none() && args.last.is_none() {
            painter.write(&self.renderer.unlinked_agents(session), &mut self.screen)?;
        }
        if turns.is_empty() {
            let note = format!("no conversation in {}", opened.name());
            painter.write(&[Line::of(&note, Role::Muted)], &mut self.screen)?;
        }
        self.screen.finish()?;
        opened.check_read()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the turns that were asked for.
fn wanted<'t>(
    session: &Session<'_>,
    turns: &'t [Turn],
    args: &ShowArgs,
) -> Result<&'t [Turn], Failure> {
    if let Some(n_last) = args.last {
        return Ok(turns
            .get(turns.len().saturating_sub(n_last)..)
            .unwrap_or_default());
    }
    let Some(id) = &args.at else { return Ok(turns) };
    // A record that is not shown itself is near the one it hangs on.
    let first = session.main().and_then(|main| {
        let entry = entry_by_id(main, id)?;
        let mut near = std::iter::once(entry).chain(main.graph.ancestors(entry));
        let shown =
            near.find_map(|entry| turns.iter().position(|turn| turn.entries.contains(&entry)));
        // A sub-agent inside the file has no way to the thread: the turn it ran in was the last to
        // begin before it.
        shown.or_else(|| {
            turns
                .iter()
                .rposition(|turn| turn.entries.first().is_some_and(|&first| first <= entry))
        })
    });
    match first {
        Some(first) => Ok(turns.get(first..).unwrap_or_default()),
        None => Err(Failure::request(format!("no record {id:?} on this thread"))
            .hint("it may be on a branch: see `ravel tree`, and show it with --branch ID")),
    }
}

/// Finds a record by its id or the start of it.
fn entry_by_id(part: &ravel_model::Part<'_>, id: &str) -> Option<usize> {
    let graph = &part.graph;
    let starts = |index: &&usize| {
        graph
            .outline()
            .text(graph.entry(**index).and_then(|entry| entry.uuid))
            .starts_with(id)
    };
    graph
        .find(id)
        .or_else(|| graph.nodes().iter().find(starts).copied())
}

/// Returns the conversation that ends on a branch.
fn branch_history(
    session: &Session<'_>,
    segments: &[Segment],
    name: &str,
) -> Result<Vec<Segment>, Failure> {
    let unknown = || {
        Failure::request(format!("no branch {name:?}")).hint("`ravel tree` numbers the branches")
    };
    let main = session.main().ok_or_else(unknown)?;
    let branches = ravel_model::branch::branches(&main.graph, segments);
    let by_number = name
        .parse::<usize>()
        .ok()
        .and_then(|number| branches.get(number.checked_sub(1)?));
    let by_record = || {
        let entry = entry_by_id(main, name)?;
        branches
            .iter()
            .find(|branch: &&Branch| branch.entries.contains(&entry))
    };
    let branch = by_number.or_else(by_record).ok_or_else(unknown)?;
    Ok(history(&main.graph, branch.leaf))
}

/// Returns the leaf of the branch that a record is on; `None` for one of the main thread, or if
/// there is no such record.
fn branch_with(session: &Session<'_>, segments: &[Segment], id: &str) -> Option<usize> {
    let main = session.main()?;
    let entry = entry_by_id(main, id)?;
    let on_thread = turns(&main.graph, segments)
        .iter()
        .any(|turn| turn.entries.contains(&entry));
    if on_thread {
        return None;
    }
    let branches = ravel_model::branch::branches(&main.graph, segments);
    let with_entry = branches
        .iter()
        .find(|branch: &&Branch| branch.entries.contains(&entry));
    with_entry.map(|branch| branch.leaf)
}

/// Refuses what would choose turns: the document is whole.
fn refuse_places(args: &ShowArgs) -> Result<(), Failure> {
    let name = match (args.last, &args.at) {
        (Some(_), _) => "--last",
        (_, Some(_)) => "--at",
        (None, None) => return Ok(()),
    };
    Err(Failure::request(format!("{name} does not apply to --json"))
        .hint("the document has all turns; choose with jq, such as '.turns[-2:]'"))
}

/// Writes a session for programs, with what is wrong in its files.
pub(crate) fn write_json(
    opened: &Opened,
    session: &Session<'_>,
    segments: &[Segment],
    out: impl io::Write,
) -> io::Result<()> {
    let mut findings = Vec::new();
    for (part, path) in session.parts().iter().zip(&opened.paths) {
        let report = check(&part.graph, &*part.transcript.source);
        let found = report.diagnostics.iter();
        findings.extend(found.map(|one| super::check::diagnostic_json(path, one)));
    }
    let branches = session
        .main()
        .map(|main| ravel_model::branch::branches(&main.graph, segments))
        .unwrap_or_default();
    ravel_render::json::show(session, segments, &branches, &findings, out)
}
