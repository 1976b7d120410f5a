//! Checks of strategies for games that have no reference implementation.

use game::Outcome;
use proof::win::model_side;
use reference::Model;

use crate::definition::Game;

/// The game's own rules, in place of a reference implementation. A check against them finds errors in the search, but
/// not in the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnRules<P>(P);

impl<P: Game> Model for OwnRules<P> {
    fn start(size: usize) -> Self {
        Self(P::start_on(size))
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    fn text(&self) -> String {
        self.0.to_string()
    }

    fn to_move(&self) -> reference::Side {
        model_side(self.0.side_to_move())
    }

    fn moves(&self) -> Vec<String> {
        let mut moves: Vec<String> = self.0.movable().iter().map(ToString::to_string).collect();
        moves.sort_unstable();
        moves
    }

    fn play(&self, mv: &str) -> Option<Self> {
        self.0.parse_move(mv).ok().map(|m| Self(self.0.child(m)))
    }

    fn winner(&self) -> Option<reference::Side> {
        self.0.outcome().and_then(Outcome::winner).map(model_side)
    }

    fn drawn(&self) -> bool {
        self.0.outcome() == Some(Outcome::Draw)
    }
}
