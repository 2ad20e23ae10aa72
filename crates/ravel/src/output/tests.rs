use std::borrow::Cow;
use std::io;
use std::path::Path;

use ravel_format::{Outline, Source, Span};
use ravel_model::Transcript;

use super::{Access, Content, Existing, Output, is_passage};
use crate::open::Opened;

/// A disk that has gone bad.
struct Broken;

impl Source for Broken {
    fn read(&self, _: Span) -> Cow<'_, [u8]> {
        Cow::Borrowed(&[])
    }

    fn take_error(&self) -> Option<io::Error> {
        Some(io::Error::other("the disk has gone bad"))
    }
}

fn opened(source: impl Source + Send + 'static) -> Opened {
    Opened {
        transcripts: vec![Transcript {
            outline: Outline::default(),
            source: Box::new(source),
            agent: None,
        }],
        paths: vec!["kiln.jsonl".into()],
        target: None,
    }
}

fn to(path: &Path) -> Output<'_> {
    Output {
        home: None,
        path,
        existing: Existing::Keep,
        content: Content::Tame,
        access: Access::Usual,
    }
}

#[test]
fn what_could_not_be_read_is_no_success() {
    assert!(opened(Vec::new()).check_read().is_ok());
    let failure = opened(Broken).check_read().unwrap_err();
    assert!(!failure.is_closed_pipe());
    let words = format!("{failure:?}");
    assert!(
        words.contains("could not read kiln.jsonl: the disk has gone bad"),
        "{words}"
    );
}

#[test]
fn a_document_with_holes_is_not_put_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kiln.md");
    let written = to(&path).write(&opened(Broken), |out| out.write_all(b"# Kiln"));
    assert!(written.is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    to(&path)
        .write(&opened(Vec::new()), |out| out.write_all(b"# Kiln"))
        .unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"# Kiln");
}

#[test]
fn a_reader_that_went_away_is_told_from_a_read_that_failed() {
    let gone = io::Error::from(io::ErrorKind::BrokenPipe);
    assert!(crate::failure::Failure::from(io::Error::from(gone.kind())).is_closed_pipe());
    assert!(!crate::failure::Failure::io("read", &gone).is_closed_pipe());
}

#[test]
fn what_is_open_elsewhere_is_written_into() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kiln.md");
    std::fs::write(&file, "").unwrap();
    for (path, expected) in [
        // Whatever these lead to: a file, when output goes into one.
        (Path::new("/dev/stdout"), true),
        (Path::new("/dev/fd/1"), true),
        (Path::new("/proc/self/fd/1"), true),
        (Path::new("/dev/shm/kiln.md"), false),
        (folder.path(), false),
        (&file, false),
    ] {
        assert_eq!(is_passage(path), expected, "{}", path.display());
    }
}
