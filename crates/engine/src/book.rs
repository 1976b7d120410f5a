//! Opening books: positions near the start of a game with the best moves that a long search has found.
//!
//! A book is a text. Lines that begin with `#` describe how it was made. Any other line has a position, the depth of
//! its search in plies, and the best moves with their values for the side to move in hundredths of a piece:
//!
//! ```text
//! ----/---b/----/-w-- b;11;d3-c3 14,d3-d4 12
//! ```
//!
//! Of positions that are symmetric to each other, the book has only the smallest text ([`game::fold`]).

use core::fmt::{self, Display};
use core::str::FromStr;
use std::collections::HashMap;
use std::sync::LazyLock;

use game::text::excerpt;
use game::{SplitMix64, fold};
use search::{Choice, Control, Engine, Limits, Score};
use thiserror::Error;

use crate::Playable;

/// Maximum difference in value between the best move and a playable one, in hundredths of a piece.
const MARGIN: i32 = 5;

/// A line of a book: a position and its best moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookLine {
    /// Smallest of the position's images.
    pub position: String,
    /// Depth of the search, in plies.
    pub depth: u32,
    /// Best moves with their values, best first.
    pub moves: Vec<(String, i32)>,
}

/// The error for an invalid line of an opening book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct BookError {
    line: usize,
    what: String,
}

impl FromStr for BookLine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{}`: expected a position, a depth and moves with values, joined by `;`", excerpt(text));
        let parts: Vec<&str> = text.split(';').collect();
        let [position, depth, moves] = parts[..] else { return Err(wrong()) };
        let read = |text: &str| Some((text.split_once(' ')?.0.to_owned(), text.split_once(' ')?.1.parse().ok()?));
        let moves: Option<Vec<(String, i32)>> = moves.split(',').map(read).collect();
        let depth = depth.parse().map_err(|_| wrong())?;
        Ok(Self { position: position.to_owned(), depth, moves: moves.ok_or_else(wrong)? })
    }
}

impl Display for BookLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<String> = self.moves.iter().map(|(m, value)| format!("{m} {value}")).collect();
        write!(f, "{};{};{}", self.position, self.depth, moves.join(","))
    }
}

/// An opening book of a game.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// Entries, by the smallest image of the position.
    entries: HashMap<String, Entry>,
}

/// A built-in book, which is parsed on first use.
pub type LazyBook = LazyLock<Book>;

/// The playable moves of a position.
#[derive(Clone, Debug)]
struct Entry {
    depth: u32,
    /// Smallest images of the positions after the moves, and the moves' values.
    good: Vec<(String, i32)>,
}

impl Book {
    /// Reads a book.
    ///
    /// # Errors
    /// If a line is not a line of a book of this game, its moves are not sorted by value, or a position occurs twice.
    pub fn read<P: Playable>(text: &str) -> Result<Self, BookError> {
        let mut entries = HashMap::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#')) {
            let error = |what| BookError { line: number, what };
            let read: BookLine = line.parse().map_err(error)?;
            let entry = Entry::of::<P>(&read).map_err(error)?;
            if entries.insert(read.position, entry).is_some() {
                return Err(error("the position has come before".to_owned()));
            }
        }
        Ok(Self { entries })
    }

    /// Reads a book that is part of the program.
    pub(crate) fn built_in<P: Playable>(text: &str) -> Self {
        Self::read::<P>(text).expect("invariant: a test reads every built-in book")
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.entries.len()
    }

    /// Returns one of the playable moves, chosen by `seed`; `None` if the book does not contain the position.
    pub fn choose<P: Playable>(&self, p: &P, seed: u64) -> Option<Choice<P::Move>> {
        let entry = self.entries.get(&fold(&p.to_string(), P::SYMMETRIES))?;
        let value = |m: &P::Move| {
            let after = fold(&p.child(*m).to_string(), P::SYMMETRIES);
            entry.good.iter().find(|(good, _)| *good == after).map(|(_, value)| *value)
        };
        let good: Vec<(P::Move, i32)> =
            p.legal_moves().into_iter().filter_map(|m| value(&m).map(|value| (m, value))).collect();
        let &(best, value) = SplitMix64::new(seed ^ p.key().0).choose(&good)?;
        let (score, depth) = (Score::units(value), entry.depth);
        Some(Choice { best, score, pv: vec![best], depth, nodes: 0, others: Vec::new() })
    }
}

impl Entry {
    fn of<P: Playable>(line: &BookLine) -> Result<Self, String> {
        let p: P = line.position.parse().map_err(|error| format!("`{}`: {error}", excerpt(&line.position)))?;
        if fold(&line.position, P::SYMMETRIES) != line.position {
            return Err(format!("`{}`: another image of this position is smaller", excerpt(&line.position)));
        }
        if !line.moves.is_sorted_by(|(_, a), (_, b)| a >= b) {
            return Err(format!(
                "`{}`: moves found that are not in the order of their values",
                excerpt(&line.position)
            ));
        }
        let most = line.moves.first().map_or(0, |(_, value)| *value);
        let mut good = Vec::new();
        for (text, value) in line.moves.iter().filter(|(_, value)| most.saturating_sub(*value) <= MARGIN) {
            let m = p.parse_move(text).map_err(|error| format!("`{}`: {error}", excerpt(text)))?;
            good.push((fold(&p.child(m).to_string(), P::SYMMETRIES), *value));
        }
        Ok(Self { depth: line.depth, good })
    }
}

/// A player that plays from a book as long as possible. It searches repeated positions, because the book has no
/// information about which moves repeat earlier positions.
pub(crate) struct Booked<P: Playable> {
    book: &'static LazyBook,
    engine: Box<dyn Engine<P>>,
    seed: u64,
}

impl<P: Playable> Booked<P> {
    pub(crate) fn new(book: &'static LazyBook, engine: Box<dyn Engine<P>>) -> Self {
        Self { book, engine, seed: 0 }
    }
}

impl<P: Playable> Engine<P> for Booked<P> {
    /// Searches even in a book position if a depth is requested, because the caller needs the result of that search.
    fn choose(
        &mut self,
        game: &game::Record<P>,
        limits: &Limits,
        control: &mut Control<'_, P::Move>,
    ) -> Option<Choice<P::Move>> {
        let comes_again = game.steps().iter().rev().skip(1).any(|step| step.position == *game.position());
        let uses_book = limits.depth.is_none() && !comes_again;
        let known = uses_book.then(|| self.book.choose(game.position(), self.seed)).flatten();
        known.or_else(|| self.engine.choose(game, limits, control))
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.engine.new_game(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlayerOptions, Resources};
    use game::{Position as _, Record};
    use std::collections::HashSet;

    const START: &str = "-bb-/w--w/w--w/-bb- b";

    #[test]
    fn moves_stand_in_the_order_of_their_values() {
        let error = Book::read::<loa::Position>(&line("b1-b3 27,b1-d3 30")).expect_err("no order").to_string();
        assert!(error.starts_with("line 2: ") && error.contains("order of their values"), "{error}");
    }

    fn line(moves: &str) -> String {
        format!("# a book\n{START};9;{moves}\n")
    }

    #[test]
    fn all_images_of_good_moves_are_played_and_bad_ones_are_not() {
        let book = Book::read::<loa::Position>(&line("b1-b3 30,b1-d3 27,b1-a1 9")).expect("a book");
        let p: loa::Position = START.parse().expect("a position");
        let choose = |seed| book.choose(&p, seed).expect("the start is in it");
        let played: HashSet<String> = (0..200).map(|seed| choose(seed).best.to_string()).collect();
        let expected = ["b1-b3", "c1-c3", "b4-b2", "c4-c2", "b1-d3", "c1-a3", "b4-d2", "c4-a2"];
        assert_eq!(played, HashSet::from(expected.map(str::to_owned)));
        let choice = choose(3);
        assert_eq!((choice.depth, choice.nodes, choice.pv), (9, 0, vec![choice.best]));
        assert!([30, 27].map(Score::units).contains(&choice.score));
        assert_eq!(book.choose(&p.child(choice.best), 3), None);
    }

    /// Checks a book, the positions in it, and the start position of its game.
    fn built_in<P: Playable>(start: &P) {
        let book = start.book().expect("a book");
        assert!(book.positions() > 20, "{start}: {} positions", book.positions());
        for seed in 0..20 {
            let mut p = start.clone();
            let mut plies = 0;
            while let Some(choice) = book.choose(&p, seed) {
                p.play(choice.best);
                plies += 1;
            }
            assert!(plies >= 3, "{start}: {plies} plies of the book with seed {seed}");
        }
    }

    #[test]
    fn built_in_books_go_on_for_some_plies() {
        built_in(&loa::Position::start(8).expect("a size"));
        built_in(&jump61::Position::start(6).expect("a size"));
        built_in(&breakthrough::Position::start(8).expect("a size"));
        built_in(&checkers::Position::start());
    }

    #[test]
    fn a_player_plays_from_its_book_unless_it_is_asked_for_a_depth() {
        let start = loa::Position::start(8).expect("a size");
        let game = Record::new(start);
        let choose = |words: &str| {
            let options: PlayerOptions = words.parse().expect("a player");
            let mut player = options.make(&start, &Resources::default()).expect("a player");
            let choice = player.engine.choose(&game, &player.limits, &mut Control::unattended());
            choice.map(|choice| choice.nodes)
        };
        assert_eq!(choose("nodes=500"), Some(0));
        assert_eq!(choose("level=8"), Some(0));
        for words in ["nodes=500,book=no", "level=7", "depth=2"] {
            assert!(choose(words).is_some_and(|nodes| nodes > 0), "{words}");
        }
    }

    #[test]
    fn a_position_that_comes_again_is_searched() {
        let mut game = Record::new(loa::Position::start(8).expect("a size"));
        let mut player = "nodes=500".parse::<PlayerOptions>().expect("a player");
        player.noise = Some(0);
        let mut player = player.make(game.position(), &Resources::default()).expect("a player");
        for nodes_wanted in [false, true] {
            let choice = player.engine.choose(&game, &player.limits, &mut Control::unattended()).expect("a move");
            assert_eq!(choice.nodes > 0, nodes_wanted);
            for m in ["b1-b3", "a2-c2", "b3-b1", "c2-a2"] {
                game.play(game.position().parse_move(m).expect("a legal move"));
            }
        }
    }

    #[test]
    fn books_with_faults_are_refused() {
        let read = |text: &str| Book::read::<loa::Position>(text).map(|book| book.positions());
        assert_eq!(read(&line("b1-b3 30")), Ok(1));
        for (text, part) in [
            (line("b1-b3"), "line 2: `-bb-/w--w"),
            (line("b1-b4 3"), "line 2: `b1-b4`: illegal"),
            (line("b1-b3 3") + &line("b1-b3 3"), "line 4: the position has come before"),
            ("--b-/----/w---/---- b;9;c4-d4 3".to_owned(), "another image"),
            ("x;9;c4-d4 3".to_owned(), "line 1: `x`"),
        ] {
            let error = read(&text).expect_err(&text).to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let line: BookLine = format!("{START};9;b1-b3 30,b1-d3 -7").parse().expect("a line");
        assert_eq!(line.to_string().parse(), Ok(line));
    }
}
