use proptest::prelude::*;
use rustc_hash::FxHashMap;

use super::*;

#[derive(Default)]
struct Book(FxHashMap<Arc<str>, u64>);

impl Dictionary for Book {
    fn number(&mut self, text: &Arc<str>) -> rusqlite::Result<u64> {
        let next = self.0.len() as u64;
        Ok(*self.0.entry(Arc::clone(text)).or_insert(next))
    }
}

impl Texts for Book {
    fn text(&self, number: u64) -> Option<Arc<str>> {
        let mut all = self.0.iter();
        let (text, _) = all.find(|(_, other)| **other == number)?;
        Some(Arc::clone(text))
    }
}

fn id() -> impl Strategy<Value = Option<Box<str>>> {
    proptest::option::of("[a-z_é]{1,8}".prop_map(Box::from))
}

prop_compose! {
    fn request()(
        ids in (id(), id(), id()),
        texts in ("[a-z]{0,3}", "[a-z]{0,3}", "[a-z]{0,3}"),
        time in proptest::option::of(any::<i64>().prop_map(Timestamp)),
        tokens in any::<[u64; 6]>(),
        speed in proptest::sample::select(SPEEDS.to_vec()),
        tier in proptest::sample::select(TIERS.to_vec()),
        geo in proptest::sample::select(GEOS.to_vec()),
        flags in any::<[bool; 2]>(),
        place in any::<[u64; 2]>(),
    ) -> Request {
        let [input, output, cache_write_5m, cache_write_1h, cache_read, web_searches] = tokens;
        Request {
            session: texts.0.into(),
            project: texts.1.into(),
            model: texts.2.into(),
            message: ids.0,
            request: ids.1,
            record: ids.2,
            time,
            tokens: Tokens { input, output, cache_write_5m, cache_write_1h, cache_read },
            web_searches,
            speed,
            tier,
            geo,
            is_sidechain: flags[0],
            is_fork: flags[1],
            file: "projects/-srv/a.jsonl".into(),
            line: place[0],
            offset: place[1],
        }
    }
}

proptest! {
    #[test]
    fn a_request_comes_back_as_it_was(request in request()) {
        let mut book = Book::default();
        let bytes = pack(&request, &mut book).unwrap();
        let origin = Origin {
            file: Arc::clone(&request.file),
            line: request.line,
            offset: request.offset,
        };
        prop_assert_eq!(unpack(&bytes, &book, origin), Some(request));
    }

    #[test]
    fn other_bytes_are_no_reason_to_panic(bytes in any::<Vec<u8>>()) {
        let origin = Origin { file: "".into(), line: 0, offset: 0 };
        let _ = unpack(&bytes, &Book::default(), origin);
    }
}
