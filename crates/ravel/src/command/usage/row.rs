//! The rows of the answer: what each stands for, and in which order they come.

use std::cmp::Reverse;
use std::sync::Arc;

use ravel_format::Timestamp;
use ravel_model::price::Book;
use ravel_model::usage::{
    Account, Block, BurnRate, Day, Group, Period, Projection, Request, Sum, blocks, by_model,
    by_period, by_project, by_session,
};

use super::select::Selection;
use super::{By, UsageArgs};
use crate::zone::Zone;

/// Rows and what they sum up to.
pub(super) struct Table {
    /// The rows, in the order they are shown.
    pub(super) rows: Vec<Row>,
    /// How many rows were left out.
    pub(super) n_left_out: usize,
    /// What all rows sum up to, those left out included.
    pub(super) total: Group,
}

/// One row.
pub(super) struct Row {
    /// What it stands for.
    pub(super) name: Name,
    /// Its figures.
    pub(super) group: Group,
}

/// What a row stands for.
pub(super) enum Name {
    /// A day, or a period that begins with it; `None` for requests without a time.
    Period(Option<Day>),
    /// A session, by its id.
    Session { id: Arc<str>, project: Arc<str> },
    /// A project's folder, or a model.
    Text(Arc<str>),
    /// A five-hour window.
    Window(Box<Window>),
}

/// The times and rates of a block.
pub(super) struct Window {
    /// The full hour it starts at.
    pub(super) start: Timestamp,
    /// When it ends.
    pub(super) end: Timestamp,
    /// Its first request.
    pub(super) first: Timestamp,
    /// Its latest request.
    pub(super) last: Timestamp,
    /// The time without requests before it.
    pub(super) gap: Option<(Timestamp, Timestamp)>,
    /// Whether it is not over.
    pub(super) is_active: bool,
    /// How fast it is used up.
    pub(super) burn_rate: Option<BurnRate>,
    /// What it comes to if it goes on like this.
    pub(super) projection: Option<Projection>,
}

/// Which end comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The newest or costliest.
    Descending,
    /// The oldest or cheapest.
    Ascending,
}

impl Order {
    /// Time runs downward and ends above the prompt; everything else begins with what matters most.
    fn of(args: &UsageArgs) -> Self {
        let is_time = matches!(args.by, By::Daily | By::Weekly | By::Monthly | By::Blocks);
        match args.shape.asc || is_time && !args.shape.desc {
            true => Self::Ascending,
            false => Self::Descending,
        }
    }
}

/// The table, and the requests behind it by their place in the account.
pub(super) struct Built {
    pub(super) table: Table,
    pub(super) counted: Vec<usize>,
}

/// What rows are made from.
pub(super) struct Builder<'a> {
    pub(super) args: &'a UsageArgs,
    pub(super) zone: &'a Zone,
    pub(super) selection: &'a Selection,
    pub(super) book: &'a Book,
    pub(super) now: Timestamp,
}

impl Builder<'_> {
    /// Makes the rows of the requests that are asked for.
    pub(super) fn build(&self, account: &Account) -> Built {
        let mut counted: Vec<usize> = Vec::new();
        for (index, request) in account.requests.iter().enumerate() {
            if self.selection.admits(request) && self.admits_time(request) {
                counted.push(index);
            }
        }
        let find = |index: &usize| account.requests.get(*index);
        let mut rows = self.rows(&counted.iter().filter_map(find).collect::<Vec<_>>());
        if self.args.by == By::Blocks {
            counted.retain(|index| find(index).is_some_and(|request| is_in(&rows, request)));
        }
        let total = total(&rows);
        let n_left_out = self.arrange(&mut rows);
        let table = Table {
            rows,
            n_left_out,
            total,
        };
        Built { table, counted }
    }

    /// Blocks are filtered as a whole: half a block would begin at another hour.
    fn admits_time(&self, request: &Request) -> bool {
        self.args.by == By::Blocks || self.selection.admits_time(request.time)
    }

    fn rows(&self, requests: &[&Request]) -> Vec<Row> {
        let requests = requests.iter().copied();
        let by_days = |period| {
            let groups = by_period(requests.clone(), self.book, period, |time| {
                self.zone.day(time)
            });
            let row = |(day, group)| Row {
                name: Name::Period(day),
                group,
            };
            groups.into_iter().map(row).collect()
        };
        let by_text = |groups: std::collections::BTreeMap<Arc<str>, Group>| {
            let row = |(text, group)| Row {
                name: Name::Text(text),
                group,
            };
            groups.into_iter().map(row).collect()
        };
        match self.args.by {
            By::Daily => by_days(Period::Day),
            By::Weekly => by_days(Period::Week(self.args.shape.week_start.weekday())),
            By::Monthly => by_days(Period::Month),
            By::Project => by_text(by_project(requests, self.book)),
            By::Model => by_text(by_model(requests, self.book)),
            By::Session => self.sessions(requests),
            By::Blocks => self.blocks(requests),
        }
    }

    fn sessions<'r>(&self, requests: impl Iterator<Item = &'r Request> + Clone) -> Vec<Row> {
        let mut projects = std::collections::BTreeMap::new();
        for request in requests.clone() {
            // Requests come by time: the project is that of the first one.
            projects
                .entry(Arc::clone(&request.session))
                .or_insert_with(|| Arc::clone(&request.project));
        }
        let row = |(id, group): (Arc<str>, Group)| Row {
            name: Name::Session {
                project: projects.get(&id).cloned().unwrap_or_default(),
                id,
            },
            group,
        };
        by_session(requests, self.book)
            .into_iter()
            .map(row)
            .collect()
    }

    fn blocks<'r>(&self, requests: impl Iterator<Item = &'r Request>) -> Vec<Row> {
        let all = blocks(requests, self.book);
        let asked = all.into_iter().filter(|block| {
            self.selection.admits_time(Some(block.first))
                && (!self.args.filter.active || block.is_active(self.now))
        });
        asked.map(|block| self.block_row(block)).collect()
    }

    fn block_row(&self, block: Block) -> Row {
        let window = Window {
            start: block.start,
            end: block.end,
            first: block.first,
            last: block.last,
            gap: block.gap,
            is_active: block.is_active(self.now),
            burn_rate: block.burn_rate(),
            projection: block.projection(self.now),
        };
        Row {
            name: Name::Window(Box::new(window)),
            group: block.group,
        }
    }

    /// Sorts, keeps as many as are asked for, and says how many were left out.
    fn arrange(&self, rows: &mut Vec<Row>) -> usize {
        // Names decide between equals, and they are in order already.
        match self.args.by {
            By::Daily | By::Weekly | By::Monthly | By::Blocks => rows.reverse(),
            By::Session => rows.sort_by_key(|row| Reverse(row.group.last)),
            By::Project | By::Model => rows.sort_by_key(|row| Reverse(weight(&row.group.sum))),
        }
        let n_rows = rows.len();
        if self.args.shape.limit > 0 {
            rows.truncate(self.args.shape.limit);
        }
        if Order::of(self.args) == Order::Ascending {
            rows.reverse();
        }
        n_rows - rows.len()
    }
}

fn weight(sum: &Sum) -> (u64, u64) {
    (sum.cost.0, sum.tokens.total())
}

/// Tells whether one of the windows, which are in order, has a request.
fn is_in(rows: &[Row], request: &Request) -> bool {
    let Some(time) = request.time else {
        return false;
    };
    let starts_by = |row: &Row| matches!(&row.name, Name::Window(window) if window.start <= time);
    let after = rows.partition_point(starts_by);
    let before = after.checked_sub(1).and_then(|index| rows.get(index));
    before.is_some_and(|row| matches!(&row.name, Name::Window(window) if time < window.end))
}

fn total(rows: &[Row]) -> Group {
    let mut total = Group::default();
    for row in rows {
        total.sum.plus(&row.group.sum);
        for (model, sum) in &row.group.by_model {
            total
                .by_model
                .entry(Arc::clone(model))
                .or_default()
                .plus(sum);
        }
        total.first = [total.first, row.group.first].into_iter().flatten().min();
        total.last = total.last.max(row.group.last);
    }
    total
}
