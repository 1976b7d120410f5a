//! Plays single games.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use game::{MoveError, Outcome, Side, TextGame};
use process::affinity;
use protocol::TimeLeft;
use referee::{Farewell, Fault, Played, Player, Ply, Speaker, Transcript, Turn};

use crate::judge::Judge;
use crate::live::Showcase;
use crate::log::{Begun, GameLog, ScoreLog};
use crate::planned::Planned;
use crate::players::Venue;
use crate::spec::{Affinity, Spec};
use crate::starts::{Absent, forfeited};

/// The environment in which the games of a tournament are played.
pub(crate) struct GameRunner<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) venue: &'a Venue,
    /// Number of the tournament in the store.
    pub(crate) tournament: i64,
    /// Returns `true` once the games are cancelled.
    pub(crate) is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// Live view of the games in play.
    pub(crate) showcase: &'a Showcase,
}

/// Processor cores of the first and the second side.
pub type Cores = [Vec<usize>; 2];

/// A finished game with its duration.
pub(crate) struct Finished {
    pub(crate) planned: Planned,
    pub(crate) start: String,
    pub(crate) opening: Vec<String>,
    pub(crate) played: Played,
    pub(crate) took: Duration,
}

impl Finished {
    /// Ends a game without playing it, because at least one agent is withdrawn.
    pub(crate) fn forfeit(spec: &Spec, planned: Planned, absent: Absent) -> Result<Self, String> {
        let game = spec.new_game(planned.opening_seed)?;
        let played = forfeited(absent, game.plies());
        Ok(Self { planned, start: game.start(), opening: game.moves(), played, took: Duration::ZERO })
    }

    /// Returns the log of a game that began at this time on this machine.
    pub(crate) fn log(self, at: String, machine: &str) -> GameLog {
        let begun = Begun { start: self.start, opening: self.opening, at, machine: machine.to_owned() };
        GameLog::new(self.planned, begun, self.played, self.took)
    }
}

impl GameRunner<'_> {
    /// Plays a game. Returns `None` if the tournament was stopped.
    pub(crate) fn play(&self, planned: Planned, cores: Option<&Cores>) -> Result<Option<Finished>, String> {
        let spec = self.spec;
        let agents = planned.agents.map(|agent| &spec.agents[agent]);
        let mut game = spec.new_game(planned.opening_seed)?;
        let (start, opening) = (game.start(), game.moves());
        let transcript = self.transcript(planned.number)?;
        let seated = |side: usize| {
            let mut player = spec.player(agents[side], self.venue)?;
            if let Some(transcript) = &transcript {
                player.write_down(transcript);
                let (name, board) = (&agents[side].name, game.position());
                transcript.write(Side::BOTH[side], Speaker::Note, format_args!("{name}; the board is {board}"));
            }
            Ok::<_, String>(match cores {
                Some(cores) => Box::new(Pinned { player, cores: cores[side].clone() }),
                None => player,
            })
        };
        let (mut first, mut second) = (seated(0)?, seated(1)?);
        let began = Instant::now();
        let mut judge = Judge::new(spec, &self.venue.resources);
        let mut failed = None;
        let referee = spec.referee(agents);
        let mut place = self.showcase.begin(self.tournament, &planned, &*game, referee.time);
        let watch = &mut |game: &dyn TextGame, ply: &Ply| {
            place.moved(game, ply);
            if let Some(transcript) = &transcript {
                let by = if ply.replaced { ", a random move by the referee" } else { "" };
                transcript.write(ply.side, Speaker::Note, format_args!("{}{by}", ply.text));
                if !ply.waited.is_zero() {
                    let waited = ply.waited.as_secs_f64();
                    let note = format_args!("other programs had its processor for {waited:.2} s, which is not charged");
                    transcript.write(ply.side, Speaker::Note, note);
                }
            }
            if (self.is_stopped)() {
                return ControlFlow::Break(None);
            }
            let score = ply.info.score.filter(|_| !ply.replaced).map(ScoreLog::from);
            match judge.observe(game, ply.side, score) {
                Ok(None) => ControlFlow::Continue(()),
                Ok(ruling) => ControlFlow::Break(ruling),
                Err(why) => {
                    failed = Some(why);
                    ControlFlow::Break(None)
                }
            }
        };
        let played = referee.play(&mut *game, [&mut *first, &mut *second], planned.seed, watch);
        let took = began.elapsed();
        if let Some(why) = failed {
            return Err(why);
        }
        if let Some(played) = &played {
            place.over(played);
        }
        if let (Some(transcript), Some(played)) = (&transcript, &played) {
            for offence in &played.offences {
                transcript.write(offence.side, Speaker::Note, format_args!("{}", offence.fault));
            }
            let winner = played.outcome.and_then(Outcome::winner);
            let side = winner.unwrap_or(Side::First);
            let result = if winner.is_some() { "won: " } else { "" };
            transcript.write(side, Speaker::Note, format_args!("{result}{}", played.ending));
        }
        Ok(played.map(|played| Finished { planned, start, opening, played, took }))
    }

    /// Creates the transcript of a game, if the tournament has transcripts.
    fn transcript(&self, game: u32) -> Result<Option<Transcript>, String> {
        let Some(folder) = &self.spec.log else { return Ok(None) };
        let path: PathBuf = folder.join(format!("tournament-{}-game-{game}.log", self.tournament));
        let made = std::fs::create_dir_all(folder).and_then(|()| Transcript::create(&path));
        made.map(Some).map_err(|error| format!("log: file {}: {error}", path.display()))
    }
}

/// Divides the cores evenly among `jobs` simultaneous games. The cores of a game are divided between its two players.
/// If a game has a single core, both players share it, because only one of them is to move at a time.
///
/// # Errors
/// If there are fewer cores than games, or a core does not exist.
pub fn cores(affinity: &Affinity, jobs: usize) -> Result<Option<Vec<Cores>>, String> {
    let available = || affinity::cores().map_err(|error| format!("affinity: {error}"));
    let cores = match affinity {
        Affinity::All(false) => return Ok(None),
        Affinity::All(true) => available()?,
        Affinity::Cores(cores) => {
            let available = available()?;
            if let Some(core) = cores.iter().find(|core| !available.contains(core)) {
                return Err(format!("affinity: core {core} found, expected some of {available:?}"));
            }
            cores.clone()
        }
    };
    let each = cores.len() / jobs.max(1);
    if each == 0 {
        return Err(format!("affinity: {jobs} games at the same time need {jobs} cores, {} found", cores.len()));
    }
    let divided = cores.chunks_exact(each).take(jobs).map(|own| match own.len() / 2 {
        0 => [own.to_vec(), own.to_vec()],
        half => [own[..half].to_vec(), own[half..2 * half].to_vec()],
    });
    Ok(Some(divided.collect()))
}

/// A player that is restricted to some cores. Before the player begins and before each of its moves, the thread of the
/// game is restricted to these cores. Our engines run in this thread, and processes that it starts inherit the
/// restriction.
struct Pinned {
    player: Box<dyn Player>,
    cores: Vec<usize>,
}

impl Pinned {
    fn pin_thread(&self) {
        // The cores were checked before the first game. If the system has removed one since then, the game continues
        // without it.
        let _ = affinity::stay_on(&self.cores);
    }
}

impl Player for Pinned {
    fn begin(&mut self, game: &dyn TextGame, side: Side, seed: u64, within: Duration) -> Result<(), Fault> {
        self.pin_thread();
        self.player.begin(game, side, seed, within)
    }

    fn choose(&mut self, game: &dyn TextGame, time: &TimeLeft) -> Turn {
        self.pin_thread();
        self.player.choose(game, time)
    }

    fn end(&mut self, game: &dyn TextGame) -> Farewell {
        self.player.end(game)
    }

    fn write_down(&mut self, transcript: &Transcript) {
        self.player.write_down(transcript);
    }

    fn can_be_replaced(&self) -> bool {
        self.player.can_be_replaced()
    }

    fn explain(&self, error: &MoveError) -> String {
        self.player.explain(error)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn cores_are_divided_among_games_and_players() {
        let there = affinity::cores().expect("cores");
        let core = there[0];
        assert_eq!(cores(&Affinity::All(false), 99), Ok(None));
        assert_eq!(cores(&Affinity::Cores(vec![core]), 1), Ok(Some(vec![[vec![core], vec![core]]])));
        let many = cores(&Affinity::All(true), there.len()).expect("one each").expect("divided");
        let expected: Vec<Cores> = there.iter().map(|&core| [vec![core], vec![core]]).collect();
        assert_eq!(many, expected);
        if let &[one, other, ..] = there.as_slice() {
            let pair = cores(&Affinity::Cores(vec![one, other]), 1).expect("enough").expect("divided");
            assert_eq!(pair, [[vec![one], vec![other]]]);
        }
        let error = cores(&Affinity::Cores(vec![core]), 2).expect_err("one core");
        assert_eq!(error, "affinity: 2 games at the same time need 2 cores, 1 found");
        let error = cores(&Affinity::Cores(vec![100_000]), 1).expect_err("no such core");
        assert!(error.starts_with("affinity: core 100000 found, expected some of ["), "{error}");
    }
}
