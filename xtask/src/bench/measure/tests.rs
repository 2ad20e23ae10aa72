//! Tests of the clocks, without starting anything.

use super::{Clock, own_time, skip_lines};

#[test]
fn a_clock_survives_the_command_line() {
    for clock in [Clock::End, Clock::Own, Clock::Lines(50)] {
        assert_eq!(Clock::parse(&clock.to_arg()).unwrap(), clock);
    }
    assert!(Clock::parse("lines").is_err());
}

#[test]
fn the_last_line_is_the_programs_own_time() {
    assert_eq!(
        own_time(&mut &b"123 sessions\n0.25\n"[..])
            .unwrap()
            .as_millis(),
        250
    );
    assert!(own_time(&mut &b"no number\n"[..]).is_err());
}

#[test]
fn too_few_lines_are_an_error() {
    assert!(skip_lines(&mut &b"a\nb\n"[..], 2).is_ok());
    assert!(skip_lines(&mut &b"a\nb\n"[..], 3).is_err());
}
