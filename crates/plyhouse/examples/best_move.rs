//! Searches for the best move of a position, reports each finished depth, and interprets the score: `cargo run
//! --example best_move`.

#![allow(clippy::print_stdout)] // examples print

use plyhouse::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let position: checkers::Position =
        ".w.w.w.w/w.w...w./.w.w.w.w/....b.../...w..../b.b.b.b./.b...b.b/b.b.b.b. b".parse()?;
    let game = Record::new(position);

    // With a budget in nodes the move is the same on every machine. A budget in time needs a `Host` with a clock.
    let mut player = "nodes=20000".parse::<PlayerOptions>()?.make(&position, &Resources::default())?;
    let mut report = |so_far: &Progress<checkers::Move>| {
        let line: Vec<String> = so_far.pv.iter().map(ToString::to_string).collect();
        println!("depth {:>2}  score {:>6}  nodes {:>6}  {}", so_far.depth, so_far.score, so_far.nodes, line.join(" "));
    };
    let mut control = Control { stop: Stop::new(), progress: Some(&mut report), host: Host::NONE };

    let choice = player.engine.choose(&game, &player.limits, &mut control).expect("Black has a move");
    assert!(position.is_legal(choice.best));
    match (choice.score.win_distance(), choice.score.loss_distance()) {
        (Some(plies), _) => println!("{} wins in {plies} plies: proven", choice.best),
        (_, Some(plies)) => println!("{} loses in {plies} plies: proven", choice.best),
        _ => println!("{} is worth {} pieces to Black", choice.best, choice.score),
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
