use super::{PAGE, SOURCE, check};
use crate::tidy::tree::Tree;

const TABLE: &str = "codes! {\n    TornLine = \"torn-line\", Error,\n        \"a title\",\n    Bom = \"bom\", Info,\n}\n";

fn messages(page: &str) -> Vec<String> {
    let tree = Tree::of(&[(PAGE, page), (SOURCE, TABLE)]);
    check(&tree)
        .iter()
        .map(|finding| finding.message.clone())
        .collect()
}

#[test]
fn headings_rows_and_items_list_codes() {
    assert!(
        messages("## `torn-line` (error)\n\n`ravel` says so.\n\n| `bom` | info |\n").is_empty()
    );
    assert!(messages("- `torn-line`: text\n- `bom`: text\n- `ravel check`\n").is_empty());
}

#[test]
fn the_page_lists_exactly_the_codes_that_exist() {
    assert_eq!(
        messages("## `torn-line`\n## `torn-lien`\n"),
        [
            "does not explain `bom`, which exists",
            "explains `torn-lien`, which does not exist",
        ]
    );
}

#[test]
fn a_moved_table_is_noticed() {
    assert_eq!(check(&Tree::of(&[(PAGE, "")])).len(), 1);
}
