//! Which sessions a plan belongs to.
//!
//! The client puts the name of its plan into the `slug` of every line it writes from then on, so
//! the end of a session names it, and no session has to be read as a whole.

use std::collections::BTreeMap;
use std::io;

use memchr::memmem;
use ravel_home::{Depth, HEAD_BYTES, Home, Plan, SessionFile, StoredFile, discover};
use rayon::prelude::*;

/// Sessions by the name of a plan.
pub(crate) struct Mentions {
    sessions: BTreeMap<String, Vec<String>>,
}

impl Mentions {
    /// Looks at the end of every session; at nothing when there is no plan to look for.
    pub(crate) fn find(home: &Home, plans: &[Plan]) -> Self {
        let mut mentions = Self {
            sessions: BTreeMap::new(),
        };
        if plans.is_empty() {
            return mentions;
        }
        let is_plan = |slug: &String| plans.iter().any(|plan| plan.name == *slug);
        let found = discover(home, Depth::Sessions);
        let named: Vec<(String, Vec<String>)> = found
            .sessions
            .par_iter()
            // A session that cannot be read mentions nothing; `ravel check` reports it.
            .filter_map(|session| Some((session.session_id.clone(), slugs(session).ok()?)))
            .collect();
        for (session_id, slugs) in named {
            for slug in slugs.into_iter().filter(is_plan) {
                let sessions = mentions.sessions.entry(slug).or_default();
                if sessions.last() != Some(&session_id) {
                    sessions.push(session_id.clone());
                }
            }
        }
        mentions
    }

    /// Returns the ids of the sessions that name a plan.
    pub(crate) fn of(&self, plan: &str) -> &[String] {
        self.sessions
            .get(plan)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }
}

/// Returns the different plan names at the end of a session.
fn slugs(session: &SessionFile) -> io::Result<Vec<String>> {
    const KEY: &[u8] = br#""slug":""#;
    let mut bytes = vec![0; HEAD_BYTES];
    let start = session.size.saturating_sub(HEAD_BYTES as u64);
    let n_read = StoredFile::open(&session.path)?.read_at(&mut bytes, start)?;
    bytes.truncate(n_read);
    let mut slugs: Vec<String> = memmem::find_iter(&bytes, KEY)
        .filter_map(|at| {
            bytes
                .get(at + KEY.len()..)?
                .split(|&byte| byte == b'"')
                .next()
        })
        .map(|slug| String::from_utf8_lossy(slug).into_owned())
        .collect();
    slugs.sort();
    slugs.dedup();
    Ok(slugs)
}
