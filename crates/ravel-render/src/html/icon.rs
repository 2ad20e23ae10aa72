//! The few icons of the page, drawn once and referenced by name.
//!
//! Each is a stroke drawing on a grid of 16, 1.5 wide. A label always stands beside
//! an icon, so screen readers skip the drawing.

use maud::{Markup, html};

/// A drawing that stands before a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// A file is read.
    File,
    /// A file is changed.
    Pencil,
    /// A command runs.
    Terminal,
    /// Something is looked for.
    Search,
    /// Something comes from the web.
    Globe,
    /// A sub-agent works.
    Agent,
    /// A list of tasks changes.
    List,
    /// Any other tool.
    Tool,
    /// A hook runs.
    Hook,
    /// The model thinks.
    Thought,
    /// The person is asked.
    Question,
    /// Something needs attention.
    Alert,
    /// A picture.
    Image,
    /// Something that is not for people.
    Hidden,
    /// The client says something.
    Note,
}

impl Icon {
    const ALL: [Self; 15] = [
        Self::File,
        Self::Pencil,
        Self::Terminal,
        Self::Search,
        Self::Globe,
        Self::Agent,
        Self::List,
        Self::Tool,
        Self::Hook,
        Self::Thought,
        Self::Question,
        Self::Alert,
        Self::Image,
        Self::Hidden,
        Self::Note,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::File => "i-file",
            Self::Pencil => "i-pencil",
            Self::Terminal => "i-terminal",
            Self::Search => "i-search",
            Self::Globe => "i-globe",
            Self::Agent => "i-agent",
            Self::List => "i-list",
            Self::Tool => "i-tool",
            Self::Hook => "i-hook",
            Self::Thought => "i-thought",
            Self::Question => "i-question",
            Self::Alert => "i-alert",
            Self::Image => "i-image",
            Self::Hidden => "i-hidden",
            Self::Note => "i-note",
        }
    }

    const fn path(self) -> &'static str {
        match self {
            Self::File => "M4 1.75h5L12.5 5.25v9h-8.5zM9 1.75v3.5h3.5M6.25 8.5h4M6.25 11h4",
            Self::Pencil => "M2.25 13.75l.75-3.25 8-8 2.5 2.5-8 8zM9.5 4l2.5 2.5",
            Self::Terminal => "M1.75 2.75h12.5v10.5h-12.5zM4.5 6l2 2-2 2M8.5 10.25h3",
            Self::Search => "M7 2.25a4.75 4.75 0 1 0 0 9.5a4.75 4.75 0 1 0 0-9.5M10.5 10.5l3.5 3.5",
            Self::Globe => {
                "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M1.75 8h12.5\
                 M8 1.75c-4.5 4-4.5 8.5 0 12.5c4.5-4 4.5-8.5 0-12.5"
            }
            Self::Agent => "M2.75 5.75h10.5v7.5h-10.5zM8 5.75v-3M5.75 8.75v1.5M10.25 8.75v1.5",
            Self::List => "M2 4l1.25 1.25L5.5 3M2 10.5l1.25 1.25L5.5 9.5M8 4.25h6M8 10.75h6",
            Self::Tool => {
                "M10.25 5.75l3-3a3.75 3.75 0 0 1-5 5l-4.5 4.5a1.4 1.4 0 0 1-2-2l4.5-4.5\
                 a3.75 3.75 0 0 1 5-5l-3 3z"
            }
            Self::Hook => "M9.5 2v8a3.25 3.25 0 1 1-6.5 0l2 1.5M9.5 2h3M9.5 2h-3",
            Self::Thought => {
                "M5.5 11a4.5 4.5 0 1 1 5 0c-.5.5-.5 1-.5 1.5h-4c0-.5 0-1-.5-1.5M6.5 14.5h3"
            }
            Self::Question => {
                "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5\
                 M6.25 6.25a1.75 1.75 0 1 1 2.5 1.6c-.5.3-.75.6-.75 1.15M8 11.25v.1"
            }
            Self::Alert => "M8 2.25l6.25 11.5H1.75zM8 6.5v3.25M8 11.75v.1",
            Self::Image => {
                "M1.75 2.75h12.5v10.5h-12.5zM2 11.5l3.5-3.5 3 3 2-2 3.5 3.5M10.5 5.75v.1"
            }
            Self::Note => {
                "M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5M8 7.25v4M8 4.75v.1"
            }
            Self::Hidden => "M3 8h.1M8 8h.1M13 8h.1",
        }
    }

    /// Returns a reference to the drawing.
    pub(super) fn markup(self) -> Markup {
        html! { svg.icon aria-hidden="true" { use href={ "#" (self.name()) } {} } }
    }
}

/// Returns all drawings, hidden, for the references to point at.
pub(super) fn sprite() -> Markup {
    html! {
        svg.sprite aria-hidden="true" {
            @for icon in Icon::ALL {
                symbol id=(icon.name()) viewBox="0 0 16 16" { path d=(icon.path()) {} }
            }
        }
    }
}
