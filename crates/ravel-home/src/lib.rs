//! Knows the Claude Code folder on disk.
//!
//! Sessions live as append-only JSONL files under `~/.claude`, with a ring of
//! small files around them: sub-agent transcripts, titles, todos, plans, pasted
//! text, earlier versions of edited files, settings. This crate finds them, reads
//! them, follows them while they grow, and is the only place that appends to them.
//!
//! The principal types are [`Home`] (where everything is), [`Discovery`] (what is
//! there), [`SessionHead`] (what a listing shows, from the first and last 64 KiB),
//! and [`Tail`] (one growing file). Content is never an error: a file that cannot
//! be understood becomes a [`Finding`] beside the things that could.
//!
//! It deliberately does not build conversations (that is `ravel-model`), and it
//! never maps files into memory: a live file may be cut short under a reader.
//!
//! ```
//! use ravel_home::{Depth, Home, discover, list_heads};
//!
//! # let folder = tempfile::tempdir()?;
//! # let project = folder.path().join("projects/-srv-shop");
//! # std::fs::create_dir_all(&project)?;
//! # std::fs::write(
//! #     project.join("5f0c7a52-3c4e-4a57-9d38-0a4b8a1f2c11.jsonl"),
//! #     concat!(r#"{"type":"user","cwd":"/srv/shop","message":{"role":"user","content":"Add a cart"}}"#, "\n"),
//! # )?;
//! let home = Home::at(folder.path());
//! let found = discover(&home, Depth::Sessions);
//! let listing = list_heads(&found.sessions);
//! assert_eq!(listing.items[0].title, "Add a cart");
//! # Ok::<(), std::io::Error>(())
//! ```

mod append;
mod debug_log;
mod discover;
mod file_history;
mod finding;
mod head;
mod history;
mod home;
mod identity;
mod json_file;
mod kept;
mod load;
mod lossy_json;
mod paste;
mod plans;
mod positional;
mod resolve;
mod settings;
mod sidecar;
mod slug;
mod stats;
mod tail;
mod tasks;
mod todos;
mod watch;

pub use append::{AppendError, Appender, append_line, rename_session, tag_session};
pub use debug_log::{DebugLog, debug_log, debug_logs, latest_debug_log};
pub use discover::{
    AgentFile, AgentLayout, Depth, Discovery, Project, ProjectKind, SessionFile, agent_session_id,
    agents_of, discover, discover_with_archive,
};
pub use file_history::{FileVersion, TrackedFile, file_versions, hash_of, read_version};
pub use finding::{Finding, Listing};
pub use head::{HEAD_BYTES, SessionHead, UNTITLED, list_heads, read_head};
pub use history::{HistoryEntry, HistoryLine, HistoryReader, PastedContent, open_history};
pub use home::{Home, HomeError, HomeOrigin};
pub use identity::Identity;
pub use json_file::JsonFileError;
pub use kept::{
    ARCHIVE_MARK, ChunkId, ChunkRef, KEPT_SUFFIX, Kept, LARGEST_CHUNK, Manifest, Stamp, StoredFile,
    chunk_path, is_kept, kept_path, mirror_of, unpack_chunk,
};
pub use load::{SessionBytes, load_outline};
pub use paste::{load_paste, paste_hash};
pub use plans::{Plan, list_plans, load_plan};
pub use positional::read_at;
pub use resolve::{Candidate, ResolveError, Scope, Target, latest, resolve};
pub use settings::{
    Setting, Settings, SettingsFile, SettingsLayer, SettingsPaths, SettingsSource, load_settings,
};
pub use sidecar::{
    AgentMeta, IndexEntry, SessionsIndex, ToolResultFile, custom_title, load_agent_meta,
    load_sessions_index, tool_results,
};
pub use slug::{
    conversation_name, existing_paths, find_project_dirs, is_uuid, path_guess, slug_of, slugs_of,
};
pub use stats::load_stats;
pub use tail::{Chunk, Tail, TailEvent};
pub use tasks::{Task, list_tasks};
pub use todos::{Todo, TodoList, list_todos};
pub use watch::{Change, ChangeKind, WatchError, WatchOptions, Watcher};
