//! Parsing and writing of games as text.

use game::{Explain as _, Message};
use games::{GameId, LeftOut, Node, line, main_line};
use serde::Deserialize;

use crate::messages::game::Game;
use crate::messages::request::Form;
use crate::room::{record, scene, texts};

/// A game that was read from a text.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) game: Game,
    pub(crate) nodes: Vec<Node>,
    /// Message about the moves of the text that are not in `nodes`.
    pub(crate) left_out: Option<Message>,
}

/// Parses a pasted text: a file in a game's own format, a game of a tournament, a position text of any game with or
/// without moves, or a list of moves of the current game. Illegal moves and the moves after them are skipped, unless no
/// move is left. A byte-order mark and the DOS end-of-file character are ignored.
pub(crate) fn read(text: &str, now: &Game) -> Result<Read, Message> {
    let text = text.trim_matches(|c: char| matches!(c, '\u{feff}' | '\u{1a}') || c.is_whitespace());
    if let Some(file) = games::read_file(text) {
        let file = file?;
        let (game, size) = (file.game.to_string(), Some(file.size));
        let start = Game { game, size, start: file.start, moves: vec![], limit: None };
        return checked(start, (file.nodes, file.left_out));
    }
    if text.starts_with('{')
        && let Some(game) = of_arena(text)
    {
        let start = position(&game.start, now)?;
        let moves = game.opening.into_iter().chain(game.moves.into_iter().map(|ply| ply.text));
        return checked(start, (line(&moves.collect::<Vec<_>>()), None));
    }
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if first.replace("1/2-1/2", "").contains('/') {
        let start = position(first.trim(), now)?;
        let is_game = !rest.trim().is_empty();
        let nodes = if is_game { moves(&start, &format!("\n{rest}"))? } else { (vec![Node::default()], None) };
        return checked(start, nodes);
    }
    let start = Game { moves: vec![], limit: None, ..now.clone() };
    let nodes = moves(&start, text)?;
    checked(start, nodes)
}

/// Returns the game with its main line, if the main line is legal.
fn checked(start: Game, (nodes, left_out): Moves) -> Result<Read, Message> {
    let moves = main_line(&nodes).into_iter().map(str::to_owned).collect();
    let game = Game { moves, ..start };
    scene(&game)?;
    Ok(Read { game, nodes, left_out: left_out.map(|left_out| left_out.message()) })
}

/// The nodes of a game, and the moves that are not in them.
type Moves = (Vec<Node>, Option<LeftOut>);

fn moves(start: &Game, text: &str) -> Result<Moves, Message> {
    record(start)?.read_legal_moves(text).map_err(|error| error.message())
}

/// A game as `plyhouse arena export` writes it.
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

/// Returns the first game in the output of `plyhouse arena export`.
fn of_arena(text: &str) -> Option<Exported> {
    text.lines().find_map(|line| serde_json::from_str(line).ok())
}

/// Parses a position text. If it begins with the name of a game, it is a position of that game. Otherwise it is a
/// position of the current game if possible, or of the first other game in which it is valid.
fn position(text: &str, now: &Game) -> Result<Game, Message> {
    let games: Vec<String> = GameId::all().iter().map(ToString::to_string).collect();
    if let Some((name, text)) = text.split_once(' ')
        && games.iter().any(|game| game == name)
    {
        let start = Some(text.to_owned());
        let game = Game { game: name.to_owned(), size: None, start, moves: vec![], limit: None };
        let scene = scene(&game)?;
        return Ok(Game { size: Some(scene.size), start: Some(scene.start), ..game });
    }
    let of = |name: &str| {
        let game = Game { game: name.to_owned(), size: None, start: Some(text.to_owned()), moves: vec![], limit: None };
        scene(&game).map(|scene| Game { size: Some(scene.size), start: Some(scene.start), ..game })
    };
    let others = || games.iter().filter(|name| **name != now.game).find_map(|name| of(name).ok());
    of(&now.game).or_else(|error| others().ok_or(error))
}

/// Writes a game as text. If `nodes` is empty, writes the moves of `game`.
pub(crate) fn write(game: &Game, nodes: &[Node], form: Form) -> Result<String, Message> {
    let own = line(&texts(&game.moves));
    let nodes = if nodes.is_empty() { &own } else { nodes };
    let start = record(&Game { moves: vec![], ..game.clone() })?;
    let written = match form {
        Form::File => start.write_file(nodes),
        Form::Moves => start.write_moves(nodes),
    };
    written.map_err(|error| error.message())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(game: &str) -> Game {
        Game { game: game.into(), size: None, start: None, moves: vec![], limit: None }
    }

    fn game(text: &str, now: &Game) -> Result<Game, Message> {
        read(text, now).map(|read| read.game)
    }

    #[test]
    fn files_positions_and_lists_of_moves_are_read() {
        let line = game("(;GM[9]SZ[6];B[b1-b3];W[a2-c2])", &now("jump61")).expect("a game");
        assert_eq!((line.game.as_str(), line.size, line.moves.len()), ("loa", Some(6), 2));
        assert_eq!(game("1. 1:1 6:6 2. 1:1", &now("jump61")).map(|line| line.moves.len()), Ok(3));
        for (name, start) in [
            ("loa", "-bb-/w--w/w--w/-bb- b"),
            ("jump61", "1-1-/1r1b"),
            ("checkers", ".w.w.w.w/w.w.w.w./.w.w.w.w/......../......../b.b.b.b./.b.b.b.b/b.b.b.b. b"),
        ] {
            let line = game(start, &now("loa")).map_err(|error| format!("{start}: {error}")).expect("a position");
            assert_eq!(line.game, name);
        }
        // A position that is valid in two games belongs to the current game.
        for name in ["breakthrough", "loa"] {
            let line = game("bbbb/bbbb/wwww/wwww w", &now(name)).expect("a position");
            assert_eq!(line.game, name);
        }
        let line = game("-bb-/w--w/w--w/-bb- b\n1. b1-b3 a2-c2 1/2-1/2", &now("checkers"));
        assert_eq!(line.map(|line| (line.game, line.moves.len())), Ok(("loa".to_owned(), 2)));
        let export = "{\"tournament\":{}}\n{\"number\":0,\"start\":\"-bb-/w--w/w--w/-bb- b\",\"opening\":[\"b1-b3\"],\"moves\":[{\"text\":\"a2-c2\"}]}\n";
        let line = game(export, &now("checkers")).map(|line| (line.game, line.moves.len()));
        assert_eq!(line, Ok(("loa".to_owned(), 2)));
    }

    #[test]
    fn moves_and_files_keep_the_rules() {
        let other = now("checkers");
        for start in ["mso", "scrambled-eggs mso", "-bb-/w--w/w--w/-bb- w mso"] {
            let now = Game { start: Some(start.into()), ..now("loa") };
            let before = scene(&now).expect("a position");
            let (first, second) = (&before.moves[0].text, &before.moves[1].text);
            let line = read(&format!("{first} ({second})"), &now).expect("moves");
            assert_eq!(scene(&line.game).map(|scene| scene.start).as_ref(), Ok(&before.start), "{start}");
            let file = write(&line.game, &line.nodes, Form::File).expect("a file");
            let again = game(&file, &other).expect("our own file");
            assert_eq!(scene(&again).map(|scene| scene.start).as_ref(), Ok(&before.start), "{file}");
        }
        // A position text names its rules: without a name they are the usual ones.
        let mso = Game { start: Some("mso".into()), ..now("loa") };
        let pasted = |text: &str| game(text, &mso).ok().and_then(|game| game.start);
        for text in ["-bb-/w--w/w--w/-bb- b", "-bb-/w--w/w--w/-bb- b mso"] {
            assert_eq!(pasted(text).as_deref(), Some(text));
        }
    }

    #[test]
    fn unreadable_texts_are_errors() {
        for (text, part) in [
            ("c1-c5", "line 1, column 1: move 1: c1-c5 is not legal: "),
            ("(;GM[9]\n;B[oops])", "line 2, column 2: B[oops]: I can't read “oops”. Type a move like b1-d3."),
            ("(;GM[9];B[zz])", "B[zz]"),
            ("(;GM[9];B[b1-b3]", "The file ends too early."),
            ("1. 2. 3.", "no move found"),
            ("", "no move found"),
            ("-bb-/w--w/w--w/-bb- b\nb1-b9", "line 2, column 1: move 1"),
            ("-bb-/w--w/w--w b", "row"),
            ("{}", "no move found"),
        ] {
            let error = read(text, &now("loa")).expect_err(text);
            assert!(error.text.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn illegal_moves_are_left_out_with_the_moves_after_them() {
        for (text, moves, part) in [
            (" 1. b1-b3 h7-f7,\n 2.c1-c5 ", 2, "1 move left out: line 2, column 2: move 3: c1-c5 is not legal: "),
            ("b1-b3 hello h7-f7", 1, "2 moves left out: line 1, column 7: move 2: I can't read “hello”."),
            ("b1-b3 (d1-d5 h7-f7) h7-f7", 2, "2 moves left out: line 1, column 8: move 1: d1-d5 is not legal: "),
            ("(;GM[9];B[b1-b3]\n;W[oops])", 1, "1 move left out: SGF, line 2, column 2: W[oops]: "),
            ("(;GM[9];B[b1-b3](;W[a2-c2])(;W[a2-h7];B[d1-d3]))", 2, "2 moves left out: SGF, line 1, column 30: "),
        ] {
            let read = read(text, &now("loa")).expect(text);
            assert_eq!((read.game.moves.len(), read.nodes.len() - 1), (moves, moves), "{text}");
            let left_out = read.left_out.expect("some moves are left out").text;
            assert!(left_out.starts_with(part), "{text}: {left_out}");
        }
    }

    #[test]
    fn the_first_valid_game_of_a_collection_is_read() {
        let (good, bad) = ("(;GM[9]C[x];B[b1-b3])", "(;GM[9];B[b1-b9])\n");
        let comment = |text: &str| {
            let Read { game, nodes, .. } = read(text, &now("loa")).expect("a game");
            assert_eq!(game.moves, ["b1-b3"], "{text}");
            nodes[0].comment.clone()
        };
        assert_eq!(comment(&format!("{good}\n{bad}")), "x");
        let one = comment(&format!("{bad}{good}"));
        assert!(
            one.starts_with("The first game of the file was left out: SGF, line 1, column 9: ") && one.ends_with("\nx")
        );
        let two = comment(&format!("{bad}(;GM[1])\n{good}"));
        assert!(two.starts_with("The first 2 games of the file were left out: SGF, line 1, column 9: "), "{two}");
    }

    #[test]
    fn written_games_can_be_read() {
        for (name, text) in [
            ("loa", "{hello} 1. b1-b3! {x} (1. d1-d3 h2-f2) 1… a2-c2"),
            ("jump61", "1. 2:3 {y} 1:1 (1… 6:6?)"),
            ("checkers", "1. G6-H5 (1. A6-B5)"),
            ("breakthrough", "1. a2-a3 a7-a6"),
        ] {
            let first = read(text, &now(name)).map_err(|error| format!("{name}: {error}")).expect("moves");
            let file = write(&first.game, &first.nodes, Form::File).expect("a file");
            let again = read(&file, &now("loa")).map_err(|error| format!("{file}: {error}")).expect("our own file");
            assert_eq!((&again.game.moves, &again.nodes), (&first.game.moves, &first.nodes), "{file}");
            let moves = write(&first.game, &first.nodes, Form::Moves).expect("moves");
            assert_eq!(read(&moves, &now(name)).map(|read| read.nodes), Ok(first.nodes), "{moves}");
            assert_eq!(write(&first.game, &[], Form::Moves).map(|text| text.contains('(')), Ok(false));
        }
    }
}
