use core::time::Duration;

use game::{MoveError, Outcome, Side, TextGame};

use crate::dialect::{Dialect, Heard, Info, Lifetime, Score, Talk, TimeLeft};

/// Engines with the Universal Game Interface (<https://github.com/kz04px/cutegames/blob/master/ugi.md>). Positions and
/// moves are in Plyhouse notation. The first player is the side that makes the first move of the game.
pub(super) struct Ugi {
    usual_start: String,
    /// Rule set to request with the option `rules`.
    rules: Option<String>,
}

impl Ugi {
    /// Creates the dialect. `startpos` stands for `usual_start`.
    pub(super) fn new(usual_start: String, rules: Option<String>) -> Self {
        Self { usual_start, rules }
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
        let rules = self.rules.iter().map(|rules| format!("setoption name rules value {rules}"));
        let rest = [seed, "uginewgame".to_owned(), "isready".to_owned()];
        Talk::lines(core::iter::once("ugi".to_owned()).chain(rules).chain(rest)).until_ready()
    }

    fn hail(&mut self) -> Option<Talk> {
        Some(Talk::lines(["isready"]).until_ready())
    }

    fn ask(&mut self, game: &dyn TextGame, clock: &TimeLeft) -> Talk {
        Talk::lines([self.position(game), go(clock, game.side_to_move())])
    }

    fn stop(&mut self) -> Option<Talk> {
        Some(Talk::lines(["stop"]))
    }

    fn hear(&mut self, line: &str) -> Heard {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("readyok"), _) => Heard::Ready,
            (Some("bestmove"), Some(text @ ("0000" | "(none)"))) => {
                Heard::Unreadable(format!("`bestmove {text}`: it has no move for the position, or has refused it"))
            }
            (Some("bestmove"), Some(text)) => Heard::Move(text.to_owned()),
            (Some("bestmove"), None) => Heard::Unreadable("`bestmove` without a move".to_owned()),
            (Some("info"), Some(_)) => info(line).map_or(Heard::Nothing, Heard::Info),
            (Some("response"), Some("p1win")) => Heard::Claim(Outcome::Win(Side::First)),
            (Some("response"), Some("p2win")) => Heard::Claim(Outcome::Win(Side::Second)),
            (Some("response"), Some("draw")) => Heard::Claim(Outcome::Draw),
            _ => Heard::Nothing,
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

/// Returns the time to send to an engine. It is slightly less than the actual time, because sending the request and the
/// answer takes time, too.
fn told(time: Duration) -> u128 {
    (time * 95 / 100).saturating_sub(Duration::from_millis(20)).as_millis().max(1)
}

fn go(clock: &TimeLeft, side: Side) -> String {
    let mut words = vec!["go".to_owned()];
    if clock.left[side.index()].is_some() {
        let times = clock.left.into_iter().zip(["p1time", "p2time"]);
        words.extend(times.filter_map(|(left, word)| Some(format!("{word} {}", told(left?)))));
        let increments = clock.increment.into_iter().zip(["p1inc", "p2inc"]);
        words.extend(increments.map(|(time, word)| format!("{word} {}", time.as_millis())));
    } else {
        words.extend(clock.limit.map(|limit| format!("movetime {}", told(limit))));
    }
    words.extend(clock.nodes.map(|nodes| format!("nodes {nodes}")));
    words.extend(clock.depth.map(|depth| format!("depth {depth}")));
    if words.len() == 1 {
        words.push("movetime 1000".to_owned());
    }
    words.join(" ")
}

/// Maximum number of stored moves of a principal variation, and maximum length of each move in bytes.
const LONGEST_LINE: (usize, usize) = (64, 16);

/// Parses the parts of an `info` line that the record keeps. Returns `None` if there are none, or if the line does not
/// describe the best variation.
fn info(line: &str) -> Option<Info> {
    let mut info = Info::default();
    let mut words = line.split_whitespace().skip(1).peekable();
    while let Some(word) = words.next() {
        match word {
            // The rest of the line is text for users.
            "string" => break,
            "multipv" if words.next()? != "1" => return None,
            "depth" => info.depth = words.next()?.parse().ok(),
            "nodes" => info.nodes = words.next()?.parse().ok(),
            "score" => info.score = score(words.next()?, words.next()?),
            "pv" => {
                let (most, longest) = LONGEST_LINE;
                let is_move = |word: &&str| word.len() <= longest && word.chars().all(|c| c.is_ascii_graphic());
                info.pv = words.by_ref().take_while(is_move).take(most).map(str::to_owned).collect();
            }
            _ => (),
        }
    }
    (info != Info::default()).then_some(info)
}

/// Parses `cp 37`, `win 5` and `loss 8` in plies, or `mate 3` in moves as in UCI.
fn score(kind: &str, value: &str) -> Option<Score> {
    match kind {
        "cp" => value.parse().ok().map(Score::Units),
        "win" => value.parse().ok().map(Score::Win),
        "loss" => value.parse().ok().map(Score::Loss),
        "mate" => match value.parse::<i32>().ok()? {
            moves @ 1.. => Some(Score::Win(moves.unsigned_abs().saturating_mul(2) - 1)),
            moves => Some(Score::Loss(moves.unsigned_abs().saturating_mul(2))),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Record;

    #[test]
    fn positions_and_clocks() {
        let mut game = Record::new(loa::Position::start(8).expect("a size"));
        let mut ugi = Ugi::new(TextGame::start(&game), None);
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
        let mut mso = Ugi::new(TextGame::start(&game), Some("mso".to_owned()));
        let greeting =
            ["ugi", "setoption name rules value mso", "setoption name seed value 3", "uginewgame", "isready"];
        assert_eq!(mso.greet(&game, Side::First, 7).lines, greeting);
    }

    #[test]
    fn each_side_is_told_its_own_limits() {
        let game = Record::new(loa::Position::start(8).expect("a size"));
        let mut ugi = Ugi::new(TextGame::start(&game), None);
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
        let mut ugi = Ugi::new(String::new(), None);
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
        let ugi = Ugi::new(String::new(), None);
        for text in ["b1-b3", "B1-B3", "b1xb3", "b1b3", "b1:b3", "b1–b3"] {
            assert_eq!(ugi.read(&game, text.to_owned()).as_deref(), Ok("b1-b3"), "{text}");
        }
        assert!(matches!(ugi.read(&game, "B1xB4".to_owned()), Err(MoveError::Illegal { .. })));
        assert!(matches!(ugi.read(&game, "resign".to_owned()), Err(MoveError::Unreadable { .. })));
    }

    #[test]
    fn answers() {
        let mut ugi = Ugi::new(String::new(), None);
        assert_eq!(ugi.hear("bestmove b1-b3 ponder a3-c3"), Heard::Move("b1-b3".to_owned()));
        assert_eq!(ugi.hear(" readyok"), Heard::Ready);
        assert_eq!(ugi.hear("response p2win"), Heard::Claim(Outcome::Win(Side::Second)));
        assert_eq!(ugi.hear("response none"), Heard::Nothing);
        for line in ["bestmove", "bestmove 0000", "bestmove (none)"] {
            assert!(matches!(ugi.hear(line), Heard::Unreadable(_)), "{line}");
        }
    }
}
