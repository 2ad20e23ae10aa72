//! Which grammar a piece of code asks for.

use syntect::parsing::{SyntaxReference, SyntaxSet};

/// How the language of some code is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language<'a> {
    /// By the name on a code fence: `rust`, `js`, `python title="x"`.
    Named(&'a str),
    /// By the path of the file it comes from.
    OfPath(&'a str),
    /// Not known: the code stays plain.
    Unknown,
}

impl<'a> Language<'a> {
    /// Returns the language's name as written, for a label; empty when unknown.
    pub fn label(self) -> &'a str {
        match self {
            Language::Named(info) => first_word(info),
            Language::OfPath(_) | Language::Unknown => "",
        }
    }

    /// Returns the name or file extension that says which language it is.
    pub(super) fn short_name(self) -> &'a str {
        match self {
            Language::Named(info) => first_word(info),
            Language::OfPath(path) => {
                let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
                name.rsplit_once('.').map_or("", |(_, extension)| extension)
            }
            Language::Unknown => "",
        }
    }

    pub(super) fn is_plain(self) -> bool {
        match self {
            Language::Named(info) => {
                let name = first_word(info);
                ["", "text", "plain", "plaintext", "txt", "none", "output"]
                    .iter()
                    .any(|plain| name.eq_ignore_ascii_case(plain))
            }
            Language::OfPath(path) => path.is_empty(),
            Language::Unknown => true,
        }
    }

    pub(super) fn find(self, syntaxes: &SyntaxSet) -> Option<&SyntaxReference> {
        let syntax = match self {
            Language::Named(info) => syntaxes.find_syntax_by_token(canonical(first_word(info))),
            Language::OfPath(path) => find_by_path(path, syntaxes),
            Language::Unknown => None,
        };
        syntax.filter(|syntax| syntax.name != "Plain Text")
    }
}

fn find_by_path<'s>(path: &str, syntaxes: &'s SyntaxSet) -> Option<&'s SyntaxReference> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let extension = Language::OfPath(path).short_name();
    syntaxes
        .find_syntax_by_extension(name)
        .or_else(|| syntaxes.find_syntax_by_extension(canonical(extension)))
}

/// Returns the name before any attributes: `rust,ignore` and `{.rust}` are `rust`.
fn first_word(info: &str) -> &str {
    info.trim_start_matches(['{', '.', ' '])
        .split([' ', ',', '{', '}', ':', '\t'])
        .next()
        .unwrap_or_default()
}

/// Maps names that people write to names that the grammars know.
fn canonical(name: &str) -> &str {
    match name {
        "shell" | "console" | "terminal" | "shellsession" | "sh-session" | "zsh" => "bash",
        "jsonl" | "ndjson" | "json5" | "jsonc" => "json",
        "golang" => "go",
        "python3" | "py3" => "python",
        "node" | "mjs" | "cjs" | "jsx" => "javascript",
        "mts" | "cts" => "typescript",
        "powershell" | "pwsh" => "ps1",
        "csharp" => "cs",
        "docker" => "dockerfile",
        "patch" => "diff",
        "tf" | "hcl" => "terraform",
        _ => name,
    }
}
