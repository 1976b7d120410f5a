//! Questions about games that are in no room. Their answers depend on nothing else.

use serde::Serialize;

use crate::messages::{Answer, Request};
use crate::room::{edited, scene};
use crate::texts::{read, write};

/// The longest question, in bytes. A socket of the server takes shorter messages only; longer questions are asked by
/// HTTP.
pub const LONGEST_QUESTION: usize = 256 << 10;
/// What is said to a longer one.
pub const TOO_LONG: &str = "That is too long: 256 kB at most.";

/// The answer to a question as JSON.
pub fn answer(question: &[u8]) -> Answer {
    let request: Request = match serde_json::from_slice(question) {
        Ok(request) => request,
        Err(error) => return not_understood(&error),
    };
    let id = request.id();
    ask(request).unwrap_or_else(|text| refused(id, text))
}

/// Answers a question.
///
/// # Errors
/// If the question is not about a game in no room, or the game is invalid; the text is for users.
pub fn ask(question: Request) -> Result<Answer, String> {
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

/// Says that a request was refused, and why.
pub fn refused(id: Option<u32>, text: impl Into<String>) -> Answer {
    Answer::Refused { id, text: text.into() }
}

/// Says that a message was not understood.
pub fn not_understood(error: &serde_json::Error) -> Answer {
    refused(None, format!("Not understood: {error}"))
}

/// Plain data as JSON.
///
/// # Panics
/// Never: plain data has a JSON form.
pub fn as_json<T: Serialize>(answer: &T) -> String {
    serde_json::to_string(answer).expect("invariant: plain data has a JSON form")
}
