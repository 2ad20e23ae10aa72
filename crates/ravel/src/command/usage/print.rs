//! The answer for people: a table, bars, and what the table cannot say.

use ravel_render::chart::{Bar, bars};
use ravel_render::style::{Line, Role, Style};
use ravel_render::{amount, when};

use super::explain::{self, Unpricing};
use super::figure::{Digits, Money, grouped};
use super::row::{Name, Window};
use super::{Answer, By};
use crate::context::Context;
use crate::failure::Failure;
use crate::grid::Grid;

mod column;

pub(super) use column::period;
use column::{Shown, grid};

/// The fewest columns in which bars beside the table are worth looking at.
const MIN_BAR: usize = 14;
/// More than this is not needed.
const MAX_BAR: usize = 42;
/// As much of a text is shown before bars get any room.
const GOOD_TEXT: usize = 24;

/// Prints the answer.
pub(super) fn print(context: &Context, answer: &Answer<'_>) -> Result<(), Failure> {
    let mut lines = match answer.table.rows.is_empty() {
        true => vec![Line::of(nothing(answer), Style::default())],
        false => table(answer, context.width()),
    };
    if answer.args.explain {
        lines.push(Line::default());
        lines.extend(explain::lines(answer, context.width()));
    }
    context.print_lines(&lines)
}

fn nothing(answer: &Answer<'_>) -> &'static str {
    if answer.args.filter.active {
        "no block is active"
    } else if answer.tally.account.requests.is_empty() {
        "no requests here yet"
    } else {
        "no request fits"
    }
}

fn table(answer: &Answer<'_>, width: usize) -> Vec<Line> {
    let shown = column::shown(answer);
    let money = Money::fitting(&answer.table.total.sum);
    let charted = Charted::of(answer);
    let draw = |digits| grid(answer.args.by, &shown, digits, money);
    let mut lines = match beside(&draw, width).filter(|_| charted != Charted::Nothing) {
        Some((grid, room)) => {
            let mut lines = grid.lines(width - room);
            add_bars(&mut lines, &shown, charted, room);
            lines
        }
        None => alone(&draw, width).lines(width),
    };
    let has_bars = beside(&draw, width).is_some();
    if charted != Charted::Nothing && !has_bars && answer.args.by != By::Session {
        lines.push(Line::default());
        lines.extend(chart(&shown, charted, money, width));
    }
    lines.push(Line::default());
    lines.extend(notes(answer, money));
    lines
}

/// Finds the most telling table that leaves room for bars, and how much.
fn beside(draw: &dyn Fn(Digits) -> Grid, width: usize) -> Option<(Grid, usize)> {
    [Digits::All, Digits::Few].into_iter().find_map(|digits| {
        let grid = draw(digits);
        let room = width.checked_sub(grid.width(GOOD_TEXT))?;
        (room >= MIN_BAR).then_some((grid, room.min(MAX_BAR)))
    })
}

/// Finds the most telling table that fits, with columns left out if need be.
fn alone(draw: &dyn Fn(Digits) -> Grid, width: usize) -> Grid {
    let exact = draw(Digits::All);
    if exact.width(GOOD_TEXT) <= width {
        return exact;
    }
    let mut grid = draw(Digits::Few);
    grid.fit(width);
    grid
}

/// What the bars are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Charted {
    /// Money.
    Cost,
    /// Tokens, where nothing has a price.
    Tokens,
    /// One row has nothing to be compared with.
    Nothing,
}

impl Charted {
    fn of(answer: &Answer<'_>) -> Self {
        if answer.args.shape.no_chart || answer.table.rows.len() < 2 {
            return Self::Nothing;
        }
        match answer.table.total.sum.cost.0 {
            0 => Self::Tokens,
            _ => Self::Cost,
        }
    }

    fn value(self, shown: &Shown<'_>) -> u64 {
        match (shown.sum.filter(|_| shown.is_row), self) {
            (Some(sum), Self::Cost) => sum.cost.0,
            (Some(sum), Self::Tokens) => sum.tokens.total(),
            _ => 0,
        }
    }
}

/// Puts a bar behind each line; the first one has the headings.
fn add_bars(lines: &mut [Line], shown: &[Shown<'_>], charted: Charted, room: usize) {
    let plain: Vec<Bar> = shown
        .iter()
        .map(|one| Bar {
            value: charted.value(one),
            style: Style::of(Role::Accent),
            ..Bar::default()
        })
        .collect();
    let drawn = bars(&plain, room);
    for (line, bar) in lines.iter_mut().skip(1).zip(drawn) {
        for span in bar.spans() {
            line.push(span.clone());
        }
    }
}

/// Draws bars below the table.
fn chart(shown: &[Shown<'_>], charted: Charted, money: Money, width: usize) -> Vec<Line> {
    let labeled: Vec<Bar> = shown
        .iter()
        .filter(|one| one.is_row)
        .map(|one| Bar {
            label: one.label.clone(),
            value: charted.value(one),
            text: match (one.sum, charted) {
                (Some(sum), Charted::Cost) => money.sum(sum),
                (Some(sum), _) => amount::count(sum.tokens.total()),
                (None, _) => String::new(),
            },
            style: Style::of(Role::Accent),
        })
        .collect();
    bars(&labeled, width)
}

/// What the table cannot say.
fn notes(answer: &Answer<'_>, money: Money) -> Vec<Line> {
    let muted = Style::of(Role::Muted);
    let table = &answer.table;
    let mut lines = Vec::new();
    for row in &table.rows {
        if let Name::Window(window) = &row.name
            && window.is_active
        {
            lines.push(Line::of(&outlook(answer, window, money), Role::Plain));
        }
    }
    let requests = match table.total.sum.n_requests {
        1 => "1 request".to_owned(),
        n => format!("{} requests", grouped(n)),
    };
    let left_out = match table.n_left_out {
        0 => String::new(),
        n => format!(
            "; {} not shown, but in the total",
            amount::counted(n, "more row")
        ),
    };
    lines.push(Line::of(&format!("{requests}{left_out}."), muted));
    for unpriced in Unpricing::of(answer) {
        lines.push(Line::of(&unpriced.text(), Role::Warning));
    }
    lines
}

/// Says what becomes of the block that is not over.
fn outlook(answer: &Answer<'_>, window: &Window, money: Money) -> String {
    let end = when::moment(window.end.0, &answer.zone.rules);
    let end = end.rsplit(' ').next().unwrap_or(&end);
    match window.projection {
        Some(projection) => format!(
            "The active block ends at {end}, in {}; at this rate with {} tokens and {}.",
            when::duration(projection.minutes_left.saturating_mul(60_000)),
            amount::count(projection.tokens),
            money.write(projection.cost),
        ),
        None => format!("The active block ends at {end}."),
    }
}
