//! `plyhouse match`.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use engine::{PlayerOptions, Resources};
use game::plural;
use games::{GameId, Rules, Setting};
use ledger::{Address, Failure};
use measure::clock::GameClock;
use measure::jobs::{self, Hand, Hands, Kind};
use measure::matches::{Ending, Match, Played, Work};
use measure::progress::Bar;
use rating::{GameScore, Model, Sprt, Tally, Verdict, signed};
use serde::{Deserialize, Serialize};

use crate::endgames;
use crate::options::{RulesOptions, Words};
use crate::work::status::note_alone;

/// Maximum number of pairs of a match.
const MOST_PAIRS: u64 = 10_000_000;

/// The reason in a log for a game that was lost on time.
const TIME: &str = "Time";

/// Play two of our engines against each other, in pairs of games from the same random opening
#[derive(Args)]
#[command(after_long_help = PlayerOptions::help())]
pub(crate) struct Options {
    /// The game
    #[arg(value_parser = crate::options::game())]
    game: GameId,
    /// The first engine, such as `nodes=20000` or `level=5`; `--help` lists the options
    #[arg(long, value_name = "PLAYER", default_value = "")]
    first: Words,
    /// The second engine
    #[arg(long, value_name = "PLAYER", default_value = "")]
    second: Words,
    /// Squares per side
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    #[command(flatten)]
    rules: RulesOptions,
    /// Number of pairs of games
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=MOST_PAIRS))]
    pairs: u64,
    /// Random moves of each opening, both sides together
    #[arg(long, value_name = "PLIES", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=1000))]
    opening: u32,
    /// Number of moves of both sides together after which a game is drawn
    #[arg(long, value_name = "MOVES", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    move_limit: u32,
    /// Seed of the openings and of the engines' random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Clock of each engine, in seconds: time for a game and, after `+`, increment for each move, such as `10+0.1`
    #[arg(long, value_name = "SECONDS")]
    clock: Option<GameClock>,
    /// Number of concurrent games; with time limits, at most one for each free processor
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    jobs: u64,
    /// Stop as soon as a sequential test decides between these two values of normalised Elo, with error rates of 5 %;
    /// append `,alpha=A`, `,beta=B` or `,model=logistic` for other rates or the logistic model
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Distribute the games to the workers of this PostgreSQL database: `postgres://USER@HOST/DATABASE` (see
    /// `plyhouse work`)
    #[arg(long, value_name = "URL", conflicts_with = "jobs")]
    store: Option<Address>,
    /// Append each pair of games to this file, and resume after the pairs that are in it
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print only the result
    #[arg(long)]
    quiet: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// Reads a sequential test: `0,5` or `0,5,alpha=0.05,beta=0.1,model=logistic`.
pub(crate) fn sprt(text: &str) -> Result<Sprt, String> {
    let wrong = || {
        "expected two numbers such as `0,5`, optionally followed by `,alpha=0.05,beta=0.05,model=logistic`".to_owned()
    };
    let mut words = text.split(',').map(str::trim);
    let mut elo = || words.next()?.parse::<f64>().ok();
    let (Some(elo0), Some(elo1)) = (elo(), elo()) else { return Err(wrong()) };
    let (mut alpha, mut beta, mut model) = (0.05, 0.05, Model::Normalised);
    for word in words {
        let number = |value: &str| value.parse().map_err(|_| format!("`{word}`: expected a number"));
        match word.split_once('=') {
            Some(("alpha", value)) => alpha = number(value)?,
            Some(("beta", value)) => beta = number(value)?,
            Some(("model", "normalised")) => model = Model::Normalised,
            Some(("model", "logistic")) => model = Model::Logistic,
            Some(("model", _)) => return Err(format!("`{word}`: expected `normalised` or `logistic`")),
            _ => return Err(wrong()),
        }
    }
    Sprt::new(elo0, elo1, alpha, beta).map(|test| test.of(model)).map_err(|error| error.to_string())
}

/// The parameters of a match: the first line of a log, and a part of the specification for workers. A match can be
/// resumed only from a log with the same first line.
#[derive(Serialize, Deserialize, PartialEq, Eq, Debug)]
struct Header {
    game: String,
    size: usize,
    /// First player: formatted by [`described`] in a log, in the user's words for workers.
    first: String,
    second: String,
    opening: u32,
    move_limit: u32,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    /// Name of the rule set; the usual rules if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    /// Name of the start position; the usual start if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
}

/// The specification of a match for workers.
#[derive(Serialize, Deserialize)]
pub(crate) struct Terms {
    #[serde(flatten)]
    header: Header,
    /// `true` if the players have endgame tables.
    endgames: bool,
}

/// A line of a log.
#[derive(Serialize, Deserialize)]
pub(crate) struct LoggedPair {
    pair: u64,
    games: [LoggedGame; 2],
}

#[derive(Serialize, Deserialize)]
struct LoggedGame {
    /// Half points of the first player.
    half_points: usize,
    first_begins: bool,
    reason: String,
    moves: String,
    nodes: [u64; 2],
    seconds: [f64; 2],
    /// Moves of each player, and the sum of their depths. Logs of earlier versions have neither.
    #[serde(default)]
    made: [u32; 2],
    #[serde(default)]
    depths: [u64; 2],
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let resources = endgames::load(options.game)?;
    let size = options.game.board_size(options.size)?;
    let header = options.header(size, |player| player.words.clone());
    let terms = Terms { header, endgames: resources.has_endgames() };
    // Invalid players are rejected before anything is played.
    drop(terms.hand(&resources)?);
    let mut running = RunningMatch::new(options, size)?;
    let began = running.standing.tally.count();
    if began < options.pairs && !running.is_decided() {
        let hands = Hands::new(options.store.as_ref(), note_alone, options.jobs as usize, &resources);
        jobs::run(
            &terms,
            began..options.pairs,
            |_| String::new(),
            &hands,
            |pair| {
                running.take(&pair)?;
                anyhow::Ok(!running.is_decided())
            },
        )?;
    }
    running.finish(out)
}

impl Options {
    /// Returns the parameters of the match. `player` formats the players.
    fn header(&self, size: usize, player: impl Fn(&Words) -> String) -> Header {
        Header {
            game: self.game.to_string(),
            size,
            first: player(&self.first),
            second: player(&self.second),
            opening: self.opening,
            move_limit: self.move_limit,
            seed: self.seed,
            clock: self.clock.map(|clock| clock.to_string()),
            rules: self.rules.rules.clone(),
            start: self.rules.start.clone(),
        }
    }
}

/// A job is a pair of games; its output is the pair's line of the log.
impl Kind for Terms {
    const NAME: &'static str = "match";
    type Output = LoggedPair;

    fn endgames(&self) -> Option<GameId> {
        self.header.game.parse().ok().filter(|_| self.endgames)
    }

    fn hand<'a>(&'a self, resources: &'a Resources) -> Result<Hand<'a, LoggedPair>, Failure> {
        let planned = self.header.planned(resources)?;
        let mut engines = planned.engines().map_err(Failure::of)?;
        Ok(Box::new(move |pair, _| {
            if pair >= MOST_PAIRS {
                return Err(Failure(format!("pair {pair}: expected a number below {MOST_PAIRS}")));
            }
            Ok(logged(&planned.pair(&mut engines, pair)))
        }))
    }
}

impl Header {
    /// Returns the match. The header must contain the players in the user's words.
    fn planned(&self, resources: &Resources) -> Result<Match, Failure> {
        let Self { game, size, first, second, opening, move_limit, seed, clock, rules, start } = self;
        let game = game.parse().map_err(Failure::of)?;
        let rules = Rules::named(game, Some(*size), rules.as_deref(), start.as_deref()).map_err(Failure::of)?;
        let player = |words: &str| Ok((words.parse().map_err(Failure::of)?, resources.clone()));
        Ok(Match {
            setting: Setting { game, size: Some(*size), move_limit: *move_limit, repetitions: None, rules },
            opening_plies: *opening,
            seed: *seed,
            clock: clock.as_ref().map(|clock| clock.parse()).transpose().map_err(Failure::of)?,
            players: [player(first)?, player(second)?],
        })
    }
}

/// Formats a player for a log's header. The format is that of the first logs, so that old matches can be resumed.
fn described(player: &PlayerOptions) -> String {
    let PlayerOptions { level, movetime, nodes, threads, build, depth, table_mib, horizon, noise, .. } = player;
    let (proof, without_endgames, changes) = (player.proof_percent, !player.endgames, &player.techniques);
    let book = if player.book { "" } else { ", book: false" };
    let tuning = if player.tuning.is_empty() { String::new() } else { format!(", tuning: {:?}", player.tuning) };
    format!(
        "PlayerOptions {{ strength: Strength {{ level: Level({level}), movetime: {movetime:?}, nodes: {nodes:?}, threads: \
         {threads} }}, build: {build:?}, depth: {depth:?}, table_mib: {table_mib:?}, horizon: {horizon:?}, noise: \
         {noise:?}, proof: {proof:?}, without_endgames: {without_endgames}, changes: {changes:?}{book}{tuning} }}"
    )
}

/// The results of all pairs that have been played, including those in the log.
struct Standing {
    tally: Tally,
    lost_on_time: u32,
}

impl Standing {
    fn add(&mut self, pair: &LoggedPair) -> anyhow::Result<()> {
        self.tally.add(score_of(pair)?);
        self.lost_on_time += pair.games.iter().filter(|game| game.reason == TIME).count() as u32;
        Ok(())
    }
}

/// A match in progress.
struct RunningMatch<'a> {
    options: &'a Options,
    log: Option<File>,
    standing: Standing,
    work: [Work; 2],
    plies: u64,
    bar: Bar,
    /// Number of pairs that were in the log at the start.
    before: u64,
}

impl<'a> RunningMatch<'a> {
    fn new(options: &'a Options, size: usize) -> anyhow::Result<Self> {
        let mut standing = Standing { tally: Tally::new(), lost_on_time: 0 };
        let header = options.header(size, |player| described(&player.player));
        let log = match &options.log {
            None => None,
            Some(path) => {
                let log = open_log(path, &header, &mut standing);
                Some(log.with_context(|| format!("match log {}", path.display()))?)
            }
        };
        let before = standing.tally.count();
        let bar = Bar::new(options.quiet || options.json, before);
        Ok(Self { options, log, standing, work: [Work::default(); 2], plies: 0, bar, before })
    }

    fn take(&mut self, pair: &LoggedPair) -> anyhow::Result<()> {
        self.standing.add(pair)?;
        for game in &pair.games {
            self.plies += game.moves.split_whitespace().count() as u64;
            for (i, sum) in self.work.iter_mut().enumerate() {
                sum.moves += game.made[i];
                sum.nodes += game.nodes[i];
                sum.depths += game.depths[i];
                sum.time += Duration::try_from_secs_f64(game.seconds[i]).unwrap_or_default();
            }
        }
        if let Some(log) = &mut self.log {
            let mut line = serde_json::to_string(pair)?;
            line.push('\n');
            // One write, so that a kill can damage only the last line.
            log.write_all(line.as_bytes())?;
        }
        self.show();
        Ok(())
    }

    fn is_decided(&self) -> bool {
        self.options.sprt.is_some_and(|sprt| sprt.verdict(&self.standing.tally) != Verdict::Open)
    }

    fn show(&self) {
        let tally = &self.standing.tally;
        let (done, all) = (tally.count(), self.options.pairs);
        let llr = self.options.sprt.map_or(String::new(), |sprt| format!("  LLR {}", signed(sprt.llr(tally), 2)));
        self.bar.show(done, all, &format!("{done}/{all} pairs  Elo {}{llr}", tally.elo()));
    }

    fn finish(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.bar.clear();
        let Standing { tally, lost_on_time } = &self.standing;
        let [wins, draws, losses] = tally.wins_draws_losses();
        if self.options.json {
            let summary = serde_json::json!({
                "pairs": tally.pairs(), "wins": wins, "draws": draws, "losses": losses,
                "score": tally.score(), "elo": finite(tally.elo().value), "elo_error": finite(tally.elo().error),
                "los": tally.los(), "llr": self.options.sprt.map(|sprt| sprt.llr(tally)),
                "lost_on_time": lost_on_time,
            });
            writeln!(out, "{summary}")?;
            return Ok(());
        }
        writeln!(out, "games   {wins} won, {draws} drawn, {losses} lost by the first player")?;
        writeln!(out, "pairs   {:?} by points of the first player: 0, ½, 1, 1½, 2", tally.pairs())?;
        writeln!(out, "score   {:.1} %", 100.0 * tally.score())?;
        let normalised = tally.normalised_elo().map_or(String::new(), |elo| format!(", normalised {elo}"));
        writeln!(out, "Elo     {} (95 %){normalised}", tally.elo())?;
        writeln!(out, "LOS     {:.1} %", 100.0 * tally.los())?;
        if let Some(sprt) = &self.options.sprt {
            writeln!(out, "SPRT    {}", sprt.report(tally, "the first player"))?;
            writeln!(out, "test    {sprt}")?;
        }
        for (name, work) in ["first", "second"].into_iter().zip(self.work).filter(|(_, work)| work.moves > 0) {
            let moves = f64::from(work.moves);
            writeln!(
                out,
                "{name:<7} {:.0} nodes, depth {:.1}, {:.1} ms a move",
                work.nodes as f64 / moves,
                work.depths as f64 / moves,
                work.time.as_secs_f64() * 1e3 / moves
            )?;
        }
        let games = 2 * (tally.count() - self.before);
        if games > 0 {
            writeln!(out, "games   {:.1} plies each", self.plies as f64 / games as f64)?;
        }
        if self.options.clock.is_some() {
            writeln!(out, "time    {lost_on_time} game{} lost on time", plural(*lost_on_time))?;
        }
        Ok(())
    }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

fn logged(pair: &[Played; 2]) -> LoggedPair {
    let game = |game: &Played| LoggedGame {
        half_points: game.score.half_points(),
        first_begins: game.pairing.first_begins,
        reason: match game.ending {
            Ending::Rules(reason) => format!("{reason:?}"),
            Ending::Time => TIME.to_owned(),
        },
        moves: game.moves.join(" "),
        nodes: game.work.map(|work| work.nodes),
        seconds: game.work.map(|work| work.time.as_secs_f64()),
        made: game.work.map(|work| work.moves),
        depths: game.work.map(|work| work.depths),
    };
    LoggedPair { pair: pair[0].pairing.pair, games: [game(&pair[0]), game(&pair[1])] }
}

/// Opens a log to resume from it: counts its pairs and removes an unfinished last line.
fn open_log(path: &Path, header: &Header, standing: &mut Standing) -> anyhow::Result<File> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let mut whole = 0;
    let mut reader = BufReader::new(&file);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 && line.ends_with('\n') {
        if whole == 0 {
            let found: Header = serde_json::from_str(&line).context("its first line does not describe a match")?;
            if found != *header {
                bail!("it belongs to another match:\n  {found:?}\nexpected\n  {header:?}");
            }
        } else {
            let next = standing.tally.count();
            let pair: LoggedPair = serde_json::from_str(&line).with_context(|| format!("pair {next}"))?;
            if pair.pair != next {
                bail!("pair {} where {next} was expected", pair.pair);
            }
            standing.add(&pair)?;
        }
        whole += line.len() as u64;
        line.clear();
    }
    let heading = serde_json::to_string(header)?;
    if whole == 0 && !heading.starts_with(&line) {
        bail!("it is not a log of a match");
    }
    file.set_len(whole)?;
    std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0))?;
    if whole == 0 {
        writeln!(file, "{heading}")?;
    }
    Ok(file)
}

fn score_of(line: &LoggedPair) -> anyhow::Result<[GameScore; 2]> {
    let mut scores = [GameScore::Loss; 2];
    for (score, game) in scores.iter_mut().zip(&line.games) {
        *score = match game.half_points {
            0 => GameScore::Loss,
            1 => GameScore::Draw,
            2 => GameScore::Win,
            other => bail!("pair {}: {other} half points in a game, expected 0, 1 or 2", line.pair),
        };
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_read_and_wrong_ones_explained() {
        let usual = Sprt::new(-1.0, 5.0, 0.05, 0.05).expect("a test");
        assert_eq!(sprt("-1,5"), Ok(usual));
        assert_eq!(sprt("-1, 5, model=normalised"), Ok(usual));
        let other = Sprt::new(0.0, 5.0, 0.1, 0.2).expect("a test").of(Model::Logistic);
        assert_eq!(sprt("0,5,beta=0.2,model=logistic,alpha=0.1"), Ok(other));
        for (text, part) in [
            ("5", "two numbers"),
            ("0,5,6", "two numbers"),
            ("0,5,gamma=1", "two numbers"),
            ("0,5,alpha=x", "`alpha=x`"),
            ("0,5,alpha=0.5", "error probability 0.5"),
            ("0,5,model=bayesian", "`normalised` or `logistic`"),
            ("5,0", "hypotheses"),
        ] {
            let error = sprt(text).expect_err(text);
            assert!(error.contains(part), "{error}");
        }
    }

    /// The text is from a log that an earlier version wrote.
    #[test]
    fn logs_of_earlier_versions_can_go_on() {
        let player = "level=2,movetime=0.5,nodes=10,horizon=0/0,without=quiescence+all,endgames=no,build=first";
        let text = "PlayerOptions { strength: Strength { level: Level(2), movetime: Some(500ms), nodes: Some(10), threads: 1 \
                    }, build: First, depth: None, table_mib: None, horizon: Some((0, 0)), noise: None, proof: None, \
                    without_endgames: true, changes: [(Some(Quiescence), false), (None, false)] }";
        assert_eq!(described(&player.parse().expect("a player")), text);
        let tuned = described(&"set=late:4".parse().expect("a player"));
        assert_ne!(described(&"book=no".parse().expect("a player")), described(&PlayerOptions::default()));
        assert!(tuned.contains("late") && tuned != described(&PlayerOptions::default()), "{tuned}");
    }
}
