//! The position as an agent receives it.

use game::{Diagram, Side};
use games::AnyRecord;

/// Describes the position that a program receives. Agents of the 6×6 competition always play Black, so the second side
/// receives a transposed board with exchanged colours.
pub(crate) fn describe_position(dialect: Option<&str>, side: Side, position: &str) -> String {
    if dialect != Some("nus") || side == Side::First {
        return format!("the position is {position}");
    }
    let rows = received_rows(side, position).join("/");
    format!("the position that the agent receives, with `X` as Black, is {rows} b")
}

/// Returns the rows of a position as an agent of the 6×6 competition receives them, but with `b` for `X` and `w` for
/// `O`.
fn received_rows(side: Side, position: &str) -> Vec<String> {
    let rows = position.split(' ').next().unwrap_or_default().split('/');
    let rows: Vec<String> = rows.map(str::to_owned).collect();
    if side == Side::First {
        return rows;
    }
    let exchanged = |piece| match piece {
        'b' => 'w',
        'w' => 'b',
        other => other,
    };
    let column = |i| rows.iter().filter_map(|row| row.chars().nth(i)).map(exchanged).collect::<String>();
    (0..rows.len()).map(column).collect()
}

/// Draws the board that a program receives before its move. Agents of the 6×6 competition use their own letters and
/// coordinates.
pub(crate) fn draw(dialect: Option<&str>, game: &dyn AnyRecord) -> String {
    if dialect != Some("nus") {
        return game.diagram().to_string();
    }
    let rows = received_rows(game.side_to_move(), &game.position());
    let piece = |letter| match letter {
        'b' => Some(Side::First),
        'w' => Some(Side::Second),
        _ => None,
    };
    let rows: Vec<Vec<_>> = rows.iter().map(|row| row.chars().map(piece).collect()).collect();
    let mut diagram = Diagram::of_board(&rows, ['X', 'O', '.'], None);
    diagram.column_labels.iter_mut().for_each(|label| label.make_ascii_uppercase());
    diagram.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Draft;

    #[test]
    fn the_second_side_of_the_competition_receives_a_transposed_board() {
        let position = "-bbbb-/w--b-w/w----w/w----w/w----w/-b-bb- w";
        let transposed =
            "the position that the agent receives, with `X` as Black, is -bbbb-/w----w/w-----/ww---w/w----w/-bbbb- b";
        assert_eq!(describe_position(Some("nus"), Side::Second, position), transposed);
        assert_eq!(describe_position(Some("nus"), Side::First, position), format!("the position is {position}"));
        assert_eq!(describe_position(Some("ugi"), Side::Second, position), format!("the position is {position}"));
    }

    #[test]
    fn the_board_of_the_competition_has_its_letters_and_coordinates() {
        let mut draft = Draft::new("loa");
        draft.adopt("nus");
        let game = draft.spec.replay("-bbbb-/w----w/w----w/w----w/w----w/-bbbb- b", &["b6-b4"]).expect("a game");
        let drawn = "   1  .  X  X  X  X  .
   2  .  .  O  .  .  O
   3  O  .  .  .  .  O
   4  O  .  .  .  .  O
   5  O  .  .  .  .  O
   6  .  X  X  X  X  .
      A  B  C  D  E  F";
        assert_eq!(draw(Some("nus"), &*game), drawn);
        assert!(draw(Some("ugi"), &*game).contains("[b]"), "the last move is marked");
    }
}
