//! Plays random games to their end and prints how each finished: `cargo run --example end`.

#![allow(clippy::print_stdout)] // examples print

use plyhouse::game::SplitMix64;
use plyhouse::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = SplitMix64::new(1);
    for number in 1..=6 {
        let mut game = Record::new(jump61::Position::start(3)?).with_move_limit(12);
        let finish = loop {
            // After each move, a record checks whether the game has ended: on the board, by the move limit, or because
            // a side has no move.
            if let Some(finish) = game.finish() {
                break finish;
            }
            let moves = game.position().legal_moves();
            game.play(*rng.choose(&moves).expect("an open position has moves"));
        };
        let result = match finish.outcome {
            Outcome::Win(side) => format!("{} wins", jump61::Position::side_name(side)),
            Outcome::Draw => "draw".to_owned(),
        };
        println!("game {number}: {result} after {} moves ({:?})", game.moves_made(), finish.reason);

        // A position by itself detects only an end on the board, not the move limit of a game.
        match finish.reason {
            Reason::MoveLimit => assert_eq!(game.position().outcome(), None),
            _ => assert_eq!(game.position().outcome(), Some(finish.outcome)),
        }

        // A finished game accepts no further moves.
        let again = game.last_move().expect("a last move");
        assert_eq!(game.try_play(again), Err(PlayError::Finished { m: again, finish }));
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
