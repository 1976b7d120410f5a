//! A game at a table: who plays, what was played, what was taken back. No sockets, no clocks, no threads.

use core::num::NonZeroUsize;
use core::time::Duration;

use engine::{Level, Strength};
use games::{End, Scene, Setting};

use crate::messages::{Act, Line, NewGame, Seat, TableView};

/// Without a limit of its own a game is a tie after so many moves, so that engines come to an end.
const MOST_MOVES: u32 = 2_000;
/// Engines may think so long for a move.
const LONGEST: f64 = 60.0;
/// Or look at so many positions.
const MOST_NODES: u64 = 100_000_000;
/// And wait so long between two.
const SLOWEST: u64 = 10_000;

/// A game at a table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) setting: Setting,
    pub(crate) start: String,
    pub(crate) moves: Vec<String>,
    undone: Vec<String>,
    seats: [Seat; 2],
    paused: bool,
    /// Moves that engines may make although they are paused.
    steps: u32,
    pace: u64,
    resigned: Option<usize>,
    scene: Scene,
    pub(crate) revision: u64,
    terminal: bool,
}

/// A move that an engine is to make.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Turn {
    pub(crate) setting: Setting,
    pub(crate) start: String,
    pub(crate) moves: Vec<String>,
    pub(crate) strength: Strength,
    /// Whether another engine has just moved, so that somebody may want to see it.
    pub(crate) after: Duration,
}

/// The setting of a game on no table.
pub(crate) fn setting(line: &Line) -> Result<Setting, String> {
    let game = line.game.parse().map_err(|error| format!("{error}"))?;
    let move_limit = line.limit.unwrap_or(MOST_MOVES).clamp(1, MOST_MOVES);
    Ok(Setting { game, size: line.size, move_limit, repetitions: None })
}

/// Shows a game on no table.
pub(crate) fn scene(line: &Line) -> Result<Scene, String> {
    shown(setting(line)?, line.start.as_deref(), &line.moves)
}

fn shown(setting: Setting, start: Option<&str>, moves: &[String]) -> Result<Scene, String> {
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let mut scene = setting.scene(start, &moves).map_err(|error| error.to_string())?;
    scene.limit = scene.limit.filter(|&limit| limit < MOST_MOVES);
    Ok(scene)
}

impl Table {
    /// A game of Lines of Action against the engine.
    pub(crate) fn usual() -> Self {
        let line = Line { game: "loa".into(), size: None, start: None, moves: vec![], limit: None };
        let seats = [Seat::Person, Seat::Engine { level: 3, seconds: None, nodes: None }];
        let new = NewGame { game: line, seats, paused: false };
        Self::new(&new, 0).expect("invariant: the usual game can be begun")
    }

    /// A game as somebody wants it.
    pub(crate) fn new(new: &NewGame, revision: u64) -> Result<Self, String> {
        let setting = setting(&new.game)?;
        let scene = shown(setting, new.game.start.as_deref(), &new.game.moves)?;
        new.seats.iter().try_for_each(checked)?;
        Ok(Self {
            setting,
            start: scene.start.clone(),
            moves: scene.played.clone(),
            undone: Vec::new(),
            seats: new.seats,
            paused: new.paused,
            steps: 0,
            pace: 600,
            resigned: None,
            scene,
            revision,
            terminal: false,
        })
    }

    /// A game that a terminal drives; engines move there, not here.
    pub(crate) fn of_terminal(new: &NewGame) -> Result<Self, String> {
        Ok(Self { terminal: true, ..Self::new(new, 0)? })
    }

    /// The table as it stands.
    pub(crate) fn view(&self, name: &str) -> TableView {
        let mut scene = self.scene.clone();
        if let Some(side) = self.resigned {
            let sides = scene.sides;
            scene.end = Some(End {
                winner: Some(1 - side),
                text: format!("{} resigns: {} wins.", sides[side], sides[1 - side]),
            });
            scene.moves.clear();
        }
        TableView {
            table: name.to_owned(),
            revision: self.revision,
            scene,
            seats: self.seats,
            paused: self.paused,
            thinking: self.turn().is_some(),
            pace: self.pace,
            undone: self.undone.iter().rev().cloned().collect(),
            terminal: self.terminal,
        }
    }

    fn is_over(&self) -> bool {
        self.scene.end.is_some() || self.resigned.is_some()
    }

    fn is_person(&self, side: usize) -> bool {
        self.seats[side] == Seat::Person
    }

    /// Does something that a page wants done, if the page saw the game as it stands.
    pub(crate) fn act(&mut self, ply: u32, act: &Act) -> Result<(), String> {
        if ply as usize != self.moves.len() {
            return Err("The game has gone on; this is how it stands now.".into());
        }
        match act {
            Act::Play { text } => {
                if !self.is_person(self.scene.turn) {
                    return Err(format!("{} is played by the engine.", self.scene.sides[self.scene.turn]));
                }
                self.play(text)?;
            }
            Act::Undo => self.undo()?,
            Act::Redo => self.redo()?,
            Act::Resign => self.resign()?,
            Act::Seat { side, seat } => {
                checked(seat)?;
                *self.seats.get_mut(*side).ok_or("There are two sides.")? = *seat;
            }
            Act::Pause { on } => (self.paused, self.steps) = (*on, 0),
            Act::Step => (self.paused, self.steps) = (true, 1),
            Act::Pace { ms } => self.pace = (*ms).min(SLOWEST),
            Act::Limit { moves } => {
                let limit = moves.unwrap_or(MOST_MOVES).min(MOST_MOVES);
                if limit as usize <= self.moves.len() {
                    return Err(format!("{} moves have been made: the limit must be higher.", self.moves.len()));
                }
                self.setting.move_limit = limit;
                self.show()?;
            }
            Act::Hint => (),
        }
        self.revision += 1;
        Ok(())
    }

    /// Plays a move of whoever is to move.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), String> {
        if self.is_over() {
            return Err("The game is over.".into());
        }
        self.moves.push(text.to_owned());
        if let Err(error) = self.show() {
            self.moves.pop();
            return Err(error);
        }
        // The line that was taken back stays as long as the game follows it.
        if self.undone.last() == self.moves.last() {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        Ok(())
    }

    /// An engine's move, if the game still stands as it was when the engine was asked.
    pub(crate) fn engine_plays(&mut self, turn: &Turn, text: &str) -> bool {
        if self.turn().as_ref().map(|now| (&now.start, &now.moves, &now.strength))
            != Some((&turn.start, &turn.moves, &turn.strength))
        {
            return false;
        }
        let played = self.play(text).is_ok();
        self.steps = self.steps.saturating_sub(1);
        self.revision += u64::from(played);
        played
    }

    fn show(&mut self) -> Result<(), String> {
        self.scene = shown(self.setting, Some(&self.start), &self.moves)?;
        self.moves.clone_from(&self.scene.played);
        Ok(())
    }

    fn undo(&mut self) -> Result<(), String> {
        if self.resigned.take().is_some() {
            return Ok(());
        }
        let nobody = !self.seats.contains(&Seat::Person);
        if nobody {
            self.paused = true;
        }
        loop {
            let last = self.moves.pop().ok_or("There is no move to take back.")?;
            self.undone.push(last);
            self.show()?;
            if nobody || self.is_person(self.scene.turn) {
                return Ok(());
            }
            if self.moves.is_empty() {
                // The engine began: it would only move again.
                self.paused = true;
                return Ok(());
            }
        }
    }

    fn redo(&mut self) -> Result<(), String> {
        if self.undone.is_empty() {
            return Err("Nothing was taken back.".into());
        }
        while let Some(next) = self.undone.pop() {
            self.moves.push(next);
            self.show()?;
            if self.is_person(self.scene.turn) || self.paused {
                break;
            }
        }
        Ok(())
    }

    fn resign(&mut self) -> Result<(), String> {
        if self.is_over() {
            return Err("The game is over.".into());
        }
        let turn = self.scene.turn;
        let side = [turn, 1 - turn].into_iter().find(|&side| self.is_person(side));
        self.resigned = Some(side.ok_or("Nobody plays here who could resign.")?);
        Ok(())
    }

    /// The engine's move that is to be made now.
    pub(crate) fn turn(&self) -> Option<Turn> {
        let Seat::Engine { level, seconds, nodes } = self.seats[self.scene.turn] else { return None };
        if self.is_over() || self.terminal || (self.paused && self.steps == 0) {
            return None;
        }
        let watched = !self.is_person(1 - self.scene.turn) && !self.moves.is_empty() && self.steps == 0;
        let strength = Strength {
            level: Level::new(level).unwrap_or(Level::FULL),
            movetime: seconds.map(Duration::from_secs_f64),
            nodes,
            threads: NonZeroUsize::MIN,
        };
        let after = Duration::from_millis(if watched { self.pace } else { 0 });
        Some(Turn { strength, after, ..self.hint() })
    }

    /// The question for a hint: what a player of full strength would do.
    pub(crate) fn hint(&self) -> Turn {
        Turn {
            setting: self.setting,
            start: self.start.clone(),
            moves: self.moves.clone(),
            strength: Strength::default(),
            after: Duration::ZERO,
        }
    }
}

/// An engine's level and time.
fn checked(seat: &Seat) -> Result<(), String> {
    match *seat {
        Seat::Engine { level, .. } if !(1..=10).contains(&level) => Err(format!("level {level}: expected 1 to 10")),
        Seat::Engine { seconds: Some(s), .. } if !(0.01..=LONGEST).contains(&s) => {
            Err(format!("{s} seconds for a move: expected 0.01 to {LONGEST}"))
        }
        Seat::Engine { nodes: Some(n), .. } if !(1..=MOST_NODES).contains(&n) => {
            Err(format!("{n} positions for a move: expected 1 to {MOST_NODES}"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGINE: Seat = Seat::Engine { level: 1, seconds: None, nodes: None };

    fn table(game: &str, seats: [Seat; 2]) -> Table {
        let line = Line { game: game.into(), size: None, start: None, moves: vec![], limit: Some(60) };
        Table::new(&NewGame { game: line, seats, paused: false }, 1).expect("a table")
    }

    fn act(table: &mut Table, act: &Act) -> Result<(), String> {
        table.act(table.moves.len() as u32, act)
    }

    /// Answers with the first legal move for an engine.
    fn engine_moves(table: &mut Table) {
        let turn = table.turn().expect("an engine's turn");
        let first = table.scene.moves[0].text.clone();
        assert!(table.engine_plays(&turn, &first));
    }

    #[test]
    fn one_undo_goes_back_to_the_persons_own_move_and_keeps_the_line() {
        let mut table = table("loa", [Seat::Person, ENGINE]);
        assert!(act(&mut table, &Act::Undo).is_err());
        act(&mut table, &Act::Play { text: "b1-b3".into() }).expect("legal");
        engine_moves(&mut table);
        act(&mut table, &Act::Play { text: "c1-c4".into() }).expect_err("not legal");
        let second = table.scene.moves[3].text.clone();
        act(&mut table, &Act::Play { text: second.clone() }).expect("legal");
        engine_moves(&mut table);
        let played = table.moves.clone();
        act(&mut table, &Act::Undo).expect("taken back");
        assert_eq!((table.moves.len(), table.view("t").undone), (2, played[2..].to_vec()));
        act(&mut table, &Act::Undo).expect("taken back");
        assert_eq!(table.moves.len(), 0);
        act(&mut table, &Act::Redo).expect("played again");
        act(&mut table, &Act::Redo).expect("played again");
        assert_eq!(table.moves, played);
        act(&mut table, &Act::Undo).expect("taken back");
        // The same move keeps what came after it, another one does not.
        act(&mut table, &Act::Play { text: second }).expect("legal");
        assert_eq!(table.view("t").undone, played[3..]);
        act(&mut table, &Act::Undo).expect("taken back");
        let other = table.scene.moves[5].text.clone();
        act(&mut table, &Act::Play { text: other }).expect("legal");
        assert!(table.view("t").undone.is_empty());
    }

    #[test]
    fn seats_change_in_the_middle_of_a_game() {
        let mut table = table("jump61", [Seat::Person, Seat::Person]);
        act(&mut table, &Act::Play { text: "1:1".into() }).expect("legal");
        assert!(table.turn().is_none());
        act(&mut table, &Act::Seat { side: 1, seat: ENGINE }).expect("a seat");
        let turn = table.turn().expect("the engine's turn");
        act(&mut table, &Act::Play { text: "6:6".into() }).expect_err("the engine's turn");
        // It is changed back before the engine answers: the answer comes too late.
        act(&mut table, &Act::Seat { side: 1, seat: Seat::Person }).expect("a seat");
        assert!(!table.engine_plays(&turn, "6:6"));
        act(&mut table, &Act::Play { text: "6:6".into() }).expect("legal");
        for wrong in [(0, None, None), (3, Some(f64::NAN), None), (3, None, Some(0))] {
            let (level, seconds, nodes) = wrong;
            let wrong = Seat::Engine { level, seconds, nodes };
            act(&mut table, &Act::Seat { side: 0, seat: wrong }).expect_err("no such engine");
        }
        act(&mut table, &Act::Seat { side: 2, seat: ENGINE }).expect_err("no such side");
    }

    #[test]
    fn pages_that_are_behind_are_told_so() {
        let mut table = table("loa", [Seat::Person, Seat::Person]);
        act(&mut table, &Act::Play { text: "b1-b3".into() }).expect("legal");
        let before = table.revision;
        table.act(0, &Act::Play { text: "c1-c3".into() }).expect_err("behind");
        assert_eq!((table.revision, table.moves.len()), (before, 1));
    }

    #[test]
    fn resigning_can_be_taken_back_and_limits_end_games() {
        let mut table = table("loa", [Seat::Person, ENGINE]);
        act(&mut table, &Act::Resign).expect("resigned");
        assert_eq!(table.view("t").scene.end.map(|end| end.text).as_deref(), Some("Black resigns: White wins."));
        act(&mut table, &Act::Play { text: "b1-b3".into() }).expect_err("over");
        act(&mut table, &Act::Undo).expect("taken back");
        act(&mut table, &Act::Limit { moves: Some(2) }).expect("a limit");
        act(&mut table, &Act::Play { text: "b1-b3".into() }).expect("legal");
        engine_moves(&mut table);
        let end = table.view("t").scene.end.expect("a tie");
        assert_eq!((end.winner, end.text.as_str()), (None, "A tie: 2 moves were made and nobody has won."));
        act(&mut table, &Act::Limit { moves: Some(2) }).expect_err("too low");
    }

    #[test]
    fn engines_wait_when_paused() {
        let mut table = table("loa", [ENGINE, ENGINE]);
        act(&mut table, &Act::Pause { on: true }).expect("paused");
        assert!(table.turn().is_none());
        act(&mut table, &Act::Step).expect("a step");
        engine_moves(&mut table);
        assert!(table.turn().is_none());
        act(&mut table, &Act::Pause { on: false }).expect("on");
        assert_eq!(table.turn().map(|turn| turn.after), Some(Duration::from_millis(600)));
        act(&mut table, &Act::Undo).expect("taken back");
        assert!(table.turn().is_none(), "so that somebody can look");
    }
}
