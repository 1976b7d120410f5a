//! Names and amounts in messages.

use arena::entry::quoted_path;

/// Maximum number of names in a list.
const MAX_LISTED: usize = 5;

/// Quotes a path for a message; see [`quoted_path`].
pub(super) fn quoted(path: &str) -> String {
    format!("`{}`", quoted_path(path))
}

/// Lists names for a message: all of them if they are few, otherwise some and the number of the others.
pub(super) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_LISTED).map(|name| quoted(name.as_ref())).collect();
    let more = names.len() - shown.len();
    match (more, shown.split_last()) {
        (0, Some((last, rest))) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        (0, _) => shown.concat(),
        (more, _) => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Formats a number of bytes for a message, rounded up to a tenth, so that a size above a limit is shown as larger than
/// the limit.
pub(super) fn amount(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB")];
    let Some((unit, name)) = UNITS.into_iter().find(|&(unit, _)| bytes >= unit) else {
        return format!("{bytes} bytes");
    };
    let tenths = (u128::from(bytes) * 10).div_ceil(u128::from(unit));
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} {name}"),
        (whole, rest) => format!("{whole}.{rest} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_and_paths_are_cut() {
        assert_eq!(listed(&["a"]), "`a`");
        assert_eq!(listed(&["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(listed(&["a", "b", "c", "d", "e", "f", "g"]), "`a`, `b`, `c`, `d`, `e` and 2 more");
        assert_eq!(quoted("a\nb\u{202e}c"), "`a\\nb\\u202ec`");
        let long = quoted(&format!("{}agent.py", "folder/".repeat(40)));
        assert!(long.starts_with("`…") && long.ends_with("/agent.py`") && long.chars().count() == 123);
    }

    #[test]
    fn amounts_above_a_limit_look_larger() {
        for (bytes, shown) in [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (20 << 20, "20 MB"),
            ((20 << 20) + 1, "20.1 MB"),
            (212 << 20, "212 MB"),
            (3 << 29, "1.5 GB"),
            (u64::MAX, "17179869184 GB"),
        ] {
            assert_eq!(amount(bytes), shown);
        }
    }
}
