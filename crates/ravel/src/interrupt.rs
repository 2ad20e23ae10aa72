//! Ctrl-C and friends.
//!
//! In a pager Ctrl-C stops a search, so the program behind it must not end. Anywhere else it ends
//! the program, and a sample home that was unpacked for it goes too, which no destructor would
//! see to.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

static IN_PAGER: AtomicBool = AtomicBool::new(false);
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Leaves Ctrl-C to the pager from now on.
pub(crate) fn leave_to_pager() {
    IN_PAGER.store(true, Ordering::Relaxed);
    handle();
}

/// Removes a folder when the program is ended from outside.
pub(crate) fn remove_on_end(folder: PathBuf) {
    if let Ok(mut temporary) = TEMPORARY.lock() {
        *temporary = Some(folder);
    }
    handle();
}

fn handle() {
    // A second handler is refused, and the first does for both.
    let _ = ctrlc::set_handler(|| {
        if IN_PAGER.load(Ordering::Relaxed) {
            return;
        }
        let folder = TEMPORARY
            .lock()
            .ok()
            .and_then(|mut temporary| temporary.take());
        if let Some(folder) = folder {
            let _ = std::fs::remove_dir_all(folder);
        }
        // As shells say it: ended by signal 2.
        std::process::exit(130);
    });
}
