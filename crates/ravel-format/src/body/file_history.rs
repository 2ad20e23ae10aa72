//! Which versions of which files belong to a prompt.
//!
//! The versions themselves are files under `file-history/`; these records only name them.

use crate::json::JsonText;
use crate::timestamp::Timestamp;
use crate::view::{Map, view};

view! {
    /// A snapshot at a prompt, or an update of one.
    FileHistorySnapshot<'a> {
        /// The prompt; for an update, the assistant record that edits.
        message_id: JsonText<'a> = "messageId",
        snapshot: Snapshot<'a> = "snapshot",
        is_snapshot_update: bool = "isSnapshotUpdate",
    }

    /// The files of a snapshot.
    Snapshot<'a> {
        /// The prompt, also in updates.
        message_id: JsonText<'a> = "messageId",
        /// Backups by path: relative to the working folder, absolute outside of it.
        tracked_file_backups: Map<'a, Backup<'a>> = "trackedFileBackups",
        timestamp: Timestamp = "timestamp",
    }

    /// One version of a file.
    Backup<'a> {
        /// `None` where the file did not exist.
        backup_file_name: JsonText<'a> = "backupFileName",
        version: u64 = "version",
        backup_time: Timestamp = "backupTime",
        real_parent_dir: JsonText<'a> = "realParentDir",
    }

    /// One more version under a snapshot, since 2.1.325.
    FileHistoryDelta<'a> {
        /// The assistant record that edits.
        message_id: JsonText<'a> = "messageId",
        /// The prompt.
        snapshot_message_id: JsonText<'a> = "snapshotMessageId",
        tracking_path: JsonText<'a> = "trackingPath",
        backup: Backup<'a> = "backup",
        timestamp: Timestamp = "timestamp",
    }
}
