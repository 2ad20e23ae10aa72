use super::*;
use std::fs;

#[test]
fn tasks_are_listed_by_number() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    let folder = home.tasks().join("s1");
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write(
        "10.json",
        r#"{"id":"10","subject":"Ship","status":"pending","blockedBy":["2"]}"#,
    );
    write(
        "2.json",
        r#"{"id":"2","subject":"Test","status":"completed","blocks":["10"]}"#,
    );
    write("3.json", "[]");
    write(".lock", "");

    let listing = list_tasks(&home, "s1");
    let tasks: Vec<_> = listing
        .items
        .iter()
        .map(|task| (task.id.as_str(), task.subject.as_str()))
        .collect();
    assert_eq!(tasks, [("2", "Test"), ("10", "Ship")]);
    assert_eq!(listing.items[1].blocked_by, ["2"]);
    assert_eq!(listing.findings.len(), 1);
    assert_eq!(list_tasks(&home, "../tasks/s1"), Listing::default());
    assert_eq!(list_tasks(&home, "none"), Listing::default());
}
