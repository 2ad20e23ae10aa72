#![no_main]
//! Any line becomes records, and any file an outline, without a panic.

use libfuzzer_sys::fuzz_target;
use ravel_format::{Outline, lines, parse_line};

fuzz_target!(|bytes: &[u8]| {
    for line in lines(bytes) {
        for record in parse_line(&line) {
            let _ = (
                record.kind(),
                record.type_text().map(|text| text.decode().len()),
            );
        }
    }
    let outline = Outline::from_bytes(bytes);
    assert_eq!(outline.n_bytes(), bytes.len() as u64);
});
