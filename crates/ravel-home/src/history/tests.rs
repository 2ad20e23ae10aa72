use super::*;

fn read(text: &[u8]) -> Vec<HistoryLine> {
    let reader = HistoryReader::new(Path::new("history.jsonl"), text);
    reader.collect::<io::Result<_>>().unwrap()
}

#[test]
fn entries_bad_lines_and_pastes_are_all_handed_out() {
    let lines = read(
        concat!(
            r#"{"display":"run it","pastedContents":{},"timestamp":1700000000001,"project":"/srv/a"}"#,
            "\n\n",
            r#"{"display":"[Pasted text #1 +2 lines] [Pasted text #2]","pastedContents":{"1":{"id":1,"type":"text","contentHash":"00ff"},"2":{"id":2,"type":"text","content":"inline"}},"timestamp":1700000000002,"project":"/srv/a","sessionId":"s1"}"#,
            "\n{torn\n",
            r#"{"display":"half \ud83d emoji"}"#,
        )
        .as_bytes(),
    );
    let [
        HistoryLine::Entry(first),
        HistoryLine::Entry(second),
        HistoryLine::Unreadable(torn),
        HistoryLine::Entry(last),
    ] = lines.as_slice()
    else {
        panic!("{lines:?}");
    };
    assert_eq!(
        (first.display.as_str(), first.timestamp_ms),
        ("run it", Some(1_700_000_000_001))
    );
    assert_eq!(first.session_id, None);
    assert_eq!(second.pasted[0].content_hash.as_deref(), Some("00ff"));
    assert_eq!(second.pasted[1].content.as_deref(), Some("inline"));
    assert_eq!(torn.line, Some(4));
    assert_eq!(last.display, "half \u{fffd} emoji");
}

#[test]
fn a_home_without_history_has_none() {
    let dir = tempfile::tempdir().unwrap();
    assert!(open_history(&Home::at(dir.path())).unwrap().is_none());
}
