//! Requests about games outside rooms. Their answers depend on nothing else.

use serde::Serialize;

use crate::messages::{Answer, Request};
use crate::room::{edited, scene};
use crate::texts::{read, write};

/// Maximum length of a request, in bytes. The server's sockets accept only shorter messages, so longer requests use
/// HTTP.
pub const LONGEST_QUESTION: usize = 256 << 10;
/// Error message for longer requests.
pub const TOO_LONG: &str = "That is too long: 256 kB at most.";

/// A message of a page, read before its house is locked.
pub enum Message {
    /// A request.
    Request(Request),
    /// An invalid message: the answer to it.
    Refused(Answer),
}

impl Message {
    /// Reads a message in JSON.
    pub fn read(text: &[u8]) -> Self {
        match serde_json::from_slice(text) {
            Ok(request) => Self::Request(request),
            Err(error) => Self::Refused(refused(None, format!("Not understood: {error}"))),
        }
    }
}

/// Answers a request in JSON.
pub fn answer(question: &[u8]) -> Answer {
    match Message::read(question) {
        Message::Request(request) => {
            let id = request.id();
            ask(request).unwrap_or_else(|text| refused(id, text))
        }
        Message::Refused(answer) => answer,
    }
}

/// Answers a request.
///
/// # Errors
/// If the request is not about a game outside rooms, or the game is invalid. The error is a text for users.
pub(crate) fn ask(question: Request) -> Result<Answer, String> {
    Ok(match question {
        Request::Look { id, game } => Answer::Scene { id, scene: Box::new(scene(&game)?) },
        Request::Edit { id, game, edit } => Answer::Scene { id, scene: Box::new(edited(&game, edit)?) },
        Request::Read { id, text, game } => {
            let (game, nodes) = read(&text, &game)?;
            Answer::Game { id, game, nodes }
        }
        Request::Write { id, game, nodes, form } => Answer::Text { id, text: write(&game, &nodes, form)? },
        _ => return Err("Not understood: this is asked on a page's socket".into()),
    })
}

/// Creates the answer to a rejected request, with the reason.
pub fn refused(id: Option<u32>, text: impl Into<String>) -> Answer {
    Answer::Refused { id, text: text.into() }
}

/// Serializes plain data as JSON.
///
/// # Panics
/// Never: plain data has a JSON form.
pub fn as_json<T: Serialize>(answer: &T) -> String {
    serde_json::to_string(answer).expect("invariant: plain data has a JSON form")
}
