#![no_main]
//! Any bytes split into lines that put together again are the same bytes.

use libfuzzer_sys::fuzz_target;
use ravel_format::lines;

fuzz_target!(|bytes: &[u8]| {
    let mut again = Vec::with_capacity(bytes.len());
    for line in lines(bytes) {
        again.extend_from_slice(line.bytes);
        again.extend_from_slice(line.ending.bytes());
    }
    assert_eq!(again, bytes);
});
