//! Checks single games by the rules.

use engine::Resources;
use referee::{Ending, FaultKind};

use crate::judge::Judge;
use crate::log::{FaultLog, GameLog, ResultLog};
use crate::spec::Spec;

/// The degree to which a game's result could be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmed {
    /// The result follows from the moves by the rules, or by the tournament's rules for rulings.
    ByRules,
    /// The game ended by a fault, or by a proof that cannot be repeated here. The result agrees with the moves and the
    /// side at fault, but only the referee could observe the fault itself.
    Claimed,
}

/// Checks a single game: its opening matches its seed, its moves are legal, and its result agrees with its ending and
/// the side at fault.
///
/// # Errors
/// If a check fails; the text names it.
pub fn check_game(spec: &Spec, game: &GameLog) -> Result<Confirmed, String> {
    let mut replayed = spec.new_game(game.planned.opening_seed)?;
    if (replayed.start(), replayed.moves()) != (game.start.clone(), game.opening.clone()) {
        return Err("its opening differs from the plan".to_owned());
    }
    let ending = game.ended().ok_or_else(|| format!("unknown ending `{}`", game::text::excerpt(&game.ending)))?;
    for m in &game.moves {
        let number = replayed.plies() + 1;
        if m.side.is_some_and(|side| side != replayed.side_to_move().index()) {
            return Err(format!("move {number}, {}: the other side was to move", game::text::excerpt(&m.text)));
        }
        if replayed.finish().is_some() {
            return Err(format!("move {number}, {}: the game was over", game::text::excerpt(&m.text)));
        }
        replayed.play(&m.text).map_err(|error| format!("move {number}: {error}"))?;
    }
    let finish = replayed.finish().map(|finish| (ResultLog::from(finish.outcome), finish.reason));
    match ending {
        Ending::Rules(reason) if finish == Some((game.result, reason)) => Ok(Confirmed::ByRules),
        Ending::Rules(_) => {
            let shown = |result, ending| format!("{} ({ending})", described(result, spec));
            let found = finish.map(|(result, reason)| shown(result, Ending::Rules(reason)));
            let found = found.unwrap_or_else(|| "a game in progress".to_owned());
            Err(format!("its moves lead to {found}, expected {}", shown(game.result, ending)))
        }
        Ending::Ruling(_) => {
            let confirmed = Judge::new(spec, &Resources::default()).confirm(game)?;
            Ok(if confirmed { Confirmed::ByRules } else { Confirmed::Claimed })
        }
        Ending::Fault(kind) => {
            let to_move = replayed.side_to_move().index();
            check_fault(spec, game, kind, finish.is_some(), to_move).map(|()| Confirmed::Claimed)
        }
    }
}

/// Returns a result in words, such as `a win of Black`.
fn described(result: ResultLog, spec: &Spec) -> String {
    let [first, second] = spec.side_names();
    match result {
        ResultLog::First => format!("a win of {first}"),
        ResultLog::Second => format!("a win of {second}"),
        ResultLog::Draw => "a draw".to_owned(),
        ResultLog::Void => "a void game".to_owned(),
    }
}

/// Checks that the last fault of a game explains its result. `is_over` and `to_move` describe the game after its moves.
fn check_fault(spec: &Spec, game: &GameLog, kind: FaultKind, is_over: bool, to_move: usize) -> Result<(), String> {
    let name = kind.to_string();
    // Unrequested answers carry no penalty, and may be recorded after the last fault.
    let unasked = FaultKind::Unasked.to_string();
    let faults: Vec<_> = game.faults.iter().filter(|fault| fault.kind != unasked).collect();
    // Before the first move both sides may be at fault, and the first fault names the ending.
    let is_of_start = |fault: &&FaultLog| fault.kind.parse().is_ok_and(FaultKind::is_of_start);
    let is_start = game.moves.is_empty() && faults.iter().all(is_of_start);
    let counted = if is_start { &faults[..] } else { &faults[faults.len().saturating_sub(1)..] };
    let names_end = |fault: &&FaultLog| fault.kind == name && fault.ply as usize == game.all_moves().count();
    if !counted.first().is_some_and(names_end) {
        return Err(format!("ending: {name} found, expected the last fault of the list, after the last move"));
    }
    let sides: Vec<usize> = counted.iter().map(|fault| fault.side).collect();
    let expected = match sides.as_slice() {
        [0] => ResultLog::Second,
        [1] => ResultLog::First,
        _ => ResultLog::Void,
    };
    // If neither side had started, earlier versions recorded the game as a draw.
    let is_earlier = (game.result, expected) == (ResultLog::Draw, ResultLog::Void);
    if game.result != expected && !is_earlier {
        return Err(format!(
            "result: {} found, expected {}, which follows from the side at fault ({name})",
            described(game.result, spec),
            described(expected, spec)
        ));
    }
    // A claim may accompany a move, so the other side may be to move, or the move may have ended the game.
    let is_claim = kind == FaultKind::FalseClaim;
    if is_over && !is_claim {
        return Err(format!("it ended by the rules before the fault: {name}"));
    }
    if !is_claim && !is_start && sides != [to_move] {
        return Err(format!("the side at fault was not to move: {name}"));
    }
    Ok(())
}
