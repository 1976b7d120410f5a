//! Proofs of wins, and winning strategies that the reference implementation of the rules checks.

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

/// Initial and maximum number of positions visited between two progress reports.
const SLICE: (u64, u64) = (50_000, 1_000_000);

/// The question of whether a side can force a win.
#[derive(Clone, Copy, Debug)]
pub struct WinQuestion<'a> {
    /// The game.
    pub game: GameId,
    /// Board size, in squares per side. The game's usual size if unset.
    pub size: Option<usize>,
    /// Position text; the start position if unset.
    pub position: Option<&'a str>,
    /// Name of the side that wins, case-insensitive; either side if unset.
    pub side: Option<&'a str>,
    /// `true` to extract a strategy from a proven win.
    pub strategy: bool,
}

/// Errors in a question.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoQuestion {
    /// The position is invalid.
    #[error(transparent)]
    Position(#[from] NoPosition),
    /// The game has no such side.
    #[error("unknown side `{found}`: expected `{}` or `{}`", expected[0], expected[1])]
    Side {
        /// Name in the question.
        found: String,
        /// Names of the sides.
        expected: [String; 2],
    },
    /// The game is over in the position.
    #[error("the game is over in this position: {0}")]
    Over(String),
}

/// The progress of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Search, with the number of visited positions.
    Search(u64),
    /// Extraction of the strategy, with the number of extracted steps.
    Steps(u64),
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinAnswer {
    /// Position text.
    pub position: String,
    /// Number of positions visited before the extraction of the strategy.
    pub nodes: u64,
    /// Result of the search.
    pub verdict: WinVerdict,
    /// Strategy, if it was requested and a win was proven.
    pub strategy: Option<Result<Strategy, NoStrategy>>,
}

/// The result of a search for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinVerdict {
    /// This side wins.
    Won(&'static str),
    /// The named side cannot force a win. If no side is named, neither side can.
    NotWon,
    /// The search was stopped, or the budget was spent.
    Open,
}

impl WinQuestion<'_> {
    /// Searches for a proof. If no side is named, the searches of both sides share the budget's table memory. Passes
    /// the progress to `report`. The recursion can be as deep as a game is long, so the caller's thread needs a large
    /// stack.
    ///
    /// # Errors
    /// If the question is invalid.
    pub fn answer(self, budget: Budget, stop: &Stop, report: &mut dyn FnMut(Stage)) -> Result<WinAnswer, NoQuestion> {
        self.game.position(self.position, self.size)?.win(&self, budget, stop, report)
    }
}

/// Answers a question about a position.
pub(crate) fn answer<P: Game>(
    root: &P,
    question: &WinQuestion<'_>,
    budget: Budget,
    stop: &Stop,
    report: &mut dyn FnMut(Stage),
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
    let found = search(root, &sides, prover, budget.nodes, stop, report);
    let nodes = prover.nodes();
    let strategy = match found {
        Found::Won(winner) if question.strategy => Some(read::<P>(root, winner, prover, stop, report)),
        _ => None,
    };
    let verdict = match found {
        Found::Won(winner) => WinVerdict::Won(P::side_name(winner)),
        Found::NotWon => WinVerdict::NotWon,
        Found::Open => WinVerdict::Open,
    };
    Ok(WinAnswer { position: root.to_string(), nodes, verdict, strategy })
}

/// Returns an error if the game is over in this position.
pub(crate) fn undecided<P: Position>(root: &P) -> Result<(), NoQuestion> {
    match root.outcome() {
        None => Ok(()),
        Some(Outcome::Win(side)) => Err(NoQuestion::Over(format!("{} has won", P::side_name(side)))),
        Some(Outcome::Draw) => Err(NoQuestion::Over("a draw".to_owned())),
    }
}

/// Returns the side with this name. Without a name, returns both sides, beginning with the side to move.
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

/// Searches for a win for each of these sides, switching between the sides after each slice of the nodes.
fn search<P: Position>(
    root: &P,
    sides: &[Side],
    prover: &mut dyn Prover<P>,
    nodes: u64,
    stop: &Stop,
    report: &mut dyn FnMut(Stage),
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
            report(Stage::Search(prover.nodes()));
            if !open.is_empty() && (stop.check(0).is_err() || prover.nodes() >= nodes) {
                return Found::Open;
            }
        }
        slice = (2 * slice).min(SLICE.1);
    }
    Found::NotWon
}

/// Extracts a strategy. Treats symmetric positions as one, unless that leads to a cycle.
fn read<P: Game>(
    root: &P,
    winner: Side,
    prover: &mut dyn Prover<P>,
    stop: &Stop,
    report: &mut dyn FnMut(Stage),
) -> Result<Strategy, NoStrategy> {
    let mut report = |steps| report(Stage::Steps(steps));
    let mut read = |symmetries| Strategy::read(P::NAME, root, winner, symmetries, prover, stop, &mut report);
    match read(P::SYMMETRIES) {
        Err(NoStrategy::Circle) => read(Symmetries::None),
        read => read,
    }
}

/// Checks a strategy file against the reference implementation of its game. Calls `progress` with the number of checked
/// steps and the total number of steps. Returns the result of the check and the winner's name.
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
