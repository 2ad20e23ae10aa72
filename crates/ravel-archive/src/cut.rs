//! Where a file is cut into chunks.
//!
//! A cut depends only on the bytes since the cut before it, and stands at the end of a line
//! whose hash says so. So a file that grows keeps all its chunks but the last, and two files with
//! the same lines soon share chunks, whatever stands before them.

use memchr::memchr;

/// No chunk but the last of a file is smaller.
pub(crate) const SMALLEST: usize = 256 << 10;

/// No chunk is larger. Lines of many megabytes are cut wherever that is.
pub(crate) const LARGEST: usize = 4 << 20;

/// About how many bytes follow the smallest size before a cut. A line is the last of its chunk
/// with a chance of its length out of these, so that short and long lines give the same sizes.
const SPREAD: u64 = 768 << 10;

/// Returns the length of the first chunk of some bytes. They must be either at least
/// [`LARGEST`] or all there is, or else a file that grows would be cut otherwise.
pub(crate) fn first_chunk(bytes: &[u8]) -> usize {
    let most = bytes.len().min(LARGEST);
    let bytes = bytes.get(..most).unwrap_or(bytes);
    let (mut start, mut last_line) = (0, None);
    while let Some(rest) = bytes.get(start..)
        && let Some(length) = memchr(b'\n', rest)
    {
        let end = start + length + 1;
        if end >= SMALLEST {
            let line = bytes.get(start..end).unwrap_or_default();
            if is_last(line) {
                return end;
            }
            last_line = Some(end);
        }
        start = end;
    }
    match last_line {
        Some(end) if most == LARGEST => end,
        _ => most,
    }
}

fn is_last(line: &[u8]) -> bool {
    let chance = ((hash(line) >> 32) * SPREAD) >> 32;
    chance < line.len() as u64
}

/// Mixes the bytes of a line. It only has to be quick, even, and the same for ever: other cuts
/// would store everything again.
fn hash(line: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = line.as_chunks::<8>();
    let mix = |sum: u64, word: u64| {
        let product = (sum ^ word).wrapping_mul(FACTOR);
        product ^ (product >> 29)
    };
    let sum = words.iter().fold(line.len() as u64, |sum, word| {
        mix(sum, u64::from_le_bytes(*word))
    });
    let sum = rest
        .iter()
        .fold(sum, |sum, &byte| mix(sum, u64::from(byte)));
    mix(sum, FACTOR)
}

#[cfg(test)]
mod tests;
