//! Many games of one kind, played in parallel.

use game::{Finish, MatchDraws, Outcome, PliesLeft, Position, Reason, SplitMix64};

use crate::encode::{Encoded, MoveOf};
use crate::error::Wrong;
use crate::rules::Rules;

/// A game with the part of its history that determines when it ends.
#[derive(Clone, Debug)]
struct Table<P: Position> {
    position: P,
    /// Hashes of the positions since the last irreversible move, without the current one.
    past: Vec<u64>,
    plies: u32,
    is_over: bool,
    /// Action ids that are set in the mask.
    shown: Vec<u32>,
    /// A legal action of the current position and its move, cached to avoid a second lookup.
    chosen: Option<(i32, P::Move)>,
}

impl<P: Encoded> Table<P> {
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

/// The output arrays of a step. For each game, the planes and masks have many values, the rewards have two, and each of
/// the other arrays has one.
pub(crate) struct Outputs<'a> {
    /// Planes of each game; see [`Encoded::observe`].
    pub(crate) observations: Option<&'a mut [f32]>,
    /// Mask of the legal action ids of each game.
    pub(crate) masks: Option<&'a mut [bool]>,
    /// Rewards of the first and the second side for the step.
    pub(crate) rewards: &'a mut [f32],
    /// Set if the step has ended the game by its rules.
    pub(crate) terminated: &'a mut [bool],
    /// Set if the step has ended the game by a move limit that is not part of its rules.
    pub(crate) truncated: &'a mut [bool],
    /// Side to move: 0 or 1.
    pub(crate) players: &'a mut [i8],
    /// Number of plies since the start.
    pub(crate) plies: &'a mut [i32],
}

/// The games of a batch, of any kind.
pub(crate) trait AnyTables: Send + Sync {
    /// Returns an error if any action is illegal.
    fn check(&mut self, actions: &[i32]) -> Result<(), Wrong>;

    /// Plays the actions, which must have passed [`check`](Self::check).
    fn step(&mut self, actions: &[i32], outputs: &mut Outputs<'_>);

    /// Chooses a random legal action for each game, or -1 for a finished game.
    fn sample(&mut self, actions: &mut [i32]);

    /// Plays this many random moves in each game. Returns the number of finished games.
    fn rollout(&mut self, steps: usize, outputs: &mut Outputs<'_>) -> u64;

    /// Restarts all games, or the marked ones.
    fn reset(&mut self, which: Option<&[bool]>, outputs: &mut Outputs<'_>);

    /// Seeds the random numbers.
    fn seed(&mut self, seed: u64);

    /// Returns the position text of a game.
    fn position(&self, number: usize) -> Option<String>;
}

/// The games of a batch, with the types of their kind.
pub(crate) struct Tables<P: Encoded> {
    start: P,
    size: usize,
    rules: Rules,
    auto_reset: bool,
    rng: SplitMix64,
    games: Vec<Table<P>>,
}

impl<P: Encoded> Tables<P> {
    /// Creates `count` games from the same start position, in which the side to move must have a legal move.
    pub(crate) fn new(start: P, count: usize, rules: Rules, auto_reset: bool, seed: u64) -> Self {
        let table = Table {
            position: start.clone(),
            past: Vec::new(),
            plies: 0,
            is_over: false,
            shown: Vec::new(),
            chosen: None,
        };
        let (size, games) = (P::size(&start), vec![table; count]);
        Self { start, size, rules, auto_reset, rng: SplitMix64::new(seed), games }
    }

    /// Plays a move and determines whether the game has ended, in the order of [`game::Record::judge`].
    #[inline]
    fn play(&mut self, number: usize, m: MoveOf<P>) -> Option<Finish> {
        let rules = self.rules;
        let table = &mut self.games[number];
        let by_board = rules.draws.is_some_and(|draws| draws.by_board);
        let irreversible = P::bars_recurrence(&table.position, m);
        let drawn = match rules.draws {
            Some(draws) => table.follow(m, irreversible, draws),
            None => {
                table.position.play(m);
                None
            }
        };
        table.chosen = None;
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
    /// game has ended.
    #[inline]
    fn advance(&mut self, number: usize, m: MoveOf<P>, outputs: &mut Outputs<'_>) -> bool {
        let finish = self.play(number, m);
        let rewards = match finish.map(|finish| finish.outcome) {
            Some(Outcome::Win(side)) => [[1.0, -1.0], [-1.0, 1.0]][side.index()],
            _ => [0.0, 0.0],
        };
        let cut = !self.rules.has_limit() && finish.is_some_and(|finish| finish.reason == Reason::MoveLimit);
        outputs.rewards[2 * number..2 * number + 2].copy_from_slice(&rewards);
        outputs.terminated[number] = finish.is_some() && !cut;
        outputs.truncated[number] = cut;
        if finish.is_some() {
            if self.auto_reset { self.restart(number) } else { self.games[number].is_over = true }
        }
        finish.is_some()
    }

    fn restart(&mut self, number: usize) {
        let table = &mut self.games[number];
        table.position = self.start.clone();
        table.past.clear();
        (table.plies, table.is_over, table.chosen) = (0, false, None);
    }

    /// Writes the current state of a game to the outputs.
    #[inline]
    fn show(&mut self, number: usize, outputs: &mut Outputs<'_>) {
        let table = &mut self.games[number];
        outputs.players[number] = table.position.side_to_move().index() as i8;
        outputs.plies[number] = table.plies as i32;
        if let Some(all) = &mut outputs.observations {
            let length = P::PLANES.len() * self.size * self.size;
            P::observe(&table.position, &mut all[number * length..(number + 1) * length]);
        }
        if let Some(all) = &mut outputs.masks {
            let length = P::action_count(self.size);
            let mask = &mut all[number * length..(number + 1) * length];
            for action in table.shown.drain(..) {
                mask[action as usize] = false;
            }
            if !table.is_over {
                P::visit_actions(&table.position, |action| {
                    mask[action] = true;
                    table.shown.push(action as u32);
                });
            }
        }
    }

    fn random_move(&mut self, number: usize) -> Option<MoveOf<P>> {
        let table = &self.games[number];
        if table.is_over { None } else { table.position.random_move(&mut self.rng) }
    }

    /// Returns the move of an action, if it is legal.
    #[inline]
    fn find(&mut self, number: usize, action: i32) -> Option<MoveOf<P>> {
        let table = &mut self.games[number];
        if table.chosen.is_none_or(|(chosen, _)| chosen != action) {
            let found = P::find(&table.position, usize::try_from(action).ok()?);
            table.chosen = found.map(|m| (action, m));
        }
        table.chosen.map(|(_, m)| m)
    }
}

impl<P: Encoded> AnyTables for Tables<P> {
    fn check(&mut self, actions: &[i32]) -> Result<(), Wrong> {
        if actions.len() != self.games.len() {
            let (found, expected) = (actions.len(), self.games.len());
            return Err(Wrong::Value(format!("{found} actions: expected {expected}, one for each game")));
        }
        let mut is_wrong = |number: usize| !self.games[number].is_over && self.find(number, actions[number]).is_none();
        match (0..actions.len()).find(|&number| is_wrong(number)) {
            None => Ok(()),
            Some(number) => Err(Wrong::Value(format!(
                "game {number}: action {} is not legal in {}",
                actions[number], self.games[number].position
            ))),
        }
    }

    fn step(&mut self, actions: &[i32], outputs: &mut Outputs<'_>) {
        for (number, &action) in actions.iter().enumerate() {
            if self.games[number].is_over {
                outputs.rewards[2 * number..2 * number + 2].fill(0.0);
            } else if let Some(m) = self.find(number, action) {
                self.advance(number, m, outputs);
                self.show(number, outputs);
            }
        }
    }

    fn sample(&mut self, actions: &mut [i32]) {
        for (number, action) in actions.iter_mut().enumerate() {
            let chosen = self.random_move(number);
            let table = &mut self.games[number];
            table.chosen = chosen.map(|m| (P::action(&table.position, m) as i32, m));
            *action = table.chosen.map_or(-1, |(action, _)| action);
        }
    }

    fn rollout(&mut self, steps: usize, outputs: &mut Outputs<'_>) -> u64 {
        let mut ended = 0;
        for number in 0..self.games.len() {
            for _ in 0..steps {
                let Some(m) = self.random_move(number) else { break };
                ended += u64::from(self.advance(number, m, outputs));
            }
            self.show(number, outputs);
        }
        ended
    }

    fn reset(&mut self, which: Option<&[bool]>, outputs: &mut Outputs<'_>) {
        for number in 0..self.games.len() {
            if which.is_none_or(|which| which[number]) {
                self.restart(number);
                outputs.rewards[2 * number..2 * number + 2].fill(0.0);
                (outputs.terminated[number], outputs.truncated[number]) = (false, false);
                self.show(number, outputs);
            }
        }
    }

    fn seed(&mut self, seed: u64) {
        self.rng = SplitMix64::new(seed);
    }

    fn position(&self, number: usize) -> Option<String> {
        self.games.get(number).map(|table| table.position.to_string())
    }
}
