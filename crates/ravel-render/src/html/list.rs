//! Lists: files that were found, links, tasks, names with values.

use maud::{Markup, html};

use super::escape::safe;
use super::prose::is_allowed;

/// What stands before an item of a checklist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nobody has begun.
    Open,
    /// It is being done.
    Active,
    /// It is done, or chosen.
    Done,
}

impl Mark {
    const fn class(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Active => "active",
            Self::Done => "done",
        }
    }

    /// Returns a sign that says it without color.
    const fn sign(self) -> &'static str {
        match self {
            Self::Open => "○",
            Self::Active => "◐",
            Self::Done => "✓",
        }
    }
}

/// Returns items one below the other, such as paths.
pub fn lines<T: AsRef<str>>(items: &[T]) -> Markup {
    html! { ul.lines { @for item in items { li { (safe(item.as_ref())) } } } }
}

/// Returns titles that link to the web; an address of another kind stays text.
pub fn links<T: AsRef<str>>(items: &[(T, T)]) -> Markup {
    html! {
        ul.links {
            @for (title, address) in items {
                li {
                    @if is_allowed(address.as_ref()) {
                        a rel="noopener noreferrer" href=(safe(address.as_ref())) { (safe(title.as_ref())) }
                    } @else {
                        span { (safe(title.as_ref())) }
                    }
                    small { (safe(address.as_ref())) }
                }
            }
        }
    }
}

/// Returns items with a mark each, and a few words more.
pub fn checklist<T: AsRef<str>>(items: &[(Mark, T, T)]) -> Markup {
    html! {
        ul.checklist {
            @for (mark, text, more) in items {
                li class=(mark.class()) {
                    span.mark { (mark.sign()) }
                    span { (safe(text.as_ref())) @if !more.as_ref().is_empty() { small { (safe(more.as_ref())) } } }
                }
            }
        }
    }
}

/// Returns names with values, such as the input of a tool.
pub fn definitions(items: &[(String, Markup)]) -> Markup {
    html! {
        dl.fields { @for (name, value) in items { dt { (safe(name)) } dd { (value) } } }
    }
}
