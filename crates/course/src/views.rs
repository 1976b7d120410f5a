//! Views of a course, for its page and its commands. All times are ISO 8601 in UTC.

use std::collections::BTreeMap;
use std::sync::Arc;

use games::Scene;
use house::messages::Game;
use serde::Serialize;

use crate::introduction::Introduction;
use crate::store::audit::AuditEntry;
use crate::store::phase::Phase;

/// The course as a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AboutView {
    /// Name of the course.
    pub name: String,
    /// Name of the game, such as `loa`.
    pub game: String,
    /// Length of a side of the board, in squares.
    pub size: Option<usize>,
    /// Phase.
    pub phase: Phase,
    /// Deadline; for a team with an extension, that one.
    pub deadline: String,
    /// Name of the deadline's time zone.
    pub time_zone: String,
    /// Current time.
    pub now: String,
    /// Factor by which the course's clock runs faster than time, in a rehearsal.
    pub rehearsal: Option<f64>,
    /// Number of teams.
    pub teams: usize,
    /// Number of accepted versions.
    pub versions: u64,
    /// Number of ladder games that count.
    pub games: u64,
    /// Role of the caller: `visitor`, `team` or `staff`.
    pub role: &'static str,
    /// Id of the caller's team.
    pub team: Option<String>,
    /// Maximum size of an upload, in bytes.
    pub upload_limit: u64,
    /// Command line that makes the same check elsewhere. `FILE` stands for the file to upload.
    pub check_command: String,
    /// Practice games.
    pub practice: PracticeView,
    /// Announcements, the latest first.
    pub announcements: Vec<AnnouncementView>,
    /// Set if visitors can replay finished games.
    pub public_games: bool,
    /// Set if uploads are received after the deadline.
    pub late_uploads: bool,
}

/// Practice games.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PracticeView {
    /// Maximum number of games of a team in an hour.
    pub per_hour: u32,
    /// Names of the levels that a team can play, such as `gentle1` or `5`.
    pub levels: Vec<String>,
    /// Number of games that the caller's team can still ask for now; 0 for other callers.
    pub left: u32,
}

/// An announcement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnnouncementView {
    /// Number.
    pub id: i64,
    /// Time.
    pub at: String,
    /// Text.
    pub text: String,
}

/// A competition of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum BoardKind {
    /// The ladder.
    Ladder,
    /// The final.
    Final,
}

/// A page of the scoreboard.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StandingsView {
    /// Competition.
    pub kind: BoardKind,
    /// Number of the page, from 1.
    pub page: usize,
    /// Number of pages, at least 1.
    pub pages: usize,
    /// Rows of the page, the best first.
    pub rows: Vec<StandingRow>,
    /// Time at which the rows were computed.
    pub updated: String,
}

/// A row of the scoreboard.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StandingRow {
    /// Rank, from 1.
    pub rank: usize,
    /// Id of the team.
    pub team: String,
    /// Name of the team.
    pub name: String,
    /// Name that the agent gives itself.
    pub agent: String,
    /// Rest of its introduction; empty if it has none.
    pub tagline: String,
    /// Address in its introduction, with `http` or `https`.
    pub url: Option<String>,
    /// Elo; `None` before the first rated game.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of the Elo; `None` if it is unknown.
    pub error: Option<f64>,
    /// Number of games.
    pub games: u32,
    /// Number of games won.
    pub won: u32,
    /// Number of games drawn.
    pub drawn: u32,
    /// Number of games lost.
    pub lost: u32,
    /// Points: one for a win, half a point for a draw.
    pub points: f64,
    /// Number of faults of each kind.
    pub faults: BTreeMap<String, u32>,
    /// Number of the version among those of the team.
    pub version: u32,
    /// Set while the version plays.
    pub live: bool,
}

/// A team.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamView {
    /// Id.
    pub team: String,
    /// Name.
    pub name: String,
    /// Row of the scoreboard; `None` without a version that plays.
    pub row: Option<StandingRow>,
    /// Versions, the latest first: all uploads for the team and the staff, for others the version that plays.
    pub versions: Vec<VersionView>,
    /// Set if staff has frozen the version that plays.
    pub frozen: bool,
    /// Times and Elo, the oldest first.
    pub history: Vec<(String, f64)>,
}

/// A version of a team.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum VersionView {
    /// The whole upload.
    Whole(Box<UploadView>),
    /// The part of an upload that visitors can see.
    Public {
        /// Number among those of the team, from 1.
        number: u32,
        /// Time at which it was received.
        received: String,
        /// State of its check.
        state: &'static str,
        /// Set if it plays.
        playing: bool,
    },
}

/// A player of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PlayerView {
    /// A version of a team.
    Version {
        /// Id of the team.
        team: String,
        /// Name of the team.
        name: String,
        /// Name that the agent gives itself.
        agent: String,
        /// Number of the version.
        version: u32,
    },
    /// A level of our engines.
    Level {
        /// Name of the level.
        level: String,
    },
}

/// A page of games, the latest first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GamesView {
    /// Games.
    pub games: Vec<GameSummary>,
    /// Set if there are earlier games.
    pub more: bool,
}

/// The players and the result of a finished game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameHead {
    /// Key: a number for games of the ladder and of practice, `f` and a number for those of the final.
    pub id: String,
    /// Kind: `ladder`, `practice` or `final`.
    pub kind: &'static str,
    /// Time at which it was saved; for a game of the final and with its moves, the time of its beginning.
    pub began: String,
    /// Players of the first and the second side.
    pub players: [PlayerView; 2],
    /// Result: `first`, `second`, `draw` or `void`.
    pub result: &'static str,
    /// Name of the reason for the result.
    pub ending: String,
    /// Number of moves, including the opening.
    pub plies: u32,
}

/// A finished game without its moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameSummary {
    /// Players and result.
    #[serde(flatten)]
    pub head: GameHead,
    /// Numbers of faults of the first and the second side.
    pub faults: [u32; 2],
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameView {
    /// Players and result.
    #[serde(flatten)]
    pub head: GameHead,
    /// Game for the page's board.
    pub record: Game,
    /// Moves, including the opening.
    pub moves: Vec<MoveView>,
    /// Faults.
    pub faults: Vec<FaultView>,
    /// Standard error of the first and the second side; `None` if the caller must not see it.
    pub stderr: [Option<String>; 2],
}

/// A move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveView {
    /// Text.
    pub text: String,
    /// Side: 0 or 1.
    pub side: usize,
    /// Time of the move in seconds; `None` in the opening, or if the caller must not see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultView {
    /// Side at fault: 0 or 1.
    pub side: usize,
    /// Name of the kind.
    pub kind: String,
    /// Number of moves before it.
    pub ply: u32,
    /// Details; `None` if the caller must not see them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// The boards of the games in play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LiveView {
    /// Boards.
    pub boards: Vec<BoardView>,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardView {
    /// Name of the board, which stays the same for successive games.
    pub key: String,
    /// Players of the first and the second side.
    pub players: [PlayerView; 2],
    /// Position, which all callers share.
    #[serde(serialize_with = "shared")]
    pub scene: Arc<Scene>,
    /// Number of moves so far, including the opening.
    pub plies: u32,
    /// Remaining time of both sides, in milliseconds; `None` if it is unlimited.
    pub left: [Option<u64>; 2],
    /// Side whose clock runs; `None` if both are stopped.
    pub running: Option<usize>,
    /// End of the game, if it is over.
    pub end: Option<BoardEnd>,
    /// Key of the game, once it is stored.
    pub game: Option<String>,
}

/// Writes a value that is shared.
fn shared<T: Serialize, S: serde::Serializer>(value: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error> {
    value.as_ref().serialize(serializer)
}

/// The end of a game on a board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardEnd {
    /// Winning side; `None` for a draw.
    pub winner: Option<usize>,
    /// Name of the reason.
    pub ending: String,
}

/// An answer to an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct UploadReceipt {
    /// Number of the upload.
    pub upload: i64,
    /// Number among those of the team.
    pub number: u32,
}

/// The uploads of a team.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OwnView {
    /// Name of the team.
    pub name: String,
    /// Set if staff has frozen the version that plays.
    pub frozen: bool,
    /// Reason for which the team takes part no longer; `None` if it takes part.
    pub out: Option<OutView>,
    /// Uploads, the latest first.
    pub uploads: Vec<UploadView>,
}

/// The reason for which a team takes part no longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutView {
    /// Kind: `withdrawn` or `disqualified`.
    pub kind: &'static str,
    /// Reason in the staff's words; may be empty.
    pub reason: String,
}

/// An upload of the caller's team, or of any team for the staff.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadView {
    /// Number.
    pub id: i64,
    /// Number among those of the team, from 1.
    pub number: u32,
    /// Name of the file on the sender's machine.
    pub file_name: String,
    /// Size, in bytes.
    pub size: u64,
    /// Time at which it was received.
    pub received: String,
    /// Set if it came late, and staff has not accepted it as if it had come in time.
    pub late: bool,
    /// State: `waiting`, `checking`, `accepted` or `refused`.
    pub state: &'static str,
    /// Place in the queue, from 1, if it waits.
    pub place: Option<u32>,
    /// Corrections and warnings, or the reasons why it was refused.
    pub notes: Vec<String>,
    /// Steps of the check.
    pub steps: Vec<StepView>,
    /// Set if it plays.
    pub playing: bool,
    /// Introduction of the agent, if accepted.
    pub agent: Option<Introduction>,
}

/// A step of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepView {
    /// Name.
    pub name: String,
    /// State: `running`, `passed`, `warned` or `failed`.
    pub state: &'static str,
    /// Details of the result; further lines may draw a board.
    pub detail: String,
    /// Remedy; empty if none is needed.
    pub remedy: String,
    /// Game in whose last position a fault occurred.
    pub position: Option<Game>,
}

/// A request for a practice game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PracticeRow {
    /// Number of the request.
    pub game: i64,
    /// Level.
    pub level: String,
    /// Time of the request.
    pub asked: String,
    /// State: `waiting`, `playing`, `played` or `failed`.
    pub state: String,
    /// Reason for a failure.
    pub detail: String,
}

/// A page of the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditView {
    /// Entries, the latest first.
    pub entries: Vec<AuditEntry>,
    /// Set if there are earlier entries.
    pub more: bool,
}

/// Advice to a team, from its latest games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AdviceView {
    /// Faults by kind, each with its latest game.
    pub faults: Vec<AdviceFault>,
    /// Slowest moves.
    pub slowest: Vec<SlowMove>,
    /// Practice games that were lost, each with the first position in which our engine saw that.
    pub lost: Vec<LostGame>,
}

/// Faults of a kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdviceFault {
    /// Name of the kind.
    pub kind: String,
    /// Number of faults.
    pub count: u32,
    /// Key of the latest game.
    pub game: String,
    /// Number of moves before the fault in it.
    pub ply: u32,
}

/// A slow move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlowMove {
    /// Key of the game.
    pub game: String,
    /// Number of the move, from 1.
    pub ply: u32,
    /// Time, in seconds.
    pub seconds: f64,
}

/// A lost practice game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LostGame {
    /// Key of the game.
    pub game: String,
    /// Number of moves before the move that lost the game.
    pub ply: u32,
    /// Game until that move.
    pub position: Game,
    /// The team's chances of winning before that move, from 0 to 1, by the value that our engine reported last.
    pub before: f64,
    /// The team's chances after that move.
    pub after: f64,
}
