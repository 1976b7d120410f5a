//! Checker of winning strategies. It checks each step with the reference implementation of the rules, without any
//! search.

use game::{Side, Symmetries, fold};
use reference::Model;
use search::side_by_side;

use super::file::{WinError, WinFile};
use crate::verify::Team;

/// Number of steps that one thread checks between two progress reports. Guessed.
const PIECE: usize = 1 << 9;

/// The results of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Number of steps, each with one move of the winner.
    pub steps: usize,
    /// Number of the opponent's replies to these moves, plus the replies in the first position if the opponent is to
    /// move there.
    pub replies: u64,
    /// Number of replies after which the winner has won or wins immediately.
    pub wins: u64,
    /// Rank of the first position. With the opponent to move, it is the maximum rank that can follow.
    pub rank: u32,
}

impl Checked {
    fn add(&mut self, other: &Self) {
        self.replies += other.replies;
        self.wins += other.wins;
    }
}

impl WinFile<'_> {
    /// Checks all steps. The winner's move must be legal. After every reply to it, the winner must have won, win with
    /// the next move, or have a step of smaller rank. The certified position must have a step, or if the opponent is to
    /// move there, its replies must meet the same condition. `symmetries` are the symmetries of the rules; a file may
    /// rely on these symmetries or on none. `progress` receives the number of checked steps and the total number of
    /// steps.
    ///
    /// # Errors
    /// Returns an error if the file makes a false claim.
    pub fn check<M: Model>(
        &self,
        symmetries: Symmetries,
        team: Team<'_>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Checked, WinError> {
        let header = &self.header;
        if ![Symmetries::None, symmetries].contains(&header.symmetries) {
            let (images, game) = (header.symmetries.images(), &header.game);
            return Err(WinError::Game(format!("{game} does not have {images} equivalent images of a board")));
        }
        let root = M::parse(&header.position).ok_or_else(|| WinError::Step {
            number: 0,
            reason: format!("`{}`: expected a position of {}", header.position, header.game),
        })?;
        let checker = Checker { file: self, winner: model_side(header.winner) };
        let mut checked = checker.root(&root)?;
        let pieces = team.size.max(1);
        for first in (0..header.steps).step_by(PIECE * pieces) {
            let found = side_by_side(team.threads, pieces, |piece| {
                let from = (first + piece * PIECE).min(header.steps);
                checker.steps::<M>(from..(from + PIECE).min(header.steps))
            });
            for part in found {
                let part = part?;
                checked.add(&part);
                checked.steps += part.steps;
            }
            progress(checked.steps as u64, header.steps as u64);
        }
        Ok(checked)
    }
}

/// Converts a side to the type of the crate `reference`.
pub fn model_side(side: Side) -> reference::Side {
    match side {
        Side::First => reference::Side::First,
        Side::Second => reference::Side::Second,
    }
}

struct Checker<'a> {
    file: &'a WinFile<'a>,
    winner: reference::Side,
}

impl Checker<'_> {
    /// Checks the certified position.
    fn root<M: Model>(&self, root: &M) -> Result<Checked, WinError> {
        if root.winner().is_some() || root.drawn() {
            return Err(refused(0, format!("{} is over", root.text())));
        }
        let mut found = Checked::default();
        if root.to_move() == self.winner {
            let number = self.find(root).ok_or_else(|| refused(0, format!("no step for {}", root.text())))?;
            found.rank = self.file.step(number)?.rank;
        } else {
            found.rank = self.replies(root, u32::MAX, 0, &mut found)?;
        }
        Ok(found)
    }

    fn steps<M: Model>(&self, numbers: core::ops::Range<usize>) -> Result<Checked, WinError> {
        let mut found = Checked { steps: numbers.len(), ..Checked::default() };
        for number in numbers {
            let step = self.file.step(number)?;
            let text = step.position;
            let refused = |reason: String| Err(refused(number + 1, reason));
            if number > 0 && self.file.step(number - 1)?.position >= text {
                return refused("not sorted by position".to_owned());
            }
            let Some(p) = M::parse(text).filter(|p| p.text() == fold(text, self.file.header.symmetries)) else {
                return refused(format!("`{text}` is no position, or not the smallest of its images"));
            };
            if p.to_move() != self.winner || p.winner().is_some() || p.drawn() {
                return refused(format!("{text} is decided, or the winner is not to move"));
            }
            let Some(after) = p.play(step.m) else { return refused(format!("{} is no move in {text}", step.m)) };
            match after.winner() {
                Some(side) if side == self.winner => (),
                Some(_) => return refused(format!("{} in {text} loses", step.m)),
                None if after.drawn() => return refused(format!("{} in {text} draws", step.m)),
                None => drop(self.replies(&after, step.rank, number + 1, &mut found)?),
            }
        }
        Ok(found)
    }

    /// Checks that after every reply of the opponent, the winner has won, wins with the next move, or has a step of
    /// smaller rank. Returns the maximum rank of these steps.
    fn replies<M: Model>(&self, p: &M, rank: u32, number: usize, found: &mut Checked) -> Result<u32, WinError> {
        let children = p.children();
        if children.is_empty() {
            return Err(refused(number, format!("in {} no side has won, and there is no reply", p.text())));
        }
        let mut most = 0;
        for (reply, child) in children {
            found.replies += 1;
            let refused = |reason: &str| Err(refused(number, format!("after {reply} in {} {reason}", p.text())));
            match child.winner() {
                Some(side) if side == self.winner => found.wins += 1,
                Some(_) => return refused("the other side has won"),
                None if child.drawn() => return refused("the game is drawn"),
                None => match self.find(&child) {
                    Some(next) => {
                        let next = self.file.step(next)?.rank;
                        if next >= rank {
                            return refused(&format!("the rank is {next}, not smaller than {rank}"));
                        }
                        most = most.max(next);
                    }
                    None if self.wins_at_once(&child) => found.wins += 1,
                    None => return refused("there is neither a step nor a win at once"),
                },
            }
        }
        Ok(most)
    }

    fn find<M: Model>(&self, p: &M) -> Option<usize> {
        self.file.find(&fold(&p.text(), self.file.header.symmetries))
    }

    fn wins_at_once<M: Model>(&self, p: &M) -> bool {
        p.children().iter().any(|(_, child)| child.winner() == Some(self.winner))
    }
}

fn refused(number: usize, reason: String) -> WinError {
    WinError::Step { number, reason }
}
