//! An engine for other programs: the Universal Game Interface on standard input and output
//! (<https://github.com/kz04px/cutegames/blob/master/ugi.md>), for any game and any engine.
//!
//! Run `cargo build --release --example ugi`, then
//! `plyhouse arena spar "ugi:target/release/examples/ugi breakthrough"`. For another program that supports UGI, the
//! engine's command is `target/release/examples/ugi breakthrough`. To use another engine, replace the one in
//! `with_our_engine`. Each search ends before the next line is read, so `stop` has no effect.

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use plyhouse::engine::{Playable, limits_on_clock};
use plyhouse::prelude::*;
use plyhouse::search::Sequential;

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        None | Some("loa") => with_our_engine(&loa::Position::start(8)?),
        Some("breakthrough") => with_our_engine(&breakthrough::Position::start(8)?),
        Some("jump61") => with_our_engine(&jump61::Position::start(6)?),
        Some("checkers") => with_our_engine(&checkers::Position::start()),
        Some(name) => Err(format!("`{name}`: expected loa, breakthrough, jump61 or checkers").into()),
    }
}

fn with_our_engine<P: Playable>(usual: &P) -> Result<(), Box<dyn Error>> {
    let mut ours = PlayerOptions::default().make(usual, &Resources::default())?;
    serve(usual, &mut *ours.engine, io::stdin().lock(), &mut io::stdout().lock())?;
    Ok(())
}

/// Executes each line of the input until `quit`. `usual` is the position of `startpos`.
fn serve<P: Position>(
    usual: &P,
    engine: &mut dyn Engine<P>,
    input: impl BufRead,
    output: &mut impl Write,
) -> io::Result<()> {
    // `None` after an invalid `position`, so that no earlier position is searched instead.
    let mut game = Some(Record::new(usual.clone()));
    for line in input.lines() {
        let line = line?;
        match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["ugi"] => writeln!(output, "id name Plyhouse example\nid author the Plyhouse authors\nugiok")?,
            ["isready"] => writeln!(output, "readyok")?,
            ["uginewgame"] => {
                engine.new_game(0);
                game = Some(Record::new(usual.clone()));
            }
            ["position", words @ ..] => match read(usual, words) {
                Ok(read) => game = Some(read),
                Err(error) => {
                    writeln!(output, "info string error: {error}")?;
                    game = None;
                }
            },
            ["go", words @ ..] => match think(engine, game.as_ref(), words, output)? {
                Some(best) => writeln!(output, "bestmove {best}")?,
                None => {
                    writeln!(output, "info string error: there is no position, or no legal move in it\nbestmove 0000")?;
                }
            },
            ["query", what] => match &game {
                Some(game) => writeln!(output, "response {}", answer(game, what))?,
                None => writeln!(output, "info string error: the last position was refused")?,
            },
            ["quit"] => return Ok(()),
            // Options that this engine does not have, and commands of later versions of the protocol.
            _ => (),
        }
        output.flush()?;
    }
    Ok(())
}

/// Parses `startpos moves b1-b3 …` or `fen TEXT moves …`.
fn read<P: Position>(usual: &P, words: &[&str]) -> Result<Record<P>, Box<dyn Error>> {
    let (start, moves) = words.split_at(words.iter().position(|&word| word == "moves").unwrap_or(words.len()));
    let mut game = match start {
        ["startpos"] => Record::new(usual.clone()),
        ["fen", text @ ..] => Record::new(text.join(" ").parse()?),
        _ => return Err("position: expected `startpos` or `fen` and a position text".into()),
    };
    for text in moves.iter().skip(1) {
        game.try_play(game.position().read_move(text)?)?;
    }
    Ok(game)
}

/// Parses `movetime 500`, `nodes 20000`, `depth 6`, or clocks: `p1time 60000 p2time 60000 p1inc 0 p2inc 0`.
fn limits(words: &[&str], side: Side) -> Limits {
    let number = |name: &str| {
        let at = words.iter().position(|&word| word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let time = |name: &str| number(name).map(Duration::from_millis);
    let (left, increment) = [("p1time", "p1inc"), ("p2time", "p2inc")][side.index()];
    let limits = Limits {
        depth: number("depth").and_then(|depth| u32::try_from(depth).ok()),
        nodes: number("nodes"),
        movetime: time("movetime"),
        ..Limits::default()
    };
    match time(left) {
        Some(left) => limits_on_clock(limits, left, time(increment).unwrap_or_default()),
        None => limits,
    }
}

/// Searches, and prints the result of each depth. Returns `None` without a game or a legal move.
fn think<P: Position>(
    engine: &mut dyn Engine<P>,
    game: Option<&Record<P>>,
    words: &[&str],
    output: &mut impl Write,
) -> io::Result<Option<P::Move>> {
    let Some(game) = game else { return Ok(None) };
    let limits = limits(words, game.position().side_to_move());
    let mut written = Ok(());
    let mut report = |found: &Progress<P::Move>| {
        let score = match (found.score.win_distance(), found.score.loss_distance()) {
            (Some(plies), _) => format!("win {plies}"),
            (_, Some(plies)) => format!("loss {plies}"),
            _ => format!("cp {}", found.score.as_units().unwrap_or(0)),
        };
        let line: Vec<String> = found.pv.iter().map(ToString::to_string).collect();
        let line = line.join(" ");
        let said = writeln!(output, "info depth {} score {score} nodes {} pv {line}", found.depth, found.nodes);
        written = std::mem::replace(&mut written, Ok(())).and(said);
    };
    let host = Host { clock: Some(now), threads: &Sequential };
    let mut control = Control { stop: Stop::new(), progress: Some(&mut report), host };
    let choice = engine.choose(game, &limits, &mut control);
    written.map(|()| choice.map(|choice| choice.best))
}

/// Returns the time since the first call, as the clock of the search. The library has no clock of its own, so a search
/// without time limits is the same on every machine.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

fn answer<P: Position>(game: &Record<P>, what: &str) -> &'static str {
    let outcome = game.finish().map(|finish| finish.outcome).or_else(|| game.position().outcome());
    match (what, outcome) {
        ("p1turn", _) if game.position().side_to_move() == Side::First => "true",
        ("gameover", Some(_)) => "true",
        ("result", Some(Outcome::Win(Side::First))) => "p1win",
        ("result", Some(Outcome::Win(Side::Second))) => "p2win",
        ("result", Some(Outcome::Draw)) => "draw",
        ("result", None) => "none",
        _ => "false",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said<P: Playable>(usual: &P, input: &str) -> String {
        let mut ours = PlayerOptions::default().make(usual, &Resources::default()).expect("an engine");
        let mut output = Vec::new();
        serve(usual, &mut *ours.engine, input.as_bytes(), &mut output).expect("a conversation");
        String::from_utf8(output).expect("text")
    }

    #[test]
    fn a_conversation() {
        let start = loa::Position::start(6).expect("a size");
        let output = said(
            &start,
            "ugi\nsetoption name seed value 7\nuginewgame\nisready\nposition startpos moves b1-b3\nquery p1turn\n\
             query result\nposition startpos moves b1-b4\nquery gameover\ngo nodes 500\n\
             position startpos moves b1-b3\ngo nodes 500\nquit\nisready\n",
        );
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines[2..6], ["ugiok", "readyok", "response false", "response none"]);
        assert!(lines[6].starts_with("info string error: illegal move b1-b4"), "{output}");
        let refused = ["info string error: the last position was refused"];
        assert_eq!(lines[7..8], refused);
        assert_eq!(lines[8..10], ["info string error: there is no position, or no legal move in it", "bestmove 0000"]);
        assert!(lines[10].starts_with("info depth 1 score "), "{output}");
        let best =
            lines.last().and_then(|line| line.strip_prefix("bestmove ")).expect("a move, and nothing after quit");
        let after: loa::Position = start.child(start.parse_move("b1-b3").expect("legal"));
        assert!(after.parse_move(best).is_ok(), "{output}");
    }

    #[test]
    fn decided_games_and_limits_on_time() {
        let start = breakthrough::Position::start(4).expect("a size");
        let output = said(
            &start,
            "position fen w---/--bb/ww--/---- b\nquery gameover\nquery result\nposition fen -b--/b---/----/-w-w w\n\
             go p1time 2000 p2time 1 p1inc 0 p2inc 0\ngo movetime 20\nposition nowhere\n",
        );
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines[..2], ["response true", "response p1win"]);
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 2);
        assert!(lines.last().is_some_and(|line| line.ends_with("expected `startpos` or `fen` and a position text")));
    }

    #[test]
    fn each_side_has_its_own_clock() {
        let words = ["p1time", "25000", "p2time", "50000", "p1inc", "0", "p2inc", "1000", "depth", "3"];
        let seconds = |side| limits(&words, side).optimum.map(|time| time.as_millis());
        assert_eq!((seconds(Side::First), seconds(Side::Second)), (Some(1_000), Some(2_800)));
        assert_eq!(limits(&words, Side::First).depth, Some(3));
    }
}
