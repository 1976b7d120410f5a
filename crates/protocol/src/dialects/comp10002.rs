use game::TextGame;
use game::{Outcome, Side};

use crate::dialect::{Dialect, Heard, Lifetime, Talk, TimeLeft};

/// `checkers` programs. Their input consists of the actions so far and `A`. They print every board and the computed
/// action.
pub(super) struct Comp10002;

impl Dialect for Comp10002 {
    fn lifetime(&self) -> Lifetime {
        Lifetime::Move
    }

    fn greet(&mut self, _: &dyn TextGame, _: Side, _: u64) -> Talk {
        Talk::default()
    }

    fn ask(&mut self, game: &dyn TextGame, _: &TimeLeft) -> Talk {
        let mut lines = game.moves();
        lines.push("A".to_owned());
        Talk::lines(lines).then_end()
    }

    fn hear(&mut self, line: &str) -> Heard {
        let text = line.trim();
        if let Some(computed) = text.strip_prefix("*** ") {
            return match computed.split_once(": ") {
                Some((_, action)) => Heard::Move(action.trim().to_owned()),
                None => Heard::Unreadable(format!("`{}` does not name an action", game::text::excerpt(text))),
            };
        }
        match text {
            "BLACK WIN!" => Heard::Claim(Outcome::Win(Side::First)),
            "WHITE WIN!" => Heard::Claim(Outcome::Win(Side::Second)),
            _ if text.starts_with("ERROR: ") => Heard::Unreadable(format!("it refused the actions so far: {text}")),
            _ => Heard::Nothing,
        }
    }

    fn part(&mut self, _: &dyn TextGame) -> Talk {
        Talk::default()
    }

    fn tells_all(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_and_refusals() {
        assert_eq!(Comp10002.hear("WHITE WIN!"), Heard::Claim(Outcome::Win(Side::Second)));
        assert!(matches!(Comp10002.hear("ERROR: Illegal action."), Heard::Unreadable(_)));
        assert_eq!(Comp10002.hear("BLACK ACTION #1: G6-F5"), Heard::Nothing);
    }
}
