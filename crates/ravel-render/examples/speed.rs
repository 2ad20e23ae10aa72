//! Prints what highlighting costs: the first use of the grammars, then throughput.
//!
//! `cargo run --release -p ravel-render --example speed`

use std::io::{self, Write as _};
use std::time::Instant;

use ravel_render::code::{Language, highlight};
use ravel_render::html;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let source = include_str!("../src/markdown/flow.rs");
    let start = Instant::now();
    highlight("x", Language::Named("no-such-language"));
    writeln!(out, "load the grammars: {:?}", start.elapsed())?;
    let start = Instant::now();
    highlight("fn a() {}", Language::Named("rust"));
    writeln!(out, "first line of Rust: {:?}", start.elapsed())?;
    for (name, language) in [
        ("Rust", Language::Named("rust")),
        ("plain", Language::Unknown),
    ] {
        let start = Instant::now();
        let size = html::code_html(source, language).0.len();
        let spent = start.elapsed();
        writeln!(out, "{name}: {} bytes to {size} in {spent:?}", source.len())?;
    }
    let prose = "Some *text* with `code` and [a link](https://example.org).\n\n".repeat(2_000);
    let start = Instant::now();
    html::markdown_html(&prose);
    writeln!(out, "prose: {} bytes in {:?}", prose.len(), start.elapsed())
}
