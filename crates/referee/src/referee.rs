use core::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use game::{Finish, Outcome, Reason, Side, SplitMix64, TextGame};
use protocol::{Info, TimeLeft};

use crate::clock::{Clocks, TimeControl};
use crate::player::{Fault, FaultKind, Player, Turn};

/// The consequence of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFault {
    /// The player loses the game.
    Lose,
    /// A random legal move replaces the answer, and the fault is counted.
    RandomMove,
}

/// A referee of a game between two untrusted players.
#[derive(Clone, Copy, Debug)]
pub struct Referee {
    /// Time controls of the first and the second side.
    pub time: [TimeControl; 2],
    /// Consequence of a fault.
    pub after_fault: AfterFault,
}

/// A move of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Side that moved.
    pub side: Side,
    /// Move in Plyhouse notation.
    pub text: String,
    /// Time from the request to the answer.
    pub wall: Duration,
    /// Part of `wall` that the player spent ready to run while other programs had the processor. It was not charged to
    /// the player.
    pub waited: Duration,
    /// Processor time of the player since its last answer, if the system reports it.
    pub cpu: Option<Duration>,
    /// Remaining time of the player for the game, if that is limited.
    pub left: Option<Duration>,
    /// `true` if the referee chose the move because the player's answer was a fault.
    pub replaced: bool,
    /// Search information that the player has reported.
    pub info: Info,
}

/// A fault in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offence {
    /// Number of moves before the fault, including the opening.
    pub ply: u32,
    /// Side of the player.
    pub side: Side,
    /// The fault itself.
    pub fault: Fault,
}

/// The way in which a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// An end by the rules.
    Rules(Reason),
    /// An end by a fault.
    Fault(FaultKind),
    /// An end by a ruling before the end by the rules.
    Ruling(Ruling),
}

/// The reason for ending a game early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ruling {
    /// A side has evaluated its position as lost for a long time.
    WinByScores,
    /// Both sides have evaluated the position as even for a long time.
    DrawByScores,
    /// A win of one side is proven.
    WinByProof,
    /// It is proven that neither side can force a win.
    DrawByProof,
}

/// A decision on whether a game continues: `Break(None)` stops it without a result, `Break(Some(…))` ends it by a
/// ruling.
pub type GoesOn = ControlFlow<Option<(Outcome, Ruling)>>;

impl Ending {
    /// Returns all endings with their names in the store and in the files of games.
    pub fn names() -> impl Iterator<Item = (&'static str, Self)> {
        use Ruling::{DrawByProof, DrawByScores, WinByProof, WinByScores};
        let rules = [Reason::Board, Reason::Stuck, Reason::MoveLimit, Reason::Repetition, Reason::QuietPlies];
        let rulings = [WinByScores, DrawByScores, WinByProof, DrawByProof];
        let (rules, rulings) = (rules.map(Self::Rules), rulings.map(Self::Ruling));
        let all = rules.into_iter().chain(rulings).chain(FaultKind::ALL.map(Self::Fault));
        all.map(|ending| (ending.name(), ending))
    }

    /// Returns the name in the store and in the files of games. In these names, a draw is called `tie`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rules(Reason::Board) => "win",
            Self::Rules(Reason::Stuck) => "win by no move",
            Self::Rules(Reason::MoveLimit) => "tie by limit",
            Self::Rules(Reason::Repetition) => "tie by repetition",
            Self::Rules(Reason::QuietPlies) => "tie by quiet plies",
            Self::Ruling(Ruling::WinByScores) => "win by scores",
            Self::Ruling(Ruling::DrawByScores) => "tie by scores",
            Self::Ruling(Ruling::WinByProof) => "win by proof",
            Self::Ruling(Ruling::DrawByProof) => "tie by proof",
            Self::Fault(kind) => kind.name(),
        }
    }
}

/// Formats the ending as text for users.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rules(Reason::MoveLimit) => "draw by the move limit",
            Self::Rules(Reason::Repetition) => "draw by repetition",
            Self::Rules(Reason::QuietPlies) => "draw by quiet plies",
            Self::Ruling(Ruling::DrawByScores) => "draw by scores",
            Self::Ruling(Ruling::DrawByProof) => "draw by proof",
            Self::Rules(_) | Self::Fault(_) | Self::Ruling(_) => self.name(),
        })
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Result; `None` if the game is void because neither player started.
    pub outcome: Option<Outcome>,
    /// Reason for the result.
    pub ending: Ending,
    /// Moves of the players, without the opening.
    pub plies: Vec<Ply>,
    /// All faults of both players.
    pub offences: Vec<Offence>,
    /// Standard error of each side.
    pub stderr: [String; 2],
    /// Processor time of each side, if the system reports it.
    pub cpu: [Option<Duration>; 2],
}

/// The two players of a game, the first side first.
pub type Players<'a> = [&'a mut dyn Player; 2];

/// A game in progress.
struct Course<'a> {
    referee: &'a Referee,
    game: &'a mut dyn TextGame,
    clocks: Clocks,
    rng: SplitMix64,
    plies: Vec<Ply>,
    offences: Vec<Offence>,
}

impl Referee {
    /// Plays a game to its end. An opening may have been played already. `seed` is for the players and for random
    /// moves. `watch` receives each move and may end the game. Returns `None` if it does so without a ruling. A ruling
    /// has no effect if the game has ended by the rules.
    pub fn play(
        &self,
        game: &mut dyn TextGame,
        mut players: Players<'_>,
        seed: u64,
        watch: &mut dyn FnMut(&dyn TextGame, &Ply) -> GoesOn,
    ) -> Option<Played> {
        let clocks = Clocks::new(self.time);
        let mut course =
            Course { referee: self, game, clocks, rng: SplitMix64::new(seed), plies: Vec::new(), offences: Vec::new() };
        let ended = course.begin(&mut players, seed).map_or_else(|| course.go_on(&mut players, watch), Some);
        let farewells = players.map(|player| player.end(&*course.game));
        let (outcome, ending) = ended?;
        for (side, claim) in Side::BOTH.into_iter().zip(farewells.iter().map(|farewell| farewell.claim)) {
            // The game has ended by the rules. A wrong announcement is recorded and does not change the result.
            if let (Some(claim), Ending::Rules(_)) = (claim, ending) {
                course.check_claim(side, claim, outcome);
            }
        }
        let cpu = [farewells[0].cpu, farewells[1].cpu];
        let stderr = farewells.map(|farewell| farewell.stderr);
        Some(Played { outcome, ending, plies: course.plies, offences: course.offences, stderr, cpu })
    }
}

impl Course<'_> {
    /// Starts both players. Returns the end of the game if one of them does not start: that player forfeits the game.
    /// If neither starts, the game is void.
    fn begin(&mut self, players: &mut Players<'_>, seed: u64) -> Option<(Option<Outcome>, Ending)> {
        for side in Side::BOTH {
            // Each player gets its own seed. The lowest bit is always 0, because some dialects drop it.
            let seed = seed.wrapping_mul(2).wrapping_add((side.index() as u64) << 32);
            let within = self.referee.time[side.index()].start_time;
            if let Err(fault) = players[side.index()].begin(&*self.game, side, seed, within) {
                self.offend(side, fault);
            }
        }
        let outcome = match self.offences.as_slice() {
            [] => return None,
            [one] => Some(Outcome::Win(!one.side)),
            _ => None,
        };
        Some((outcome, Ending::Fault(self.offences[0].fault.kind)))
    }

    fn go_on(
        &mut self,
        players: &mut Players<'_>,
        watch: &mut dyn FnMut(&dyn TextGame, &Ply) -> GoesOn,
    ) -> Option<(Option<Outcome>, Ending)> {
        loop {
            if let Some(Finish { outcome, reason }) = self.game.finish() {
                return Some((Some(outcome), Ending::Rules(reason)));
            }
            let side = self.game.side_to_move();
            let player = &mut *players[side.index()];
            let clock = self.clocks.of(side);
            let turn = player.choose(&*self.game, &clock);
            let replaceable = self.referee.after_fault == AfterFault::RandomMove
                && player.can_be_replaced()
                && !self.has_not_started(side, &turn);
            if let Err(kind) = self.take(side, &clock, turn, player, replaceable) {
                return Some((Some(Outcome::Win(!side)), Ending::Fault(kind)));
            }
            let ply = self.plies.last().expect("invariant: an accepted turn leaves a move");
            if let ControlFlow::Break(ruling) = watch(&*self.game, ply) {
                let (outcome, ruling) = ruling?;
                if self.game.finish().is_none() {
                    return Some((Some(outcome), Ending::Ruling(ruling)));
                }
            }
        }
    }

    /// Returns `true` if a player with one process per move could not be started for its first move. Such a player
    /// forfeits the game, regardless of [`Referee::after_fault`].
    fn has_not_started(&self, side: Side, turn: &Turn) -> bool {
        matches!(&turn.answer, Err(fault) if fault.kind == FaultKind::NoStart)
            && self.plies.iter().all(|ply| ply.side != side)
    }

    /// Plays the player's answer, or a random move instead.
    ///
    /// # Errors
    /// Returns the kind of the fault if the player loses the game by it.
    fn take(
        &mut self,
        side: Side,
        time: &TimeLeft,
        turn: Turn,
        player: &dyn Player,
        replaceable: bool,
    ) -> Result<(), FaultKind> {
        let Turn { answer, claim, wall, waited, cpu, info, unasked } = turn;
        let charged = wall.saturating_sub(waited);
        if let Some(fault) = unasked {
            self.note(side, fault);
        }
        let answer = match answer {
            Ok(_) if time.patience().is_some_and(|limit| charged > limit) => {
                let detail = format!("the answer came after {:.2} s", wall.as_secs_f64());
                Err(Fault::new(FaultKind::Time, detail))
            }
            Ok(text) => self.game.play(&text).map_err(|error| Fault::refused(player, &error)),
            Err(fault) => Err(fault),
        };
        let replaced = answer.is_err();
        let text = match answer {
            Ok(text) => text,
            Err(fault) => {
                let fault = self.with_claim(fault, claim);
                let kind = fault.kind;
                self.offend(side, fault);
                if !replaceable {
                    return Err(kind);
                }
                self.random_move()
            }
        };
        let left = self.clocks.take(side, charged);
        self.plies.push(Ply { side, text, wall, waited, cpu, left, replaced, info });
        let true_outcome = self.game.finish().map(|finish| finish.outcome);
        match claim.filter(|_| !replaced) {
            Some(claim) if !self.check_claim(side, claim, true_outcome) && !replaceable => Err(FaultKind::FalseClaim),
            _ => Ok(()),
        }
    }

    /// Converts a fault to a false claim if the player also announced the end of the game: the announcement is probably
    /// the cause of the fault.
    fn with_claim(&self, fault: Fault, claim: Option<Outcome>) -> Fault {
        match claim {
            None => fault,
            Some(claim) => {
                let detail =
                    format!("it said \u{201c}{}\u{201d} before the game was over; {fault}", self.in_words(Some(claim)));
                Fault::new(FaultKind::FalseClaim, detail)
            }
        }
    }

    /// Checks an announced end of the game, and records a false claim. Returns `true` if the claim is true.
    fn check_claim(&mut self, side: Side, claim: Outcome, truth: Option<Outcome>) -> bool {
        let is_true = truth == Some(claim);
        if !is_true {
            let (said, truth) = (self.in_words(Some(claim)), self.in_words(truth));
            self.offend(side, Fault::new(FaultKind::FalseClaim, format!("it said \u{201c}{said}\u{201d}: {truth}")));
        }
        is_true
    }

    fn in_words(&self, outcome: Option<Outcome>) -> String {
        match outcome {
            None => "the game is not over".to_owned(),
            Some(Outcome::Draw) => "a draw".to_owned(),
            Some(Outcome::Win(side)) => format!("{} wins", self.game.side_name(side)),
        }
    }

    fn offend(&mut self, side: Side, fault: Fault) {
        self.offences.push(Offence { ply: self.game.plies(), side, fault });
    }

    /// Records a fault without a penalty. A repeated fault of the same kind is recorded once per game.
    fn note(&mut self, side: Side, fault: Fault) {
        let same = |known: &Offence| known.side == side && known.fault.kind == fault.kind;
        if !self.offences.iter().any(same) {
            self.offend(side, fault);
        }
    }

    fn random_move(&mut self) -> String {
        let moves = self.game.legal_moves();
        let m = self.rng.choose(&moves).expect("invariant: an unfinished game has a move");
        self.game.play(m).expect("invariant: a legal move is legal")
    }
}

#[cfg(test)]
mod tests;
