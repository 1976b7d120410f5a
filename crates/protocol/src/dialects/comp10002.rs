use game::{Outcome, Side};
use referee::{Clock, Dialect, Game, Heard, Lifetime, Talk};

/// `checkers` programs: given the actions so far and `A`, they print every board and the action that they compute.
pub(super) struct Comp10002;

impl Dialect for Comp10002 {
    fn lifetime(&self) -> Lifetime {
        Lifetime::Move
    }

    fn greet(&mut self, _: &dyn Game, _: Side, _: u64) -> Talk {
        Talk::default()
    }

    fn ask(&mut self, game: &dyn Game, _: &Clock) -> Talk {
        let mut lines = game.moves();
        lines.push("A".to_owned());
        Talk::lines(lines).then_end()
    }

    fn hear(&mut self, line: &str) -> Heard {
        let text = line.trim();
        if let Some(computed) = text.strip_prefix("*** ") {
            return match computed.split_once(": ") {
                Some((_, action)) => Heard::Move(action.trim().to_owned()),
                None => Heard::Unreadable(format!("`{}` names no action", game::text::excerpt(text))),
            };
        }
        match text {
            "BLACK WIN!" => Heard::Claim(Outcome::Win(Side::First)),
            "WHITE WIN!" => Heard::Claim(Outcome::Win(Side::Second)),
            _ if text.starts_with("ERROR: ") => Heard::Unreadable(format!("it refused the actions so far: {text}")),
            _ => Heard::Nothing,
        }
    }

    fn part(&mut self, _: &dyn Game) -> Talk {
        Talk::default()
    }

    fn tells_all(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkers::{Player, Program};
    use game::{Position as _, Record};

    #[test]
    fn our_own_program_is_understood() {
        let mut game = Record::new(checkers::Position::start());
        for text in ["G6-F5", "H3-G4"] {
            Game::play(&mut game, text).expect("legal");
        }
        let talk = Comp10002.ask(&game, &Clock { limit: None, left: [None; 2], increment: core::time::Duration::ZERO });
        let mut program = Program::new(Player::default());
        program.feed((talk.lines.join("\n") + "\n").as_bytes());
        program.finish();
        let heard: Vec<Heard> = program
            .take_output()
            .lines()
            .map(|line| Comp10002.hear(line))
            .filter(|heard| *heard != Heard::Nothing)
            .collect();
        let [Heard::Move(text)] = heard.as_slice() else { panic!("{heard:?}") };
        assert!(game.position().parse_move(text).is_ok(), "{text}");
    }

    #[test]
    fn claims_and_refusals() {
        assert_eq!(Comp10002.hear("WHITE WIN!"), Heard::Claim(Outcome::Win(Side::Second)));
        assert!(matches!(Comp10002.hear("ERROR: Illegal action."), Heard::Unreadable(_)));
        assert_eq!(Comp10002.hear("BLACK ACTION #1: G6-F5"), Heard::Nothing);
    }
}
