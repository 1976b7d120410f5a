//! Positions that are set up by hand. The page sends what was painted; position texts are made here.

use game::{Outcome, Position as _, Side, Tone};
use serde::Deserialize;

use crate::{Entry, Place, Scene, Setting, SettingError, Visitor, dispatch};

/// A change of a position by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Edit {
    /// Puts something on a square.
    Paint {
        /// The square.
        place: Place,
        /// Which of the game's brushes, from 0.
        brush: usize,
    },
    /// Takes everything off the board. The same side stays to move.
    Clear,
    /// Sets up the usual start.
    Start,
    /// Gives the turn to the other side.
    Turn,
    /// Changes nothing, and refuses a board on which nothing can be played.
    Done,
}

impl Setting {
    /// Changes the last position of a game by hand. The result is a game that begins there.
    ///
    /// # Errors
    /// If the start is invalid, a move is not legal, or the change is not possible.
    pub fn edit(self, start: Option<&str>, moves: &[&str], edit: Edit) -> Result<Scene, SettingError> {
        dispatch(self.game, Change { setting: self, start, moves, edit })
    }
}

struct Change<'a> {
    setting: Setting,
    start: Option<&'a str>,
    moves: &'a [&'a str],
    edit: Edit,
}

impl Visitor for Change<'_> {
    type Output = Result<Scene, SettingError>;

    fn visit<E: Entry>(self) -> Self::Output {
        let record = self.setting.record::<E>(self.start, self.moves)?;
        let p = record.position();
        let changed = match self.edit {
            Edit::Paint { place, brush } => {
                let wrong =
                    |what: &str| SettingError::Edit(format!("row {}, column {}: {what}", place[0] + 1, place[1] + 1));
                let name = E::BRUSHES.get(brush).ok_or_else(|| wrong("unknown piece"))?;
                E::paint(p, place, brush).ok_or_else(|| wrong(&format!("no place for `{name}`")))?
            }
            Edit::Clear => {
                let empty = E::empty(E::size(p));
                if empty.side_to_move() == p.side_to_move() { empty } else { E::passed(&empty).unwrap_or(empty) }
            }
            Edit::Start => E::start_on(E::size(p)),
            Edit::Done => match nothing_to_play::<E>(p) {
                Some(why) => return Err(SettingError::Edit(why)),
                None => p.clone(),
            },
            Edit::Turn => {
                let fixed = || SettingError::Edit(format!("{}: the side to move follows from the board", E::TITLE));
                E::passed(p).ok_or_else(fixed)?
            }
        };
        // The text is read again, because a change of one square may leave a position that the game does not accept.
        self.setting.scene(Some(&changed.to_string()), &[])
    }
}

/// Why nothing can be played from this position; `None` if a game can begin here.
fn nothing_to_play<E: Entry>(p: &E::Position) -> Option<String> {
    let name = E::Position::side_name;
    let count = |side: Side| {
        let cells = p.diagram(None).cells;
        let tone = [Tone::First, Tone::Second][side.index()];
        cells.iter().flatten().filter(|(_, whose, _)| *whose == tone).count()
    };
    if E::TAKES_OFF {
        match Side::BOTH.map(count) {
            [0, 0] => return Some("There are no pieces on the board.".to_owned()),
            [0, _] => return Some(format!("{} has no pieces.", name(Side::First))),
            [_, 0] => return Some(format!("{} has no pieces.", name(Side::Second))),
            _ => (),
        }
    }
    match p.decided() {
        Some(Outcome::Win(side)) => Some(format!("{} has already won here: {}.", name(side), E::won_because(p))),
        Some(Outcome::Draw) => Some("The game is already drawn here.".to_owned()),
        None if p.is_stuck() => Some(format!("{} is to move and has no legal move.", name(p.side_to_move()))),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameId;

    fn setting(game: GameId) -> Setting {
        Setting { game, size: None, move_limit: 60, repetitions: None }
    }

    /// The position text after some changes of a start.
    fn edited(game: GameId, start: Option<&str>, edits: &[Edit]) -> Result<String, String> {
        let mut text = start.map(str::to_owned);
        for &edit in edits {
            let scene = setting(game).edit(text.as_deref(), &[], edit).map_err(|error| error.to_string())?;
            assert_eq!((scene.ply, &scene.start), (0, &scene.position));
            text = Some(scene.position);
        }
        Ok(text.unwrap_or_default())
    }

    fn paint(row: usize, column: usize, brush: usize) -> Edit {
        Edit::Paint { place: [row, column], brush }
    }

    #[test]
    fn every_brush_of_every_game_leaves_a_position() {
        for game in GameId::ALL {
            let about = game.about();
            for size in about.sizes {
                let setting = Setting { size: Some(size), ..setting(game) };
                let empty = setting.edit(None, &[], Edit::Clear).expect("an empty board");
                assert_eq!(empty.pieces, [0, 0], "{game}");
                for brush in 0..about.brushes.len() {
                    // Row 0, column 1 is a dark cell.
                    let painted = setting.edit(Some(&empty.position), &[], paint(0, 1, brush)).expect("a position");
                    assert_eq!(painted.pieces != [0, 0], brush != 0, "{game}, {}", about.brushes[brush]);
                    let again = setting.edit(Some(&painted.position), &[], paint(0, 1, 0)).expect("a position");
                    assert_eq!(again.position, empty.position, "the first brush empties the square");
                }
            }
        }
    }

    #[test]
    fn lines_of_action_is_set_up_by_hand() {
        let edits = [Edit::Clear, paint(0, 0, 1), paint(5, 3, 2), Edit::Turn];
        let text = edited(GameId::Loa, None, &edits);
        assert_eq!(text.as_deref(), Ok("b-------/--------/--------/--------/--------/---w----/--------/-------- w"));
        let cleared = edited(GameId::Loa, text.ok().as_deref(), &[Edit::Clear]);
        assert_eq!(cleared.as_deref(), Ok("--------/--------/--------/--------/--------/--------/--------/-------- w"));
    }

    #[test]
    fn checkers_has_nothing_on_light_cells() {
        let text = edited(GameId::Checkers, None, &[Edit::Clear, paint(0, 1, 3), paint(7, 0, 2)]);
        assert_eq!(text.as_deref(), Ok(".B....../......../......../......../......../......../......../w....... b"));
        let refused = edited(GameId::Checkers, None, &[paint(0, 0, 1)]);
        assert_eq!(refused, Err("row 1, column 1: no place for `Black man`".into()));
    }

    #[test]
    fn jump61_gets_one_spot_more_as_long_as_the_square_holds_it() {
        let spots = |times| edited(GameId::Jump61, Some("1-1-/1-1-"), &vec![paint(0, 0, 1); times]);
        assert_eq!(spots(1).as_deref(), Ok("1r1-/1-1-"));
        assert_eq!(spots(2).as_deref(), Ok("2r1-/1-1-"));
        assert_eq!(spots(3).as_deref(), Ok("1r1-/1-1-"), "a corner holds two");
        assert_eq!(edited(GameId::Jump61, Some("2r1-/1-1-"), &[paint(0, 0, 2)]).as_deref(), Ok("1b1-/1-1-"));
        assert!(edited(GameId::Jump61, None, &[Edit::Turn]).is_err(), "the turn follows from the spots");
        // A won board may be overfull; with a square of the other colour it may not.
        let refused = edited(GameId::Jump61, Some("4r1r/1r1r"), &[paint(1, 1, 2)]);
        assert!(refused.is_err_and(|error| error.contains("at most 2 spots")));
    }

    #[test]
    fn squares_and_brushes_outside_are_refused() {
        for game in GameId::ALL {
            for edit in [paint(99, 0, 1), paint(0, 99, 1), paint(0, 1, 99), paint(usize::MAX - 1, 300, 1)] {
                let error = edited(game, None, &[edit]).expect_err("refused");
                assert!(error.starts_with("row "), "{error}");
            }
        }
    }

    #[test]
    fn a_board_on_which_nothing_can_be_played_is_refused() {
        for (game, start, why) in [
            (GameId::Loa, "--------/--------/--------/--------/--------/--------/--------/-------- b", "no pieces on"),
            (GameId::Loa, "b------b/--------/--------/--------/--------/--------/--------/-------- b", "White has no"),
            (
                GameId::Loa,
                "b------b/--------/--------/---ww---/--------/--------/--------/-------- b",
                "White has already",
            ),
            (
                GameId::Checkers,
                "......../......../......../......../......../......../......../w....... w",
                "Black has no",
            ),
            (GameId::Checkers, "......../......../......../......../......../w......./.b....../........ w", ""),
            (
                GameId::Checkers,
                "......../......../......../......../......../......../.b....../w....... w",
                "no legal move",
            ),
            (GameId::Jump61, "1r1r/1r1r", "Red has already"),
            (GameId::Jump61, "1-1-/1-1-", ""),
            (GameId::Breakthrough, "w---/----/----/b--b w", "already won"),
        ] {
            let refused = edited(game, Some(start), &[Edit::Done]);
            match why {
                "" => assert_eq!(refused.as_deref(), Ok(start)),
                why => assert!(refused.as_ref().is_err_and(|error| error.contains(why)), "{start}: {refused:?}"),
            }
        }
        for game in GameId::ALL {
            let start = edited(game, None, &[Edit::Clear, Edit::Start, Edit::Done]).expect("the start");
            assert_eq!(Ok(start), setting(game).scene(None, &[]).map(|scene| scene.position));
        }
    }
}
