//! Usage of several client versions.

use super::Usage;
use crate::json::Json;

#[test]
fn reads_the_keys_of_a_new_client() {
    let json = Json::parse(
        br#"{"input_tokens":3,"cache_creation_input_tokens":10,"cache_read_input_tokens":20,
        "output_tokens":42,"output_tokens_details":{"thinking_tokens":7},
        "server_tool_use":{"web_search_requests":1,"web_fetch_requests":2},"service_tier":"standard",
        "cache_creation":{"ephemeral_5m_input_tokens":4,"ephemeral_1h_input_tokens":6},
        "inference_geo":"eu","iterations":[{"input_tokens":3}],"speed":null}"#,
    )
    .unwrap();
    let usage = Usage::from_json(json);
    assert_eq!(usage.input_tokens, Some(3));
    assert_eq!(usage.output_tokens, Some(42));
    let cache = usage.cache_creation.unwrap();
    assert_eq!(cache.ephemeral_5m_input_tokens, Some(4));
    assert_eq!(cache.ephemeral_1h_input_tokens, Some(6));
    assert_eq!(
        usage.output_tokens_details.unwrap().thinking_tokens,
        Some(7)
    );
    assert_eq!(usage.server_tool_use.unwrap().web_fetch_requests, Some(2));
    assert_eq!(usage.iterations.unwrap().iter().count(), 1);
    assert!(usage.speed.is_none());
}

#[test]
fn odd_numbers_are_none() {
    for raw in [
        r#"{"input_tokens":-1}"#,
        r#"{"input_tokens":"3"}"#,
        r#"{"input_tokens":1.5}"#,
        r#"{"input_tokens":99999999999999999999}"#,
        "[]",
    ] {
        let usage = Usage::from_json(Json::parse(raw.as_bytes()).unwrap());
        assert_eq!(usage.input_tokens, None, "{raw}");
    }
}
