use proptest::prelude::*;
use serde_json::json;

use super::*;

fn check(cache: &Value) -> Comparison {
    compare(cache, &Stats::default(), |_| 0)
}

#[test]
fn nothing_and_zero_are_the_same() {
    let cache = json!({
        "lastComputedDate": "2026-01-18", "totalSessions": 0, "totalMessages": 0.0,
        "hourCounts": {"3": 0}, "dailyActivity": [{"date": "2026-01-01", "messageCount": 0}],
        "modelUsage": {"m": {"inputTokens": 0, "costUSD": 3.5}},
    });
    let found = check(&cache);
    assert_eq!(found.differences, []);
    assert_eq!(found.findings, Vec::<String>::new());
    assert_eq!(found.n_compared, 28);
}

#[test]
fn days_after_the_last_computed_one_are_not_compared() {
    let cache = json!({
        "lastComputedDate": "2026-01-18",
        "dailyActivity": [{"date": "2026-01-18", "messageCount": 7}, {"date": "2026-01-19", "messageCount": 7}],
        "dailyModelTokens": [{"date": "2026-01-19", "tokensByModel": {"m": 4}}],
    });
    let figures: Vec<String> = check(&cache)
        .differences
        .into_iter()
        .map(|one| one.figure)
        .collect();
    assert_eq!(figures, ["dailyActivity 2026-01-18 messageCount"]);
}

#[test]
fn odd_values_are_findings() {
    let cache = json!({
        "lastComputedDate": "soon", "totalSessions": -1, "totalMessages": "many",
        "firstSessionDate": 7, "longestSession": [], "hourCounts": {"0": 1.5},
        "dailyActivity": [7, {"date": "2026-99-99"}, {"date": 3}], "dailyModelTokens": {},
        "modelUsage": {"m": 7, "n": {"inputTokens": null}},
    });
    let found = check(&cache);
    assert_eq!(found.findings.len(), 11, "{:#?}", found.findings);
    assert_eq!(found.differences, []);
    assert_eq!(check(&json!([1])).findings, ["not a JSON object"]);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z0-9-]{0,12}".prop_map(Value::from),
        Just(Value::from("2026-01-05")),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let key = prop_oneof![
            Just("date".to_owned()),
            Just("inputTokens".to_owned()),
            "[a-z]{0,4}"
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(key, inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_cache_can_be_compared(values in proptest::collection::vec(any_json(), 9)) {
        let names = sections(&Stats::default(), &Starts::default()).map(|(name, _)| name);
        let keys = names.into_iter().chain(["lastComputedDate"]);
        let cache: Value = Value::Object(keys.map(str::to_owned).zip(values).collect());
        let found = check(&cache);
        prop_assert!(found.differences.len() <= found.n_compared);
    }
}
