use core::time::Duration;

use game::TextGame;
use game::{Outcome, Side};

use crate::{Dialect, Heard, Lifetime, Talk, TimeLeft};

/// Engines with the Universal Game Interface (<https://github.com/kz04px/cutegames/blob/master/ugi.md>). Positions and
/// moves are in Plyhouse notation; the first player is the side that opens the game.
pub(super) struct Ugi {
    usual_start: String,
}

impl Ugi {
    /// `startpos` means this position.
    pub(super) fn new(usual_start: String) -> Self {
        Self { usual_start }
    }

    fn position(&self, game: &dyn TextGame) -> String {
        let start = game.start();
        let mut line =
            if start == self.usual_start { "position startpos".to_owned() } else { format!("position fen {start}") };
        let moves = game.moves();
        if !moves.is_empty() {
            line += " moves ";
            line += &moves.join(" ");
        }
        line
    }
}

impl Dialect for Ugi {
    fn lifetime(&self) -> Lifetime {
        Lifetime::Game
    }

    fn greet(&mut self, _: &dyn TextGame, _: Side, seed: u64) -> Talk {
        // Engines ignore unknown options.
        let seed = format!("setoption name seed value {}", seed >> 1);
        Talk::lines(["ugi".to_owned(), seed, "uginewgame".to_owned(), "isready".to_owned()]).until_ready()
    }

    fn ask(&mut self, game: &dyn TextGame, clock: &TimeLeft) -> Talk {
        Talk::lines([self.position(game), go(clock)])
    }

    fn hear(&mut self, line: &str) -> Heard {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("readyok"), _) => Heard::Ready,
            (Some("bestmove"), Some(text)) => Heard::Move(text.to_owned()),
            (Some("bestmove"), None) => Heard::Unreadable("`bestmove` without a move".to_owned()),
            (Some("response"), Some("p1win")) => Heard::Claim(Outcome::Win(Side::First)),
            (Some("response"), Some("p2win")) => Heard::Claim(Outcome::Win(Side::Second)),
            (Some("response"), Some("draw")) => Heard::Claim(Outcome::Draw),
            _ => Heard::Nothing,
        }
    }

    fn part(&mut self, game: &dyn TextGame) -> Talk {
        Talk::lines([self.position(game), "query result".to_owned(), "quit".to_owned()])
    }

    fn tells_all(&self) -> bool {
        true
    }
}

/// An engine is told a little less than it has, because sending the request and the answer takes time, too.
fn told(time: Duration) -> u128 {
    (time * 95 / 100).saturating_sub(Duration::from_millis(20)).as_millis().max(1)
}

fn go(clock: &TimeLeft) -> String {
    match (clock.left, clock.limit) {
        ([Some(first), Some(second)], _) => {
            let increment = clock.increment.as_millis();
            format!("go p1time {} p2time {} p1inc {increment} p2inc {increment}", told(first), told(second))
        }
        (_, Some(limit)) => format!("go movetime {}", told(limit)),
        (_, None) => "go movetime 1000".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Record;

    #[test]
    fn positions_and_clocks() {
        let mut game = Record::new(loa::Position::start(8).expect("a size"));
        let mut ugi = Ugi::new(TextGame::start(&game));
        let clock = TimeLeft { limit: Some(Duration::from_secs(1)), left: [None; 2], increment: Duration::ZERO };
        assert_eq!(ugi.ask(&game, &clock), Talk::lines(["position startpos", "go movetime 930"]));
        TextGame::play(&mut game, "b1-b3").expect("legal");
        let left = [Some(Duration::from_secs(10)), Some(Duration::from_secs(2))];
        let clock = TimeLeft { left, increment: Duration::from_millis(100), ..clock };
        let lines = ["position startpos moves b1-b3", "go p1time 9480 p2time 1880 p1inc 100 p2inc 100"];
        assert_eq!(ugi.ask(&game, &clock), Talk::lines(lines));
        let small = Record::new(loa::Position::start(4).expect("a size"));
        assert_eq!(ugi.ask(&small, &clock).lines[0], "position fen -bb-/w--w/w--w/-bb- b");
        assert_eq!(ugi.part(&game).lines[1..], ["query result", "quit"]);
    }

    #[test]
    fn answers() {
        let mut ugi = Ugi::new(String::new());
        assert_eq!(ugi.hear("bestmove b1-b3 ponder a3-c3"), Heard::Move("b1-b3".to_owned()));
        assert_eq!(ugi.hear("info depth 3 pv b1-b3"), Heard::Nothing);
        assert_eq!(ugi.hear(" readyok"), Heard::Ready);
        assert_eq!(ugi.hear("response p2win"), Heard::Claim(Outcome::Win(Side::Second)));
        assert_eq!(ugi.hear("response none"), Heard::Nothing);
        assert!(matches!(ugi.hear("bestmove"), Heard::Unreadable(_)));
    }
}
