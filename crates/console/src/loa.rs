//! The text interface of 8×8 Lines of Action (CS61B, spring 2020).

use engine::{NoBuild, PlayerOptions, Resources};
use game::{Diagram, Position as _, Record, Side};
use loa::{Move, Position, Refusal, Square};
use search::{Host, Stop};

use crate::seats::{Budget, Match, Show};
use crate::words::{is_comment, number, operand, print_moves, refuse, trimmed, words};

use crate::session::{CommandError, Flow, Session, Shown, Sink};

/// Default move limit of both sides together, at which the game is drawn.
const MOVE_LIMIT: u32 = 60;
const SIZE: usize = 8;
/// Default node budget. Measured processor times (`docs/engine.md`): under 3 s for a game of 60 moves inside one
/// program, under 4 s in total for a game between two programs.
const BUDGET: Budget = Budget { self_play: 30_000, shrink: 6 };

const HELP: &str = "\
Commands (squares are a1 to h8, sides are black and white):
  b1-b3            move a piece; the distance is the number of pieces on its line
  new              start again
  auto SIDE        let the program play a side
  manual SIDE      play a side yourself
  set SQUARE WHAT NEXT
                   put black, white or - on a square; NEXT moves next
  limit N          the game is a tie after N moves of each side
  seed N           vary the program's play; the same seed, the same game
  dump             print the board for test scripts
  quit             leave the program
Extras:
  board            draw the board
  moves [SQUARE]   list the legal moves
  hint             what the program would play
  undo             take back to your last move
  help, ?          this list";

/// The state of the `loa` program.
pub struct Console {
    game: Match<Position>,
    reads_all_spellings: bool,
}

/// The formats of moves and boards in this program.
struct Style;

impl Show<Position> for Style {
    fn message(&self, m: Move) -> String {
        m.to_string()
    }

    fn logged(&self, m: Move) -> Option<String> {
        Some(m.to_string())
    }
}

fn fresh_game() -> Record<Position> {
    let start = Position::start(SIZE).expect("invariant: the game is played on 8x8");
    Record::new(start).with_move_limit(MOVE_LIMIT)
}

impl Console {
    /// Begins a game with White automated and Black manual. The options describe the automated player.
    ///
    /// # Errors
    /// If the game has no player of this build.
    pub fn new(options: &PlayerOptions) -> Result<Self, NoBuild> {
        let game = fresh_game();
        let player = options.make(game.position(), &Resources::default())?;
        Ok(Self { game: Match::new(game, player, BUDGET), reads_all_spellings: false })
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

    /// Accepts all common notations of moves, such as `C1xA3` and `c1 a3`, in addition to that of the course.
    #[must_use]
    pub fn with_all_spellings(mut self) -> Self {
        self.reads_all_spellings = true;
        self
    }

    fn obey(&mut self, words: &[&str], out: &mut dyn Sink) -> Result<Flow, CommandError> {
        match words[0].to_ascii_lowercase().as_str() {
            "new" => {
                self.game.record = fresh_game();
                out.board(&self.diagram(), false);
            }
            "auto" => self.game.set_automated(side(operand(words, 1, "auto SIDE")?)?, true),
            "manual" => self.game.set_automated(side(operand(words, 1, "manual SIDE")?)?, false),
            "set" => {
                self.set(words)?;
                out.board(&self.diagram(), false);
            }
            "dump" => self.dump(out),
            "seed" => self.game.set_seed(words)?,
            "limit" => self.limit(operand(words, 1, "limit N")?)?,
            "help" | "?" => HELP.lines().for_each(|line| out.print(line)),
            "quit" => return Ok(Flow::Quit),
            "board" => out.board(&self.diagram(), true),
            "moves" => self.list_moves(words.get(1).copied(), out)?,
            "hint" => {
                self.game.check_open()?;
                out.print(&self.game.hint().map_or_else(|| "no move".to_owned(), |m| format!("hint: {m}")));
            }
            "undo" => {
                self.game.undo()?;
                out.board(&self.diagram(), true);
            }
            _ if self.reads_all_spellings => self.play(&words.join(" "), out)?,
            _ => self.play(words[0], out)?,
        }
        Ok(Flow::Continue)
    }

    fn play(&mut self, word: &str, out: &mut dyn Sink) -> Result<(), CommandError> {
        let p = self.game.record.position();
        let parsed = if self.reads_all_spellings { p.read_move(word) } else { p.parse_move(word) };
        if let Err(game::MoveError::Unreadable { .. }) = &parsed
            && !looks_like_a_move(word)
        {
            return refuse("unknown command", word, "a command (`help` lists them) or a move such as `b1-d3`");
        }
        self.game.check_turn()?;
        let m = parsed.map_err(|error| CommandError(error.to_string()))?;
        self.game.play(m, &Style, out);
        Ok(())
    }

    fn set(&mut self, words: &[&str]) -> Result<(), CommandError> {
        let usage = "set SQUARE WHAT NEXT";
        let square = operand(words, 1, usage)?;
        let Some(square) = Square::parse(square) else {
            return refuse("square", square, "a letter a to h and a digit 1 to 8");
        };
        let content = match operand(words, 2, usage)? {
            "-" => None,
            word => match side(word) {
                Ok(side) => Some(side),
                Err(_) => return refuse("content", word, "`black`, `white` or `-`"),
            },
        };
        let next = side(operand(words, 3, usage)?)?;
        let changed = self.game.record.position().with(square, content);
        self.game.record.set_up(changed.expect("invariant: every square a1 to h8 is on the board").with_turn(next));
        Ok(())
    }

    fn limit(&mut self, word: &str) -> Result<(), CommandError> {
        let each: u32 = number(word, 1..=1_000_000_000, "limit")?;
        let made = Side::BOTH.map(|side| self.game.record.moves_made_by(side));
        let most = made[0].max(made[1]);
        if each <= most {
            return refuse("limit", word, &format!("more than the {most} moves that a side has made"));
        }
        self.game.record.set_move_limit(Some(2 * each)).map_err(|error| CommandError(error.to_string()))
    }

    fn list_moves(&self, from: Option<&str>, out: &mut dyn Sink) -> Result<(), CommandError> {
        let from = match from.map(|word| (word, Square::parse(word))) {
            None => None,
            Some((_, Some(square))) => Some(square),
            Some((word, None)) => return refuse("square", word, "a letter a to h and a digit 1 to 8"),
        };
        let mut moves: Vec<String> = Vec::new();
        if self.game.to_move().is_some() {
            let all = self.game.record.position().movable();
            moves.extend(all.iter().filter(|m| from.is_none_or(|from| m.from == from)).map(ToString::to_string));
        }
        moves.sort();
        let none = self.why_no_moves(from).map_or_else(|| "no moves".to_owned(), |why| format!("no moves: {why}"));
        print_moves("moves:", &none, &moves, out);
        Ok(())
    }

    /// Returns the reason why there are no moves to list: the game is over, or the content of the square `from`
    /// prevents them. Returns `None` if the game is not over and there is no `from`: then the side to move has no legal
    /// move.
    fn why_no_moves(&self, from: Option<Square>) -> Option<String> {
        let Some(mover) = self.game.to_move() else { return Some("the game is over".to_owned()) };
        let square = from?;
        match self.game.record.position().at(square) {
            None => Some(Refusal::EmptySource(square).to_string()),
            Some(side) if side != mover => Some(Refusal::NotYours { square, mover }.to_string()),
            Some(_) => Some(format!("the piece on {square} has no legal move")),
        }
    }

    fn dump(&self, out: &mut dyn Sink) {
        let p = self.game.record.position();
        out.print("===");
        for rank in (0..SIZE as u8).rev() {
            let cells = (0..SIZE as u8).filter_map(|file| Square::new(file, rank)).map(|square| match p.at(square) {
                Some(Side::First) => "b",
                Some(Side::Second) => "w",
                None => "-",
            });
            out.print(&format!("    {}", cells.collect::<Vec<_>>().join(" ")));
        }
        out.print(&format!("Next move: {}", Position::side_name(p.side_to_move()).to_ascii_lowercase()));
        out.print("===");
    }
}

fn looks_like_a_move(word: &str) -> bool {
    word.contains('-') || word.starts_with(|c: char| c.is_ascii_digit())
}

fn side(word: &str) -> Result<Side, CommandError> {
    match word.to_ascii_lowercase().as_str() {
        "black" => Ok(Side::First),
        "white" => Ok(Side::Second),
        _ => refuse("side", word, "`black` or `white`"),
    }
}

impl Session for Console {
    fn prompt(&self) -> String {
        match self.game.to_move() {
            Some(Side::First) => "b> ",
            Some(Side::Second) => "w> ",
            None => "-> ",
        }
        .to_owned()
    }

    fn command(&mut self, line: &[u8], out: &mut dyn Sink) -> Result<Flow, CommandError> {
        let Some(text) = trimmed(line) else { return Ok(Flow::Continue) };
        let words = words(&text);
        if words[0].eq_ignore_ascii_case("new") {
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
        self.game.advance(stop, &Style, out);
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
