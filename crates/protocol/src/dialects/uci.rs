use std::collections::BTreeSet;

use game::text::excerpt;
use game::{MoveError, Side, TextGame};

use crate::dialect::{Dialect, Heard, Info, Lifetime, Talk, TimeLeft};
use crate::dialects::interface::{EngineOptions, Notation, go, hear, position, set_option, set_options};

/// Option that selects the rules of an engine with several games.
const UCI_VARIANT: &str = "UCI_Variant";
/// Option of Fairy-Stockfish that loads more variants from a file.
const VARIANT_PATH: &str = "VariantPath";

/// Engines with the Universal Chess Interface (<https://backscattering.de/chess/uci/>) that play one of our games, such
/// as Fairy-Stockfish. White is the side that makes the first move of the game.
pub(super) struct Uci {
    usual_start: String,
    /// Value of `UCI_Variant`.
    rules: String,
    /// Other options.
    options: EngineOptions,
    /// Options that the engine has announced since `uci`.
    announced: Vec<Announced>,
    /// `true` until the engine has answered `uci` with `uciok`.
    is_introducing: bool,
    /// Squares with a piece in the position of the last request.
    occupied: BTreeSet<[u8; 2]>,
}

/// An option that an engine announces.
struct Announced {
    name: String,
    /// Possible values of an option of type `combo`.
    values: Vec<String>,
}

impl Uci {
    /// Creates the dialect. Returns `None` if the game has no name in the interface. The option `UCI_Variant` names
    /// boards of other sizes.
    pub(super) fn new(game: &str, size: usize, usual_start: String, mut options: EngineOptions) -> Option<Self> {
        let named = options.keys().find(|name| name.eq_ignore_ascii_case(UCI_VARIANT)).cloned();
        let named = named.and_then(|name| options.remove(&name));
        let rules = match (game, size) {
            ("breakthrough", 8) => named.unwrap_or_else(|| "breakthrough".to_owned()),
            ("breakthrough", _) => named?,
            _ => return None,
        };
        let (announced, occupied) = (Vec::new(), BTreeSet::new());
        Some(Self { usual_start, rules, options, announced, is_introducing: true, occupied })
    }

    /// Checks that the engine has the options and the game.
    ///
    /// # Errors
    /// If it has not; the text names the option.
    fn check_options(&self) -> Result<(), String> {
        let announced = |name: &str| self.announced.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        if let Some(name) = self.options.keys().find(|name| announced(name).is_none()) {
            return Err(format!("option `{}` found, expected one that the engine lists after `uci`", excerpt(name)));
        }
        let loads_variants = self.options.keys().any(|name| name.eq_ignore_ascii_case(VARIANT_PATH));
        match announced(UCI_VARIANT) {
            Some(option) if !loads_variants && !option.values.contains(&self.rules) => {
                Err(format!("the engine's option `{UCI_VARIANT}` has no value `{}`", excerpt(&self.rules)))
            }
            _ => Ok(()),
        }
    }

    /// Converts a principal variation to Plyhouse notation, which marks captures. Other words stay as they are.
    fn variation(&self, moves: Vec<String>) -> Vec<String> {
        let mut occupied = self.occupied.clone();
        let convert = |text: String| match *text.as_bytes() {
            [a, b, c, d] if text.is_ascii() => {
                occupied.remove(&[a, b]);
                let separator = if occupied.insert([c, d]) { '-' } else { 'x' };
                let (from, to) = text.split_at(2);
                format!("{from}{separator}{to}")
            }
            _ => text,
        };
        moves.into_iter().map(convert).collect()
    }
}

impl Dialect for Uci {
    fn lifetime(&self) -> Lifetime {
        Lifetime::Game
    }

    fn greet(&mut self, _: &dyn TextGame, _: Side, _: u64) -> Talk {
        self.announced.clear();
        self.is_introducing = true;
        Talk::lines(["uci"]).until_ready()
    }

    /// Sets the options in alphabetical order, and `UCI_Variant` last, because other options may define its values.
    fn configure(&mut self) -> Option<Talk> {
        let mut lines: Vec<String> = set_options(&self.options).collect();
        lines.push(set_option(UCI_VARIANT, &self.rules));
        lines.extend(["ucinewgame", "isready"].map(str::to_owned));
        Some(Talk::lines(lines).until_ready())
    }

    fn hail(&mut self) -> Option<Talk> {
        Some(Talk::lines(["isready"]).until_ready())
    }

    fn ask(&mut self, game: &dyn TextGame, clock: &TimeLeft) -> Talk {
        self.occupied = occupied(&game.position());
        let sent = position(game, &self.usual_start, &Notation { position: fen, written });
        Talk::lines([sent, go(clock, game.side_to_move(), ["w", "b"])])
    }

    fn stop(&mut self) -> Option<Talk> {
        Some(Talk::lines(["stop"]))
    }

    fn hear(&mut self, line: &str) -> Heard {
        if self.is_introducing {
            if line.trim() == "uciok" {
                self.is_introducing = false;
                return self.check_options().map_or_else(Heard::Unreadable, |()| Heard::Ready);
            }
            self.announced.extend(announced(line));
            return Heard::Nothing;
        }
        match hear(line) {
            Heard::Info(info) => Heard::Info(Info { pv: self.variation(info.pv), ..info }),
            heard => heard,
        }
    }

    fn read(&self, game: &dyn TextGame, text: String) -> Result<String, MoveError> {
        game.read(&text)
    }

    fn part(&mut self, _: &dyn TextGame) -> Talk {
        Talk::lines(["quit"])
    }

    fn tells_all(&self) -> bool {
        true
    }
}

/// Parses `option name NAME type TYPE …`, in which NAME and the values after `var` may have several words.
fn announced(line: &str) -> Option<Announced> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let rest = words.strip_prefix(&["option", "name"])?;
    let end = rest.iter().position(|word| *word == "type").unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let values = rest.split(|word| *word == "var").skip(1).map(|words| words.join(" ")).collect();
    Some(Announced { name: name.join(" "), values })
}

/// Converts a move of Breakthrough: `a2-b3` and `a2xb3` become `a2b3`.
fn written(text: &str) -> String {
    text.replace(['-', 'x'], "")
}

/// Converts a position of Breakthrough to Forsyth-Edwards notation. The pieces are pawns.
fn fen(text: &str) -> String {
    let (rows, side) = text.split_once(' ').unwrap_or((text, "w"));
    let mut line = String::new();
    let mut empty = 0;
    // The side's separator ends the last row.
    for square in rows.chars().chain([' ']) {
        if square == '-' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            line += &empty.to_string();
            empty = 0;
        }
        line.push(match square {
            'w' => 'P',
            'b' => 'p',
            other => other,
        });
    }
    line + side + " - - 0 1"
}

/// Returns the squares with a piece in a position of Breakthrough.
fn occupied(position: &str) -> BTreeSet<[u8; 2]> {
    let rows = position.split(' ').next().unwrap_or_default().rsplit('/');
    let squares = rows.zip(b'1'..).flat_map(|(row, rank)| {
        row.bytes().zip(b'a'..).filter(|(piece, _)| *piece != b'-').map(move |(_, file)| [file, rank])
    });
    squares.collect()
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use game::Record;

    use super::*;
    use crate::dialect::Score;

    /// Squares per side.
    const SIZE: usize = 8;
    const START: &str = "bbbbbbbb/bbbbbbbb/--------/--------/--------/--------/wwwwwwww/wwwwwwww w";

    fn game(position: &str) -> Record<breakthrough::Position> {
        Record::new(position.parse().expect("a position"))
    }

    fn options(options: &[(&str, &str)]) -> EngineOptions {
        options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// Creates the dialect for a game of a size.
    fn dialect(name: &str, size: usize, set: &[(&str, &str)]) -> Option<Uci> {
        Uci::new(name, size, START.to_owned(), options(set))
    }

    fn uci(set: &[(&str, &str)]) -> Uci {
        dialect("breakthrough", SIZE, set).expect("UCI engines play Breakthrough")
    }

    /// Returns the meaning of the last line of an engine's introduction.
    fn introduced(uci: &mut Uci, lines: &[&str]) -> Heard {
        assert_eq!(uci.greet(&game(START), Side::First, 5), Talk::lines(["uci"]).until_ready());
        let (last, lines) = lines.split_last().expect("a line");
        for line in lines {
            assert_eq!(uci.hear(line), Heard::Nothing, "{line}");
        }
        uci.hear(last)
    }

    const FAIRY: [&str; 7] = [
        "Fairy-Stockfish 11.1 LB 64 by Fabian Fichter",
        "id name Fairy-Stockfish 11.1 LB 64",
        "option name Clear Hash type button",
        "option name Threads type spin default 1 min 1 max 512",
        "option name UCI_Variant type combo default chess var ai-wok var breakthrough var chess",
        "option name VariantPath type string default <empty>",
        "uciok",
    ];

    #[test]
    fn an_engine_introduces_itself_before_its_options_are_set() {
        let mut uci = uci(&[("threads", "1"), ("Clear Hash", "")]);
        assert_eq!(introduced(&mut uci, &["readyok", "bestmove a2a3", "uciok!"]), Heard::Nothing);
        assert_eq!(introduced(&mut uci, &FAIRY), Heard::Ready);
        let lines = [
            "setoption name Clear Hash value ",
            "setoption name threads value 1",
            "setoption name UCI_Variant value breakthrough",
            "ucinewgame",
            "isready",
        ];
        assert_eq!(uci.configure(), Some(Talk::lines(lines).until_ready()));
        assert_eq!(uci.hear("info string variant breakthrough files 8 ranks 8 pocket 0"), Heard::Nothing);
        assert_eq!(uci.hear(" readyok"), Heard::Ready);
        assert_eq!(uci.hear("uciok"), Heard::Nothing, "only `uci` asks for it");
        assert_eq!(uci.hail(), Some(Talk::lines(["isready"]).until_ready()));
        assert_eq!(uci.part(&game(START)), Talk::lines(["quit"]));
    }

    #[test]
    fn missing_options_and_games_are_refused() {
        let why = |set: &[(&str, &str)], lines: &[&str]| match introduced(&mut uci(set), lines) {
            Heard::Ready => "ready".to_owned(),
            Heard::Unreadable(why) => why,
            other => panic!("{other:?}"),
        };
        let expected = "option `Thread` found, expected one that the engine lists after `uci`";
        assert_eq!(why(&[("Thread", "1")], &FAIRY), expected);
        assert!(why(&[("Threads", "1")], &["uciok"]).contains("`Threads`"));
        let none = "the engine's option `UCI_Variant` has no value";
        assert_eq!(why(&[("UCI_Variant", "mine")], &FAIRY), format!("{none} `mine`"));
        let chess = ["option name UCI_Variant type combo default chess var chess", "uciok"];
        assert_eq!(why(&[], &chess), format!("{none} `breakthrough`"));
        // The file may define the variant.
        assert_eq!(why(&[("uci_variant", "mine"), ("VariantPath", "mine.ini")], &FAIRY), "ready");
        // Engines for a single game have no such option.
        assert_eq!(why(&[], &["uciok"]), "ready");
    }

    #[test]
    fn games_without_a_name_are_refused() {
        assert!(dialect("loa", SIZE, &[]).is_none() && dialect("loa", SIZE, &[("UCI_Variant", "loa")]).is_none());
        assert!(dialect("breakthrough", 5, &[]).is_none());
        let mut small = dialect("breakthrough", 5, &[("UCI_Variant", "small")]).expect("a name");
        let lines = small.configure().expect("options").lines;
        assert_eq!(lines[0], "setoption name UCI_Variant value small");
    }

    #[test]
    fn positions_moves_and_clocks() {
        let mut uci = uci(&[]);
        let clock = TimeLeft { limit: Some(Duration::from_secs(1)), ..TimeLeft::default() };
        let mut record = game(START);
        assert_eq!(uci.ask(&record, &clock), Talk::lines(["position startpos", "go movetime 930"]));
        for text in ["a2-a3", "b7-b6", "a3-a4", "b6-b5", "a4xb5"] {
            TextGame::play(&mut record, text).expect(text);
        }
        let left = [Some(Duration::from_secs(10)), Some(Duration::from_secs(2))];
        let increment = [Duration::from_millis(100), Duration::ZERO];
        let lines = [
            "position startpos moves a2a3 b7b6 a3a4 b6b5 a4b5",
            "go wtime 9480 btime 1880 winc 100 binc 0 nodes 5000 depth 7",
        ];
        let clock = TimeLeft { left, increment, nodes: Some(5000), depth: Some(7), ..clock };
        assert_eq!(uci.ask(&record, &clock), Talk::lines(lines));
        let mut record = game("bb-b-bbb/bb--bbbb/--------/---b----/-----w--/--------/wwww-www/wwwwwww- b");
        let fen = "position fen pp1p1ppp/pp2pppp/8/3p4/5P2/8/PPPP1PPP/PPPPPPP1 b - - 0 1";
        assert_eq!(uci.ask(&record, &TimeLeft::default()).lines[0], fen);
        TextGame::play(&mut record, "d5-d4").expect("legal");
        assert_eq!(uci.ask(&record, &TimeLeft::default()).lines[0], format!("{fen} moves d5d4"));
    }

    #[test]
    fn every_legal_move_is_written_and_read() {
        let (uci, mut record, mut rng) = (uci(&[]), game(START), game::SplitMix64::new(3));
        while TextGame::finish(&record).is_none() {
            let moves = TextGame::legal_moves(&record);
            for text in &moves {
                assert_eq!(uci.read(&record, written(text)).as_ref(), Ok(text));
            }
            TextGame::play(&mut record, rng.choose(&moves).expect("a move")).expect("legal");
        }
        assert!(matches!(uci.read(&game(START), "a1a2".to_owned()), Err(MoveError::Illegal { .. })));
        assert!(matches!(uci.read(&game(START), "e1g1q".to_owned()), Err(MoveError::Unreadable { .. })));
    }

    #[test]
    fn answers_and_information() {
        let mut uci = uci(&[]);
        assert_eq!(introduced(&mut uci, &["uciok"]), Heard::Ready);
        let record = game("-------b/--------/b-------/-w------/--------/--------/--------/w------- w");
        uci.ask(&record, &TimeLeft::default());
        assert_eq!(uci.hear("bestmove b5a6 ponder h8h7"), Heard::Move("b5a6".to_owned()));
        let line =
            "info depth 9 seldepth 11 multipv 1 score mate 3 nodes 21 nps 19 tbhits 0 time 1 pv b5a6 h8h7 a6a7 x";
        let Heard::Info(info) = uci.hear(line) else { panic!("an info") };
        assert_eq!((info.score, info.depth, info.nodes), (Some(Score::Win(5)), Some(9), Some(21)));
        assert_eq!(info.pv, ["b5xa6", "h8-h7", "a6-a7", "x"]);
        assert_eq!(uci.hear("response p1win"), Heard::Nothing);
        for line in ["bestmove", "bestmove (none)", "bestmove 0000"] {
            assert!(matches!(uci.hear(line), Heard::Unreadable(_)), "{line}");
        }
    }
}
