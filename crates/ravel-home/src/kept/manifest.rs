//! What a kept file says: a few lines of text, with a checksum over them.
//!
//! ```text
//! ravel-kept 1
//! size 1834
//! modified 1763184914.250000000
//! changed 1763184914.260000000
//! inode 5242913
//! end line
//! chunk 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 1834
//! check 60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752
//! ```
//!
//! The hash of each chunk and the checksum over their list vouch for the whole file, so there is
//! no hash of the whole: it could not be carried on when a file grows.

use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// No chunk is larger. A kept file that says so is not one of ours, and is not believed.
pub const LARGEST_CHUNK: u64 = 16 << 20;

/// More than the chunks of a terabyte need.
const LARGEST_MANIFEST: u64 = 256 << 20;

const FIRST_LINE: &str = "ravel-kept 1";

/// What a kept file says about the file it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The size of the file in bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: SystemTime,
    /// What else tells whether it has been touched since.
    pub stamp: Stamp,
    /// Whether the last line has no end: the client may have been writing it.
    pub is_open_ended: bool,
    /// What makes up the file, in order.
    pub chunks: Vec<ChunkRef>,
}

/// What changes when a file is replaced or its times are set back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stamp {
    /// The number of the file on its disk; 0 where there is none.
    pub inode: u64,
    /// When anything about the file was last changed, in nanoseconds of the epoch; 0 where that
    /// is not known.
    pub changed_ns: i128,
}

/// A piece of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkRef {
    /// Its name, which is the hash of its bytes.
    pub id: ChunkId,
    /// How many bytes it has.
    pub length: u64,
}

/// The SHA-256 of the bytes of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId(pub [u8; 32]);

impl ChunkId {
    /// Reads 64 hex digits.
    pub fn parse(text: &str) -> Option<Self> {
        let mut id = [0; 32];
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        for (number, byte) in id.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * number..2 * number + 2)?, 16).ok()?;
        }
        Some(Self(id))
    }
}

impl fmt::Display for ChunkId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for ChunkId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Manifest {
    /// Reads a kept file.
    pub fn load(path: &Path) -> io::Result<Self> {
        let mut bytes = Vec::new();
        let file = File::open(path)?;
        file.take(LARGEST_MANIFEST).read_to_end(&mut bytes)?;
        Self::parse(&bytes).map_err(|problem| {
            let what = format!("the kept file {problem}");
            io::Error::new(io::ErrorKind::InvalidData, what)
        })
    }

    /// Understands the text of a kept file, or says as a fragment what is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<Self, &'static str> {
        const DAMAGED: &str = "is damaged";
        let text = std::str::from_utf8(bytes).map_err(|_| DAMAGED)?;
        if !text.starts_with("ravel-kept ") {
            return Err("is not one of Ravel's");
        }
        if text.lines().next() != Some(FIRST_LINE) {
            return Err("has a form that this version of Ravel does not know");
        }
        let (body, sum) = checked(text).ok_or(DAMAGED)?;
        if ChunkId::of(body.as_bytes()) != sum {
            return Err(DAMAGED);
        }
        let manifest = Self::parse_body(body).ok_or(DAMAGED)?;
        let n_bytes = manifest.chunks.iter().map(|chunk| chunk.length);
        let is_sound = n_bytes
            .clone()
            .all(|length| (1..=LARGEST_CHUNK).contains(&length));
        if !is_sound || n_bytes.sum::<u64>() != manifest.size {
            return Err(DAMAGED);
        }
        Ok(manifest)
    }

    fn parse_body(body: &str) -> Option<Self> {
        let mut manifest = Self {
            size: 0,
            modified: UNIX_EPOCH,
            stamp: Stamp::default(),
            is_open_ended: false,
            chunks: Vec::new(),
        };
        for line in body.lines().skip(1) {
            let (key, value) = line.split_once(' ')?;
            match key {
                "size" => manifest.size = value.parse().ok()?,
                "modified" => manifest.modified = time_of(parse_ns(value)?)?,
                "changed" => manifest.stamp.changed_ns = parse_ns(value)?,
                "inode" => manifest.stamp.inode = value.parse().ok()?,
                "end" => manifest.is_open_ended = value == "open",
                "chunk" => {
                    let (id, length) = value.split_once(' ')?;
                    manifest.chunks.push(ChunkRef {
                        id: ChunkId::parse(id)?,
                        length: length.parse().ok()?,
                    });
                }
                // A later version may say more.
                _ => {}
            }
        }
        Some(manifest)
    }

    /// Writes the text of a kept file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\nsize {}\n", self.size);
        let end = if self.is_open_ended { "open" } else { "line" };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "modified {}\nchanged {}\ninode {}\nend {end}\n",
            Seconds(ns_of(self.modified)),
            Seconds(self.stamp.changed_ns),
            self.stamp.inode,
        );
        for chunk in &self.chunks {
            let _ = writeln!(text, "chunk {} {}", chunk.id, chunk.length);
        }
        let sum = ChunkId::of(text.as_bytes());
        let _ = writeln!(text, "check {sum}");
        text
    }

    /// Where each chunk starts in the file.
    pub fn starts(&self) -> impl Iterator<Item = u64> {
        self.chunks.iter().scan(0, |end, chunk| {
            let start = *end;
            *end += chunk.length;
            Some(start)
        })
    }
}

/// The text that the checksum at its end is about.
fn checked(text: &str) -> Option<(&str, ChunkId)> {
    let without_end = text.strip_suffix('\n')?;
    let last = without_end.rfind('\n')? + 1;
    let sum = without_end.get(last..)?.strip_prefix("check ")?;
    Some((text.get(..last)?, ChunkId::parse(sum)?))
}

/// Nanoseconds, written as seconds.
struct Seconds(i128);

const SECOND: i128 = 1_000_000_000;

impl fmt::Display for Seconds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, rest) = (self.0.div_euclid(SECOND), self.0.rem_euclid(SECOND));
        write!(out, "{seconds}.{rest:09}")
    }
}

fn parse_ns(text: &str) -> Option<i128> {
    let (seconds, rest) = text.split_once('.')?;
    let (seconds, rest): (i64, u32) = (seconds.parse().ok()?, rest.parse().ok()?);
    Some(i128::from(seconds) * SECOND + i128::from(rest))
}

fn ns_of(time: SystemTime) -> i128 {
    let signed = |length: Duration| i128::try_from(length.as_nanos()).unwrap_or(i128::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => signed(since),
        Err(before) => -signed(before.duration()),
    }
}

fn time_of(ns: i128) -> Option<SystemTime> {
    let seconds = u64::try_from(ns.unsigned_abs() / SECOND.unsigned_abs()).ok()?;
    let rest = u32::try_from(ns.unsigned_abs() % SECOND.unsigned_abs()).ok()?;
    let length = Duration::new(seconds, rest);
    if ns < 0 {
        UNIX_EPOCH.checked_sub(length)
    } else {
        UNIX_EPOCH.checked_add(length)
    }
}
