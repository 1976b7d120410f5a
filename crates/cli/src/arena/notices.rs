//! Notices about tournaments on standard error.

use std::collections::BTreeSet;
use std::io::{Write, stderr};

use arena::{Damaged, GameLog, Standings, Tournament};

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

/// Returns the warning about a tournament whose header was changed.
pub(super) fn changed_header(tournament: &Tournament) -> String {
    format!(
        "tournament {}: its header was changed after the start: names of agents and other settings may be false",
        tournament.id
    )
}

/// Reports damaged games, which are skipped, on standard error.
pub(super) fn note_damaged(damaged: &[Damaged]) {
    let mut out = EscapingWriter::new(stderr());
    for game in damaged {
        let _ = writeln!(out, "{game}");
    }
    if !damaged.is_empty() {
        let _ =
            writeln!(out, "run `arena verify` for details, or `arena resume --replay-damaged` to replay these games");
    }
}
