//! Players that are our own engines.

use std::time::{Duration, Instant};

use engine::{PlayerOptions, Resources, limits_on_clock};
use game::{Side, TextGame};
use games::{AnyEngine, AnyRecord, GameId, Setting, SettingError};
use protocol::{Info, Score, TimeLeft};
use referee::{Farewell, Fault, FaultKind, Player, Turn};
use search::{Choice, Control, Limits};

/// Creates a player from one of our engines.
///
/// # Errors
/// If the game does not support the size or the options.
pub fn builtin(
    setting: Setting,
    options: &PlayerOptions,
    resources: &Resources,
) -> Result<Box<dyn Player>, SettingError> {
    let player = setting.record(None, &[])?.engine(options, resources)?;
    Ok(Box::new(Builtin { game: setting.game, player, record: None, cpu: Some(Duration::ZERO) }))
}

/// A player that is one of our engines.
struct Builtin {
    game: GameId,
    player: Box<dyn AnyEngine>,
    /// Game up to the last move that the player knows.
    record: Option<Box<dyn AnyRecord>>,
    cpu: Option<Duration>,
}

/// Minimum time for a move that makes a time limit unnecessary: only the engine's own limits then apply. An engine
/// reaches its node limit earlier, so its play stays reproducible.
const AMPLE_TIME: Duration = Duration::from_secs(2);

impl Builtin {
    /// Updates the record with the moves that the game has and the record lacks.
    fn follow(&mut self, game: &dyn TextGame) {
        let moves = game.moves();
        let known = self.record.take().filter(|record| {
            let before = record.moves();
            record.start() == game.start() && moves.starts_with(&before)
        });
        let mut record = known.unwrap_or_else(|| {
            // The referee decides draws by repetition, so the record does not.
            let record = self.game.position(Some(&game.start()), None);
            let mut record = record.expect("invariant: the player is given its own game");
            let limited = record.set_move_limit(game.move_limit().unwrap_or(u32::MAX));
            limited.expect("invariant: no move was made");
            record
        });
        for text in &moves[record.plies() as usize..] {
            record.try_play(text).expect("invariant: a referee plays legal moves");
        }
        self.record = Some(record);
    }

    fn limits(&self, side: Side, clock: &TimeLeft) -> Limits {
        let (left, increment) = (clock.left[side.index()], clock.increment[side.index()]);
        let on_clock = left.map_or(Limits::default(), |left| limits_on_clock(Limits::default(), left, increment));
        let most = clock.limit.map(|limit| limit * 9 / 10);
        let least = |times: [Option<Duration>; 2]| times.into_iter().flatten().min();
        let is_short = least([on_clock.optimum, most]).is_some_and(|time| time < AMPLE_TIME);
        let limits = match least([on_clock.movetime, most]).filter(|_| is_short) {
            Some(longest) => Limits { optimum: on_clock.optimum, ..self.player.limits_within(longest) },
            None => self.player.limits(),
        };
        let nodes = [limits.nodes, clock.nodes].into_iter().flatten().min();
        let depth = [limits.depth, clock.depth].into_iter().flatten().min();
        Limits { nodes, depth, ..limits }
    }
}

impl Player for Builtin {
    fn begin(&mut self, game: &dyn TextGame, _: Side, seed: u64, _: Duration) -> Result<(), Fault> {
        self.player.new_game(seed);
        self.cpu = Some(Duration::ZERO);
        self.follow(game);
        Ok(())
    }

    fn choose(&mut self, game: &dyn TextGame, clock: &TimeLeft) -> Turn {
        let (began, before) = (Instant::now(), process::system::cpu_of_this_thread());
        let limits = self.limits(game.side_to_move(), clock);
        self.follow(game);
        let record = self.record.as_deref().expect("invariant: the game was followed above");
        let choice = self.player.choose(record, &limits, &mut Control::on(search::SYSTEM));
        let (answer, info) = choice.map(|choice| (choice.best.clone(), info(choice))).unzip();
        let answer = answer.ok_or_else(|| Fault::new(FaultKind::Unreadable, "the engine found no move"));
        let cpu = process::system::cpu_of_this_thread().zip(before).map(|(after, before)| after.saturating_sub(before));
        self.cpu = self.cpu.zip(cpu).map(|(sum, more)| sum + more);
        Turn { cpu, info: info.unwrap_or_default(), ..Turn::new(answer, began.elapsed()) }
    }

    fn end(&mut self, _: &dyn TextGame) -> Farewell {
        Farewell { cpu: self.cpu, ..Farewell::default() }
    }

    fn can_be_replaced(&self) -> bool {
        true
    }
}

/// Converts an engine's choice to search information.
fn info(choice: Choice<String>) -> Info {
    let score = match (choice.score.win_distance(), choice.score.loss_distance()) {
        (Some(plies), _) => Score::Win(plies),
        (_, Some(plies)) => Score::Loss(plies),
        _ => Score::Units(choice.score.as_units().unwrap_or(0)),
    };
    let pv = if choice.pv.is_empty() { vec![choice.best] } else { choice.pv };
    Info { score: Some(score), depth: Some(choice.depth), nodes: Some(choice.nodes), pv }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ops::ControlFlow;
    use games::GameId;
    use referee::{AfterFault, Referee, TimeControl};

    #[test]
    fn engines_play_whole_games_at_a_referees_table() {
        for game in GameId::BUILT_IN {
            let setting = Setting::new(game, 300);
            let options: PlayerOptions = "level=1".parse().expect("a player");
            let mut players = [0, 1].map(|_| builtin(setting, &options, &Resources::default()).expect("a player"));
            let [first, second] = &mut players;
            let mut board = setting.random(4, 7).expect("a game");
            let referee = Referee { time: [TimeControl::default(); 2], after_fault: AfterFault::Lose };
            let keep_playing = &mut |_: &dyn TextGame, _: &referee::Ply| ControlFlow::Continue(());
            let played =
                referee.play(&mut *board, [&mut **first, &mut **second], 3, keep_playing).expect("not broken off");
            assert!(played.offences.is_empty() && matches!(played.ending, referee::Ending::Rules(_)), "{played:?}");
            assert_eq!(played.plies.len() + 4, board.moves().len());
        }
    }

    fn loa() -> Setting {
        Setting::new(GameId::LOA, 300)
    }

    #[test]
    fn little_time_limits_an_engine_and_plenty_does_not() {
        let setting = loa();
        let options: PlayerOptions = "nodes=20000".parse().expect("a player");
        let mut player = builtin(setting, &options, &Resources::default()).expect("a player");
        let game = setting.random(6, 1).expect("a game");
        player.begin(&*game, Side::First, 1, Duration::ZERO).expect("ready");
        let short = TimeLeft { limit: Some(Duration::from_millis(30)), ..TimeLeft::default() };
        assert!(player.choose(&*game, &short).answer.is_ok());
        let long = TimeLeft { limit: Some(Duration::from_mins(5)), ..short };
        let answers = [0, 1].map(|_| player.choose(&*game, &long).answer);
        assert_eq!(answers[0], answers[1]);
    }

    #[test]
    fn nodes_and_depth_of_the_tournament_limit_an_engine() {
        let setting = loa();
        let options: PlayerOptions = "level=8,horizon=0/0".parse().expect("a player");
        let game = setting.random(6, 1).expect("a game");
        let asked = |clock: &TimeLeft| {
            let mut player = builtin(setting, &options, &Resources::default()).expect("a player");
            player.begin(&*game, Side::First, 1, Duration::ZERO).expect("ready");
            player.choose(&*game, clock).info
        };
        let shallow = asked(&TimeLeft { depth: Some(2), ..TimeLeft::default() });
        assert_eq!((shallow.depth, shallow.score.is_some(), shallow.pv.is_empty()), (Some(2), true, false));
        let few = asked(&TimeLeft { nodes: Some(500), ..TimeLeft::default() });
        assert!(few.nodes.is_some_and(|nodes| nodes < 2_000), "{few:?}");
    }
}
