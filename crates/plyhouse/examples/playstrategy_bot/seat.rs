//! A player for the site's games: maps the site's variants and moves to those of Plyhouse.
//!
//! | the site's variant | game in Plyhouse | player 1 (moves first) |
//! | --- | --- | --- |
//! | `linesOfAction` | `loa` on 8×8 | Black, on the first and last rank |
//! | `breakthroughtroyka` | `breakthrough` on 8×8 | White, at the bottom |
//! | `minibreakthroughtroyka` | `breakthrough` on 5×5 | White, at the bottom |
//!
//! A move is two squares, `b1d3`, whether it captures or not.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use plyhouse::engine::{Built, Playable, time_for_move};
use plyhouse::prelude::*;
use plyhouse::search::Sequential;

use crate::messages::State;

/// Maximum time for a move, even if more time is left.
const LONGEST: Duration = Duration::from_secs(10);
/// Time reserved for the transfer to the site and back.
const WAY: Duration = Duration::from_millis(500);

/// The variants that the bot plays, with the rows of the start position in the site's notation.
pub(crate) const VARIANTS: [(&str, &str); 3] = [
    ("linesOfAction", "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1"),
    ("breakthroughtroyka", "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP"),
    ("minibreakthroughtroyka", "ppppp/ppppp/5/PPPPP/PPPPP"),
];

/// Returns `true` if the bot plays this variant from this position. For the usual start position, the site sends
/// nothing, `startpos`, or a text with the rows, the side to move and counters.
pub(crate) fn is_playable(variant: &str, initial_fen: Option<&str>) -> bool {
    let usual = VARIANTS.iter().find(|(key, _)| *key == variant);
    let rows = initial_fen.and_then(|fen| fen.split(' ').next());
    usual.is_some_and(|(_, usual)| rows.is_none_or(|rows| rows == "startpos" || rows == *usual))
}

/// The bot's side of a game.
pub(crate) trait Seat {
    /// Returns the move to send, or `None` if it is the opponent's turn.
    ///
    /// # Errors
    /// If a move of the game is illegal, or the bot has no legal move.
    fn answer(&mut self, state: &State) -> anyhow::Result<Option<String>>;
}

/// Creates a player for a game of a variant that [`is_playable`].
pub(crate) fn sit(variant: &str, side: Side, options: &PlayerOptions, seed: u64) -> anyhow::Result<Box<dyn Seat>> {
    match variant {
        "linesOfAction" => at(loa::Position::start(8)?, side, options, seed),
        "breakthroughtroyka" => at(breakthrough::Position::start(8)?, side, options, seed),
        "minibreakthroughtroyka" => at(breakthrough::Position::start(5)?, side, options, seed),
        _ => bail!("variant `{variant}`: expected one of {:?}", VARIANTS.map(|(key, _)| key)),
    }
}

fn at<P: Playable>(start: P, side: Side, options: &PlayerOptions, seed: u64) -> anyhow::Result<Box<dyn Seat>> {
    let mut built = options.make(&start, &Resources::default())?;
    built.engine.new_game(seed);
    Ok(Box::new(Taken { start, side, built }))
}

struct Taken<P: Playable> {
    start: P,
    side: Side,
    built: Built<P>,
}

impl<P: Playable> Seat for Taken<P> {
    fn answer(&mut self, state: &State) -> anyhow::Result<Option<String>> {
        let game = replay(&self.start, &state.moves)?;
        if game.position().side_to_move() != self.side {
            return Ok(None);
        }
        let (left, increment) = state.clock(self.side);
        let time = time_for_move(left.saturating_sub(WAY), increment).min(LONGEST);
        let mut control = Control::on(Host { clock: Some(now), threads: &Sequential });
        let choice = self.built.engine.choose(&game, &self.built.limits_within(time), &mut control);
        Ok(Some(to_site(&choice.context("there is no legal move")?.best)))
    }
}

/// Replays the site's moves, such as `b1d3 a3d3`.
pub(crate) fn replay<P: Position>(start: &P, moves: &str) -> anyhow::Result<Record<P>> {
    let mut game = Record::new(start.clone());
    for (number, text) in (1..).zip(moves.split_whitespace()) {
        let ours = from_site(text).with_context(|| format!("move {number}, `{text}`: expected two squares"))?;
        let m = game.position().parse_move(&ours).with_context(|| format!("move {number}"))?;
        // Moves are played even after the game is over in Plyhouse, until the site ends it. The site's rules differ in
        // the result, not in the positions.
        game.play(m);
    }
    Ok(game)
}

/// Converts `b1d3` to `b1-d3`. Both games also parse a capture in this form.
fn from_site(text: &str) -> Option<String> {
    let (from, to) = text.split_at_checked(2)?;
    (text.is_ascii() && to.len() == 2).then(|| format!("{from}-{to}"))
}

/// Converts `b1-d3` and `b4xa3` to `b1d3` and `b4a3`.
fn to_site(m: &impl ToString) -> String {
    m.to_string().replace(['-', 'x'], "")
}

/// Returns the time since the first call, as the clock of the search. The library has no clock of its own.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
