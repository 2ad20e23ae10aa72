use serde_json::json;

use super::structured_patch;

#[test]
fn one_changed_line_has_three_lines_of_context_on_each_side() {
    let before = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
    let after = before.replace('e', "E\nE");
    let expected = json!([{
        "oldStart": 2, "oldLines": 7, "newStart": 2, "newLines": 8,
        "lines": [" b", " c", " d", "-e", "+E", "+E", " f", " g", " h"],
    }]);
    assert_eq!(structured_patch(before, &after), expected);
}

#[test]
fn edges_and_repeats_do_not_overlap() {
    assert_eq!(structured_patch("a\n", "a\n"), json!([]));
    let grown = structured_patch("a\na\n", "a\na\na\n");
    assert_eq!(
        grown,
        json!([{"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 3, "lines": [" a", " a", "+a"]}])
    );
    let emptied = structured_patch("a\n", "");
    assert_eq!(
        emptied,
        json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 0, "lines": ["-a"]}])
    );
}
