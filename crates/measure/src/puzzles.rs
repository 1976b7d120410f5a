//! Puzzles generated from games between engines of medium strength.
//!
//! A puzzle is a position right after a mistake. Either the side to move wins by force with one or two of its moves, or
//! all its moves except one lose by force. Exact searches prove both. The rating of a puzzle depends on which levels
//! find its move with a small node budget. Ratings have their own scale, from about 500 to 2400.

mod shape;

use std::collections::BTreeMap;

use engine::{Built, NoBuild, Playable, PlayerOptions, Resources, opening};
use game::{PliesLeft, Position, Record, Side, SplitMix64};
use games::{Game, Line, Puzzle, PuzzleError, Task, themes};
use rating::{Guess, performance};
use search::{Choice, Control, ForcedWins, Stop};

pub use shape::Shape;

/// Levels that play the games: strong enough for sensible positions, weak enough for mistakes.
const PLAYERS: core::ops::RangeInclusive<u8> = 3..=7;
/// Levels that try a puzzle, and number of tries of each.
const SOLVERS: core::ops::RangeInclusive<u8> = 1..=9;
const TRIES: u64 = 2;
/// Maximum number of nodes for a move, both in the games and in the tries of a puzzle.
const NODES: u64 = 12_000;
/// Node budget of the strong player. After a move that saves the game, this player must find no loss.
const DOUBTS: u64 = 60_000;
/// Table sizes of the exact search and of the players, in MiB.
const EXACT_MIB: usize = 64;
const PLAYER_MIB: usize = 2;
/// Minimum number of legal moves in a puzzle. With fewer moves it is too easy.
const FEWEST_MOVES: usize = 5;
/// Number of plies at the end of a game in which long wins are searched for.
const LAST_PLIES: usize = 24;
/// Maximum number of puzzles of a kind from one game, so that puzzles differ.
const FROM_ONE_GAME: usize = 2;

/// Width of a rating band, and maximum number of puzzles of a set in one band.
const BAND: u32 = 100;
const MOST_IN_BAND: u32 = 40;

/// The depths of the exact searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depths {
    /// Maximum length of a win, in plies.
    pub win: u32,
    /// Number of plies, including the move itself, within which every wrong move must lose in a puzzle about saving the
    /// game.
    pub save: u32,
}

impl Depths {
    /// Returns the horizons of the game's strongest player, but at least five plies for wins and four for losses.
    pub fn usual<P: Playable>(board: &P) -> Self {
        let full = board.profile().full;
        Self { win: full.win_horizon.max(5), save: full.loss_horizon.max(4) }
    }
}

/// A generator that plays one game after another and finds puzzles in each. A puzzle depends only on the game's number
/// and the seed.
pub struct Maker<P: Game> {
    start: P,
    depths: Depths,
    /// Maximum length, in plies, of the wins that are searched for in every position. Longer wins are searched for only
    /// in [`from_position`](Self::from_position) and near the end of a game that the side to move won, and only if the
    /// strong player finds a win.
    sure: u32,
    policy: P::Policy,
    /// Players by level, from 1.
    levels: Vec<Built<P>>,
    strong: Built<P>,
}

/// A puzzle under construction: its task, the moves that solve it, and best play.
struct Found<P: Position> {
    task: Task,
    right: Vec<P::Move>,
    line: Vec<P::Move>,
}

impl<P: Game> Maker<P> {
    /// Creates a generator for boards of this start's size.
    ///
    /// # Errors
    /// Returns an error if the game has no player.
    ///
    /// # Panics
    /// Panics if an internal invariant is broken.
    pub fn new(start: P, depths: Depths) -> Result<Self, NoBuild> {
        let none = Resources::default();
        let level = |number: u8| {
            let options: PlayerOptions = format!("level={number},table={PLAYER_MIB}")
                .parse()
                .expect("invariant: the words of a level can be read");
            let nodes = options.make(&start, &none)?.limits.nodes.unwrap_or(NODES).min(NODES);
            PlayerOptions { nodes: Some(nodes), ..options }.make(&start, &none)
        };
        let levels = SOLVERS.map(level).collect::<Result<_, _>>()?;
        let strong = PlayerOptions { nodes: Some(DOUBTS), ..PlayerOptions::analysis() }.make(&start, &none)?;
        let sure = Depths::usual(&start).win.min(depths.win);
        Ok(Self { policy: P::policy(&none), start, depths, sure, levels, strong })
    }

    /// Returns the puzzles from the game with this number.
    pub fn from_game(&mut self, seed: u64, number: u64) -> Vec<Puzzle> {
        let (positions, winner) = self.play(SplitMix64::new(seed ^ number.rotate_left(32)).next_u64());
        let (mut puzzles, mut kinds) = (Vec::new(), [0; 2]);
        let mut had_win = [false; 2];
        let end = positions.len();
        for (ply, p) in positions.iter().enumerate() {
            let side = p.side_to_move().index();
            let near_end = winner == Some(p.side_to_move()) && ply + LAST_PLIES >= end;
            let win = self.win(p, near_end);
            let is_won = win.is_some();
            // If the side had a win at its last move, too, this is the same puzzle.
            let is_old = core::mem::replace(&mut had_win[side], is_won) && is_won;
            let Some(found) = self.task(p, win).filter(|_| !is_old) else { continue };
            let kind = &mut kinds[usize::from(matches!(found.task, Task::Save(_)))];
            if *kind < FROM_ONE_GAME {
                *kind += 1;
                puzzles.push(self.puzzle(p, &found));
            }
        }
        puzzles
    }

    /// Returns the position as a puzzle, if it is one.
    pub fn from_position(&mut self, p: &P) -> Option<Puzzle> {
        let win = self.win(p, true);
        self.task(p, win).map(|found| self.puzzle(p, &found))
    }

    /// Returns the task in a position, given its win.
    fn task(&mut self, p: &P, win: Option<Found<P>>) -> Option<Found<P>> {
        match win {
            Some(found) => found.is_worth_asking(p).then_some(found),
            None => self.save(p),
        }
    }

    /// Returns the positions of a game between two levels, both chosen by the seed, and its winner.
    fn play(&mut self, seed: u64) -> (Vec<P>, Option<Side>) {
        let mut rng = SplitMix64::new(seed);
        let mut level = || rng.below(PLAYERS.len()) + usize::from(*PLAYERS.start() - SOLVERS.start());
        let levels = [level(), level()];
        let mut record = opening(&self.start, 4, 200, seed);
        let mut positions = Vec::new();
        for (i, &level) in levels.iter().enumerate() {
            self.levels[level].engine.new_game(seed ^ i as u64);
        }
        while record.finish().is_none() {
            positions.push(record.position().clone());
            let Built { engine, limits, .. } = &mut self.levels[levels[record.position().side_to_move().index()]];
            let Some(choice) = engine.choose(&record, limits, &mut Control::unattended()) else { break };
            record.play(choice.best);
        }
        (positions, record.finish().and_then(|finish| finish.outcome.winner()))
    }

    /// Returns the shortest forced win for the side to move. Searches for wins longer than `sure` only if `far` is set.
    fn win(&mut self, p: &P, far: bool) -> Option<Found<P>> {
        let left = PliesLeft::UNLIMITED;
        let mut forced = ForcedWins::new(&self.policy, Stop::new(), EXACT_MIB);
        let mut shortest = |most| forced.shortest_win(p, most, left).ok().flatten().map(|(_, plies)| plies);
        let plies = match shortest(self.sure) {
            Some(plies) => plies,
            None if !far || self.sure == self.depths.win => return None,
            None => {
                let score = think(&mut self.strong, p)?.score;
                score.win_distance().filter(|&plies| plies <= self.depths.win)?;
                shortest(self.depths.win)?
            }
        };
        let most = (plies + 2).min(self.depths.win);
        let mut wins = |m| matches!(forced.wins_after(p, m, most, left), Ok(Some(_)));
        let right = p.movable().into_iter().filter(|&m| wins(m)).collect();
        let line = forced.principal_variation(p, plies, left).ok()?;
        Some(Found { task: Task::Win(plies), right, line })
    }

    /// Returns the only move that does not lose, in a position that has no forced win.
    fn save(&mut self, p: &P) -> Option<Found<P>> {
        let moves = p.movable();
        if moves.len() < FEWEST_MOVES {
            return None;
        }
        let left = PliesLeft::UNLIMITED;
        let mut forced = ForcedWins::new(&self.policy, Stop::new(), EXACT_MIB);
        let mut loses = |m, plies| forced.loses_after(p, m, plies, left) == Ok(true);
        let mut safe = None;
        for &m in &moves {
            if !loses(m, self.depths.save) {
                if safe.is_some() {
                    return None;
                }
                safe = Some(m);
            }
        }
        let m = safe.filter(|&m| !loses(m, self.depths.save + 2))?;
        let others = || moves.iter().copied().filter(|&other| other != m);
        let plies = (1..=self.depths.save).find(|&plies| others().all(|other| loses(other, plies)))?;
        let child = p.child(m);
        if child.outcome().is_none() {
            let score = think(&mut self.strong, &child)?.score;
            if score.win_distance().is_some() {
                return None;
            }
        }
        Some(Found { task: Task::Save(plies), right: vec![m], line: vec![m] })
    }

    /// Returns the puzzle with its rating and themes.
    fn puzzle(&mut self, p: &P, found: &Found<P>) -> Puzzle {
        let mut positions = vec![p.clone()];
        for &m in &found.line {
            positions.push(positions[positions.len() - 1].child(m));
        }
        Puzzle {
            start: p.to_string(),
            task: found.task,
            rating: self.rating(p, found),
            themes: themes::<P>(found.task, &Line { positions: &positions, moves: &found.line }),
            solution: found.line.iter().map(ToString::to_string).collect(),
        }
    }

    /// Returns the difficulty: a puzzle scores a point against each level that does not find its move.
    fn rating(&mut self, p: &P, found: &Found<P>) -> u32 {
        let mut games = Vec::new();
        for (level, player) in (1..).zip(&mut self.levels) {
            for seed in 0..TRIES {
                player.engine.new_game(seed);
                let solved = think(player, p).is_some_and(|choice| found.right.contains(&choice.best));
                games.push((level_rating(level), if solved { 0.0 } else { 1.0 }));
            }
        }
        performance(guess(found.task), &games).round().max(1.0) as u32
    }
}

impl<P: Position> Found<P> {
    /// Returns `true` if there are enough moves and few of them are right.
    fn is_worth_asking(&self, p: &P) -> bool {
        let most = if self.line.len() == 1 { 1 } else { 2 };
        self.right.len() <= most && p.movable().len() >= FEWEST_MOVES
    }
}

/// Returns the choice of a player in a position.
fn think<P: Position>(player: &mut Built<P>, p: &P) -> Option<Choice<P::Move>> {
    player.engine.choose(&Record::new(p.clone()), &player.limits, &mut Control::unattended())
}

/// Returns the rating of a level as a solver of puzzles: 650 to 2,010. Only the order and the steps matter.
fn level_rating(level: u32) -> f64 {
    480.0 + 170.0 * f64::from(level)
}

/// Estimates the difficulty from the length, before any level tries the puzzle.
fn guess(task: Task) -> Guess {
    let moves = match task {
        Task::Win(plies) => plies.div_ceil(2),
        Task::Save(plies) => plies / 2,
    };
    Guess { rating: 550.0 + 300.0 * f64::from(moves), deviation: 300.0 }
}

/// Returns `true` if a puzzle's claims are correct, by exact searches that are independent of its generation.
///
/// # Errors
/// Returns an error if the position or a move cannot be read.
pub fn is_sound<P: Game>(puzzle: &Puzzle) -> Result<bool, PuzzleError> {
    let unreadable = || PuzzleError::of(puzzle);
    let mut p: P = puzzle.start.parse().map_err(|_| unreadable())?;
    let policy = P::policy(&Resources::default());
    let mut forced = ForcedWins::new(&policy, Stop::new(), EXACT_MIB);
    let left = PliesLeft::UNLIMITED;
    let first = puzzle.solution.first().and_then(|text| p.parse_move(text).ok()).ok_or_else(unreadable)?;
    let holds = match puzzle.task {
        Task::Win(plies) => {
            forced.wins(&p, plies, left) == Ok(true)
                && forced.wins(&p, plies.saturating_sub(1), left) == Ok(false)
                && forced.wins_after(&p, first, plies, left) == Ok(Some(plies))
        }
        Task::Save(plies) => {
            let lost = p.movable().into_iter().filter(|&m| forced.loses_after(&p, m, plies, left) == Ok(true)).count();
            lost + 1 == p.movable().len() && forced.loses_after(&p, first, plies, left) == Ok(false)
        }
    };
    for text in &puzzle.solution {
        let m = p.parse_move(text).map_err(|_| unreadable())?;
        p.play(m);
    }
    Ok(holds)
}

/// Sorts the puzzles, the easiest first. Removes puzzles that look like an easier one, and limits the number of puzzles
/// in each rating band, because most puzzles that are found are easy.
pub fn sorted(mut puzzles: Vec<Puzzle>) -> Vec<Puzzle> {
    puzzles.sort_by(|a, b| (a.rating, &a.start).cmp(&(b.rating, &b.start)));
    let mut seen: Vec<Shape> = Vec::new();
    let mut counts = BTreeMap::new();
    puzzles.retain(|puzzle| {
        let count = counts.entry(puzzle.rating / BAND).or_insert(0);
        let shape = Shape::of(&puzzle.start);
        let new = *count < MOST_IN_BAND && !seen.iter().any(|other| other.is_near(&shape));
        *count += u32::from(new);
        if new {
            seen.push(shape);
        }
        new
    });
    puzzles
}

#[cfg(test)]
mod tests {
    use super::*;
    use loa::Position;

    fn maker() -> Maker<Position> {
        let start = <Position as Game>::start(Some(5)).expect("a size");
        Maker::new(start, Depths { win: 5, save: 4 }).expect("a player")
    }

    #[test]
    fn games_give_sound_puzzles_and_the_same_game_gives_the_same() {
        let found: Vec<Puzzle> = (0..6).flat_map(|number| maker().from_game(7, number)).collect();
        let mut one = maker();
        let again: Vec<Puzzle> = (0..6).flat_map(|number| one.from_game(7, number)).collect();
        assert_eq!(found, again, "a game depends on nothing before it");
        assert!(found.len() >= 3, "{found:?}");
        for puzzle in &found {
            assert_eq!(is_sound::<Position>(puzzle), Ok(true), "{puzzle}");
            assert!((300..2_600).contains(&puzzle.rating) && !puzzle.themes.is_empty(), "{puzzle}");
            let longer = match puzzle.task {
                Task::Win(plies) => Task::Win(plies + 1),
                Task::Save(plies) => Task::Save(plies - 1),
            };
            assert_eq!(is_sound::<Position>(&Puzzle { task: longer, ..puzzle.clone() }), Ok(false), "{puzzle}");
        }
    }

    #[test]
    fn a_position_with_too_many_solutions_is_no_puzzle() {
        let mut maker = maker();
        let easy = "-b---/b-b--/-----/--w-w/w---- b".parse().expect("a position");
        let found = maker.from_position(&easy);
        let moves = found.map(|puzzle| (puzzle.task, puzzle.solution.len()));
        assert!(moves.is_none_or(|(task, length)| task != Task::Win(1) || length == 1));
        assert_eq!(maker.from_position(&Position::start_on(5)), None);
    }

    #[test]
    fn sorted_puzzles_begin_with_the_easiest_and_have_no_likenesses() {
        let puzzle = |start: &str, rating| Puzzle {
            start: start.to_owned(),
            task: Task::Win(1),
            rating,
            themes: Vec::new(),
            solution: vec!["a1-a2".to_owned()],
        };
        let all = vec![
            puzzle("wwww/----/bb--/bb-- b", 900),
            puzzle("b---/----/-w--/---w b", 800),
            puzzle("---b/----/--w-/w--- b", 700),
        ];
        let ratings: Vec<u32> = sorted(all).iter().map(|puzzle| puzzle.rating).collect();
        assert_eq!(ratings, [700, 900]);
    }
}
