//! What each role looks like, for every color depth, on dark and light terminals.

use std::fmt;

use super::{ColorDepth, Role, Style};

/// Whether the terminal shows light text on dark or dark text on light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// Light text on a dark ground; what most terminals do.
    #[default]
    Dark,
    /// Dark text on a light ground.
    Light,
}

/// A color depth and a background: all that is needed to look up a role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// How many colors there are.
    pub depth: ColorDepth,
    /// What they are shown on.
    pub background: Background,
}

impl Palette {
    /// Writes no escape sequences at all.
    pub const PLAIN: Self = Self {
        depth: ColorDepth::None,
        background: Background::Dark,
    };

    /// Returns the palette for a depth and a background.
    pub const fn new(depth: ColorDepth, background: Background) -> Self {
        Self { depth, background }
    }

    /// Writes the sequence that switches from no style to `style`.
    ///
    /// Writes nothing when the style looks like ordinary text; the caller can tell
    /// by [`Palette::is_visible`].
    pub(super) fn open(self, style: Style, out: &mut impl fmt::Write) -> fmt::Result {
        let look = look(style.role);
        let mut codes = Codes { out, any: false };
        codes.flag(style.bold || look.bold, "1")?;
        codes.flag(style.dim, "2")?;
        codes.flag(style.italic, "3")?;
        let marked_word = matches!(style.role, Role::AddedWord | Role::RemovedWord);
        // Without a tinted ground a changed word needs another mark.
        let underline = marked_word && self.depth == ColorDepth::Ansi16;
        codes.flag(style.underline || underline, "4")?;
        codes.flag(style.strike, "9")?;
        self.foreground(look, &mut codes)?;
        if marked_word {
            self.ground(style.role, &mut codes)?;
        }
        codes.end()
    }

    /// Says whether `style` differs from ordinary text in this palette.
    pub(super) fn is_visible(self, style: Style) -> bool {
        self.depth != ColorDepth::None
            && (style.with_role(Role::Plain) != Style::PLAIN || look(style.role) != DEFAULT)
    }

    fn foreground<W: fmt::Write>(self, look: Look, codes: &mut Codes<'_, W>) -> fmt::Result {
        let Some(tone) = look.tone else { return Ok(()) };
        let light = self.background == Background::Light;
        match self.depth {
            ColorDepth::None => Ok(()),
            ColorDepth::Ansi16 => codes.number(tone.ansi),
            ColorDepth::Ansi256 => {
                let index = if light { tone.light256 } else { tone.dark256 };
                codes.indexed("38;5", index)
            }
            ColorDepth::TrueColor => codes.rgb("38;2", if light { tone.light } else { tone.dark }),
        }
    }

    fn ground<W: fmt::Write>(self, role: Role, codes: &mut Codes<'_, W>) -> fmt::Result {
        let light = self.background == Background::Light;
        let added = role == Role::AddedWord;
        match self.depth {
            ColorDepth::None | ColorDepth::Ansi16 => Ok(()),
            ColorDepth::Ansi256 => {
                let index = match (added, light) {
                    (true, false) => 22,
                    (true, true) => 194,
                    (false, false) => 52,
                    (false, true) => 224,
                };
                codes.indexed("48;5", index)
            }
            ColorDepth::TrueColor => {
                let color = match (added, light) {
                    (true, false) => 0x1d_4a_2e,
                    (true, true) => 0xbf_ec_c8,
                    (false, false) => 0x5c_25_28,
                    (false, true) => 0xfb_cf_cc,
                };
                codes.rgb("48;2", color)
            }
        }
    }
}

/// The SGR codes of one sequence, separated as they are written.
struct Codes<'w, W: fmt::Write> {
    out: &'w mut W,
    any: bool,
}

impl<W: fmt::Write> Codes<'_, W> {
    fn separate(&mut self) -> fmt::Result {
        let separator = if self.any { ";" } else { "\u{1b}[" };
        self.any = true;
        self.out.write_str(separator)
    }

    fn flag(&mut self, on: bool, code: &str) -> fmt::Result {
        if !on {
            return Ok(());
        }
        self.separate()?;
        self.out.write_str(code)
    }

    fn number(&mut self, code: u8) -> fmt::Result {
        self.separate()?;
        write!(self.out, "{code}")
    }

    fn indexed(&mut self, kind: &str, index: u8) -> fmt::Result {
        self.separate()?;
        write!(self.out, "{kind};{index}")
    }

    fn rgb(&mut self, kind: &str, color: u32) -> fmt::Result {
        self.separate()?;
        let (red, green, blue) = (color >> 16 & 255, color >> 8 & 255, color & 255);
        write!(self.out, "{kind};{red};{green};{blue}")
    }

    fn end(&mut self) -> fmt::Result {
        if self.any {
            self.out.write_str("m")?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Look {
    tone: Option<Tone>,
    bold: bool,
}

/// One hue, tuned separately for dark and light ground.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Tone {
    ansi: u8,
    dark256: u8,
    light256: u8,
    dark: u32,
    light: u32,
}

const DEFAULT: Look = Look {
    tone: None,
    bold: false,
};

const fn tone(ansi: u8, indexed: (u8, u8), rgb: (u32, u32)) -> Look {
    let (dark256, light256) = indexed;
    let (dark, light) = rgb;
    let tone = Tone {
        ansi,
        dark256,
        light256,
        dark,
        light,
    };
    Look {
        tone: Some(tone),
        bold: false,
    }
}

const fn bold(look: Look) -> Look {
    Look { bold: true, ..look }
}

const VIOLET: Look = tone(35, (141, 62), (0xa5_9c_f5, 0x54_48_c8));
const BLUE: Look = tone(34, (111, 26), (0x7f_b2_f0, 0x1f_66_b8));
const CYAN: Look = tone(36, (80, 30), (0x6c_c7_cf, 0x0d_74_7e));
const GREEN: Look = tone(32, (114, 28), (0x7f_c9_8b, 0x1d_7a_35));
const RED: Look = tone(31, (210, 160), (0xf0_8a_84, 0xbb_2a_2a));
const AMBER: Look = tone(33, (179, 130), (0xd9_b1_5f, 0x93_62_0a));
const GRAY: Look = tone(90, (245, 243), (0x8d_91_9c, 0x6d_72_7d));

fn look(role: Role) -> Look {
    match role {
        Role::Plain | Role::Reply | Role::Punctuation => DEFAULT,
        Role::Muted | Role::Comment => GRAY,
        Role::Prompt => bold(BLUE),
        Role::Accent | Role::Keyword => VIOLET,
        Role::Heading => bold(VIOLET),
        Role::Added | Role::AddedWord | Role::Success | Role::Text => GREEN,
        Role::Removed | Role::RemovedWord | Role::Error => RED,
        Role::Warning | Role::Number => AMBER,
        Role::Code | Role::Type => CYAN,
        Role::Link | Role::Function | Role::Property => BLUE,
    }
}
