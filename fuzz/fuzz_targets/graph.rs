#![no_main]
//! Any outline becomes a graph whose walks end: cycles, orphans and duplicates included.

use libfuzzer_sys::fuzz_target;
use ravel_format::Outline;
use ravel_model::{Graph, Thread};

fuzz_target!(|bytes: &[u8]| {
    let outline = Outline::from_bytes(bytes);
    let graph = Graph::build(&outline);
    let thread = Thread::main(&graph);
    assert!(thread.visible(&graph).count() <= outline.entries().len());
});
