//! The result of a game that is not over yet, where it is certain by the rules under which the game is played.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use engine::{Playable, Resources};
use game::{MatchDraws, Origin, Outcome, PliesLeft, Position, Record, Side};
use search::{ProofSearch, Stop, Verdict};

use crate::{Entry, Repetitions, Setting, SettingError, Source, Visitor, dispatch};

/// Memory of a search, in MiB.
const TABLE_MIB: usize = 16;
/// The most positions of a proof that are compared with those of the game.
const MOST_COMPARED: usize = 20_000;

/// A result that nothing can change if both sides play perfectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The result.
    pub outcome: Outcome,
    /// How it is known.
    pub source: Source,
}

impl Setting {
    /// The result of a game after these moves if it is certain: from a book, from tables, or by a proof that visits at
    /// most `nodes` positions. A win counts only if it comes before the move limit and before a draw for lack of
    /// progress, and if no position on its way would be drawn as a repetition. `None` if nothing is certain, if the
    /// game is over, or under [`Repetitions::OpenSpiel`], whose repeated boards the searches do not know.
    ///
    /// # Errors
    /// If the start or a move is not legal.
    pub fn settle(
        self,
        start: &str,
        moves: &[&str],
        resources: &Resources,
        nodes: u64,
    ) -> Result<Option<Settled>, SettingError> {
        dispatch(self.game, Settle { setting: self, start, moves, resources, nodes })
    }
}

struct Settle<'a> {
    setting: Setting,
    start: &'a str,
    moves: &'a [&'a str],
    resources: &'a Resources,
    nodes: u64,
}

impl Visitor for Settle<'_> {
    type Output = Result<Option<Settled>, SettingError>;

    fn visit<E: Entry>(self) -> Self::Output {
        let record = self.setting.record::<E>(Some(self.start), self.moves)?;
        let root = record.position();
        let is_over = record.finish().is_some() || root.is_stuck();
        if is_over || self.setting.repetitions == Some(Repetitions::OpenSpiel) {
            return Ok(None);
        }
        let policy = E::Position::policy(self.resources);
        let bounds = Bounds::of(&record, self.setting.draws::<E::Position>());
        if let Some(fact) = E::known(root, &policy) {
            let Some(winner) = fact.winner else {
                return Ok(Some(Settled { outcome: Outcome::Draw, source: fact.source }));
            };
            // Perfect play visits positions from which the win is shorter and shorter.
            let on_the_way = |p: &E::Position| {
                fact.source != Source::Tables
                    || E::known(p, &policy).is_none_or(|other| other.winner == Some(winner) && other.plies < fact.plies)
            };
            if bounds.plies.allows(fact.plies) && !bounds.exhausted.values().any(on_the_way) {
                return Ok(Some(Settled { outcome: Outcome::Win(winner), source: fact.source }));
            }
        }
        let mut no_win = true;
        for attacker in [root.side_to_move(), !root.side_to_move()] {
            let mut search = ProofSearch::new(&policy, Stop::new(), TABLE_MIB, self.nodes / 2);
            match search.solve(root, attacker, PliesLeft::UNLIMITED) {
                Verdict::Win { plies, .. } => {
                    let counts = bounds.plies.allows(plies) && bounds.leave_alone(&search, root, attacker);
                    let settled = Settled { outcome: Outcome::Win(attacker), source: Source::Search };
                    return Ok(counts.then_some(settled));
                }
                Verdict::NoWin => (),
                Verdict::Unknown => no_win = false,
            }
        }
        // Move limits and repetitions only make wins rarer.
        Ok(no_win.then_some(Settled { outcome: Outcome::Draw, source: Source::Search }))
    }
}

/// What a win must respect.
struct Bounds<P> {
    /// It must come within so many plies.
    plies: PliesLeft,
    /// Positions that are drawn if they occur once more, by their keys.
    exhausted: BTreeMap<u64, P>,
    /// Whether repetitions are drawn at all.
    repetitions: bool,
}

impl<P: Position> Bounds<P> {
    fn of(record: &Record<P>, draws: Option<MatchDraws>) -> Self {
        let Some(draws) = draws else {
            return Self { plies: record.plies_left(), exhausted: BTreeMap::new(), repetitions: false };
        };
        let quiet = record.steps().windows(2).rev().take_while(|pair| match pair[1].origin {
            Origin::Move(m) => !pair[0].position.is_irreversible(m),
            Origin::Start | Origin::SetUp => false,
        });
        let quiet = u32::try_from(quiet.count()).unwrap_or(u32::MAX);
        let left = record.plies_left().at_most(draws.quiet_plies.saturating_sub(quiet));
        let mut times: BTreeMap<u64, (u32, &P)> = BTreeMap::new();
        for step in record.steps() {
            times.entry(step.position.key().0).or_insert((0, &step.position)).0 += 1;
        }
        let exhausted = times.into_iter().filter(|(_, (times, _))| times.saturating_add(1) >= draws.repetitions);
        let exhausted = exhausted.map(|(key, (_, position))| (key, position.clone())).collect();
        Self { plies: PliesLeft::new(left), exhausted, repetitions: draws.repetitions < u32::MAX }
    }

    /// Whether the win of a search keeps away from all positions whose repetition would be a draw.
    fn leave_alone(&self, search: &ProofSearch<'_, P, P::Policy>, root: &P, attacker: Side) -> bool
    where
        P: Playable,
    {
        if !self.repetitions {
            return true;
        }
        let mut seen = BTreeSet::new();
        let mut todo = VecDeque::from([(root.clone(), u32::MAX)]);
        while let Some((p, before)) = todo.pop_front() {
            let is_root = seen.is_empty();
            if !is_root && self.exhausted.contains_key(&p.key().0) {
                return false;
            }
            if p.side_to_move() != attacker {
                if !seen.insert(p.key().0) {
                    continue;
                }
                let children = p.movable().into_iter().map(|m| p.child(m));
                todo.extend(children.filter(|child| child.outcome().is_none()).map(|child| (child, before)));
                continue;
            }
            // The win gets shorter with each move, so that no position occurs twice on the way.
            let Some((m, plies)) = search.winning_move(&p, PliesLeft::UNLIMITED) else { return false };
            if plies >= before {
                return false;
            }
            if !seen.insert(p.key().0) {
                continue;
            }
            if seen.len() > MOST_COMPARED {
                return false;
            }
            let after = p.child(m);
            if after.outcome().is_none() {
                todo.push_back((after, plies));
            }
        }
        true
    }
}
