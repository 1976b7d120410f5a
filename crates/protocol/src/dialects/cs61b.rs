use game::{Outcome, Side};
use referee::{Clock, Dialect, Game, Heard, Lifetime, Talk};

use crate::cs61b::{self, GameResult, Message, parse_message, strip_prompt};

/// The text programs of CS61B: both sides are manual while the opening is fed as commands; then the program plays its side by itself, and
/// the opponent's moves are commands.
pub(super) struct Cs61b {
    game: cs61b::Dialect,
    side: Side,
    /// Moves that the program knows.
    told: usize,
    /// Whether it plays its side by itself already, and so has made its last move, too.
    plays: bool,
    /// Lines that begin or end a dump.
    rules: u32,
}

impl Cs61b {
    pub(super) fn new(game: cs61b::Dialect) -> Self {
        Self { game, side: Side::First, told: 0, plays: false, rules: 0 }
    }

    fn name(&self, side: Side) -> &'static str {
        match (self.game, side) {
            (cs61b::Dialect::Loa, Side::First) => "black",
            (cs61b::Dialect::Loa, Side::Second) => "white",
            (cs61b::Dialect::Jump61, Side::First) => "red",
            (cs61b::Dialect::Jump61, Side::Second) => "blue",
        }
    }

    /// The moves that the program has not heard of, as commands.
    fn news(&mut self, game: &dyn Game) -> Vec<String> {
        // Who moved at a ply follows from whose turn it is now.
        let moves = game.moves();
        let ours_is_next = game.side_to_move() == self.side;
        let own = |ply: usize| self.plays && (moves.len() - ply).is_multiple_of(2) == ours_is_next;
        let news = (self.told..moves.len()).filter(|&ply| !own(ply)).map(|ply| self.command(&moves[ply])).collect();
        self.told = moves.len();
        news
    }

    /// A move of the house as a command.
    fn command(&self, text: &str) -> String {
        match self.game {
            cs61b::Dialect::Loa => text.to_owned(),
            cs61b::Dialect::Jump61 => text.replace(':', " "),
        }
    }
}

impl Dialect for Cs61b {
    fn lifetime(&self) -> Lifetime {
        Lifetime::Game
    }

    fn greet(&mut self, game: &dyn Game, side: Side, seed: u64) -> Talk {
        (self.side, self.told, self.plays, self.rules) = (side, 0, false, 0);
        let mut lines = Side::BOTH.map(|side| format!("manual {}", self.name(side))).to_vec();
        match self.game {
            cs61b::Dialect::Loa => lines.extend(game.move_limit().map(|limit| format!("limit {}", limit / 2))),
            cs61b::Dialect::Jump61 => lines.push(format!("size {}", game.start().split('/').count())),
        }
        // The course's programs read signed numbers.
        lines.push(format!("seed {}", seed >> 1));
        lines.extend(self.news(game));
        // Every program can do this, and its answer shows that it is awake and has read everything.
        lines.push("dump".to_owned());
        Talk::lines(lines).until_ready()
    }

    fn ask(&mut self, game: &dyn Game, _: &Clock) -> Talk {
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

    fn part(&mut self, game: &dyn Game) -> Talk {
        let mut lines = self.news(game);
        lines.push("quit".to_owned());
        Talk::lines(lines)
    }

    fn tells_all(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flow, Session, Transcript};
    use game::Record;

    const CLOCK: Clock = Clock { limit: None, left: [None; 2], increment: core::time::Duration::ZERO };

    /// Says something to one of our own programs; what is heard.
    fn say(session: &mut dyn Session, dialect: &mut Cs61b, talk: &Talk) -> Vec<Heard> {
        let mut seen = Transcript::default();
        for line in &talk.lines {
            assert_ne!(session.line(line.as_bytes(), &mut seen).map(|flow| flow == Flow::Quit), Ok(true), "{line}");
        }
        seen.printed.iter().map(|line| dialect.hear(line)).filter(|heard| *heard != Heard::Nothing).collect()
    }

    fn plays_a_game(
        mut game: Record<impl game::Position>,
        program: &mut dyn Session,
        which: cs61b::Dialect,
        side: Side,
    ) {
        let mut dialect = Cs61b::new(which);
        let opening = Game::legal_moves(&game);
        Game::play(&mut game, &opening[3]).expect("legal");
        let greeting = dialect.greet(&game, side, 5);
        assert_eq!(say(program, &mut dialect, &greeting), [Heard::Ready]);
        let mut rng = game::SplitMix64::new(4);
        let mut claim = None;
        while Game::finish(&game).is_none() {
            let text = if Game::side_to_move(&game) == side {
                let talk = dialect.ask(&game, &CLOCK);
                let heard = say(program, &mut dialect, &talk);
                claim = heard.get(1).cloned();
                let Some(Heard::Move(text)) = heard.first() else { panic!("{heard:?}") };
                text.clone()
            } else {
                rng.choose(&Game::legal_moves(&game)).expect("a move").clone()
            };
            Game::play(&mut game, &text).expect("legal");
        }
        let mut talk = dialect.part(&game);
        assert_eq!(talk.lines.pop().as_deref(), Some("quit"));
        let said = say(program, &mut dialect, &talk).first().cloned().or(claim);
        assert_eq!(said, Game::finish(&game).map(|finish| Heard::Claim(finish.outcome)));
    }

    #[test]
    fn our_own_programs_play_whole_games_on_both_sides() {
        let weak = engine::Strength { level: engine::Level::new(1).expect("a level"), ..engine::Strength::default() };
        for side in Side::BOTH {
            let start = loa::Position::start(8).expect("a size");
            let mut program = crate::loa::Console::new(weak);
            plays_a_game(Record::new(start).with_move_limit(80), &mut program, cs61b::Dialect::Loa, side);
            let start = jump61::Position::start(4).expect("a size");
            let mut program = crate::jump61::Console::new(weak);
            plays_a_game(Record::new(start), &mut program, cs61b::Dialect::Jump61, side);
        }
    }

    #[test]
    fn malformed_messages_are_unreadable() {
        let mut dialect = Cs61b::new(cs61b::Dialect::Loa);
        assert!(matches!(dialect.hear("b> * pass"), Heard::Unreadable(_)));
        assert_eq!(dialect.hear("b> thinking"), Heard::Nothing);
    }
}
