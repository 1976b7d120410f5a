//! A game of a batch: its moves, its end, and its outputs.

use core::marker::PhantomData;
use std::collections::VecDeque;

use game::{Finish, MatchDraws, Outcome, PliesLeft, Position, Reason, Record, Side, SplitMix64};

use crate::encode::symmetry::Symmetry;
use crate::encode::{ActionSpace, Encoded, MoveOf};
use crate::error::Wrong;
use crate::parts::Divide;
use crate::planes::Planes;
use crate::rules::Rules;

/// A game with the part of its history that determines when it ends.
#[derive(Clone, Debug)]
pub(crate) struct Table<P: Position> {
    /// The position from which the game starts and restarts.
    pub(crate) start: P,
    /// The current position.
    pub(crate) position: P,
    /// The position after the last irreversible move, or the first position of the game.
    pub(crate) base: P,
    /// The moves since `base`.
    pub(crate) trail: Vec<P::Move>,
    /// Hashes of the positions since the last irreversible move, without the current one.
    pub(crate) past: Vec<u64>,
    /// Earlier positions for the planes, the latest first.
    pub(crate) recent: VecDeque<P>,
    /// Number of plies since the start.
    pub(crate) plies: u32,
    /// Number of games that were played here before this one, since the latest seed.
    pub(crate) episode: u32,
    /// `true` if the game has ended and waits for its reset.
    pub(crate) is_over: bool,
    /// State of the random numbers of this game.
    pub(crate) random: u64,
    /// Ids of the legal actions in ascending order, if `is_listed` is set. With masks, also the ids set in the mask.
    pub(crate) legal: Vec<u32>,
    is_listed: bool,
    /// A legal action of the current position and its move, cached to avoid a second lookup.
    chosen: Option<(i32, P::Move)>,
    /// `true` if the final observation is not zero.
    has_final: bool,
}

impl<P: Encoded> Table<P> {
    /// Creates a game at its start. `random` is the seed of its random numbers.
    pub(crate) fn new(start: P, random: u64) -> Self {
        Self {
            position: start.clone(),
            base: start.clone(),
            start,
            trail: Vec::new(),
            past: Vec::new(),
            recent: VecDeque::new(),
            plies: 0,
            episode: 0,
            is_over: false,
            random,
            legal: Vec::new(),
            is_listed: false,
            chosen: None,
            has_final: false,
        }
    }

    /// Returns a copy with its own random numbers, for arrays that no output has been written to.
    pub(crate) fn copy(&mut self) -> Self {
        let random = self.rng().next_u64();
        Self { random, legal: Vec::new(), is_listed: false, ..self.clone() }
    }

    /// Returns a generator of random numbers for one use. Each use has a generator of its own, so that the state is a
    /// counter that can be saved.
    #[inline]
    pub(crate) fn rng(&mut self) -> SplitMix64 {
        self.random = self.random.wrapping_add(1);
        SplitMix64::new(SplitMix64::new(self.random).next_u64())
    }

    /// Returns a random legal move of an unfinished game.
    #[inline]
    pub(crate) fn random_move(&mut self) -> Option<P::Move> {
        if self.is_over {
            return None;
        }
        let mut rng = self.rng();
        self.position.random_move(&mut rng)
    }

    /// Withdraws the latest use of [`rng`](Self::rng).
    pub(crate) fn withdraw(&mut self) {
        self.random = self.random.wrapping_sub(1);
    }

    /// Sets up a position as the start of a game.
    pub(crate) fn place(&mut self, position: P) {
        self.base = position.clone();
        self.position = position;
        self.episode = self.episode.wrapping_add(1);
        self.trail.clear();
        self.past.clear();
        self.recent.clear();
        (self.plies, self.is_over) = (0, false);
        self.forget();
    }

    /// Marks the final observation as one that has to be cleared.
    pub(crate) fn mark_final(&mut self) {
        self.has_final = true;
    }

    /// Restarts the game.
    pub(crate) fn restart(&mut self) {
        self.place(self.start.clone());
    }

    /// Drops what was computed for an earlier position.
    fn forget(&mut self) {
        (self.chosen, self.is_listed) = (None, false);
    }

    /// Plays a move. Returns the reason if the game is then drawn for lack of progress.
    #[inline]
    fn follow(&mut self, m: P::Move, irreversible: bool, draws: MatchDraws) -> Option<Reason> {
        let key = |p: &P| if draws.by_board { P::board_key(p) } else { p.key().0 };
        if irreversible {
            self.past.clear();
            self.position.play(m);
            return (draws.quiet_plies == 0).then_some(Reason::QuietPlies);
        }
        self.past.push(key(&self.position));
        self.position.play(m);
        let now = key(&self.position);
        let times = 1 + self.past.iter().filter(|&&past| past == now).count();
        if times >= draws.repetitions as usize {
            Some(Reason::Repetition)
        } else {
            (self.past.len() >= draws.quiet_plies as usize).then_some(Reason::QuietPlies)
        }
    }
}

/// The output arrays of a batch or of some of its games. Planes, masks and rewards have several values for each game,
/// the other arrays one.
pub(crate) struct Outputs<'a> {
    /// Planes of each game; see [`Planes`].
    pub(crate) observations: Option<&'a mut [f32]>,
    /// Planes of the final position of each game that the last step has ended, otherwise zeros.
    pub(crate) final_observations: Option<&'a mut [f32]>,
    /// Mask of the legal action ids of each game.
    pub(crate) masks: Option<&'a mut [bool]>,
    /// Rewards of the last step: of the first and the second side, or of the mover.
    pub(crate) rewards: &'a mut [f32],
    /// Set if the last step has ended the game by its rules.
    pub(crate) terminated: &'a mut [bool],
    /// Set if the last step has ended the game by a move limit that is not part of its rules.
    pub(crate) truncated: &'a mut [bool],
    /// Set if the game is over and waits for its reset.
    pub(crate) finished: &'a mut [bool],
    /// Side to move: 0 or 1.
    pub(crate) players: &'a mut [i8],
    /// Number of plies since the start.
    pub(crate) plies: &'a mut [i32],
}

impl Divide for Outputs<'_> {
    fn divide(self, at: usize, of: usize) -> (Self, Self) {
        let (observations, observations_2) = self.observations.divide(at, of);
        let (final_observations, final_observations_2) = self.final_observations.divide(at, of);
        let (masks, masks_2) = self.masks.divide(at, of);
        let (rewards, rewards_2) = self.rewards.divide(at, of);
        let (terminated, terminated_2) = self.terminated.divide(at, of);
        let (truncated, truncated_2) = self.truncated.divide(at, of);
        let (finished, finished_2) = self.finished.divide(at, of);
        let (players, players_2) = self.players.divide(at, of);
        let (plies, plies_2) = self.plies.divide(at, of);
        let head =
            Self { observations, final_observations, masks, rewards, terminated, truncated, finished, players, plies };
        let tail = Self {
            observations: observations_2,
            final_observations: final_observations_2,
            masks: masks_2,
            rewards: rewards_2,
            terminated: terminated_2,
            truncated: truncated_2,
            finished: finished_2,
            players: players_2,
            plies: plies_2,
        };
        (head, tail)
    }
}

/// Returns the values of one game.
#[inline]
fn row<T>(all: &mut [T], width: usize, number: usize) -> &mut [T] {
    &mut all[number * width..(number + 1) * width]
}

/// Settings of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The rules for draws.
    pub(crate) rules: Rules,
    /// The planes of an observation.
    pub(crate) planes: Planes,
    /// `true` if a finished game restarts in the same step.
    pub(crate) auto_reset: bool,
    /// `true` if the reward is the mover's; otherwise each side has one.
    pub(crate) rewards_mover: bool,
    /// Maximum number of threads.
    pub(crate) threads: usize,
}

/// The properties that all games of a batch share, with the types of their kind.
pub(crate) struct Setup<P, A> {
    /// The settings.
    pub(crate) settings: Settings,
    /// Number of action ids.
    pub(crate) actions: usize,
    /// Number of values of an observation.
    observation: usize,
    /// Ids on the board turned by 180 degrees; empty if the second side uses the same ids as the first.
    turned: Vec<u32>,
    kind: PhantomData<fn() -> (P, A)>,
}

impl<P: Encoded, A: ActionSpace<P>> Setup<P, A> {
    /// Prepares games with these settings.
    pub(crate) fn new(settings: Settings) -> Self {
        let Planes { size, of_mover, .. } = settings.planes;
        let (actions, half_turn) = (A::count(size), Symmetry::new(Symmetry::HALF_TURN, size));
        let turned = |id| A::source(id, size, half_turn) as u32;
        let turned = if of_mover && P::IS_DIRECTED { (0..actions).map(turned).collect() } else { Vec::new() };
        let observation = settings.planes.count::<P>() * size * size;
        Self { settings, actions, observation, turned, kind: PhantomData }
    }

    /// Converts between ids of the action space and ids from the point of view of the side to move.
    #[inline]
    fn seen(&self, p: &P, id: usize) -> usize {
        if self.turned.is_empty() || p.side_to_move() == Side::First { id } else { self.turned[id] as usize }
    }

    /// Returns the game since the last irreversible move, for searches.
    pub(crate) fn record(&self, table: &Table<P>) -> Record<P> {
        let made = table.plies - table.trail.len() as u32;
        let Rules { draws, move_limit, .. } = self.settings.rules;
        let mut record = Record::new(table.base.clone()).with_draws(draws).with_earlier_moves(made);
        if let Some(limit) = move_limit {
            record = record.with_move_limit(limit);
        }
        for &m in &table.trail {
            if record.finish().is_none() {
                record.play(m);
            }
        }
        record
    }

    /// Returns the id of a legal move.
    #[inline]
    pub(crate) fn id(&self, p: &P, m: MoveOf<P>) -> i32 {
        self.seen(p, A::id(p, m)) as i32
    }

    /// Returns the move of an action, if it is legal.
    #[inline]
    pub(crate) fn find(&self, table: &mut Table<P>, action: i32) -> Option<MoveOf<P>> {
        if table.chosen.is_none_or(|(chosen, _)| chosen != action) {
            let id = usize::try_from(action).ok().filter(|&id| id < self.actions)?;
            let found = A::find(&table.position, self.seen(&table.position, id));
            table.chosen = found.map(|m| (action, m));
        }
        table.chosen.map(|(_, m)| m)
    }

    /// Chooses a random legal action. Returns -1 for a finished game.
    #[inline]
    pub(crate) fn choose(&self, table: &mut Table<P>) -> i32 {
        let chosen = table.random_move();
        table.chosen = chosen.map(|m| (self.id(&table.position, m), m));
        table.chosen.map_or(-1, |(action, _)| action)
    }

    /// Returns the ids of the legal actions in ascending order. A finished game has none.
    #[inline]
    pub(crate) fn list<'a>(&self, table: &'a mut Table<P>) -> &'a [u32] {
        if !table.is_listed {
            let Table { position, legal, .. } = table;
            legal.clear();
            if !table.is_over {
                A::visit(position, |id| legal.push(self.seen(position, id) as u32));
                if !legal.is_sorted() {
                    legal.sort_unstable();
                }
            }
            table.is_listed = true;
        }
        &table.legal
    }

    /// Plays a move and determines whether the game has ended, in the order of [`game::Record::judge`].
    #[inline]
    fn play(&self, table: &mut Table<P>, m: MoveOf<P>) -> Option<Finish> {
        let Settings { rules, planes, .. } = self.settings;
        let by_board = rules.draws.is_some_and(|draws| draws.by_board);
        let irreversible = P::bars_recurrence(&table.position, m);
        if planes.history > 0 {
            table.recent.truncate(planes.history - 1);
            table.recent.push_front(table.position.clone());
        }
        let drawn = match rules.draws {
            Some(draws) => table.follow(m, irreversible, draws),
            None => {
                table.position.play(m);
                None
            }
        };
        if irreversible {
            table.base.clone_from(&table.position);
            table.trail.clear();
        } else {
            table.trail.push(m);
        }
        table.forget();
        table.plies += 1;
        let p = &table.position;
        let left = PliesLeft::from(rules.move_limit).after(table.plies);
        let draw = |reason| Finish { outcome: Outcome::Draw, reason };
        let at_limit = (!left.allows(1)).then(|| draw(Reason::MoveLimit));
        let by_match = drawn.map(draw);
        if by_board && let Some(finish) = at_limit.or(by_match) {
            return Some(finish);
        }
        let on_board = P::decided_by(p, irreversible).map(|outcome| Finish { outcome, reason: Reason::Board });
        let stuck =
            || p.is_stuck().then(|| Finish { outcome: P::STUCK.outcome(p.side_to_move()), reason: Reason::Stuck });
        on_board.or(at_limit).or_else(stuck).or(by_match)
    }

    /// Plays a move, writes its results, and restarts a finished game if `auto_reset` is set. Returns `true` if the
    /// game has ended. [`clear`](Self::clear) must have cleared the results.
    #[inline]
    pub(crate) fn advance(&self, table: &mut Table<P>, m: MoveOf<P>, outputs: &mut Outputs<'_>, number: usize) -> bool {
        let mover = table.position.side_to_move();
        let Some(finish) = self.play(table, m) else { return false };
        if let Outcome::Win(winner) = finish.outcome {
            let reward = |side| if side == winner { 1.0 } else { -1.0 };
            if self.settings.rewards_mover {
                outputs.rewards[number] = reward(mover);
            } else {
                row(outputs.rewards, 2, number).copy_from_slice(&Side::BOTH.map(reward));
            }
        }
        let cut = !self.settings.rules.has_limit() && finish.reason == Reason::MoveLimit;
        (outputs.terminated[number], outputs.truncated[number]) = (!cut, cut);
        if let Some(all) = &mut outputs.final_observations {
            let planes = row(all, self.observation, number);
            self.settings.planes.write(&table.position, &table.recent, planes);
            table.has_final = true;
        }
        if self.settings.auto_reset {
            table.restart();
        } else {
            table.is_over = true;
        }
        true
    }

    /// Clears the results of the last step.
    #[inline]
    pub(crate) fn clear(&self, table: &mut Table<P>, outputs: &mut Outputs<'_>, number: usize) {
        let rewards = if self.settings.rewards_mover { 1 } else { 2 };
        row(outputs.rewards, rewards, number).fill(0.0);
        (outputs.terminated[number], outputs.truncated[number]) = (false, false);
        if table.has_final
            && let Some(all) = &mut outputs.final_observations
        {
            row(all, self.observation, number).fill(0.0);
            table.has_final = false;
        }
    }

    /// Writes the current state of a game.
    #[inline]
    pub(crate) fn show(&self, table: &mut Table<P>, outputs: &mut Outputs<'_>, number: usize) {
        outputs.players[number] = table.position.side_to_move().index() as i8;
        outputs.plies[number] = table.plies as i32;
        outputs.finished[number] = table.is_over;
        if let Some(all) = &mut outputs.observations {
            let planes = row(all, self.observation, number);
            self.settings.planes.write(&table.position, &table.recent, planes);
        }
        if let Some(all) = &mut outputs.masks {
            let mask = row(all, self.actions, number);
            for &action in &table.legal {
                mask[action as usize] = false;
            }
            table.is_listed = false;
            for &action in self.list(table) {
                mask[action as usize] = true;
            }
        }
    }

    /// Returns a position under the rules of the batch, to play on from there.
    ///
    /// # Errors
    /// If the game is over there, or if the position has other rules than the batch.
    pub(crate) fn playable(&self, position: P) -> Result<P, Wrong> {
        let rules = self.settings.rules;
        if let Some(set) = P::rule_set(&position).filter(|_| rules.set.is_none()) {
            let (found, expected) = (set.name, rules.name());
            return Err(Wrong::Value(format!(
                "{position}: a position under the rules \"{found}\", expected \"{expected}\""
            )));
        }
        let position = rules.apply(position);
        if game::Position::outcome(&position).is_some() {
            return Err(Wrong::Value(format!("{position}: the game is over there; expected a position to play on")));
        }
        Ok(position)
    }
}
