//! The ladder of a game: the user's results against each level of the engine, and the user's rating.
//!
//! A game counts if one person played a level of the current engine with the level's own budget, on the usual board
//! from the usual start, without a move limit and without help (see [`Archived::helped`]).

use std::sync::Arc;

use games::{About, GameId};
use rating::{Guess, estimate};

use crate::messages::answer::{Answer, LadderRating, Rung};
use crate::messages::game::{Archived, Who};

/// Number of successive games within which an opponent must be beaten.
const WINDOW: usize = 3;
/// Number of half points needed in these games to beat the opponent: two wins.
const BEATEN_BY: u8 = 4;
/// Number of the latest games from which the rating is computed.
const RATED: usize = 30;
/// Prior of the rating, in Elo. The gentle levels have 400 to about 800, and full strength has about 3,000.
const PRIOR: Guess = Guess { rating: 800.0, deviation: 400.0 };

/// Answers a request for the ladder of a game. `games` are all finished games, in the order in which they ended.
pub(crate) fn ladder(id: u32, game: GameId, games: &[Arc<Archived>]) -> Answer {
    let about = game.about();
    let counted: Vec<(usize, u8)> = games.iter().filter_map(|game| counted(game, &about)).collect();
    let rungs: Vec<Rung> = about.levels.iter().enumerate().map(|(at, level)| rung(level.key, at, &counted)).collect();
    // Opponents below the strongest beaten one come last.
    let above = rungs.iter().rposition(|rung| rung.beaten).map_or(0, |top| top + 1);
    let next = (above..rungs.len()).chain(0..above).find(|&at| !rungs[at].beaten);
    let elo = |level: usize| about.levels[level].elo;
    Answer::Ladder { id, rungs, next, rating: rating(&counted, elo) }
}

/// Returns the index of the opponent's level and the user's half points, if the game counts.
fn counted(archived: &Archived, about: &About) -> Option<(usize, u8)> {
    let is_usual = archived.game == about.name
        && archived.size.is_none_or(|size| size == about.usual_size)
        && archived.start.is_none()
        && archived.limit.is_none();
    let (own, level) = match &archived.seats {
        [Who::Person { .. }, Who::Engine { level: Some(level), budget: false }] => (0, level),
        [Who::Engine { level: Some(level), budget: false }, Who::Person { .. }] => (1, level),
        _ => return None,
    };
    let at = about.levels.iter().position(|strength| strength.key == *level)?;
    let points = match archived.winner {
        None => 1,
        Some(winner) if winner == own => 2,
        Some(_) => 0,
    };
    (is_usual && !archived.helped).then_some((at, points))
}

/// Returns the results against one level.
fn rung(level: &'static str, at: usize, counted: &[(usize, u8)]) -> Rung {
    let points: Vec<u8> = counted.iter().filter(|&&(other, _)| other == at).map(|&(_, points)| points).collect();
    let count = |wanted: u8| points.iter().map(|&points| usize::from(points == wanted)).sum();
    let scored = |from: usize| points[from..].iter().take(WINDOW).sum::<u8>();
    Rung {
        level,
        wins: count(2),
        draws: count(1),
        losses: count(0),
        last: points[points.len().saturating_sub(WINDOW)..].to_vec(),
        beaten: (0..points.len()).any(|from| scored(from) >= BEATEN_BY),
    }
}

/// Returns the user's rating from the latest games against levels with a known Elo.
fn rating(counted: &[(usize, u8)], elo: impl Fn(usize) -> Option<u32>) -> Option<LadderRating> {
    let known = |&(level, points): &(usize, u8)| Some((f64::from(elo(level)?), f64::from(points) / 2.0));
    let games: Vec<(f64, f64)> = counted.iter().rev().filter_map(known).take(RATED).collect();
    let found = estimate(PRIOR, &games);
    let (elo, deviation) = (found.rating.round() as i32, found.deviation.round() as u32);
    (!games.is_empty()).then_some(LadderRating { elo, deviation, games: games.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a game whose first side is a person, who won (`w`), drew (`d`) or lost (`l`).
    fn game(level: &str, result: char) -> Archived {
        let seats = [Who::PERSON, Who::Engine { level: Some(level.into()), budget: false }];
        let winner = ['w', 'l'].iter().position(|&known| known == result);
        let moves = vec!["b1-b3".to_owned()];
        let (id, date, reason) = (String::new(), String::new(), "board".to_owned());
        let game = "loa".to_owned();
        let (size, start, limit, clock, helped) = (Some(8), None, None, None, false);
        Archived { id, date, game, size, start, moves, limit, clock, seats, winner, reason, helped }
    }

    fn climb(games: &[Archived]) -> (Vec<Rung>, Option<usize>, Option<LadderRating>) {
        let games: Vec<_> = games.iter().cloned().map(Arc::new).collect();
        match ladder(1, GameId::LOA, &games) {
            Answer::Ladder { rungs, next, rating, .. } => (rungs, next, rating),
            other => panic!("{other:?}"),
        }
    }

    fn results(level: &str, results: &str) -> Vec<Archived> {
        results.chars().map(|result| game(level, result)).collect()
    }

    #[test]
    fn an_opponent_is_beaten_by_two_points_in_three_games() {
        for (played, beaten) in [
            ("", false),
            ("w", false),
            ("ww", true),
            ("wlw", true),
            ("wllw", false),
            ("wllww", true),
            ("wdd", true),
            ("wdl", false),
            ("dddd", false),
            ("wwlllll", true),
        ] {
            let (rungs, ..) = climb(&results("gentle1", played));
            assert_eq!(rungs[0].beaten, beaten, "{played}");
        }
        let (rungs, ..) = climb(&results("gentle1", "lwdw"));
        assert_eq!((rungs[0].wins, rungs[0].draws, rungs[0].losses), (2, 1, 1));
        assert_eq!(rungs[0].last, [2, 1, 2]);
    }

    #[test]
    fn the_next_opponent_is_above_the_strongest_beaten_one() {
        assert_eq!(climb(&[]).1, Some(0));
        assert_eq!(climb(&results("gentle1", "ww")).1, Some(1));
        let mut games = results("3", "ww");
        assert_eq!(climb(&games).1, Some(6));
        games.extend(results("10", "ww"));
        assert_eq!(climb(&games).1, Some(0));
        for level in GameId::LOA.about().levels {
            games.extend(results(level.key, "ww"));
        }
        assert_eq!(climb(&games).1, None);
    }

    #[test]
    fn only_unaided_games_on_the_usual_board_count() {
        let won = game("1", 'w');
        let engine = |level: Option<&str>, budget| Who::Engine { level: level.map(str::to_owned), budget };
        let others = [
            Archived { helped: true, ..won.clone() },
            Archived { size: Some(6), ..won.clone() },
            Archived { start: Some("-b/w- b".into()), ..won.clone() },
            Archived { limit: Some(60), ..won.clone() },
            Archived { game: "checkers".into(), ..won.clone() },
            Archived { seats: [Who::PERSON, Who::PERSON], ..won.clone() },
            Archived { seats: [Who::PERSON, engine(None, false)], ..won.clone() },
            Archived { seats: [Who::PERSON, engine(Some("1"), true)], ..won.clone() },
            Archived { seats: [Who::PERSON, engine(Some("11"), false)], ..won.clone() },
            Archived { seats: [engine(Some("1"), false), engine(Some("1"), false)], ..won.clone() },
        ];
        let (rungs, next, rating) = climb(&others);
        assert!(rungs.iter().all(|rung| rung.wins + rung.draws + rung.losses == 0), "{rungs:?}");
        assert_eq!((next, rating), (Some(0), None));
        let second = Archived { seats: [engine(Some("1"), false), Who::PERSON], ..won };
        let (rungs, ..) = climb(&[second]);
        assert_eq!((rungs[3].wins, rungs[3].losses), (0, 1), "the other side won");
    }

    #[test]
    fn the_rating_follows_the_latest_games() {
        let weak = climb(&results("gentle1", "llll")).2.expect("games were played");
        let strong = climb(&results("5", "wwww")).2.expect("games were played");
        assert!(weak.elo < 500 && strong.elo > 1_700, "{weak:?} {strong:?}");
        let mut games = results("gentle1", &"l".repeat(RATED));
        games.extend(results("3", &"wl".repeat(RATED / 2)));
        let now = climb(&games).2.expect("games were played");
        let elo = GameId::LOA.about().levels[5].elo.expect("measured");
        assert!(now.elo.abs_diff(elo as i32) < 50 && now.games == RATED, "{now:?}");
        assert!(now.deviation < 70 && strong.deviation > now.deviation, "{now:?} {strong:?}");
    }
}
