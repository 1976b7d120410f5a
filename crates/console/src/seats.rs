use engine::Built;
use game::{Finish, Key, Origin, Outcome, Position, Reason, Record, Side, SplitMix64};
use search::{Control, Engine, Host, Limits, Stop};

use crate::words::{number, operand};

use crate::session::{CommandError, Shown, Sink};

/// Number of seeds of varied games: small enough to be typed.
const SEEDS: usize = 1_000_000;

/// A game in a text interface: the record, the automated sides, and the engine that plays for them.
pub(crate) struct Match<P: Position> {
    pub(crate) record: Record<P>,
    automated: [bool; 2],
    player: Built<P>,
    /// Engine without the search for forced wins. It replies to those of the program's own moves that leave the
    /// opponent no forced win within the horizon.
    follower: Option<Box<dyn Engine<P>>>,
    /// Default budget.
    budget: Budget,
    /// `true` if each move has the player's full default budget.
    full_budget: bool,
    seed: Option<u64>,
    /// Generator of the seeds of varied games; `None` if all games have the same seed.
    variety: Option<SplitMix64>,
    /// Position after the engine's last move, if the side to move has no forced win there within the horizon.
    safe: Option<Key>,
    /// Clock and threads that the engine may use.
    pub(crate) host: Host,
}

/// The default node budget of a move. The courses' tests limit whole games: a game that one program plays against
/// itself to a few seconds, and a game between two programs to 60 s in total.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Number of nodes while both sides are automated, and the minimum otherwise.
    pub(crate) self_play: u64,
    /// Divisor of the decrease: with each move, a side's budget shrinks by `1/shrink` of its value.
    pub(crate) shrink: u64,
}

impl Budget {
    /// Returns the number of nodes for a side's next move, if the side has made `made` moves and had `full` nodes for
    /// the first one.
    fn nodes(self, full: u64, made: u32) -> u64 {
        let (mut nodes, minimum) = (full, self.self_play.min(full));
        for _ in 0..made {
            nodes -= nodes / self.shrink;
            if nodes <= minimum {
                return minimum;
            }
        }
        nodes
    }
}

/// The formats of moves and boards, which differ between the text interfaces.
pub(crate) trait Show<P: Position> {
    /// Formats an automated player's move for its message, without the leading `* `.
    fn message(&self, m: P::Move) -> String;
    /// Formats the move for the log, if automated moves are logged.
    fn logged(&self, m: P::Move) -> Option<String>;
    /// Returns `true` if the board is shown after every move.
    fn is_verbose(&self) -> bool {
        false
    }
}

impl<P: Position> Match<P> {
    /// Creates a game with the second side automated, as in the programs of both courses.
    pub(crate) fn new(record: Record<P>, player: Built<P>, budget: Budget) -> Self {
        let (automated, host) = ([false, true], Host::NONE);
        Self {
            record,
            automated,
            player,
            follower: None,
            budget,
            full_budget: false,
            seed: None,
            variety: None,
            safe: None,
            host,
        }
    }

    /// Sets whether each move has the player's full default budget.
    pub(crate) fn set_full_budget(&mut self, full: bool) {
        self.full_budget = full;
    }

    /// Returns the limits for the next move. Limits that the user has set are kept.
    fn limits(&self) -> Limits {
        if self.player.limits != Limits::default() || self.full_budget {
            return self.player.limits;
        }
        if self.automated == [true; 2] {
            return Limits::nodes(self.budget.self_play);
        }
        let made = self.record.moves_made_by(self.record.position().side_to_move());
        Limits::nodes(self.budget.nodes(self.player.default_nodes, made))
    }

    /// Replaces the player, for example after a change of the board size. The new player gets the last seed.
    pub(crate) fn set_player(&mut self, player: Built<P>) {
        self.player = player;
        self.follower = None;
        self.safe = None;
        if let Some(seed) = self.seed {
            self.player.engine.new_game(seed);
        }
    }

    /// Sets the engine that replies to the program's own moves. In all positions without a forced win within the
    /// horizon, it must choose the same moves as the player's engine.
    pub(crate) fn set_follower(&mut self, mut follower: Option<Box<dyn Engine<P>>>) {
        if let (Some(follower), Some(seed)) = (&mut follower, self.seed) {
            follower.new_game(seed);
        }
        self.follower = follower;
    }

    /// Carries out `seed N`. Later games keep the seed.
    pub(crate) fn set_seed(&mut self, words: &[&str]) -> Result<(), CommandError> {
        let seed = number(operand(words, 1, "seed N")?, i64::MIN..=i64::MAX, "seed")? as u64;
        self.variety = None;
        self.reseed(seed);
        Ok(())
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = Some(seed);
        self.player.engine.new_game(seed);
        if let Some(follower) = &mut self.follower {
            follower.new_game(seed);
        }
    }

    /// Gives this game and each later one its own seed, derived from `source`, until the user sets a seed.
    pub(crate) fn vary(&mut self, source: u64, out: &mut dyn Sink) {
        self.variety = Some(SplitMix64::new(source));
        self.vary_game(out);
    }

    /// Sets the next seed of a varied game and logs it as a command. It must be called before the command that begins
    /// the game is logged, so that replaying the log reproduces the session.
    pub(crate) fn vary_game(&mut self, out: &mut dyn Sink) {
        if let Some(variety) = &mut self.variety {
            let seed = variety.below(SEEDS) as u64;
            out.log(&format!("seed {seed}"));
            self.reseed(seed);
        }
    }

    pub(crate) fn set_automated(&mut self, side: Side, automated: bool) {
        self.automated[side.index()] = automated;
    }

    /// Returns the side to move; `None` when the game is over.
    pub(crate) fn to_move(&self) -> Option<Side> {
        self.record.finish().is_none().then(|| self.record.position().side_to_move())
    }

    /// Plays a move and announces the end of the game.
    pub(crate) fn play(&mut self, m: P::Move, show: &impl Show<P>, out: &mut dyn Sink) {
        self.record.play(m);
        out.board(&self.record.diagram(), show.is_verbose());
        self.announce(out);
    }

    /// Checks that a user is to move.
    ///
    /// # Errors
    /// If the game is over or an automated player is to move.
    pub(crate) fn check_turn(&self) -> Result<(), CommandError> {
        self.check_open()?;
        match self.automated_side().map(P::side_name) {
            None => Ok(()),
            Some(name) => Err(CommandError(format!(
                "the program plays {name}: expected `manual {}` before a move",
                name.to_ascii_lowercase()
            ))),
        }
    }

    /// Checks that the game is not over.
    ///
    /// # Errors
    /// If the game is over.
    pub(crate) fn check_open(&self) -> Result<(), CommandError> {
        match self.record.finish() {
            None => Ok(()),
            Some(_) => Err(CommandError("the game is over: expected `new` before another move".to_owned())),
        }
    }

    /// Returns the side to move, if it is automated and the game is not over.
    pub(crate) fn automated_side(&self) -> Option<Side> {
        self.to_move().filter(|side| self.automated[side.index()])
    }

    /// Makes one move if an automated side is to move, unless `stop` is set before the engine has chosen.
    pub(crate) fn advance(&mut self, stop: &Stop, show: &impl Show<P>, out: &mut dyn Sink) {
        let Some(side) = self.automated_side() else { return };
        let limits = self.limits();
        let is_safe = self.safe == Some(self.record.position().key());
        let engine = self.follower.as_mut().filter(|_| is_safe).unwrap_or(&mut self.player.engine);
        let mut control = Control { stop: stop.clone(), ..Control::on(self.host) };
        let choice = engine.choose(&self.record, &limits, &mut control);
        if stop.check(0).is_err() {
            return;
        }
        let Some(choice) = choice else {
            // This happens only after `set`: if a move leaves a side stuck, the record itself ends the game.
            self.record.declare(Finish { outcome: Outcome::Win(!side), reason: Reason::Stuck });
            self.announce(out);
            return;
        };
        out.print(&format!("* {}", show.message(choice.best)));
        if let Some(line) = show.logged(choice.best) {
            out.log(&line);
        }
        self.play(choice.best, show, out);
        self.safe = choice.score.loss_distance().is_none().then(|| self.record.position().key());
    }

    /// Returns the move that the engine would play now.
    pub(crate) fn hint(&mut self) -> Option<P::Move> {
        self.player.engine.choose(&self.record, &self.limits(), &mut Control::on(self.host)).map(|choice| choice.best)
    }

    /// Undoes moves until a manual side is to move again.
    ///
    /// # Errors
    /// If there is no move to undo.
    pub(crate) fn undo(&mut self) -> Result<(), CommandError> {
        let is_manual = |this: &Self| this.to_move().is_some_and(|side| !this.automated[side.index()]);
        let reachable = self
            .record
            .steps()
            .iter()
            .rev()
            .skip(1)
            .any(|step| step.finish.is_none() && !self.automated[step.position.side_to_move().index()]);
        while reachable && self.record.undo().is_some() {
            if is_manual(self) {
                return Ok(());
            }
        }
        Err(CommandError("nothing to undo".to_owned()))
    }

    /// Returns the game as a page shows it.
    pub(crate) fn shown(&self) -> Shown {
        let steps = self.record.steps();
        let begin = steps.iter().rposition(|step| !matches!(step.origin, Origin::Move(_))).unwrap_or(0);
        let moves = steps[begin + 1..].iter().filter_map(|step| step.origin.made());
        let moves: Vec<String> = moves.map(|m| m.to_string()).collect();
        let before = self.record.moves_made().saturating_sub(moves.len() as u32);
        Shown {
            start: steps[begin].position.to_string(),
            moves,
            limit: self.record.move_limit().map(|limit| limit.saturating_sub(before)),
            automated: self.automated,
        }
    }

    /// Announces the result of a finished game.
    pub(crate) fn announce(&self, out: &mut dyn Sink) {
        match self.record.finish().map(|finish| finish.outcome) {
            Some(Outcome::Win(side)) => out.print(&format!("* {} wins.", P::side_name(side))),
            Some(Outcome::Draw) => out.print("* Tie game."),
            None => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Transcript;
    use core::time::Duration;
    use game::examples::Nim;
    use search::{Choice, Score};
    use std::sync::{Arc, Mutex};

    /// An engine that takes one stone each time and stores its limits.
    struct Watched(Arc<Mutex<Vec<Limits>>>);

    impl Engine<Nim> for Watched {
        fn choose(
            &mut self,
            game: &Record<Nim>,
            limits: &Limits,
            _: &mut Control<'_, <Nim as Position>::Move>,
        ) -> Option<Choice<<Nim as Position>::Move>> {
            self.0.lock().expect("one thread").push(*limits);
            let best = *game.position().legal_moves().first()?;
            Some(Choice::of_line(vec![best], Score::DRAW, 1, 1))
        }

        fn new_game(&mut self, _: u64) {}
    }

    struct Plain;

    impl Show<Nim> for Plain {
        fn message(&self, m: <Nim as Position>::Move) -> String {
            m.to_string()
        }

        fn logged(&self, _: <Nim as Position>::Move) -> Option<String> {
            None
        }
    }

    fn nim() -> Record<Nim> {
        Record::new("9 b".parse().expect("a heap"))
    }

    /// Returns the limits of all moves after a change of the automated sides.
    fn limits_of(game: &mut Match<Nim>, automated: [bool; 2], seen: &Mutex<Vec<Limits>>) -> Vec<Limits> {
        seen.lock().expect("one thread").clear();
        game.record = nim();
        game.automated = automated;
        while game.automated_side().is_some() {
            game.advance(&Stop::new(), &Plain, &mut Transcript::default());
        }
        let mut limits = seen.lock().expect("one thread").clone();
        limits.dedup();
        limits
    }

    /// Returns the limits of one automated side's moves in a game against a user.
    fn limits_of_side(game: &mut Match<Nim>, side: Side, seen: &Mutex<Vec<Limits>>) -> Vec<Limits> {
        seen.lock().expect("one thread").clear();
        game.record = nim();
        game.automated = Side::BOTH.map(|automated| automated == side);
        while game.to_move().is_some() {
            if game.automated_side().is_some() {
                game.advance(&Stop::new(), &Plain, &mut Transcript::default());
            } else {
                let m = game.record.position().legal_moves()[0];
                game.play(m, &Plain, &mut Transcript::default());
            }
        }
        seen.lock().expect("one thread").clone()
    }

    const BUDGET: Budget = Budget { self_play: 60, shrink: 4 };

    #[test]
    fn the_default_budget_shrinks_and_is_smaller_in_self_play() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let with = |limits| Match::new(nim(), Built::new(Box::new(Watched(Arc::clone(&seen))), limits, 400), BUDGET);
        let full = Limits::default();
        let mut game = with(full);
        assert_eq!(limits_of(&mut game, [true, true], &seen), [Limits::nodes(60)]);
        for side in Side::BOTH {
            let seen = limits_of_side(&mut game, side, &seen);
            assert_eq!(seen[..4], [400, 300, 225, 169].map(Limits::nodes), "{side:?}");
        }
        game.set_full_budget(true);
        assert_eq!(limits_of(&mut game, [true, true], &seen), [full]);
        for own in [Limits::nodes(7), Limits::movetime(Duration::from_secs(1))] {
            assert_eq!(limits_of(&mut with(own), [true, true], &seen), [own]);
            assert_eq!(limits_of(&mut with(own), [false, true], &seen), [own]);
        }
    }

    #[test]
    fn a_budget_shrinks_to_a_minimum() {
        let budget = |made| BUDGET.nodes(400, made);
        assert_eq!([0, 1, 2, 3].map(budget), [400, 300, 225, 169]);
        assert_eq!([20, 21, u32::MAX].map(budget), [60; 3]);
        assert_eq!([0, 1].map(|made| BUDGET.nodes(50, made)), [50; 2], "a small budget does not grow");
    }
}
