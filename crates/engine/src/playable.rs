use search::{AlphaBeta, Engine, Policy, Settings};

use game::{Position, Side, Symmetries, Tone};

use crate::book::LazyBook;
use crate::build::Build;
use crate::evaluation::{Breakdown, TermValue};
use crate::level::Profile;
use crate::resources::Resources;

/// A game that our engines play, implemented once per game for its position.
///
/// A new game needs only a policy, for which [`BasicPolicy`] is enough, and [`squares_of`](Self::squares_of).
///
/// Programs do not use this trait directly: they describe a player with
/// [`PlayerOptions`](crate::options::PlayerOptions), and [`PlayerOptions::make`](crate::options::PlayerOptions::make)
/// builds the player with this trait.
pub trait Playable: Position {
    /// Evaluation and move ordering.
    type Policy: Policy<Self> + Default + 'static;

    /// Symmetries of the board that preserve the rules, for the same side to move.
    const SYMMETRIES: Symmetries = Symmetries::None;

    /// Returns the policy of the current player.
    fn policy(resources: &Resources) -> Self::Policy {
        let _ = resources;
        Self::Policy::default()
    }

    /// Returns the settings of full strength and of the levels, on a board of this size.
    fn profile(&self) -> Profile {
        Profile::default()
    }

    /// Returns a beginner's valuation of the position for a side, in hundredths of a piece: pieces, squares and steps
    /// forward. It ignores threats. By default it counts the squares of the diagram that belong to each side.
    fn liking(&self, side: Side) -> i32 {
        let cells = self.diagram(None).cells;
        let count = |side: Side| {
            let tone = [Tone::First, Tone::Second][side.index()];
            cells.iter().flatten().filter(|(_, whose, _)| *whose == tone).count() as i32
        };
        100 * (count(side) - count(!side))
    }

    /// Returns the squares on which a move begins and ends, each as a column and a row.
    fn squares_of(m: Self::Move) -> [(u8, u8); 2];

    /// Returns the evaluation of this position by a policy, term by term.
    fn breakdown(&self, policy: &Self::Policy) -> Breakdown {
        let total = policy.evaluate(self);
        let whole = TermValue::whole("Evaluation", "evaluation", f64::from(total));
        Breakdown { early_share: 1.0, terms: vec![whole], total }
    }

    /// Returns the opening book for boards of this size under the position's rules.
    fn book(&self) -> Option<&'static LazyBook> {
        None
    }

    /// Adds the learned evaluation of a file to `resources`; `None` if the file has no evaluation for this game.
    fn with_learned(resources: Resources, file: &[u8]) -> Option<Resources> {
        let _ = (resources, file);
        None
    }

    /// Builds the current player. Each built-in game repeats this body in its own crate. The compiler then compiles the
    /// search in that crate: at the crate's level of optimization, and once for all players with this policy.
    fn current(policy: Self::Policy, settings: Settings) -> Box<dyn Engine<Self>> {
        Box::new(AlphaBeta::new(policy, settings))
    }

    /// Builds an earlier player, as a baseline for the current one; `None` if the game has no player of this build.
    fn earlier(build: Build, settings: Settings) -> Option<Box<dyn Engine<Self>>> {
        let _ = (build, settings);
        None
    }
}

/// A policy without knowledge of its game. The evaluation is [`Playable::liking`], and all moves are equally promising
/// before the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct BasicPolicy;

impl<P: Playable> Policy<P> for BasicPolicy {
    type Accumulator = ();

    /// One slot for each packed move.
    const SLOTS: usize = 1 << 16;

    fn evaluate(&self, p: &P) -> i32 {
        p.liking(p.side_to_move())
    }

    fn slot(&self, _: &P, m: P::Move) -> usize {
        P::pack(m).into()
    }
}
