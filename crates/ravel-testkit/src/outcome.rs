//! What a tool gave back, in the two forms the client writes: the block for the model and the
//! structured `toolUseResult` beside it.
//!
//! An [`Outcome`] is independent of the version; the wording, number format and keys of each
//! version are chosen when it is written. Sentences for the model are our own unless a reader has
//! to recognize them.

use serde_json::{Value, json};

use crate::patch::structured_patch;
use crate::version::Version;

/// The result of one tool call.
#[derive(Debug, Clone)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "the variants are explained and the names of their fields say the rest"
)]
pub enum Outcome {
    /// A text file that was read.
    Read { path: String, text: String },
    /// An image file that was read.
    Image {
        data: String,
        media_type: String,
        n_bytes: usize,
        size: (u32, u32),
    },
    /// A new file.
    Create { path: String, text: String },
    /// A file that was replaced as a whole.
    Overwrite {
        path: String,
        before: String,
        after: String,
    },
    /// A file of which one place was replaced.
    Edit {
        path: String,
        before: String,
        old: String,
        new: String,
    },
    /// A command that ended well.
    Bash { stdout: String },
    /// A command that goes on in the background.
    BashBackground {
        task_id: String,
        output_file: String,
    },
    /// File names.
    Glob { files: Vec<String> },
    /// Names of files that contain the pattern.
    GrepFiles { files: Vec<String> },
    /// Matching lines.
    GrepContent { content: String },
    /// Matches per file.
    GrepCount { counts: Vec<(String, usize)> },
    /// The list before and after.
    Todos { before: Value, after: Value },
    /// A question and what the person chose.
    Answered { questions: Value, answers: Value },
    /// An approved plan.
    PlanApproved { plan: String, path: String },
    /// The answer of an MCP server.
    Mcp {
        text: String,
        structured: Option<Value>,
    },
    /// Links found on the web and what they say together.
    WebSearch {
        query: String,
        links: Vec<(String, String)>,
        digest: String,
    },
    /// A failed call, as plain text.
    Failed { text: String },
    /// A call the client refused before running it.
    Refused { text: String },
    /// Anything else: content for the model, structured result, further keys of the line.
    Custom {
        block: Value,
        result: Option<Value>,
        extra: Vec<(String, Value)>,
    },
}

/// The parts of a written result; the session adds the call's id and the envelope.
pub(crate) struct Rendered {
    pub(crate) block: Value,
    pub(crate) result: Option<Value>,
    pub(crate) extra: Vec<(String, Value)>,
}

/// Constructors that take borrowed text.
impl Outcome {
    /// A text file that was read.
    pub fn read(path: &str, text: &str) -> Self {
        Self::Read {
            path: path.into(),
            text: text.into(),
        }
    }

    /// A new file.
    pub fn create(path: &str, text: &str) -> Self {
        Self::Create {
            path: path.into(),
            text: text.into(),
        }
    }

    /// A file that was replaced as a whole.
    pub fn overwrite(path: &str, before: &str, after: &str) -> Self {
        Self::Overwrite {
            path: path.into(),
            before: before.into(),
            after: after.into(),
        }
    }

    /// A file of which one place was replaced.
    pub fn edit(path: &str, before: &str, old: &str, new: &str) -> Self {
        let (path, before) = (path.into(), before.into());
        Self::Edit {
            path,
            before,
            old: old.into(),
            new: new.into(),
        }
    }

    /// A command that ended well.
    pub fn bash(stdout: &str) -> Self {
        Self::Bash {
            stdout: stdout.into(),
        }
    }

    /// A command that ended with another code than 0.
    pub fn bash_error(code: i32, output: &str) -> Self {
        Self::Failed {
            text: format!("Exit code {code}\n{output}"),
        }
    }

    /// File names.
    pub fn glob(files: &[&str]) -> Self {
        Self::Glob {
            files: owned(files),
        }
    }

    /// Names of files that contain the pattern.
    pub fn grep_files(files: &[&str]) -> Self {
        Self::GrepFiles {
            files: owned(files),
        }
    }

    /// Matching lines.
    pub fn grep_content(content: &str) -> Self {
        Self::GrepContent {
            content: content.into(),
        }
    }

    /// A failed call.
    pub fn failed(text: &str) -> Self {
        Self::Failed { text: text.into() }
    }

    /// A call the client refused before running it.
    pub fn refused(text: &str) -> Self {
        Self::Refused { text: text.into() }
    }

    /// The answer of an MCP server.
    pub fn mcp(text: &str) -> Self {
        Self::Mcp {
            text: text.into(),
            structured: None,
        }
    }

    /// A result that is only text.
    pub fn text(content: &str, result: Value) -> Self {
        let block = json!({"tool_use_id": null, "type": "tool_result", "content": content});
        Self::Custom {
            block,
            result: Some(result),
            extra: Vec::new(),
        }
    }

    pub(crate) fn render(&self, version: Version) -> Rendered {
        match self {
            Self::Read { path, text } => read(version, path, text),
            Self::Image {
                data,
                media_type,
                n_bytes,
                size,
            } => image(data, media_type, *n_bytes, *size),
            Self::Create { path, text } => create(version, path, text),
            Self::Overwrite {
                path,
                before,
                after,
            } => overwrite(version, path, before, after),
            Self::Edit {
                path,
                before,
                old,
                new,
            } => edit(version, path, (before, old, new)),
            Self::Bash { stdout } => bash(version, stdout),
            Self::BashBackground {
                task_id,
                output_file,
            } => background(version, task_id, output_file),
            Self::Glob { files } => glob(version, files),
            Self::GrepFiles { files } => grep_files(version, files),
            Self::GrepContent { content } => grep_content(version, content),
            Self::GrepCount { counts } => grep_count(counts),
            Self::Todos { before, after } => todos(before, after),
            Self::Answered { questions, answers } => answered(version, questions, answers),
            Self::PlanApproved { plan, path } => plan_approved(version, plan, path),
            Self::Mcp { text, structured } => mcp(text, structured.as_ref()),
            Self::WebSearch {
                query,
                links,
                digest,
            } => web_search(query, links, digest),
            Self::Failed { text } => failed(text, text),
            Self::Refused { text } => {
                failed(&format!("<tool_use_error>{text}</tool_use_error>"), text)
            }
            Self::Custom {
                block,
                result,
                extra,
            } => Rendered {
                block: block.clone(),
                result: result.clone(),
                extra: extra.clone(),
            },
        }
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn success(content: impl Into<Value>, result: Value) -> Rendered {
    let block = json!({"tool_use_id": null, "type": "tool_result", "content": content.into()});
    Rendered {
        block,
        result: Some(result),
        extra: Vec::new(),
    }
}

/// Errors have another key order than successes, in every version.
fn failed(content: &str, reason: &str) -> Rendered {
    let block =
        json!({"type": "tool_result", "content": content, "is_error": true, "tool_use_id": null});
    Rendered {
        block,
        result: Some(json!(format!("Error: {reason}"))),
        extra: Vec::new(),
    }
}

/// Adds keys to a JSON object; other values stay as they are.
fn with(mut value: Value, extra: Value) -> Value {
    if let (Some(map), Value::Object(more)) = (value.as_object_mut(), extra) {
        map.extend(more);
    }
    value
}

fn read(version: Version, path: &str, text: &str) -> Rendered {
    let lines: Vec<&str> = text.split('\n').collect();
    let numbered = lines.iter().enumerate().map(|(index, line)| {
        if version == Version::V2_1_325 {
            format!("{}\t{line}", index + 1)
        } else {
            format!("{:>6}→{line}", index + 1)
        }
    });
    let content = numbered.collect::<Vec<_>>().join("\n");
    let file = json!({"filePath": path, "content": text, "numLines": lines.len(), "startLine": 1, "totalLines": lines.len()});
    success(content, json!({"type": "text", "file": file}))
}

fn image(data: &str, media_type: &str, n_bytes: usize, size: (u32, u32)) -> Rendered {
    let source = json!({"type": "base64", "data": data, "media_type": media_type});
    let (width, height) = size;
    let dimensions = json!({"originalWidth": width, "originalHeight": height, "displayWidth": width, "displayHeight": height});
    let file = json!({"base64": data, "type": media_type, "originalSize": n_bytes, "dimensions": dimensions});
    success(
        json!([{"type": "image", "source": source}]),
        json!({"type": "image", "file": file}),
    )
}

/// The words 2.1.325 puts behind a write, shortened.
fn write_note(version: Version) -> &'static str {
    if version == Version::V2_1_325 {
        " (the context has its current state)"
    } else {
        ""
    }
}

fn create(version: Version, path: &str, text: &str) -> Rendered {
    let content = format!(
        "File created successfully at: {path}{}",
        write_note(version)
    );
    let mut result =
        json!({"type": "create", "filePath": path, "content": text, "structuredPatch": []});
    if version > Version::V1_0_128 {
        result = with(result, json!({"originalFile": null}));
    }
    if version == Version::V2_1_325 {
        result = with(result, json!({"userModified": false}));
    }
    success(content, result)
}

fn overwrite(version: Version, path: &str, before: &str, after: &str) -> Rendered {
    let content = format!(
        "The file {path} has been updated successfully.{}",
        write_note(version)
    );
    let patch = structured_patch(before, after);
    let mut result =
        json!({"type": "update", "filePath": path, "content": after, "structuredPatch": patch});
    if version > Version::V1_0_128 {
        result = with(result, json!({"originalFile": before}));
    }
    if version == Version::V2_1_325 {
        result = with(result, json!({"userModified": false}));
    }
    success(content, result)
}

fn edit(version: Version, path: &str, (before, old, new): (&str, &str, &str)) -> Rendered {
    let after = before.replacen(old, new, 1);
    let content = format!(
        "The file {path} has been updated successfully.{}",
        write_note(version)
    );
    let patch = structured_patch(before, &after);
    success(
        content,
        json!({
            "filePath": path, "oldString": old, "newString": new, "originalFile": before,
            "structuredPatch": patch, "userModified": false, "replaceAll": false,
        }),
    )
}

fn bash(version: Version, stdout: &str) -> Rendered {
    let newest = version == Version::V2_1_325;
    let content = if newest && stdout.is_empty() {
        "(Bash completed with no output)"
    } else {
        stdout
    };
    let mut result =
        json!({"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false});
    if newest {
        result = with(result, json!({"noOutputExpected": stdout.is_empty()}));
    }
    let rendered = success(content, result);
    let extra = if newest {
        vec![("sandboxed".to_owned(), json!(false))]
    } else {
        Vec::new()
    };
    Rendered {
        block: with(rendered.block, json!({"is_error": false})),
        extra,
        ..rendered
    }
}

fn background(version: Version, task_id: &str, output_file: &str) -> Rendered {
    let content =
        format!("Command running in background with ID: {task_id}. Output goes to: {output_file}");
    let rendered = bash(version, "");
    let block = with(rendered.block, json!({"content": content}));
    let result = rendered
        .result
        .map(|result| with(result, json!({"backgroundTaskId": task_id})));
    Rendered {
        block,
        result,
        extra: rendered.extra,
    }
}

fn glob(version: Version, files: &[String]) -> Rendered {
    let mut result =
        json!({"filenames": files, "durationMs": 12, "numFiles": files.len(), "truncated": false});
    if version == Version::V2_1_325 {
        result = with(
            result,
            json!({"totalMatches": files.len(), "countIsComplete": true}),
        );
    }
    success(files.join("\n"), result)
}

fn grep_files(version: Version, files: &[String]) -> Rendered {
    let noun = if files.len() == 1 { "file" } else { "files" };
    let content = format!("Found {} {noun}\n{}", files.len(), files.join("\n"));
    let mut result =
        json!({"mode": "files_with_matches", "filenames": files, "numFiles": files.len()});
    if version == Version::V2_1_325 {
        result = with(result, json!({"totalFiles": files.len()}));
    }
    success(content, result)
}

fn grep_content(version: Version, content: &str) -> Rendered {
    let n_lines = content.lines().count();
    let mut result = json!({"mode": "content", "numFiles": 0, "filenames": [], "content": content, "numLines": n_lines});
    if version == Version::V2_1_325 {
        result = with(result, json!({"totalLines": n_lines}));
    }
    success(content, result)
}

fn grep_count(counts: &[(String, usize)]) -> Rendered {
    let lines: Vec<String> = counts
        .iter()
        .map(|(path, count)| format!("{path}:{count}"))
        .collect();
    let n_matches: usize = counts.iter().map(|(_, count)| count).sum();
    let listed = lines.join("\n");
    let content = format!(
        "{listed}\n\nFound {n_matches} total occurrences across {} files.",
        counts.len()
    );
    let result = json!({"mode": "count", "numFiles": counts.len(), "filenames": [], "content": listed, "numMatches": n_matches});
    success(content, result)
}

fn todos(before: &Value, after: &Value) -> Rendered {
    let result = json!({"oldTodos": before, "newTodos": after});
    success(
        "The todo list was updated. Go on with the next item.",
        result,
    )
}

fn answered(version: Version, questions: &Value, answers: &Value) -> Rendered {
    let pairs = answers.as_object().into_iter().flatten();
    let listed: Vec<String> = pairs
        .map(|(question, answer)| {
            format!("\"{question}\"=\"{}\"", answer.as_str().unwrap_or_default())
        })
        .collect();
    let opening = if version == Version::V2_1_325 {
        "Your questions have been answered"
    } else {
        "User has answered your questions"
    };
    let content = format!("{opening}: {}.", listed.join(", "));
    let block = json!({"type": "tool_result", "content": content, "tool_use_id": null});
    let result = Some(json!({"questions": questions, "answers": answers}));
    Rendered {
        block,
        result,
        extra: Vec::new(),
    }
}

fn plan_approved(version: Version, plan: &str, path: &str) -> Rendered {
    let content = if version == Version::V2_1_325 {
        format!("User has approved your plan. It was saved to: {path}\n\n## Approved Plan:\n{plan}")
    } else {
        "User has approved exiting plan mode.".to_owned()
    };
    let block = json!({"type": "tool_result", "content": content, "tool_use_id": null});
    let result = Some(json!({"plan": plan, "isAgent": false, "filePath": path}));
    Rendered {
        block,
        result,
        extra: Vec::new(),
    }
}

fn mcp(text: &str, structured: Option<&Value>) -> Rendered {
    let mut rendered = success(text, json!(text));
    if let Some(structured) = structured {
        rendered.extra.push((
            "mcpMeta".to_owned(),
            json!({"structuredContent": structured}),
        ));
    }
    rendered
}

fn web_search(query: &str, links: &[(String, String)], digest: &str) -> Rendered {
    let found: Vec<Value> = links
        .iter()
        .map(|(title, url)| json!({"title": title, "url": url}))
        .collect();
    let listed = Value::from(found.clone()).to_string();
    let content =
        format!("Web search results for query: \"{query}\"\n\nLinks: {listed}\n\n{digest}");
    let results = json!([{"tool_use_id": "srvtoolu_01search", "content": found}, digest]);
    success(
        content,
        json!({"query": query, "results": results, "durationSeconds": 2.5}),
    )
}

#[cfg(test)]
mod tests;
