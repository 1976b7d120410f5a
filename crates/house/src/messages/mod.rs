//! The messages between page and server, as JSON.

pub(crate) mod answer;
mod build_name;
pub(crate) mod game;
pub(crate) mod level_name;
pub(crate) mod request;
pub(crate) mod tournament;

pub use answer::{Answer, ClockView, LadderRating, ProofState, RoomView, Rung, TableView};
pub use game::{Archived, Clock, Explored, Game, NewGame, OwnResult, Seat, Who};
pub use request::{Act, Form, Request, Source};
pub use tournament::{AgentView, Board, BoardEnd, BoardView, ResultView, Tournament, TournamentState, WorkerView};
