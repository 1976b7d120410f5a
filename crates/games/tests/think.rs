//! Tests of searches.

use engine::{PlayerOptions, Resources};
use games::{Asked, GameId, Setting, Value};
use search::{Host, Stop};

#[test]
fn values_are_from_the_point_of_view_of_the_first_side() {
    let setting = Setting::new(GameId::LOA, 60);
    // White is to move and connects with one move.
    let start = "b------b/--------/--------/---w----/--------/----w---/--------/b------b w";
    let player = PlayerOptions { nodes: Some(5_000), ..PlayerOptions::analysis() };
    let resources = Resources::default();
    let asked = Asked { player: &player, resources: &resources, host: Host::NONE, seed: 1 };
    let mut game = setting.record(Some(start), &[]).expect("a position");
    let thought = game.think(&asked, Stop::new(), &mut |_| ()).expect("a player").expect("a thought");
    assert_eq!(thought.lines[0].value, Value::Loses(1), "{thought:?}");
    game.try_play(&thought.lines[0].moves[0]).expect("legal");
    assert_eq!(game.scene().end.and_then(|end| end.winner), Some(1));
    assert_eq!(game.think(&asked, Stop::new(), &mut |_| ()), Ok(None));
}
