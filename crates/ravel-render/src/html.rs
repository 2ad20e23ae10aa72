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
mod page;
mod prose;
mod source;

pub use block::{
    AgentCard, State, ToolCall, agent, calls, details, divider, image, notice, prompt, reply,
    thinking, tool, turn_end, unknown,
};
pub use icon::Icon;
pub use maud::Markup;
pub use page::{Head, PageWriter, page};
pub use prose::markdown_html;
pub use source::{code_html, diff_html, json_html, terminal_html, text_html};

#[cfg(test)]
mod tests;
