//! Tool calls: what went in, what the model was told, and what the client noted.

use std::io::Write;

use serde_json::{Value, json};

use super::Composer;

/// One call with its result.
pub(super) struct Call {
    pub(super) tool: &'static str,
    pub(super) input: Value,
    /// What the model is told.
    pub(super) output: String,
    /// What the client keeps in `toolUseResult`.
    pub(super) structured: Value,
}

impl Call {
    pub(super) fn draw(session: &mut Composer<'_, impl Write>) -> Self {
        match session.random.between(0, 100) {
            0..32 => bash(session),
            32..56 => read(session),
            56..82 => edit(session),
            82..92 => grep(session),
            _ => write(session),
        }
    }
}

fn bash(session: &mut Composer<'_, impl Write>) -> Call {
    let output = output(session);
    Call {
        tool: "Bash",
        input: json!({"command": session.text_between(10, 120), "description": session.text_between(10, 40)}),
        structured: json!({"stdout": output, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false}),
        output,
    }
}

fn read(session: &mut Composer<'_, impl Write>) -> Call {
    let (file, content) = (file(session), output(session));
    let n_lines = content.lines().count();
    let mut numbered = String::with_capacity(content.len() * 9 / 8);
    for (number, line) in content.lines().enumerate() {
        numbered.push_str(&format!("{:>6}→{line}\n", number + 1));
    }
    Call {
        tool: "Read",
        input: json!({"file_path": file}),
        output: numbered,
        structured: json!({"type": "text", "file": {
            "filePath": file, "content": content, "numLines": n_lines, "startLine": 1, "totalLines": n_lines,
        }}),
    }
}

fn edit(session: &mut Composer<'_, impl Write>) -> Call {
    let file = file(session);
    let (old, new) = (session.text_between(40, 500), session.text_between(40, 700));
    let original = session.text_between(1_500, 10_000);
    let patch: Vec<String> = (old.lines().map(|line| format!("-{line}")))
        .chain(new.lines().map(|line| format!("+{line}")))
        .collect();
    Call {
        tool: "Edit",
        input: json!({"file_path": file, "old_string": old, "new_string": new, "replace_all": false}),
        output: format!("{file} was changed."),
        structured: json!({
            "filePath": file, "oldString": old, "newString": new, "originalFile": original,
            "structuredPatch": [{"oldStart": 12, "oldLines": old.lines().count(), "newStart": 12,
                "newLines": new.lines().count(), "lines": patch}],
            "userModified": false, "replaceAll": false,
        }),
    }
}

fn grep(session: &mut Composer<'_, impl Write>) -> Call {
    let content = session.text_between(40, 3_000);
    let n_lines = content.lines().count();
    Call {
        tool: "Grep",
        input: json!({"pattern": session.text_between(4, 20), "path": session.identity.cwd, "output_mode": "content"}),
        structured: json!({"mode": "content", "numFiles": 0, "filenames": [], "content": content, "numLines": n_lines}),
        output: content,
    }
}

fn write(session: &mut Composer<'_, impl Write>) -> Call {
    let (file, content) = (file(session), session.text_between(300, 6_000));
    Call {
        tool: "Write",
        input: json!({"file_path": file, "content": content}),
        output: format!("{file} was created."),
        structured: json!({"type": "create", "filePath": file, "content": content, "structuredPatch": [], "originalFile": null}),
    }
}

fn file(session: &mut Composer<'_, impl Write>) -> String {
    session
        .vocabulary
        .path(session.random, &session.identity.cwd)
}

/// Most outputs are short; one in a hundred is huge.
fn output(session: &mut Composer<'_, impl Write>) -> String {
    let (low, high) = match session.random.between(0, 200) {
        0..2 => (30_000, 100_000),
        2..14 => (8_000, 30_000),
        14..60 => (2_000, 8_000),
        60..125 => (500, 2_000),
        _ => (20, 500),
    };
    session.text_between(low, high)
}
