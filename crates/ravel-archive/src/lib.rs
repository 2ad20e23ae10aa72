//! Keeps a compressed copy of sessions, and puts them back.
//!
//! Claude Code deletes a session some weeks after it was last written. An [`Archive`] is a folder
//! that mirrors the home: for each file a small kept file, which names the chunks that make it
//! up; each chunk is stored once, however many files share it. [`Archive::keep`] brings the
//! archive up to date, [`Archive::restore`] puts the files of a session back,
//! [`Archive::verify`] reads everything there is, [`Archive::prune`] removes what no file needs.
//!
//! What was archived stays: a file that was cut or rewritten is kept in its earlier form too. A
//! process that is killed anywhere leaves a whole archive and perhaps some bytes that the next
//! run removes. The home is only read, except by a restore; what that replaces is kept first.
//!
//! Reading kept files is `ravel-home`'s part, so that every reader can do it. There is no index
//! and no daemon here, and nothing is ever deleted from the home.
//!
//! ```
//! use ravel_archive::{Archive, Selection};
//! use ravel_home::Home;
//!
//! # let folder = tempfile::tempdir()?;
//! # let project = folder.path().join("claude/projects/-srv-shop");
//! # std::fs::create_dir_all(&project)?;
//! # std::fs::write(project.join("5f0c7a52-3c4e-4a57-9d38-0a4b8a1f2c11.jsonl"), "{}\n")?;
//! let home = Home::at(folder.path().join("claude"));
//! let archive = Archive::at(folder.path().join("archive"));
//! let lock = archive.lock()?;
//! let summary = archive.keep(&lock, &home, &Selection::Everything, &())?;
//! assert_eq!((summary.n_sessions, summary.n_new), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod atomic;
mod belonging;
mod cut;
mod file;
mod keep;
mod prune;
mod restore;
mod store;
mod verify;
mod walk;

pub use archive::{Archive, ArchiveError, Lock, Progress};
pub use keep::{Selection, Summary};
pub use prune::Pruned;
pub use restore::{
    Existing, RestoreError, RestoreRequest, RestoreState, Restored, RestoredFile, Times, Version,
};
pub use verify::Verified;
