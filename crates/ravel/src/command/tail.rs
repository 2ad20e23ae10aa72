//! `ravel tail`: a session while it grows.
//!
//! The files of the session are followed by [`follow`], what is new is shown by [`stream`], and
//! [`watch`] says when to look again. Nothing runs in between.

mod follow;
mod stream;
mod watch;

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::Args;
use ravel_home::{Depth, Scope, Target, discover, is_kept, latest};
use ravel_render::sanitize::sanitize_line;

use super::show::ViewArgs;
use crate::context::{Context, display_path};
use crate::failure::Failure;
use crate::finding::report_findings;
use crate::open::find;
use crate::screen::{Harmless, Screen};
use follow::Following;
use stream::Stream;
use watch::Watch;

/// Follow a session while it runs
///
/// Shows the last messages, then each new one as it is written, those of sub-agents beside a rail.
/// Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel tail                     the latest session; waits for one when there is none\n  ravel tail 3f2a -n 3           another one, from its third last message\n  ravel tail --json | jq .type   the lines themselves, unchanged, as they come"
)]
pub(crate) struct TailArgs {
    /// The session
    #[arg(value_name = "SESSION", default_value = "latest")]
    session: String,
    /// Show the last N messages first; with --json, the last N lines
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    lines: usize,
    #[command(flatten)]
    view: ViewArgs,
}

/// Follows a session until the reader goes away.
pub(crate) fn run(context: &Context, args: &TailArgs) -> Result<ExitCode, Failure> {
    if args.session == "-" {
        return Err(
            Failure::request("could not follow standard input: it is not a file")
                .hint("`ravel show -` reads it to its end"),
        );
    }
    // Watching begins before reading, so that nothing falls in between.
    let mut watch = Watch::start(context.home().ok())?;
    let target = wait_for(context, &args.session, &mut watch)?;
    if is_kept(target.path()) {
        return Err(Failure::request(
            "could not follow an archived session: it does not grow any more",
        )
        .hint("`ravel show` reads it, `ravel archive restore` puts it back"));
    }
    watch.look_at(target.path());
    let mut following = Following::new(target, args.lines);
    // Lines go out as they are, so nothing stands between them and a pipe.
    let mut screen = Screen::plain();
    if context.json() {
        return follow_lines(&mut following, &mut watch, &mut screen);
    }
    let mut stream = Stream::new(&args.view.options(context));
    loop {
        let news = following.look()?;
        stream.show(&mut following, &news, &mut screen)?;
        screen.flush()?;
        following.check_read()?;
        if watch.wait() {
            following.find_agents();
        }
    }
}

/// Hands on lines: as they are to programs, tame to a terminal.
fn follow_lines(
    following: &mut Following,
    watch: &mut Watch,
    screen: &mut Screen,
) -> Result<ExitCode, Failure> {
    let is_terminal = std::io::stdout().is_terminal();
    loop {
        for line in following.look_at_lines()? {
            match is_terminal {
                true => show_line(&line, screen)?,
                false => screen.write_all(&line)?,
            }
        }
        screen.flush()?;
        if watch.wait() {
            following.find_agents();
        }
    }
}

/// Shows a line on a terminal. What is no JSON cannot be shown without changing what it says.
fn show_line(line: &[u8], screen: &mut Screen) -> Result<(), Failure> {
    let line = line.trim_ascii();
    if serde_json::from_slice::<&serde_json::value::RawValue>(line).is_err() && !line.is_empty() {
        screen.flush()?;
        return Err(
            Failure::request("a damaged line may hold what a terminal obeys")
                .hint("write the lines into a file or a pipe, or follow without --json"),
        );
    }
    Harmless::new(&mut *screen).write_all(line)?;
    Ok(screen.write_all(b"\n")?)
}

/// Finds the session; `latest` is waited for when there is none yet.
fn wait_for(context: &Context, query: &str, watch: &mut Watch) -> Result<Target, Failure> {
    if query != "latest" {
        return find(context, query);
    }
    let home = context.home()?;
    let mut has_said = false;
    loop {
        let found = discover(home, Depth::Sessions);
        if !has_said {
            report_findings(&found.findings);
        }
        if let Some(session) = latest(&found, &Scope::All) {
            return Ok(Target::Session(session.clone()));
        }
        if !has_said {
            has_said = true;
            let place = display_path(home.root());
            let mut err = std::io::stderr().lock();
            // Nobody has to see this.
            let _ = writeln!(err, "waiting for a session in {}", sanitize_line(&place));
        }
        watch.wait();
    }
}
