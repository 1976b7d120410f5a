//! Reading and playing the opening book of a game.

use std::collections::HashMap;

use game::text::excerpt;
use game::{SplitMix64, fold};
use search::{Choice, Control, Engine, Limits, Score};

use crate::book::{Book, BookError, BookLine, Entry, LazyBook};
use crate::playable::Playable;

/// Maximum difference in value between the best move and a playable one, in hundredths of a piece.
const MARGIN: i32 = 5;

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

    /// Reads a built-in book.
    ///
    /// # Panics
    /// If [`read`](Self::read) fails.
    pub fn built_in<P: Playable>(text: &str) -> Self {
        Self::read::<P>(text).expect("invariant: a test reads every built-in book")
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
        Some(Choice::of_line(vec![best], Score::units(value), entry.depth, 0))
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
