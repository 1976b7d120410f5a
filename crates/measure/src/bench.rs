//! The bench: fixed positions of every game, searched in a fixed way. The nodes and choices are the player's signature: as long
//! as nothing that a choice depends on changes, they are the same on every machine.

use std::time::{Duration, Instant};

use engine::PlayerOptions;
use game::{Key, Position};
use games::{Entry, GameId, Task, dispatch};
use search::Control;

use engine::opening;

/// What the bench says of one game on one board size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bench {
    /// The game.
    pub game: GameId,
    /// Squares a side.
    pub size: usize,
    /// Visited positions.
    pub nodes: u64,
    /// Hash of every move, score and number of nodes.
    pub choices: u64,
    /// Time taken.
    pub time: Duration,
}

/// Games and sizes, and how each position is searched: to a depth, and with a budget, which brings the proof search in.
const PARTS: [(GameId, usize, [&str; 2]); 5] = [
    (GameId::Loa, 8, ["depth=7", "nodes=40000"]),
    (GameId::Loa, 6, ["depth=7", "nodes=20000"]),
    (GameId::Checkers, 8, ["depth=9", "nodes=20000"]),
    (GameId::Jump61, 6, ["depth=7", "nodes=20000"]),
    (GameId::Jump61, 10, ["depth=4", "nodes=20000"]),
];

/// How many random moves the positions are from the start.
const OPENINGS: [u32; 4] = [0, 6, 12, 24];

/// Runs the bench and hands over each part as it is done.
pub fn run(mut see: impl FnMut(&Bench)) -> Vec<Bench> {
    let mut parts = Vec::new();
    for (game, size, players) in PARTS {
        let part = dispatch(game, Part { size, players });
        see(&part);
        parts.push(part);
    }
    parts
}

/// The signature of a bench: what [`run`] found but for the time, a line a part.
pub fn signature(parts: &[Bench]) -> String {
    let line = |part: &Bench| format!("{} {} {} nodes {:016x}\n", part.game, part.size, part.nodes, part.choices);
    let total: u64 = parts.iter().map(|part| part.nodes).sum();
    parts.iter().map(line).collect::<String>() + &format!("total {total} nodes\n")
}

struct Part {
    size: usize,
    players: [&'static str; 2],
}

impl Task for Part {
    type Output = Bench;

    fn run<E: Entry>(self) -> Bench {
        let begin = Instant::now();
        let start = E::start(Some(self.size)).expect("invariant: the bench's sizes exist");
        let (mut nodes, mut choices) = (0, 0);
        for player in self.players {
            let options: PlayerOptions = player.parse().expect("invariant: the bench's players are well-formed");
            let (mut engine, limits) = E::build(&options, self.size).expect("invariant: the present build exists");
            for plies in OPENINGS {
                let record = opening(&start, plies, 300, u64::from(plies));
                let choice = engine
                    .choose(&record, &limits, &mut Control::unattended())
                    .expect("invariant: an open position has a move");
                nodes += choice.nodes;
                let moves =
                    choice.line.iter().fold(choices, |hash, &m| Key::mix(hash ^ u64::from(E::Position::pack(m))).0);
                let score = choice.score.to_string().bytes().fold(moves, |hash, b| Key::mix(hash ^ u64::from(b)).0);
                choices = Key::mix(score ^ choice.nodes).0;
            }
        }
        Bench { game: E::ID, size: self.size, nodes, choices, time: begin.elapsed() }
    }
}
