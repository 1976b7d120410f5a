//! The text interface of Jump61 (CS61B, fall 2021).

use engine::Strength;
use game::{Position as _, Record, Side};
use jump61::{Move, Position};

use crate::seats::{Match, Show, strengthened};
use crate::words::{command, number, operand, print_moves, refuse, words};
use game::Diagram;

use crate::{CommandError, Flow, Session, Shown, Sink};

/// Squares a side, unless `size` says otherwise.
const SIZE: usize = 6;

const HELP: &str = "\
Commands (rows and columns count from 1 at the top left, sides are red and blue):
  ROW COLUMN       add a spot to a square
  new              start again
  size N           start again on an NxN board, 2 to 10
  auto SIDE        let the program play a side
  manual SIDE      play a side yourself
  set ROW COLUMN N SIDE
                   put N spots of a side's colour on a square; 0 makes it neutral
  seed N           vary the program's play; the same seed, the same game
  dump             print the board for test scripts
  quit             leave the program
Extras:
  board            draw the board
  verbose, quiet   draw the board after every move; stop doing so
  moves            list the legal moves
  hint             what the program would play
  undo             take back to your last move
  help             this list
Commands may be shortened as long as they are clear.";

/// The course's commands. A shortened word means one of these first, an extra after that.
const COMMANDS: [&str; 12] =
    ["auto", "board", "dump", "help", "manual", "new", "quiet", "quit", "seed", "set", "size", "verbose"];
const EXTRAS: [&str; 3] = ["hint", "moves", "undo"];

/// The state of the `jump61` program.
pub struct Console {
    game: Match<Position>,
    strength: Strength,
    verbose: bool,
}

/// How the program shows moves and boards.
struct Style {
    verbose: bool,
}

impl Show<Position> for Style {
    fn message(&self, m: Move) -> String {
        format!("{} {}", m.0.row() + 1, m.0.column() + 1)
    }

    /// Only what is read is logged.
    fn logged(&self, _: Move) -> Option<String> {
        None
    }

    fn diagram(&self, record: &Record<Position>) -> Diagram {
        record.position().diagram(record.last_move())
    }

    fn is_verbose(&self) -> bool {
        self.verbose
    }
}

fn fresh_game(size: usize) -> Record<Position> {
    Record::new(Position::start(size).expect("invariant: the size was checked"))
}

impl Console {
    /// A fresh game on 6×6: Blue automated, Red manual.
    pub fn new(strength: Strength) -> Self {
        let (engine, limits) = strengthened(&strength, &engine::jump61::profile(SIZE), engine::jump61::player);
        Self { game: Match::new(fresh_game(SIZE), engine, limits), strength, verbose: false }
    }

    fn obey(&mut self, words: &[&str], out: &mut dyn Sink) -> Result<Flow, CommandError> {
        if words[0].starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+') {
            self.play(words, out)?;
        } else {
            match meaning(words[0])? {
                "quit" => return Ok(Flow::Quit),
                command => self.carry_out(command, words, out)?,
            }
        }
        let style = self.style();
        self.game.run_automated(&style, out);
        Ok(Flow::Continue)
    }

    fn style(&self) -> Style {
        Style { verbose: self.verbose }
    }

    fn carry_out(&mut self, command: &str, words: &[&str], out: &mut dyn Sink) -> Result<(), CommandError> {
        match command {
            "new" => {
                self.game.record = fresh_game(self.game.record.position().size());
                out.board(&self.diagram(), false);
            }
            "size" => {
                self.resize(operand(words, 1, "size N")?)?;
                out.board(&self.diagram(), false);
            }
            "auto" => self.game.set_automated(side(operand(words, 1, "auto SIDE")?)?, true),
            "manual" => self.game.set_automated(side(operand(words, 1, "manual SIDE")?)?, false),
            "set" => self.set(words, out)?,
            "seed" => self.game.set_seed(words)?,
            "dump" => self.dump(out),
            "help" => HELP.lines().for_each(|line| out.print(line)),
            "board" => out.board(&self.diagram(), true),
            "verbose" => self.verbose = true,
            "quiet" => self.verbose = false,
            "moves" => self.list_moves(out),
            "hint" => {
                self.game.check_open()?;
                if let Some(m) = self.game.hint() {
                    out.print(&format!("hint: {}", self.style().message(m)));
                }
            }
            _ => {
                self.game.undo()?;
                out.board(&self.diagram(), true);
            }
        }
        Ok(())
    }

    fn play(&mut self, words: &[&str], out: &mut dyn Sink) -> Result<(), CommandError> {
        let size = self.game.record.position().size();
        let row: usize = number(words[0], 1..=size, "row")?;
        let column: usize = number(operand(words, 1, "ROW COLUMN")?, 1..=size, "column")?;
        self.game.check_open()?;
        let m = self.game.record.position().parse_move(&format!("{row}:{column}"));
        let m = m.map_err(|error| CommandError(error.to_string()))?;
        let style = self.style();
        self.game.play(m, &style, out);
        Ok(())
    }

    fn resize(&mut self, word: &str) -> Result<(), CommandError> {
        let size: usize = number(word, Position::SIZES, "size")?;
        self.game.record = fresh_game(size);
        let (engine, limits) = strengthened(&self.strength, &engine::jump61::profile(size), engine::jump61::player);
        self.game.set_engine(engine, limits);
        Ok(())
    }

    /// A board that this wins is announced; one that was won may be open again.
    fn set(&mut self, words: &[&str], out: &mut dyn Sink) -> Result<(), CommandError> {
        let usage = "set ROW COLUMN N SIDE";
        let size = self.game.record.position().size();
        let row: usize = number(operand(words, 1, usage)?, 1..=size, "row")?;
        let column: usize = number(operand(words, 2, usage)?, 1..=size, "column")?;
        let spots: usize = number(operand(words, 3, usage)?, 0..=4, "spots")?;
        let colour = side(operand(words, 4, usage)?)?;
        let changed = self.game.record.position().with(row, column, spots, colour);
        let before = self.game.record.finish();
        self.game.record.set_up(changed.map_err(|error| CommandError(error.to_string()))?);
        out.board(&self.diagram(), false);
        let after = self.game.record.judge();
        if after != before {
            self.game.announce(out);
        }
        Ok(())
    }

    fn list_moves(&self, out: &mut dyn Sink) {
        let moves = self.game.record.position().legal_moves();
        let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        print_moves("moves (row:column):", &texts, out);
    }

    fn dump(&self, out: &mut dyn Sink) {
        out.print("===");
        for row in self.diagram().cells {
            let cells: Vec<String> = row.into_iter().map(|(text, ..)| text).collect();
            out.print(&format!("    {}", cells.join(" ")));
        }
        out.print("===");
    }
}

/// The command that a word in any case means, whole or shortened.
fn meaning(word: &str) -> Result<&'static str, CommandError> {
    let lower = word.to_ascii_lowercase();
    if lower == "q" {
        return Ok("quit"); // the course's: `quiet` begins with it, too
    }
    if lower == "?" {
        return Ok("help");
    }
    for list in [&COMMANDS[..], &EXTRAS[..]] {
        if let Some(&whole) = list.iter().find(|&&name| name == lower) {
            return Ok(whole);
        }
    }
    for list in [&COMMANDS[..], &EXTRAS[..]] {
        let meant: Vec<&'static str> = list.iter().copied().filter(|name| name.starts_with(&lower)).collect();
        match meant[..] {
            [] => (),
            [one] => return Ok(one),
            _ => return refuse("ambiguous command", word, &format!("one of `{}`", meant.join("`, `"))),
        }
    }
    refuse("unknown command", word, "a command (`help` lists them) or a move such as `1 2`")
}

fn side(word: &str) -> Result<Side, CommandError> {
    match word.to_ascii_lowercase().as_str() {
        "red" | "r" => Ok(Side::First),
        "blue" | "b" => Ok(Side::Second),
        _ => refuse("side", word, "`red`, `r`, `blue` or `b`"),
    }
}

impl Session for Console {
    fn prompt(&self) -> String {
        match self.game.to_move() {
            Some(Side::First) => "red> ",
            Some(Side::Second) => "blue> ",
            None => "+> ",
        }
        .to_owned()
    }

    fn line(&mut self, line: &[u8], out: &mut dyn Sink) -> Result<Flow, CommandError> {
        match command(line, out) {
            Some(text) => self.obey(&words(&text), out),
            None => Ok(Flow::Continue),
        }
    }

    fn diagram(&self) -> Diagram {
        self.game.record.position().diagram(self.game.record.last_move())
    }

    fn shown(&self) -> Shown {
        self.game.shown()
    }
}
