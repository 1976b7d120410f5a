//! Wins of positions, proven with a strategy that is checked by the slow rules.

use engine::Resources;
use game::{Outcome, Position, Side, Symmetries};
use proof::Team;
use proof::win::{Checked, EitherSide, NoStrategy, Prover, Strategy, WinError, WinFile};
use search::Stop;
use thiserror::Error;

use crate::definition::Game;
use crate::prove::Budget;
use crate::registry::{GameId, UnknownGame};
use crate::text::NoPosition;

/// Positions between two reports at first, and at most.
const SLICE: (u64, u64) = (50_000, 1_000_000);

/// What is to be proven.
#[derive(Clone, Copy, Debug)]
pub struct WinQuestion<'a> {
    /// The game.
    pub game: GameId,
    /// Squares a side, if there is no position.
    pub size: Option<usize>,
    /// Text of the position; the start if there is none.
    pub position: Option<&'a str>,
    /// The name of the side that wins, in any case; either if none is named.
    pub side: Option<&'a str>,
    /// Whether a proven win is also read as a strategy.
    pub strategy: bool,
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoQuestion {
    /// There is no such position.
    #[error(transparent)]
    Position(#[from] NoPosition),
    /// The game has no such side.
    #[error("unknown side `{found}`: expected `{}` or `{}`", expected[0], expected[1])]
    Side {
        /// What was asked for.
        found: String,
        /// The names of the sides.
        expected: [String; 2],
    },
    /// There is nothing to prove.
    #[error("the game is over in this position: {0}")]
    Over(String),
}

/// What is done at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// So many positions were visited.
    Search(u64),
    /// So many steps of the strategy were read.
    Steps(u64),
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinAnswer {
    /// Text of the position.
    pub position: String,
    /// Visited positions, before the strategy was read.
    pub nodes: u64,
    /// What was found.
    pub verdict: WinVerdict,
    /// The strategy, if it was asked for and a win was proven.
    pub strategy: Option<Result<Strategy, NoStrategy>>,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinVerdict {
    /// This side wins.
    Won(&'static str),
    /// The named side, or either side, cannot force a win.
    NotWon,
    /// It was stopped, or the budget was spent.
    Open,
}

impl WinQuestion<'_> {
    /// Looks for a proof. The budget's tables are shared by both sides if no side is named. `tell` hears of the
    /// progress. Recursion goes as deep as a game is long, so the caller's thread needs a large stack.
    ///
    /// # Errors
    /// If the question makes no sense.
    pub fn answer(self, budget: Budget, stop: &Stop, tell: &mut dyn FnMut(Stage)) -> Result<WinAnswer, NoQuestion> {
        self.game.position(self.position, self.size)?.win(&self, budget, stop, tell)
    }
}

/// Answers a question about a position.
pub(crate) fn answer<P: Game>(
    root: &P,
    question: &WinQuestion<'_>,
    budget: Budget,
    stop: &Stop,
    tell: &mut dyn FnMut(Stage),
) -> Result<WinAnswer, NoQuestion> {
    undecided(root)?;
    let sides = sides::<P>(question.side, root.side_to_move())?;
    let policy = P::policy(&Resources::default());
    let mut exact = P::exact(root, stop, budget);
    let table_mib = (budget.table_mib / sides.len()).max(1);
    let mut either = EitherSide::new(&policy, stop.clone(), table_mib, budget.nodes);
    let prover: &mut dyn Prover<P> = match &mut exact {
        Some(exact) => &mut **exact,
        None => &mut either,
    };
    let found = search(root, &sides, prover, budget.nodes, stop, tell);
    let nodes = prover.nodes();
    let strategy = match found {
        Found::Won(winner) if question.strategy => Some(read::<P>(root, winner, prover, stop, tell)),
        _ => None,
    };
    let verdict = match found {
        Found::Won(winner) => WinVerdict::Won(P::side_name(winner)),
        Found::NotWon => WinVerdict::NotWon,
        Found::Open => WinVerdict::Open,
    };
    Ok(WinAnswer { position: root.to_string(), nodes, verdict, strategy })
}

/// Refuses positions in which the game is over.
pub(crate) fn undecided<P: Position>(root: &P) -> Result<(), NoQuestion> {
    match root.outcome() {
        None => Ok(()),
        Some(Outcome::Win(side)) => Err(NoQuestion::Over(format!("{} has won", P::side_name(side)))),
        Some(Outcome::Draw) => Err(NoQuestion::Over("a draw".to_owned())),
    }
}

/// The sides that may win, the one to move first.
pub(crate) fn sides<P: Position>(name: Option<&str>, mover: Side) -> Result<Vec<Side>, NoQuestion> {
    let Some(name) = name else { return Ok(vec![mover, !mover]) };
    let side = Side::BOTH.into_iter().find(|&side| P::side_name(side).eq_ignore_ascii_case(name));
    side.map(|side| vec![side]).ok_or_else(|| NoQuestion::Side {
        found: game::text::excerpt(name),
        expected: P::SIDE_NAMES.map(str::to_lowercase),
    })
}

enum Found {
    Won(Side),
    NotWon,
    Open,
}

/// Looks for a win of each side in turn.
fn search<P: Position>(
    root: &P,
    sides: &[Side],
    prover: &mut dyn Prover<P>,
    nodes: u64,
    stop: &Stop,
    tell: &mut dyn FnMut(Stage),
) -> Found {
    let mut open = sides.to_vec();
    let mut slice = SLICE.0;
    while !open.is_empty() {
        for side in open.clone() {
            let limit = prover.nodes().saturating_add(slice).min(nodes);
            match prover.wins(root, side, limit) {
                Some(true) => return Found::Won(side),
                Some(false) => open.retain(|&other| other != side),
                None => (),
            }
            tell(Stage::Search(prover.nodes()));
            if !open.is_empty() && (stop.check(0).is_err() || prover.nodes() >= nodes) {
                return Found::Open;
            }
        }
        slice = (2 * slice).min(SLICE.1);
    }
    Found::NotWon
}

/// Reads a strategy, with symmetric positions as one where that leads to no circle.
fn read<P: Game>(
    root: &P,
    winner: Side,
    prover: &mut dyn Prover<P>,
    stop: &Stop,
    tell: &mut dyn FnMut(Stage),
) -> Result<Strategy, NoStrategy> {
    let mut tell = |steps| tell(Stage::Steps(steps));
    let mut read = |symmetries| Strategy::read(P::NAME, root, winner, symmetries, prover, stop, &mut tell);
    match read(P::SYMMETRIES) {
        Err(NoStrategy::Circle) => read(Symmetries::None),
        read => read,
    }
}

/// Checks the file of a strategy by the slow rules of its game. `progress` is called with the number of checked steps
/// and of all steps. Returns what was found and the winner's name.
///
/// # Errors
/// If the game is unknown, or the file makes a false claim.
pub fn check_win(
    file: &WinFile<'_>,
    team: Team<'_>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(Checked, &'static str), WinError> {
    let game: GameId = file.header.game.parse().map_err(|unknown: UnknownGame| WinError::Game(unknown.to_string()))?;
    game.check_win(file, team, progress)
}
