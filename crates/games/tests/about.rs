//! Tests of the descriptions of games.

use games::{GameId, Setting};

fn setting(game: GameId) -> Setting {
    Setting::new(game, 200)
}

#[test]
fn every_square_has_a_description_for_screen_readers() {
    for game in GameId::BUILT_IN {
        let about = game.about();
        let mut moves: Vec<String> = Vec::new();
        for ply in 0..40 {
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            let scene = setting(game).record(None, &texts).map(|game| game.scene()).expect("legal moves");
            for (text, _) in scene.rows.iter().flatten().chain(scene.frames.iter().flatten().flatten()) {
                assert!(about.contents.iter().any(|(known, _)| known == text), "{game}: `{text}`");
            }
            let Some(way) = scene.moves.get(7 * ply % scene.moves.len().max(1)) else { break };
            moves.push(way.text.clone());
        }
        assert!(about.square_name.contains("{row}") && about.square_name.contains("{column}"), "{game}");
    }
}

#[test]
fn the_picture_of_a_game_is_an_unfinished_position() {
    for game in GameId::BUILT_IN {
        let about = game.about();
        let scene = setting(game).record(Some(about.picture), &[]).map(|game| game.scene()).expect("a position");
        assert!(scene.end.is_none() && scene.size == about.usual_size, "{game}");
    }
}
