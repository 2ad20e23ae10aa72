//! Copies of one message in several files.

use ravel_format::{Json, JsonText, Record, Timestamp};

use super::passages;

/// What copies of one message have in common: equal keys are copies.
///
/// It is the same in every version of Ravel, so that it can be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CopyKey(u128);

impl CopyKey {
    /// Returns the key as bytes.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// Returns the key with these bytes.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(bytes))
    }
}

/// Returns what copies of a record have in common: the id of the first of them, or else its time,
/// type and texts.
pub fn copy_key(record: &Record<'_>) -> CopyKey {
    let mut own = None;
    let mut first = None;
    let mut time = None;
    for (key, value) in record.json.into_iter().flat_map(Json::entries) {
        match key.escaped() {
            b"uuid" => own = value.text(),
            b"forkedFrom" => first = value.get("messageUuid").and_then(Json::text),
            b"timestamp" => time = Timestamp::from_json(value),
            _ => {}
        }
    }
    let is_id = |id: &JsonText<'_>| !id.is_empty();
    match first.filter(is_id).or(own.filter(is_id)) {
        Some(id) => of_id(&id.decode()),
        None => of_text(record, time),
    }
}

fn of_id(id: &str) -> CopyKey {
    let digits: String = id.chars().filter(|&one| one != '-').collect();
    let is_uuid = id.len() == 36 && digits.len() == 32;
    let number = is_uuid.then(|| u128::from_str_radix(&digits, 16).ok());
    let of_words = || Hash::default().with(b"id").with(id.as_bytes()).key();
    number.flatten().map_or_else(of_words, CopyKey)
}

fn of_text(record: &Record<'_>, time: Option<Timestamp>) -> CopyKey {
    let time = time.map_or(i64::MIN, |time| time.0);
    let kind = record.type_text().map(JsonText::decode).unwrap_or_default();
    let mut hash = Hash::default()
        .with(b"text")
        .with(&time.to_be_bytes())
        .with(kind.as_bytes());
    for passage in passages(record) {
        hash = hash.with(passage.text.as_bytes());
    }
    hash.key()
}

/// FNV-1a in 128 bits: simple, and the same forever.
struct Hash(u128);

impl Default for Hash {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Hash {
    /// Adds some bytes and their number, so that parts cannot run into each other.
    fn with(self, bytes: &[u8]) -> Self {
        let length = (bytes.len() as u64).to_be_bytes();
        let all = bytes.iter().chain(&length);
        Self(all.fold(self.0, |hash, &byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        }))
    }

    fn key(self) -> CopyKey {
        CopyKey(self.0)
    }
}
