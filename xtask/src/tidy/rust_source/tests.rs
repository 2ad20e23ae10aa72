//! Tests of the small lexer.

use super::{Function, declared_modules, functions, mask, test_module_lines};

#[test]
fn comments_and_literals_become_blanks_and_lines_stay() {
    let check = |source: &str, expected: &str| {
        let masked = mask(source);
        assert_eq!(
            masked.split_whitespace().collect::<Vec<_>>().join(" "),
            expected,
            "{source}"
        );
        assert_eq!(masked.matches('\n').count(), source.matches('\n').count());
    };
    check("a // b {\nc", "a c");
    check("a /* b /* c */ d\n */ e", "a e");
    check(r#"a("x{\"y", b"z")"#, "a( , b )");
    check("r#\"{ \" }\"# + x", "+ x");
    check("br\"{\" ; c\"}\"", "; c");
    check(
        "let c = '{'; let d = '\\''; f::<'a>(x)",
        "let c = ; let d = ; f::<'a>(x)",
    );
    check("let é = 'é';", "let = ;");
    check("barrier(r, b)", "barrier(r, b)");
    check("\"never closed", "");
}

#[test]
fn functions_are_measured_with_their_bodies() {
    let source = "trait T { fn bare(&self); }\nfn one() {}\nfn two(f: fn(u8) -> u8) -> [u8; 2]\n{\n    fn inner() {\n    }\n}\n";
    let function = |name: &str, first_line, last_line| Function {
        name: name.to_owned(),
        first_line,
        last_line,
    };
    assert_eq!(
        functions(&mask(source)),
        [
            function("one", 2, 2),
            function("two", 3, 7),
            function("inner", 5, 6)
        ]
    );
}

#[test]
fn only_modules_without_a_body_are_declared() {
    let source = "pub(crate) mod a;\nmod b { mod c; }\n// mod d;\nmodel;\n#[cfg(test)]\nmod tests;";
    assert_eq!(declared_modules(&mask(source)), ["a", "c", "tests"]);
}

#[test]
fn inline_test_modules_are_counted() {
    assert_eq!(
        test_module_lines("fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n"),
        4
    );
    assert_eq!(
        test_module_lines("#[cfg(test)]\nmod tests;\nfn a() {}\n"),
        0
    );
}
