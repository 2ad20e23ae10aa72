//! Styled text: what a piece of text means, apart from how it looks.
//!
//! Code that renders says [`Role::Added`] or [`Role::Muted`]; a [`Palette`] decides
//! what that looks like for the colors a terminal has, and a [`Painter`] writes it.
//! Text enters through [`Span::new`], which sanitizes it, so a painter never writes
//! an escape sequence that came from a transcript.
//!
//! No environment is read here: [`ColorInputs`] carries what the caller found.

mod depth;
mod paint;
mod palette;
mod span;

pub use depth::{ColorChoice, ColorDepth, ColorInputs};
pub use paint::Painter;
pub use palette::{Background, Palette};
pub use span::{Line, Span};

/// What a piece of text is. The palette gives each role its color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Ordinary text in the terminal's own color.
    #[default]
    Plain,
    /// The person's own words.
    Prompt,
    /// What the model answered.
    Reply,
    /// Secondary text: times, counts, thinking.
    Muted,
    /// What should catch the eye: names, the main thing of a line.
    Accent,
    /// A line that a diff adds.
    Added,
    /// A line that a diff removes.
    Removed,
    /// The changed words of an added line.
    AddedWord,
    /// The changed words of a removed line.
    RemovedWord,
    /// Something that succeeded.
    Success,
    /// Something that waits or may go wrong.
    Warning,
    /// Something that failed.
    Error,
    /// A heading.
    Heading,
    /// Code inside prose.
    Code,
    /// The text or address of a link.
    Link,
    /// Source code: keyword.
    Keyword,
    /// Source code: string.
    Text,
    /// Source code: number or other constant.
    Number,
    /// Source code: comment.
    Comment,
    /// Source code: function name.
    Function,
    /// Source code: type name.
    Type,
    /// Source code: property, key, attribute.
    Property,
    /// Source code: operator or punctuation.
    Punctuation,
}

/// A role with the attributes that text may have besides color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Style {
    /// What the text is.
    pub role: Role,
    /// Heavier weight.
    pub bold: bool,
    /// Fainter than usual.
    pub dim: bool,
    /// Slanted.
    pub italic: bool,
    /// Underlined.
    pub underline: bool,
    /// Struck through.
    pub strike: bool,
}

impl Style {
    /// The style of ordinary text.
    pub const PLAIN: Self = Self::of(Role::Plain);

    /// Returns the style of `role` without attributes.
    pub const fn of(role: Role) -> Self {
        Self {
            role,
            bold: false,
            dim: false,
            italic: false,
            underline: false,
            strike: false,
        }
    }

    /// Returns this style in another role.
    #[must_use]
    pub const fn with_role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// Returns this style in bold.
    #[must_use]
    pub const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// Returns this style dimmed.
    #[must_use]
    pub const fn dim(self) -> Self {
        Self { dim: true, ..self }
    }

    /// Returns this style in italics.
    #[must_use]
    pub const fn italic(self) -> Self {
        Self {
            italic: true,
            ..self
        }
    }

    /// Returns this style underlined.
    #[must_use]
    pub const fn underline(self) -> Self {
        Self {
            underline: true,
            ..self
        }
    }

    /// Returns this style struck through.
    #[must_use]
    pub const fn strike(self) -> Self {
        Self {
            strike: true,
            ..self
        }
    }
}

impl From<Role> for Style {
    fn from(role: Role) -> Self {
        Self::of(role)
    }
}

#[cfg(test)]
mod tests;
