//! Ids come back as they went in.

use proptest::prelude::*;

use super::{IdTable, Key};

#[test]
fn an_id_is_kept_once() {
    let mut table = IdTable::default();
    let texts = [
        "0b9e0522-f6b5-44e5-ba08-314f422d5ca2",
        "aaa-111",
        "0B9E0522-F6B5-44E5-BA08-314F422D5CA2",
        "",
    ];
    let ids: Vec<_> = texts
        .iter()
        .map(|text| table.intern(Key::new(text)).unwrap())
        .collect();
    assert_eq!(table.len(), 4);
    for (id, text) in ids.iter().zip(texts) {
        assert_eq!(table.text(*id), text);
        assert_eq!(table.find(text), Some(*id));
        assert_eq!(table.intern(Key::new(text)), Some(*id));
    }
    assert_eq!(table.find("never seen"), None);
}

proptest! {
    #[test]
    fn keys_are_the_text(text in "[0-9a-fA-F-]{30,40}|.{0,12}") {
        prop_assert_eq!(Key::new(&text).to_string(), text);
    }
}
