//! Measures the speed-up of a search with several threads to a given depth (`docs/engine.md`).

use std::io::{Write, stdout};
use std::time::Instant;

use clap::Parser;
use engine::{Built, Playable, PlayerOptions, Resources, opening};
use game::{Position, Record, SplitMix64};
use games::{Game, GameId, Visitor, dispatch};
use measure::progress::Bar;
use search::{Control, Limits};

/// Measure the time to a depth with one thread and with several threads, alternately
#[derive(Parser)]
#[command(name = "threads")]
struct Options {
    /// The game
    #[arg(value_parser = lab::game())]
    game: GameId,
    /// Number of threads to compare with a single thread
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(2..=256))]
    threads: u16,
    /// Depth of the searches, in plies
    #[arg(long, default_value_t = 15)]
    depth: u32,
    /// Number of positions
    #[arg(long, default_value_t = 20)]
    positions: usize,
    /// Number of plies before each position; the first four are random
    #[arg(long, default_value_t = 14)]
    plies: usize,
    /// Number of measurements of each position; with several threads, their results differ
    #[arg(long, default_value_t = 3)]
    runs: u32,
    /// Seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// Random plies at the beginning of the games that the positions come from.
const RANDOM: u32 = 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    dispatch(options.game, options)
}

impl Visitor for Options {
    type Output = Result<(), Box<dyn std::error::Error>>;

    fn visit<P: Game>(self) -> Self::Output {
        let start = P::start(None)?;
        let build = |words: String| -> Result<Built<P>, Box<dyn std::error::Error>> {
            let options: PlayerOptions = words.parse()?;
            Ok(options.make(&start, &Resources::default())?)
        };
        let records = self.records(&start, &mut build("nodes=20000,book=no".to_owned())?);
        let plain = "horizon=0/0,proof=0,noise=0,book=no,table=64";
        let mut one = build(plain.to_owned())?;
        let mut many = build(format!("{plain},threads={}", self.threads))?;
        let mut out = stdout().lock();
        writeln!(out, "{} positions, depth {}, {} threads", records.len(), self.depth, self.threads)?;
        let (mut totals, mut ratios) = ([0.0; 2], Vec::new());
        let bar = Bar::new(self.quiet, 0);
        for run in 0..self.runs {
            let mut sums = [0.0; 2];
            for (i, record) in records.iter().enumerate() {
                bar.show(i as u64, records.len() as u64, &format!("run {} of {}", run + 1, self.runs));
                let times = [&mut one, &mut many].map(|built| seconds(built, record, self.depth));
                sums = [0, 1].map(|i| sums[i] + times[i]);
                ratios.push(times[0] / times[1]);
            }
            bar.clear();
            writeln!(
                out,
                "run {}: {:.1} s and {:.1} s, {:.2} times as fast",
                run + 1,
                sums[0],
                sums[1],
                sums[0] / sums[1]
            )?;
            totals = [0, 1].map(|i| totals[i] + sums[i]);
        }
        ratios.sort_by(f64::total_cmp);
        let median = ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN);
        writeln!(out, "in all {:.2} times as fast, median {median:.2}", totals[0] / totals[1])?;
        Ok(())
    }
}

impl Options {
    /// Plays an engine against itself. Returns unfinished games of the requested length.
    fn records<P: Playable>(&self, start: &P, built: &mut Built<P>) -> Vec<Record<P>> {
        let (mut records, mut seeds) = (Vec::new(), SplitMix64::new(self.seed));
        while records.len() < self.positions {
            let mut record = opening(start, RANDOM, u32::MAX, seeds.next_u64());
            built.engine.new_game(seeds.next_u64());
            while record.moves().count() < self.plies && record.finish().is_none() {
                let choice = built.engine.choose(&record, &built.limits, &mut Control::on(search::SYSTEM));
                record.play(choice.expect("invariant: an unfinished game has a move").best);
            }
            if record.finish().is_none() {
                records.push(record);
            }
        }
        records
    }
}

/// Returns the seconds that a search to a depth takes.
fn seconds<P: Position>(built: &mut Built<P>, record: &Record<P>, depth: u32) -> f64 {
    let began = Instant::now();
    built.engine.choose(record, &Limits::depth(depth), &mut Control::on(search::SYSTEM));
    began.elapsed().as_secs_f64()
}
