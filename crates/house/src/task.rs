//! Tasks: work that searches, replays a whole game or reads a file. A [`House`](crate::House) requests tasks, and its
//! caller performs them step by step, outside the house.

use core::num::NonZeroUsize;
use core::time::Duration;
use std::sync::{Arc, Mutex, PoisonError};

use engine::{Level, PlayerOptions, Resources};
use game::{Explain as _, Message, message};
use games::{AnyRecord, Asked, Attempt, Budget, Proof, Thought};
use search::{Host, Stop};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::desk::{self, refused};
use crate::judge::{self, Judge};
use crate::library::Library;
use crate::messages::answer::{Answer, ProofState};
use crate::messages::game::{Archived, Game, NewGame, Seat};
use crate::messages::request::Request;
use crate::room::{Room, record, texts};

/// Durations of the successive searches of an analysis, in milliseconds.
const LOOKS: [u64; 6] = [60, 250, 1_000, 4_000, 10_000, 30_000];
/// Maximum duration of such a search while other analyses wait, in milliseconds.
const LOOK_WITH_OTHERS: u64 = 1_000;
/// Maximum number of lines of an analysis.
const MOST_LINES: usize = 5;
/// Maximum number of positions visited by a proof.
const PROOF_NODES: u64 = 400_000_000;

/// Returns the error for a request for replies without a proof.
pub(crate) fn no_proof() -> Message {
    message!("proof.none", "Nothing is proven yet.")
}

/// The game of a search. Inside one process, a room and its searches share a record. The JSON form of a record is that
/// of [`Game`].
#[derive(Clone)]
pub enum Subject {
    /// Start and moves, not checked yet.
    Texts(Game),
    /// Record of the game.
    Record(Arc<dyn AnyRecord>),
}

/// A proven win, shared by the task that found it and the tasks that find replies.
pub(crate) type FoundProof = Arc<Mutex<Box<dyn Proof>>>;

/// A task. The tasks for the thinkers of a [`Program`](crate::Program) have a JSON form.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Searches a game.
    Search {
        /// The game. `Goal::Judge` takes its moves back one by one.
        game: Subject,
        /// Kind of search.
        goal: Goal,
    },
    /// Finds the losing side's replies after a line from a proven position.
    Replies {
        /// Id of the request.
        id: u32,
        /// Moves from the proven position.
        line: Vec<String>,
        /// Number of the task that found the proof.
        of: u32,
        /// The proof, if it was found in this process.
        #[serde(skip)]
        proof: Option<FoundProof>,
    },
    /// Answers a request about a game outside rooms.
    #[serde(skip)]
    Question(Request),
    /// Answers a request about finished games.
    #[serde(skip)]
    Query(Arc<Library>, Request),
    /// Stores a finished game.
    #[serde(skip)]
    Keep(Arc<Library>, Archived),
    /// Creates a room for a long game.
    #[serde(skip)]
    Begin(Box<NewGame>),
}

/// The goal of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// An engine's move in a room.
    Move {
        /// The engine.
        seat: Seat,
        /// Seed of the engine's random choices.
        seed: u64,
    },
    /// A hint.
    Hint {
        /// Number of moves that lead to the position.
        ply: u32,
    },
    /// An analysis with increasing time limits, one search per step.
    Analyse(Analysis),
    /// An evaluation of every position of a game.
    Judge(Judge),
    /// A proof of the winner.
    Prove {
        /// Id of the request.
        id: u32,
    },
}

/// A requested analysis.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Analysis {
    /// Id of the request.
    pub id: u32,
    /// Requested number of lines.
    pub lines: usize,
    /// Number of finished searches.
    #[serde(default)]
    pub looks: usize,
}

/// The result of a step of a task.
pub enum Outcome {
    /// An intermediate result. The step continues.
    Progress(Answer),
    /// The last answer.
    Answer(Answer),
    /// An answer, if this step has one, and the rest of the task.
    More(Option<Answer>, Box<Task>),
    /// The engine's move, if it found one.
    Move(Option<String>),
    /// The last report on a proof, with the proof if one side wins.
    Proved(Answer, Option<FoundProof>),
    /// A new room, or the reason why it cannot be created.
    Room(Box<NewGame>, Result<Box<Room>, Message>),
    /// No result: the task was stopped or failed, or tasks of its kind have no result.
    Nothing,
}

/// The kinds of tasks. A task waits only for tasks of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Requests that replay a whole game.
    Replay,
    /// Moves of engines, and hints.
    Move,
    /// Analyses and evaluations.
    Analysis,
    /// Proofs.
    Proof,
    /// Replies in a proof.
    Replies,
    /// Requests about finished games.
    Query,
    /// Storage of finished games, and the ladder, which is computed from them.
    Keep,
}

impl Slot {
    /// Every kind.
    pub(crate) const ALL: [Self; 7] =
        [Self::Replay, Self::Move, Self::Analysis, Self::Proof, Self::Replies, Self::Query, Self::Keep];
}

/// The environment of a step, and its stop signal.
#[derive(Clone)]
pub struct Place {
    /// Resources of the players.
    pub resources: Resources,
    /// Clock and threads.
    pub host: Host,
    /// Number of threads for an analysis.
    pub threads: NonZeroUsize,
    /// `true` if other analyses wait, so this one should be short.
    pub is_brief: bool,
    /// Memory of each side's table in a proof, in MiB.
    pub table_mib: usize,
    /// Signal that ends the step early.
    pub stop: Stop,
}

impl Place {
    fn now(&self) -> Duration {
        self.host.clock.map_or(Duration::ZERO, |clock| clock())
    }

    fn think(
        &self,
        record: &dyn AnyRecord,
        player: &PlayerOptions,
        seed: u64,
        tell: &mut dyn FnMut(Thought),
    ) -> Option<Thought> {
        let asked = Asked { player, resources: &self.resources, host: self.host, seed };
        record.think(&asked, self.stop.clone(), tell).ok().flatten()
    }
}

impl Task {
    /// Returns the kind of the next step.
    pub fn slot(&self) -> Slot {
        match self {
            Self::Question(_) | Self::Begin(_) | Self::Search { game: Subject::Texts(_), .. } => Slot::Replay,
            // The ladder waits until a game that has just ended is stored.
            Self::Keep(..) | Self::Query(_, Request::Ladder { .. }) => Slot::Keep,
            Self::Query(..) => Slot::Query,
            Self::Replies { .. } => Slot::Replies,
            Self::Search { goal: Goal::Move { .. } | Goal::Hint { .. }, .. } => Slot::Move,
            Self::Search { goal: Goal::Analyse(_) | Goal::Judge(_), .. } => Slot::Analysis,
            Self::Search { goal: Goal::Prove { .. }, .. } => Slot::Proof,
        }
    }

    /// Returns `true` for a task that a thinker performs.
    pub(crate) fn is_for_thinker(&self) -> bool {
        matches!(self, Self::Search { .. } | Self::Replies { .. })
    }

    /// Returns the report that a proof is waiting, if the task is a proof.
    pub(crate) fn waiting(&self) -> Option<Answer> {
        let Self::Search { game: Subject::Record(_), goal: Goal::Prove { id } } = *self else { return None };
        Some(Answer::Proof { id, nodes: 0, seconds: 0.0, state: ProofState::Waiting, known: None })
    }

    /// Performs a step and returns when it has ended. `tell` receives intermediate results, which may be dropped.
    pub fn step(self, place: &Place, tell: &mut dyn FnMut(Answer)) -> Outcome {
        let (id, answered) = match self {
            Self::Search { game: Subject::Texts(game), goal } => match record(&game) {
                Ok(record) => return Outcome::more(None, record.into(), goal),
                Err(error) => (goal.id(), Err(error)),
            },
            Self::Search { game: Subject::Record(record), goal } => {
                let outcome = goal.search(record, place, tell);
                return outcome.filter(|_| place.stop.check(0).is_ok()).unwrap_or(Outcome::Nothing);
            }
            Self::Question(request) => (request.id(), desk::ask(request)),
            Self::Query(library, request) => (request.id(), library.answer(request)),
            Self::Replies { id, line, proof, .. } => (Some(id), replies(proof, id, &line)),
            Self::Keep(library, game) => {
                library.keep(game);
                return Outcome::Nothing;
            }
            Self::Begin(new) => {
                let room = Room::new(&new, 0, 0).map(Box::new);
                return Outcome::Room(new, room);
            }
        };
        Outcome::Answer(answered.unwrap_or_else(|message| refused(id, message)))
    }
}

impl Outcome {
    fn more(answer: Option<Answer>, record: Arc<dyn AnyRecord>, goal: Goal) -> Self {
        Self::More(answer, Box::new(Task::Search { game: Subject::Record(record), goal }))
    }
}

impl Goal {
    /// Returns the id that the answers repeat, if there is one.
    fn id(&self) -> Option<u32> {
        match *self {
            Self::Analyse(Analysis { id, .. }) | Self::Judge(Judge { id, .. }) | Self::Prove { id } => Some(id),
            Self::Move { .. } | Self::Hint { .. } => None,
        }
    }

    /// Performs a step of the search.
    fn search(self, mut record: Arc<dyn AnyRecord>, place: &Place, tell: &mut dyn FnMut(Answer)) -> Option<Outcome> {
        Some(match self {
            Self::Move { seat, seed } => {
                let thought = place.think(&*record, &seat.player()?, seed, &mut |_| ());
                Outcome::Move(thought.and_then(|thought| thought.lines.into_iter().next()?.moves.into_iter().next()))
            }
            Self::Hint { ply } => {
                let thought = place.think(&*record, &Seat::engine(Level::FULL).player()?, 1, &mut |_| ());
                Outcome::Answer(Answer::Hint { ply, thought })
            }
            Self::Analyse(analysis) => match analysis.look(&*record, place, tell) {
                (answer, true) => Outcome::Answer(answer),
                (answer, false) => {
                    let next = Analysis { looks: analysis.looks + 1, ..analysis };
                    Outcome::more(Some(answer), record, Self::Analyse(next))
                }
            },
            Self::Judge(judge) => {
                let judge = judge.begun(place.now());
                let thought = place.think(&*record, &judge::player(), 1, &mut |_| ());
                match judge.step(Arc::get_mut(&mut record)?, thought, place.now()) {
                    (answer, Some(rest)) => Outcome::more(Some(answer), record, Self::Judge(rest)),
                    (answer, None) => Outcome::Answer(answer),
                }
            }
            Self::Prove { id } => prove(id, &*record, place, tell),
        })
    }
}

impl Subject {
    /// Returns the name of the game.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Texts(game) => &game.game,
            Self::Record(record) => record.game().name(),
        }
    }
}

impl Serialize for Subject {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Texts(game) => game.serialize(to),
            Self::Record(record) => {
                let (game, start) = (record.game().to_string(), Some(record.start()));
                Game { game, size: None, start, moves: record.moves(), limit: record.move_limit() }.serialize(to)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Subject {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Game::deserialize(from).map(Self::Texts)
    }
}

impl Analysis {
    /// Performs the next search. Intermediate results are passed to `tell` only if one line is requested. Returns the
    /// answer and whether it is the last one.
    fn look(self, record: &dyn AnyRecord, place: &Place, tell: &mut dyn FnMut(Answer)) -> (Answer, bool) {
        let lines = NonZeroUsize::new(self.lines.clamp(1, MOST_LINES)).unwrap_or(NonZeroUsize::MIN);
        let ms = LOOKS.get(self.looks).copied().unwrap_or(0);
        let ms = if place.is_brief { ms.min(LOOK_WITH_OTHERS) } else { ms };
        let movetime = Some(Duration::from_millis(ms));
        let player = PlayerOptions { lines, threads: place.threads, movetime, ..PlayerOptions::analysis() };
        let (began, ply) = (place.now(), record.plies() as usize);
        let answer = |thought, done| {
            let seconds = place.now().saturating_sub(began).as_secs_f64();
            Answer::Thought { id: self.id, ply, seconds, thought, reason: None, done }
        };
        let mut hear = |thought| {
            if lines == NonZeroUsize::MIN {
                tell(answer(Some(thought), false));
            }
        };
        let thought = place.think(record, &player, 1, &mut hear);
        let over = self.looks + 1 >= LOOKS.len() || thought.as_ref().is_none_or(Thought::is_proven);
        (answer(thought, over), over)
    }
}

/// Tries to prove the winner, and passes progress reports to `tell`.
fn prove(id: u32, record: &dyn AnyRecord, place: &Place, tell: &mut dyn FnMut(Answer)) -> Outcome {
    let began = place.now();
    let report = |nodes, state, known| {
        let seconds = place.now().saturating_sub(began).as_secs_f64();
        Answer::Proof { id, nodes, seconds, state, known }
    };
    let mut visited = 0;
    let mut hear = |nodes| {
        visited = nodes;
        tell(report(nodes, ProofState::Searching, None));
    };
    hear(0);
    let budget = Budget { nodes: PROOF_NODES, table_mib: place.table_mib, host: place.host };
    match record.prove(&place.resources, budget, place.stop.clone(), &mut hear) {
        Attempt::Won(proof) => {
            let answer = report(visited, ProofState::Won, Some(proof.known()));
            Outcome::Proved(answer, Some(Arc::new(Mutex::new(proof))))
        }
        Attempt::NoWin(known) => Outcome::Proved(report(visited, ProofState::Drawn, Some(known)), None),
        Attempt::Open | Attempt::Over => Outcome::Proved(report(visited, ProofState::Open, None), None),
    }
}

/// Returns the losing side's replies after a line from a proven position. Missing parts of the proof are searched
/// again, which may take seconds.
///
/// # Errors
/// If there is no proof, the line is illegal, or the losing side is not to move after it.
fn replies(proof: Option<FoundProof>, id: u32, line: &[String]) -> Result<Answer, Message> {
    let proof = proof.ok_or_else(no_proof)?;
    let mut proof = proof.lock().unwrap_or_else(PoisonError::into_inner);
    let replies = proof.replies(&texts(line)).map_err(|error| error.message())?;
    Ok(Answer::Replies { id, replies })
}
