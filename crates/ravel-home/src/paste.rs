//! Pasted text: `paste-cache/<hash>.txt`, named in `history.jsonl` by its hash.

use std::fs;
use std::io;

use sha2::{Digest, Sha256};

use crate::home::{Home, is_plain_name};

/// The name of a pasted text: the first 16 hex digits of its SHA-256.
pub fn paste_hash(text: &str) -> String {
    short_hash(text.as_bytes())
}

/// Reads a pasted text by its hash. `None` when it is no longer kept.
pub fn load_paste(home: &Home, content_hash: &str) -> io::Result<Option<String>> {
    if !is_plain_name(content_hash) {
        return Ok(None);
    }
    match fs::read(home.paste_cache().join(format!("{content_hash}.txt"))) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The first 16 hex digits of a SHA-256, which the client uses for several names.
pub(crate) fn short_hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_is_found_by_the_hash_of_its_text() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        assert_eq!(paste_hash("abc"), "ba7816bf8f01cfea");
        fs::create_dir_all(home.paste_cache()).unwrap();
        fs::write(home.paste_cache().join("ba7816bf8f01cfea.txt"), "abc").unwrap();
        assert_eq!(
            load_paste(&home, &paste_hash("abc")).unwrap().as_deref(),
            Some("abc")
        );
        assert_eq!(load_paste(&home, "0000000000000000").unwrap(), None);
        assert_eq!(load_paste(&home, "../settings").unwrap(), None);
    }
}
