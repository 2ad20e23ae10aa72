//! Markdown as HTML.
//!
//! Events become tags one by one, without recursion. Nesting is limited, since
//! browsers get slow on deep trees: tags below the limit are left out, their text
//! stays.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::escape::{push_text, safe};
use super::source::push_code;
use crate::code::Language;
use crate::markdown::{MAX_BYTES, syntax};

/// Open tags at one time.
const MAX_DEPTH: usize = 48;

/// Returns Markdown as HTML that is safe whatever the text says.
pub fn markdown_html(text: &str) -> Markup {
    let mut writer = Writer::default();
    writer.out.push_str("<div class=\"prose\">");
    if text.len() > MAX_BYTES {
        writer.out.push_str("<pre class=\"text\">");
        push_text(&mut writer.out, text);
        writer.out.push_str("</pre>");
    } else {
        Parser::new_ext(text, syntax()).for_each(|event| writer.accept(event));
    }
    writer.out.push_str("</div>");
    PreEscaped(writer.out)
}

#[derive(Default)]
struct Writer {
    out: String,
    /// What closes each open tag; nothing for tags that were left out.
    closing: Vec<&'static str>,
    n_open: usize,
    code: Option<(String, String)>,
    alignments: Vec<Alignment>,
    column: usize,
    in_table_head: bool,
}

impl Writer {
    fn accept(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::FootnoteReference(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text) => self.text(&text),
            Event::Code(text) => {
                self.out.push_str("<code>");
                self.text(&text);
                self.out.push_str("</code>");
            }
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br>"),
            Event::Rule => self.out.push_str("<hr>"),
            Event::TaskListMarker(true) => self.out.push_str("<span class=\"task\">☑</span> "),
            Event::TaskListMarker(false) => self.out.push_str("<span class=\"task\">☐</span> "),
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some((_, code)) => code.push_str(text),
            None => push_text(&mut self.out, text),
        }
    }

    fn open(&mut self, tag: &str, closing: &'static str) {
        if self.n_open >= MAX_DEPTH {
            self.closing.push("");
            return;
        }
        self.n_open += 1;
        self.out.push_str(tag);
        self.closing.push(closing);
    }

    fn close(&mut self) {
        let closing = self.closing.pop().unwrap_or_default();
        if !closing.is_empty() {
            self.n_open -= 1;
            self.out.push_str(closing);
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.open("<p>", "</p>"),
            Tag::HtmlBlock => self.open("<pre class=\"text\">", "</pre>"),
            Tag::Heading { level, .. } => self.open_heading(level as usize),
            Tag::BlockQuote(_) => self.open("<blockquote>", "</blockquote>"),
            Tag::CodeBlock(kind) => self.open_code(&kind),
            Tag::List(None) => self.open("<ul>", "</ul>"),
            Tag::List(Some(first)) => self.open(&format!("<ol start=\"{first}\">"), "</ol>"),
            Tag::Item => self.open("<li>", "</li>"),
            Tag::Table(alignments) => {
                self.alignments = alignments;
                self.open("<div class=\"wide\"><table>", "</tbody></table></div>");
            }
            Tag::TableHead => {
                self.in_table_head = true;
                self.column = 0;
                self.open("<thead><tr>", "</tr></thead><tbody>");
            }
            Tag::TableRow => {
                self.column = 0;
                self.open("<tr>", "</tr>");
            }
            Tag::TableCell => self.open_cell(),
            Tag::Emphasis => self.open("<em>", "</em>"),
            Tag::Strong => self.open("<strong>", "</strong>"),
            Tag::Strikethrough => self.open("<del>", "</del>"),
            Tag::Link { dest_url, .. } => self.open_link(&dest_url),
            Tag::Image { dest_url, .. } => self.open_image(&dest_url),
            _ => self.open("<div>", "</div>"),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::CodeBlock => {
                if let Some((info, code)) = self.code.take() {
                    push_code(&mut self.out, &code, Language::Named(&info));
                }
            }
            TagEnd::TableHead => {
                self.in_table_head = false;
                self.close();
            }
            _ => self.close(),
        }
    }

    /// Headings start below those of the page itself.
    fn open_heading(&mut self, level: usize) {
        match level {
            1 => self.open("<h3>", "</h3>"),
            2 => self.open("<h4>", "</h4>"),
            3 => self.open("<h5>", "</h5>"),
            _ => self.open("<h6>", "</h6>"),
        }
    }

    fn open_code(&mut self, kind: &CodeBlockKind<'_>) {
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.to_string(),
            CodeBlockKind::Indented => String::new(),
        };
        self.code = Some((info, String::new()));
    }

    fn open_cell(&mut self) {
        let alignment = self.alignments.get(self.column);
        self.column += 1;
        let class = match alignment {
            Some(Alignment::Right) => " class=\"right\"",
            Some(Alignment::Center) => " class=\"center\"",
            _ => "",
        };
        if self.in_table_head {
            self.open(&format!("<th{class}>"), "</th>");
        } else {
            self.open(&format!("<td{class}>"), "</td>");
        }
    }

    fn open_link(&mut self, address: &str) {
        // A linked image must not open a link inside a link.
        if is_allowed(address) && !self.closing.contains(&"</a>") {
            let tag = format!(
                "<a rel=\"noopener noreferrer\" href=\"{}\">",
                safe(address).0
            );
            self.open(&tag, "</a>");
        } else {
            let tag = format!("<span class=\"dead\" title=\"{}\">", safe(address).0);
            self.open(&tag, "</span>");
        }
    }

    /// Images are never loaded: the page names them and links to those on the web.
    fn open_image(&mut self, address: &str) {
        // The data of an image is no address that a reader wants to see.
        self.open_link(match address.starts_with("data:") {
            true => "data:",
            false => address,
        });
        self.out.push_str("[image] ");
    }
}

/// Tells whether a link may go to an address.
pub(super) fn is_allowed(address: &str) -> bool {
    ["http://", "https://", "mailto:"].iter().any(|scheme| {
        address
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}
