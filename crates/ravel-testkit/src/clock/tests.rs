use super::{Clock, Ids};

#[test]
fn time_is_written_as_it_was_read() {
    for text in [
        "1970-01-01T00:00:00.000Z",
        "2024-02-29T23:59:59.999Z",
        "2026-01-31T12:34:56.789Z",
        "2100-03-01T00:00:00.001Z",
    ] {
        assert_eq!(Clock::starting_at(text).iso(), text);
    }
    let mut clock = Clock::starting_at("2025-12-31T23:59:59Z");
    clock.advance(1_500);
    assert_eq!(clock.iso(), "2026-01-01T00:00:00.500Z");
    assert_eq!(clock.epoch_ms(), 1_767_225_600_500);
}

#[test]
fn ids_repeat_for_the_same_seed_only() {
    let (mut first, mut second, mut other) = (Ids::new("a"), Ids::new("a"), Ids::new("b"));
    let uuid = first.uuid();
    assert_eq!(uuid, second.uuid());
    assert_ne!(uuid, other.uuid());
    assert_ne!(uuid, first.uuid());
    assert_eq!(uuid.len(), 36);
    assert!(first.prefixed("msg_01").starts_with("msg_01"));
    assert_eq!(first.digits(7).len(), 7);
}
