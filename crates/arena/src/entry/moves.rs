//! Checks of an agent's start, of single moves, and of a whole game.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use game::{Side, TextGame};
use games::AnyRecord;
use protocol::TimeLeft;
use referee::{AfterFault, Clocks, Fault, FaultKind, Offence, Player, Referee};

use crate::entry::check::Check;
use crate::entry::faults::failed;
use crate::entry::subject::Subject;
use crate::entry::unflushed::{Awaited, hidden_answer};
use crate::entry::view::{describe_position, draw};
use crate::entry::warm_up::WarmUp;
use crate::spec::{OnFault, Spec};

/// Number of moves after a late first one that must be in time.
const NEXT_MOVES: usize = 2;
/// Number of random moves after which the second side is to move.
const SECOND_TO_MOVE: u32 = 3;

fn player(&Subject { spec, agent, venue }: &Subject<'_>) -> Box<dyn Player> {
    spec.player(agent, venue).expect("invariant: the caller has checked it")
}

/// Starts a game of the tournament: the first opening of its list, or random moves.
fn board(spec: &Spec) -> Box<dyn AnyRecord> {
    let seed = u64::from(spec.openings.is_none());
    spec.new_game(seed).expect("invariant: the caller has checked it")
}

/// Starts a game in which `side` is to move. If the tournament has a list of openings, its first one is continued by a
/// move if necessary, or used for both sides if every move ends the game.
fn board_of(spec: &Spec, side: Side) -> Box<dyn AnyRecord> {
    let opening = if side == Side::First { 0 } else { SECOND_TO_MOVE };
    let spec = &Spec { opening, ..spec.clone() };
    let game = board(spec);
    if game.side_to_move() == side {
        return game;
    }
    let continued = game.legal_moves().into_iter().map(|text| {
        let mut next = board(spec);
        next.play(&text).expect("invariant: a legal move is legal");
        next
    });
    continued.into_iter().find(|next| next.finish().is_none()).unwrap_or(game)
}

fn drawn(subject: &Subject<'_>, game: &dyn AnyRecord) -> String {
    draw(subject.agent.dialect.as_deref(), game)
}

/// Checks that the agent gets ready.
pub(crate) fn ready(name: &'static str, subject: &Subject<'_>) -> Check {
    let (game, mut player) = (board(subject.spec), player(subject));
    let limit = Duration::from_secs_f64(subject.spec.time.start);
    let began = Instant::now();
    let start = player.begin(&*game, Side::First, 1, limit);
    let took = began.elapsed();
    player.end(&*game);
    let Err(fault) = start else { return Check::passed(name, seconds(took)) };
    let is_late = fault.kind == FaultKind::NoStart && took >= limit;
    let hidden = if is_late { hidden_answer(subject, &*game, Side::First, Awaited::Ready) } else { None };
    match hidden {
        Some((fault, remedy)) => Check::failed(name, fault.to_string(), remedy),
        None => failed(name, &fault, subject),
    }
}

/// Checks that the agent moves for this side. If the agent is late with its first move but in time with the next ones,
/// `is_slow_at_first` is set, and the following checks allow a late first move.
pub(crate) fn one_move(name: &'static str, subject: &Subject<'_>, side: Side, is_slow_at_first: &mut bool) -> Check {
    let mut game = board_of(subject.spec, side);
    let side = game.side_to_move();
    let time = Clocks::new(subject.spec.referee([subject.agent; 2]).time).of(side);
    if *is_slow_at_first {
        return match warmed(subject, side) {
            Ok((text, player)) => first_time(name, &text, &player, None, subject),
            Err(fault) => failed(name, &fault, subject),
        };
    }
    let before = Scene::of(subject, &*game);
    let fault = match first_move(&mut *player(subject), &mut *game, subject, &time) {
        Ok((text, wall)) => return Check::passed(name, format!("{text}, {}", seconds(wall))),
        Err(fault) => fault,
    };
    if fault.kind == FaultKind::Stall
        && let Some((fault, remedy)) = hidden_answer(subject, &*game, side, Awaited::Move(&time))
    {
        return Check::failed(name, fault.to_string(), remedy);
    }
    if is_late(&fault)
        && let Ok((text, player)) = warmed(subject, side)
    {
        *is_slow_at_first = true;
        return first_time(name, &text, &player, time.patience(), subject);
    }
    before.add_to(failed(name, &fault, subject), fault.kind)
}

/// The position before a move.
struct Scene {
    board: String,
    position: (String, Vec<String>),
}

impl Scene {
    fn of(subject: &Subject<'_>, game: &dyn AnyRecord) -> Self {
        Self { board: drawn(subject, game), position: (game.start(), game.moves()) }
    }

    /// Adds the position to a failed check if the fault can depend on it.
    fn add_to(self, check: Check, kind: FaultKind) -> Check {
        let board = depends_on_position(kind).then_some(self.board);
        let position = (depends_on_position(kind) || kind == FaultKind::Time).then_some(self.position);
        Check { board, position, ..check }
    }
}

/// Returns `true` for faults that other positions may not cause.
const fn depends_on_position(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::Illegal | FaultKind::Crash)
}

const fn is_late(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::Time | FaultKind::Stall)
}

/// Lets a player move once. Returns the move and its time.
fn first_move(
    player: &mut dyn Player,
    game: &mut dyn TextGame,
    subject: &Subject<'_>,
    time: &TimeLeft,
) -> Result<(String, Duration), Fault> {
    let side = game.side_to_move();
    player.begin(game, side, 1, Duration::from_secs_f64(subject.spec.time.start))?;
    let turn = player.choose(game, time);
    player.end(game);
    let shown = describe_position(subject.agent.dialect.as_deref(), side, &game.position());
    let played = turn.answer.and_then(|text| game.play(&text).map_err(|error| Fault::refused(player, &error)));
    match played {
        Err(Fault { kind, detail }) if depends_on_position(kind) => Err(Fault::new(kind, format!("{detail}; {shown}"))),
        played => Ok((played?, turn.wall)),
    }
}

/// Lets an agent play a few moves, of which the first may be late. Returns the first move, and the player with the
/// times.
fn warmed(subject: &Subject<'_>, side: Side) -> Result<(String, WarmUp), Fault> {
    let (mut game, mut player) = (board_of(subject.spec, side), WarmUp::new(player(subject)));
    let time = Clocks::new(subject.spec.referee([subject.agent; 2]).time).of(side);
    player.begin(&*game, side, 1, Duration::from_secs_f64(subject.spec.time.start))?;
    let mut play = || {
        let text = player.choose(&*game, &time).answer?;
        let text = game.play(&text).map_err(|error| Fault::refused(&player, &error))?;
        if let Some(reply) = game.legal_moves().first() {
            game.play(reply).expect("invariant: a legal move is legal");
        }
        Ok((text, game.finish().is_none() && game.side_to_move() == side))
    };
    let first = play().and_then(|(text, mut continues)| {
        for _ in 0..NEXT_MOVES {
            if continues {
                continues = play()?.1;
            }
        }
        Ok(text)
    });
    player.end(&*game);
    Ok((first?, player))
}

/// Returns the check of an agent that was late only with its first move. `missed` is the limit that the agent has
/// missed before these moves.
fn first_time(
    name: &'static str,
    text: &str,
    player: &WarmUp,
    missed: Option<Duration>,
    subject: &Subject<'_>,
) -> Check {
    let times = match (player.late(), missed) {
        (None, None) => return Check::passed(name, format!("{text}, {}", seconds(player.first()))),
        (Some(limit), _) => {
            format!("{} for the first move, which may take {}", seconds(player.first()), seconds(limit))
        }
        (None, Some(limit)) => format!("more than {} for the first move", seconds(limit)),
    };
    let others = if player.late().is_some() { player.others() } else { player.others().max(player.first()) };
    Check::warned(
        name,
        format!("{text}, {times}; at most {} for the next ones", seconds(others)),
        warm_up_advice(subject),
    )
}

/// Returns advice for an agent that is late only with its first move.
fn warm_up_advice(subject: &Subject<'_>) -> String {
    let when = match subject.agent.dialect.as_deref() {
        Some("ugi" | "uci") => {
            "Load and compile before the answer to `isready`, because that time is not on the clock."
        }
        Some("cs61b") => "Load and compile before the answer to `dump`, because that time is not on the clock.",
        _ => "The start of the program is on the clock: load less, or compile ahead of time.",
    };
    let cost = match subject.spec.after_fault {
        OnFault::Lose => "In a tournament, a late move loses the game.",
        OnFault::Random => "In a tournament, a random move replaces a late one.",
    };
    format!("{when} {cost}")
}

/// Checks that the agent plays a game against itself. `is_slow_at_first` is as in [`one_move`].
pub(crate) fn whole_game(name: &'static str, subject: &Subject<'_>, is_slow_at_first: &mut bool) -> Check {
    let &Subject { spec, agent, .. } = subject;
    let mut game = board(spec);
    let mut slowest = Duration::ZERO;
    let watch = &mut |_: &dyn TextGame, ply: &referee::Ply| {
        slowest = slowest.max(ply.wall);
        ControlFlow::Continue(())
    };
    // The first fault fails the check, even if a tournament would continue after it.
    let referee = Referee { after_fault: AfterFault::Lose, ..spec.referee([agent; 2]) };
    let mut warm = [(); 2].map(|()| WarmUp::new(player(subject)));
    let mut strict = [(); 2].map(|()| player(subject));
    let players: referee::Players<'_> = if *is_slow_at_first {
        warm.each_mut().map(|player| -> &mut dyn Player { player })
    } else {
        strict.each_mut().map(|player| -> &mut dyn Player { &mut **player })
    };
    let played = referee.play(&mut *game, players, 1, watch).expect("invariant: the watcher ends no game");
    let Some(Offence { ply, side, fault }) = played.offences.first() else {
        let length = format!("{}, {} moves", played.ending, played.plies.len());
        let Some(limit) = warm.iter().find_map(WarmUp::late) else {
            return Check::passed(name, format!("{length}, at most {} each", seconds(slowest)));
        };
        let first = warm.iter().map(WarmUp::first).max().unwrap_or_default();
        let others = warm.iter().map(WarmUp::others).max().unwrap_or_default();
        let [first, limit, others] = [first, limit, others].map(seconds);
        let times = format!("{first} for the first move, which may take {limit}; at most {others} for the next ones");
        return Check::warned(name, format!("{length}, {times}"), warm_up_advice(subject));
    };
    let has_moved = played.plies.iter().any(|ply| ply.side == *side);
    if is_late(fault) && !has_moved && !*is_slow_at_first {
        *is_slow_at_first = true;
        return whole_game(name, subject, is_slow_at_first);
    }
    let cost = match spec.after_fault {
        OnFault::Lose => "this loses the game",
        OnFault::Random => "a random move replaces it in a tournament",
    };
    let shown = describe_position(agent.dialect.as_deref(), *side, &game.position());
    let detail = format!("after {ply} moves, {}; {shown}; {cost}", fault.detail);
    Scene::of(subject, &*game).add_to(failed(name, &Fault::new(fault.kind, detail), subject), fault.kind)
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
