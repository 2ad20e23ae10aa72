//! Turns parser events into lines, one block after the other.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Tag, TagEnd};

use super::Options;
use super::table::Table;
use crate::code::{self, Language};
use crate::style::{Line, Role, Span, Style};
use crate::wrap::{Margin, fold, wrap};

/// Levels of nesting that indent; deeper ones are shown at this depth.
const MAX_INDENTS: usize = 12;

/// Something that stands to the left of the blocks inside it.
enum Container {
    Quote,
    Item { marker: String, is_shown: bool },
}

/// The state between two events.
pub(super) struct Flow<'o> {
    options: &'o Options,
    lines: Vec<Line>,
    containers: Vec<Container>,
    /// The next number of each open list; `None` for bullets.
    lists: Vec<Option<u64>>,
    /// The text of the block being read.
    inline: Vec<Span>,
    styles: Vec<Style>,
    links: Vec<String>,
    code: Option<(String, String)>,
    table: Option<Table>,
    /// Whether the next block must stand apart from what is above.
    wants_gap: bool,
}

impl<'o> Flow<'o> {
    pub(super) fn new(options: &'o Options) -> Self {
        Self {
            options,
            lines: Vec::new(),
            containers: Vec::new(),
            lists: Vec::new(),
            inline: Vec::new(),
            styles: vec![options.base],
            links: Vec::new(),
            code: None,
            table: None,
            wants_gap: false,
        }
    }

    pub(super) fn finish(mut self) -> Vec<Line> {
        self.end_text();
        self.lines
    }

    pub(super) fn accept(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => self.push(&code, self.style().with_role(Role::Code)),
            Event::Html(html) | Event::InlineHtml(html) => {
                self.push(&html, self.style().with_role(Role::Muted));
            }
            Event::SoftBreak => self.push(" ", self.style()),
            Event::HardBreak => self.push("\n", self.style()),
            Event::Rule => self.rule(),
            Event::TaskListMarker(done) => self.push(if done { "☑ " } else { "☐ " }, self.style()),
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.begin_block(),
            Tag::Heading { level, .. } => self.begin_heading(level),
            Tag::BlockQuote(_) => self.begin_quote(),
            Tag::CodeBlock(kind) => self.begin_code(&kind),
            Tag::List(first) => self.begin_list(first),
            Tag::Item => self.begin_item(),
            Tag::Table(alignments) => {
                self.begin_block();
                self.table = Some(Table::new(alignments));
            }
            Tag::TableRow | Tag::TableHead => self.with_table(Table::begin_row),
            Tag::Emphasis => self.styles.push(self.style().italic()),
            Tag::Strong => self.styles.push(self.style().bold()),
            Tag::Strikethrough => self.styles.push(self.style().strike()),
            Tag::Link { dest_url, .. } => self.begin_link(&dest_url),
            Tag::Image { dest_url, .. } => self.begin_image(&dest_url),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.end_block(),
            TagEnd::Heading(_) => {
                self.end_block();
                self.end_style();
            }
            TagEnd::BlockQuote(_) => {
                self.end_text();
                self.containers.pop();
                self.wants_gap = true;
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => self.end_list(),
            TagEnd::Item => {
                self.end_item();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.inline);
                self.with_table(|table| table.push_cell(cell));
            }
            TagEnd::Table => self.end_table(),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => self.end_style(),
            TagEnd::Link => self.end_link(""),
            TagEnd::Image => self.end_link("]"),
            _ => {}
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or(self.options.base)
    }

    fn end_style(&mut self) {
        if self.styles.len() > 1 {
            self.styles.pop();
        }
    }

    fn text(&mut self, text: &CowStr<'_>) {
        match &mut self.code {
            Some((_, code)) => code.push_str(text),
            None => self.push(text, self.style()),
        }
    }

    fn push(&mut self, text: &str, style: Style) {
        if text.is_empty() {
            return;
        }
        let mut span = Span::new(text, style);
        if let Some(address) = self.links.last().filter(|_| self.options.hyperlinks) {
            span = span.linked(address);
        }
        self.inline.push(span);
    }

    fn begin_block(&mut self) {
        self.end_text();
        if self.wants_gap && !self.lines.is_empty() {
            let margin = self.quote_margin();
            self.lines.push(Line::from(margin));
        }
        self.wants_gap = false;
    }

    fn end_block(&mut self) {
        self.end_text();
        self.wants_gap = true;
    }

    /// Ends the text of a tight list item or of any block.
    fn end_text(&mut self) {
        if self.inline.is_empty() {
            return;
        }
        let spans = std::mem::take(&mut self.inline);
        let margin = self.margin();
        let mut wrapped = wrap(&spans, self.options.width, &margin);
        if wrapped.len() > 1 && wrapped.last().is_some_and(Line::is_blank) {
            wrapped.pop();
        }
        self.lines.extend(wrapped);
    }

    fn begin_heading(&mut self, level: HeadingLevel) {
        self.begin_block();
        let heading = Style::of(Role::Heading).bold();
        self.styles.push(match level {
            HeadingLevel::H1 => heading.underline(),
            _ => heading,
        });
    }

    fn begin_quote(&mut self) {
        self.begin_block();
        self.containers.push(Container::Quote);
    }

    fn begin_list(&mut self, first: Option<u64>) {
        // A list inside an item follows its text without a gap.
        if self.lists.is_empty() {
            self.begin_block();
        } else {
            self.end_text();
        }
        self.lists.push(first);
    }

    fn end_list(&mut self) {
        self.end_text();
        self.lists.pop();
        self.wants_gap = self.wants_gap || self.lists.is_empty();
    }

    fn begin_item(&mut self) {
        self.begin_block();
        let depth = self.lists.len();
        let marker = match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ if depth.is_multiple_of(2) => "◦ ".to_owned(),
            _ => "• ".to_owned(),
        };
        let is_shown = false;
        self.containers.push(Container::Item { marker, is_shown });
    }

    fn end_item(&mut self) {
        self.end_text();
        if let Some(Container::Item {
            is_shown: false, ..
        }) = self.containers.last()
        {
            // An empty item still shows its marker.
            let margin = self.margin();
            self.lines.push(Line::from(margin.first));
        }
        self.containers.pop();
    }

    fn begin_code(&mut self, kind: &CodeBlockKind<'_>) {
        self.begin_block();
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.to_string(),
            CodeBlockKind::Indented => String::new(),
        };
        self.code = Some((info, String::new()));
    }

    fn end_code(&mut self) {
        let Some((info, code)) = self.code.take() else {
            return;
        };
        let mut margin = self.margin();
        for side in [&mut margin.first, &mut margin.rest] {
            side.push(Span::new("  ", Role::Plain));
        }
        for line in code::render(&code, Language::Named(&info)) {
            let folded = fold(line.spans(), self.options.width, &margin);
            self.lines.extend(folded);
            margin.first.clone_from(&margin.rest);
        }
        self.wants_gap = true;
    }

    fn rule(&mut self) {
        self.begin_block();
        let margin = self.margin();
        let room = self.room(&margin);
        let mut line = Line::from(margin.first);
        line.push(Span::new(&"─".repeat(room), Role::Muted));
        self.lines.push(line);
        self.wants_gap = true;
    }

    fn with_table(&mut self, change: impl FnOnce(&mut Table)) {
        if let Some(table) = &mut self.table {
            change(table);
        }
    }

    fn end_table(&mut self) {
        let Some(table) = self.table.take() else {
            return;
        };
        let mut margin = self.margin();
        for line in table.render(self.room(&margin)) {
            let mut whole = Line::from(std::mem::take(&mut margin.first));
            whole.extend(line.spans().iter().cloned());
            self.lines.push(whole);
            margin.first.clone_from(&margin.rest);
        }
        self.wants_gap = true;
    }

    fn begin_link(&mut self, address: &str) {
        self.styles.push(self.style().with_role(Role::Link));
        self.links.push(address.to_owned());
    }

    fn begin_image(&mut self, address: &str) {
        self.push("[image: ", self.style().with_role(Role::Muted));
        self.begin_link(address);
    }

    fn end_link(&mut self, closing: &str) {
        self.end_style();
        let address = self.links.pop().unwrap_or_default();
        let style = self.style().with_role(Role::Muted);
        self.push(closing, style);
        let shown = self.inline.last().map(Span::text).unwrap_or_default();
        let is_link = self.inline.last().is_some_and(|span| span.link().is_some());
        let is_same = address.is_empty() || address.trim_start_matches("mailto:") == shown;
        if !is_same && !is_link {
            self.push(&format!(" ({address})"), style);
        }
    }

    fn room(&self, margin: &Margin) -> usize {
        let taken: usize = margin.rest.iter().map(Span::width).sum();
        self.options.width.saturating_sub(taken).max(1)
    }

    /// Returns what stands left of the next block, and notes that markers are shown.
    fn margin(&mut self) -> Margin {
        let mut margin = Margin::default();
        let mut room = self.options.width / 2;
        for (depth, container) in self.containers.iter_mut().enumerate() {
            let (first, rest) = sides(container);
            let width = rest.width();
            if depth >= MAX_INDENTS || width > room {
                continue;
            }
            room -= width;
            margin.first.push(first);
            margin.rest.push(rest);
        }
        margin
    }

    /// Returns the margin of a blank line: bars of quotes, without markers.
    fn quote_margin(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        for container in self.containers.iter().take(MAX_INDENTS) {
            spans.push(match container {
                Container::Quote => bar(),
                Container::Item { marker, .. } => blank(marker),
            });
        }
        // No space at the end of a line that only carries bars.
        while spans.last().is_some_and(is_space) {
            spans.pop();
        }
        if spans.pop().is_some() {
            spans.push(Span::new("│", Role::Muted));
        }
        spans
    }
}

fn sides(container: &mut Container) -> (Span, Span) {
    match container {
        Container::Quote => (bar(), bar()),
        Container::Item { marker, is_shown } => {
            let was_shown = std::mem::replace(is_shown, true);
            let rest = blank(marker);
            let first = match was_shown {
                true => rest.clone(),
                false => Span::new(marker, Role::Accent),
            };
            (first, rest)
        }
    }
}

fn is_space(span: &Span) -> bool {
    span.text().trim().is_empty()
}

fn bar() -> Span {
    Span::new("│ ", Role::Muted)
}

fn blank(marker: &str) -> Span {
    Span::new(&" ".repeat(marker.chars().count()), Role::Plain)
}
