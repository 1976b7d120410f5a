//! The bench: fixed positions of every game, searched with fixed limits. The node counts and choices are the signature
//! of the engines. The signature is the same on every machine. It changes only if a search, an evaluation or a rule
//! changes.

use std::time::{Duration, Instant};

use engine::{PlayerOptions, Resources, opening};
use game::Key;
use games::{Game, GameId, Visitor, dispatch};
use search::Control;

/// The result of the bench for one game on one board size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bench {
    /// The game.
    pub game: GameId,
    /// Board size, in squares per side.
    pub size: usize,
    /// Number of visited positions.
    pub nodes: u64,
    /// Hash of every move, score and node count.
    pub choices: u64,
    /// Time taken.
    pub time: Duration,
}

/// Games and board sizes, with the two searches of each position: one to a fixed depth, and one with a node budget. The
/// search with a node budget includes the proof search.
const PARTS: [(GameId, usize, [&str; 2]); 7] = [
    (GameId::LOA, 8, ["depth=7", "nodes=40000"]),
    (GameId::LOA, 6, ["depth=7", "nodes=20000"]),
    (GameId::CHECKERS, 8, ["depth=9", "nodes=20000"]),
    (GameId::JUMP61, 6, ["depth=7", "nodes=20000"]),
    (GameId::JUMP61, 10, ["depth=4", "nodes=20000"]),
    (GameId::BREAKTHROUGH, 8, ["depth=8", "nodes=20000"]),
    (GameId::BREAKTHROUGH, 6, ["depth=9", "nodes=20000"]),
];

/// Number of random moves from the start to each position.
const OPENINGS: [u32; 4] = [0, 6, 12, 24];

/// Runs the bench and calls `see` with each part when it is finished.
pub fn run(mut see: impl FnMut(&Bench)) -> Vec<Bench> {
    let mut parts = Vec::new();
    for (game, size, players) in PARTS {
        let part = dispatch(game, Part { size, players });
        see(&part);
        parts.push(part);
    }
    parts
}

/// Returns the signature of a bench: the results without the times, one line for each part.
pub fn signature(parts: &[Bench]) -> String {
    let line = |part: &Bench| format!("{} {} {} nodes {:016x}\n", part.game, part.size, part.nodes, part.choices);
    let total: u64 = parts.iter().map(|part| part.nodes).sum();
    parts.iter().map(line).collect::<String>() + &format!("total {total} nodes\n")
}

/// Signature that this version must have on every machine.
pub const COMMITTED: &str = include_str!("../data/bench.txt");

/// Returns the name of this build: its version and a hash of the signature. Programs with the same name choose the same
/// moves with the same node limits.
pub fn build() -> String {
    let hash = COMMITTED.bytes().fold(0, |hash, byte| Key::mix(hash ^ u64::from(byte)).0);
    format!("{}-{hash:016x}", env!("CARGO_PKG_VERSION"))
}

struct Part {
    size: usize,
    players: [&'static str; 2],
}

impl Visitor for Part {
    type Output = Bench;

    fn visit<P: Game>(self) -> Bench {
        let begin = Instant::now();
        let start = P::start(Some(self.size)).expect("invariant: the bench's sizes exist");
        let (mut nodes, mut choices) = (0, 0);
        for player in self.players {
            let options: PlayerOptions = player.parse().expect("invariant: the bench's players are well-formed");
            let options = PlayerOptions { book: false, ..options };
            let mut player = options.make(&start, &Resources::default()).expect("invariant: the present build exists");
            for plies in OPENINGS {
                let record = opening(&start, plies, 300, u64::from(plies));
                let choice = player
                    .engine
                    .choose(&record, &player.limits, &mut Control::unattended())
                    .expect("invariant: an open position has a move");
                nodes += choice.nodes;
                let moves = choice.pv.iter().fold(choices, |hash, &m| Key::mix(hash ^ u64::from(P::pack(m))).0);
                let score = choice.score.to_string().bytes().fold(moves, |hash, b| Key::mix(hash ^ u64::from(b)).0);
                choices = Key::mix(score ^ choice.nodes).0;
            }
        }
        Bench { game: GameId::of::<P>(), size: self.size, nodes, choices, time: begin.elapsed() }
    }
}
