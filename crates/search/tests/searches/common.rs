//! Policies, settings and positions for several tests.

use game::{Position, Record, SplitMix64};
use search::{Policy, Score, Settings, Techniques};

/// A policy whose evaluation is a fixed pseudorandom number per position, derived from the key.
pub(crate) struct Random;

impl<P: Position> Policy<P> for Random {
    type Accumulator = ();

    const SLOTS: usize = 64;

    fn evaluate(&self, p: &P) -> i32 {
        (p.key().0 % 401) as i32 - 200
    }

    fn slot(&self, _: &P, m: P::Move) -> usize {
        usize::from(P::pack(m)) % 64
    }
}

pub(crate) fn exact() -> Settings {
    Settings {
        table_mib: 1,
        noise: 0,
        win_horizon: 0,
        loss_horizon: 0,
        shuns_repetition: false,
        techniques: Techniques::NONE,
        ..Settings::default()
    }
}

/// Returns undecided positions of random games. Each game has a random move limit.
pub(crate) fn positions<P: Position>(start: &P, games: u64, seed: u64) -> Vec<Record<P>> {
    let mut found = Vec::new();
    for game in 0..games {
        let mut rng = SplitMix64::new(seed + game);
        let limit = 4 + rng.below(40) as u32;
        let mut record = Record::new(start.clone()).with_move_limit(limit);
        while record.finish().is_none() {
            if rng.below(4) == 0 {
                found.push(record.clone());
            }
            let moves = record.position().legal_moves();
            let Some(&m) = rng.choose(&moves) else { break };
            record.play(m);
        }
    }
    found
}

pub(crate) fn from_child(score: Score) -> Score {
    match (score.win_distance(), score.loss_distance()) {
        (Some(plies), _) => Score::loss_in(plies + 1),
        (_, Some(plies)) => Score::win_in(plies + 1),
        _ => -score,
    }
}

/// Returns random 4×4 boards with few pieces. On some of them, every move of a side connects the opponent's pieces.
pub(crate) fn sparse_boards(count: u64) -> impl Iterator<Item = Record<loa::Position>> {
    (0..count).map(|seed| {
        let mut rng = SplitMix64::new(seed);
        let mut cells = ['-'; 16];
        let (black, white) = (2 + rng.below(5), 2 + rng.below(3));
        for piece in ['b'].repeat(black).into_iter().chain(['w'].repeat(white)) {
            cells[rng.below(16)] = piece;
        }
        let rows: Vec<String> = cells.chunks(4).map(|row| row.iter().collect()).collect();
        let limit = if rng.below(2) == 0 { 100 } else { 1 + rng.below(5) as u32 };
        let text = format!("{} {}", rows.join("/"), ["b", "w"][rng.below(2)]);
        Record::new(text.parse().expect("a board")).with_move_limit(limit)
    })
}
