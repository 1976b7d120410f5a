use game::{MoveError, Outcome, Side, TextGame};

use crate::dialect::reason;
use crate::dialect::{Dialect, Heard, Lifetime, Talk, TimeLeft};

use crate::cs61b::{self, GameResult, Message, parse_message, strip_prompt};

/// The text programs of CS61B. Both sides are manual while the opening is entered as commands. Then the program's side
/// is switched to automated, and the opponent's moves are sent as commands.
pub(super) struct Cs61b {
    game: cs61b::CourseGame,
    side: Side,
    /// Number of moves sent to or received from the program.
    told: usize,
    /// `true` once the program's side is automated. From then on the program plays its own moves itself.
    plays: bool,
    /// Number of lines so far that begin or end a dump.
    rules: u32,
}

impl Cs61b {
    pub(super) fn new(game: cs61b::CourseGame) -> Self {
        Self { game, side: Side::First, told: 0, plays: false, rules: 0 }
    }

    fn name(&self, side: Side) -> &'static str {
        match (self.game, side) {
            (cs61b::CourseGame::Loa, Side::First) => "black",
            (cs61b::CourseGame::Loa, Side::Second) => "white",
            (cs61b::CourseGame::Jump61, Side::First) => "red",
            (cs61b::CourseGame::Jump61, Side::Second) => "blue",
        }
    }

    /// Returns the moves that the program does not have yet, as commands.
    fn news(&mut self, game: &dyn TextGame) -> Vec<String> {
        // The current side to move determines the side of each move.
        let moves = game.moves();
        let ours_is_next = game.side_to_move() == self.side;
        let own = |ply: usize| self.plays && (moves.len() - ply).is_multiple_of(2) == ours_is_next;
        let news = (self.told..moves.len()).filter(|&ply| !own(ply)).map(|ply| self.command(&moves[ply])).collect();
        self.told = moves.len();
        news
    }

    /// Converts a move in Plyhouse notation to a command.
    fn command(&self, text: &str) -> String {
        match self.game {
            cs61b::CourseGame::Loa => text.to_owned(),
            cs61b::CourseGame::Jump61 => text.replace(':', " "),
        }
    }
}

impl Dialect for Cs61b {
    fn lifetime(&self) -> Lifetime {
        Lifetime::Game
    }

    fn greet(&mut self, game: &dyn TextGame, side: Side, seed: u64) -> Talk {
        (self.side, self.told, self.plays, self.rules) = (side, 0, false, 0);
        let mut lines = Side::BOTH.map(|side| format!("manual {}", self.name(side))).to_vec();
        match self.game {
            cs61b::CourseGame::Loa => lines.extend(game.move_limit().map(|limit| format!("limit {}", limit / 2))),
            cs61b::CourseGame::Jump61 => lines.push(format!("size {}", game.start().split('/').count())),
        }
        // The course's programs parse signed numbers.
        lines.push(format!("seed {}", seed >> 1));
        lines.extend(self.news(game));
        // Every program has this command, and its answer shows that the program has processed all earlier lines.
        lines.push("dump".to_owned());
        Talk::lines(lines).until_ready()
    }

    fn ask(&mut self, game: &dyn TextGame, _: &TimeLeft) -> Talk {
        let mut lines = self.news(game);
        if !self.plays {
            self.plays = true;
            lines.push(format!("auto {}", self.name(self.side)));
        }
        Talk::lines(lines)
    }

    fn hear(&mut self, line: &str) -> Heard {
        let line = strip_prompt(line);
        if line.starts_with("===") {
            self.rules += 1;
            return if self.rules == 2 { Heard::Ready } else { Heard::Nothing };
        }
        let Some(message) = line.strip_prefix('*') else { return Heard::Nothing };
        match parse_message(self.game, message) {
            Some(Message::Move(text)) => Heard::Move(text.replace(' ', ":")),
            Some(Message::Result(GameResult::First(_))) => Heard::Claim(Outcome::Win(Side::First)),
            Some(Message::Result(GameResult::Second(_))) => Heard::Claim(Outcome::Win(Side::Second)),
            Some(Message::Result(GameResult::Tie)) => Heard::Claim(Outcome::Draw),
            None => Heard::Unreadable(format!("malformed message `{}`", game::text::excerpt(line))),
        }
    }

    fn part(&mut self, game: &dyn TextGame) -> Talk {
        let mut lines = self.news(game);
        lines.push("quit".to_owned());
        Talk::lines(lines)
    }

    fn tells_all(&self) -> bool {
        false
    }

    fn explain(&self, error: &MoveError) -> String {
        match error {
            MoveError::Illegal { text, reason } => format!("{}: {reason}", self.command(text)),
            MoveError::Unreadable { .. } => reason(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_quote_the_move_as_the_program_wrote_it() {
        let error = MoveError::Illegal { text: "1:2".to_owned(), reason: game::Message::name("the square is Red's") };
        assert_eq!(Cs61b::new(cs61b::CourseGame::Jump61).explain(&error), "1 2: the square is Red's");
    }

    #[test]
    fn malformed_messages_are_unreadable() {
        let mut dialect = Cs61b::new(cs61b::CourseGame::Loa);
        assert!(matches!(dialect.hear("b> * pass"), Heard::Unreadable(_)));
        assert_eq!(dialect.hear("b> thinking"), Heard::Nothing);
    }
}
