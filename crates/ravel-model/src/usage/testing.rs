//! A shorthand for requests in tests.

use ravel_format::Timestamp;

use super::{Request, Speed, Tokens};

/// Makes a request from words: session, message and request (`-` for none), then marks.
///
/// `#` is a sidechain, `!` has a speed, `f` is a fork, `o5` has five tokens of output, `t9` is at minute
/// nine, `u…` is the id of the record, `/…` the file and `:…` the place in it.
pub(crate) fn request(words: &str) -> Request {
    let mut words = words.split_whitespace();
    let mut next = || words.next().filter(|word| *word != "-");
    let (session, message, id) = (next(), next(), next());
    let mut request = Request {
        session: session.unwrap_or_default().into(),
        project: "project".into(),
        message: message.map(Into::into),
        request: id.map(Into::into),
        record: None,
        model: "claude-opus-5-5".into(),
        time: Some(Timestamp(0)),
        tokens: Tokens::default(),
        web_searches: 0,
        speed: None,
        tier: None,
        geo: None,
        is_sidechain: false,
        is_fork: false,
        file: session.unwrap_or_default().into(),
        line: 1,
        offset: 0,
    };
    words.for_each(|word| mark(&mut request, word));
    request
}

fn mark(request: &mut Request, word: &str) {
    let (mark, value) = word.split_at(1);
    match mark {
        "#" => request.is_sidechain = true,
        "!" => request.speed = Some(Speed::Standard),
        "f" => request.is_fork = true,
        "o" => request.tokens.output = value.parse().unwrap(),
        "t" => request.time = Some(Timestamp(value.parse::<i64>().unwrap() * 60_000)),
        "u" => request.record = Some(value.into()),
        "/" => request.file = value.into(),
        ":" => request.offset = value.parse().unwrap(),
        _ => panic!("no such mark: {word}"),
    }
}
