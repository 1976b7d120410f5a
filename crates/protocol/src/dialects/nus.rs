use core::time::Duration;

use game::text::excerpt;
use game::{MoveError, Position as _, Side, TextGame};
use loa::{Move, Position, Refusal, Square};

use crate::dialect::reason;
use crate::dialect::{Dialect, Heard, Lifetime, Talk, TimeLeft};

const SIZE: u8 = 6;

/// Agents of the 6×6 competition of CS3243. An agent always plays `X`, whose pieces start at the top and at the bottom.
/// For White the colours are exchanged and the board is transposed, and the answers are mapped back.
#[derive(Default)]
pub(super) struct Nus {
    /// Board as sent to the agent, with the rows joined by blanks.
    board: String,
    /// The same board as a position in which `X` is Black.
    seen: Option<Position>,
    transposed: bool,
    /// The agent's last move in its own notation.
    answer: String,
}

/// The rules of the competition that a dialect belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Competition {
    /// Name of the game in commands.
    pub game: &'static str,
    /// Length of a side of the board, in squares.
    pub size: usize,
    /// Time for each move.
    pub move_time: Duration,
    /// `true` if a random move replaces a faulty answer; otherwise a fault loses the game.
    pub random_moves: bool,
}

/// Rules of the assignment: "Your program may not take more than 3 real-time seconds to make a move. … If your player
/// makes an illegal move, the competition framework will choose a random move on your behalf."
pub(super) const COMPETITION: Competition =
    Competition { game: "loa", size: SIZE as usize, move_time: Duration::from_secs(3), random_moves: true };

/// Returns the request for an agent's name, which is sent once.
pub fn identify() -> Talk {
    Talk::lines(["identify"]).then_end()
}

/// Checks the answer to [`identify`].
///
/// # Errors
/// If it is not a valid name. The error explains why.
pub fn check_name(name: &str) -> Result<(), String> {
    if name.trim().is_empty() {
        return Err("the name is empty: expected 1 to 80 printable ASCII characters".to_owned());
    }
    if name.len() > 80 {
        return Err(format!("the name has {} bytes: expected at most 80", name.len()));
    }
    match name.chars().find(|c| !(' '..='~').contains(c)) {
        Some(c) => Err(format!("the name contains {c:?}: expected only printable ASCII characters")),
        None => Ok(()),
    }
}

impl Dialect for Nus {
    fn lifetime(&self) -> Lifetime {
        Lifetime::Move
    }

    fn greet(&mut self, _: &dyn TextGame, _: Side, _: u64) -> Talk {
        Talk::default()
    }

    fn ask(&mut self, game: &dyn TextGame, _: &TimeLeft) -> Talk {
        let position: Position = game.position().parse().expect("invariant: the dialect is given its own game");
        self.transposed = game.side_to_move() == Side::Second;
        let rows = self.rows(&position);
        self.seen = Some(as_seen(&rows));
        self.board = rows.join(" ");
        let mut lines = vec!["move".to_owned(), (1 + game.plies()).to_string(), SIZE.to_string()];
        lines.extend(rows);
        Talk::lines(lines).then_end()
    }

    fn hear(&mut self, line: &str) -> Heard {
        let text = line.trim();
        match text.as_bytes() {
            [] => Heard::Nothing,
            &[a @ b'A'..=b'F', b @ b'1'..=b'6', c @ b'A'..=b'F', d @ b'1'..=b'6'] => {
                text.clone_into(&mut self.answer);
                Heard::Move(format!("{}-{}", self.square(a, b), self.square(c, d)))
            }
            _ => Heard::Unreadable(match in_capitals(text) {
                Some(capitals) => format!("`{}` found, expected `{capitals}` in capitals", excerpt(text)),
                None => format!("`{}` found, expected a move in capitals such as D1B3", excerpt(text)),
            }),
        }
    }

    fn part(&mut self, _: &dyn TextGame) -> Talk {
        Talk::default()
    }

    fn tells_all(&self) -> bool {
        true
    }

    fn explain(&self, error: &MoveError) -> String {
        let refusal = self.seen.and_then(|seen| seen.refusal(as_played(&self.answer)?));
        let Some(refusal) = refusal else { return reason(error) };
        format!("{}: {}; its board, row 1 first: {}", self.answer, in_its_words(refusal), self.board)
    }
}

impl Nus {
    /// Returns the rows for the agent, beginning with the top row.
    fn rows(&self, p: &Position) -> Vec<String> {
        (0..SIZE).map(|row| (0..SIZE).map(|column| self.cell(p, row, column)).collect()).collect()
    }

    fn cell(&self, p: &Position, row: u8, column: u8) -> char {
        let (row, column) = if self.transposed { (column, row) } else { (row, column) };
        let own = if self.transposed { Side::Second } else { Side::First };
        match Square::new(column, SIZE - 1 - row).and_then(|square| p.at(square)) {
            None => '.',
            Some(side) if side == own => 'X',
            Some(_) => 'O',
        }
    }

    /// Converts a square from the agent's notation to Plyhouse notation.
    fn square(&self, column: u8, row: u8) -> String {
        let (row, column) = (row - b'1', column - b'A');
        let (row, column) = if self.transposed { (column, row) } else { (row, column) };
        format!("{}{}", char::from(b'a' + column), SIZE - row)
    }
}

/// Returns the text in capitals if it is then a move; otherwise `None`.
fn in_capitals(text: &str) -> Option<String> {
    let capitals = text.to_ascii_uppercase();
    matches!(capitals.as_bytes(), [b'A'..=b'F', b'1'..=b'6', b'A'..=b'F', b'1'..=b'6']).then_some(capitals)
}

/// Converts the agent's view to a position in which `X` is Black, with Black to move.
fn as_seen(rows: &[String]) -> Position {
    let text = rows.join("/").replace('.', "-").replace('X', "b").replace('O', "w") + " b";
    text.parse().expect("invariant: the rows are those of a position")
}

/// Converts the agent's answer to a move in the agent's view.
fn as_played(answer: &str) -> Option<Move> {
    let &[a, b, c, d] = answer.as_bytes() else { return None };
    let square =
        |column: u8, row: u8| Square::new(column.checked_sub(b'A')?, SIZE.checked_sub(row.checked_sub(b'0')?)?);
    Some(Move { from: square(a, b)?, to: square(c, d)? })
}

/// Describes a refusal in the competition's coordinates and letters.
fn in_its_words(refusal: Refusal) -> String {
    let name = |square: Square| format!("{}{}", char::from(b'A' + square.file()), SIZE - square.rank());
    match refusal {
        Refusal::OffBoard { square, .. } => format!("{} is outside of the board", name(square)),
        Refusal::EmptySource(square) => format!("{} is empty", name(square)),
        Refusal::NotYours { square, .. } => format!("the piece on {} is an `O`, and the agent plays `X`", name(square)),
        Refusal::NotOnALine => "a piece moves along a row, a column or a diagonal".to_owned(),
        Refusal::Distance { direction, needed, found, .. } => {
            let line = match direction.line_name() {
                "file" => "column",
                "rank" => "row",
                other => other,
            };
            let s = if needed == 1 { "" } else { "s" };
            format!(
                "{needed} piece{s} on the {line}, so the piece moves exactly {needed} square{s} along it, not {found}"
            )
        }
        Refusal::Blocked(square) => format!("the enemy piece on {} stands in between", name(square)),
        Refusal::OwnPiece(square) => format!("an `X` stands on {} already", name(square)),
        Refusal::Pass => "an agent does not pass".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Record;

    #[test]
    fn black_sees_the_board_as_it_is_and_white_transposed() {
        let mut game = Record::new(Position::start(6).expect("a size"));
        let mut nus = Nus::default();
        let start = ["move", "1", "6", ".XXXX.", "O....O", "O....O", "O....O", "O....O", ".XXXX."];
        assert_eq!(nus.ask(&game, &TimeLeft::default()), Talk::lines(start).then_end());
        assert_eq!(nus.hear("B1B3"), Heard::Move("b6-b4".to_owned()));
        TextGame::play(&mut game, "b6-b4").expect("a legal move");
        // White is to move, so `X` is White, and Black's pieces appear on the left and right. The piece on b4 appears
        // on C2.
        let seen = ["move", "2", "6", ".XXXX.", "..O..O", "O....O", "O....O", "O....O", ".XXXX."];
        assert_eq!(nus.ask(&game, &TimeLeft::default()), Talk::lines(seen).then_end());
        // The leftmost `X` of the top row is White's piece on a5. In the agent's view, its column contains two pieces.
        assert_eq!(nus.hear("B1B3"), Heard::Move("a5-c5".to_owned()));
        TextGame::play(&mut game, "a5-c5").expect("a legal move");
    }

    #[test]
    fn every_legal_move_of_both_sides_can_be_said() {
        let mut game = Record::new(Position::start(6).expect("a size"));
        let mut rng = game::SplitMix64::new(1);
        while TextGame::finish(&game).is_none() {
            let moves = TextGame::legal_moves(&game);
            let mut nus = Nus::default();
            nus.ask(&game, &TimeLeft::default());
            let all: Vec<String> = all_answers()
                .filter_map(|text| match nus.hear(&text) {
                    Heard::Move(m) if moves.contains(&m) => Some(m),
                    _ => None,
                })
                .collect();
            assert_eq!(all.len(), moves.len());
            TextGame::play(&mut game, rng.choose(&moves).expect("a move")).expect("legal");
        }
    }

    fn all_answers() -> impl Iterator<Item = String> {
        let squares = || ('A'..='F').flat_map(|column| ('1'..='6').map(move |row| format!("{column}{row}")));
        squares().flat_map(move |from| squares().map(move |to| format!("{from}{to}")))
    }

    /// Returns the explanation that the author of an agent reads after the illegal move `answer`.
    fn explained(game: &mut Record<Position>, answer: &str) -> String {
        let mut nus = Nus::default();
        nus.ask(game, &TimeLeft::default());
        let Heard::Move(text) = nus.hear(answer) else { panic!("{answer} is well-formed") };
        nus.explain(&TextGame::play(game, &text).expect_err("a move that the rules refuse"))
    }

    #[test]
    fn refusals_quote_the_answer_in_the_agents_own_coordinates() {
        let mut game = Record::new(Position::start(6).expect("a size"));
        assert_eq!(
            explained(&mut game, "B1B2"),
            "B1B2: 2 pieces on the column, so the piece moves exactly 2 squares along it, not 1; \
             its board, row 1 first: .XXXX. O....O O....O O....O O....O .XXXX."
        );
        TextGame::play(&mut game, "b6-b4").expect("a legal move");
        // White's board is transposed: its b6 appears on A2, and Black's piece on b4 is an `O` on C2.
        for (answer, why) in [
            ("B1B2", "B1B2: 2 pieces on the column, so the piece moves exactly 2 squares along it, not 1; its board"),
            ("B1D1", "B1D1: 4 pieces on the row, so the piece moves exactly 4 squares along it, not 2; its board"),
            ("A2A3", "A2A3: A2 is empty; its board"),
            ("C2C3", "C2C3: the piece on C2 is an `O`, and the agent plays `X`; its board"),
            ("C1B3", "C1B3: a piece moves along a row, a column or a diagonal; its board"),
            ("C1C4", "C1C4: the enemy piece on C2 stands in between; its board"),
        ] {
            let said = explained(&mut game, answer);
            assert!(said.starts_with(why), "{said}");
            assert!(said.ends_with(".XXXX. ..O..O O....O O....O O....O .XXXX."), "{said}");
        }
    }

    #[test]
    fn a_move_in_lower_case_is_quoted_with_the_expected_one() {
        let why = |text: &str| match Nus::default().hear(text) {
            Heard::Unreadable(why) => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(why("b1b3"), "`b1b3` found, expected `B1B3` in capitals");
        assert_eq!(why("b1g3"), "`b1g3` found, expected a move in capitals such as D1B3");
    }

    #[test]
    fn other_answers_are_unreadable() {
        let mut nus = Nus::default();
        assert_eq!(nus.hear("  "), Heard::Nothing);
        for text in ["d1b3", "D1-B3", "D1B7", "G1B3", "D1B3 ok", "pass"] {
            assert!(matches!(nus.hear(text), Heard::Unreadable(_)), "{text}");
        }
        assert!(check_name("Nuah").is_ok() && check_name(" ").is_err() && check_name(&"x".repeat(81)).is_err());
        assert!(check_name("naïve").is_err_and(|why| why.contains("'ï'")));
    }
}
