//! A kept file is the file.

use std::fs;
use std::time::{Duration, UNIX_EPOCH};

use ravel_format::Source;

use super::*;
use crate::{SessionBytes, load_outline};

/// Writes the kept copy of a file in chunks of some length, as the archive would.
pub(crate) fn keep(archive: &Path, name: &str, bytes: &[u8], length: usize) -> PathBuf {
    fs::create_dir_all(archive.join("chunks")).unwrap();
    fs::write(archive.join(ARCHIVE_MARK), "").unwrap();
    let mut chunks = Vec::new();
    for piece in bytes.chunks(length) {
        let chunk = ChunkRef {
            id: ChunkId::of(piece),
            length: piece.len() as u64,
        };
        let path = chunk_path(&archive.join("chunks"), &chunk.id);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, zstd::bulk::compress(piece, 3).unwrap()).unwrap();
        chunks.push(chunk);
    }
    let manifest = Manifest {
        size: bytes.len() as u64,
        modified: UNIX_EPOCH + Duration::new(1_763_184_914, 250_000_000),
        stamp: Stamp {
            inode: 7,
            changed_ns: -1,
        },
        is_open_ended: bytes.last() != Some(&b'\n'),
        chunks,
    };
    assert_eq!(
        Manifest::parse(manifest.to_text().as_bytes()),
        Ok(manifest.clone())
    );
    let path = kept_path(&mirror_of(archive).join(name));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, manifest.to_text()).unwrap();
    path
}

fn lines() -> Vec<u8> {
    let line = |number: u32| {
        format!("{{\"type\":\"user\",\"uuid\":\"u{number}\",\"text\":\"{number:090}\"}}\n")
    };
    (0..500)
        .flat_map(|number| line(number).into_bytes())
        .collect()
}

#[test]
fn a_kept_file_reads_like_the_file_at_every_place() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = lines();
    let path = keep(folder.path(), "projects/a/x.jsonl", &bytes, 1_000);
    let file = StoredFile::open(&path).unwrap();
    assert_eq!(file.size_and_time().unwrap().0, bytes.len() as u64);
    for (start, length) in [
        (0, 1),
        (999, 2),
        (0, bytes.len()),
        (500, 12_345),
        (bytes.len() - 3, 10),
    ] {
        let mut buffer = vec![0; length];
        let n_read = file.read_at(&mut buffer, start as u64).unwrap();
        let expected = &bytes[start..bytes.len().min(start + length)];
        assert_eq!(&buffer[..n_read], expected, "{start} {length}");
    }
    assert_eq!(
        file.read_at(&mut [0; 4], bytes.len() as u64 + 5).unwrap(),
        0
    );
    let whole = ravel_format::Outline::from_bytes(&bytes);
    let outline = load_outline(&path).unwrap();
    let source = SessionBytes::open(&path).unwrap();
    assert_eq!(outline.entries().len(), whole.entries().len());
    for (one, other) in outline.entries().iter().zip(whole.entries()) {
        assert_eq!(source.read(one.span), bytes.read(other.span));
    }
}

#[test]
fn an_empty_file_is_kept_without_chunks() {
    let folder = tempfile::tempdir().unwrap();
    let path = keep(folder.path(), "projects/a/x.jsonl", b"", 10);
    let file = StoredFile::open(&path).unwrap();
    assert_eq!(file.read_at(&mut [0; 4], 0).unwrap(), 0);
    assert_eq!(load_outline(&path).unwrap().n_bytes(), 0);
}

#[test]
fn what_is_wrong_with_a_chunk_is_said_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = lines();
    let path = keep(folder.path(), "projects/a/x.jsonl", &bytes, 1_000);
    let id = ChunkId::of(&bytes[1_000..2_000]);
    let chunk = chunk_path(&folder.path().join("chunks"), &id);
    let read = || {
        let file = StoredFile::open(&path).unwrap();
        assert_eq!(file.read_at(&mut [0; 1_000], 0).unwrap(), 1_000);
        file.read_at(&mut [0; 10], 1_500).unwrap_err().to_string()
    };
    let packed = |bytes: &[u8]| zstd::bulk::compress(bytes, 3).unwrap();
    // A lie about its size must not fill the memory.
    for damage in [
        b"".to_vec(),
        packed(b"other"),
        packed(&vec![0; 50 << 20]),
        packed(&bytes[1_001..2_001]),
    ] {
        fs::write(&chunk, damage).unwrap();
        assert_eq!(read(), format!("chunk {id} of the archive is damaged"));
    }
    fs::remove_file(&chunk).unwrap();
    assert_eq!(read(), format!("chunk {id} of the archive is missing"));
}

#[test]
fn a_damaged_kept_file_is_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let path = keep(folder.path(), "projects/a/x.jsonl", &lines(), 1_000);
    let text = fs::read_to_string(&path).unwrap();
    let resealed = |body: &str| {
        let body = &body[..body.rfind("check ").unwrap()];
        format!("{body}check {}\n", ChunkId::of(body.as_bytes()))
    };
    for (damaged, problem) in [
        (String::new(), "is not one of Ravel's"),
        ("{}\n".to_owned(), "is not one of Ravel's"),
        (
            text.replace("kept 1", "kept 2"),
            "has a form that this version of Ravel does not know",
        ),
        (text[..text.len() / 2].to_owned(), "is damaged"),
        (text.replacen("size ", "size 1", 1), "is damaged"),
        (resealed(&text.replacen("size ", "size 1", 1)), "is damaged"),
        (
            resealed(&text.replacen(" 1000\n", " 99999999999\n", 1)),
            "is damaged",
        ),
        (
            resealed(&text.replacen("chunk ", "chunk ../", 1)),
            "is damaged",
        ),
        (
            resealed(&text.replacen("modified ", "modified 9999999999999999999", 1)),
            "is damaged",
        ),
    ] {
        assert_eq!(
            Manifest::parse(damaged.as_bytes()),
            Err(problem),
            "{damaged:.80}"
        );
    }
    let more = resealed(&text.replacen("end ", "mood fine\nend ", 1));
    assert!(Manifest::parse(more.as_bytes()).is_ok());
    for end in 0..text.len() {
        assert!(
            Manifest::parse(&text.as_bytes()[..end]).is_err(),
            "cut at {end}"
        );
    }
}

#[test]
fn kept_files_are_known_by_their_names() {
    for name in ["x.jsonl.kept", "x.jsonl.kept.1", "x.kept.20"] {
        assert!(is_kept(Path::new(name)), "{name}");
    }
    for name in ["x.jsonl", ".kept", "x.kept.", "x.kept.a", "x.1", "kept"] {
        assert!(!is_kept(Path::new(name)), "{name}");
    }
}

#[test]
fn a_kept_file_without_its_archive_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = keep(folder.path(), "projects/a/x.jsonl", b"{}\n", 10);
    let away = folder.path().join("x.jsonl.kept");
    fs::rename(path, &away).unwrap();
    let error = StoredFile::open(&away).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a kept file outside of an archive, without its chunks"
    );
}
