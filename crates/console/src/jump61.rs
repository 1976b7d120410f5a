//! The text interface of Jump61 (CS61B, fall 2021).

use engine::{Build, Level, NoBuild, Playable as _, PlayerOptions, Resources};
use game::{Diagram, MoveError, Position as _, Record, Side};
use jump61::{Move, Pile, Position};
use search::{Engine, Host, Stop};

use crate::seats::{Budget, Match, Show};
use crate::words::{is_comment, number, operand, print_moves, refuse, trimmed, words};

use crate::session::{CommandError, Flow, Session, Shown, Sink};

/// Default number of squares per side.
const SIZE: usize = 6;
/// Default node budget. It does not include the search for forced wins within the horizon, which always runs. Measured
/// processor times (`docs/engine.md`): under 3 s for a 6×6 game inside one program, about 4 s in total for a 10×10 game
/// between two programs.
const BUDGET: Budget = Budget { self_play: 10_000, shrink: 8 };

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

/// Commands of the course. If an abbreviation matches both a command of the course and an extra command, it means the
/// command of the course.
const COMMANDS: [&str; 12] =
    ["auto", "board", "dump", "help", "manual", "new", "quiet", "quit", "seed", "set", "size", "verbose"];
const EXTRAS: [&str; 3] = ["hint", "moves", "undo"];

/// The state of the `jump61` program.
pub struct Console {
    game: Match<Position>,
    options: PlayerOptions,
    verbose: bool,
    reads_all_spellings: bool,
}

/// The formats of moves and boards in this program.
struct Style {
    verbose: bool,
}

impl Show<Position> for Style {
    fn message(&self, m: Move) -> String {
        format!("{} {}", m.0.row() + 1, m.0.column() + 1)
    }

    /// Returns `None`: only input is logged.
    fn logged(&self, _: Move) -> Option<String> {
        None
    }

    fn is_verbose(&self) -> bool {
        self.verbose
    }
}

fn fresh_game(size: usize) -> Record<Position> {
    Record::new(Position::start(size).expect("invariant: the size was checked"))
}

/// Returns the engine without its search for forced wins, for replies to the program's own moves. The program has
/// already checked that its own move does not lose within the loss horizon. If the loss horizon is longer than the win
/// horizon, the reply therefore cannot start a forced win within the win horizon. Returns `None` if this is not
/// certain: other settings have other horizons, and a time limit may cut the check short.
fn follower(options: &PlayerOptions, board: &Position) -> Result<Option<Box<dyn Engine<Position>>>, NoBuild> {
    let full = board.profile().full;
    let is_usual = options.level == Level::FULL && options.build == Build::Current && options.horizon.is_none();
    if !is_usual || options.movetime.is_some() || full.loss_horizon <= full.win_horizon {
        return Ok(None);
    }
    let options = PlayerOptions { horizon: Some((0, full.loss_horizon)), ..options.clone() };
    options.make(board, &Resources::default()).map(|player| Some(player.engine))
}

impl Console {
    /// Begins a game on 6×6 with Blue automated and Red manual. The options describe the automated player.
    ///
    /// # Errors
    /// If the game has no player of this build.
    pub fn new(options: &PlayerOptions) -> Result<Self, NoBuild> {
        let start = fresh_game(SIZE);
        let player = options.make(start.position(), &Resources::default())?;
        let follower = follower(options, start.position())?;
        let mut game = Match::new(start, player, BUDGET);
        game.set_follower(follower);
        Ok(Self { game, options: options.clone(), verbose: false, reads_all_spellings: false })
    }

    /// Sets the clock and threads for the engine. Without them it plays on one thread, and time limits have no effect.
    #[must_use]
    pub fn on(mut self, host: Host) -> Self {
        self.game.host = host;
        self
    }

    /// Sets whether each move gets the player's full default budget, even late in the game and while both sides are
    /// automated.
    #[must_use]
    pub fn with_full_budget(mut self, full: bool) -> Self {
        self.game.set_full_budget(full);
        self
    }

    /// Accepts all common notations of moves, such as `3-4`, in addition to those of the course.
    #[must_use]
    pub fn with_all_spellings(mut self) -> Self {
        self.reads_all_spellings = true;
        self
    }

    fn obey(&mut self, words: &[&str], out: &mut dyn Sink) -> Result<Flow, CommandError> {
        let spelling = self.spelling(words);
        if let Some(words) = &spelling {
            self.play(&[words], out)?;
        } else if looks_like_a_move(words[0]) {
            self.play(words, out)?;
        } else {
            match meaning(words[0])? {
                "quit" => return Ok(Flow::Quit),
                command => self.carry_out(command, words, out)?,
            }
        }
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

    /// Returns the move in the notation of the course, if all spellings are accepted and the words are a move, legal or
    /// not.
    fn spelling(&self, words: &[&str]) -> Option<String> {
        let p = self.game.record.position();
        match self.reads_all_spellings.then(|| p.read_move(&words.join(" ")))? {
            Ok(m) => Some(m.to_string()),
            Err(MoveError::Illegal { text, .. }) => Some(text),
            Err(MoveError::Unreadable { .. }) => None,
        }
    }

    fn play(&mut self, words: &[&str], out: &mut dyn Sink) -> Result<(), CommandError> {
        let size = self.game.record.position().size();
        let (row, column) = match words[0].split_once(':') {
            Some(pair) => pair,
            None => (words[0], operand(words, 1, "ROW COLUMN")?),
        };
        let row: usize = number(row, 1..=size, "row")?;
        let column: usize = number(column, 1..=size, "column")?;
        self.game.check_turn()?;
        let m = self.game.record.position().parse_move(&format!("{row}:{column}"));
        let m = m.map_err(|error| CommandError(error.to_string()))?;
        let style = self.style();
        self.game.play(m, &style, out);
        Ok(())
    }

    fn resize(&mut self, word: &str) -> Result<(), CommandError> {
        let size: usize = number(word, Position::SIZES, "size")?;
        let record = fresh_game(size);
        let refuse = |error: NoBuild| CommandError(error.to_string());
        let player = self.options.make(record.position(), &Resources::default()).map_err(refuse)?;
        let follower = follower(&self.options, record.position()).map_err(refuse)?;
        self.game.set_player(player);
        self.game.set_follower(follower);
        self.game.record = record;
        Ok(())
    }

    /// Carries out `set`. Announces the result if the change decides the game. A decided game may become undecided
    /// again.
    fn set(&mut self, words: &[&str], out: &mut dyn Sink) -> Result<(), CommandError> {
        let usage = "set ROW COLUMN N SIDE";
        let size = self.game.record.position().size();
        let row: usize = number(operand(words, 1, usage)?, 1..=size, "row")?;
        let column: usize = number(operand(words, 2, usage)?, 1..=size, "column")?;
        let position = self.game.record.position();
        let square = position.square(row, column).map_err(|error| CommandError(error.to_string()))?;
        let spots = operand(words, 3, usage)?;
        // Too many spots are rejected below, with the reason.
        let spots: u8 = spots.parse().or_else(|_| number(spots, 0..=position.neighbours(square), "spots"))?;
        let colour = side(operand(words, 4, usage)?)?;
        let content = (spots > 0).then_some(Pile { side: colour, spots });
        let changed = position.with(square, content);
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
        print_moves("moves (row:column):", "no moves: the game is over", &texts, out);
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

/// Returns the command for a word in upper or lower case, whole or abbreviated.
fn meaning(word: &str) -> Result<&'static str, CommandError> {
    let lower = word.to_ascii_lowercase();
    if lower == "q" {
        return Ok("quit"); // as in the course's program, although `quiet` begins with `q`, too
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

fn looks_like_a_move(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+')
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

    fn command(&mut self, line: &[u8], out: &mut dyn Sink) -> Result<Flow, CommandError> {
        let Some(text) = trimmed(line) else { return Ok(Flow::Continue) };
        let words = words(&text);
        if matches!(meaning(words[0]), Ok("new" | "size")) {
            self.game.vary_game(out);
        }
        out.log(&text);
        if is_comment(&text) { Ok(Flow::Continue) } else { self.obey(&words, out) }
    }

    fn vary(&mut self, source: u64, out: &mut dyn Sink) {
        self.game.vary(source, out);
    }

    fn is_automated_turn(&self) -> bool {
        self.game.automated_side().is_some()
    }

    fn advance(&mut self, stop: &Stop, out: &mut dyn Sink) {
        let style = self.style();
        self.game.advance(stop, &style, out);
    }

    fn is_move(line: &[u8]) -> bool {
        words(&String::from_utf8_lossy(line)).first().is_some_and(|word| looks_like_a_move(word))
    }

    fn diagram(&self) -> Diagram {
        self.game.record.diagram()
    }

    fn shown(&self) -> Shown {
        self.game.shown()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Transcript;

    /// Returns the messages of a game that the program plays against itself.
    fn self_play(size: usize, seed: u64, with_follower: bool) -> Vec<String> {
        let mut console = Console::new(&PlayerOptions::default()).expect("a player");
        let mut seen = Transcript::default();
        for line in ["manual blue".to_owned(), format!("size {size}"), format!("seed {seed}")] {
            console.line(line.as_bytes(), &mut seen).expect("a command");
        }
        if !with_follower {
            console.game.set_follower(None);
        }
        for line in ["auto red", "auto blue"] {
            console.line(line.as_bytes(), &mut seen).expect("a command");
        }
        seen.printed
    }

    #[test]
    fn replies_without_a_search_for_wins_are_the_same() {
        for (size, seeds) in [(2, 0..3), (3, 0..6), (4, 0..2)] {
            for seed in seeds {
                let (with, without) = (self_play(size, seed, true), self_play(size, seed, false));
                assert_eq!(with, without, "size {size}, seed {seed}");
                assert!(with.last().is_some_and(|line| line.ends_with(" wins.")), "{with:?}");
            }
        }
    }
}
