//! First layer: every line becomes one whole record.

use ravel_format::{Ending, Json, Line, Outline, Record, Source, Span, TextFlaws, parse_line};

use crate::check::for_each_line;

use super::close::close;
use super::layer::{Piece, push_lines};
use super::splice::mend_text;
use super::{ActionKind, Changes, action};

/// Mends the lines of a file.
pub(super) fn mend_lines(outline: &Outline, source: &dyn Source) -> Changes {
    let mut changes = Changes::default();
    let mut first_crlf = None;
    let mut n_crlf = 0;
    let mut entries = outline.entries().iter().peekable();
    for_each_line(source, outline.n_bytes(), |line| {
        let mut is_whole = true;
        if line.ending == Ending::CrLf {
            first_crlf.get_or_insert(line.span);
            n_crlf += 1;
        }
        while let Some(entry) = entries.next_if(|entry| u64::from(entry.line) <= line.number) {
            is_whole &= entry.fault.is_none();
        }
        if is_whole && is_clean(line) {
            let len = line.span.len + line.ending.bytes().len() as u64;
            push_lines(&mut changes.pieces, Span { len, ..line.span });
        } else {
            mend_line(&mut changes, line);
        }
    });
    if let Some(first) = first_crlf {
        let words = format!("ended {n_crlf} lines with LF instead of CR LF");
        changes
            .actions
            .push(action(ActionKind::CleanLine, first, words));
    }
    changes
}

fn is_clean(line: &Line<'_>) -> bool {
    let flaws = TextFlaws::of(line.bytes);
    line.ending == Ending::Lf
        && !line.bytes.starts_with(b"\xEF\xBB\xBF")
        && flaws.bad_text.is_none()
        && flaws.bad_utf8.is_none()
}

fn mend_line(changes: &mut Changes, line: &Line<'_>) {
    let records = all_records(line);
    let n_whole = records
        .iter()
        .filter(|record| record.json.is_some())
        .count();
    if n_whole > 1 {
        let words = format!("gave {n_whole} records that shared a line a line each");
        changes
            .actions
            .push(action(ActionKind::SplitLine, line.span, words));
    }
    for record in &records {
        match record.json {
            Some(json) => keep(changes, line, record, json),
            None => close_or_leave_out(changes, record),
        }
    }
}

/// Returns the records of a line, also of one with more than a single reading takes apart.
fn all_records<'a>(line: &Line<'a>) -> Vec<Record<'a>> {
    let mut records = parse_line(line);
    while let Some(rest) =
        records.pop_if(|last| last.json.is_none() && last.raw.len() < line.bytes.len())
    {
        let bytes = rest.raw;
        let more = parse_line(&Line {
            bytes,
            span: rest.span,
            ..*line
        });
        let found_more = more.iter().any(|record| record.json.is_some());
        if !found_more {
            records.push(rest);
            break;
        }
        records.extend(more);
    }
    records
}

/// Keeps the value of a record and nothing around it.
fn keep(changes: &mut Changes, line: &Line<'_>, record: &Record<'_>, json: Json<'_>) {
    let splices = mend_text(json.raw());
    if !splices.is_empty() {
        let words = format!(
            "escaped {} characters that JSON does not allow",
            splices.len()
        );
        changes
            .actions
            .push(action(ActionKind::MendText, record.span, words));
    }
    let padding = record.raw.len() - json.raw().len();
    let value = span_of(record, json.raw());
    let before = (value.start - record.span.start) as usize;
    let around = record.raw.iter().take(before);
    let had_nul = around
        .chain(record.raw.iter().skip(before + json.raw().len()))
        .any(|&byte| byte == 0);
    let words = match line.ending {
        _ if had_nul => format!("removed {padding} bytes around a record, NUL bytes among them"),
        _ if record.raw.starts_with(b"\xEF\xBB\xBF") => "removed a byte-order mark".to_owned(),
        Ending::Eof => "ended the last line".to_owned(),
        Ending::Lf | Ending::CrLf => String::new(),
    };
    if !words.is_empty() {
        changes
            .actions
            .push(action(ActionKind::CleanLine, record.span, words));
    }
    changes.pieces.push(Piece::Record {
        span: value,
        splices,
    });
}

fn span_of(record: &Record<'_>, part: &[u8]) -> Span {
    let offset = (part.as_ptr() as usize).saturating_sub(record.raw.as_ptr() as usize);
    Span {
        start: record.span.start + offset as u64,
        len: part.len() as u64,
    }
}

fn close_or_leave_out(changes: &mut Changes, record: &Record<'_>) {
    let torn = trim(record.raw);
    let span = span_of(record, torn);
    if torn.is_empty() {
        let words = match record.raw.len() {
            0 => "left out a blank line".to_owned(),
            n_bytes => format!("left out {n_bytes} bytes of padding"),
        };
        changes
            .actions
            .push(action(ActionKind::LeaveOut, record.span, words));
        return;
    }
    if let Some(splice) = close(torn) {
        let words = format!(
            "closed a torn message; its last {} bytes were cut short",
            splice.cut
        );
        changes
            .actions
            .push(action(ActionKind::CloseLine, record.span, words));
        changes.pieces.push(Piece::Record {
            span,
            splices: vec![splice],
        });
        return;
    }
    changes.left_out_bytes += record.span.len;
    let words = format!("left out {} bytes that are no record", record.span.len);
    changes
        .actions
        .push(action(ActionKind::LeaveOut, record.span, words));
}

fn trim(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let is_padding = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0);
    let start = bytes.iter().take_while(|byte| is_padding(byte)).count();
    let rest = bytes.get(start..).unwrap_or_default();
    let n_after = rest
        .iter()
        .rev()
        .take_while(|byte| is_padding(byte))
        .count();
    rest.get(..rest.len() - n_after).unwrap_or_default()
}
