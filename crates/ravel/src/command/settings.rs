//! `ravel settings`: what holds, and which file says so.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use ravel_home::{
    Setting, Settings, SettingsFile, SettingsLayer, SettingsPaths, SettingsSource, load_settings,
};
use ravel_render::style::{Line, Role, Span, Style};
use ravel_render::wrap::{Margin, columns, wrap};
use serde_json::{Value, json};

use crate::context::{Context, display_path};
use crate::failure::Failure;
use crate::finding::report_findings;

/// Show settings, merged, each with the file it comes from
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel settings                       what holds in the working folder\n  ravel settings permissions           only keys that start with this\n  ravel settings --project ~/code/shop what holds in another one\n  ravel settings --json | jq .merged"
)]
pub(crate) struct SettingsArgs {
    /// Only keys that are, or are below, KEY, such as `permissions.allow`
    #[arg(value_name = "KEY")]
    key: Option<String>,
    /// The project whose settings count, instead of the working folder
    #[arg(long, short, value_name = "DIR")]
    project: Option<PathBuf>,
}

/// Shows settings.
pub(crate) fn run(context: &Context, args: &SettingsArgs) -> Result<ExitCode, Failure> {
    let project = project(context, args)?;
    let paths = SettingsPaths::standard(context.home()?, project.as_deref());
    let settings = load_settings(&paths);
    let shown: Vec<&Setting> = settings
        .settings
        .iter()
        .filter(|setting| is_below(&setting.key, args.key.as_deref()))
        .collect();
    if context.json() {
        context.print_json(&document(&settings, &shown))?;
    } else {
        report_findings(settings.findings.iter());
        context.print_lines(&render(context, args, &settings, &shown))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the project whose files count; the sample home stands alone.
fn project(context: &Context, args: &SettingsArgs) -> Result<Option<PathBuf>, Failure> {
    match &args.project {
        Some(folder) if !folder.is_dir() => Err(Failure::request(format!(
            "could not find the folder {}",
            folder.display()
        ))
        .hint("name the folder of a project, the one that has a .claude in it")),
        Some(folder) => Ok(Some(folder.clone())),
        None if context.global.demo => Ok(None),
        None => Ok(Some(context.working_folder()?)),
    }
}

/// Tells whether a key is `wanted` or below it.
fn is_below(key: &[String], wanted: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| {
        let rest = key.join(".");
        let rest = rest.strip_prefix(wanted.trim_end_matches('.'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

fn render(
    context: &Context,
    args: &SettingsArgs,
    settings: &Settings,
    shown: &[&Setting],
) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut page = Page::new(context.width(), shown);
    for setting in shown {
        page.add(settings, setting, &mut lines);
    }
    if shown.is_empty() {
        let message = match &args.key {
            Some(key) => format!("no setting is named {key}"),
            None => "no settings here yet".into(),
        };
        lines.push(Line::of(&message, Role::Plain));
    }
    lines.push(Line::default());
    for layer in &settings.layers {
        let (mark, style) = match state(settings, layer) {
            "read" => ("", Role::Muted),
            "missing" => ("  (not there)", Role::Muted),
            _ => ("  (not understood)", Role::Warning),
        };
        let path = display_path(&layer.file.path);
        let text = format!("{:10}  {path}{mark}", layer.file.source.to_string());
        lines.push(Line::of(&text, style));
    }
    lines
}

/// Lines settings up: keys to the left, values beside them, the source behind.
struct Page<'s> {
    width: usize,
    key_width: usize,
    /// The list whose entries come now; its key is written once.
    list: Option<&'s [String]>,
}

impl<'s> Page<'s> {
    fn new(width: usize, shown: &[&Setting]) -> Self {
        let keys = shown.iter().map(|setting| columns(&setting.key.join(".")));
        Self {
            width,
            key_width: keys.max().unwrap_or(0).min(width / 2).min(40),
            list: None,
        }
    }

    fn add(&mut self, settings: &Settings, setting: &'s Setting, lines: &mut Vec<Line>) {
        let is_same_list = setting.is_entry && self.list == Some(setting.key.as_slice());
        self.list = setting.is_entry.then_some(setting.key.as_slice());
        let key = match is_same_list {
            true => String::new(),
            false => setting.key.join("."),
        };
        let source = setting.file.source;
        lines.extend(self.value(&key, &setting.value, source, Style::PLAIN));
        for (file, value) in overruled(settings, setting) {
            let muted = Style::of(Role::Muted).strike();
            lines.extend(self.value("", &value, file.source, muted));
        }
    }

    fn value(&self, key: &str, value: &Value, source: SettingsSource, style: Style) -> Vec<Line> {
        let mut first = Line::of(key, Role::Accent);
        let gap = self.key_width.saturating_sub(first.width()) + 2;
        first.push(Span::new(&" ".repeat(gap), Role::Plain));
        let margin = Margin {
            first: first.spans().to_vec(),
            rest: vec![Span::new(&" ".repeat(self.key_width + 2), Role::Plain)],
        };
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let note = if style.strike { "overruled, " } else { "" };
        let spans = [
            Span::line(&text, style),
            Span::line(&format!("  ({note}{source})"), Role::Muted),
        ];
        wrap(&spans, self.width, &margin)
    }
}

/// Returns what the overruled files say, the nearest to holding first.
fn overruled<'s>(settings: &'s Settings, setting: &'s Setting) -> Vec<(&'s SettingsFile, Value)> {
    let layer_of = |file: &SettingsFile| settings.layers.iter().find(|layer| layer.file == *file);
    let mut found: Vec<_> = setting
        .overruled
        .iter()
        .rev()
        .filter_map(|file| Some((file, value_at(layer_of(file)?, &setting.key)?)))
        .collect();
    found.dedup_by(|one, other| one.0 == other.0);
    found
}

/// Returns what a file says under a key, or above it where it has a single value there.
fn value_at(layer: &SettingsLayer, key: &[String]) -> Option<Value> {
    let (first, rest) = key.split_first()?;
    let mut value = layer.values.as_ref()?.get(first)?;
    for name in rest {
        value = match value {
            Value::Object(object) => object.get(name)?,
            _ => break,
        };
    }
    Some(value.clone())
}

fn state(settings: &Settings, layer: &SettingsLayer) -> &'static str {
    let is_damaged = |path: &Path| settings.findings.iter().any(|one| one.path == path);
    match &layer.values {
        Some(_) => "read",
        None if is_damaged(&layer.file.path) => "unreadable",
        None if layer.file.path.exists() => "empty",
        None => "missing",
    }
}

fn document(settings: &Settings, shown: &[&Setting]) -> Value {
    let items = shown.iter().map(|setting| {
        let overruled = overruled(settings, setting).into_iter().map(|(file, value)| {
            json!({"value": value, "source": file.source.to_string(), "path": file.path.to_string_lossy()})
        });
        json!({
            "key": setting.key.join("."),
            "value": setting.value,
            "source": setting.file.source.to_string(),
            "path": setting.file.path.to_string_lossy(),
            "is_entry": setting.is_entry,
            "overruled": overruled.collect::<Vec<_>>(),
        })
    });
    let files = settings.layers.iter().map(|layer| {
        json!({
            "source": layer.file.source.to_string(),
            "path": layer.file.path.to_string_lossy(),
            "state": state(settings, layer),
        })
    });
    let findings = settings.findings.iter().map(
        |finding| json!({"path": finding.path.to_string_lossy(), "line": finding.line, "message": finding.message}),
    );
    let selected = Settings {
        settings: shown.iter().copied().cloned().collect(),
        ..Settings::default()
    };
    json!({
        "settings": items.collect::<Vec<_>>(),
        "merged": selected.merged(),
        "files": files.collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
    })
}
