//! How many colors to use, decided from what the caller found out.

/// What the person asked for on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// Color when the output is a terminal that can show it.
    #[default]
    Auto,
    /// Color even into a pipe.
    Always,
    /// No color.
    Never,
}

/// How many colors may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColorDepth {
    /// No escape sequences at all.
    #[default]
    None,
    /// The 16 colors that every color terminal has.
    Ansi16,
    /// The 256-color cube.
    Ansi256,
    /// 24-bit color.
    TrueColor,
}

/// Everything that has a say in the number of colors.
///
/// The texts are the values of the environment variables of the same names.
#[derive(Clone, Copy, Debug, Default)]
pub struct ColorInputs<'a> {
    /// The flag on the command line.
    pub choice: ColorChoice,
    /// Whether the output is a terminal.
    pub is_terminal: bool,
    /// `NO_COLOR`: any value but the empty one turns color off.
    pub no_color: Option<&'a str>,
    /// `CLICOLOR_FORCE`: any value but the empty one and `0` turns color on.
    pub clicolor_force: Option<&'a str>,
    /// `COLORTERM`: `truecolor` or `24bit`.
    pub colorterm: Option<&'a str>,
    /// `TERM`: `dumb`, `xterm-256color` and so on.
    pub term: Option<&'a str>,
}

impl ColorDepth {
    /// Decides the depth: a flag beats `NO_COLOR`, which beats `CLICOLOR_FORCE`.
    pub fn decide(inputs: &ColorInputs<'_>) -> Self {
        let set = |value: Option<&str>| value.is_some_and(|value| !value.is_empty());
        let forced = set(inputs.clicolor_force) && inputs.clicolor_force != Some("0");
        let dumb = inputs.term == Some("dumb");
        let wanted = match inputs.choice {
            ColorChoice::Never => false,
            ColorChoice::Always => true,
            ColorChoice::Auto => !set(inputs.no_color) && (forced || inputs.is_terminal && !dumb),
        };
        if wanted {
            Self::of_terminal(inputs)
        } else {
            Self::None
        }
    }

    fn of_terminal(inputs: &ColorInputs<'_>) -> Self {
        let term = inputs.term.unwrap_or_default();
        if matches!(inputs.colorterm, Some("truecolor" | "24bit")) || term.ends_with("-direct") {
            Self::TrueColor
        } else if term.contains("256color") {
            Self::Ansi256
        } else {
            Self::Ansi16
        }
    }
}
