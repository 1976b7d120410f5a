use game::TextGame;
use game::{Side, text::excerpt};
use loa::{Position, Square};

use crate::{Dialect, Heard, Lifetime, Talk, TimeLeft};

const SIZE: u8 = 6;

/// Agents of the 6×6 competition: each always plays `X`, which has its pieces at the top and at the bottom. White sees the board with
/// colours exchanged and transposed, and its answers are turned back.
#[derive(Default)]
pub(super) struct Nus {
    transposed: bool,
}

/// The request for an agent's name, which is asked once.
pub fn identify() -> Talk {
    Talk::lines(["identify"]).then_end()
}

/// Checks the answer to [`identify`].
///
/// # Errors
/// If it is no name; in words.
pub fn check_name(name: &str) -> Result<(), String> {
    if name.trim().is_empty() {
        return Err("the name is empty: expected 1 to 80 printable ASCII characters".to_owned());
    }
    if name.len() > 80 {
        return Err(format!("the name has {} bytes: expected at most 80", name.len()));
    }
    match name.chars().find(|c| !(' '..='~').contains(c)) {
        Some(c) => Err(format!("the name contains {c:?}: expected printable ASCII characters alone")),
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
        let mut lines = vec!["move".to_owned(), (1 + game.plies()).to_string(), SIZE.to_string()];
        lines.extend((0..SIZE).map(|row| (0..SIZE).map(|column| self.cell(&position, row, column)).collect()));
        Talk::lines(lines).then_end()
    }

    fn hear(&mut self, line: &str) -> Heard {
        let text = line.trim();
        match text.as_bytes() {
            [] => Heard::Nothing,
            &[a @ b'A'..=b'F', b @ b'1'..=b'6', c @ b'A'..=b'F', d @ b'1'..=b'6'] => {
                Heard::Move(format!("{}-{}", self.square(a, b), self.square(c, d)))
            }
            _ => Heard::Unreadable(format!("`{}` found, expected a move in capitals such as D1B3", excerpt(text))),
        }
    }

    fn part(&mut self, _: &dyn TextGame) -> Talk {
        Talk::default()
    }

    fn tells_all(&self) -> bool {
        true
    }
}

impl Nus {
    /// What the agent sees in a row from the top.
    fn cell(&self, p: &Position, row: u8, column: u8) -> char {
        let (row, column) = if self.transposed { (column, row) } else { (row, column) };
        let own = if self.transposed { Side::Second } else { Side::First };
        match Square::new(column, SIZE - 1 - row).and_then(|square| p.at(square)) {
            None => '.',
            Some(side) if side == own => 'X',
            Some(_) => 'O',
        }
    }

    /// The square that the agent means.
    fn square(&self, column: u8, row: u8) -> String {
        let (row, column) = (row - b'1', column - b'A');
        let (row, column) = if self.transposed { (column, row) } else { (row, column) };
        format!("{}{}", char::from(b'a' + column), SIZE - row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Record;

    const CLOCK: TimeLeft = TimeLeft { limit: None, left: [None; 2], increment: core::time::Duration::ZERO };

    #[test]
    fn black_sees_the_board_as_it_is_and_white_transposed() {
        let mut game = Record::new(Position::start(6).expect("a size"));
        let mut nus = Nus::default();
        let start = ["move", "1", "6", ".XXXX.", "O....O", "O....O", "O....O", "O....O", ".XXXX."];
        assert_eq!(nus.ask(&game, &CLOCK), Talk::lines(start).then_end());
        assert_eq!(nus.hear("B1B3"), Heard::Move("b6-b4".to_owned()));
        TextGame::play(&mut game, "b6-b4").expect("a legal move");
        // Black's pieces, now White's opponents, stand left and right; the one on b4 is seen on C2.
        let seen = ["move", "2", "6", ".XXXX.", "..O..O", "O....O", "O....O", "O....O", ".XXXX."];
        assert_eq!(nus.ask(&game, &CLOCK), Talk::lines(seen).then_end());
        // The leftmost `X` of the top row is White's a5, two pieces on its column as seen.
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
            nus.ask(&game, &CLOCK);
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
