use super::*;

fn roles(text: &str, language: Language<'_>) -> Vec<(String, Role)> {
    highlight(text, language)
        .concat()
        .into_iter()
        .map(|token| (token.text.trim().to_owned(), token.role))
        .collect()
}

#[track_caller]
fn check(text: &str, language: Language<'_>, word: &str, expect: Role) {
    let found = roles(text, language);
    let role = found
        .iter()
        .find(|(text, _)| text == word)
        .map(|(_, role)| *role);
    assert_eq!(role, Some(expect), "{word} in {found:?}");
}

#[test]
fn scopes_become_roles() {
    let rust = "fn main() { let a: u8 = 1; } // note\n";
    check(rust, Language::Named("rust"), "main", Role::Function);
    check(rust, Language::Named("rs"), "1", Role::Number);
    check(
        rust,
        Language::OfPath("src/main.rs"),
        "// note",
        Role::Comment,
    );
    check(
        "x = 'text'",
        Language::Named("python title=x"),
        "'text'",
        Role::Text,
    );
    check("let a = 1", Language::Named("ts"), "let", Role::Keyword);
    check(
        "{\"a\": true}",
        Language::OfPath("a.jsonl"),
        "true",
        Role::Number,
    );
    check(
        "FROM x",
        Language::OfPath("a/Dockerfile"),
        "FROM",
        Role::Keyword,
    );
    check("echo \"a\"", Language::Named("shell"), "\"a\"", Role::Text);
}

#[test]
fn unknown_and_oversized_code_stays_plain() {
    let is_plain = |text: &str, language| {
        highlight(text, language)
            .concat()
            .iter()
            .all(|token| token.role == Role::Plain)
    };
    assert!(is_plain("fn main() {}", Language::Unknown));
    assert!(is_plain(
        "fn main() {}",
        Language::Named("no-such-language")
    ));
    assert!(is_plain("fn main() {}", Language::Named("text")));
    assert!(is_plain(
        &"let a = 1; ".repeat(300),
        Language::Named("rust")
    ));
    assert!(is_plain(
        &"let a = 1;\n".repeat(30_000),
        Language::Named("rust")
    ));
}

#[test]
fn lines_keep_their_text() {
    for text in [
        "",
        "a",
        "a\n",
        "a\n\n",
        "fn a() {\n  \"é日\" // x\n}\n\n",
        "'''\nopen",
    ] {
        for language in [
            Language::Unknown,
            Language::Named("rust"),
            Language::Named("py"),
        ] {
            let joined: Vec<String> = highlight(text, language)
                .iter()
                .map(|tokens| tokens.iter().map(|token| token.text).collect())
                .collect();
            let expect: Vec<&str> = text
                .strip_suffix('\n')
                .unwrap_or(text)
                .split('\n')
                .collect();
            assert_eq!(joined, expect);
        }
    }
}

#[test]
fn rendered_code_is_sanitized() {
    let lines = render("a = '\u{1b}[2J'", Language::Named("py"));
    assert_eq!(lines[0].text(), "a = '␛[2J'");
}

#[track_caller]
fn check_quick(text: &str, name: &str, expect: &[(&str, Role)]) {
    let found: Vec<(&str, Role)> = highlight_quickly(text, Language::Named(name))
        .concat()
        .into_iter()
        .filter(|token| token.role != Role::Plain)
        .map(|token| (token.text.trim(), token.role))
        .collect();
    assert_eq!(found, expect);
}

#[test]
fn the_quick_scan_finds_what_readers_look_for() {
    let (keyword, text, number, comment) = (Role::Keyword, Role::Text, Role::Number, Role::Comment);
    let key = Role::Property;
    check_quick(
        "fn main<'a>() { let c = 'x'; } // end",
        "rust",
        &[
            ("fn", keyword),
            ("let", keyword),
            ("'x'", text),
            ("// end", comment),
        ],
    );
    check_quick(
        r#"a = "q\"z" # n"#,
        "py",
        &[(r#""q\"z""#, text), ("# n", comment)],
    );
    check_quick(
        "/* a\nb */ 0..15",
        "c",
        &[
            ("/* a", comment),
            ("b */", comment),
            ("0", number),
            ("15", number),
        ],
    );
    check_quick(
        r#"{"k": "v", "n": null}"#,
        "json",
        &[
            ("\"k\"", key),
            ("\"v\"", text),
            ("\"n\"", key),
            ("null", number),
        ],
    );
    check_quick("key-a: b # c", "yaml", &[("key-a", key), ("# c", comment)]);
    check_quick(
        "SELECT a FROM b",
        "sql",
        &[("SELECT", keyword), ("FROM", keyword)],
    );
    check_quick(
        "x = '''a\n# b'''",
        "python",
        &[("'''a", text), ("# b'''", text)],
    );
    check_quick("echo $HOME", "bash", &[("echo", keyword), ("$HOME", key)]);
}

proptest::proptest! {
    #[test]
    fn the_quick_scan_keeps_every_byte(
        text in "[a-c'\"`/*#\\\\$0-2.日\\n (-]{0,60}",
        name in "rust|py|json|sh|js|css|sql|lua",
    ) {
        let lines = highlight_quickly(&text, Language::Named(&name));
        let joined: Vec<String> = lines
            .iter()
            .map(|tokens| tokens.iter().map(|token| token.text).collect())
            .collect();
        let expect = text.strip_suffix('\n').unwrap_or(&text);
        proptest::prop_assert_eq!(joined.join("\n"), expect);
    }
}
