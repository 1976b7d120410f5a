use game::{MoveError, Outcome, Side, TextGame};

use crate::dialect::{Dialect, Heard, Lifetime, Talk, TimeLeft};
use crate::dialects::interface::{EngineOptions, Notation, go, hear, position, set_option, set_options};

/// Engines with the Universal Game Interface (<https://github.com/kz04px/cutegames/blob/master/ugi.md>). Positions and
/// moves are in Plyhouse notation. The first player is the side that makes the first move of the game.
pub(super) struct Ugi {
    usual_start: String,
    /// Rule set to request with the option `rules`.
    rules: Option<String>,
    options: EngineOptions,
}

impl Ugi {
    /// Creates the dialect. `startpos` stands for `usual_start`.
    pub(super) fn new(usual_start: String, rules: Option<String>, options: EngineOptions) -> Self {
        Self { usual_start, rules, options }
    }

    fn position(&self, game: &dyn TextGame) -> String {
        position(game, &self.usual_start, &Notation { position: str::to_owned, written: str::to_owned })
    }
}

impl Dialect for Ugi {
    fn lifetime(&self) -> Lifetime {
        Lifetime::Game
    }

    fn greet(&mut self, _: &dyn TextGame, _: Side, seed: u64) -> Talk {
        // Engines ignore unknown options.
        let mut lines = vec!["ugi".to_owned()];
        lines.extend(self.rules.iter().map(|rules| set_option("rules", rules)));
        lines.push(set_option("seed", &(seed >> 1).to_string()));
        lines.extend(set_options(&self.options));
        lines.extend(["uginewgame", "isready"].map(str::to_owned));
        Talk::lines(lines).until_ready()
    }

    fn hail(&mut self) -> Option<Talk> {
        Some(Talk::lines(["isready"]).until_ready())
    }

    fn ask(&mut self, game: &dyn TextGame, clock: &TimeLeft) -> Talk {
        Talk::lines([self.position(game), go(clock, game.side_to_move(), ["p1", "p2"])])
    }

    fn stop(&mut self) -> Option<Talk> {
        Some(Talk::lines(["stop"]))
    }

    fn hear(&mut self, line: &str) -> Heard {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("response"), Some("p1win")) => Heard::Claim(Outcome::Win(Side::First)),
            (Some("response"), Some("p2win")) => Heard::Claim(Outcome::Win(Side::Second)),
            (Some("response"), Some("draw")) => Heard::Claim(Outcome::Draw),
            _ => hear(line),
        }
    }

    /// Parses the move in any usual notation, because the interface does not define one.
    fn read(&self, game: &dyn TextGame, text: String) -> Result<String, MoveError> {
        game.read(&text)
    }

    fn part(&mut self, game: &dyn TextGame) -> Talk {
        Talk::lines([self.position(game), "query result".to_owned(), "quit".to_owned()])
    }

    fn tells_all(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use game::Record;

    use super::*;
    use crate::dialect::{Info, Score};
    use crate::dialects::interface::LONGEST_LINE;

    fn dialect(usual_start: String, rules: Option<String>) -> Ugi {
        Ugi::new(usual_start, rules, EngineOptions::new())
    }

    #[test]
    fn positions_and_clocks() {
        let mut game = Record::new(loa::Position::start(8).expect("a size"));
        let mut ugi = dialect(TextGame::start(&game), None);
        let clock = TimeLeft { limit: Some(Duration::from_secs(1)), ..TimeLeft::default() };
        assert_eq!(ugi.ask(&game, &clock), Talk::lines(["position startpos", "go movetime 930"]));
        TextGame::play(&mut game, "b1-b3").expect("legal");
        let left = [Some(Duration::from_secs(10)), Some(Duration::from_secs(2))];
        let clock = TimeLeft { left, increment: [Duration::from_millis(100); 2], ..clock };
        let lines = ["position startpos moves b1-b3", "go p1time 9480 p2time 1880 p1inc 100 p2inc 100"];
        assert_eq!(ugi.ask(&game, &clock), Talk::lines(lines));
        let small = Record::new(loa::Position::start(4).expect("a size"));
        assert_eq!(ugi.ask(&small, &clock).lines[0], "position fen -bb-/w--w/w--w/-bb- b");
        assert_eq!(ugi.part(&game).lines[1..], ["query result", "quit"]);
        let mut mso = dialect(TextGame::start(&game), Some("mso".to_owned()));
        let greeting =
            ["ugi", "setoption name rules value mso", "setoption name seed value 3", "uginewgame", "isready"];
        assert_eq!(mso.greet(&game, Side::First, 7).lines, greeting);
    }

    #[test]
    fn options_follow_the_seed() {
        let game = Record::new(loa::Position::start(8).expect("a size"));
        let options = [("Threads", "2"), ("seed", "7")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let lines = Ugi::new(String::new(), None, options.into()).greet(&game, Side::First, 10).lines;
        let set =
            ["ugi", "setoption name seed value 5", "setoption name Threads value 2", "setoption name seed value 7"];
        assert_eq!(lines, [&set[..], &["uginewgame", "isready"]].concat());
    }

    #[test]
    fn each_side_is_told_its_own_limits() {
        let game = Record::new(loa::Position::start(8).expect("a size"));
        let mut ugi = dialect(TextGame::start(&game), None);
        let mut go = |clock: TimeLeft| ugi.ask(&game, &clock).lines.remove(1);
        let search = TimeLeft { nodes: Some(5000), depth: Some(7), ..TimeLeft::default() };
        assert_eq!(go(search), "go nodes 5000 depth 7");
        let limit = Some(Duration::from_secs(1));
        assert_eq!(
            go(TimeLeft { limit, margin: Duration::from_secs(9), ..search }),
            "go movetime 930 nodes 5000 depth 7"
        );
        let (mine, other) = (Some(Duration::from_secs(10)), Some(Duration::from_secs(2)));
        let increment = [Duration::from_millis(50), Duration::ZERO];
        let clock = TimeLeft { limit, left: [mine, None], increment, ..TimeLeft::default() };
        assert_eq!(go(clock), "go p1time 9480 p1inc 50 p2inc 0");
        assert_eq!(
            go(TimeLeft { left: [None, other], ..clock }),
            "go movetime 930",
            "the other side's clock is not its own"
        );
        assert_eq!(go(TimeLeft::default()), "go movetime 1000");
    }

    #[test]
    fn what_an_engine_says_of_its_search() {
        let mut ugi = dialect(String::new(), None);
        let mut heard = |line: &str| match ugi.hear(line) {
            Heard::Info(info) => Some(info),
            _ => None,
        };
        let info = heard("info depth 3 seldepth 9 score cp -12 time 4 nodes 500 pv b1-b3 a2-c2").expect("an info");
        assert_eq!((info.score, info.depth, info.nodes), (Some(Score::Units(-12)), Some(3), Some(500)));
        assert_eq!(info.pv, ["b1-b3", "a2-c2"]);
        let mut score = |line: &str| heard(line).and_then(|info| info.score);
        assert_eq!(score("info score win 5"), Some(Score::Win(5)));
        assert_eq!(score("info score mate 3"), Some(Score::Win(5)));
        assert_eq!(score("info score mate -2 nodes 4"), Some(Score::Loss(4)));
        assert_eq!(score("info score mate -2147483648"), Some(Score::Loss(u32::MAX)));
        for line in ["info", "info depth", "info string depth 3", "info multipv 2 depth 3", "info score cp much"] {
            assert_eq!(ugi.hear(line), Heard::Nothing, "{line}");
        }
        let long = format!("info pv {} \u{1b}[2J", "b1-b3 ".repeat(500));
        let Heard::Info(Info { pv, .. }) = ugi.hear(&long) else { panic!("a line") };
        assert_eq!(pv.len(), LONGEST_LINE.0);
        assert_eq!(ugi.hear("info pv \u{1b}[2J"), Heard::Nothing);
    }

    #[test]
    fn moves_are_read_in_every_usual_spelling() {
        let game = Record::new(loa::Position::start(8).expect("a size"));
        let ugi = dialect(String::new(), None);
        for text in ["b1-b3", "B1-B3", "b1xb3", "b1b3", "b1:b3", "b1–b3"] {
            assert_eq!(ugi.read(&game, text.to_owned()).as_deref(), Ok("b1-b3"), "{text}");
        }
        assert!(matches!(ugi.read(&game, "B1xB4".to_owned()), Err(MoveError::Illegal { .. })));
        assert!(matches!(ugi.read(&game, "resign".to_owned()), Err(MoveError::Unreadable { .. })));
    }

    #[test]
    fn answers() {
        let mut ugi = dialect(String::new(), None);
        assert_eq!(ugi.hear("bestmove b1-b3 ponder a3-c3"), Heard::Move("b1-b3".to_owned()));
        assert_eq!(ugi.hear(" readyok"), Heard::Ready);
        assert_eq!(ugi.hear("response p2win"), Heard::Claim(Outcome::Win(Side::Second)));
        assert_eq!(ugi.hear("response none"), Heard::Nothing);
        for line in ["bestmove", "bestmove 0000", "bestmove (none)"] {
            assert!(matches!(ugi.hear(line), Heard::Unreadable(_)), "{line}");
        }
    }
}
