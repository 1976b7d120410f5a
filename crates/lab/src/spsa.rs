//! `tune spsa`: tunes numbers of the search by simultaneous perturbation stochastic approximation (J. Spall,
//! "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation", 1992).
//!
//! In each iteration, two engines play some pairs of games. One has every number moved by its step in a random
//! direction, the other in the opposite direction. The numbers then move a little towards the winner's.

use core::str::FromStr;
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use engine::{PlayerOptions, Resources};
use game::SplitMix64;
use games::{GameId, Setting};
use measure::matches::Match;
use measure::progress::Bar;
use rating::Tally;
use search::Tuning;

/// Exponents of the gains, after J. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
/// optimization", 1998.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// Share of the iterations that is added to the iteration number in the gains, which keeps the first ones small.
const STABILITY: f64 = 0.1;

/// A number to tune: `NAME=START:STEP`.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Name in [`Tuning::NAMES`].
    pub name: &'static str,
    /// First value.
    pub start: f64,
    /// Perturbation in the last iteration. It is larger in earlier ones.
    pub step: f64,
}

impl FromStr for Number {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').and_then(|(name, values)| Some((name, values.split_once(':')?)));
        let (name, (start, step)) = parts.ok_or("expected NAME=START:STEP, such as `futility=40:6`")?;
        let known = Tuning::NAMES.iter().find(|&&known| known == name);
        let name = known.ok_or_else(|| format!("expected one of {}", Tuning::NAMES.join(", ")))?;
        let range = range(name);
        let start = start.parse().ok().filter(|start| (range[0]..=range[1]).contains(start));
        let step = step.parse().ok().filter(|step| (0.1..=range[1] - range[0]).contains(step));
        let [least, most] = range;
        let wrong = || format!("expected a start from {least} to {most} and a step from 0.1 to {}", most - least);
        Ok(Self { name, start: start.ok_or_else(wrong)?, step: step.ok_or_else(wrong)? })
    }
}

/// Returns the smallest and the largest value of a number.
fn range(name: &str) -> [f64; 2] {
    let (_, range) = Tuning::DEFAULT.get(name).expect("invariant: the name is one of `Tuning::NAMES`");
    [f64::from(*range.start()), f64::from(*range.end())]
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate: &f64| *rate > 0.0 && rate.is_finite());
    rate.ok_or_else(|| "expected a rate above 0".to_owned())
}

/// The options of `tune spsa`.
#[derive(Parser)]
#[command(name = "spsa")]
pub struct Spsa {
    /// The game
    #[arg(value_parser = crate::game())]
    game: GameId,
    /// The numbers to tune, each as NAME=START:STEP. The step is the perturbation in the last iteration; a good one
    /// changes the strength by a few Elo
    #[arg(required = true)]
    numbers: Vec<Number>,
    /// The engine
    #[arg(long, default_value = "nodes=10000,horizon=0/0,proof=0,table=1", value_parser = crate::words)]
    player: String,
    /// Number of iterations
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Pairs of games in each iteration
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Change for each won game in the last iteration, as a share of the step
    #[arg(long, default_value_t = 0.002, value_parser = rate)]
    rate: f64,
    /// Random moves of each opening
    #[arg(long, default_value_t = 6)]
    opening: u32,
    /// Number of moves after which a game is drawn, counting both sides
    #[arg(long, default_value_t = 200)]
    move_limit: u32,
    /// Seed of the games and directions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of concurrent games; this does not change the log
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Log: the values after each iteration. A run with the same options continues it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Spsa {
    /// Plays the iterations that the log lacks, and prints the last values as an option `set`.
    ///
    /// # Errors
    /// Returns an error if a number is named twice, the player does not exist, the log has other options, or the log
    /// cannot be read or written.
    pub fn run(&self) -> Result<()> {
        let mut names = BTreeSet::new();
        if let Some(twice) = self.numbers.iter().find(|number| !names.insert(number.name)) {
            bail!("{} is named twice, expected each number once", twice.name);
        }
        let mut optimizer = Optimizer::new(self.numbers.clone(), self.iterations, self.rate);
        self.resume(&mut optimizer)?;
        let mut log = OpenOptions::new().append(true).create(true).open(&self.out).with_context(|| self.path())?;
        let bar = Bar::with_lines(false, optimizer.done);
        while optimizer.done < self.iterations {
            let number = optimizer.done;
            let trial = optimizer.trial(self.seed);
            let points = self.play(number, &trial)?;
            optimizer.learn(&trial, points);
            writeln!(log, "{}", optimizer.line(points)).with_context(|| self.path())?;
            bar.show(number + 1, self.iterations, &optimizer.set(&optimizer.values));
        }
        bar.clear();
        writeln!(stdout(), "set={}", optimizer.set(&optimizer.values))?;
        Ok(())
    }

    /// Reads the log, or begins it. A last line that was not finished is removed.
    fn resume(&self, optimizer: &mut Optimizer) -> Result<()> {
        let header = self.header();
        let log = match fs::read_to_string(&self.out) {
            Ok(log) => log,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| self.path()),
        };
        let lines = match log.strip_prefix(&header) {
            Some(lines) => lines,
            None if header.starts_with(&log) => return fs::write(&self.out, header).with_context(|| self.path()),
            None => bail!("{}: a log of other options: found\n{}expected\n{header}", self.path(), begin(&log)),
        };
        let whole = lines.rfind('\n').map_or(0, |end| end + 1);
        for line in lines[..whole].lines() {
            optimizer.read(line).with_context(|| format!("{}: {line:?}", self.path()))?;
        }
        let kept = header.len() + whole;
        if kept < log.len() {
            let file = OpenOptions::new().write(true).open(&self.out);
            file.and_then(|file| file.set_len(kept as u64)).with_context(|| self.path())?;
        }
        Ok(())
    }

    fn path(&self) -> String {
        self.out.display().to_string()
    }

    /// Returns the first lines of the log: everything on which it depends, and the names of the columns.
    fn header(&self) -> String {
        let Self { game, player, iterations, pairs, rate, opening, move_limit, seed, .. } = self;
        let numbers = |text: fn(&Number) -> String| self.numbers.iter().map(text).collect::<Vec<_>>().join(" ");
        format!(
            "# tune spsa {game} {} --player {player} --iterations {iterations} --pairs {pairs} --rate {rate} --opening \
             {opening} --move-limit {move_limit} --seed {seed}\n# iteration points {}\n",
            numbers(|number| format!("{}={}:{}", number.name, number.start, number.step)),
            numbers(|number| number.name.to_owned()),
        )
    }

    /// Plays the games of an iteration. Returns the number of games that the first player won, minus the number that it
    /// lost.
    fn play(&self, iteration: u64, trial: &Trial) -> Result<i64> {
        let player = |values: &str| -> Result<_> {
            let options: PlayerOptions = format!("{},set={values}", self.player).parse()?;
            Ok((options, Resources::default()))
        };
        let match_of_two = Match {
            setting: Setting::new(self.game, self.move_limit),
            opening_plies: self.opening,
            seed: self.seed,
            clock: None,
            players: [player(&trial.players[0])?, player(&trial.players[1])?],
        };
        let mut tally = Tally::new();
        match_of_two.run(iteration * self.pairs, (iteration + 1) * self.pairs, self.jobs, |games| {
            tally.add([games[0].score, games[1].score]);
            true
        })?;
        let [wins, _, losses] = tally.wins_draws_losses();
        Ok(wins as i64 - losses as i64)
    }
}

/// Returns the first two lines of a text.
fn begin(log: &str) -> String {
    log.split_inclusive('\n').take(2).collect()
}

/// The state of the optimization.
#[derive(Clone, Debug)]
pub struct Optimizer {
    numbers: Vec<Number>,
    iterations: u64,
    rate: f64,
    /// Current values, one for each number.
    pub values: Vec<f64>,
    /// Number of finished iterations.
    pub done: u64,
}

/// The perturbations of an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Change of each value for the first player; the second player has the opposite change.
    pub changes: Vec<f64>,
    /// Values of the two players, for the option `set`.
    pub players: [String; 2],
}

impl Optimizer {
    /// Begins with the numbers' start values.
    pub fn new(numbers: Vec<Number>, iterations: u64, rate: f64) -> Self {
        let values = numbers.iter().map(|number| number.start).collect();
        Self { numbers, iterations, rate, values, done: 0 }
    }

    /// Returns the perturbations of the next iteration. They depend on the seed, the iteration and the values.
    pub fn trial(&self, seed: u64) -> Trial {
        // Each iteration has its own part of a sequence, two numbers for each value. The openings use the seed itself.
        let mut rng = SplitMix64::new(!seed).skipping(self.done * 2 * self.numbers.len() as u64);
        let growth = (self.iterations as f64 / (self.done + 1) as f64).powf(GAMMA);
        let direction = |rng: &mut SplitMix64| if rng.below(2) == 0 { -1.0 } else { 1.0 };
        let changes: Vec<f64> = self.numbers.iter().map(|number| number.step * growth * direction(&mut rng)).collect();
        // Both players round with the same random number, so the mean difference is exact, except at the limits.
        let rounding: Vec<f64> = changes.iter().map(|_| rng.fraction() - 0.5).collect();
        let player = |sign: f64| {
            let moved = |i: usize| self.values[i] + sign * changes[i] + rounding[i];
            self.set(&(0..changes.len()).map(moved).collect::<Vec<f64>>())
        };
        Trial { players: [player(1.0), player(-1.0)], changes }
    }

    /// Moves the values towards the winner of a trial. `points` is the number of games that its first player won, minus
    /// the number that it lost.
    pub fn learn(&mut self, trial: &Trial, points: i64) {
        let (all, shift) = (self.iterations as f64, STABILITY * self.iterations as f64);
        let (last, now) = (all + shift, (self.done + 1) as f64 + shift);
        let growth = (all / (self.done + 1) as f64).powf(GAMMA);
        // The gain falls with ALPHA. It is divided by the square of the perturbation, in steps.
        let gain = self.rate * (last / now).powf(ALPHA) / (growth * growth);
        for (i, number) in self.numbers.iter().enumerate() {
            let [least, most] = range(number.name);
            self.values[i] = (self.values[i] + gain * points as f64 * trial.changes[i]).clamp(least, most);
        }
        self.done += 1;
    }

    /// Returns values as the option `set`: rounded, and within the ranges.
    fn set(&self, values: &[f64]) -> String {
        let one = |(number, value): (&Number, &f64)| {
            let [least, most] = range(number.name);
            format!("{}:{}", number.name, value.round().clamp(least, most))
        };
        self.numbers.iter().zip(values).map(one).collect::<Vec<_>>().join("+")
    }

    /// Returns the line of the log for the iteration just finished.
    fn line(&self, points: i64) -> String {
        let values: Vec<String> = self.values.iter().map(f64::to_string).collect();
        format!("{} {points} {}", self.done, values.join(" "))
    }

    /// Continues from a line of the log.
    fn read(&mut self, line: &str) -> Result<()> {
        let words: Vec<&str> = line.split(' ').collect();
        let expected = self.numbers.len() + 2;
        ensure!(words.len() == expected, "{} columns found, expected {expected}", words.len());
        let iteration: u64 = words[0].parse()?;
        ensure!(iteration == self.done + 1, "iteration {iteration} found, expected {}", self.done + 1);
        for (i, (number, word)) in self.numbers.iter().zip(&words[2..]).enumerate() {
            let [least, most] = range(number.name);
            let value: f64 = word.parse()?;
            ensure!((least..=most).contains(&value), "{} {value} found, expected {least} to {most}", number.name);
            self.values[i] = value;
        }
        self.done = iteration;
        Ok(())
    }
}
