//! Tests of how steps are chosen; running them is the job of CI.

use super::{Request, parse};

fn check(args: &[&str], expected: Result<&[&str], &str>) {
    let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
    let actual = parse(&args).map(|request| match request {
        Request::List => vec!["<list>"],
        Request::Run(steps) => steps.iter().map(|step| step.name).collect(),
    });
    match (actual, expected) {
        (Ok(actual), Ok(expected)) => assert_eq!(actual, expected),
        (Err(error), Err(expected)) => assert!(error.to_string().contains(expected), "{error}"),
        (actual, expected) => panic!("{actual:?} instead of {expected:?}"),
    }
}

#[test]
fn everything_runs_by_default_and_cheap_steps_come_first() {
    check(
        &[],
        Ok(&[
            "fmt", "clippy", "tidy", "doc", "test", "sdk", "page", "fuzz",
        ]),
    );
}

#[test]
fn chosen_steps_keep_the_order_of_the_table() {
    check(&["--only", "tidy, fmt"], Ok(&["fmt", "tidy"]));
    check(&["--list"], Ok(&["<list>"]));
}

#[test]
fn mistakes_are_named() {
    check(&["--only", "fmt,tests"], Err("no step `tests`"));
    check(&["--fast"], Err("usage"));
}
