//! Measures how the work of a proof in Lines of Action grows with the length of the win and with the board
//! (`docs/solving.md`, "What 7×7 would take").
//!
//! An engine plays games against itself on boards of each size. The program steps back from the ends of the games, two
//! plies at a time, and tries to prove that the winner wins from there. It stops at the first distance at which half or
//! more of the proofs exceed the budget. All sizes use `search::ProofSearch`, because the codes of `proof` support
//! boards of at most 6×6.

use std::io::{Write, stdout};

use clap::Parser;
use engine::{Playable, PlayerOptions, Resources, opening};
use game::{Outcome, PliesLeft, Position as _, Side, SplitMix64};
use loa::Position;
use measure::progress::Bar;
use search::{Control, ProofSearch, Stop, Verdict};

/// Measure the work of proofs by distance to the end, on boards of several sizes
#[derive(Parser)]
#[command(name = "growth")]
struct Options {
    /// Sizes of the boards, in squares per side
    #[arg(long, value_delimiter = ',', default_value = "5,6,7", value_parser = clap::value_parser!(u64).range(4..=8))]
    sizes: Vec<u64>,
    /// Number of games on each board
    #[arg(long, default_value_t = 60)]
    games: u64,
    /// Number of random moves at the beginning of each game
    #[arg(long, default_value_t = 2)]
    opening: u32,
    /// The engine that plays the games
    #[arg(long, default_value = "nodes=20000")]
    player: PlayerOptions,
    /// Give up a proof after visiting this many positions
    #[arg(long, default_value_t = 1_000_000)]
    budget: u64,
    /// Transposition table in MiB
    #[arg(long, default_value_t = 256)]
    table: usize,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// A finished game with a winner.
struct Game {
    /// Positions from the one after the opening to the last.
    positions: Vec<Position>,
    winner: Side,
}

impl Game {
    /// Returns the position `plies` plies before the end.
    fn before_end(&self, plies: usize) -> Option<&Position> {
        self.positions.iter().rev().nth(plies)
    }
}

/// The proofs of all positions at one distance from the end.
struct Row {
    distance: usize,
    /// Number of positions at this distance, except those that are proven not to be won.
    asked: usize,
    /// Number of positions visited by each successful proof, in ascending order.
    visited: Vec<u64>,
}

impl Row {
    /// Returns the median over all positions, where an aborted proof counts as larger than all others. Returns `None`
    /// if half or more of the proofs were aborted.
    fn median(&self) -> Option<u64> {
        self.visited.get(self.asked / 2).copied()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let mut out = stdout().lock();
    for &size in &options.sizes {
        let size = size as usize;
        let (games, plies) = games(&options, size)?;
        writeln!(out, "{size}×{size}: {} games with a winner, half of them take {plies} plies or more", games.len())?;
        writeln!(
            out,
            "| plies before the end | positions | proven | median of positions visited |\n| --- | --- | --- | --- |"
        )?;
        let mut rows = Vec::new();
        for distance in (3..).step_by(2) {
            let row = row(&options, &games, distance);
            let median = row.median();
            let shown = median.map_or("–".to_owned(), |median| median.to_string());
            writeln!(out, "| {distance} | {} | {} | {shown} |", row.asked, row.visited.len())?;
            out.flush()?;
            let Some(median) = median else { break };
            rows.push((distance, median));
        }
        if let Some((factor, first)) = growth(&rows) {
            let whole = first * factor.powf(plies as f64 / 2.0);
            writeln!(out, "two plies more: {factor:.2} times the work; {plies} plies: about {whole:.1e} positions\n")?;
        }
    }
    Ok(())
}

/// Plays the games on boards of one size. Returns the games with a winner, and their median length in plies.
fn games(options: &Options, size: usize) -> Result<(Vec<Game>, usize), Box<dyn std::error::Error>> {
    let start = Position::start(size)?;
    let mut built = options.player.make(&start, &Resources::default())?;
    let (mut games, mut seeds) = (Vec::new(), SplitMix64::new(options.seed));
    let bar = Bar::new(options.quiet, 0);
    for number in 0..options.games {
        bar.show(number, options.games, &format!("{size}×{size}: game {number}"));
        let mut record = opening(&start, options.opening, 200, seeds.next_u64());
        built.engine.new_game(seeds.next_u64());
        let mut positions = vec![*record.position()];
        while record.finish().is_none() {
            let choice = built.engine.choose(&record, &built.limits, &mut Control::on(search::SYSTEM));
            record.play(choice.expect("invariant: an unfinished game has a move").best);
            positions.push(*record.position());
        }
        if let Some(Outcome::Win(winner)) = record.finish().map(|finish| finish.outcome) {
            games.push(Game { positions, winner });
        }
    }
    bar.clear();
    let mut lengths: Vec<usize> =
        games.iter().map(|game| game.positions.len() - 1 + options.opening as usize).collect();
    lengths.sort_unstable();
    let median = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
    Ok((games, median))
}

/// Attempts the proofs at one distance from the end, in all games in which the winner is to move there.
fn row(options: &Options, games: &[Game], distance: usize) -> Row {
    let policy = Position::policy(&Resources::default());
    let mut row = Row { distance, asked: 0, visited: Vec::new() };
    let bar = Bar::new(options.quiet, 0);
    for (number, game) in (0..).zip(games) {
        bar.show(number, games.len() as u64, &format!("{} plies before the end", row.distance));
        let Some(p) = game.before_end(distance).filter(|p| p.side_to_move() == game.winner) else { continue };
        let mut search = ProofSearch::new(&policy, Stop::new(), options.table, options.budget);
        match search.solve(p, game.winner, PliesLeft::UNLIMITED) {
            Verdict::Win { .. } => row.visited.push(search.nodes()),
            Verdict::NoWin => continue,
            Verdict::Unknown => {}
        }
        row.asked += 1;
    }
    bar.clear();
    row.visited.sort_unstable();
    row
}

/// Fits a straight line to the logarithms of the work by least squares. Returns the factor by which two more plies
/// multiply the work, and the work at zero plies. Returns `None` with fewer than two rows.
fn growth(rows: &[(usize, u64)]) -> Option<(f64, f64)> {
    let points: Vec<(f64, f64)> =
        rows.iter().map(|&(distance, work)| (distance as f64 / 2.0, (work as f64).ln())).collect();
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / n, sum.1 + point.1 / n));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
    (points.len() > 1).then(|| (slope.exp(), (y - slope * x).exp()))
}
