//! Files that are large, and lines that have not ended.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use ravel_format::Timestamp;
use ravel_index::{Index, Library, Patience, Progress};
use ravel_model::search::Role;
use serde_json::json;

use crate::answer::{Question, check_question, check_usage};
use crate::shelf::Shelf;

fn prompt(number: usize, folder: Option<&str>, text: &str) -> String {
    let mut line = json!({
        "type": "user",
        "uuid": format!("{number:08}-2222-4222-8222-222222222222"),
        "sessionId": "s",
        "timestamp": format!("2026-01-20T{:02}:{:02}:00.000Z", number / 60 % 24, number % 60),
        "message": {"role": "user", "content": text},
    });
    if let Some(folder) = folder {
        line["cwd"] = json!(folder);
    }
    format!("{line}\n")
}

fn check(library: &Library, shelf: &Shelf, questions: &[Question]) {
    let index = shelf.index();
    for question in questions {
        check_question(library, &index, question);
    }
    check_usage(library, &index);
}

#[test]
fn a_line_that_has_not_ended_belongs_to_the_project_of_its_file() {
    let mut shelf = Shelf::new();
    let bytes = prompt(1, Some("/srv/shop"), "cart") + prompt(2, None, "cart total").trim_end();
    shelf.write("projects/-x/a.jsonl", bytes.as_bytes());
    let of = |project| Question::of("total", |question| question.project = project);
    check(
        &shelf.library(),
        &shelf,
        &[of("shop"), of("kiln"), of("-x"), of("")],
    );
    assert_eq!(of("kiln").ask(&shelf.library(), None, None).n_found, 0);
}

#[test]
fn the_project_of_a_large_file_is_known_where_only_its_end_matches() {
    let mut shelf = Shelf::new();
    let filler = "lorem ipsum ".repeat(9_000);
    let mut bytes = prompt(0, Some("/srv/shop"), "start");
    for number in 1..40 {
        bytes += &prompt(number, Some("/elsewhere"), &filler);
    }
    bytes += &prompt(99, Some("/elsewhere"), "needle");
    assert!(bytes.len() > 4 << 20);
    shelf.write("projects/-x/a.jsonl", bytes.as_bytes());
    let of = |project| Question::of("needle", |question| question.project = project);
    check(
        &shelf.library(),
        &shelf,
        &[of("shop"), of("elsewhere"), of("-x"), of("")],
    );
    assert_eq!(of("shop").ask(&shelf.library(), None, None).n_found, 1);
}

/// A file of two waves, and questions about both.
fn large() -> (String, [Question; 4]) {
    let filler = "lorem ipsum ".repeat(40_000);
    let mut bytes = prompt(0, Some("/srv/shop"), "start");
    for number in 1..75 {
        bytes += &prompt(number, None, &format!("needle{number} {filler}"));
    }
    assert!(bytes.len() > 33 << 20);
    let questions = [1, 37, 73, 74].map(|number| Question::new(format!("needle{number}")));
    (bytes, questions)
}

#[test]
fn a_file_larger_than_a_wave_is_read_to_its_end() {
    let mut shelf = Shelf::new();
    let (bytes, questions) = large();
    let path = shelf.write("projects/-x/a.jsonl", bytes.as_bytes());
    check(&shelf.library(), &shelf, &questions);
    // Growth is all that is read.
    let line = prompt(80, None, "needle80");
    shelf.append(&path, line.as_bytes());
    let (index, updated) = shelf.indexed();
    assert_eq!((updated.n_grown, updated.n_bytes), (1, line.len() as u64));
    check_question(&shelf.library(), &index, &Question::new("needle80"));
}

/// Ends the work when so many waves were read.
struct Stop {
    after: u64,
    n_waves: AtomicU64,
}

impl Progress for Stop {
    fn add(&self, _n_bytes: u64) {
        if self.n_waves.fetch_add(1, Ordering::Relaxed) + 1 == self.after {
            std::panic::resume_unwind(Box::new("stopped"));
        }
    }
}

#[test]
fn what_was_read_before_a_crash_is_not_read_again() {
    let mut shelf = Shelf::new();
    let (bytes, questions) = large();
    shelf.write("projects/-x/a.jsonl", bytes.as_bytes());
    let library = shelf.library();
    let stopped = std::panic::catch_unwind(|| {
        let stop = Stop {
            after: 2,
            n_waves: AtomicU64::new(0),
        };
        let mut index = Index::create(&shelf.index_path()).unwrap();
        index.update(&library, Patience::Wait, &stop)
    });
    assert!(stopped.is_err());
    let index = Index::open(&shelf.index_path()).unwrap().unwrap();
    let status = index.status(&library).unwrap();
    assert!(status.n_read >= 32 << 20 && status.n_read < bytes.len() as u64);
    assert_eq!(status.n_changed, 1);
    for question in &questions {
        check_question(&library, &index, question);
    }
    let (index, updated) = shelf.indexed();
    assert_eq!(updated.n_bytes, bytes.len() as u64 - status.n_read);
    for question in &questions {
        check_question(&library, &index, question);
    }
}

#[test]
fn of_many_hits_the_newest_are_ranked_and_the_answer_says_so() {
    let mut shelf = Shelf::new();
    // As much as a block of the index has room for, so that each line is one.
    let text = format!("cart of {}", "x".repeat(16 << 10));
    for session in 0..3 {
        let lines = (0..400).map(|number| prompt(session * 400 + number, Some("/s"), &text));
        let name = format!("projects/-x/{session}.jsonl");
        shelf.write(&name, lines.collect::<String>().as_bytes());
    }
    let library = shelf.library();
    let index = shelf.index();
    let question = Question::new("cart");
    check_question(&library, &index, &question);
    let few = question.ask(&library, Some(&index), Some(10));
    assert!(!few.is_complete);
    assert_eq!(few.hits.len(), 10);
    assert!(few.n_found >= 10 && few.n_found < 1200);
    // The file that was written last has them.
    assert!(
        few.hits
            .iter()
            .all(|hit| hit.file.name.ends_with("2.jsonl"))
    );
}

#[test]
fn a_hit_behind_a_thousand_near_misses_is_found() {
    let mut shelf = Shelf::new();
    let old = [
        prompt(1, Some("/s"), "he said \"Word, and \"Work and \"World"),
        json!({"type": "custom-title", "customTitle": "word"}).to_string(),
    ];
    shelf.write("projects/-x/0.jsonl", (old.join("\n") + "\n").as_bytes());
    for session in 1..4 {
        let lines = (0..400).map(|number| prompt(session * 400 + number, Some("/s"), "a word"));
        let name = format!("projects/-x/{session}.jsonl");
        shelf.write(&name, lines.collect::<String>().as_bytes());
    }
    let library = shelf.library();
    let index = shelf.index();
    let other = Question::of("word", |question| question.filter.roles = vec![Role::Other]);
    let early = Question::of("word", |question| {
        question.filter.until = Timestamp::from_iso(b"2026-01-20T00:02:00.000Z");
    });
    for question in [Question::new("\"\\\"word\""), other, early] {
        check_question(&library, &index, &question);
        let few = question.ask(&library, Some(&index), Some(1));
        assert_eq!(few.hits.len(), 1, "{question:?}");
    }
}

#[test]
fn a_part_of_hundreds_of_words_and_a_query_of_hundreds_of_words_are_found() {
    let mut shelf = Shelf::new();
    let words: Vec<String> = (0..900).map(|number| format!("w{number}zq")).collect();
    let lines = words.chunks(30).enumerate();
    let mut bytes: String = lines
        .map(|(number, words)| prompt(number, Some("/s"), &words.join(" ")))
        .collect();
    bytes += &prompt(99, None, &words[..600].join(" "));
    shelf.write("projects/-x/a.jsonl", bytes.as_bytes());
    // More words than full text is asked for, nearly as many, and few.
    let parts = ["zq", "1zq", "w1", "w11"].map(Question::new);
    check(&shelf.library(), &shelf, &parts);
    let question = Question::new(words[..500].join(" "));
    check(&shelf.library(), &shelf, &[question]);
}

#[test]
fn an_index_of_what_is_gone_is_made_anew_by_itself() {
    let mut shelf = Shelf::new();
    let (bytes, _) = large();
    for number in 0..2 {
        let path = shelf.write(&format!("projects/-x/{number}.jsonl"), bytes.as_bytes());
        drop(shelf.index());
        fs::remove_file(path).unwrap();
    }
    let name = "projects/-x/a.jsonl";
    let path = shelf.write(name, prompt(1, Some("/s"), "cart").as_bytes());
    let forgotten = |shelf: &Shelf| shelf.index().status(&shelf.library()).unwrap().n_forgotten;
    assert!(forgotten(&shelf) > 64 << 20);
    shelf.append(&path, prompt(2, None, "total").as_bytes());
    assert_eq!(forgotten(&shelf), 0);
    let questions = ["cart", "total", "needle7", "lorem"].map(Question::new);
    check(&shelf.library(), &shelf, &questions);
}

#[cfg(unix)]
#[test]
fn a_file_that_is_another_one_is_read_anew_even_if_its_ends_are_the_same() {
    let mut shelf = Shelf::new();
    let pad = "lorem ipsum ".repeat(200);
    let text = |middle: &str| {
        prompt(1, Some("/srv/shop"), &pad) + &prompt(2, None, middle) + &prompt(3, None, &pad)
    };
    let path = shelf.write("projects/-x/a.jsonl", text("cart").as_bytes());
    drop(shelf.index());
    let other = path.with_extension("new");
    fs::write(&other, text("barn") + &prompt(4, None, "total")).unwrap();
    fs::rename(&other, &path).unwrap();
    let library = shelf.library();
    check(
        &library,
        &shelf,
        &["cart", "barn", "total"].map(Question::new),
    );
}

#[cfg(unix)]
#[test]
fn a_rewrite_that_hides_its_time_is_noticed() {
    use std::os::unix::fs::MetadataExt as _;
    let mut shelf = Shelf::new();
    let path = shelf.write(
        "projects/-x/a.jsonl",
        prompt(1, Some("/s"), "cart").as_bytes(),
    );
    drop(shelf.index());
    let before = fs::metadata(&path).unwrap();
    let stamp = |of: &fs::Metadata| (of.ctime(), of.ctime_nsec());
    // The clock of the file system ticks every few milliseconds.
    loop {
        fs::write(&path, prompt(1, Some("/s"), "barn")).unwrap();
        let file = fs::File::options().append(true).open(&path).unwrap();
        file.set_modified(before.modified().unwrap()).unwrap();
        let after = fs::metadata(&path).unwrap();
        assert_eq!(after.modified().unwrap(), before.modified().unwrap());
        assert_eq!(after.len(), before.len());
        if stamp(&after) != stamp(&before) {
            break;
        }
    }
    check(
        &shelf.library(),
        &shelf,
        &["cart", "barn"].map(Question::new),
    );
}

#[test]
fn an_appended_line_is_read_alone_and_a_half_one_waits() {
    let mut shelf = Shelf::new();
    let first = prompt(1, Some("/srv/shop"), "cart");
    let path = shelf.write("projects/-x/a.jsonl", first.as_bytes());
    let (_, updated) = shelf.indexed();
    assert_eq!((updated.n_new, updated.n_bytes), (1, first.len() as u64));
    let line = prompt(2, None, "total");
    let (half, rest) = line.split_at(40);
    shelf.append(&path, half.as_bytes());
    let (_, updated) = shelf.indexed();
    assert_eq!((updated.n_grown, updated.n_bytes), (1, 0));
    shelf.append(&path, rest.as_bytes());
    let (index, updated) = shelf.indexed();
    assert_eq!((updated.n_grown, updated.n_bytes), (1, line.len() as u64));
    check_question(&shelf.library(), &index, &Question::new("total"));
    let (_, updated) = shelf.indexed();
    assert!(updated.is_nothing());
}

#[test]
fn nothing_in_the_home_is_nothing_to_find() {
    let shelf = Shelf::new();
    check(
        &shelf.library(),
        &shelf,
        &[Question::new("cart"), Question::new("")],
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_named_and_the_rest_is_found() {
    let mut shelf = Shelf::new();
    shelf.write(
        "projects/-x/a.jsonl",
        prompt(1, Some("/s"), "cart").as_bytes(),
    );
    fs::create_dir_all(shelf.root().join("projects/-x/b.jsonl")).unwrap();
    std::os::unix::fs::symlink("nowhere", shelf.root().join("projects/-x/c.jsonl")).unwrap();
    check(&shelf.library(), &shelf, &[Question::new("cart")]);
}
