//! A game of Breakthrough on 6×6 in a terminal, against the library's engine: `cargo run --release --example play`. You
//! play White: you move first, and up the board. Type a move such as `b2-b3`, or `moves`, `undo` or `quit`.

use std::io::{self, BufRead, Write};

use plyhouse::prelude::*;

type Game = Record<breakthrough::Position>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    play(io::stdin().lock(), &mut io::stdout().lock())?;
    Ok(())
}

/// Plays until the game or the input ends, and returns the game.
fn play(input: impl BufRead, output: &mut impl Write) -> Result<Game, Box<dyn std::error::Error>> {
    let mut game = Record::new(breakthrough::Position::start(6)?);
    let mut opponent = "level=4".parse::<PlayerOptions>()?.make(game.position(), &Resources::default())?;
    let mut lines = input.lines();
    while game.finish().is_none() {
        if game.position().side_to_move() == Side::Second {
            let choice = opponent.engine.choose(&game, &opponent.limits, &mut Control::unattended());
            let best = choice.expect("an undecided position has a move").best;
            writeln!(output, "The engine plays {best}.")?;
            game.play(best);
            continue;
        }
        write!(output, "\n{}\n\nYour move: ", game.diagram())?;
        output.flush()?;
        let Some(line) = lines.next().transpose()? else { return Ok(game) };
        match line.trim() {
            "quit" => return Ok(game),
            // Takes back the engine's move and the user's.
            "undo" => drop([game.undo(), game.undo()]),
            "moves" => writeln!(output, "{}", list(game.position()))?,
            text => match game.position().parse_move(text) {
                Ok(m) => game.play(m),
                Err(error) => writeln!(output, "{error}")?,
            },
        }
    }
    let winner = game.finish().and_then(|finish| finish.outcome.winner());
    let name = winner.map_or("Nobody", breakthrough::Position::side_name);
    writeln!(output, "\n{}\n\n{name} wins after {} moves.", game.diagram(), game.moves_made())?;
    Ok(game)
}

fn list(position: &breakthrough::Position) -> String {
    position.legal_moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marching straight ahead loses, so the engine wins the game.
    #[test]
    fn a_game_from_the_first_move_to_the_last() {
        let files = ["a", "b", "c", "d", "e", "f"];
        let march = |rank: u8| files.map(|file| format!("{file}{rank}-{file}{}\n", rank + 1)).concat();
        let script = (1..=5).rev().map(march).collect::<String>().repeat(6);
        let mut output = Vec::new();
        let game = play(script.as_bytes(), &mut output).expect("a game");
        assert_eq!(game.finish().map(|finish| finish.outcome), Some(Outcome::Win(Side::Second)));
        assert!(
            String::from_utf8_lossy(&output).ends_with(&format!("Black wins after {} moves.\n", game.moves_made()))
        );
    }

    #[test]
    fn a_wrong_line_changes_nothing() {
        let mut output = Vec::new();
        let game = play(&b"moves\nundo\nb2-b5\nhello\nb2-b3\nundo\nquit\n"[..], &mut output).expect("a game");
        let output = String::from_utf8_lossy(&output);
        assert_eq!(game.moves_made(), 0, "the one move was taken back");
        assert!(output.contains("a2-a3 a2-b3") && output.contains("illegal move b2-b5: a piece moves exactly one"));
        assert_eq!(output.matches("Your move:").count(), 7);
    }
}
