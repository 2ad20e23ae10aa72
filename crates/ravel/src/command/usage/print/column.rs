//! Rows into columns.

use ravel_model::usage::{Day, Sum};
use ravel_render::style::{Role, Style};
use ravel_render::words::short_id;
use ravel_render::{amount, when};

use super::super::figure::{Digits, Money, short_model};
use super::super::row::{Name, Row, Window};
use super::super::session::{self, SessionNames};
use super::super::{Answer, By};
use crate::context::display_path;
use crate::grid::{Grid, GridColumn};
use crate::table::Column;

/// A line of the table.
pub(super) struct Shown<'a> {
    /// What the bar below the table is labeled with.
    pub(super) label: String,
    /// The figures; a gap has none.
    pub(super) sum: Option<&'a Sum>,
    /// Whether it is a row of its own: no total, part or gap.
    pub(super) is_row: bool,
    names: [String; 4],
    models: String,
    window: Option<&'a Window>,
    style: Style,
}

impl<'a> Shown<'a> {
    fn new(names: [String; 4], sum: Option<&'a Sum>, style: Style) -> Self {
        Self {
            label: names.first().cloned().unwrap_or_default(),
            sum,
            is_row: false,
            names,
            models: String::new(),
            window: None,
            style,
        }
    }
}

/// Returns the lines of the table, parts and gaps included.
pub(super) fn shown<'a>(answer: &'a Answer<'_>) -> Vec<Shown<'a>> {
    let names = Naming::new(answer);
    let mut lines = Vec::new();
    for row in &answer.table.rows {
        lines.extend(gap(row));
        lines.push(names.row(row));
        if answer.args.shape.breakdown && answer.args.by != By::Model {
            lines.extend(parts(row));
        }
    }
    if answer.table.rows.len() + answer.table.n_left_out > 1 {
        let total = named("total".to_owned());
        let style = Style::default().bold();
        lines.push(Shown::new(total, Some(&answer.table.total.sum), style));
    }
    lines
}

fn named(name: String) -> [String; 4] {
    [name, String::new(), String::new(), String::new()]
}

/// The time without requests before a block.
fn gap<'a>(row: &Row) -> Option<Shown<'a>> {
    let Name::Window(window) = &row.name else {
        return None;
    };
    let (from, until) = window.gap?;
    let length = until.0.abs_diff(from.0);
    let text = format!("{} idle", when::duration(length));
    let names = [String::new(), text, String::new(), String::new()];
    Some(Shown::new(names, None, Style::of(Role::Muted)))
}

/// A line for each model of a row.
fn parts(row: &Row) -> impl Iterator<Item = Shown<'_>> {
    row.group.by_model.iter().map(|(model, sum)| {
        let name = named(format!("  {}", short_model(model)));
        Shown::new(name, Some(sum), Style::of(Role::Muted))
    })
}

/// How rows are named.
struct Naming<'a> {
    answer: &'a Answer<'a>,
    sessions: SessionNames,
}

impl<'a> Naming<'a> {
    fn new(answer: &'a Answer<'_>) -> Self {
        let sessions = session::names(&answer.table, answer.library);
        Self { answer, sessions }
    }

    fn row(&self, row: &'a Row) -> Shown<'a> {
        let mut shown = Shown::new(self.names(row), Some(&row.group.sum), Style::default());
        shown.is_row = true;
        if let Name::Window(window) = &row.name {
            shown.window = Some(window);
        }
        let mut models: Vec<&str> = row
            .group
            .by_model
            .keys()
            .map(|name| short_model(name))
            .collect();
        models.sort_unstable();
        models.dedup();
        shown.models = models.join(", ");
        shown
    }

    fn names(&self, row: &Row) -> [String; 4] {
        let zone = &self.answer.zone.rules;
        let moment = |time: ravel_format::Timestamp| when::moment(time.0, zone);
        match &row.name {
            Name::Period(Some(day)) => named(period(self.answer.args.by, *day)),
            Name::Period(None) => named("no time".to_owned()),
            Name::Text(text) if self.answer.args.by == By::Project => named(folder(text)),
            Name::Text(text) if text.is_empty() => named("(no model)".to_owned()),
            Name::Text(text) => named(text.to_string()),
            Name::Session { id, project } => {
                let title = self.sessions.get(id).map(|name| {
                    let mark = if name.is_archived { " (archived)" } else { "" };
                    format!("{}{mark}", name.title.as_deref().unwrap_or_default())
                });
                let last = row.group.last.map_or(String::new(), moment);
                [
                    short_id(id).to_owned(),
                    title.unwrap_or_default(),
                    folder(project),
                    last,
                ]
            }
            Name::Window(window) => {
                let used = used_for(window);
                [moment(window.start), used, String::new(), String::new()]
            }
        }
    }
}

/// Says how long a block was used; seconds say nothing about five hours.
fn used_for(window: &Window) -> String {
    const MINUTE_MS: u64 = 60_000;
    let used_ms = window.last.0.abs_diff(window.first.0);
    let used = match used_ms / MINUTE_MS {
        0 => "< 1 m".to_owned(),
        minutes => when::duration(minutes * MINUTE_MS),
    };
    match window.is_active {
        true => format!("{used}, active"),
        false => used,
    }
}

fn folder(project: &str) -> String {
    match project.is_empty() {
        true => "(no project)".to_owned(),
        false => display_path(std::path::Path::new(project)),
    }
}

/// Names a period by its first day.
pub(in super::super) fn period(by: By, day: Day) -> String {
    let text = day.to_string();
    match by {
        By::Monthly => text
            .rsplit_once('-')
            .map_or(text.clone(), |(month, _)| month.to_owned()),
        _ => text,
    }
}

/// Makes the table of these lines.
pub(super) fn grid(by: By, shown: &[Shown<'_>], digits: Digits, money: Money) -> Grid {
    let styles = shown.iter().map(|one| one.style).collect();
    let drawn = Drawn {
        shown,
        digits,
        money,
    };
    let mut columns = drawn.names(by);
    columns.extend(match by {
        By::Blocks => drawn.rates(),
        _ => drawn.tokens(by),
    });
    columns.push(drawn.sums("cost", 0, |sum| money.sum(sum)));
    Grid::new(columns, styles)
}

struct Drawn<'a> {
    shown: &'a [Shown<'a>],
    digits: Digits,
    money: Money,
}

impl Drawn<'_> {
    fn names(&self, by: By) -> Vec<GridColumn> {
        use Column::{Fixed, Flexible};
        let name = |heading, kind, rank, at: usize| GridColumn {
            heading,
            kind,
            rank,
            cells: self
                .shown
                .iter()
                .map(|one| one.names.get(at).cloned().unwrap_or_default())
                .collect(),
        };
        match by {
            By::Daily => vec![name("day", Fixed, 0, 0), self.models()],
            By::Weekly => vec![name("week of", Fixed, 0, 0), self.models()],
            By::Monthly => vec![name("month", Fixed, 0, 0), self.models()],
            By::Project => vec![name("project", Flexible, 0, 0), self.models()],
            By::Model => vec![name("model", Flexible, 0, 0)],
            By::Session => vec![
                name("session", Fixed, 0, 0),
                name("title", Flexible, 2, 1),
                name("project", Flexible, 5, 2),
                name("last request", Fixed, 3, 3),
                self.models(),
            ],
            By::Blocks => vec![
                name("start", Fixed, 0, 0),
                name("used for", Fixed, 2, 1),
                self.models(),
            ],
        }
    }

    fn models(&self) -> GridColumn {
        GridColumn {
            heading: "models",
            kind: Column::Flexible,
            rank: 9,
            cells: self.shown.iter().map(|one| one.models.clone()).collect(),
        }
    }

    fn tokens(&self, by: By) -> Vec<GridColumn> {
        // Titles say more about a session than its cache does.
        let [write, read, input, output] = match by {
            By::Session => [8, 7, 6, 4],
            _ => [4, 3, 2, 1],
        };
        let tokens = |heading, rank, count: fn(&Sum) -> u64| {
            self.sums(heading, rank, |sum| self.digits.write(count(sum)))
        };
        vec![
            tokens("input", input, |sum| sum.tokens.input),
            tokens("output", output, |sum| sum.tokens.output),
            tokens("write 5m", write, |sum| sum.tokens.cache_write_5m),
            tokens("write 1h", write, |sum| sum.tokens.cache_write_1h),
            tokens("read", read, |sum| sum.tokens.cache_read),
        ]
    }

    fn rates(&self) -> Vec<GridColumn> {
        let rate = |heading, rank, text: &dyn Fn(&Window) -> Option<String>| GridColumn {
            heading,
            kind: Column::Right,
            rank,
            cells: self
                .shown
                .iter()
                .map(|one| one.window.and_then(text).unwrap_or_default())
                .collect(),
        };
        let a_minute = |window: &Window| Some(amount::count(window.burn_rate?.tokens_a_minute));
        let an_hour = |window: &Window| Some(self.money.write(window.burn_rate?.cost_an_hour));
        vec![
            self.sums("tokens", 1, |sum| self.digits.write(sum.tokens.total())),
            rate("tokens/min", 4, &a_minute),
            rate("cost/h", 3, &an_hour),
        ]
    }

    fn sums(&self, heading: &'static str, rank: u8, text: impl Fn(&Sum) -> String) -> GridColumn {
        GridColumn {
            heading,
            kind: Column::Right,
            rank,
            cells: self
                .shown
                .iter()
                .map(|one| one.sum.map_or(String::new(), &text))
                .collect(),
        }
    }
}
