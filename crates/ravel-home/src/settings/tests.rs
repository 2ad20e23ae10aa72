use super::*;
use serde_json::json;
use std::fs;

const ALL: [SettingsSource; 4] = [
    SettingsSource::User,
    SettingsSource::Project,
    SettingsSource::Local,
    SettingsSource::Managed,
];

/// Loads one file per text, in rising order of precedence.
fn load(texts: [&str; 4]) -> Settings {
    let dir = tempfile::tempdir().unwrap();
    let mut paths = SettingsPaths::default();
    for (source, text) in ALL.into_iter().zip(texts) {
        let path = dir.path().join(format!("{source}.json"));
        if !text.is_empty() {
            fs::write(&path, text).unwrap();
        }
        paths.add(source, path);
    }
    // Precedence is by kind, not by the order of the list.
    paths.files.reverse();
    load_settings(&paths)
}

fn sources(settings: &Settings, key: &[&str]) -> Vec<(Value, SettingsSource)> {
    settings
        .settings
        .iter()
        .filter(|setting| setting.key == key)
        .map(|setting| (setting.value.clone(), setting.file.source))
        .collect()
}

#[test]
fn the_highest_file_that_has_a_value_wins_and_says_so() {
    let settings = load([
        r#"{"model":"small","env":{"A":"1","B":"1"},"theme":"dark"}"#,
        r#"{"model":"large","env":{"B":"2"}}"#,
        "",
        r#"{"model":"managed"}"#,
    ]);
    assert_eq!(
        sources(&settings, &["model"]),
        [(json!("managed"), SettingsSource::Managed)]
    );
    assert_eq!(
        sources(&settings, &["env", "A"]),
        [(json!("1"), SettingsSource::User)]
    );
    assert_eq!(
        sources(&settings, &["env", "B"]),
        [(json!("2"), SettingsSource::Project)]
    );
    let model = settings
        .settings
        .iter()
        .find(|one| one.key == ["model"])
        .unwrap();
    let overruled: Vec<_> = model.overruled.iter().map(|file| file.source).collect();
    assert_eq!(overruled, [SettingsSource::User, SettingsSource::Project]);
    assert_eq!(
        settings.merged(),
        json!({"env":{"A":"1","B":"2"},"model":"managed","theme":"dark"})
    );
    assert_eq!(settings.get(&["env", "B"]), Some(json!("2")));
    assert_eq!(settings.get(&["env", "none"]), None);
}

#[test]
fn permissions_and_hooks_are_joined_with_the_source_of_each_entry() {
    let settings = load([
        r#"{"permissions":{"allow":["Read","Bash(ls)"],"defaultMode":"plan"}}"#,
        r#"{"permissions":{"allow":["Bash(ls)","Edit"],"deny":[]},"hooks":{"Stop":[{"hooks":[]}]}}"#,
        r#"{"hooks":{"Stop":[{"matcher":"x"}]}}"#,
        r#"{"permissions":{"deny":["Web"],"defaultMode":"ask"}}"#,
    ]);
    let allowed: Vec<_> = settings
        .entries(&["permissions", "allow"])
        .map(|entry| (entry.value.clone(), entry.file.source))
        .collect();
    assert_eq!(
        allowed,
        [
            (json!("Read"), SettingsSource::User),
            (json!("Bash(ls)"), SettingsSource::User),
            (json!("Edit"), SettingsSource::Project),
        ]
    );
    assert_eq!(settings.get(&["permissions", "deny"]), Some(json!(["Web"])));
    assert_eq!(
        settings.get(&["permissions", "defaultMode"]),
        Some(json!("ask"))
    );
    assert_eq!(
        settings
            .get(&["hooks", "Stop"])
            .unwrap()
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn a_file_that_is_not_json_is_a_finding_and_the_others_hold() {
    let settings = load(["{oops", r#"{"model":"x"}"#, "[]", ""]);
    assert_eq!(settings.findings.len(), 2);
    assert_eq!(settings.merged(), json!({"model":"x"}));
    let read: Vec<_> = settings
        .layers
        .iter()
        .map(|layer| layer.values.is_some())
        .collect();
    assert_eq!(read, [false, true, false, false]);
}

#[test]
fn a_value_and_an_object_of_one_name_do_not_both_hold() {
    let settings = load([r#"{"a":{"b":1,"c":2}}"#, r#"{"a":5}"#, "", ""]);
    assert_eq!(settings.merged(), json!({"a":5}));
    let settings = load([r#"{"a":5}"#, r#"{"a":{"b":1}}"#, "", ""]);
    assert_eq!(settings.merged(), json!({"a":{"b":1}}));
}

#[test]
fn the_usual_files_are_known() {
    let home = Home::at("/h/.claude");
    let sources = |project: &str| -> Vec<_> {
        let paths = SettingsPaths::standard(&home, Some(Path::new(project)));
        paths
            .files
            .iter()
            .map(|file| file.source.to_string())
            .collect()
    };
    assert_eq!(
        sources("/srv/a"),
        ["user", "user-local", "project", "local", "managed"]
    );
    assert_eq!(sources("/h"), ["user", "user-local", "managed"]);
}
