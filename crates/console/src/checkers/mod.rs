//! The `checkers` program (COMP10002, 2021), from input bytes to output.
//!
//! ```
//! use console::checkers::{Computer, Program};
//!
//! let mut program = Program::new(Computer::default());
//! program.feed(b"G6-F5\nH3-G4\nF5-H3\nA");
//! program.finish();
//! assert!(program.take_output().contains("*** WHITE ACTION #4: "));
//! assert_eq!(program.exit_code(), 0);
//! ```

mod input;
mod minimax;

use checkers::{Cell, Move, Position, Refusal};
use core::fmt::Write as _;
use engine::{Built, NoBuild, PlayerOptions, Resources};
use game::{Position as _, Record, Side};
use search::{Control, Host};

use input::{Line, LineReader, Place};

/// The player that computes actions.
pub enum Computer {
    /// Minimax of the course.
    Minimax {
        /// Depth in plies. The course's depth is three.
        depth: u32,
    },
    /// An engine of Plyhouse.
    Engine(Built<Position>),
}

impl Computer {
    /// Builds an engine of Plyhouse.
    ///
    /// # Errors
    /// If the game has no such player.
    pub fn engine(options: &PlayerOptions, resources: &Resources) -> Result<Self, NoBuild> {
        Ok(Self::Engine(options.make(&Position::start(), resources)?))
    }
}

impl Default for Computer {
    fn default() -> Self {
        Self::Minimax { depth: 3 }
    }
}

/// The state of the program. It processes bytes and collects output until it is done.
pub struct Program {
    player: Computer,
    host: Host,
    position: Position,
    actions: u32,
    reader: LineReader,
    output: String,
    /// Number of lines so far.
    lines: u64,
    complaint: Option<String>,
    exit_code: Option<u8>,
}

impl Program {
    /// Starts the program, with its header printed.
    pub fn new(player: Computer) -> Self {
        let position = Position::start();
        let mut output = String::with_capacity(24 << 10);
        output.push_str("BOARD SIZE: 8x8\n#BLACK PIECES: 12\n#WHITE PIECES: 12\n");
        write_board(&position, &mut output);
        let reader = LineReader::default();
        let host = Host::NONE;
        Self { player, host, position, actions: 0, reader, output, lines: 0, complaint: None, exit_code: None }
    }

    /// Sets the clock and threads for the engine. Without them it plays on one thread, and time limits have no effect.
    #[must_use]
    pub fn on(mut self, host: Host) -> Self {
        self.host = host;
        self
    }

    /// Processes bytes of the input, in pieces of any size. Bytes after the program is done are ignored.
    pub fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.is_done() {
                return;
            }
            if let Some(line) = self.reader.feed(byte) {
                self.obey(line);
            }
        }
    }

    /// Ends the input.
    pub fn finish(&mut self) {
        if !self.is_done() {
            let last = self.reader.end();
            self.obey(last);
        }
        self.exit_code.get_or_insert(0);
    }

    /// Returns `true` if the program is done and ignores further input.
    pub fn is_done(&self) -> bool {
        self.exit_code.is_some()
    }

    /// Returns the exit code: 0, or 1 after an error in the input.
    pub fn exit_code(&self) -> u8 {
        self.exit_code.unwrap_or(0)
    }

    /// Returns the output since the last call.
    pub fn take_output(&mut self) -> String {
        core::mem::take(&mut self.output)
    }

    /// Returns the reason why the input ended early: a line that is neither an action nor a command. The assignment's
    /// output has no such message, so it belongs on standard error.
    pub fn complaint(&self) -> Option<&str> {
        self.complaint.as_deref()
    }

    fn obey(&mut self, line: Line) {
        self.lines += 1;
        match line {
            Line::Blank => (),
            Line::Action { from, to } => self.given(from, to),
            Line::Command(b'A') => self.compute(1),
            Line::Command(_) => self.compute(10),
            Line::Other(mistake) => {
                let (line, action) = (self.lines, self.actions + 1);
                self.complaint = Some(format!(
                    "line {line}, {mistake}; the line should be an action such as `G6-F5` (action #{action}) or a command, \
                     `A` or `P`; the rest of the input is ignored"
                ));
                self.exit_code = Some(0);
            }
        }
    }

    fn given(&mut self, from: Place, to: Place) {
        match self.checked(from, to) {
            Ok(m) => self.act(m, ""),
            Err(message) => {
                self.output.push_str("ERROR: ");
                self.output.push_str(message);
                self.output.push('\n');
                self.exit_code = Some(1);
            }
        }
    }

    /// Checks an action for the course's six errors, in the course's order.
    fn checked(&self, from: Place, to: Place) -> Result<Move, &'static str> {
        let from = cell(from).ok_or("Source cell is outside of the board.")?;
        let to = cell(to).ok_or("Target cell is outside of the board.")?;
        self.position.check(from, to).map_err(|refusal| match refusal {
            Refusal::SourceEmpty => "Source cell is empty.",
            Refusal::TargetOccupied => "Target cell is not empty.",
            Refusal::OpponentsPiece => "Source cell holds opponent's piece/tower.",
            Refusal::Illegal => "Illegal action.",
        })
    }

    /// Chooses and carries out up to `actions` actions. The program is done afterwards.
    fn compute(&mut self, actions: u32) {
        for _ in 0..actions {
            if self.is_done() {
                return;
            }
            let Some(m) = self.chosen() else { break };
            self.act(m, "*** ");
        }
        self.exit_code.get_or_insert(0);
    }

    fn chosen(&mut self) -> Option<Move> {
        match &mut self.player {
            Computer::Minimax { depth } => minimax::best(&self.position, *depth),
            Computer::Engine(player) => {
                let record = Record::new(self.position);
                let choice = player.engine.choose(&record, &player.limits, &mut Control::on(self.host));
                choice.map(|choice| choice.best)
            }
        }
    }

    fn act(&mut self, m: Move, marker: &str) {
        let side = name(self.position.side_to_move());
        self.actions += 1;
        self.position.play(m);
        let (number, cost) = (self.actions, self.position.cost());
        // Writing to a string cannot fail.
        let _ = write!(self.output, "{:=<37}\n{marker}{side} ACTION #{number}: {m}\nBOARD COST: {cost}\n", "");
        write_board(&self.position, &mut self.output);
        if self.position.is_stuck() {
            let winner = name(!self.position.side_to_move());
            let _ = writeln!(self.output, "{winner} WIN!");
            self.exit_code = Some(0);
        }
    }
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::First => "BLACK",
        Side::Second => "WHITE",
    }
}

/// Returns the cell of a column letter and a row number, if it is on the board.
fn cell((column, row): Place) -> Option<Cell> {
    let column = column.checked_sub(b'A')?;
    let row = u8::try_from(row).ok()?.checked_sub(1)?;
    Cell::new(row, column)
}

fn write_board(p: &Position, output: &mut String) {
    const RULE: &str = "   +---+---+---+---+---+---+---+---+\n";
    output.push_str("     A   B   C   D   E   F   G   H\n");
    output.push_str(RULE);
    for row in 0..8 {
        let _ = write!(output, " {} |", row + 1);
        for column in 0..8 {
            let man = Cell::new(row, column).and_then(|cell| p.at(cell));
            let _ = write!(output, " {} |", man.map_or('.', checkers::Piece::letter));
        }
        output.push('\n');
        output.push_str(RULE);
    }
}
