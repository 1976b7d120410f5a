//! Chunks of games: data scripts that the replay page loads on demand. Each distinct text, move and starting board is
//! stored once per chunk. A move stores only the cells that it changes.

use std::mem::take;

use game::text::printable;
use game::{Diagram, Mark, Tone};
use rating::GameScore;
use serde::Serialize;

use super::data::{Table, literal};
use super::folder::{Folder, ReportError};
use super::html::when;
use super::replay::end;
use crate::log::{GameLog, MoveLog, ScoreLog};
use crate::spec::Spec;

/// Maximum number of games of a chunk.
const MAX_GAMES: usize = 1000;
/// Size of a chunk at which the next chunk begins, in bytes. Programs may write long texts.
const MAX_BYTES: usize = 4 << 20;

/// The position before the first move.
#[derive(PartialEq, Eq, Hash, Serialize)]
struct Start {
    rows: Vec<String>,
    columns: Vec<String>,
    /// Indices in `cells`.
    cells: Vec<usize>,
}

/// A move: text, side, source cell, target cell, and the cells that change with their new contents.
#[derive(PartialEq, Eq, Hash, Serialize)]
struct Step(usize, usize, Option<usize>, Option<usize>, Vec<(usize, usize)>);

/// The value of a position: hundredths of a piece, or a forced result in words.
#[derive(Serialize)]
#[serde(untagged)]
enum Score {
    Units(i32),
    Words(String),
}

/// A game. Texts, steps and the start are indices. Columns have an entry for each move after the opening; a column
/// without values is omitted.
#[derive(Serialize)]
struct Game {
    number: u32,
    agents: [usize; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<usize>,
    end: usize,
    began: usize,
    seconds: f64,
    start: usize,
    /// Number of moves of the opening.
    opening: usize,
    steps: Vec<usize>,
    /// Times of the moves in milliseconds. The times of a side add up to its rounded total.
    times: Vec<u64>,
    /// Remaining times in milliseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<Option<u64>>,
    /// Indices of the moves that the referee chose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replaced: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scores: Vec<Option<Score>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depths: Vec<Option<u32>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Option<u64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<Option<Vec<usize>>>,
    /// Side, number of moves before the fault, kind and details.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<(usize, u32, usize, usize)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stderr: Vec<Option<usize>>,
}

/// Games and the values that they share.
#[derive(Default)]
struct Chunk {
    texts: Table<String>,
    cells: Table<String>,
    starts: Table<Start>,
    steps: Table<Step>,
    /// Games as JavaScript literals.
    games: Vec<String>,
    /// Bytes of texts and games.
    size: usize,
}

/// A writer of games in chunks.
pub(super) struct Chunks<'a> {
    folder: &'a Folder<'a>,
    spec: &'a Spec,
    chunk: Chunk,
    /// Number of the first game of each chunk.
    first: Vec<u32>,
}

impl<'a> Chunks<'a> {
    /// Creates an empty first chunk.
    pub(super) fn new(folder: &'a Folder<'a>, spec: &'a Spec) -> Self {
        Self { folder, spec, chunk: Chunk::default(), first: Vec::new() }
    }

    /// Adds a game. `boards` are the starting board and the board after each move.
    pub(super) fn add(&mut self, game: &GameLog, boards: &[Diagram]) -> Result<(), ReportError> {
        if self.chunk.games.len() >= MAX_GAMES || self.chunk.size >= MAX_BYTES {
            self.flush()?;
        }
        if self.chunk.games.is_empty() {
            self.first.push(game.planned.number);
        }
        self.chunk.add(game, boards, game.planned.agents.map(|agent| self.spec.agents[agent].name.as_str()));
        Ok(())
    }

    /// Writes the last chunk. Returns the number of the first game of each chunk.
    pub(super) fn finish(mut self) -> Result<Vec<u32>, ReportError> {
        self.flush()?;
        Ok(self.first)
    }

    fn flush(&mut self) -> Result<(), ReportError> {
        let Some(last) = self.first.len().checked_sub(1) else { return Ok(()) };
        self.folder.write(&format!("data/chunk-{last}.js"), &take(&mut self.chunk).script(last))
    }
}

impl Chunk {
    fn add(&mut self, game: &GameLog, boards: &[Diagram], names: [&str; 2]) {
        let steps = self.steps(game, boards);
        let faults = game.faults.iter().map(|fault| {
            let [kind, detail] = [&fault.kind, &fault.detail].map(|text| self.text(text));
            (fault.side, fault.ply, kind, detail)
        });
        let faults = faults.collect();
        let stderr = column(game.stderr.iter().map(|text| (!text.trim().is_empty()).then(|| self.text(text))));
        let lines = column(
            game.moves
                .iter()
                .map(|m| (!m.pv.is_empty()).then(|| m.pv.iter().map(|text| self.text(text)).collect::<Vec<_>>())),
        );
        let moves = || game.moves.iter();
        let data = Game {
            number: game.planned.number,
            agents: game.planned.agents,
            winner: (0..2).find(|&side| game.result.score(side) == Some(GameScore::Win)),
            end: self.text(&end(game, names)),
            began: self.text(&when(&game.began)),
            seconds: (game.seconds * 100.0).round() / 100.0,
            start: self.start(boards),
            opening: game.opening.len(),
            steps,
            times: times(game),
            left: column(moves().map(|m| m.left.map(milliseconds))),
            replaced: moves().enumerate().filter(|(_, m)| m.replaced).map(|(i, _)| i).collect(),
            scores: column(moves().map(score)),
            depths: column(moves().map(|m| m.depth)),
            nodes: column(moves().map(|m| m.nodes)),
            lines,
            faults,
            stderr,
        };
        let data = literal(&data);
        self.size += data.len();
        self.games.push(data);
    }

    /// Returns the index of a text with its hidden characters escaped.
    fn text(&mut self, text: &str) -> usize {
        let text = printable(text);
        let (length, before) = (text.len(), self.texts.len());
        let index = self.texts.index(text.into_owned());
        if self.texts.len() > before {
            self.size += length;
        }
        index
    }

    /// Returns the indices of the contents of all cells. A content is `f` (first side), `s` (second side) or `e`
    /// (empty), followed by its text.
    fn cells(&mut self, board: &Diagram) -> Vec<usize> {
        let letter = |tone: Tone| match tone {
            Tone::First => 'f',
            Tone::Second => 's',
            Tone::Empty => 'e',
        };
        let cells = board.cells.iter().flatten();
        cells.map(|(text, tone, _)| self.cells.index(format!("{}{}", letter(*tone), text.trim()))).collect()
    }

    fn start(&mut self, boards: &[Diagram]) -> usize {
        let start = boards.first().map(|board| Start {
            rows: board.row_labels.clone(),
            columns: board.column_labels.clone(),
            cells: self.cells(board),
        });
        start.map_or(0, |start| self.starts.index(start))
    }

    /// Returns the indices of a game's moves.
    fn steps(&mut self, game: &GameLog, boards: &[Diagram]) -> Vec<usize> {
        // The sides alternate, so the first move after the opening determines the sides of the opening's moves.
        let first = (game.side_of(0) + game.opening.len()) % 2;
        let side_of = |ply: usize| match ply.checked_sub(game.opening.len()) {
            Some(number) => game.side_of(number),
            None => (first + ply) % 2,
        };
        let boards: Vec<_> = boards.iter().map(|board| (self.cells(board), board)).collect();
        let mut steps = Vec::new();
        for (ply, (text, pair)) in game.all_moves().zip(boards.windows(2)).enumerate() {
            let [(before, _), (after, board)] = pair else { continue };
            let changes = (0..).zip(before.iter().zip(after)).filter(|(_, (before, after))| before != after);
            let changes = changes.map(|(cell, (_, after))| (cell, *after)).collect();
            let [from, to] = [Mark::From, Mark::To].map(|mark| marked(board, mark));
            let text = self.text(text);
            steps.push(self.steps.index(Step(text, side_of(ply), from, to, changes)));
        }
        steps
    }

    /// Returns the data script, which calls the replay page's `receive` with the chunk's number and its data.
    fn script(&self, number: usize) -> String {
        let [texts, cells] = [&self.texts, &self.cells].map(literal);
        let (starts, steps, games) = (literal(&self.starts), literal(&self.steps), self.games.join(",\n"));
        format!(
            "receive({number}, {{\"texts\":{texts},\n\"cells\":{cells},\n\"starts\":{starts},\n\"steps\":{steps},\n\
             \"games\":[\n{games}\n]}});\n"
        )
    }
}

/// Returns the index of the cell with a mark.
fn marked(board: &Diagram, wanted: Mark) -> Option<usize> {
    board.cells.iter().flatten().position(|(_, _, mark)| *mark == Some(wanted))
}

/// Collects the values; empty if all are `None`.
fn column<T>(values: impl Iterator<Item = Option<T>>) -> Vec<Option<T>> {
    let values: Vec<_> = values.collect();
    if values.iter().all(Option::is_none) { Vec::new() } else { values }
}

fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1000.0).round() as u64
}

/// Returns the times of all moves in milliseconds. Rounds the running totals of each side instead of single moves, so
/// that many short moves do not add up to 0.
fn times(game: &GameLog) -> Vec<u64> {
    let mut used = [0.0; 2];
    let time = |(i, m): (usize, &MoveLog)| {
        let used = &mut used[game.side_of(i)];
        let before = milliseconds(*used);
        *used += m.seconds;
        milliseconds(*used) - before
    };
    game.moves.iter().enumerate().map(time).collect()
}

fn score(m: &MoveLog) -> Option<Score> {
    m.score.map(|score| match score {
        ScoreLog::Cp(units) => Score::Units(units),
        ScoreLog::Win(_) | ScoreLog::Loss(_) => Score::Words(score.to_string()),
    })
}
