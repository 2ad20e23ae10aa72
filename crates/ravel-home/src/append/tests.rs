use super::*;
use std::fs;

const SID: &str = "5f0c7a52-3c4e-4a57-9d38-0a4b8a1f2c11";

/// Writes a file, acts on it, and returns what it then holds.
fn after(
    before: &str,
    act: impl FnOnce(&Path) -> Result<(), AppendError>,
) -> Result<String, String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(format!("{SID}.jsonl"));
    fs::write(&path, before).unwrap();
    let outcome = act(&path);
    let text = fs::read_to_string(&path).unwrap();
    match outcome {
        Ok(()) => Ok(text.replace(SID, "SID")),
        Err(error) => {
            assert_eq!(text, before, "a refused append must change nothing");
            Err(error
                .to_string()
                .replace(dir.path().to_str().unwrap(), "")
                .replace(SID, "SID"))
        }
    }
}

#[test]
fn a_record_becomes_a_line_and_a_torn_line_is_closed() {
    let append = |path: &Path| append_line(path, b"{\"b\":2}");
    assert_eq!(after("{}\n", append).unwrap(), "{}\n{\"b\":2}\n");
    assert_eq!(
        after("{}\n{\"to", append).unwrap(),
        "{}\n{\"to\n{\"b\":2}\n"
    );
    let twice = |path: &Path| {
        let mut appender = Appender::open(path)?;
        appender.append(b"1")?;
        appender.append(b"2")
    };
    assert_eq!(after("{", twice).unwrap(), "{\n1\n2\n");
}

#[test]
fn empty_and_missing_files_and_two_lines_are_refused() {
    let append = |path: &Path| append_line(path, b"{}");
    assert_eq!(
        after("", append).unwrap_err(),
        "append to /SID.jsonl: it is empty"
    );
    let two = |path: &Path| append_line(path, b"{}\n{}");
    assert!(
        after("{}\n", two)
            .unwrap_err()
            .contains("more than one line")
    );
    let error = append_line(Path::new("no/such/file.jsonl"), b"{}").unwrap_err();
    assert!(matches!(error, AppendError::Open { .. }));
}

#[test]
fn titles_and_tags_are_written_as_official_readers_expect() {
    let check = |act: &dyn Fn(&Path) -> Result<(), AppendError>, expect: &str| {
        assert_eq!(after("{}\n", act).unwrap(), format!("{{}}\n{expect}\n"));
    };
    check(
        &|path| rename_session(path, "  A \"new\" title\n"),
        r#"{"type":"custom-title","customTitle":"A \"new\" title","sessionId":"SID"}"#,
    );
    check(
        &|path| tag_session(path, Some("ﬁx\u{200b}\u{e000}\u{202e} me ")),
        r#"{"type":"tag","tag":"fix me","sessionId":"SID"}"#,
    );
    check(
        &|path| tag_session(path, None),
        r#"{"type":"tag","tag":"","sessionId":"SID"}"#,
    );
    let empty = |path: &Path| tag_session(path, Some("\u{200b} "));
    assert_eq!(
        after("{}\n", empty).unwrap_err(),
        "use an empty title or tag"
    );
    let empty = |path: &Path| rename_session(path, " \n");
    assert_eq!(
        after("{}\n", empty).unwrap_err(),
        "use an empty title or tag"
    );
}

#[test]
fn a_new_file_is_private_and_is_not_made_twice() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("new.jsonl");
    Appender::create(&path).unwrap().append(b"{}").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"{}\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    assert!(Appender::create(&path).is_err());
}
