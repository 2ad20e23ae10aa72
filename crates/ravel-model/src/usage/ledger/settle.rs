//! The requests of a ledger, and why other lines are none.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Ledger, Request, rank};

/// The requests of a ledger, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// The requests by time; those without a time come first.
    pub requests: Vec<Request>,
    /// The lines that were not counted, if the ledger was made to explain itself.
    pub dropped: Vec<Dropped>,
    /// How many lines there were.
    pub n_lines: u64,
}

/// A line that was not counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// What it says.
    pub request: Request,
    /// Why another one counts.
    pub reason: Reason,
    /// The one that counts, by its place in [`Account::requests`].
    pub kept: usize,
}

/// Why a line does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A sub-agent's log replays a message under another request id.
    Replayed,
    /// A sub-agent's log has a copy of the line.
    Sidechain,
    /// Another line of the message has more tokens: this one is from the middle of its stream.
    Smaller,
    /// Another line has the same tokens and says how fast they came.
    NoSpeed,
    /// The same request stands in another session: a resumed, copied or forked one.
    OtherSession,
    /// The same request stands in another file of the session.
    OtherFile,
    /// The client repeats the usage on each line of a message.
    Repeated,
}

impl Account {
    /// Makes an account of requests that were settled before, in any order. It does not know the
    /// lines behind them.
    pub fn of_settled(mut requests: Vec<Request>) -> Self {
        // Requests are large, so each is moved once, and none if they are in order already; few
        // are of the same time.
        if !requests.is_sorted_by_key(|request| request.time) {
            requests.sort_by_cached_key(|request| request.time);
        }
        for same in requests.chunk_by_mut(|one, other| one.time == other.time) {
            same.sort_unstable_by(by_time);
        }
        Self {
            n_lines: requests.len() as u64,
            requests,
            dropped: Vec::new(),
        }
    }

    /// Returns the number of lines that were not counted.
    pub fn n_dropped(&self) -> u64 {
        self.n_lines.saturating_sub(self.requests.len() as u64)
    }
}

impl Reason {
    /// Returns the code for `--explain` and JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::Replayed => "sidechain-replay",
            Self::Sidechain => "sidechain-copy",
            Self::Smaller => "smaller-total",
            Self::NoSpeed => "no-speed",
            Self::OtherSession => "copy-in-other-session",
            Self::OtherFile => "copy-in-other-file",
            Self::Repeated => "repeated-line",
        }
    }

    /// Compares a line with the one that counts instead of it.
    fn of(lost: &Request, kept: &Request) -> Self {
        if lost.is_sidechain && lost.request != kept.request {
            Self::Replayed
        } else if lost.is_sidechain && !kept.is_sidechain {
            Self::Sidechain
        } else if lost.tokens.total() < kept.tokens.total() {
            Self::Smaller
        } else if lost.speed.is_none() && kept.speed.is_some() {
            Self::NoSpeed
        } else if lost.session != kept.session {
            Self::OtherSession
        } else if lost.file != kept.file {
            Self::OtherFile
        } else {
            Self::Repeated
        }
    }
}

impl Ledger {
    /// Finds the requests behind all lines that were added.
    ///
    /// They have no ids, unless the ledger was made to explain itself.
    pub fn settle(self) -> Account {
        let n_lines = self.n_lines;
        let account = match self.keeps_copies {
            true => self.explained(),
            false => self.summed(),
        };
        Account { n_lines, ..account }
    }

    fn summed(self) -> Account {
        let mut heads = self.heads().into_iter().zip(0..);
        let mut requests = self.winners;
        requests.retain(|_| heads.next().is_some_and(|(head, place)| head == place));
        Account::of_settled(requests)
    }

    fn explained(self) -> Account {
        let heads = self.heads();
        let head_of = |place: u32| heads.get(place as usize).copied().unwrap_or(place);
        let (mut kept, mut lost) = (Vec::new(), self.losers);
        for (request, place) in self.winners.into_iter().zip(0..) {
            match head_of(place) == place {
                true => kept.push((place, request)),
                false => lost.push((place, request)),
            }
        }
        kept.sort_unstable_by(|(_, one), (_, other)| by_time(one, other));
        let places = kept.iter().map(|(place, _)| *place).zip(0..);
        let ranks: HashMap<u32, usize> = places.collect();
        let requests: Vec<Request> = kept.into_iter().map(|(_, request)| request).collect();
        let dropped = lost.into_iter().filter_map(|(place, request)| {
            let kept = *ranks.get(&head_of(place))?;
            let reason = Reason::of(&request, requests.get(kept)?);
            Some(Dropped {
                request,
                reason,
                kept,
            })
        });
        let mut dropped: Vec<Dropped> = dropped.collect();
        dropped.sort_unstable_by(|one, other| {
            let by_kept = one.kept.cmp(&other.kept);
            by_kept.then_with(|| by_time(&one.request, &other.request))
        });
        Account {
            requests,
            dropped,
            n_lines: 0,
        }
    }
}

fn by_time(one: &Request, other: &Request) -> Ordering {
    one.time
        .cmp(&other.time)
        .then_with(|| one.session.cmp(&other.session))
        .then_with(|| one.file.cmp(&other.file))
        .then_with(|| one.offset.cmp(&other.offset))
        .then_with(|| rank(one, other))
}
