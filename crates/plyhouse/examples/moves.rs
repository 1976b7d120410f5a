//! Lists the legal moves of a position, plays one, and shows how an illegal move is handled:
//! `cargo run --example moves`.

#![allow(clippy::print_stdout)] // examples print

use plyhouse::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut position = loa::Position::start(6)?;
    println!("{}\n", position.diagram(None));

    let moves = position.legal_moves();
    assert_eq!(moves.len(), 24);
    for m in &moves {
        print!("{m} ");
    }

    // A move that is parsed from text is checked by the parser.
    let m = position.parse_move("b1-d3")?;
    position.play(m);
    println!("\n\nafter {m}:\n{}\n", position.diagram(Some(m)));

    // Any other move is checked when it is played. The error has the move and the rule that it breaks.
    let IllegalMove { m, refusal } = position.try_play(m).expect_err("it is White's turn");
    assert!(matches!(refusal, loa::Refusal::EmptySource(square) if square == m.from));
    println!("{m} is refused: {refusal}");
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
