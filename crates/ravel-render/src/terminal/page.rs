//! Blocks of lines one below the other, with rails to their left.

use std::io;

use super::Sink;
use crate::style::{Line, Role, Span, Style};

/// Rails drawn at most; deeper agents stay at this one, since the page is only so wide.
const MAX_RAILS: usize = 6;

/// Columns of one rail.
const RAIL_WIDTH: usize = 4;

/// How a block wants to stand among others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spacing {
    /// With a blank line before and after.
    Apart,
    /// Directly below another one of its kind.
    Close,
    /// Directly below anything; nothing of this kind is written, a rail starts with it.
    Top,
}

/// The page being written.
pub(super) struct Page<'o> {
    sink: &'o mut Sink<'o>,
    rails: usize,
    last: Spacing,
}

impl<'o> Page<'o> {
    pub(super) fn new(sink: &'o mut Sink<'o>) -> Self {
        Self {
            sink,
            rails: 0,
            last: Spacing::Apart,
        }
    }

    /// Returns the columns that the rails take.
    pub(super) fn margin(&self) -> usize {
        self.rails.min(MAX_RAILS) * RAIL_WIDTH
    }

    pub(super) fn enter_rail(&mut self) {
        self.rails += 1;
        self.last = Spacing::Top;
    }

    pub(super) fn leave_rail(&mut self) {
        self.rails = self.rails.saturating_sub(1);
        self.last = Spacing::Apart;
    }

    /// Returns how many rails there are.
    pub(super) fn rails(&self) -> usize {
        self.rails
    }

    /// Writes a block, with a blank line before it where one belongs.
    pub(super) fn block(&mut self, spacing: Spacing, lines: Vec<Line>) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let wants_gap = spacing == Spacing::Apart || self.last == Spacing::Apart;
        if wants_gap && self.last != Spacing::Top {
            self.line(Line::new())?;
        }
        self.last = spacing;
        lines.into_iter().try_for_each(|line| self.line(line))
    }

    /// Writes lines directly below the last block, whatever it is.
    pub(super) fn attached(&mut self, lines: Vec<Line>) -> io::Result<()> {
        self.more(lines)
    }

    /// Writes more lines of the block written last.
    pub(super) fn more(&mut self, lines: Vec<Line>) -> io::Result<()> {
        lines.into_iter().try_for_each(|line| self.line(line))
    }

    fn line(&mut self, line: Line) -> io::Result<()> {
        if self.rails == 0 {
            return (self.sink)(line);
        }
        let rails = "  │ ".repeat(self.rails.min(MAX_RAILS));
        let rails = if line.is_blank() {
            rails.trim_end()
        } else {
            &rails
        };
        let mut railed = Line::new();
        railed.push(Span::new(rails, Style::of(Role::Muted)));
        railed.extend(line.spans().iter().cloned());
        (self.sink)(railed)
    }
}
