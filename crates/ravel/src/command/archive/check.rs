//! Whether the archive is whole, and what in it nothing needs.

use std::process::ExitCode;

use ravel_archive::{ArchiveError, Pruned};
use ravel_render::amount;
use ravel_render::style::{Line, Role};
use serde_json::json;

use super::{existing, failure, findings_json, lock};
use crate::context::Context;
use crate::failure::Failure;
use crate::finding::report_findings;
use crate::progress::Bar;

/// Reads everything. The exit code is 1 when something is wrong.
pub(super) fn verify(context: &Context) -> Result<ExitCode, Failure> {
    let archive = existing(context)?;
    let bar = Bar::new("reading");
    let verified = match archive.try_lock() {
        // On a disk that cannot be written, reading is all that can be done.
        Err(ArchiveError::Write { .. }) => archive.verify(&bar),
        Ok(Some(lock)) => archive.verify_and_put_aside(&lock, &bar),
        Ok(None) | Err(_) => archive.verify_and_put_aside(&lock(&archive)?, &bar),
    };
    let verified = verified.map_err(|error| failure(&error))?;
    drop(bar);
    let is_wrong = !verified.findings.is_empty();
    if context.json() {
        context.print_json(&json!({
            "archive": archive.root(),
            "files": verified.n_files,
            "bytes": verified.n_bytes,
            "chunks": verified.n_chunks,
            "stored_bytes": verified.n_stored_bytes,
            "unneeded_chunks": verified.n_unneeded,
            "put_aside_chunks": verified.n_put_aside,
            "strays": verified.n_strays,
            "findings": findings_json(&verified.findings),
        }))?;
        return Ok(ExitCode::from(u8::from(is_wrong)));
    }
    report_findings(&verified.findings);
    let contents = format!(
        "{} of {} in {} on disk",
        amount::counted(verified.n_files, "file"),
        amount::bytes(verified.n_bytes),
        amount::bytes(verified.n_stored_bytes),
    );
    let mut lines = vec![Line::of(&contents, Role::Plain)];
    if verified.n_unneeded > 0 {
        let unneeded = amount::counted(verified.n_unneeded, "chunk");
        let text = format!("{unneeded} that nothing needs; `ravel archive prune` removes them");
        lines.push(Line::of(&text, Role::Muted));
    }
    lines.extend(strays(verified.n_strays));
    if verified.n_put_aside > 0 {
        let chunks = amount::counted(verified.n_put_aside, "damaged chunk");
        lines.push(Line::of(&format!("{chunks} put aside"), Role::Plain));
    }
    lines.push(match is_wrong {
        false => Line::of("everything is as it was archived", Role::Plain),
        true => Line::of(
            "what is damaged comes back with the next `ravel archive`, if it is still in the home",
            Role::Warning,
        ),
    });
    context.print_lines(&lines)?;
    Ok(ExitCode::from(u8::from(is_wrong)))
}

/// Removes what nothing needs. The exit code is 1 when damage prevents that.
pub(super) fn prune(context: &Context) -> Result<ExitCode, Failure> {
    let archive = existing(context)?;
    let lock = lock(&archive)?;
    let pruned = archive.prune(&lock, &()).map_err(|error| failure(&error))?;
    let findings = pruned.as_ref().err().map(Vec::as_slice).unwrap_or_default();
    let is_wrong = pruned.is_err();
    let removed: Pruned = pruned.as_ref().ok().copied().unwrap_or_default();
    if context.json() {
        context.print_json(&json!({
            "archive": archive.root(),
            "chunks": removed.n_chunks,
            "bytes": removed.n_bytes,
            "strays": removed.n_strays,
            "findings": findings_json(findings),
        }))?;
        return Ok(ExitCode::from(u8::from(is_wrong)));
    }
    report_findings(findings);
    let text = match is_wrong {
        true => "nothing was removed: nobody knows what the damaged files need".to_owned(),
        false => format!(
            "removed {}, {}",
            amount::counted(removed.n_chunks, "chunk"),
            amount::bytes(removed.n_bytes)
        ),
    };
    let mut lines = vec![Line::of(&text, Role::Plain)];
    lines.extend(strays(removed.n_strays));
    context.print_lines(&lines)?;
    Ok(ExitCode::from(u8::from(is_wrong)))
}

/// Says that there are other things among the chunks, if there are.
fn strays(n_strays: u64) -> Option<Line> {
    let things = amount::counted(n_strays, "thing");
    let text = format!("{things} among the chunks not made by Ravel, left alone");
    (n_strays > 0).then(|| Line::of(&text, Role::Muted))
}
