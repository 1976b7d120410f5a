//! Memory of tables.

/// A table of empty entries. `entries` is a power of two. If the system refuses so much memory, the table is half as
/// large, or a quarter, and so on: a weaker search is better than an aborted program.
pub(crate) fn table<T>(mut entries: usize, empty: impl Fn() -> T) -> Vec<T> {
    let mut table = Vec::new();
    while entries > 1 && table.try_reserve_exact(entries).is_err() {
        entries /= 2;
    }
    table.resize_with(entries, empty);
    table
}
