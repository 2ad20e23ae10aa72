//! Texts that every match of a regular expression has in it.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::literal::{Extractor, Seq};
use regex_syntax::hir::{Hir, HirKind};

use super::query::Case;

/// Returns texts of which each match has at least one; `None` if no such texts are known.
pub(super) fn required(pattern: &str, case: Case) -> Option<Vec<String>> {
    let hir = ParserBuilder::new()
        .case_insensitive(case == Case::Fold)
        .multi_line(true)
        .build()
        .parse(pattern)
        .ok()?;
    let mut best = None;
    choose(&hir, &mut best);
    let texts = best?.texts;
    // What was cut inside a character ends in U+FFFD, which nobody looks for.
    let decode = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
    Some(texts.iter().map(decode).collect())
}

struct Choice {
    texts: Vec<Vec<u8>>,
    worth: usize,
}

/// Takes the most useful texts that the expression or a part of it starts with, where the part
/// cannot be left out.
fn choose(hir: &Hir, best: &mut Option<Choice>) {
    consider(&Extractor::new().extract(hir), best);
    match hir.kind() {
        HirKind::Concat(parts) => parts.iter().for_each(|part| choose(part, best)),
        HirKind::Capture(capture) => choose(&capture.sub, best),
        HirKind::Repetition(repetition) if repetition.min > 0 => choose(&repetition.sub, best),
        _ => {}
    }
}

/// Long texts are rare, and a few of them can be looked for at once.
fn consider(found: &Seq, best: &mut Option<Choice>) {
    const MAX_TEXTS: usize = 512;
    let Some(literals) = found.literals() else {
        return;
    };
    let texts: Vec<Vec<u8>> = literals
        .iter()
        .map(|literal| literal.as_bytes().to_vec())
        .collect();
    let worth = texts.iter().map(Vec::len).min().unwrap_or(0);
    let is_better = best.as_ref().is_none_or(|best| worth > best.worth);
    if worth > 0 && texts.len() <= MAX_TEXTS && is_better {
        *best = Some(Choice { texts, worth });
    }
}
