//! Explanations, in words, of errors and good moves.
//!
//! An error is explained by the first of these facts that applies: the move missed a proven win, the move gave the
//! opponent a proven win, or a [quantity](Quantity) is much worse after the played line than after the best line. A
//! good move is explained if it keeps a proven win or is the only defence.

use game::{Message, Outcome, Record, Side, message, plural};

use crate::definition::Game;
use crate::quantity::{Change, Quantity};
use crate::think::{Thought, Value};

/// Minimum loss of winning chance that makes a move an error. `js/state/review.js` has the same number.
const LEAST_LOSS: f64 = 0.05;
/// Number of plies of the played line and of the best line that are compared.
const PLIES: usize = 5;
/// Number of plies that a person can easily look ahead.
const SHORT: usize = 3;
/// Minimum difference in a quantity that explains an error, in hundredths of a piece.
const LEAST_WORTH: i32 = 60;
/// Maximum number of moves in a sentence.
const MOST_MOVES: usize = 5;

/// A played move, and the engine's evaluations before and after it.
struct Played<'a, P: Game> {
    before: &'a P,
    mv: P::Move,
    after: P,
    side: Side,
    best: &'a Thought,
    answer: Option<&'a Thought>,
}

/// Explains why a move is an error or a good move; see [`AnyRecord::reason`](crate::any::AnyRecord::reason).
pub(crate) fn reason<P: Game>(
    record: &Record<P>,
    mv: &str,
    best: &Thought,
    answer: Option<&Thought>,
) -> Option<Message> {
    let before = record.position();
    let mv = before.parse_move(mv).ok()?;
    let side = before.side_to_move();
    let played = Played { before, mv, after: before.child(mv), side, best, answer };
    let loss = played.chance(value(best)?) - played.chance(played.value()?);
    if loss < LEAST_LOSS {
        played.praise()
    } else {
        played.missed_win().or_else(|| played.allowed_win()).or_else(|| played.difference())
    }
}

impl<P: Game> Played<'_, P> {
    /// Returns the value after the move.
    fn value(&self) -> Option<Value> {
        if let Some(answer) = self.answer {
            return value(answer);
        }
        Some(match self.after.outcome().and_then(Outcome::winner) {
            Some(Side::First) => Value::Wins(0),
            Some(Side::Second) => Value::Loses(0),
            None => Value::Units(0),
        })
    }

    /// Returns the winning chance of the side that moved, by the page's formula.
    fn chance(&self, value: Value) -> f64 {
        let first = match value {
            Value::Wins(_) => 1.0,
            Value::Loses(_) => 0.0,
            Value::Units(units) => 1.0 / (1.0 + 10_f64.powf(-f64::from(units) / 400.0)),
        };
        if self.side == Side::First { first } else { 1.0 - first }
    }

    /// Describes the win that the move missed.
    fn missed_win(&self) -> Option<Message> {
        let plies = win_of(value(self.best)?, self.side)?;
        let (side, count, line) = (name::<P>(self.side), plies.div_ceil(2), line(&moves(self.best), plies));
        Some(message!(
            "reason.missed_win",
            "{side} had a win in {count} move{s}: {line}",
            side,
            count,
            line;
            s = plural(count)
        ))
    }

    /// Describes the win that the move gives the opponent.
    fn allowed_win(&self) -> Option<Message> {
        let plies = win_of(self.value()?, !self.side)?;
        let side = !self.side;
        if let Some(answer) = self.answer {
            return Some(wins::<P>(side, plies, &moves(answer)));
        }
        let side = name::<P>(side);
        Some(message!("reason.gives_win", "This move wins the game for {side}.", side))
    }

    /// Describes the win that a good move keeps, or the loss that only this move prevents.
    fn praise(&self) -> Option<Message> {
        if let (Some(plies), Some(answer)) = (win_of(self.value()?, self.side), self.answer) {
            return Some(wins::<P>(self.side, plies, &moves(answer)));
        }
        self.is_only_defence().then(|| {
            let (side, mv) = (name::<P>(!self.side), self.mv.to_string());
            message!("reason.only_move", "Only {mv} stops {side} from winning at once.", mv, side)
        })
    }

    /// Returns `true` if only this move prevents a win by the opponent's next move, and there are other legal moves.
    fn is_only_defence(&self) -> bool {
        let loses = |m: P::Move| wins_at_once(&self.before.child(m), !self.side);
        let others: Vec<P::Move> = self.before.movable().into_iter().filter(|&m| m != self.mv).collect();
        !others.is_empty() && others.into_iter().all(loses) && !loses(self.mv)
    }

    /// Describes the quantity that best shows why the played line is worse for the mover than the best line.
    fn difference(&self) -> Option<Message> {
        let best = moves(self.best);
        let mut played = vec![self.mv.to_string()];
        if best.first() == played.first() {
            return None;
        }
        played.extend(moves(self.answer?));
        let lines = [&played, &best].map(|moves| positions(self.before, moves));
        let at: Vec<[Vec<Quantity>; 2]> =
            lines[0].iter().zip(&lines[1]).map(|(played, best)| [played, best].map(P::quantities)).collect();
        let all = 0..at.first()?[0].len();
        let worst = all.filter_map(|index| lasting(&at, index, self.side)).max_by_key(Worst::importance)?;
        let [quantity, better] = [&at[worst.ply][0][worst.index], &at[worst.ply][1][worst.index]];
        let fact = (quantity.sentence)(&Change {
            side: name::<P>(quantity.side),
            count: quantity.value?,
            better: better.value?,
            best: best[..=worst.ply].join(" "),
            square: quantity.square.clone().unwrap_or_default(),
        });
        if worst.ply == 0 {
            return Some(fact);
        }
        let line = played[1..=worst.ply].join(" ");
        Some(message!("reason.then", "Best continuation: {line}. {fact}", line, fact))
    }
}

/// A difference in a quantity that is a disadvantage for the mover.
struct Worst {
    index: usize,
    /// Number of plies between the first move of the line and the difference.
    ply: usize,
    /// Size in hundredths of a piece.
    harm: i32,
}

impl Worst {
    /// Returns the sort key of differences. Differences after a short line rank higher, because they are easier to see.
    fn importance(&self) -> (bool, i32) {
        (self.ply < SHORT, self.harm)
    }
}

/// Returns the first difference in a quantity that is large enough, if at least half of it lasts until the end of the
/// lines. Quantities with a square count only for the mover.
fn lasting(at: &[[Vec<Quantity>; 2]], index: usize, mover: Side) -> Option<Worst> {
    let harm = |[played, best]: &[Vec<Quantity>; 2]| {
        let (played, best) = (played.get(index)?, best.get(index)?);
        if played.side != mover && (played.square.is_some() || best.square.is_some()) {
            return None;
        }
        let difference = i32::try_from(played.value?).ok()? - i32::try_from(best.value?).ok()?;
        let gain = difference * played.worth;
        Some(if played.side == mover { -gain } else { gain })
    };
    let all: Vec<Option<i32>> = at.iter().map(harm).collect();
    let ply = all.iter().position(|harm| harm.is_some_and(|harm| harm >= LEAST_WORTH))?;
    let harm = all[ply]?;
    let lasts = all[ply..].iter().flatten().all(|&later| 2 * later >= harm);
    lasts.then_some(Worst { index, ply, harm })
}

/// Returns the positions after the first moves of a line, at most [`PLIES`]. Ends before the first decided position.
fn positions<P: Game>(start: &P, moves: &[String]) -> Vec<P> {
    let mut all: Vec<P> = Vec::new();
    for text in moves.iter().take(PLIES) {
        let last = all.last().unwrap_or(start);
        let Ok(m) = last.parse_move(text) else { break };
        let next = last.child(m);
        if next.outcome().is_some() {
            break;
        }
        all.push(next);
    }
    all
}

/// Returns the value of a position: the exact value from a book or from tables if there is one, otherwise that of the
/// best line.
fn value(thought: &Thought) -> Option<Value> {
    match &thought.known {
        Some(known) => Some(match known.winner {
            Some(0) => Value::Wins(known.plies),
            Some(_) => Value::Loses(known.plies),
            None => Value::Units(0),
        }),
        None => thought.lines.first().map(|line| line.value),
    }
}

/// Returns the best line.
fn moves(thought: &Thought) -> Vec<String> {
    match thought.known.as_ref().and_then(|known| known.best.clone()) {
        Some(best) => vec![best],
        None => thought.lines.first().map(|line| line.moves.clone()).unwrap_or_default(),
    }
}

/// Returns the number of plies of a side's proven win.
fn win_of(value: Value, side: Side) -> Option<u32> {
    match (value, side) {
        (Value::Wins(plies), Side::First) | (Value::Loses(plies), Side::Second) => Some(plies),
        _ => None,
    }
}

/// Returns `true` if a side has won, or can win with the next move.
fn wins_at_once<P: Game>(p: &P, side: Side) -> bool {
    let won = |p: &P| p.outcome().and_then(Outcome::winner) == Some(side);
    match p.outcome() {
        Some(_) => won(p),
        None => p.movable().into_iter().any(|m| won(&p.child(m))),
    }
}

/// Describes a side's proven win. Either side may make the first move of the line.
fn wins<P: Game>(side: Side, plies: u32, moves: &[String]) -> Message {
    let (side, count, line) = (name::<P>(side), plies.div_ceil(2), line(moves, plies));
    message!("reason.wins", "{side} now wins in {count} move{s}: {line}", side, count, line; s = plural(count))
}

/// Formats the first moves of a line, with an ellipsis if the line has more plies.
fn line(moves: &[String], plies: u32) -> String {
    let shown = &moves[..moves.len().min(MOST_MOVES)];
    let rest = if shown.len() < plies as usize { " …" } else { "" };
    shown.join(" ") + rest
}

fn name<P: Game>(side: Side) -> Message {
    Message::name(P::side_name(side))
}
