//! Lessons: short courses of positions in which the user is asked for a move.
//!
//! What happens on the board is in each game's file here. The words are apart, one file for each language and game
//! (`data/lessons/LANGUAGE/GAME.json`), found by the keys of lessons and steps, so that a translation is a file and no
//! code.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::definition::Game;

/// A part of the course about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Its name in the files of words, and in what a browser keeps about a user's progress.
    pub key: &'static str,
    /// What is done, in order.
    pub steps: &'static [Step],
}

/// A position and what the user is asked to do there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name in the files of words.
    pub key: &'static str,
    /// Position text. Without one, the step goes on from the step before; the first one from the usual start.
    pub start: Option<&'static str>,
    /// The moves that are asked for, any of them; `None` if there is nothing to do, an empty list if every move is
    /// right.
    pub find: Option<&'static [&'static str]>,
    /// What is played after that, the other side's move first.
    pub then: &'static [&'static str],
}

impl Step {
    /// Asks for one of these moves in a position.
    pub(crate) const fn find(key: &'static str, start: &'static str, moves: &'static [&'static str]) -> Self {
        Self { key, start: Some(start), find: Some(moves), then: &[] }
    }

    /// Asks for one of these moves where the step before has ended.
    pub(crate) const fn next(key: &'static str, moves: &'static [&'static str]) -> Self {
        Self { key, start: None, find: Some(moves), then: &[] }
    }

    /// A text without a task.
    pub(crate) const fn read(key: &'static str) -> Self {
        Self { key, start: None, find: None, then: &[] }
    }

    /// The same with moves that are played afterwards.
    pub(crate) const fn then(self, moves: &'static [&'static str]) -> Self {
        Self { then: moves, ..self }
    }
}

/// The words of a game's lessons, by lesson.
type Words = BTreeMap<String, LessonWords>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonWords {
    title: String,
    /// By step.
    steps: BTreeMap<String, StepWords>,
}

/// The words of a step.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StepWords {
    /// What is taught and asked for.
    text: String,
    /// What is said to a right move.
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<String>,
    /// What is said to another move.
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<String>,
}

/// A lesson with its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Taught {
    /// Its name.
    pub key: &'static str,
    /// Its heading.
    pub title: String,
    /// Its steps.
    pub steps: Vec<TaughtStep>,
}

/// A step with its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaughtStep {
    /// Its name.
    pub key: &'static str,
    #[serde(flatten)]
    words: StepWords,
    /// Position text of its start; the usual start if there is none.
    pub start: Option<&'static str>,
    /// Moves of earlier steps that lead from there to the step's position.
    pub moves: Vec<&'static str>,
    /// The moves that are asked for; `None` if there is nothing to do, an empty list if every move is right.
    pub find: Option<&'static [&'static str]>,
    /// What is played after that.
    pub then: &'static [&'static str],
}

impl TaughtStep {
    /// What is taught and asked for.
    pub fn text(&self) -> &str {
        &self.words.text
    }

    /// What is said to a right move; nothing if the step asks for none.
    pub fn praise(&self) -> Option<&str> {
        self.words.right.as_deref()
    }

    /// Returns what is shown after a move that is not asked for.
    pub fn refutation(&self) -> Option<&str> {
        self.words.wrong.as_deref()
    }
}

/// Returns the lessons about a game, in English if there is no translation to the language.
pub(crate) fn lessons<P: Game>(language: &str) -> Vec<Taught> {
    let files = P::LESSON_WORDS;
    let file = files.iter().find(|(of, _)| *of == language).or(files.first());
    let words = file.and_then(|(_, text)| serde_json::from_str::<Words>(text).ok());
    let words = words.expect("invariant: a test reads the lessons of every game in every language");
    P::LESSONS.iter().filter_map(|lesson| taught(lesson, words.get(lesson.key)?)).collect()
}

/// A lesson with its words; `None` if a step has none.
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
