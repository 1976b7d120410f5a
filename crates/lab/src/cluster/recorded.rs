//! Games recorded once by our engines, from which simulated workers take their answers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use arena::{Away, BundleCache, GameLog, Planned, Showcase, Terms, Tournament, Venue, play_away};

/// Recorded games of a tournament, keyed by the seed of their opening. Logs are checked against the rules, so an answer
/// must begin with the requested opening.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    games: BTreeMap<u64, Vec<GameLog>>,
}

impl Recorded {
    /// Plays about `count` games of a tournament, between different agents, with each of its openings.
    pub(super) fn play(tournament: &Tournament, count: usize) -> Result<Self> {
        let venue = Venue::default();
        let terms = Terms::new(tournament, &venue, |_| Ok(())).map_err(|why| anyhow!(why))?;
        let plan = arena::games(&tournament.spec, &venue)?;
        let (bouts, games) = (plan.rounds().bouts().count(), tournament.spec.games as usize);
        // Sample the same number of games at each place in a bout, so that each opening occurs equally often.
        let each = count.div_ceil(games).max(1);
        let numbers = (0..each * games).map(|sample| (sample * bouts / (each * games)) * games + sample % games);
        let sampled: Vec<Planned> = numbers.filter_map(|number| plan.game(number as u32)).collect();
        let (next, played) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let play = |planned: &Planned| {
            let cache = BundleCache::new(PathBuf::new());
            let (venue, cache) = (&venue, &cache);
            // These games are not shown to viewers.
            let (showcase, at) = (&Showcase::default(), String::new());
            let away = Away { terms: &terms, venue, cache, cores: None, at, blames_start: true, showcase };
            play_away(away, planned.clone(), &|_| Ok(None))
        };
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some(planned) = sampled.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let game = play(planned);
                        played.lock().expect("no thread panics here").push(game);
                    }
                });
            }
        });
        let mut recorded = Self::default();
        for game in played.into_inner().expect("no thread panics here") {
            recorded.add(game.map_err(|why| anyhow!(why))?);
        }
        // Sort the games, so that the result does not depend on the order in which the threads finished.
        recorded.games.values_mut().for_each(|games| games.sort_by_key(|game| game.planned.number));
        Ok(recorded)
    }

    fn add(&mut self, game: GameLog) {
        self.games.entry(game.planned.opening_seed).or_default().push(game);
    }

    /// Returns the games, one per line.
    pub(super) fn to_lines(&self) -> Result<String> {
        let lines = self.games.values().flatten().map(serde_json::to_string);
        Ok(lines.collect::<Result<Vec<_>, _>>()?.join("\n"))
    }

    /// Parses the lines of [`to_lines`](Self::to_lines).
    pub(super) fn read<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let mut recorded = Self::default();
        for line in lines {
            recorded.add(serde_json::from_str(line).context("a recorded game")?);
        }
        Ok(recorded)
    }

    /// Returns the number of games.
    pub(super) fn count(&self) -> usize {
        self.games.values().map(Vec::len).sum()
    }

    /// Returns the mean number of the players' moves per game.
    pub(super) fn moves(&self) -> f64 {
        let moves: usize = self.games.values().flatten().map(|game| game.moves.len()).sum();
        moves as f64 / self.count().max(1) as f64
    }

    /// Returns the log of a game that a worker claimed at the time `at`. Each move takes `a_move`. The same game always
    /// gets the same moves.
    pub(super) fn answer(&self, planned: Planned, at: &str, a_move: Duration) -> Option<GameLog> {
        let games = self.games.get(&planned.opening_seed)?;
        let mut game = games.get((planned.seed % games.len().max(1) as u64) as usize)?.clone();
        game.seconds = game.moves.len() as f64 * a_move.as_secs_f64();
        game.planned = planned;
        at.clone_into(&mut game.began);
        Some(game)
    }
}
