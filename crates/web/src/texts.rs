//! Games as text, in and out.

use games::GameId;
use serde::Deserialize;

use crate::messages::Game;
use crate::room::{scene, setting, texts};

/// Reads a pasted text: a file in a game's own format, a game of a tournament, a position text of any game, or a list
/// of moves of the game at hand.
pub(crate) fn read(text: &str, now: &Game) -> Result<Game, String> {
    let text = text.trim();
    if let Some(file) = games::read_file(text) {
        let file = file?;
        let (game, size) = (file.game.to_string(), Some(file.size));
        return Ok(Game { game, size, start: file.start, moves: file.moves, limit: None });
    }
    if text.starts_with('{') {
        return of_arena(text, now);
    }
    if text.contains('/') {
        return position(text, now);
    }
    let number = |word: &&str| !word.trim_end_matches('.').bytes().all(|b| b.is_ascii_digit());
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).filter(number);
    let moves: Vec<String> = words.map(|word| word.rsplit('.').next().unwrap_or(word).to_owned()).collect();
    let game = Game { moves, limit: None, ..now.clone() };
    scene(&game)?;
    Ok(game)
}

/// The first game of what `plyhouse arena export` writes.
fn of_arena(text: &str, now: &Game) -> Result<Game, String> {
    #[derive(Deserialize)]
    struct Exported {
        start: String,
        opening: Vec<String>,
        moves: Vec<Ply>,
    }
    #[derive(Deserialize)]
    struct Ply {
        text: String,
    }
    let game: Exported =
        text.lines().find_map(|line| serde_json::from_str(line).ok()).ok_or("No game of a tournament.")?;
    let moves = game.opening.into_iter().chain(game.moves.into_iter().map(|ply| ply.text));
    let read = Game { moves: moves.collect(), ..position(&game.start, now)? };
    scene(&read)?;
    Ok(read)
}

/// A position of the game at hand, or else of the first game that has such a position.
fn position(text: &str, now: &Game) -> Result<Game, String> {
    let mut first_error = None;
    let games = GameId::ALL.map(|game| game.to_string());
    for name in core::iter::once(&now.game).chain(games.iter().filter(|name| **name != now.game)) {
        let game = Game { game: name.clone(), size: None, start: Some(text.to_owned()), moves: vec![], limit: None };
        match scene(&game) {
            Ok(scene) => return Ok(Game { size: Some(scene.size), start: Some(scene.start), ..game }),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_default())
}

/// A game as text: in its own file format if it has one, otherwise start and moves.
pub(crate) fn write(game: &Game) -> Result<String, String> {
    let text = setting(game)?.write_file(game.start.as_deref(), &texts(&game.moves));
    text.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(game: &str) -> Game {
        Game { game: game.into(), size: None, start: None, moves: vec![], limit: None }
    }

    #[test]
    fn files_positions_and_lists_of_moves_are_read() {
        let line = read("(;GM[9]SZ[6];B[b1-b3];W[a2-c2])", &now("jump61")).expect("a game");
        assert_eq!((line.game.as_str(), line.size, line.moves.len()), ("loa", Some(6), 2));
        let line = read(" 1. b1-b3 h7-f7, 2.c1-c5 ", &now("loa"));
        assert!(line.is_err_and(|error| error.contains("c1-c5")));
        assert_eq!(read("1. 1:1 6:6 2. 1:1", &now("jump61")).map(|line| line.moves.len()), Ok(3));
        for (game, start) in [
            ("loa", "-bb-/w--w/w--w/-bb- b"),
            ("jump61", "1-1-/1r1b"),
            ("checkers", ".w.w.w.w/w.w.w.w./.w.w.w.w/......../......../b.b.b.b./.b.b.b.b/b.b.b.b. b"),
        ] {
            let line = read(start, &now("loa")).map_err(|error| format!("{start}: {error}")).expect("a position");
            assert_eq!(line.game, game);
        }
        // A position of two games is one of the game at hand.
        for game in ["breakthrough", "loa"] {
            let line = read("bbbb/bbbb/wwww/wwww w", &now(game)).expect("a position");
            assert_eq!(line.game, game);
        }
        let export = "{\"tournament\":{}}\n{\"number\":0,\"start\":\"-bb-/w--w/w--w/-bb- b\",\"opening\":[\"b1-b3\"],\"moves\":[{\"text\":\"a2-c2\"}]}\n";
        let line = read(export, &now("checkers")).map(|line| (line.game, line.moves.len()));
        assert_eq!(line, Ok(("loa".to_owned(), 2)));
        assert!(read("{}", &now("loa")).is_err());
        assert!(read("-bb-/w--w/w--w b", &now("loa")).is_err());
    }

    #[test]
    fn what_is_written_is_read_again() {
        for game in GameId::ALL {
            let now = now(game.name());
            let moves: Vec<String> =
                scene(&now).expect("a start").moves.iter().take(1).map(|m| m.text.clone()).collect();
            let text = write(&Game { moves: moves.clone(), ..now.clone() }).expect("a text");
            // A file, or a line for the start and one for the moves.
            let again = if text.starts_with('(') { &text } else { text.lines().nth(1).unwrap_or_default() };
            assert_eq!(read(again, &now).map(|line| line.moves), Ok(moves), "{game}");
        }
    }
}
