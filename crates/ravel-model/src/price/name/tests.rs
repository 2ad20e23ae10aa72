use super::candidates;

fn check(model: &str, shortest: &str) {
    let names = candidates(model);
    assert_eq!(names[0], model, "the exact name comes first");
    assert_eq!(names[names.len() - 1], shortest, "{model}");
}

#[test]
fn dates_providers_and_marks_come_off() {
    check("claude-opus-5-5", "claude-opus-5-5");
    check("claude-opus-5-5[1m]", "claude-opus-5-5");
    check("claude-sonnet-4-5-20250929", "claude-sonnet-4-5");
    check("claude-sonnet-4-5-20250929[1m]", "claude-sonnet-4-5");
    check("claude-sonnet-4-5@20250929", "claude-sonnet-4-5");
    check("anthropic/claude-sonnet-4.5", "claude-sonnet-4-5");
    check("anthropic.claude-3-haiku-20240307-v1:0", "claude-3-haiku");
    check(
        "us.anthropic.claude-sonnet-4-20250514-v1:0",
        "claude-sonnet-4",
    );
    check(
        "bedrock/global.anthropic.claude-opus-4-6-v1",
        "claude-opus-4-6",
    );
    check(
        "arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-opus-4-1-20250805-v1:0",
        "claude-opus-4-1",
    );
    check("vertex_ai/claude-opus-4@20250514", "claude-opus-4");
    check("claude-3-7-sonnet-latest", "claude-3-7-sonnet");
}

#[test]
fn nothing_else_comes_off() {
    check("claude-opus-9", "claude-opus-9");
    check("claude-opus-5-50", "claude-opus-5-50");
    check("my-claude-opus-5", "my-claude-opus-5");
    check("qwen-v", "qwen-v");
    check("not anthropic.claude-opus-5", "not anthropic-claude-opus-5");
    check("", "");
    check("[1m]", "");
}
