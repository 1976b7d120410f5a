//! The `checkers` program (COMP10002, 2021), from bytes to its output.
//!
//! ```
//! use console::checkers::{Player, Program};
//!
//! let mut program = Program::new(Player::default());
//! program.feed(b"G6-F5\nH3-G4\nF5-H3\nA");
//! program.finish();
//! assert!(program.take_output().contains("*** WHITE ACTION #4: "));
//! assert_eq!(program.exit_code(), 0);
//! ```

mod input;
mod minimax;

use checkers::{Cell, Move, Position, Refusal};
use core::fmt::Write as _;
use engine::{Level, Strength};
use game::{Position as _, Record, Side};
use search::{Control, Engine};

use input::{Line, LineReader, Place};

/// How computed actions are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The course's minimax of this depth.
    Minimax {
        /// In plies; the course asks for three.
        depth: u32,
    },
    /// The engine.
    Engine(Strength),
}

impl Default for Player {
    fn default() -> Self {
        Self::Minimax { depth: 3 }
    }
}

/// The state of the program: fed with bytes, it collects output until it is done.
pub struct Program {
    player: Player,
    position: Position,
    actions: u32,
    reader: LineReader,
    output: String,
    exit_code: Option<u8>,
}

impl Program {
    /// The program with its header printed.
    pub fn new(player: Player) -> Self {
        let position = Position::start();
        let mut output = String::with_capacity(24 << 10);
        output.push_str("BOARD SIZE: 8x8\n#BLACK PIECES: 12\n#WHITE PIECES: 12\n");
        write_board(&position, &mut output);
        Self { player, position, actions: 0, reader: LineReader::default(), output, exit_code: None }
    }

    /// Takes bytes of the input, in pieces of any size. Bytes after the program is done are not looked at.
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

    /// The input has ended.
    pub fn finish(&mut self) {
        if !self.is_done() {
            let last = self.reader.end();
            self.obey(last);
        }
        self.exit_code.get_or_insert(0);
    }

    /// Whether no more input is wanted.
    pub fn is_done(&self) -> bool {
        self.exit_code.is_some()
    }

    /// 0, or 1 after an error in the input.
    pub fn exit_code(&self) -> u8 {
        self.exit_code.unwrap_or(0)
    }

    /// The output since this was last called.
    pub fn take_output(&mut self) -> String {
        core::mem::take(&mut self.output)
    }

    fn obey(&mut self, line: Line) {
        match line {
            Line::Blank => (),
            Line::Action { from, to } => self.given(from, to),
            Line::Command(b'A') => self.compute(1),
            Line::Command(_) => self.compute(10),
            Line::Other => self.exit_code = Some(0),
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

    /// The course's six errors, in its order.
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

    /// Computes up to this many actions; the program is done after them.
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

    fn chosen(&self) -> Option<Move> {
        match self.player {
            Player::Minimax { depth } => minimax::best(&self.position, depth),
            Player::Engine(strength) => {
                let profile = engine::checkers::profile();
                let endgames = strength.level == Level::FULL;
                let mut player = engine::checkers::player(strength.apply(&profile), endgames);
                let record = Record::new(self.position);
                player.choose(&record, &strength.limits(&profile), &mut Control::unattended()).map(|choice| choice.best)
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

/// The cell of a column letter and a row number, if it is on the board.
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
            let _ = write!(output, " {} |", man.map_or('.', checkers::Man::letter));
        }
        output.push('\n');
        output.push_str(RULE);
    }
}
