//! `ravel export`: a session in another form.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use jiff::tz::TimeZone;
use ravel_model::branch::branches;
use ravel_model::{Session, api};
use ravel_render::page::PageOptions;
use ravel_render::style::{Line, Role};

use crate::command::show::{ConversationArgs, write_json};
use crate::context::{Context, display_path};
use crate::failure::Failure;
use crate::open::{Agents, Opened, open};
use crate::output::{Access, Content, Existing, Output, is_same_file};
use crate::screen::Harmless;

/// Write a session as JSONL, JSON, Markdown, HTML, text or API messages
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel export latest --format html -o session.html\n  ravel export 3f2a --format md --thinking > session.md\n  ravel export 3f2a --format api | jq length\n\nFormats:\n  jsonl  the file itself, byte by byte\n  json   what `ravel show --json` prints\n  md     Markdown\n  html   one page with search, folding and dark mode; no other files, no network\n  api    the messages a client would send to go on with the session\n  text   plain text"
)]
pub(crate) struct ExportArgs {
    /// The session
    #[arg(value_name = "SESSION", default_value = "latest")]
    session: String,
    /// The form [default: md, or json with --json]
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<Format>,
    /// Where to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the output file when it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    view: ConversationArgs,
}

/// The forms of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The file itself
    Jsonl,
    /// The conversation for programs
    Json,
    /// Markdown
    Md,
    /// One self-contained page
    Html,
    /// Messages for the API
    Api,
    /// Plain text
    Text,
}

impl Format {
    /// Tells whether the form has no terminal's commands in it.
    fn content(self) -> Content {
        match self {
            Self::Jsonl => Content::Raw,
            _ => Content::Tame,
        }
    }
}

/// Exports a session.
pub(crate) fn run(context: &Context, args: &ExportArgs) -> Result<ExitCode, Failure> {
    let format = format(context, args)?;
    refuse_options(args, format)?;
    let agents = if format == Format::Jsonl {
        Agents::Left
    } else {
        Agents::Included
    };
    let opened = open(context, &args.session, agents)?;
    let output = Output {
        home: context.home().ok(),
        path: args.output.as_deref().unwrap_or(Path::new("-")),
        existing: Existing::by_force(args.force),
        content: format.content(),
        access: Access::Usual,
    };
    if opened
        .paths
        .iter()
        .any(|own| is_same_file(own, output.path))
    {
        return Err(
            Failure::request("the export would replace the session itself")
                .hint("name another file with --output"),
        );
    }
    output.write(&opened, |out| write(context, args, format, &opened, out))?;
    if output.is_file() && !context.json() {
        let words = format!("written to {}", display_path(output.path));
        context.print_lines(&[Line::of(&words, Role::Muted)])?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the form that was asked for; `--json` asks for one that programs read.
fn format(context: &Context, args: &ExportArgs) -> Result<Format, Failure> {
    match (args.format, context.json()) {
        (None, false) => Ok(Format::Md),
        (None, true) => Ok(Format::Json),
        (Some(Format::Md | Format::Html | Format::Text), true) => Err(Failure::request(
            "--json does not go with a form for people",
        )
        .hint("leave --format away, or say --format json")),
        (Some(format), _) => Ok(format),
    }
}

/// Refuses options that would change nothing.
fn refuse_options(args: &ExportArgs, format: Format) -> Result<(), Failure> {
    let (chosen, hint) = match format {
        Format::Text => return Ok(()),
        Format::Md => (
            args.view
                .chosen()
                .into_iter()
                .find(|&name| name == "--everything"),
            "use --format text, or --format html, which has everything",
        ),
        Format::Html => (
            args.view.chosen().into_iter().next(),
            "the page has everything and folds it",
        ),
        Format::Jsonl | Format::Json | Format::Api => (
            args.view.chosen().into_iter().next(),
            "this form is for programs and has everything",
        ),
    };
    match chosen {
        None => Ok(()),
        Some(name) => {
            let format = format.to_possible_value();
            let format = format.as_ref().map_or("", |value| value.get_name());
            let message = format!("{name} does not apply to --format {format}");
            Err(Failure::request(message).hint(hint))
        }
    }
}

fn write(
    context: &Context,
    args: &ExportArgs,
    format: Format,
    opened: &Opened,
    mut out: &mut dyn Write,
) -> io::Result<()> {
    if format == Format::Jsonl {
        return opened.copy_main(out);
    }
    let session = Session::build(&opened.transcripts);
    let segments = session.history();
    let Some(main) = session.main() else {
        return Ok(());
    };
    match format {
        Format::Jsonl => Ok(()),
        Format::Api => {
            let source = &*main.transcript.source;
            let rebuilt = api::rebuild(&main.graph, source, &api::Options::default());
            let mut out = Harmless::new(out);
            rebuilt.write_json(&mut out)?;
            writeln!(out)
        }
        Format::Json => write_json(opened, &session, &segments, Harmless::new(out)),
        Format::Html => {
            let options = PageOptions {
                zone: TimeZone::system(),
                ..PageOptions::default()
            };
            let branches = branches(&main.graph, &segments);
            ravel_render::page::export(&session, &segments, &branches, &options, out)
        }
        Format::Md => {
            let options = args.view.markdown_options();
            ravel_render::markdown_export::write(&session, &segments, &options, &mut out)
        }
        Format::Text => {
            let options = args.view.options(context);
            ravel_render::text_export::write(&session, &segments, &options, &mut out)
        }
    }
}
