//! `ravel prices`: what tokens cost, since when, and who says so.

use std::process::ExitCode;

use clap::Args;
use ravel_format::Timestamp;
use ravel_model::price::{Rates, Row, Shelf};
use ravel_model::usage::Day;
use ravel_render::amount;
use ravel_render::style::{Line, Role, Style};

use crate::context::{Context, display_path};
use crate::failure::Failure;
use crate::folders;
use crate::grid::{Grid, GridColumn};
use crate::price_book::PriceBook;
use crate::table::Column;

mod json;
mod lookup;

pub(crate) use json::entry as entry_json;

/// Show what tokens cost, and where the prices are from
#[derive(Debug, Args)]
#[command(
    after_help = "Prices are dollars per million tokens. A row above some size of prompt holds for the whole request.\nYour own prices go into the file that --path names; docs/guide/prices.md has its format.\n\nExamples:\n  ravel prices                          all prices\n  ravel prices claude-sonnet-4-5[1m]    the row that a model has today, and why\n  ravel prices --path                   the file for your own prices\n  ravel prices --json | jq '.prices[] | select(.model | contains(\"opus\"))'"
)]
pub(crate) struct PricesArgs {
    /// The name of a model as a transcript has it
    #[arg(value_name = "MODEL", conflicts_with = "path")]
    model: Option<String>,
    /// Print the file that your own prices are read from, whether it is there or not
    #[arg(long)]
    path: bool,
}

/// Shows prices.
pub(crate) fn run(context: &Context, args: &PricesArgs) -> Result<ExitCode, Failure> {
    if args.path {
        return print_path(context);
    }
    let prices = PriceBook::load()?;
    if let Some(model) = &args.model {
        let today = Day::utc(Timestamp(context.now_ms()));
        return lookup::run(context, &prices.book, model, today);
    }
    if context.json() {
        context.print_json(&json::book(&prices))?;
    } else {
        context.print_lines(&book_lines(&prices, context.width()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_path(context: &Context) -> Result<ExitCode, Failure> {
    use std::io::Write as _;
    let path = folders::prices_file()?;
    if context.json() {
        let exists = path.exists();
        context
            .print_json(&serde_json::json!({"path": path.to_string_lossy(), "exists": exists}))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut screen = context.plain_screen();
    screen.write_foreign(path.as_os_str().as_encoded_bytes())?;
    writeln!(screen)?;
    screen.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn book_lines(prices: &PriceBook, width: usize) -> Vec<Line> {
    let entries: Vec<(&str, &Row)> = prices.book.entries().collect();
    let mut lines = table(&entries, width);
    let muted = Style::of(Role::Muted);
    lines.push(Line::default());
    lines.push(Line::of(&fees(prices), muted));
    let own = match &prices.own_file {
        Some(path) => format!("Rows of `yours` are from {}.", display_path(path)),
        None => "All rows came with Ravel; `ravel prices --path` names the file for yours.".into(),
    };
    lines.push(Line::of(&own, muted));
    lines
}

fn fees(prices: &PriceBook) -> String {
    let fees = prices.book.fees();
    let factor = |factor: Option<ravel_model::price::Factor>| {
        factor.map_or("no price".to_owned(), |factor| factor.to_string())
    };
    // The book has the price of a million.
    let search = fees.web_search.map_or("no price".to_owned(), |rate| {
        format!("{} a thousand", ravel_model::price::Nanos(rate.0 / 1_000))
    });
    format!(
        "US-only inference {} · batches {} · web searches {search}",
        factor(fees.us_only),
        factor(fees.batch),
    )
}

/// One line of the table: a price list, or a band of one.
struct Listed<'a> {
    name: String,
    row: &'a Row,
    rates: &'a Rates,
    is_band: bool,
}

/// Draws price lists with their bands.
fn table(entries: &[(&str, &Row)], width: usize) -> Vec<Line> {
    let mut listed = Vec::new();
    for (model, row) in entries {
        listed.push(Listed {
            name: (*model).to_owned(),
            row,
            rates: &row.rates,
            is_band: false,
        });
        listed.extend(row.bands.iter().map(|band| Listed {
            name: format!("  prompt > {}", amount::count(band.above)),
            row,
            rates: &band.rates,
            is_band: true,
        }));
    }
    let style = |listed: &Listed<'_>| match listed.is_band {
        true => Style::of(Role::Muted),
        false => Style::default(),
    };
    let styles = listed.iter().map(style).collect();
    let mut grid = Grid::new(grid_columns(&listed), styles);
    grid.fit(width);
    grid.lines(width)
}

fn grid_columns(listed: &[Listed<'_>]) -> Vec<GridColumn> {
    let column = |heading, kind, rank, cell: &dyn Fn(&Listed<'_>) -> String| GridColumn {
        heading,
        kind,
        rank,
        cells: listed.iter().map(cell).collect(),
    };
    // What goes for the whole row stands on its first line only.
    let once = |listed: &Listed<'_>, text: String| match listed.is_band {
        true => String::new(),
        false => text,
    };
    use Column::{Fixed, Flexible, Right};
    let mut columns = vec![
        column("model", Fixed, 0, &|one| one.name.clone()),
        column("from", Fixed, 3, &|one| once(one, from(one.row))),
        column("input", Right, 0, &|one| one.rates.input.to_string()),
        column("output", Right, 0, &|one| one.rates.output.to_string()),
        column("write 5m", Right, 1, &|one| {
            one.rates.cache_write_5m.to_string()
        }),
        column("write 1h", Right, 1, &|one| {
            one.rates.cache_write_1h.to_string()
        }),
        column("read", Right, 0, &|one| one.rates.cache_read.to_string()),
        column("fast", Right, 2, &|one| {
            once(
                one,
                one.row.fast.map_or(String::new(), |fast| fast.to_string()),
            )
        }),
        column("file", Fixed, 4, &|one| once(one, file(one.row).to_owned())),
        column("looked up", Fixed, 5, &|one| once(one, day(one.row.read))),
        column("source", Flexible, 6, &|one| {
            once(one, one.row.source.to_string())
        }),
    ];
    // Nobody misses an empty column.
    columns.retain(|column| column.cells.iter().any(|cell| !cell.is_empty()));
    columns
}

fn from(row: &Row) -> String {
    day(row.from)
}

fn day(day: Option<Day>) -> String {
    day.map_or(String::new(), |day| day.to_string())
}

/// Says which file a row is from.
fn file(row: &Row) -> &'static str {
    match row.shelf {
        Shelf::Bundled => "Ravel",
        Shelf::Override(_) => "yours",
    }
}
