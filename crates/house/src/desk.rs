//! Requests about games outside rooms. An answer depends on the request alone.

use game::{Message, message};
use serde::Serialize;

use crate::messages::answer::Answer;
use crate::messages::request::Request;
use crate::room::{edited, record, scene};
use crate::texts::{Read, read, write};

/// Maximum length of a request, in bytes. Requests that are too long for the server's sockets are sent over HTTP.
pub const LONGEST_QUESTION: usize = 256 << 10;

/// Returns the error for requests that are longer than [`LONGEST_QUESTION`].
pub fn too_long() -> Message {
    message!("house.too_long", "That is too long: {most} kB at most.", most = LONGEST_QUESTION >> 10)
}

/// A parsed message from a page. Messages are parsed before the house is locked.
pub enum Incoming {
    /// A request.
    Request(Request),
    /// The answer to an invalid message.
    Refused(Answer),
}

impl Incoming {
    /// Reads a message in JSON.
    pub fn read(text: &[u8]) -> Self {
        match serde_json::from_slice(text) {
            Ok(request) => Self::Request(request),
            Err(error) => Self::Refused(refused(None, not_understood(&error.to_string()))),
        }
    }
}

/// Answers a request in JSON.
pub fn answer(question: &[u8]) -> Answer {
    match Incoming::read(question) {
        Incoming::Request(request) => {
            let id = request.id();
            ask(request).unwrap_or_else(|message| refused(id, message))
        }
        Incoming::Refused(answer) => answer,
    }
}

/// Answers a request.
///
/// # Errors
/// If the request is not about a game outside rooms, or the game is invalid. The error is a message for users.
pub(crate) fn ask(question: Request) -> Result<Answer, Message> {
    Ok(match question {
        Request::Look { id, game } => Answer::Scene { id, scene: Box::new(scene(&game)?) },
        Request::Edit { id, game, edit } => Answer::Scene { id, scene: Box::new(edited(&game, edit)?) },
        Request::Read { id, text, game } => {
            let Read { game, nodes, left_out } = read(&text, &game)?;
            Answer::Game { id, game, nodes, left_out }
        }
        Request::Try { id, game, path } => {
            record(&game)?.try_path(&path)?;
            Answer::Done { id }
        }
        Request::Write { id, game, nodes, form } => Answer::Text { id, text: write(&game, &nodes, form)? },
        _ => return Err(not_understood("this request must be sent through a page's socket")),
    })
}

/// Creates the answer to a rejected request, with the reason.
pub fn refused(id: Option<u32>, message: Message) -> Answer {
    Answer::Refused { id, message }
}

fn not_understood(error: &str) -> Message {
    message!("house.not_understood", "Not understood: {error}", error)
}

/// Serializes plain data as JSON.
///
/// # Panics
/// Never: plain data has a JSON form.
pub fn as_json<T: Serialize>(answer: &T) -> String {
    serde_json::to_string(answer).expect("invariant: plain data has a JSON form")
}
