//! Tests of the comparison of documented and existing codes.

use super::{PAGE, check};
use crate::tidy::tree::Tree;

#[test]
fn the_page_lists_exactly_the_codes_that_exist() {
    let tree = Tree::of(&[
        (PAGE, "## RV0101\n\n## RV0103 (gone)\n"),
        (
            "crates/ravel-model/src/finding.rs",
            "const A: &str = \"RV0101\"; const B: &str = \"RV0102\";",
        ),
        ("crates/ravel-model/src/finding/tests.rs", "\"RV9999\""),
    ]);
    let found: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            format!("{PAGE}: does not explain RV0102, which exists"),
            format!("{PAGE}: explains RV0103, which does not exist"),
        ]
    );
}
