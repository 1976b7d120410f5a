//! Parsing of SGF files.

use game::text::excerpt;
use game::{Explain as _, Message, Position as _, PositionError, Side, message};
use loa::{Position, Rules, Square};

use super::form::{Property, RawNode, Reader, Spot};
use super::{Game, LeftOut, Mark, Node, SgfError, Shape};

/// Actions of a player that are not moves. Comments in their nodes belong to the preceding move.
const NO_MOVES: [&str; 12] = [
    "",
    "resign",
    "resigns",
    "resigned",
    "draw",
    "offerdraw",
    "acceptdraw",
    "declinedraw",
    "time",
    "timeout",
    "forfeit",
    "done",
];
/// A pass. If the rules have no passes, or the side has a move, the pass is skipped, and a move by the other side after
/// it is an error.
const PASS: &str = "pass";
/// Properties of the whole file, which the writer generates.
const OF_THE_FILE: [&str; 6] = ["FF", "GM", "CA", "AP", "SZ", "SU"];
/// Values of `GM` for Lines of Action: the official number, and the names that some programs write.
const NAMES: [&str; 3] = ["9", "loa", "lines of action"];

/// Parses every game of a file.
///
/// # Errors
/// If the file is not in this format, or a move of the main line is illegal. The error contains the place. A variation
/// is cut before its first illegal move, and [`Game::left_out`] reports it.
pub fn read(text: &str) -> Result<Vec<Game>, SgfError> {
    read_each(text).into_iter().collect()
}

/// Reads a file like [`read`], with an error in place of each invalid game. The result has at least one entry.
pub fn read_each(text: &str) -> Vec<Result<Game, SgfError>> {
    let whole = |game: Game| match game.left_out {
        Some(LeftOut { first, in_main_line: true, .. }) => Err(first),
        _ => Ok(game),
    };
    read_legal(text).into_iter().map(|game| game.and_then(whole)).collect()
}

/// Reads a file like [`read_each`], but also cuts the main line before its first illegal move. If this is the first
/// move of the game, the result contains the error instead of the game. [`Game::left_out`] reports the moves that are
/// missing.
pub fn read_legal(text: &str) -> Vec<Result<Game, SgfError>> {
    let mut reader = Reader::new(text);
    let mut games = Vec::new();
    loop {
        match reader.game() {
            Ok(Some(nodes)) => games.push(game(&nodes)),
            Ok(None) if games.is_empty() => return vec![Err(reader.expected("`(;`"))],
            Ok(None) => return games,
            Err(error) => {
                games.push(Err(error));
                if !reader.skip_to_game() {
                    return games;
                }
            }
        }
    }
}

fn wrong(at: Spot, name: &str, value: &str, why: Message) -> SgfError {
    SgfError::Value { at, name: name.to_owned(), value: excerpt(value), why: Box::new(why) }
}

fn game(raw: &[RawNode]) -> Result<Game, SgfError> {
    let mut reading =
        Reading { game: Game::default(), setup: Setup::default(), positions: Vec::new(), passes: Vec::new() };
    // The index of the move that each node of the file belongs to; `None` in the skipped rest of a variation.
    let mut moves: Vec<Option<usize>> = Vec::with_capacity(raw.len());
    for (node, is_main) in raw.iter().zip(main_nodes(raw)) {
        let parent = node.parent.map_or(Some(0), |parent| moves[parent]);
        let here = match parent.map(|parent| reading.node(node, parent)).transpose() {
            Ok(here) => here,
            Err(error) if is_main && reading.game.nodes.len() == 1 => return Err(error),
            Err(first) => {
                reading.game.left_out.get_or_insert(LeftOut { count: 0, first, in_main_line: is_main });
                None
            }
        };
        if here.is_none() {
            reading.leave_out(node);
        }
        moves.push(here);
    }
    reading.begin()?;
    Ok(reading.finish())
}

/// Returns for each node whether it is in the main line.
fn main_nodes(raw: &[RawNode]) -> Vec<bool> {
    let mut main = vec![false; raw.len()];
    let mut end = None;
    for (i, node) in raw.iter().enumerate() {
        // The first child precedes all others.
        if node.parent == end {
            main[i] = true;
            end = Some(i);
        }
    }
    main
}

/// Returns the move or other action of a player in a property. In files of `BoardSpace`, a number precedes the move,
/// and the property names are `P0` and `P1`, which become `B` and `W`. Other values of `P0` and `P1`, such as a
/// player's name, are not moves.
fn as_move(property: &Property) -> Option<Property> {
    let name = match property.name.as_str() {
        "B" | "W" => property.name.as_str(),
        "P0" => "B",
        "P1" => "W",
        _ => return None,
    };
    let mut value = property.values[0].trim();
    match value.split_once(' ').filter(|(number, _)| number.parse::<u32>().is_ok()) {
        Some((_, rest)) => value = rest.trim(),
        None if name != property.name => return None,
        None => (),
    }
    if value.to_ascii_lowercase().starts_with("start") {
        return None;
    }
    Some(Property { name: name.to_owned(), at: property.at, values: vec![value.to_owned()] })
}

/// Returns `true` for an action that is not a move.
fn is_no_move(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    value == PASS || NO_MOVES.contains(&value.as_str())
}

struct Reading {
    game: Game,
    setup: Setup,
    /// Position of each node. The list is empty until the first move.
    positions: Vec<Position>,
    /// Nodes after which a side passes.
    passes: Vec<usize>,
}

impl Reading {
    /// Processes a node and returns the index of the move that it belongs to.
    fn node(&mut self, raw: &RawNode, parent: usize) -> Result<usize, SgfError> {
        let is_move = |property: &&Property| as_move(property).is_some();
        for property in raw.properties.iter().filter(|property| !is_move(property)) {
            self.setup(property)?;
        }
        let mut here = parent;
        for property in &raw.properties.iter().filter_map(as_move).collect::<Vec<_>>() {
            let value = &property.values[0];
            if value.eq_ignore_ascii_case(PASS) && !self.is_legal_pass(parent)? {
                self.passes.push(parent);
                continue;
            }
            if NO_MOVES.contains(&value.to_ascii_lowercase().as_str()) {
                continue;
            }
            if here != parent {
                let why = message!("sgf.second_move", "a node has one move");
                return Err(wrong(property.at, &property.name, &property.values[0], why));
            }
            here = self.play(property, parent)?;
        }
        for property in raw.properties.iter().filter(|property| !is_move(property)) {
            self.note(property, here);
        }
        Ok(here)
    }

    /// Returns `true` if the side to move after a node passes by the rules.
    fn is_legal_pass(&mut self, parent: usize) -> Result<bool, SgfError> {
        if self.setup.rules == Rules::Courses {
            return Ok(false);
        }
        self.begin()?;
        Ok(self.positions[parent].read_move(PASS).is_ok())
    }

    /// Counts the move of a node that is left out.
    fn leave_out(&mut self, raw: &RawNode) {
        let has_move = raw.properties.iter().filter_map(as_move).any(|property| !is_no_move(&property.values[0]));
        if let Some(left_out) = &mut self.game.left_out {
            left_out.count += usize::from(has_move);
        }
    }

    /// Processes a property of the start position.
    fn setup(&mut self, property: &Property) -> Result<(), SgfError> {
        let Property { name, at, values } = property;
        let value = values[0].trim();
        match name.as_str() {
            "GM" if !NAMES.contains(&value.to_ascii_lowercase().as_str()) => {
                return Err(SgfError::OtherGame { at: *at, found: excerpt(value) });
            }
            "SZ" | "AB" | "AW" | "AE" | "PL" if !self.positions.is_empty() => {
                let why = message!("sgf.late_setup", "expected before the first move of all variations");
                return Err(wrong(*at, name, value, why));
            }
            "SZ" => {
                let size = value.parse().ok().filter(|size| (4..=8).contains(size));
                self.setup.size =
                    Some(size.ok_or_else(|| wrong(*at, "SZ", value, message!("sgf.size", "expected 4 to 8")))?);
            }
            "AB" | "AW" | "AE" => self.setup.add(property)?,
            "PL" => self.setup.side = Some(value.to_ascii_lowercase()),
            "SU" if is_scrambled(value) => self.setup.scrambled = true,
            "SU" if !value.is_empty() && !value.eq_ignore_ascii_case("standard") => {
                let why = message!("sgf.start", "this start is not supported, expected Standard or Scrambled-eggs");
                return Err(wrong(*at, name, value, why));
            }
            "RU" if self.positions.is_empty() && is_olympiad(value) => self.setup.rules = Rules::Olympiad,
            _ => return Ok(()),
        }
        self.setup.at = Some(*at);
        Ok(())
    }

    /// Sets the start position, unless it is already set.
    fn begin(&mut self) -> Result<(), SgfError> {
        if self.positions.is_empty() {
            let start = self.setup.position()?;
            self.game.start = (Position::start(8) != Ok(start)).then(|| start.to_string());
            self.positions.push(start);
        }
        Ok(())
    }

    /// Plays a move, unless the same move exists already, and returns its index.
    fn play(&mut self, property: &Property, parent: usize) -> Result<usize, SgfError> {
        self.begin()?;
        let Property { name, at, values } = property;
        let value = values[0].trim();
        let p = self.positions[parent];
        let side = if name == "B" { Side::First } else { Side::Second };
        if parent > 0 && p.outcome().is_some() {
            return Err(wrong(*at, name, value, message!("sgf.over", "the game is over")));
        }
        if p.side_to_move() != side && self.passes.contains(&parent) {
            let why = if p.rules() == Rules::Courses {
                message!("sgf.pass", "it follows a pass, and the rules have none: a side without a legal move loses")
            } else {
                message!("sgf.wrong_pass", "it follows a pass by a side that has a legal move")
            };
            return Err(wrong(*at, name, value, why));
        }
        if p.side_to_move() != side {
            return Err(wrong(*at, name, value, message!("sgf.other_turn", "it is the other side's turn")));
        }
        // Marks such as `+` and `!` may follow the move.
        let text = value.trim_end_matches(|c: char| c.is_ascii_punctuation());
        let m = p.read_move(text).map_err(|error| wrong(*at, name, value, error.message()))?;
        let text = m.to_string();
        let same = |(_, node): &(usize, &Node)| node.parent == parent && node.text == text;
        if let Some((known, _)) = self.game.nodes.iter().enumerate().skip(1).rev().find(same) {
            return Ok(known);
        }
        self.game.nodes.push(Node { parent, text, ..Node::default() });
        self.positions.push(p.child(m));
        Ok(self.game.nodes.len() - 1)
    }

    /// Processes a property that annotates the game or a move.
    fn note(&mut self, property: &Property, here: usize) {
        let Property { name, values, .. } = property;
        let value = values[0].trim();
        if let Some(info) = self.game.info(name) {
            value.clone_into(info);
            return;
        }
        let id = value.strip_prefix("id ").map(|id| id.trim_matches(['"', ' ']));
        match (name.as_str(), id) {
            ("C", _) => return self.comment(here, value),
            ("P0", Some(id)) => return id.clone_into(&mut self.game.players[0]),
            ("P1", Some(id)) => return id.clone_into(&mut self.game.players[1]),
            _ => (),
        }
        let node = &mut self.game.nodes[here];
        let strong = value == "2";
        match name.as_str() {
            "AB" | "AW" | "AE" | "PL" => (),
            "RU" if is_olympiad(value) => (),
            name if OF_THE_FILE.contains(&name) => (),
            "TE" => node.mark = Some(if strong { Mark::VeryGood } else { Mark::Good }),
            "BM" => node.mark = Some(if strong { Mark::VeryBad } else { Mark::Bad }),
            "IT" => node.mark = Some(Mark::Interesting),
            "DO" => node.mark = Some(Mark::Doubtful),
            "CR" | "AR" => match values.iter().map(|value| shape(name, value)).collect::<Option<Vec<Shape>>>() {
                Some(shapes) => node.shapes.extend(shapes),
                None => node.other.push((name.clone(), values.clone())),
            },
            _ => node.other.push((name.clone(), values.clone())),
        }
    }

    fn comment(&mut self, here: usize, text: &str) {
        let comment = &mut self.game.nodes[here].comment;
        if !comment.is_empty() && !text.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    /// Returns the game with its nodes in order: each variation is complete before the next one begins.
    fn finish(mut self) -> Game {
        let size = self.positions[0].size();
        let mut children = vec![Vec::new(); self.game.nodes.len()];
        for (i, node) in self.game.nodes.iter().enumerate().skip(1) {
            children[node.parent].push(i);
        }
        let old = core::mem::take(&mut self.game.nodes);
        let mut todo = vec![(0, 0)];
        while let Some((i, parent)) = todo.pop() {
            let here = self.game.nodes.len();
            let mut node = Node { parent, ..old[i].clone() };
            node.keep_shapes_on_board(size);
            self.game.nodes.push(node);
            todo.extend(children[i].iter().rev().map(|&child| (child, here)));
        }
        self.game
    }
}

impl Game {
    /// Returns the field of the game that corresponds to a property.
    fn info(&mut self, property: &str) -> Option<&mut String> {
        let [black, white] = &mut self.players;
        match property {
            "PB" => Some(black),
            "PW" => Some(white),
            "EV" => Some(&mut self.event),
            "DT" => Some(&mut self.date),
            "RE" => Some(&mut self.result),
            "GC" => Some(&mut self.comment),
            _ => None,
        }
    }
}

impl Node {
    /// Removes shapes outside a small board, and sorts circles before arrows, as in a file.
    fn keep_shapes_on_board(&mut self, size: usize) {
        let on_board = |square: Square| usize::from(square.file()) < size && usize::from(square.rank()) < size;
        self.shapes.retain(|shape| match *shape {
            Shape::Circle(square) => on_board(square),
            Shape::Arrow(from, to) => on_board(from) && on_board(to),
        });
        self.shapes.sort_by_key(|shape| matches!(shape, Shape::Arrow(..)));
    }
}

fn square(text: &str) -> Option<Square> {
    match text.trim().to_ascii_lowercase().as_bytes() {
        &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Square::new(file - b'a', rank - b'1'),
        _ => None,
    }
}

fn shape(name: &str, value: &str) -> Option<Shape> {
    if name == "CR" {
        return square(value).map(Shape::Circle);
    }
    let (from, to) = value.split_once(':')?;
    Some(Shape::Arrow(square(from)?, square(to)?))
}

/// Returns `true` for a value of `SU` that names the start of Scrambled Eggs.
fn is_scrambled(value: &str) -> bool {
    ["scrambled-eggs", "scrambled eggs", "scrambled"].iter().any(|name| value.eq_ignore_ascii_case(name))
}

/// Returns `true` for a value of `RU` that names the rules of the Olympiads.
fn is_olympiad(value: &str) -> bool {
    ["mso", "olympiad"].iter().any(|name| value.eq_ignore_ascii_case(name))
}

/// A board that the file sets up piece by piece.
#[derive(Default)]
struct Setup {
    size: Option<usize>,
    scrambled: bool,
    rules: Rules,
    side: Option<String>,
    pieces: Vec<(Square, char)>,
    /// Place of the last set-up property.
    at: Option<Spot>,
}

impl Setup {
    fn add(&mut self, property: &Property) -> Result<(), SgfError> {
        let letter = match property.name.as_str() {
            "AB" => 'b',
            "AW" => 'w',
            _ => '-',
        };
        for value in &property.values {
            let why = message!("sgf.square", "expected a square such as c4");
            let square = square(value).ok_or_else(|| wrong(property.at, &property.name, value, why))?;
            self.pieces.push((square, letter));
        }
        Ok(())
    }

    fn position(&self) -> Result<Position, SgfError> {
        let at = self.at.unwrap_or(Spot { line: 1, column: 1 });
        let size = self.size.unwrap_or(8);
        let start = if self.scrambled { Position::scrambled_eggs(size) } else { Position::start(size) };
        let start = start.map_err(|error| wrong(at, "SZ", &size.to_string(), error.message()))?.with_rules(self.rules);
        if self.pieces.is_empty() && self.side.is_none() {
            return Ok(start);
        }
        let mut rows = vec![vec!['-'; size]; size];
        if self.pieces.is_empty() {
            let text = start.to_string();
            rows = text[..text.find(' ').unwrap_or(text.len())].split('/').map(|row| row.chars().collect()).collect();
        }
        for &(square, letter) in &self.pieces {
            let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
            if file >= size || rank >= size {
                return Err(wrong(
                    at,
                    "SZ",
                    &size.to_string(),
                    message!("sgf.off_board", "{square} is not on this board", square),
                ));
            }
            rows[size - 1 - rank][file] = letter;
        }
        let to_move = match self.side.as_deref() {
            None | Some("b" | "black") => "b",
            Some("w" | "white") => "w",
            Some(other) => return Err(wrong(at, "PL", other, message!("sgf.side", "expected B or W"))),
        };
        let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        let text = format!("{} {to_move}", rows.join("/"));
        let set_up: Result<Position, PositionError> = text.parse();
        let set_up = set_up.map_err(|error| wrong(at, "AB", &text, error.message()))?;
        Ok(set_up.with_rules(self.rules))
    }
}
