//! What every command needs: the home, the screen, the clock.

use std::cell::OnceCell;
use std::io::IsTerminal;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use ravel_home::Home;
use ravel_render::style::{
    Background, ColorChoice, ColorDepth, ColorInputs, Line, Painter, Palette,
};

use crate::cli::{ColorWhen, Global};
use crate::demo::DemoHome;
use crate::failure::Failure;
use crate::screen::Screen;

/// What the environment of a command is.
pub(crate) struct Context {
    /// The options that go for every command.
    pub(crate) global: Global,
    home: OnceCell<Home>,
    demo: OnceCell<DemoHome>,
    is_terminal: bool,
}

impl Context {
    pub(crate) fn new(global: Global) -> Self {
        let is_terminal = std::io::stdout().is_terminal();
        Self {
            global,
            home: OnceCell::new(),
            demo: OnceCell::new(),
            is_terminal,
        }
    }

    /// Returns the home, found when it is first asked for.
    pub(crate) fn home(&self) -> Result<&Home, Failure> {
        if let Some(home) = self.home.get() {
            return Ok(home);
        }
        let home = self.find_home()?;
        Ok(self.home.get_or_init(|| home))
    }

    fn find_home(&self) -> Result<Home, Failure> {
        if self.global.demo {
            let demo = DemoHome::unpack(self.now_ms())?;
            return Ok(Home::at(self.demo.get_or_init(|| demo).path()));
        }
        Ok(Home::locate(self.global.home.as_deref(), |name| {
            std::env::var_os(name)
        })?)
    }

    /// Returns the folder of the sample home, if that is the home.
    pub(crate) fn demo_folder(&self) -> Option<std::path::PathBuf> {
        self.global.demo.then(|| self.home().ok())??;
        self.demo.get().map(DemoHome::path)
    }

    /// Returns the folder that the project settings are read from.
    pub(crate) fn working_folder(&self) -> Result<std::path::PathBuf, Failure> {
        std::env::current_dir().map_err(|error| Failure::io("find the working folder", &error))
    }

    /// Tells whether programs read the output.
    pub(crate) fn json(&self) -> bool {
        self.global.json
    }

    /// Returns the time in epoch milliseconds.
    pub(crate) fn now_ms(&self) -> i64 {
        epoch_ms(SystemTime::now())
    }

    /// Returns how many columns there are.
    pub(crate) fn width(&self) -> usize {
        let named = std::env::var("COLUMNS")
            .ok()
            .and_then(|columns| columns.parse().ok());
        let asked = || self.is_terminal.then(terminal_width).flatten();
        named.or_else(asked).unwrap_or(100).clamp(20, 400)
    }

    /// Returns what paints for this terminal.
    pub(crate) fn painter(&self) -> Painter {
        Painter::new(self.palette())
    }

    /// Returns the colors of this terminal.
    pub(crate) fn palette(&self) -> Palette {
        let text = |name: &str| std::env::var(name).ok();
        let (colorterm, term) = (text("COLORTERM"), text("TERM"));
        let depth = ColorDepth::decide(&ColorInputs {
            choice: match self.global.color {
                ColorWhen::Auto => ColorChoice::Auto,
                ColorWhen::Always => ColorChoice::Always,
                ColorWhen::Never => ColorChoice::Never,
            },
            is_terminal: self.is_terminal,
            no_color: text("NO_COLOR").as_deref(),
            clicolor_force: text("CLICOLOR_FORCE").as_deref(),
            colorterm: colorterm.as_deref(),
            term: term.as_deref(),
        });
        Palette::new(depth, background(text("COLORFGBG").as_deref()))
    }

    /// Opens standard output, through a pager when a person reads more than a screen.
    pub(crate) fn screen(&self) -> Screen {
        if self.global.json {
            return Screen::json();
        }
        if self.is_terminal && !self.global.no_pager {
            Screen::paged()
        } else {
            Screen::plain()
        }
    }

    /// Prints a document for programs.
    pub(crate) fn print_json(&self, document: &serde_json::Value) -> Result<(), Failure> {
        let mut screen = self.plain_screen();
        serde_json::to_writer_pretty(&mut screen, document).map_err(std::io::Error::from)?;
        std::io::Write::write_all(&mut screen, b"\n")?;
        Ok(screen.finish()?)
    }

    /// Prints lines for people.
    pub(crate) fn print_lines(&self, lines: &[Line]) -> Result<(), Failure> {
        let mut screen = self.screen();
        self.painter().write(lines, &mut screen)?;
        Ok(screen.finish()?)
    }

    /// Opens standard output for short output.
    pub(crate) fn plain_screen(&self) -> Screen {
        if self.global.json {
            Screen::json()
        } else {
            Screen::plain()
        }
    }
}

/// Returns a time in epoch milliseconds.
pub(crate) fn epoch_ms(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Reads the last number of `COLORFGBG`, which some terminals set: 7 and 15 are light.
fn background(colors: Option<&str>) -> Background {
    let last = colors.and_then(|colors| colors.rsplit(';').next());
    match last {
        Some("7" | "15") => Background::Light,
        _ => Background::Dark,
    }
}

fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// Returns a path as a person would write it.
pub(crate) fn display_path(path: &Path) -> String {
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
    let below_home = home.as_ref().and_then(|home| path.strip_prefix(home).ok());
    match below_home {
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    }
}
