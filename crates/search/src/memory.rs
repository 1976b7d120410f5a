//! Memory allocation for tables.

/// Returns a table of `entries` empty entries; `entries` is a power of two. If the allocation fails, it is retried with
/// half as many entries, because a weaker search is better than an aborted program.
pub(crate) fn table<T>(mut entries: usize, empty: impl Fn() -> T) -> Vec<T> {
    let mut table = Vec::new();
    while entries > 1 && table.try_reserve_exact(entries).is_err() {
        entries /= 2;
    }
    table.resize_with(entries, empty);
    table
}
