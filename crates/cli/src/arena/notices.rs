//! Notices on standard error while a tournament is played.

use std::collections::BTreeSet;
use std::io::{Write, stderr};

use arena::{GameLog, Standings, Tournament};

use super::foreign::Printable;

/// Reports each agent of a game that is withdrawn from now on.
pub(super) fn name_withdrawn(
    tournament: &Tournament,
    standings: &Standings,
    game: &GameLog,
    known: &mut BTreeSet<usize>,
) {
    for agent in game.planned.agents {
        if let Some([one, other]) = standings.withdrawn(agent)
            && known.insert(agent)
        {
            let name = &tournament.spec.agents[agent].name;
            let mut out = Printable::new(stderr());
            let _ = writeln!(
                out,
                "agent `{name}` is withdrawn: it could not start in games {one} and {other}, and forfeits the rest"
            );
        }
    }
}

/// Reports the first move for which this machine had too few processors.
pub(super) fn name_pressure(tournament: &Tournament, game: &GameLog, is_known: &mut bool) {
    let found = game.moves.iter().enumerate().find_map(|(index, m)| Some((index, m.waited?)));
    if let Some((index, waited)) = found
        && !std::mem::replace(is_known, true)
    {
        let name = &tournament.spec.agents[game.planned.agents[game.side_of(index)]].name;
        let mut out = Printable::new(stderr());
        let _ = writeln!(
            out,
            "game {}, move {}: other programs had the processor of {name} for {waited:.1} s, which is not charged; the \
             machine is overloaded: play fewer games at the same time (`--jobs`)",
            game.planned.number,
            game.opening.len() + index + 1
        );
    }
}

/// Reports the first fault of each agent, so that a program that cannot start is noticed at once.
pub(super) fn name_faults(tournament: &Tournament, game: &GameLog, at_fault: &mut BTreeSet<usize>) {
    for fault in &game.faults {
        let agent = game.planned.agents[fault.side];
        if at_fault.insert(agent) {
            let (name, number) = (&tournament.spec.agents[agent].name, game.planned.number);
            let mut out = Printable::new(stderr());
            let _ = writeln!(out, "first fault of {name}, in game {number}: {}: {}", fault.kind, fault.detail);
        }
    }
}
