//! Local dates and times, as teachers write and read them.

use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, ZonedDateTime};

/// Parses a local date and time, such as `2026-11-30 18:00`, which must occur exactly once in the zone.
///
/// # Errors
/// If it is no such time. Returns what was found and what was expected.
pub(crate) fn parse(text: &str, zone: &TimeZone) -> Result<ZonedDateTime, String> {
    let found = game::text::excerpt(text);
    let is_zoned = text.ends_with(['Z', 'z']) || text.contains(['+', '[']);
    let time = text.parse::<DateTime>().ok().filter(|_| !is_zoned && text.contains(':'));
    let time = time.ok_or_else(|| format!("`{found}` found, expected a date and a time, such as 2026-11-30 18:00"))?;
    let local = zone.to_ambiguous_zoned_datetime(time);
    if local.is_ambiguous() {
        let is_gap = matches!(local.offset(), AmbiguousOffset::Gap { .. });
        let why = if is_gap { "does not exist" } else { "occurs twice" };
        return Err(format!(
            "{found} {why} in {}, because clocks change then; expected a time that occurs once, such as an hour later",
            name(zone)
        ));
    }
    local.unambiguous().map_err(|error| format!("`{found}` found: {error}"))
}

/// Returns the name of a zone.
pub(crate) fn name(zone: &TimeZone) -> &str {
    zone.iana_name().unwrap_or("its time zone")
}

/// Writes a time in a zone, such as `2026-11-30 18:00 (Asia/Singapore)`. Omits seconds that are zero.
pub(crate) fn shown(time: Timestamp, zone: &TimeZone) -> String {
    let time = time.to_zoned_datetime(zone.clone());
    let format = if time.second() == 0 { "%Y-%m-%d %H:%M" } else { "%Y-%m-%d %H:%M:%S" };
    format!("{} ({})", time.strftime(format), name(zone))
}

/// Writes a time of a view, such as `2026-11-30T10:00:00Z`, in the zone with this name. Returns other texts unchanged.
///
/// ```
/// assert_eq!(course::local_time("2026-11-30T10:00:00Z", "Asia/Singapore"), "2026-11-30 18:00 (Asia/Singapore)");
/// ```
pub fn local_time(time: &str, zone: &str) -> String {
    match (time.parse::<Timestamp>(), TimeZone::get(zone)) {
        (Ok(time), Ok(zone)) => shown(time, &zone),
        _ => time.to_owned(),
    }
}
