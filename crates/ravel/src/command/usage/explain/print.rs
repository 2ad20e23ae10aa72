//! An explanation for people.

use ravel_model::price::{Cost, Factor, Nanos, Row, Shelf, Surcharge, cost};
use ravel_model::usage::{Reason, Request};
use ravel_render::style::{Line, Role, Span, Style};
use ravel_render::words::short_id;
use ravel_render::wrap::{Margin, wrap};
use ravel_render::{amount, when};

use super::super::Answer;
use super::super::figure::grouped;
use super::{KNOWN_MISSING, Pricing, Unpricing, reasons};
use crate::table::{Cell, Column, layout};

/// As many requests are shown unless a person says otherwise.
const N_REQUESTS: usize = 20;

/// Explains an answer.
pub(in super::super) fn lines(answer: &Answer<'_>, width: usize) -> Vec<Line> {
    let mut page = Page {
        width,
        lines: Vec::new(),
    };
    page.count(answer);
    page.prices(answer);
    page.requests(answer);
    page.heading("Not in these figures");
    for missing in KNOWN_MISSING {
        page.text(missing, Style::of(Role::Muted));
    }
    page.lines
}

struct Page {
    width: usize,
    lines: Vec<Line>,
}

impl Page {
    fn heading(&mut self, text: &str) {
        if !self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        self.lines.push(Line::of(text, Role::Heading));
    }

    fn text(&mut self, text: &str, style: Style) {
        let spans = [Span::line(text, style)];
        self.lines
            .extend(wrap(&spans, self.width, &Margin::indent(2)));
    }

    fn table(&mut self, kinds: &[Column], rows: &[Vec<Cell>]) {
        self.lines.extend(layout(kinds, rows, self.width));
    }

    /// The lines that count, and those that do not.
    fn count(&mut self, answer: &Answer<'_>) {
        self.heading("Lines");
        let reasons = reasons(answer);
        let n_dropped: u64 = reasons.values().sum();
        let n_counted = answer.counted.len() as u64;
        self.text(
            &format!(
                "{} lines tell of {} requests. One line of each counts; not counted: {}.",
                grouped(n_counted.saturating_add(n_dropped)),
                grouped(n_counted),
                grouped(n_dropped),
            ),
            Style::default(),
        );
        let rows: Vec<Vec<Cell>> = reasons
            .into_iter()
            .map(|(reason, count)| {
                vec![
                    Cell::new(" ", Style::default()),
                    Cell::new(reason.code(), Style::of(Role::Accent)),
                    Cell::new(grouped(count), Style::default()),
                    Cell::new(words(reason), Style::of(Role::Muted)),
                ]
            })
            .collect();
        use Column::{Fixed, Flexible, Right};
        self.table(&[Fixed, Fixed, Right, Flexible], &rows);
    }

    /// The prices that were used.
    fn prices(&mut self, answer: &Answer<'_>) {
        self.heading("Prices");
        for pricing in Pricing::of(answer) {
            let model = Line::of("  ", Role::Plain)
                .with(&pricing.model, Role::Accent)
                .with(&terms(pricing.above, &pricing.surcharges), Role::Plain);
            self.lines.push(model);
            let row = row_words(pricing.row);
            let spans = [Span::line(&row, Role::Muted)];
            self.lines
                .extend(wrap(&spans, self.width, &Margin::indent(4)));
            let mut rows: Vec<Vec<Cell>> = Vec::new();
            for (what, part) in &pricing.parts {
                rows.push(cells([
                    what.name().to_owned(),
                    grouped(part.count),
                    format!("× {}/M", part.rate),
                    format!("= {}", part.nanos),
                ]));
            }
            let n_requests = amount::counted(pricing.n_requests, "request");
            rows.push(cells([
                n_requests,
                String::new(),
                String::new(),
                format!("= {}", pricing.total),
            ]));
            use Column::{Fixed, Right};
            self.table(&[Fixed, Fixed, Right, Right, Right], &rows);
        }
        for unpriced in Unpricing::of(answer) {
            self.text(&unpriced.text(), Style::of(Role::Warning));
        }
        let total = answer.table.total.sum.cost;
        self.text(&format!("Together {total}."), Style::default().bold());
    }

    /// The requests, the costliest first.
    fn requests(&mut self, answer: &Answer<'_>) {
        let book = &answer.prices.book;
        let price = |request: &Request| cost(request, book).map_or(Nanos(0), |cost| cost.total());
        let mut requests: Vec<(Nanos, &Request)> = answer
            .requests()
            .map(|request| (price(request), request))
            .collect();
        requests.sort_by_key(|(nanos, request)| {
            std::cmp::Reverse((*nanos, request.tokens.total(), request.time))
        });
        let limit = match answer.args.shape.limit {
            0 => N_REQUESTS,
            limit => limit,
        };
        let n_more = requests.len().saturating_sub(limit);
        self.heading("Requests, the costliest first");
        for (_, request) in requests.iter().take(limit) {
            self.request(answer, request);
        }
        if n_more > 0 {
            let more = format!(
                "… {} more; -n {} shows them, --json all with their lines",
                grouped(n_more as u64),
                requests.len()
            );
            self.text(&more, Style::of(Role::Muted));
        }
    }

    fn request(&mut self, answer: &Answer<'_>, request: &Request) {
        let time = request.time.map_or("no time".to_owned(), |time| {
            let zone = &answer.zone.rules;
            let day = answer.zone.day(time);
            format!("{day} {}", when::clock(time.0, zone))
        });
        let ids = [&request.message, &request.request];
        let ids: Vec<&str> = ids.into_iter().flatten().map(|id| &**id).collect();
        let head = Line::of(&format!("  {time}  "), Role::Plain)
            .with(&request.model, Role::Accent)
            .with(
                &format!("  {}  {}", short_id(&request.session), ids.join(" ")),
                Role::Muted,
            );
        self.lines
            .extend(wrap(head.spans(), self.width, &Margin::hanging(0, 4)));
        let calculation = match cost(request, &answer.prices.book) {
            Ok(cost) => calculation(&cost),
            Err(reason) => format!(
                "{} tokens without a price: {}",
                grouped(request.tokens.total()),
                reason.code()
            ),
        };
        let spans = [Span::line(&calculation, Role::Plain)];
        self.lines
            .extend(wrap(&spans, self.width, &Margin::indent(4)));
    }
}

fn cells(texts: [String; 4]) -> Vec<Cell> {
    let indent = Cell::new("  ", Style::default());
    let cells = texts
        .into_iter()
        .map(|text| Cell::new(text, Style::default()));
    std::iter::once(indent).chain(cells).collect()
}

fn calculation(cost: &Cost<'_>) -> String {
    let parts: Vec<String> = cost
        .parts
        .iter()
        .map(|part| {
            format!(
                "{} {} × {}/M",
                part.what.name(),
                grouped(part.count),
                part.rate
            )
        })
        .collect();
    let terms = terms(cost.above, &cost.surcharges);
    format!("{} = {}{terms}", parts.join(" + "), cost.total())
}

/// Says what is special about a price: the band, and the factors that are in it.
fn terms(above: Option<u64>, surcharges: &[(Surcharge, Factor)]) -> String {
    let band = above.map(|above| format!("prompt > {}", grouped(above)));
    let factors = surcharges
        .iter()
        .map(|(why, factor)| format!("{} {factor}", why.name()));
    let terms: Vec<String> = band.into_iter().chain(factors).collect();
    match terms.is_empty() {
        true => String::new(),
        false => format!(" ({})", terms.join(", ")),
    }
}

fn row_words(row: &Row) -> String {
    let models: Vec<&str> = row.models.iter().map(|model| &**model).collect();
    let from = row
        .from
        .map_or("always".to_owned(), |day| format!("from {day}"));
    let read = row
        .read
        .map_or(String::new(), |day| format!(", looked up {day}"));
    let file = match &row.shelf {
        Shelf::Bundled => "Ravel's list".to_owned(),
        Shelf::Override(name) => name.to_string(),
    };
    let source = match row.source.is_empty() {
        true => String::new(),
        false => format!(": {}", row.source),
    };
    format!("row {} ({from}{read}) in {file}{source}", models.join(", "))
}

fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::Replayed => "a sub-agent's log replays the message under another request id",
        Reason::Sidechain => "a sub-agent's log has a copy of the line",
        Reason::Smaller => "an early line of a streamed message: another has more tokens",
        Reason::NoSpeed => "another line has the same tokens and names the speed",
        Reason::OtherSession => "the same request in a resumed, copied or forked session",
        Reason::OtherFile => "the same request in another file of the session",
        Reason::Repeated => "the client repeats the usage on each line of a message",
    }
}
