use super::*;
use std::fs;

#[test]
fn lists_are_read_by_session_and_agent() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    fs::create_dir_all(home.todos()).unwrap();
    let write = |name: &str, text: &str| fs::write(home.todos().join(name), text).unwrap();
    write(
        "s1-agent-s1.json",
        r#"[{"content":"Paint","status":"pending","activeForm":"Painting","id":"1"}]"#,
    );
    write("s1-agent-a9.json", "[]");
    write("s2-agent-s2.json", "{torn");
    write("s3-agent-main.json", "");
    write("notes.txt", "x");

    let all = list_todos(&home, None);
    let lists: Vec<_> = all
        .items
        .iter()
        .map(|list| {
            (
                list.session_id.as_str(),
                list.agent_id.as_str(),
                list.is_main(),
                list.todos.len(),
            )
        })
        .collect();
    assert_eq!(lists, [("s1", "a9", false, 0), ("s1", "s1", true, 1)]);
    assert_eq!(all.findings.len(), 1);
    let todo = &all.items[1].todos[0];
    assert_eq!(
        (todo.content.as_str(), todo.active_form.as_deref()),
        ("Paint", Some("Painting"))
    );
    assert_eq!(todo.raw["id"], "1");

    assert_eq!(list_todos(&home, Some("s2")).items, []);
    assert_eq!(
        list_todos(&Home::at(dir.path().join("none")), None),
        Listing::default()
    );
}
