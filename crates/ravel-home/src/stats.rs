//! Usage figures that `/stats` keeps in `stats-cache.json`.
//!
//! They are handed out as they are. The client computes them from the session files,
//! and so does Ravel; the cache is only worth a comparison.

use serde_json::Value;

use crate::home::Home;
use crate::json_file::{JsonFileError, load_json};

/// Reads the cache. `None` when `/stats` was never used.
pub fn load_stats(home: &Home) -> Result<Option<Value>, JsonFileError> {
    load_json(&home.stats_cache())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_cache_is_optional_and_may_be_torn() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        assert!(load_stats(&home).unwrap().is_none());
        fs::write(home.stats_cache(), r#"{"totalSessions":3}"#).unwrap();
        assert_eq!(load_stats(&home).unwrap().unwrap()["totalSessions"], 3);
        fs::write(home.stats_cache(), r#"{"totalS"#).unwrap();
        assert!(
            load_stats(&home)
                .unwrap_err()
                .to_string()
                .contains("stats-cache.json")
        );
    }
}
