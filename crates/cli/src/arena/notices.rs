//! Notices on standard error during a tournament.

use std::collections::BTreeSet;
use std::io::{Write, stderr};

use arena::{GameLog, Standings, Tournament};

use super::escaping::EscapingWriter;

/// Reports the agents of a game that have just been withdrawn.
pub(super) fn report_withdrawn(
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
            let mut out = EscapingWriter::new(stderr());
            let _ = writeln!(
                out,
                "agent `{name}` is withdrawn: it could not start in games {one} and {other}, and forfeits the others"
            );
        }
    }
}

/// Reports the first move whose player waited for a processor, because the machine is overloaded.
pub(super) fn report_overload(tournament: &Tournament, game: &GameLog, is_known: &mut bool) {
    let found = game.moves.iter().enumerate().find_map(|(index, m)| Some((index, m.waited?)));
    if let Some((index, waited)) = found
        && !std::mem::replace(is_known, true)
    {
        let name = &tournament.spec.agents[game.planned.agents[game.side_of(index)]].name;
        let mut out = EscapingWriter::new(stderr());
        let _ = writeln!(
            out,
            "game {}, move {}: {name} waited {waited:.1} s for a processor, which is not charged to it; the machine is \
             overloaded: play fewer games at the same time (`--jobs`)",
            game.planned.number,
            game.opening.len() + index + 1
        );
    }
}

/// Reports the first fault of each agent, so that users notice broken programs early.
pub(super) fn report_first_faults(tournament: &Tournament, game: &GameLog, at_fault: &mut BTreeSet<usize>) {
    for fault in &game.faults {
        let agent = game.planned.agents[fault.side];
        if at_fault.insert(agent) {
            let (name, number) = (&tournament.spec.agents[agent].name, game.planned.number);
            let mut out = EscapingWriter::new(stderr());
            let _ = writeln!(out, "first fault of {name}, in game {number}: {}: {}", fault.kind, fault.detail);
        }
    }
}
