//! Building blocks of the export: one self-contained page without any server.
//!
//! [`PageWriter`] streams a page section by section, so memory stays bounded for
//! any session; [`page`] is the same for small ones. The other functions are pure
//! and return [`Markup`], so sections can be rendered on many threads and written
//! in order.
//!
//! A page is a place where transcript text meets a browser. Text is sanitized and
//! escaped, raw HTML in Markdown is shown as text, links go to the web or to mail
//! only, images come from the page itself, and a content security policy with the
//! hash of our own script stops everything else.

mod block;
mod escape;
mod icon;
mod list;
mod page;
mod prose;
mod source;

pub use block::{
    AgentCard, Asked, State, ToolCall, agent, aside, calls, details, divider, image, not_shown,
    notice, output, prompt, reply, target, thinking, tool, turn_end, unknown,
};
pub use escape::anchor;
pub use icon::Icon;
pub use list::{Mark, checklist, definitions, lines, links};
pub use maud::Markup;
pub use page::{Head, PageWriter, page};
pub use prose::markdown_html;
pub use source::{
    Origin, code_html, diff_html, json_html, numbered_html, terminal_html, text_html,
};

#[cfg(test)]
mod tests;
