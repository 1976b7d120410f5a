//! A seeded fuzzing driver on stable Rust.
//!
//! Inputs consist of words from a target's vocabulary. They are then mutated: bytes are flipped; pieces are duplicated,
//! cut and swapped; numbers are replaced by huge ones. A finding is a panic. The same target and seed give the same
//! inputs, so findings are reproducible. Coverage-guided fuzzers find more but need a nightly compiler.

use core::fmt;
use std::sync::LazyLock;

use console::{Session, Transcript};
use engine::PlayerOptions;
use game::{Position, SplitMix64};
use games::{Game, GameId, Setting, Visitor, dispatch};
use protocol::Heard;
use protocol::cs61b::{CourseGame, parse_message, strip_prompt};
use protocol::dialects::{Speaks, Variant};

/// A parser under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The line protocol of `loa`.
    Loa,
    /// The line protocol of `jump61`.
    Jump61,
    /// The `checkers` program.
    Checkers,
    /// The request parser of `loa6`.
    Loa6,
    /// Position texts and moves of every game.
    Positions,
    /// Test scripts, and outputs of programs.
    Scripts,
    /// The engine side of the Universal Game Interface.
    Ugi,
    /// Agents' answers, in every dialect.
    Agents,
    /// SGF files of Lines of Action.
    Sgf,
    /// Tournament files.
    Tournaments,
}

impl Target {
    /// Every target.
    pub const ALL: [Self; 10] = [
        Self::Loa,
        Self::Jump61,
        Self::Checkers,
        Self::Loa6,
        Self::Positions,
        Self::Scripts,
        Self::Ugi,
        Self::Agents,
        Self::Sgf,
        Self::Tournaments,
    ];

    /// Returns the vocabulary of the inputs.
    fn words(self) -> Vec<&'static str> {
        let words = match self {
            Self::Loa => {
                concat!(
                    "new|b1-b3|a2-c2|h7-g7|c1-c3|auto|manual|black|white|set|a1|h8|-|dump|seed|limit|help|?|board|",
                    "moves|hint|undo|1|30|#|quit|d4|99999999999999999999|-9223372036854775808",
                )
            }
            Self::Jump61 => {
                concat!(
                    "new|1|2|3|4|6|auto|manual|red|r|blue|b|size|set|0|10|dump|seed|help|verbose|quiet|board|moves|",
                    "hint|undo|q|s|#|-1|99999999999999999999",
                )
            }
            Self::Checkers => "G6-F5|H3-G4|F5-H3|F3-G4|E6-F5|A|P|B3-A4|A6-B5|I9-A1|A0-B1|-|A66-B5|B1-B3|é",
            Self::Loa6 => "identify|move|1|6|.XXXX.|O....O|......|XXXXXX|-5|+7|X|OOOOOO|8",
            Self::Positions => {
                concat!(
                    "-bbbbbb-|w------w|/|b|w| |-bb-/w--w/w--w/-bb- b|.w.w.w.w|w.w.w.w.|........|B|W|1-1-2r|1-1-1-|",
                    "9b1b/3b4b|2r2b|1-|0r|a1-c3|G6-F5|1:2|10:10|:|-|bbbb/bbbb/wwww/wwww w|a2-a3|b2xa3|",
                    "......../......../......../......../......../......../......../........ b",
                )
            }
            Self::Scripts => {
                concat!(
                    "#*|#* loa|#*time 1 2|#* move|#*move/win|#*move/win+|#*win+|#*remote move/win|#*remote move/win+|",
                    "# comment|dump|* a2-c2|* White wins.|* Tie game.|* 1 4|b> |===|> |*|* Red wins.|#*time|",
                    "#*time x y|java -ea loa.Main|None|===#1===|===#2===|%eb|é",
                )
            }
            Self::Ugi => {
                concat!(
                    "ugi|isready|uginewgame|position|startpos|fen|-bb-/w--w/w--w/-bb-|b|w|moves|b1-b3|a2-c2|go|depth|nodes|movetime|",
                    "p1time|p2time|p1inc|infinite|stop|quit|query|gameover|p1turn|result|setoption|name|value|level|seed|hash|book|true|ponder|ponderhit|7|",
                    "99999999999999999999|-1",
                )
            }
            Self::Agents => {
                concat!(
                    "* a2-c2|* White wins.|* 1 4|b> |===|D1B3|A1A1|bestmove|b1-b3|readyok|response|p1win|draw|none|info|pv|a2a3|option name|UCI_Variant|type combo|var|breakthrough|uciok|*** BLACK ACTION #1: |",
                    "G6-F5|BLACK WIN!|ERROR: Illegal action.|:|*",
                )
            }
            Self::Sgf => {
                concat!(
                    "(;|;|)|(|GM[9]|GM[1]|SZ[8]|SZ[6]|FF[4]|B[b1-b3]|W[a2:c2++]|W[a2-c2]|AB[a1][b2]|AW[h8]|AE[a1]|PL[W]|PB[x]|[|]|\\|",
                    "B[resign]|é|C[comment]|TE[1]|BM[2]|IT[]|DO[]|CR[a1][h8]|AR[a1:c3]|LB[b2:x]|W[h2-f2]|B[c1:a3]|(;W[h2-f2])",
                )
            }
            Self::Tournaments => {
                concat!(
                    "game = 'loa'|game = 'go'|size = 6|games = 2|opening = 3|seed = 1|move_limit = 9|[time]|move = 1.5|game = -1|",
                    "[[agent]]|name = 'a'|name = 'b'|builtin = ''|builtin = 'level=3'|command = 'x'|command = ['x', 'y']|dialect = 'nus'|",
                    "format = 'match'|after_fault = 'random'|jobs = 0|'|\"|=|#",
                )
            }
        };
        words.split('|').collect()
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loa => "loa",
            Self::Jump61 => "jump61",
            Self::Checkers => "checkers",
            Self::Loa6 => "loa6",
            Self::Positions => "positions",
            Self::Scripts => "scripts",
            Self::Ugi => "ugi",
            Self::Agents => "agents",
            Self::Sgf => "sgf",
            Self::Tournaments => "tournaments",
        })
    }
}

/// Generates inputs for a target and runs the target with them.
pub struct Fuzzer {
    target: Target,
    rng: SplitMix64,
}

impl Fuzzer {
    /// Creates a fuzzer. The seed determines the inputs.
    pub const fn new(target: Target, seed: u64) -> Self {
        Self { target, rng: SplitMix64::new(seed) }
    }

    /// Runs the target with one input.
    ///
    /// # Panics
    /// Panics if the target panics or violates its contract. This is a finding.
    pub fn step(&mut self) {
        let input = self.input();
        match self.target {
            Target::Loa => {
                let mut console =
                    console::loa::Console::new(&quick()).expect("invariant: every game has a present player");
                converse(&mut console, &input, |lines| has_only_known_lines(lines, CourseGame::Loa));
            }
            Target::Jump61 => {
                let mut console =
                    console::jump61::Console::new(&quick()).expect("invariant: every game has a present player");
                // Begin with a small board: on larger boards, the search to the automated players' horizon takes
                // seconds.
                let input = [&b"size 3\n"[..], &input].concat();
                converse(&mut console, &input, |lines| has_only_known_lines(lines, CourseGame::Jump61));
            }
            Target::Checkers => self.checkers(&input),
            Target::Loa6 => loa6(&input),
            Target::Positions => String::from_utf8_lossy(&input).lines().for_each(positions),
            Target::Scripts => scripts(&input),
            Target::Ugi => ugi(&input),
            Target::Agents => agents(&input),
            Target::Sgf => sgf(&String::from_utf8_lossy(&input)),
            Target::Tournaments => tournaments(&String::from_utf8_lossy(&input)),
        }
    }

    /// Generates a few lines of words, most of them slightly mutated.
    fn input(&mut self) -> Vec<u8> {
        let glue: &[u8] = if self.target == Target::Positions { b"" } else { b" " };
        let vocabulary = self.target.words();
        let mut input = Vec::new();
        for _ in 0..=self.rng.below(12) {
            let words = self.rng.below(10);
            for _ in 0..words {
                let word = self.rng.choose(&vocabulary).copied().unwrap_or_default();
                input.extend_from_slice(word.as_bytes());
                input.extend_from_slice(if self.rng.below(8) == 0 { b"/" } else { glue });
            }
            input.extend_from_slice(if self.rng.below(6) == 0 { b"\r\n" } else { b"\n" });
        }
        for _ in 0..self.rng.below(4) {
            self.mutate(&mut input);
        }
        input
    }

    fn mutate(&mut self, input: &mut Vec<u8>) {
        if input.is_empty() {
            return;
        }
        let (a, b) = (self.rng.below(input.len()), self.rng.below(input.len()));
        let (first, last) = (a.min(b), a.max(b));
        match self.rng.below(7) {
            0 => input[a] = self.rng.next_u64() as u8,
            1 => input[a] ^= 1 << self.rng.below(8),
            2 => input.truncate(a),
            3 => input.extend_from_within(first..last),
            4 => drop(input.drain(first..last)),
            5 => input.insert(a, self.rng.next_u64() as u8),
            _ => {
                let long = vec![input[a]; 1 << self.rng.below(12)];
                input.splice(a..a, long);
            }
        }
    }

    fn checkers(&mut self, input: &[u8]) {
        let whole = checkers_output(&[input]);
        let cut = self.rng.below(input.len() + 1);
        assert_eq!(checkers_output(&[&input[..cut], &input[cut..]]), whole, "the pieces of the input do not matter");
    }
}

/// Returns options for automated players with a small budget, so that many inputs can be tested.
fn quick() -> PlayerOptions {
    let level = engine::Level::new(2).expect("invariant: 2 is a level");
    PlayerOptions { level, nodes: Some(30), ..PlayerOptions::default() }
}

fn converse(console: &mut impl Session, input: &[u8], check: impl Fn(&[String])) {
    let mut seen = Transcript::default();
    for line in input.split(|&b| b == b'\n') {
        let prompt = console.prompt();
        assert!(prompt.ends_with("> ") && prompt.matches('>').count() == 1, "a prompt ends with `> `");
        let before = console.diagram().cells;
        let printed = seen.printed.len();
        match console.line(line, &mut seen) {
            Ok(console::Flow::Quit) => break,
            Ok(console::Flow::Continue) => (),
            Err(error) => {
                assert_eq!(console.diagram().cells, before, "an error changes nothing: {error}");
                assert_eq!(console.prompt(), prompt, "an error changes nothing: {error}");
                assert_eq!(seen.printed.len(), printed, "an error prints nothing: {error}");
            }
        }
    }
    check(&seen.printed);
}

/// Checks that errors leave the position unchanged.
fn ugi(input: &[u8]) {
    let mut machine = console::ugi::Machine::new(GameId::LOA, Some(5)).expect("invariant: a size");
    for line in String::from_utf8_lossy(input).lines() {
        let before = machine.game().position();
        if machine.line(line).is_err() {
            assert_eq!(machine.game().position(), before, "an error changes nothing: {line}");
        }
    }
}

/// Variants that agents play: every game on its usual board, and one game on a small board. They are created once,
/// because creating them takes longer than running an input.
static VARIANTS: LazyLock<Vec<Variant>> = LazyLock::new(|| {
    let small = Setting { size: Some(6), ..Setting::new(GameId::LOA, 100) };
    let usual = GameId::BUILT_IN.into_iter().map(|game| Setting { game, size: None, ..small });
    usual.chain([small]).filter_map(|setting| arena::variant(setting).ok()).collect()
});

/// Checks that every move parsed by a dialect can be passed to the rules.
fn agents(input: &[u8]) {
    let pairs = VARIANTS.iter().flat_map(|variant| Speaks::ALL.map(|speaks| speaks.dialect(variant)));
    for mut dialect in pairs.flatten() {
        for line in String::from_utf8_lossy(input).lines() {
            if let Heard::Move(text) = dialect.hear(line) {
                for game in GameId::BUILT_IN {
                    dispatch(game, ReadMove(&text));
                }
            }
        }
    }
}

/// Parses a move at the start of a game.
struct ReadMove<'a>(&'a str);

impl Visitor for ReadMove<'_> {
    type Output = ();

    fn visit<P: Game>(self) {
        let _ = P::start(None).map(|p| p.parse_move(self.0).is_ok());
    }
}

/// Checks that every parsed game can be written, and that the written game parses as the same game.
fn sgf(text: &str) {
    for game in protocol::sgf::read(text).into_iter().flatten() {
        let again = protocol::sgf::read(&game.to_string());
        assert_eq!(again, Ok(vec![game]), "what was read comes back");
    }
}

fn tournaments(text: &str) {
    if let Ok(spec) = arena::Spec::read(text, std::path::Path::new("/")) {
        let again = spec.to_toml().expect("a tournament can be written");
        assert_eq!(
            arena::Spec::read(&again, std::path::Path::new("/")).ok().as_ref(),
            Some(&spec),
            "what was read comes back"
        );
    }
}

/// Checks protocol output: dumps are pairs of markers, messages are well-formed, and no other line resembles a marker
/// or a message.
fn has_only_known_lines(lines: &[String], course_game: CourseGame) {
    assert!(lines.iter().filter(|line| *line == "===").count().is_multiple_of(2), "dumps are closed");
    for line in lines {
        assert!(!line.contains('>'), "only a prompt has `>`: {line}");
        assert!(!line.starts_with("===") || line == "===", "only dumps have markers: {line}");
        match line.strip_prefix("* ") {
            Some(message) => assert!(parse_message(course_game, message).is_some(), "a well-formed message: {line}"),
            None => assert!(!line.contains('*'), "only messages have `*`: {line}"),
        }
    }
}

fn checkers_output(pieces: &[&[u8]]) -> (String, u8) {
    let mut program = console::checkers::Program::new(console::checkers::Computer::default());
    for piece in pieces {
        program.feed(piece);
    }
    program.finish();
    (program.take_output(), program.exit_code())
}

fn loa6(input: &[u8]) {
    let mut reader = console::loa6::RequestReader::default();
    for line in input.split(|&b| b == b'\n') {
        match reader.line(line) {
            Ok(None) => (),
            Ok(Some(_)) => return,
            Err(error) => {
                assert!(!error.to_string().contains('\n'), "an error is one line: {error}");
                return;
            }
        }
    }
    assert!(reader.end().to_string().contains("end of input"));
}

/// Parses a position text and plays a move.
struct ReadPosition<'a>(&'a str);

impl Visitor for ReadPosition<'_> {
    type Output = ();

    fn visit<P: Game>(self) {
        position::<P>(self.0);
    }
}

fn positions(line: &str) {
    for game in GameId::BUILT_IN {
        dispatch(game, ReadPosition(line));
    }
}

fn position<P: Position>(line: &str) {
    match line.parse::<P>() {
        Ok(p) => {
            assert_eq!(p.to_string().parse().as_ref(), Ok(&p), "a position text reads back");
            let moves = p.legal_moves();
            let _ = p.parse_move(line);
            if let Some(&m) = moves.first() {
                let _ = p.child(m).outcome();
            }
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "an error is one line: {error}"),
    }
}

fn scripts(input: &[u8]) {
    if let Err(error) = script::parse(input) {
        assert!(!error.to_string().is_empty());
    }
    if script::is_block_script(input) {
        let scripts = script::parse_blocks(input);
        assert!(scripts.is_err() || scripts.is_ok_and(|scripts| (1..=2).contains(&scripts.len())), "one or two");
    }
    for line in String::from_utf8_lossy(input).lines() {
        let rest = strip_prompt(line);
        assert!(!rest.contains('>'), "nothing is left of a prompt");
        for course_game in [CourseGame::Loa, CourseGame::Jump61] {
            let _ = parse_message(course_game, rest.trim_start_matches('*'));
        }
    }
}
