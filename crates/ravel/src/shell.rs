//! Commands that a person pastes into a shell.
//!
//! Names of files and ids come from other hands: whatever is in them, they are one word, and
//! nothing in them acts. What is printed goes through the same escapes as everything else.

use std::path::Path;

use crate::context::display_path;

/// Writes a text so that a shell takes it as one word, as it is.
pub(crate) fn quoted(word: &str) -> String {
    // Not among them: `~` is a home, and `=` a program to some shells.
    let is_safe = |one: char| one.is_ascii_alphanumeric() || "/._-+@%,:".contains(one);
    match !word.is_empty() && word.chars().all(is_safe) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Writes a path so that a shell takes it as one word; the home is `~`, as people see it.
pub(crate) fn quoted_path(path: &Path) -> String {
    match path.is_absolute() {
        true => quoted_below_home(&display_path(path)),
        // Here `~` is a folder of that name.
        false => quoted(&path.display().to_string()),
    }
}

/// Leaves the home outside of the quotes, where shells know it.
fn quoted_below_home(shown: &str) -> String {
    match shown.strip_prefix("~/") {
        Some("") => shown.to_owned(),
        Some(rest) => format!("~/{}", quoted(rest)),
        None => quoted(shown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, expected: &str) {
        assert_eq!(quoted(word), expected);
    }

    #[test]
    fn a_word_stays_one_word() {
        check("/srv/shop-1.5/a_b+c@d", "/srv/shop-1.5/a_b+c@d");
        check("", "''");
        check("my shop", "'my shop'");
        check("it's", r"'it'\''s'");
        check("$(reboot)", "'$(reboot)'");
        check("a\nb", "'a\nb'");
        check("straße", "'straße'");
    }

    #[test]
    fn what_only_looks_like_a_home_is_none() {
        check("~", "'~'");
        check("~root", "'~root'");
        check("~/x", "'~/x'");
        check("=ls", "'=ls'");
        assert_eq!(quoted_path(Path::new("~/x y")), "'~/x y'");
    }

    #[test]
    fn the_home_is_outside_of_the_quotes() {
        for (shown, expected) in [
            ("~/", "~/"),
            ("~/a/b", "~/a/b"),
            ("~/it's here", r"~/'it'\''s here'"),
            ("~/~", "~/'~'"),
            ("/srv/my shop", "'/srv/my shop'"),
        ] {
            assert_eq!(quoted_below_home(shown), expected);
        }
    }
}
