//! The messages between page and server, as JSON.

mod answer;
mod build_name;
mod game;
mod level_name;
mod request;
mod tournament;

pub use answer::{Answer, ClockView, ProofState, RoomView, TableView};
pub use game::{Archived, Clock, Explored, Game, NewGame, Seat, Who};
pub use request::{Act, Form, Request, Source};
pub use tournament::{AgentView, Board, BoardEnd, BoardView, ResultView, Tournament, TournamentState, WorkerView};
