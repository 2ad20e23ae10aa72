use serde_json::Value;

use super::Outcome;
use crate::version::Version;

fn check(version: Version, outcome: &Outcome, block: &str, result: &str) {
    let rendered = outcome.render(version);
    assert_eq!(rendered.block.to_string(), block);
    assert_eq!(rendered.result.unwrap_or(Value::Null).to_string(), result);
}

#[test]
fn keys_stand_in_the_order_of_the_client() {
    check(
        Version::V2_1_29,
        &Outcome::read("/p/a", "x\n"),
        r#"{"tool_use_id":null,"type":"tool_result","content":"     1→x\n     2→"}"#,
        r#"{"type":"text","file":{"filePath":"/p/a","content":"x\n","numLines":2,"startLine":1,"totalLines":2}}"#,
    );
    check(
        Version::V2_1_325,
        &Outcome::bash(""),
        r#"{"tool_use_id":null,"type":"tool_result","content":"(Bash completed with no output)","is_error":false}"#,
        r#"{"stdout":"","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":true}"#,
    );
    check(
        Version::V1_0_128,
        &Outcome::bash_error(3, "bad"),
        r#"{"type":"tool_result","content":"Exit code 3\nbad","is_error":true,"tool_use_id":null}"#,
        r#""Error: Exit code 3\nbad""#,
    );
    check(
        Version::V2_1_29,
        &Outcome::refused("File does not exist."),
        r#"{"type":"tool_result","content":"<tool_use_error>File does not exist.</tool_use_error>","is_error":true,"tool_use_id":null}"#,
        r#""Error: File does not exist.""#,
    );
    check(
        Version::V1_0_128,
        &Outcome::create("/p/a", "x\n"),
        r#"{"tool_use_id":null,"type":"tool_result","content":"File created successfully at: /p/a"}"#,
        r#"{"type":"create","filePath":"/p/a","content":"x\n","structuredPatch":[]}"#,
    );
}
