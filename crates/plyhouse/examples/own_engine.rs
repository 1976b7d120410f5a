//! A custom engine against the library's engine: `cargo run --example own_engine`. The custom engine plays a winning
//! move if there is one; otherwise it moves its pieces closer together.
#![allow(clippy::print_stdout)] // examples print

use plyhouse::prelude::*;

struct Gatherer;

impl Engine<loa::Position> for Gatherer {
    fn choose(
        &mut self,
        game: &Record<loa::Position>,
        _: &Limits,
        _: &mut Control<'_, loa::Move>,
    ) -> Option<Choice<loa::Move>> {
        let (position, side) = (game.position(), game.position().side_to_move());
        let middle = |square: loa::Square| [square.file(), square.rank()].map(|c| (2 * i32::from(c) + 1 - 6).abs());
        let value = |m: &loa::Move| {
            let after = position.child(*m);
            let spread: i32 = after.pieces(side).into_iter().flat_map(middle).sum();
            if after.outcome() == Some(Outcome::Win(side)) { i32::MAX } else { -spread }
        };
        let best = position.legal_moves().into_iter().max_by_key(value)?;
        Some(Choice { best, score: Score::units(value(&best)), pv: vec![best], depth: 1, nodes: 1, others: vec![] })
    }

    fn new_game(&mut self, _seed: u64) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Record::new(loa::Position::start(6)?).with_move_limit(100);
    let mut ours = "nodes=2000".parse::<PlayerOptions>()?.make(game.position(), &Resources::default())?;
    let mut players: [&mut dyn Engine<loa::Position>; 2] = [&mut Gatherer, &mut *ours.engine];
    while game.finish().is_none() {
        let player = &mut players[game.position().side_to_move().index()];
        let choice = player.choose(&game, &ours.limits, &mut Control::unattended()).expect("a move");
        game.try_play(choice.best)?; // a custom engine may return an illegal move
    }
    println!("{}\n{:?} after {} moves", game.position().diagram(game.last_move()), game.finish(), game.moves_made());
    assert_eq!(game.finish().and_then(|finish| finish.outcome.winner()), Some(Side::Second), "ours sees further");
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
