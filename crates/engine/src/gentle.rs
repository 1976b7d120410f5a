use core::ops::ControlFlow;

use game::{Key, Origin, Outcome, Record};
use search::{Choice, Control, Engine, Limits, Policy, Score};

use crate::attention::Attention;
use crate::playable::Playable;
use crate::resources::Resources;

/// Number of moves of both sides after which a beginner reconsiders the whole board.
const FRESH_LOOK: u32 = 6;
/// Factor on the probability of noticing a move, in percent, by the move's distance from the last moves. The last
/// factor applies to all greater distances.
const FADE: [u64; 6] = [100, 100, 100, 80, 60, 45];
/// Penalty for returning to an earlier position, in hundredths of a piece: people avoid moving back and forth.
const BACK: i32 = 50;
/// Value of a win, in hundredths of a piece.
const WIN: i32 = 100_000;
/// Identifiers of the random decisions. They are distinct, so that the random numbers for different decisions are
/// independent.
const OWN_MOVES: u64 = 1;
const THREATS: u64 = 2;
const WHIMS: u64 = 3;

/// An opponent for beginners. It makes the mistakes of beginners rather than random ones.
///
/// * It values what beginners value: pieces, squares, steps forward ([`Playable::liking`]).
/// * Its attention is where the last moves were. It overlooks many of its own moves far from there, but fewer captures.
/// * It considers what the opponent can capture or win after a move, but overlooks some of these threats, again mostly
///   those far from the last moves. It therefore forgets old threats.
/// * It overlooks the same things for several moves in a row, as people do, and then reconsiders the whole board.
///
/// The seed determines all of this, so a choice depends on the game and the seed alone. There is no search, so limits
/// have no effect.
pub(crate) struct Gentle<P: Playable> {
    policy: P::Policy,
    attention: Attention,
    seed: u64,
}

/// The conspicuousness of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strike {
    /// The move ends the game.
    End,
    /// The move is a capture or is otherwise noisy.
    Capture,
    /// The move is quiet.
    None,
}

/// The squares of the last moves, where a beginner looks: pairs of a column and a row.
type Focus = Vec<(u8, u8)>;

impl<P: Playable> Gentle<P> {
    pub(crate) fn new(attention: Attention) -> Self {
        Self { policy: P::policy(&Resources::default()), attention, seed: 0 }
    }

    /// Returns a pseudorandom number that depends on the seed and these values.
    fn chance(&self, question: u64, when: u64, code: u16) -> u64 {
        [question, when, u64::from(code)].iter().fold(self.seed, |state, &fact| Key::mix(state ^ fact).0)
    }

    /// Returns `true` if the beginner notices the move. `share` is the probability for a move near the last moves, in
    /// percent.
    fn notices(&self, share: u64, question: u64, game: &Record<P>, (m, focus): (P::Move, &Focus)) -> bool {
        let far = FADE[distance::<P>(m, focus).min(FADE.len() - 1)];
        self.chance(question, u64::from(game.moves_made() / FRESH_LOOK), P::pack(m)) % 10_000 < share * far
    }

    /// Returns the moves that the beginner considers: all moves if it notices none.
    fn candidates(&self, game: &Record<P>, focus: &Focus) -> Vec<P::Move> {
        let p = game.position();
        let moves = p.movable();
        let noticed = moves.iter().copied().filter(|&m| {
            let share = match self.strikes(p, m) {
                Strike::End => self.attention.captures.midpoint(100),
                Strike::Capture => self.attention.captures,
                Strike::None => self.attention.moves,
            };
            self.notices(share, OWN_MOVES, game, (m, focus))
        });
        let noticed: Vec<P::Move> = noticed.collect();
        if noticed.is_empty() { moves } else { noticed }
    }

    /// Returns the conspicuousness of a move.
    fn strikes(&self, p: &P, m: P::Move) -> Strike {
        if p.child(m).decided().is_some() {
            Strike::End
        } else if self.policy.is_noisy(p, m) {
            Strike::Capture
        } else {
            Strike::None
        }
    }

    /// Returns the apparent value of a move: the beginner's valuation of the position after the worst threat that it
    /// notices.
    fn worth(&self, game: &Record<P>, m: P::Move, focus: &Focus) -> i32 {
        let p = game.position();
        let us = p.side_to_move();
        let child = p.child(m);
        let seen = |p: &P| match p.decided() {
            Some(Outcome::Win(side)) if side == us => WIN,
            Some(Outcome::Win(_)) => -WIN,
            Some(Outcome::Draw) => 0,
            None => p.liking(us),
        };
        let mut worth = seen(&child);
        if game.steps().iter().any(|step| step.position.key() == child.key()) {
            worth -= BACK;
        }
        if child.decided().is_none() {
            let focus: Focus = focus.iter().copied().chain(P::squares_of(m)).collect();
            let _ = child.visit_moves(|reply| {
                if self.strikes(&child, reply) != Strike::None
                    && self.notices(self.attention.threats, THREATS, game, (reply, &focus))
                {
                    worth = worth.min(seen(&child.child(reply)));
                }
                ControlFlow::<()>::Continue(())
            });
        }
        let whim = self.attention.whim;
        worth + (self.chance(WHIMS, p.key().0, P::pack(m)) % (2 * whim + 1)) as i32 - whim as i32
    }
}

/// Returns the squares of the last move of each side.
fn focus<P: Playable>(game: &Record<P>) -> Focus {
    let last = game.steps().iter().rev().take(2).map_while(|step| match step.origin {
        Origin::Move(m) => Some(P::squares_of(m)),
        _ => None,
    });
    last.flatten().collect()
}

/// Returns the distance of a move from the squares of the last moves, in king's steps; 0 if there are no last moves.
fn distance<P: Playable>(m: P::Move, focus: &Focus) -> usize {
    let squares = P::squares_of(m);
    let pairs = focus.iter().flat_map(|&seen| squares.map(|square| (seen, square)));
    pairs.map(|((x, y), (to_x, to_y))| usize::from(x.abs_diff(to_x).max(y.abs_diff(to_y)))).min().unwrap_or(0)
}

impl<P: Playable> Engine<P> for Gentle<P> {
    fn choose(&mut self, game: &Record<P>, _: &Limits, _: &mut Control<'_, P::Move>) -> Option<Choice<P::Move>> {
        let focus = focus(game);
        let candidates = self.candidates(game, &focus);
        let nodes = candidates.len() as u64;
        let judged = candidates.into_iter().map(|m| (self.worth(game, m, &focus), m));
        let (worth, best) = judged.max_by_key(|&(worth, _)| worth)?;
        // The value is not proven, so it is never a win score.
        Some(Choice::of_line(vec![best], Score::units(worth), 1, nodes))
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = Key::mix(seed).0;
    }
}
