use super::*;

#[test]
fn counts_keep_what_matters() {
    for (n, expect) in [
        (0, "0"),
        (42, "42"),
        (999, "999"),
        (1000, "1k"),
        (1234, "1.2k"),
        (9_960, "10k"),
        (158_400, "158k"),
        (999_400, "999k"),
        (999_700, "1M"),
        (3_400_000, "3.4M"),
        (u64::MAX, "18446744T"),
    ] {
        assert_eq!(count(n), expect);
    }
}

#[test]
fn sizes_have_units() {
    for (n, expect) in [
        (0, "0 B"),
        (812, "812 B"),
        (4_096, "4.1 kB"),
        (64_000_000, "64 MB"),
    ] {
        assert_eq!(bytes(n), expect);
    }
}

#[test]
fn nouns_agree() {
    assert_eq!(counted(1, "line"), "1 line");
    assert_eq!(counted(0, "line"), "0 lines");
}
