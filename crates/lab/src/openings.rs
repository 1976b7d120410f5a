//! `tune openings`: the beginnings of games between two of our engines, for the opening explorer of the page.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use clap::Parser;
use engine::Resources;
use games::{GameId, Setting, opening_result};
use measure::matches::{Match, Played};
use measure::progress::Bar;
use rating::GameScore;

/// Number of moves after which a game is drawn, counting both sides.
const MOVE_LIMIT: u32 = 300;

/// The options of `tune openings`.
#[derive(Parser)]
#[command(name = "openings")]
pub struct MakeOpenings {
    /// The game
    #[arg(value_parser = crate::game())]
    game: GameId,
    /// The two engines, which exchange sides after each game
    #[arg(long, num_args = 2, default_values = ["level=9,nodes=10000", "level=10,nodes=10000"], value_parser = crate::words)]
    players: Vec<String>,
    /// Number of different openings to collect
    #[arg(long, default_value_t = 280)]
    games: usize,
    /// Number of moves to keep from each game, counting both sides
    #[arg(long, default_value_t = 14)]
    plies: usize,
    /// Fixes the engines' random part
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of concurrent pairs of games; this does not change the file
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The file
    #[arg(long)]
    out: PathBuf,
}

impl MakeOpenings {
    /// Plays until there are enough different openings, or until ten times as many games have been played, and writes
    /// the file.
    ///
    /// # Errors
    /// Returns an error if a player is invalid or the file cannot be written.
    ///
    /// # Panics
    /// Panics only if an invariant of ours is broken.
    pub fn run(&self) -> anyhow::Result<()> {
        let Self { game, players, games, plies, seed, .. } = self;
        let [first, second] = &players[..] else { unreachable!("invariant: clap demands two players") };
        let setting = Setting::new(*game, MOVE_LIMIT);
        let players = [(first.parse()?, Resources::default()), (second.parse()?, Resources::default())];
        let match_of_two = Match { setting, opening_plies: 0, seed: *seed, clock: None, players };
        let (bar, mut seen, mut lines) = (Bar::new(false, 0), BTreeSet::new(), Vec::new());
        match_of_two.run(0, 5 * *games as u64, self.jobs, |pair| {
            for played in pair {
                let moves = played.moves[..played.moves.len().min(*plies)].join(" ");
                if lines.len() < *games && seen.insert(moves.clone()) {
                    lines.push(format!("{} {moves}\n", opening_result(winner(played))));
                }
            }
            bar.show(lines.len() as u64, *games as u64, &format!("{}/{games} openings", lines.len()));
            lines.len() < *games
        })?;
        bar.clear();
        let heading = format!(
            "# tune openings {game} --players {first} {second} --games {games} --plies {plies} --seed {seed}\n"
        );
        lines.sort_unstable();
        Ok(fs::write(&self.out, heading + &lines.concat())?)
    }
}

/// Returns the index of the side that won a game; `None` for a draw.
fn winner(played: &Played) -> Option<usize> {
    let player = match played.score {
        GameScore::Win => 0,
        GameScore::Loss => 1,
        GameScore::Draw => return None,
    };
    Some(if played.pairing.first_begins { player } else { 1 - player })
}
