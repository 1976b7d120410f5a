//! Lessons: short courses of positions in which the user is asked for a move.
//!
//! The positions and moves are in each game's source file. The texts are in one file for each language and game
//! (`data/lessons/LANGUAGE/GAME.json`), under the keys of lessons and steps, so that translators edit only text files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::definition::Game;

/// A lesson about a game: a sequence of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Key in the files of texts, and in the progress that a browser stores.
    pub key: &'static str,
    /// Steps, in order.
    pub steps: &'static [Step],
}

/// A position with a task for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Key in the files of texts.
    pub key: &'static str,
    /// Position text. If unset, the step continues from the previous one; the first step begins at the usual start.
    pub start: Option<&'static str>,
    /// Accepted moves; `None` if the step has no task, an empty list if every move is accepted.
    pub find: Option<&'static [&'static str]>,
    /// Moves that are played after the user's move. The first one is the opponent's.
    pub then: &'static [&'static str],
}

impl Step {
    /// Creates a step with its own position that asks for one of these moves.
    pub(crate) const fn find(key: &'static str, start: &'static str, moves: &'static [&'static str]) -> Self {
        Self { key, start: Some(start), find: Some(moves), then: &[] }
    }

    /// Creates a step that asks for one of these moves in the position after the previous step.
    pub(crate) const fn next(key: &'static str, moves: &'static [&'static str]) -> Self {
        Self { key, start: None, find: Some(moves), then: &[] }
    }

    /// Creates a step without a task.
    pub(crate) const fn read(key: &'static str) -> Self {
        Self { key, start: None, find: None, then: &[] }
    }

    /// Adds moves that are played after the user's move.
    pub(crate) const fn then(self, moves: &'static [&'static str]) -> Self {
        Self { then: moves, ..self }
    }
}

/// The texts of a game's lessons, by the keys of the lessons.
type Words = BTreeMap<String, LessonWords>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonWords {
    title: String,
    /// Texts of the steps, by their keys.
    steps: BTreeMap<String, StepWords>,
}

/// The texts of a step.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StepWords {
    /// Explanation and task.
    text: String,
    /// Message after an accepted move.
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<String>,
    /// Message after any other move.
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<String>,
}

/// A lesson with its texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Taught {
    /// Key of the lesson.
    pub key: &'static str,
    /// Heading.
    pub title: String,
    /// Steps, in order.
    pub steps: Vec<TaughtStep>,
}

/// A step with its texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaughtStep {
    /// Key of the step.
    pub key: &'static str,
    #[serde(flatten)]
    words: StepWords,
    /// Position text of the start; the usual start if unset.
    pub start: Option<&'static str>,
    /// Moves of earlier steps that lead from the start to the step's position.
    pub moves: Vec<&'static str>,
    /// Accepted moves; `None` if the step has no task, an empty list if every move is accepted.
    pub find: Option<&'static [&'static str]>,
    /// Moves that are played after the user's move.
    pub then: &'static [&'static str],
}

impl TaughtStep {
    /// Returns the explanation and the task.
    pub fn text(&self) -> &str {
        &self.words.text
    }

    /// Returns the message after an accepted move; `None` if the step has no task.
    pub fn praise(&self) -> Option<&str> {
        self.words.right.as_deref()
    }

    /// Returns the message after a move that is not accepted.
    pub fn refutation(&self) -> Option<&str> {
        self.words.wrong.as_deref()
    }
}

/// Returns the lessons about a game, in English if there is no translation to the language.
pub(crate) fn lessons<P: Game>(language: &str) -> Vec<Taught> {
    if P::LESSONS.is_empty() {
        return Vec::new();
    }
    let files = P::LESSON_WORDS;
    let file = files.iter().find(|(of, _)| *of == language).or(files.first());
    let words = file.and_then(|(_, text)| serde_json::from_str::<Words>(text).ok());
    let words = words.expect("invariant: a test reads the lessons of every game in every language");
    P::LESSONS.iter().filter_map(|lesson| taught(lesson, words.get(lesson.key)?)).collect()
}

/// Returns a lesson with its texts; `None` if a step has no text.
fn taught(lesson: &Lesson, words: &LessonWords) -> Option<Taught> {
    let (mut start, mut moves) = (None, Vec::new());
    let mut steps = Vec::new();
    for &Step { key, start: own, find, then } in lesson.steps {
        if own.is_some() {
            (start, moves) = (own, Vec::new());
        }
        steps.push(TaughtStep { key, words: words.steps.get(key)?.clone(), start, moves: moves.clone(), find, then });
        moves.extend(find.and_then(|find| find.first()));
        moves.extend(then);
    }
    Some(Taught { key: lesson.key, title: words.title.clone(), steps })
}
