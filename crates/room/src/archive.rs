//! Lists of finished games. The caller stores the games.

use core::borrow::Borrow;

use crate::messages::Archived;

/// Maximum number of games in an answer.
pub const MOST_LISTED: usize = 100;
/// Maximum total number of moves in a list of several games. A list of the longest games would take megabytes.
const MOST_MOVES: usize = 10_000;

/// A part of the games of an archive, the newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listed {
    /// The games.
    pub games: Vec<Archived>,
    /// Total number of games.
    pub count: usize,
}

/// Lists the archived games, or only those of one `game`, without the first `skip`. `newest_first` iterates over the
/// whole archive.
pub fn list<G: Borrow<Archived>, I: Iterator<Item = G>>(
    newest_first: impl Fn() -> I,
    game: Option<&str>,
    skip: usize,
    most: usize,
) -> Listed {
    let all = || newest_first().filter(|archived| game.is_none_or(|game| archived.borrow().game == game));
    // Further games are returned by the next request.
    let mut moves = 0;
    let fits = |game: &G| {
        let length = game.borrow().moves.len();
        moves += length;
        moves <= MOST_MOVES.max(length)
    };
    let games = all().skip(skip).take(most.min(MOST_LISTED)).take_while(fits);
    Listed { games: games.map(|game| game.borrow().clone()).collect(), count: all().count() }
}

/// Formats a time, in seconds since 1970, as `2025-11-21T20:14:56Z`.
pub fn utc(seconds: u64) -> String {
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that leap days are last (H. Hinnant, "chrono-compatible low-level date
    // algorithms").
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_763_756_096), "2025-11-21T20:14:56Z");
        assert_eq!(utc(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(utc(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
