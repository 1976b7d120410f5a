//! A room: a game that is played on the page, with its seats. No sockets, no clocks, no threads.

use core::time::Duration;

use engine::{Level, PlayerOptions};
use games::{Edit, End, GameId, Scene, Session, Setting};

use crate::messages::{Act, Game, NewGame, RoomView, Seat};

/// The move limit of a game that was begun without one, so that games between engines end.
const MOST_MOVES: u32 = 2_000;
/// The longest time for an engine's move, in seconds.
const LONGEST: f64 = 60.0;
/// The most positions for an engine's move.
const MOST_NODES: u64 = 100_000_000;
/// The longest time between two moves of engines, in milliseconds.
const SLOWEST: u64 = 10_000;
/// The usual time between two moves of engines, in milliseconds.
const USUAL_PACE: u64 = 600;

/// A game that is played on the page.
pub(crate) struct Room {
    setting: Setting,
    session: Box<dyn Session>,
    /// What the session shows, so that it is made once for each change.
    scene: Scene,
    /// Moves that were taken back, the next one last.
    undone: Vec<String>,
    seats: [Seat; 2],
    paused: bool,
    /// Moves that engines may make although they are paused.
    steps: u32,
    pace: u64,
    resigned: Option<usize>,
    pub(crate) revision: u64,
    terminal: bool,
}

/// A move that an engine is to make.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Turn {
    pub(crate) setting: Setting,
    pub(crate) start: String,
    pub(crate) moves: Vec<String>,
    pub(crate) player: PlayerOptions,
    /// Time to wait before the move, so that users can watch engines play.
    pub(crate) after: Duration,
}

/// The setting of a game.
pub(crate) fn setting(game: &Game) -> Result<Setting, String> {
    let id = game.game.parse().map_err(|error| format!("{error}"))?;
    let move_limit = game.limit.unwrap_or(MOST_MOVES).clamp(1, MOST_MOVES);
    Ok(Setting { game: id, size: game.size, move_limit, repetitions: None })
}

/// Shows a game that is in no room.
pub(crate) fn scene(game: &Game) -> Result<Scene, String> {
    let scene = setting(game)?.scene(game.start.as_deref(), &texts(&game.moves)).map_err(|error| error.to_string())?;
    Ok(without_own_limit(scene))
}

/// Shows the last position of a game after a change by hand, as a game that begins there.
pub(crate) fn edited(game: &Game, edit: Edit) -> Result<Scene, String> {
    let setting = setting(game)?;
    let scene = setting.edit(game.start.as_deref(), &texts(&game.moves), edit).map_err(|error| error.to_string())?;
    Ok(without_own_limit(scene))
}

/// The moves as the registry takes them.
pub(crate) fn texts(moves: &[String]) -> Vec<&str> {
    moves.iter().map(String::as_str).collect()
}

/// The limit of a game that was begun without one is not shown.
fn without_own_limit(scene: Scene) -> Scene {
    Scene { limit: scene.limit.filter(|&limit| limit < MOST_MOVES), ..scene }
}

impl Room {
    /// A game against the engine.
    pub(crate) fn usual() -> Self {
        let game = Game { game: GameId::ALL[0].to_string(), size: None, start: None, moves: vec![], limit: None };
        let seats = [Seat::Person, Seat::Engine { level: 3, seconds: None, nodes: None }];
        let new = NewGame { game, seats, paused: false };
        Self::new(&new, 0).expect("invariant: the usual game can be begun")
    }

    /// A game that a page asks for.
    pub(crate) fn new(new: &NewGame, revision: u64) -> Result<Self, String> {
        let setting = setting(&new.game)?;
        let session = setting.session(new.game.start.as_deref(), &texts(&new.game.moves));
        let session = session.map_err(|error| error.to_string())?;
        new.seats.iter().try_for_each(checked)?;
        Ok(Self {
            setting,
            scene: without_own_limit(session.scene()),
            session,
            undone: Vec::new(),
            seats: new.seats,
            paused: new.paused,
            steps: 0,
            pace: USUAL_PACE,
            resigned: None,
            revision,
            terminal: false,
        })
    }

    /// A game that a terminal drives; engines move there, not here.
    pub(crate) fn of_terminal(new: &NewGame) -> Result<Self, String> {
        Ok(Self { terminal: true, ..Self::new(new, 0)? })
    }

    /// The room as it stands.
    pub(crate) fn view(&self, name: &str) -> RoomView {
        let mut scene = self.scene.clone();
        if let Some(side) = self.resigned {
            let sides = scene.sides;
            scene.end = Some(End {
                winner: Some(1 - side),
                text: format!("{} resigns: {} wins.", sides[side], sides[1 - side]),
            });
            scene.moves.clear();
        }
        RoomView {
            room: name.to_owned(),
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

    /// Carries out a page's request, if the page saw the current game.
    pub(crate) fn act(&mut self, ply: u32, act: &Act) -> Result<(), String> {
        if ply != self.session.moves_made() {
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
            Act::Limit { moves } => self.limit(moves.unwrap_or(MOST_MOVES).min(MOST_MOVES))?,
            Act::Hint => (),
        }
        self.revision += 1;
        Ok(())
    }

    /// Plays a move of the side to move.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), String> {
        if self.is_over() {
            return Err("The game is over.".into());
        }
        self.session.play(text).map_err(|error| error.to_string())?;
        self.show();
        // The line that was taken back stays as long as the game follows it.
        if self.undone.last() == self.scene.played.last() {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        Ok(())
    }

    /// An engine's move, if the game still stands as it was when the engine was asked.
    pub(crate) fn engine_plays(&mut self, turn: &Turn, text: &str) -> bool {
        if self.turn().as_ref().map(|now| (&now.start, &now.moves, &now.player))
            != Some((&turn.start, &turn.moves, &turn.player))
        {
            return false;
        }
        let played = self.play(text).is_ok();
        self.steps = self.steps.saturating_sub(1);
        self.revision += u64::from(played);
        played
    }

    fn show(&mut self) {
        self.scene = without_own_limit(self.session.scene());
    }

    fn limit(&mut self, limit: u32) -> Result<(), String> {
        if self.session.set_move_limit(limit).is_err() {
            return Err(format!("{} moves have been made: the limit must be higher.", self.session.moves_made()));
        }
        self.setting.move_limit = limit;
        self.show();
        Ok(())
    }

    fn undo(&mut self) -> Result<(), String> {
        if self.resigned.take().is_some() {
            return Ok(());
        }
        let no_user = !self.seats.contains(&Seat::Person);
        loop {
            let last = self.session.undo().ok_or("There is no move to take back.")?;
            self.undone.push(last);
            let at_start = self.session.moves_made() == 0;
            if no_user || at_start || self.is_person(self.session.turn()) {
                break;
            }
        }
        // An engine that is to move now would only play on.
        self.paused |= no_user || !self.is_person(self.session.turn());
        self.show();
        Ok(())
    }

    fn redo(&mut self) -> Result<(), String> {
        if self.undone.is_empty() {
            return Err("Nothing was taken back.".into());
        }
        if self.scene.end.is_some() {
            return Err("The game is over.".into());
        }
        while let Some(next) = self.undone.last() {
            // A lower move limit may have come in between.
            if self.session.play(next).is_err() {
                break;
            }
            self.undone.pop();
            if self.is_person(self.session.turn()) || self.paused {
                break;
            }
        }
        self.show();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), String> {
        if self.is_over() {
            return Err("The game is over.".into());
        }
        let turn = self.scene.turn;
        let side = [turn, 1 - turn].into_iter().find(|&side| self.is_person(side));
        self.resigned = Some(side.ok_or("Engines play both sides; they do not resign.")?);
        Ok(())
    }

    /// The engine's move that is to be made now.
    pub(crate) fn turn(&self) -> Option<Turn> {
        let Seat::Engine { level, seconds, nodes } = self.seats[self.scene.turn] else { return None };
        if self.is_over() || self.terminal || (self.paused && self.steps == 0) {
            return None;
        }
        let watched = !self.is_person(1 - self.scene.turn) && self.scene.ply > 0 && self.steps == 0;
        let player = PlayerOptions {
            level: Level::new(level).unwrap_or(Level::FULL),
            movetime: seconds.map(Duration::from_secs_f64),
            nodes,
            ..PlayerOptions::default()
        };
        let after = Duration::from_millis(if watched { self.pace } else { 0 });
        Some(Turn { player, after, ..self.hint() })
    }

    /// The question for a hint: what a player of full strength would do.
    pub(crate) fn hint(&self) -> Turn {
        Turn {
            setting: self.setting,
            start: self.scene.start.clone(),
            moves: self.scene.played.clone(),
            player: PlayerOptions::default(),
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

    fn room(name: &str, seats: [Seat; 2]) -> Room {
        let game = Game { game: name.into(), size: None, start: None, moves: vec![], limit: Some(60) };
        Room::new(&NewGame { game, seats, paused: false }, 1).expect("a room")
    }

    fn act(room: &mut Room, act: &Act) -> Result<(), String> {
        room.act(room.session.moves_made(), act)
    }

    /// Answers with the first legal move for an engine.
    fn engine_moves(room: &mut Room) {
        let turn = room.turn().expect("an engine's turn");
        let first = room.scene.moves[0].text.clone();
        assert!(room.engine_plays(&turn, &first));
    }

    #[test]
    fn one_undo_goes_back_to_the_users_own_move_and_keeps_the_line() {
        let mut room = room("loa", [Seat::Person, ENGINE]);
        assert!(act(&mut room, &Act::Undo).is_err());
        act(&mut room, &Act::Play { text: "b1-b3".into() }).expect("legal");
        engine_moves(&mut room);
        act(&mut room, &Act::Play { text: "c1-c4".into() }).expect_err("not legal");
        let second = room.scene.moves[3].text.clone();
        act(&mut room, &Act::Play { text: second.clone() }).expect("legal");
        engine_moves(&mut room);
        let played = room.scene.played.clone();
        act(&mut room, &Act::Undo).expect("taken back");
        assert_eq!((room.scene.played.len(), room.view("t").undone), (2, played[2..].to_vec()));
        act(&mut room, &Act::Undo).expect("taken back");
        assert_eq!(room.scene.played.len(), 0);
        act(&mut room, &Act::Redo).expect("played again");
        act(&mut room, &Act::Redo).expect("played again");
        assert_eq!(room.scene.played, played);
        act(&mut room, &Act::Undo).expect("taken back");
        // The same move keeps what came after it, another one does not.
        act(&mut room, &Act::Play { text: second }).expect("legal");
        assert_eq!(room.view("t").undone, played[3..]);
        act(&mut room, &Act::Undo).expect("taken back");
        let other = room.scene.moves[5].text.clone();
        act(&mut room, &Act::Play { text: other }).expect("legal");
        assert!(room.view("t").undone.is_empty());
    }

    #[test]
    fn seats_change_in_the_middle_of_a_game() {
        let mut room = room("jump61", [Seat::Person, Seat::Person]);
        act(&mut room, &Act::Play { text: "1:1".into() }).expect("legal");
        assert!(room.turn().is_none());
        act(&mut room, &Act::Seat { side: 1, seat: ENGINE }).expect("a seat");
        let turn = room.turn().expect("the engine's turn");
        act(&mut room, &Act::Play { text: "6:6".into() }).expect_err("the engine's turn");
        // It is changed back before the engine answers: the answer comes too late.
        act(&mut room, &Act::Seat { side: 1, seat: Seat::Person }).expect("a seat");
        assert!(!room.engine_plays(&turn, "6:6"));
        act(&mut room, &Act::Play { text: "6:6".into() }).expect("legal");
        for wrong in [(0, None, None), (3, Some(f64::NAN), None), (3, None, Some(0))] {
            let (level, seconds, nodes) = wrong;
            let wrong = Seat::Engine { level, seconds, nodes };
            act(&mut room, &Act::Seat { side: 0, seat: wrong }).expect_err("no such engine");
        }
        act(&mut room, &Act::Seat { side: 2, seat: ENGINE }).expect_err("no such side");
    }

    #[test]
    fn pages_that_are_behind_are_told_so() {
        let mut room = room("loa", [Seat::Person, Seat::Person]);
        act(&mut room, &Act::Play { text: "b1-b3".into() }).expect("legal");
        let before = room.revision;
        room.act(0, &Act::Play { text: "c1-c3".into() }).expect_err("behind");
        assert_eq!((room.revision, room.scene.played.len()), (before, 1));
    }

    #[test]
    fn resigning_can_be_taken_back_and_limits_end_games() {
        let mut room = room("loa", [Seat::Person, ENGINE]);
        act(&mut room, &Act::Resign).expect("resigned");
        assert_eq!(room.view("t").scene.end.map(|end| end.text).as_deref(), Some("Black resigns: White wins."));
        act(&mut room, &Act::Play { text: "b1-b3".into() }).expect_err("over");
        act(&mut room, &Act::Undo).expect("taken back");
        act(&mut room, &Act::Limit { moves: Some(2) }).expect("a limit");
        act(&mut room, &Act::Play { text: "b1-b3".into() }).expect("legal");
        engine_moves(&mut room);
        let end = room.view("t").scene.end.expect("a draw");
        assert_eq!((end.winner, end.text.as_str()), (None, "A draw: 2 moves were made and no side has won."));
        act(&mut room, &Act::Limit { moves: Some(2) }).expect_err("too low");
    }

    #[test]
    fn engines_wait_when_paused() {
        let mut room = room("loa", [ENGINE, ENGINE]);
        act(&mut room, &Act::Pause { on: true }).expect("paused");
        assert!(room.turn().is_none());
        act(&mut room, &Act::Step).expect("a step");
        engine_moves(&mut room);
        assert!(room.turn().is_none());
        act(&mut room, &Act::Pause { on: false }).expect("on");
        assert_eq!(room.turn().map(|turn| turn.after), Some(Duration::from_millis(600)));
        act(&mut room, &Act::Undo).expect("taken back");
        assert!(room.turn().is_none(), "so that users can look");
    }

    #[test]
    fn a_lower_limit_ends_the_line_that_was_taken_back() {
        let mut room = room("jump61", [Seat::Person, Seat::Person]);
        for text in ["1:1", "6:6"] {
            act(&mut room, &Act::Play { text: text.into() }).expect("legal");
        }
        for _ in 0..2 {
            act(&mut room, &Act::Undo).expect("taken back");
        }
        act(&mut room, &Act::Limit { moves: Some(1) }).expect("a limit");
        act(&mut room, &Act::Redo).expect("played again");
        assert!(room.scene.end.is_some());
        act(&mut room, &Act::Redo).expect_err("over");
        assert_eq!((room.scene.played.len(), room.undone.len()), (1, 1));
    }

    #[test]
    fn an_engine_that_began_waits_when_its_move_is_taken_back() {
        let mut room = room("loa", [ENGINE, Seat::Person]);
        engine_moves(&mut room);
        act(&mut room, &Act::Undo).expect("taken back");
        assert_eq!((room.scene.played.len(), room.turn()), (0, None));
        act(&mut room, &Act::Pause { on: false }).expect("on");
        assert!(room.turn().is_some());
    }
}
