//! Writing of SGF files.

use core::fmt;

use game::{Position as _, Side};
use loa::{Position, Rules, Square};

use super::form::escaped;
use super::{Game, Mark, Node, Shape};

/// A part of a tree that remains to be written.
enum Part {
    Node(usize),
    Open,
    Close,
}

/// Writes the game as an SGF file.
///
/// Fails if a node precedes its parent or a move is illegal.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.position();
        write!(f, "(;FF[4]GM[9]CA[UTF-8]AP[Plyhouse:{}]SZ[{}]", env!("CARGO_PKG_VERSION"), start.size())?;
        let [black, white] = &self.players;
        let info = [("PB", black), ("PW", white), ("EV", &self.event), ("DT", &self.date), ("RE", &self.result)];
        for (name, value) in info.into_iter().chain([("GC", &self.comment)]) {
            if !value.is_empty() {
                write!(f, "{name}[{}]", escaped(value))?;
            }
        }
        write_start(f, start)?;
        self.write_tree(f, start)?;
        writeln!(f, ")")
    }
}

/// Writes the rules, unless they are the usual ones, and the start: its name, or the pieces and the side to move. The
/// usual start is not written.
fn write_start(f: &mut fmt::Formatter<'_>, start: Position) -> fmt::Result {
    if start.rules() == Rules::Olympiad {
        f.write_str("RU[MSO]")?;
    }
    let start = start.with_rules(Rules::Courses);
    if Position::start(start.size()) == Ok(start) {
        return Ok(());
    }
    if Position::scrambled_eggs(start.size()) == Ok(start) {
        return f.write_str("SU[Scrambled-eggs]");
    }
    for side in Side::BOTH {
        let squares: Vec<String> = squares(start.size())
            .filter(|&square| start.at(square) == Some(side))
            .map(|square| format!("[{square}]"))
            .collect();
        if !squares.is_empty() {
            write!(f, "{}{}", ["AB", "AW"][side.index()], squares.concat())?;
        }
    }
    if squares(start.size()).all(|square| start.at(square).is_none()) {
        // Without any set-up property, a reader would use the pieces of the usual start.
        f.write_str("AE[a1]")?;
    }
    write!(f, "PL[{}]", ["B", "W"][start.side_to_move().index()])
}

fn squares(size: usize) -> impl Iterator<Item = Square> {
    let size = size as u8;
    (0..size).flat_map(move |rank| (0..size).filter_map(move |file| Square::new(file, rank)))
}

impl Game {
    fn write_tree(&self, f: &mut fmt::Formatter<'_>, start: Position) -> fmt::Result {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate().skip(1) {
            children.get_mut(node.parent).filter(|_| node.parent < i).ok_or(fmt::Error)?.push(i);
        }
        let mut positions = vec![start; self.nodes.len()];
        let mut todo = vec![Part::Node(0)];
        let mut in_row = 0;
        while let Some(part) = todo.pop() {
            match part {
                Part::Open => {
                    f.write_str("\n(")?;
                    in_row = 1;
                }
                Part::Close => {
                    f.write_str(")")?;
                    in_row = 0;
                }
                Part::Node(i) => {
                    let node = &self.nodes[i];
                    if i > 0 {
                        f.write_str(if in_row % 10 == 0 { "\n" } else { "" })?;
                        in_row += 1;
                        positions[i] = write_move(f, positions[node.parent], &node.text)?;
                    }
                    node.write_notes(f)?;
                    match children[i][..] {
                        [] => (),
                        [only] => todo.push(Part::Node(only)),
                        ref all => todo
                            .extend(all.iter().rev().flat_map(|&child| [Part::Close, Part::Node(child), Part::Open])),
                    }
                }
            }
        }
        Ok(())
    }
}

/// Writes a move. Returns the position after it.
fn write_move(f: &mut fmt::Formatter<'_>, p: Position, text: &str) -> Result<Position, fmt::Error> {
    let m = p.parse_move(text).map_err(|_| fmt::Error)?;
    if m.is_pass() {
        write!(f, ";{}[{m}]", ["B", "W"][p.side_to_move().index()])?;
        return Ok(p.child(m));
    }
    let between = if p.at(m.to).is_some() { ':' } else { '-' };
    write!(f, ";{}[{}{between}{}]", ["B", "W"][p.side_to_move().index()], m.from, m.to)?;
    Ok(p.child(m))
}

impl Node {
    fn write_notes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mark {
            None => (),
            Some(Mark::Good) => f.write_str("TE[1]")?,
            Some(Mark::VeryGood) => f.write_str("TE[2]")?,
            Some(Mark::Interesting) => f.write_str("IT[]")?,
            Some(Mark::Doubtful) => f.write_str("DO[]")?,
            Some(Mark::Bad) => f.write_str("BM[1]")?,
            Some(Mark::VeryBad) => f.write_str("BM[2]")?,
        }
        let circles = self.shapes.iter().filter_map(|shape| match shape {
            Shape::Circle(square) => Some(format!("[{square}]")),
            Shape::Arrow(..) => None,
        });
        let arrows = self.shapes.iter().filter_map(|shape| match shape {
            Shape::Arrow(from, to) => Some(format!("[{from}:{to}]")),
            Shape::Circle(_) => None,
        });
        for (name, values) in [("CR", circles.collect::<String>()), ("AR", arrows.collect::<String>())] {
            if !values.is_empty() {
                write!(f, "{name}{values}")?;
            }
        }
        for (name, values) in &self.other {
            let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
            if is_name && !values.is_empty() {
                f.write_str(name)?;
                values.iter().try_for_each(|value| write!(f, "[{}]", escaped(value)))?;
            }
        }
        if !self.comment.is_empty() {
            write!(f, "C[{}]", escaped(&self.comment))?;
        }
        Ok(())
    }
}
