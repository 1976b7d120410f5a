//! Games as text, in and out.

use games::GameId;
use protocol::sgf;
use serde::Deserialize;

use crate::messages::Line;
use crate::table::scene;

/// Reads what somebody pastes: an SGF file of Lines of Action, a game of a tournament, a position text of any game, or a list
/// of moves of the game at hand.
pub(crate) fn read(text: &str, now: &Line) -> Result<Line, String> {
    let text = text.trim();
    if text.starts_with('(') {
        let games = sgf::read(text).map_err(|error| error.to_string())?;
        let game = games.into_iter().next().ok_or("The file has no game.")?;
        let size = game.position().size();
        return Ok(Line { game: "loa".into(), size: Some(size), start: game.start, moves: game.moves, limit: None });
    }
    if text.starts_with('{') {
        return of_arena(text);
    }
    if text.contains('/') {
        return position(text);
    }
    let number = |word: &&str| !word.trim_end_matches('.').bytes().all(|b| b.is_ascii_digit());
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).filter(number);
    let moves: Vec<String> = words.map(|word| word.rsplit('.').next().unwrap_or(word).to_owned()).collect();
    let line = Line { moves, limit: None, ..now.clone() };
    scene(&line)?;
    Ok(line)
}

/// The first game of what `plyhouse arena export` writes.
fn of_arena(text: &str) -> Result<Line, String> {
    #[derive(Deserialize)]
    struct Game {
        start: String,
        opening: Vec<String>,
        moves: Vec<Ply>,
    }
    #[derive(Deserialize)]
    struct Ply {
        text: String,
    }
    let game: Game = text.lines().find_map(|line| serde_json::from_str(line).ok()).ok_or("No game of a tournament.")?;
    let moves = game.opening.into_iter().chain(game.moves.into_iter().map(|ply| ply.text));
    let line = Line { moves: moves.collect(), ..position(&game.start)? };
    scene(&line)?;
    Ok(line)
}

/// A position text says by its letters which game it is of.
fn position(text: &str) -> Result<Line, String> {
    let mut first_error = None;
    for game in GameId::ALL {
        let line =
            Line { game: game.to_string(), size: None, start: Some(text.to_owned()), moves: vec![], limit: None };
        match scene(&line) {
            Ok(scene) => return Ok(Line { size: Some(scene.size), start: Some(scene.start), ..line }),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_default())
}

/// A game as text: SGF where there is such a form of the game, otherwise start and moves.
pub(crate) fn write(line: &Line) -> Result<String, String> {
    let scene = scene(line)?;
    if scene.game == "loa" {
        let result = match scene.end.as_ref().map(|end| end.winner) {
            Some(Some(0)) => "B+",
            Some(Some(_)) => "W+",
            Some(None) => "0",
            None => "",
        };
        let usual = scene.size == 8 && line.start.is_none();
        let start = (!usual).then_some(scene.start);
        let game = sgf::Game { start, moves: scene.played, result: result.to_owned(), ..sgf::Game::default() };
        return Ok(game.to_string());
    }
    Ok(format!("{}\n{}\n", scene.start, scene.played.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(game: &str) -> Line {
        Line { game: game.into(), size: None, start: None, moves: vec![], limit: None }
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
        let export = "{\"tournament\":{}}\n{\"number\":0,\"start\":\"-bb-/w--w/w--w/-bb- b\",\"opening\":[\"b1-b3\"],\"moves\":[{\"text\":\"a2-c2\"}]}\n";
        let line = read(export, &now("checkers")).map(|line| (line.game, line.moves.len()));
        assert_eq!(line, Ok(("loa".to_owned(), 2)));
        assert!(read("{}", &now("loa")).is_err());
        assert!(read("-bb-/w--w/w--w b", &now("loa")).is_err());
    }

    #[test]
    fn what_is_written_is_read_again() {
        for game in ["loa", "jump61"] {
            let moves = if game == "loa" { vec!["b1-b3".to_owned()] } else { vec!["2:3".to_owned(), "1:1".to_owned()] };
            let line = Line { moves: moves.clone(), ..now(game) };
            let text = write(&line).expect("a text");
            let again = if game == "loa" {
                read(&text, &now(game))
            } else {
                read(text.lines().nth(1).unwrap_or(""), &now(game))
            };
            assert_eq!(again.map(|line| line.moves), Ok(moves));
        }
    }
}
