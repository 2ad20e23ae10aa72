//! The files of a session while they grow.

use std::collections::{HashSet, VecDeque};
use std::path::Path;

use ravel_format::{Entry, Id, Outline, Place, Source, lines_from};
use ravel_home::{Chunk, Finding, SessionBytes, SessionFile, Tail, TailEvent, Target, agents_of};
use ravel_model::{AgentMeta, Transcript};

use crate::failure::Failure;
use crate::finding::report_findings;
use crate::open::agent_meta;

/// The main file and those of its agents.
pub(crate) struct Following {
    /// Whose agents are looked for; `None` for an agent that is followed by itself.
    session: Option<SessionFile>,
    files: Vec<Followed>,
    /// What was read so far, one for each file.
    pub(crate) transcripts: Vec<Transcript>,
    /// How much of what is there already is shown.
    n_backlog: usize,
    /// What was said to be unreadable.
    reported: Vec<Finding>,
}

/// One file.
struct Followed {
    tail: Tail,
    n_lines: u64,
    /// How many entries were handed out.
    n_entries: usize,
    /// How much of the next news is shown, counted from its end.
    n_shown: usize,
    /// The ids that were handed out: a record that is written twice is shown once.
    seen: HashSet<Id>,
}

/// What is new in one file.
pub(crate) struct News {
    /// Which file; 0 is the main one.
    pub(crate) part: usize,
    /// The file was cut or replaced: what was shown of it is void.
    pub(crate) is_reset: bool,
    /// New entries, in order.
    pub(crate) entries: Vec<usize>,
    /// How many messages of them are shown, counted from the end.
    pub(crate) n_shown: usize,
}

impl Following {
    /// Starts with the last messages of a session and nothing of its agents.
    pub(crate) fn new(target: Target, n_backlog: usize) -> Self {
        let mut following = Self {
            session: None,
            files: Vec::new(),
            transcripts: Vec::new(),
            n_backlog,
            reported: Vec::new(),
        };
        following.add(target.path(), None, n_backlog);
        if let Target::Session(session) = target {
            following.session = Some(session);
            following.add_agents(0);
        }
        following
    }

    /// Looks for agents that have started; what they wrote is all news.
    pub(crate) fn find_agents(&mut self) {
        self.add_agents(usize::MAX);
    }

    fn add_agents(&mut self, n_shown: usize) {
        let Some(session) = &mut self.session else {
            return;
        };
        // The folder of the session is made with its first agent.
        let companion = session.path.with_extension("");
        session.companion = companion.is_dir().then_some(companion);
        let found = agents_of(session);
        self.report(found.findings);
        for agent in found.items {
            let is_known = |file: &Followed| file.tail.path() == agent.path;
            if !self.files.iter().any(is_known) {
                let (meta, finding) = agent_meta(&agent);
                self.report(finding);
                self.add(&agent.path, Some(meta), n_shown);
            }
        }
    }

    fn add(&mut self, path: &Path, agent: Option<AgentMeta>, n_shown: usize) {
        self.files.push(Followed {
            tail: Tail::from_start(path),
            n_lines: 0,
            n_entries: 0,
            n_shown,
            seen: HashSet::new(),
        });
        self.transcripts.push(Transcript {
            outline: Outline::default(),
            source: Box::new(Vec::new()),
            agent,
        });
    }

    /// Reads what was added to the files.
    pub(crate) fn look(&mut self) -> Result<Vec<News>, Failure> {
        let mut news = Vec::new();
        let files = self.files.iter_mut().zip(&mut self.transcripts);
        for (part, (file, transcript)) in files.enumerate() {
            let is_reset = file.read(transcript, self.n_backlog)?;
            let entries = file.take_entries(&transcript.outline);
            // Only what is there at the first look is old.
            let n_shown = std::mem::replace(&mut file.n_shown, usize::MAX);
            if is_reset || !entries.is_empty() {
                news.push(News {
                    part,
                    is_reset,
                    entries,
                    n_shown,
                });
            }
        }
        Ok(news)
    }

    /// Returns the lines that were added to the files, in the order of the files.
    pub(crate) fn look_at_lines(&mut self) -> Result<VecDeque<Vec<u8>>, Failure> {
        let mut all = VecDeque::new();
        for file in &mut self.files {
            all.append(&mut file.lines()?);
        }
        Ok(all)
    }

    /// Fails when a text could not be read after all.
    pub(crate) fn check_read(&self) -> Result<(), Failure> {
        for (file, transcript) in self.files.iter().zip(&self.transcripts) {
            if let Some(error) = transcript.source.take_error() {
                let path = file.tail.path().display();
                return Err(Failure::io(format_args!("read {path}"), &error));
            }
        }
        Ok(())
    }

    /// Says what could not be read, once: the folders are looked at again and again.
    fn report(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            if !self.reported.contains(&finding) {
                report_findings([&finding]);
                self.reported.push(finding);
            }
        }
    }
}

impl Followed {
    /// Looks once; `None` when there is nothing more to read for now.
    fn poll(&mut self) -> Result<Option<TailEvent>, Failure> {
        let place = |tail: &Tail| tail.offset() + tail.pending().len() as u64;
        let before = place(&self.tail);
        let path = self.tail.path().display().to_string();
        let event = self
            .tail
            .poll()
            .map_err(|error| Failure::io(format_args!("follow {path}"), &error))?;
        // A line of many megabytes comes in pieces, none of which completes it.
        let is_stuck = place(&self.tail) == before;
        let is_over = matches!(event, TailEvent::Idle | TailEvent::Missing) && is_stuck;
        Ok((!is_over).then_some(event))
    }

    /// Returns the lines that were added, no more of the old ones than are wanted.
    fn lines(&mut self) -> Result<VecDeque<Vec<u8>>, Failure> {
        let mut lines = VecDeque::new();
        while let Some(event) = self.poll()? {
            if let TailEvent::Lines(chunk) = event {
                let added = chunk.bytes.split_inclusive(|&byte| byte == b'\n');
                lines.extend(added.map(<[u8]>::to_vec));
                let surplus = lines.len().saturating_sub(self.n_shown);
                lines.drain(..surplus);
            }
        }
        self.n_shown = usize::MAX;
        Ok(lines)
    }

    /// Reads all there is; tells whether the file was replaced.
    fn read(&mut self, transcript: &mut Transcript, n_backlog: usize) -> Result<bool, Failure> {
        let mut is_reset = false;
        loop {
            match self.poll()? {
                Some(TailEvent::Lines(chunk)) => self.accept(&chunk, transcript),
                Some(TailEvent::Reset) => {
                    is_reset = true;
                    self.n_lines = 0;
                    self.n_entries = 0;
                    self.n_shown = n_backlog;
                    self.seen.clear();
                    transcript.outline = Outline::default();
                }
                Some(_) => {}
                None => return Ok(is_reset),
            }
        }
    }

    fn accept(&mut self, chunk: &Chunk, transcript: &mut Transcript) {
        if self.n_lines == 0 {
            transcript.source = open(self.tail.path());
        }
        let place = Place {
            offset: chunk.offset,
            line: self.n_lines + 1,
        };
        for line in lines_from(&chunk.bytes, place) {
            self.n_lines += 1;
            transcript.outline.add_line(&line);
        }
    }

    /// Returns the entries that were not handed out yet.
    fn take_entries(&mut self, outline: &Outline) -> Vec<usize> {
        let all = outline.entries();
        let first = std::mem::replace(&mut self.n_entries, all.len());
        let mut is_new = |entry: &Entry| entry.uuid.is_none_or(|uuid| self.seen.insert(uuid));
        (first..all.len())
            .filter(|&index| all.get(index).is_some_and(&mut is_new))
            .collect()
    }
}

/// Opens a file for its texts; one that is gone again has none.
fn open(path: &Path) -> Box<dyn Source + Send> {
    match SessionBytes::open(path) {
        Ok(bytes) => Box::new(bytes),
        Err(_) => Box::new(Vec::new()),
    }
}
