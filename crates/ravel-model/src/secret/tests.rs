use proptest::prelude::*;

use super::*;

/// So many letters and digits that look like a key. No key of anybody stands in this file.
fn body(length: usize) -> String {
    "a1B2c3D4e5F6g7H8i9J0"
        .chars()
        .cycle()
        .take(length)
        .collect()
}

fn hex(length: usize) -> String {
    "0f1e2d3c4b5a6978".chars().cycle().take(length).collect()
}

fn capitals(length: usize) -> String {
    "A1B2C3D4E5F6G7H2".chars().cycle().take(length).collect()
}

/// A JSON web token with a header that says `{"alg":"HS256","typ":"JWT"}`.
fn jwt() -> String {
    format!(
        "{}.{}.{}",
        ["eyJhbGciOiJIUzI1NiIs", "InR5cCI6IkpXVCJ9"].concat(),
        "eyJzdWIiOiIxMjM0NTY3ODkwIn0",
        body(43)
    )
}

fn pem(label: &str) -> String {
    let line = body(64);
    let dashes = "-----";
    format!("{dashes}BEGIN {label}{dashes}\n{line}\n{line}\n{dashes}END {label}{dashes}")
}

#[track_caller]
fn check(text: &str, masked: &str) {
    assert_eq!(mask(text), masked, "{text}");
}

#[test]
fn keys_with_a_known_start_keep_that_start() {
    let shapes = [
        ("sk-ant-", format!("api03-{}", body(80))),
        ("sk-proj-", body(48)),
        ("sk-svcacct-", body(48)),
        ("sk-", body(48)),
        ("sk-", hex(32)),
        ("AKIA", capitals(16)),
        ("ASIA", capitals(16)),
        ("ghp_", body(36)),
        ("gho_", body(36)),
        ("ghs_", body(36)),
        ("ghu_", body(36)),
        ("ghr_", body(36)),
        ("github_pat_", format!("{}_{}", body(22), body(59))),
        ("glpat-", body(20)),
        ("xoxb-", format!("1234567890-{}", body(24))),
        ("xoxp-", format!("1234567890-{}", body(24))),
        ("AIza", body(35)),
        ("npm_", body(36)),
        ("pypi-", body(120)),
        ("hf_", body(34)),
        ("sk_live_", body(24)),
        ("rk_live_", body(24)),
        ("SG.", format!("{}.{}", body(22), body(43))),
        ("SK", hex(32)),
        ("dop_v1_", hex(64)),
        ("gsk_", body(52)),
    ];
    for (prefix, rest) in shapes {
        for (before, after) in [
            ("", ""),
            ("key: ", "\n"),
            ("(", ")"),
            ("'", "'"),
            (r#"{"a":"x\n"#, r#"\n"}"#),
        ] {
            let text = format!("{before}{prefix}{rest}{after}");
            check(&text, &format!("{before}{prefix}…[masked]{after}"));
            let text = format!("TOKEN={prefix}{rest}{after}");
            check(&text, &format!("TOKEN={prefix}…[masked]{after}"));
        }
    }
}

#[test]
fn names_tell_what_to_hide() {
    let cases = [
        ("PASSWORD=correcthorse", "PASSWORD=…[masked]"),
        (
            "export DB_PASS='hunter2hunter2'",
            "export DB_PASS='…[masked]'",
        ),
        ("MYSQL_PWD=tr0ub4dor", "MYSQL_PWD=…[masked]"),
        (r#""api_key": "a1b2c3d4e5f6""#, r#""api_key": "…[masked]""#),
        (
            r#"\"apiKey\": \"a1b2c3d4e5f6\""#,
            r#"\"apiKey\": \"…[masked]\""#,
        ),
        ("password: Winter2026!", "password: …[masked]"),
        ("x-api-key: a1b2c3d4e5f6a7b8", "x-api-key: …[masked]"),
        (
            "client_secret = \"q7w8e9r0t1\"",
            "client_secret = \"…[masked]\"",
        ),
        ("OPENAI_KEY=a1b2c3d4E5F6g7h8", "OPENAI_KEY=…[masked]"),
        (
            "login --password correcthorse now",
            "login --password …[masked] now",
        ),
        ("login --token=a1b2c3d4e5", "login --token=…[masked]"),
        (
            "\"SecretAccessKey\" => \"a1b2c3d4e5\"",
            "\"SecretAccessKey\" => \"…[masked]\"",
        ),
        (
            "Server=db;User Id=sa;Password=Winter2026!;Encrypt=true",
            "Server=db;User Id=sa;Password=…[masked];Encrypt=true",
        ),
        (
            "AccountName=shop;AccountKey=a1B2c3D4e5F6g7H8==;Endpoint=x",
            "AccountName=shop;AccountKey=…[masked];Endpoint=x",
        ),
    ];
    for (text, masked) in cases {
        check(text, masked);
    }
    let text = format!("ANTHROPIC_API_KEY=sk-ant-{}", body(40));
    check(&text, "ANTHROPIC_API_KEY=sk-ant-…[masked]");
}

#[test]
fn urls_lose_their_passwords() {
    let cases = [
        (
            "postgres://app:s3cr3t@db:5432/shop",
            "postgres://app:…[masked]@db:5432/shop",
        ),
        ("redis://:s3cr3t@cache", "redis://:…[masked]@cache"),
        ("https://sam:a@b@host/x", "https://sam:…[masked]@host/x"),
        ("amqp://a:pässwörd@mq", "amqp://a:…[masked]@mq"),
    ];
    for (text, masked) in cases {
        check(text, masked);
    }
    let text = format!("https://x-access-token:ghs_{}@github.com/a/b", body(36));
    check(&text, "https://x-access-token:ghs_…[masked]@github.com/a/b");
}

#[test]
fn headers_lose_their_credentials() {
    check(
        "curl -H 'Authorization: Bearer a1b2c3d4e5f6' x",
        "curl -H 'Authorization: Bearer …[masked]' x",
    );
    check(
        "authorization: Basic c2FtOnNlY3JldA==",
        "authorization: Basic …[masked]",
    );
    check(
        r#"{"Authorization": "token a1b2c3d4e5"}"#,
        r#"{"Authorization": "token …[masked]"}"#,
    );
    check("sent Bearer a1b2c3d4e5f6a7b8c9", "sent Bearer …[masked]");
    check(&format!("Bearer {}", jwt()), "Bearer eyJ…[masked]");
}

#[test]
fn tokens_and_private_keys_go_as_a_whole() {
    check(&format!("jwt={}&x=1", jwt()), "jwt=eyJ…[masked]&x=1");
    for label in ["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY"] {
        let text = format!("a\n{}\nb", pem(label));
        check(&text, &format!("a\n-----BEGIN {label}-----…[masked]\nb"));
    }
    // As a tool shows a file, as JSON in JSON, and cut off.
    let numbered = pem("PRIVATE KEY").replace('\n', "\n     7→");
    check(&numbered, "-----BEGIN PRIVATE KEY-----…[masked]");
    let escaped = pem("PRIVATE KEY").replace('\n', "\\n");
    check(&escaped, "-----BEGIN PRIVATE KEY-----…[masked]");
    let whole = pem("PRIVATE KEY");
    let cut = &whole[..90];
    check(
        &format!("{cut}… and more"),
        "-----BEGIN PRIVATE KEY-----…[masked]… and more",
    );
}

#[test]
fn a_private_key_without_its_start_is_known_by_its_end() {
    let whole = pem("RSA PRIVATE KEY");
    let (_, rest) = whole.split_once('\n').unwrap();
    let end = "-----END RSA PRIVATE KEY-----";
    check(rest, &format!("…[masked]\n{end}"));
    // In the middle of a line, with a short last line, and with words before.
    check(&rest[50..], &format!("…[masked]\n{end}"));
    let short = rest.replace("\n--", "\nQ1==\n--");
    check(&short, &format!("…[masked]\n{end}"));
    check(
        &format!("see the key\n{rest}\nb"),
        &format!("see the key\n…[masked]\n{end}\nb"),
    );
    // As tools show files, as JSON in JSON, on one line.
    for (between, last) in [
        ("\n     7→", "\n     7→"),
        ("\n 7\t", "\n 7\t"),
        ("\n> ", "\n> "),
        ("\\n", "\\n"),
        (" ", " "),
    ] {
        let shown = rest.replace('\n', between);
        check(&shown, &format!("…[masked]{last}{end}"));
    }
    // What was found in it before goes with it.
    let line = body(64);
    let inner = format!("{line}\nAKIA{}/{}\n{line}\n{end}", capitals(16), body(43));
    check(&inner, &format!("…[masked]\n{end}"));
    for text in [
        "the last line is\n-----END PRIVATE KEY-----",
        "Q1==\n-----END PRIVATE KEY-----",
    ] {
        check(text, text);
    }
    let public = format!("{line}\n-----END PUBLIC KEY-----");
    check(&public, &public);
}

#[test]
fn an_aws_secret_is_known_by_the_id_before_it() {
    let secret = format!("{}/{}+9", body(20), body(17));
    let text = format!("AKIA{},{secret}\n", capitals(16));
    check(&text, "AKIA…[masked],…[masked]\n");
    check(&secret, &secret);
    let kinds: Vec<Kind> = find(&text).iter().map(|secret| secret.kind).collect();
    assert_eq!(kinds, [Kind::Key("AWS key id"), Kind::AwsSecret]);
}

#[test]
fn what_is_no_secret_stays() {
    let long_base64 = format!("data:image/png;base64,iVBORw0KGgo{}", body(4000));
    let cases = [
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "5f0c7a52-3c4e-4a57-9d38-0a4b8a1f2c11",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        &long_base64,
        "PASSWORD=xxxxxxxxxxxx",
        "API_KEY=<your key>",
        "API_KEY=your-api-key-1",
        "TOKEN=$GITHUB_TOKEN",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "const apiKey = process.env.API_KEY_2;",
        "api_key=os.environ['API_KEY_2']",
        "password = getpass.getpass1()",
        "let token = tokens[12345678];",
        "password: string, token: Base64String",
        "fn token(&self) -> TokenKind2 { self.token::<u8>() }",
        "if password == \"hunter2hunter2\" {",
        "self.token = self.lexer.next_token_2",
        "the password is at least 12 characters",
        "\"max_tokens\": 4096, \"input_tokens\": 123456789",
        "\"primary_key\": \"a1b2c3d4e5f6a7b8\"",
        "CACHE_KEY=9fceb02d0ae598e95dc970b74767f19372d61af8",
        "the bearer of this letter2letter",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer <token>",
        "https://example.com:8080/a@b",
        "postgres://user:password@localhost/db",
        "postgres://user:${DB_PASSWORD}@localhost/db",
        "git@github.com:ravel-sessions/ravel.git",
        "sk-circle-fade-dot-animation-delay",
        "task-1234567890123456789012345678",
        "ASIATIC AKIAK SKIP SG.1 eyJ.eyJ.eyJ",
        "eyJub3QiOiJhIn0.eyJub3QiOiJhIn0.eyJub3QiOiJhIn0",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "-----BEGIN PRIVATE KEY----- is how a key starts, they say.",
        "token: …[masked]",
    ];
    for text in cases {
        check(text, text);
    }
}

#[test]
fn hostile_text_of_a_megabyte_is_done() {
    // Quadratic work on this much would take minutes.
    const SIZE: usize = 1 << 20;
    let pieces = [
        "password=",
        "PASSWORD=a",
        "sk-ant-",
        "sk-ant-a1 ",
        "eyJ.",
        "eyJ",
        "://a:",
        "://a:@",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nA",
        "-----END PRIVATE KEY-----",
        "A1 \\n-----END PRIVATE KEY-----",
        "authorization:",
        "Bearer ",
        "AKIAA1B2C3D4E5F6G7H2 ",
        "_key_key",
        "\"token\":\"",
        "a1",
        "\\",
    ];
    // These take the most looks; a test build is slow at them.
    let slow = ["token=", "token=sk-"].map(|piece| (piece, SIZE / 4));
    let all = pieces.map(|piece| (piece, SIZE)).into_iter().chain(slow);
    for (piece, size) in all {
        let text = piece.repeat(size / piece.len());
        let masked = mask(&text);
        assert!(masked.len() <= 3 * text.len(), "{piece}");
    }
}

/// Pieces that secrets are made of, in any order.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("sk-ant-".to_owned()),
        Just("AKIA".to_owned()),
        Just("SG.".to_owned()),
        Just("eyJhbGciOiJIUzI1NiJ9".to_owned()),
        Just("PASSWORD=".to_owned()),
        Just("\"token\": \"".to_owned()),
        Just("Authorization: Bearer ".to_owned()),
        Just("https://sam:".to_owned()),
        Just("-----BEGIN PRIVATE KEY-----".to_owned()),
        Just("-----END PRIVATE KEY-----".to_owned()),
        Just(MASK.to_owned()),
        Just("…".to_owned()),
        "[a-zA-Z0-9]{0,48}",
        "[A-Z2-7]{16}",
        "[@:/.=\"'\\\\ \n-]{1,2}",
        "\\PC{0,3}",
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn masking_twice_is_masking_once(text in text()) {
        let once = mask(&text).into_owned();
        prop_assert_eq!(mask(&once), once.as_str());
    }

    #[test]
    fn secrets_are_apart_in_order_and_on_borders(text in text()) {
        let mut done = 0;
        for secret in find(&text) {
            prop_assert!(secret.range.start >= done && !secret.range.is_empty());
            prop_assert!(text.get(secret.range.clone()).is_some());
            done = secret.range.end;
        }
    }
}
