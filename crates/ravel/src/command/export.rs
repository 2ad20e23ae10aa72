//! `ravel export`: a session in another form.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use ravel_model::branch::branches;
use ravel_model::{Session, api};
use ravel_render::page::PageOptions;
use ravel_render::style::{Line, Role};

use crate::command::show::ViewArgs;
use crate::context::{Context, display_path};
use crate::failure::Failure;
use crate::open::{Agents, Opened, open};
use crate::output::{Existing, is_same_file, write_file, write_stdout};

/// Write a session as JSONL, JSON, Markdown, HTML, text or API messages
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel export latest --format html -o session.html\n  ravel export 3f2a --format md --thinking > session.md\n  ravel export 3f2a --format api | jq length\n\nFormats:\n  jsonl  the file itself, byte by byte\n  json   what `ravel show --json` prints\n  md     Markdown\n  html   one page with search, folding and dark mode; no other files, no network\n  api    the messages a client would send to go on with the session\n  text   plain text"
)]
pub(crate) struct ExportArgs {
    /// The session
    #[arg(value_name = "SESSION", default_value = "latest")]
    session: String,
    /// The form
    #[arg(long, short, value_name = "FORMAT", default_value = "md")]
    format: Format,
    /// Where to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    view: ViewArgs,
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

/// Exports a session.
pub(crate) fn run(context: &Context, args: &ExportArgs) -> Result<ExitCode, Failure> {
    let agents = if args.format == Format::Jsonl {
        Agents::Left
    } else {
        Agents::Included
    };
    let opened = open(context, &args.session, agents)?;
    let Some(path) = args.output.as_ref().filter(|path| path.as_os_str() != "-") else {
        write_stdout(|out| write(context, args, &opened, out))?;
        return Ok(ExitCode::SUCCESS);
    };
    if opened.paths.iter().any(|own| is_same_file(own, path)) {
        return Err(
            Failure::request("the export would replace the session itself")
                .hint("name another file with --output"),
        );
    }
    write_file(path, Existing::Replace, |out| {
        write(context, args, &opened, out)
    })?;
    if !context.json() {
        let line = Line::of(&format!("written to {}", display_path(path)), Role::Muted);
        context.print_lines(&[line])?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(
    context: &Context,
    args: &ExportArgs,
    opened: &Opened,
    out: &mut impl Write,
) -> io::Result<()> {
    if args.format == Format::Jsonl {
        return opened.copy_main(out);
    }
    let session = Session::build(&opened.transcripts);
    let segments = session.history();
    let Some(main) = session.main() else {
        return Ok(());
    };
    let branches = branches(&main.graph, &segments);
    match args.format {
        Format::Jsonl => Ok(()),
        Format::Api => {
            let rebuilt = api::rebuild(
                &main.graph,
                &*main.transcript.source,
                &api::Options::default(),
            );
            rebuilt.write_json(out)?;
            writeln!(out)
        }
        Format::Json => ravel_render::json::show(&session, &segments, &branches, &[], out),
        Format::Html => {
            ravel_render::page::export(&session, &segments, &branches, &PageOptions::default(), out)
        }
        Format::Md => ravel_render::markdown_export::write(
            &session,
            &segments,
            &args.view.markdown_options(),
            out,
        ),
        Format::Text => {
            ravel_render::text_export::write(&session, &segments, &args.view.options(context), out)
        }
    }
}
