use search::{Engine, MctsPlayer, RandomMover, Settings};

use crate::attention::Attention;
use crate::build::Build;
use crate::gentle::Gentle;
use crate::level::Level;
use crate::playable::Playable;
use crate::resources::Resources;

/// Builds an engine; `None` if the game has no engine of this build.
pub(crate) fn engine<P: Playable>(
    build: Build,
    settings: Settings,
    gentle: Option<Attention>,
    resources: &Resources,
) -> Option<Box<dyn Engine<P>>> {
    match build {
        Build::Current if let Some(attention) = gentle => Some(Box::new(Gentle::new(attention))),
        Build::Current => Some(P::current(P::policy(resources), settings)),
        Build::Mcts => Some(Box::new(MctsPlayer::new(P::policy(resources), settings))),
        Build::Random => Some(Box::new(RandomMover::default())),
        Build::First | Build::Second | Build::Reference => P::earlier(build, settings),
    }
}

impl Build {
    /// Returns the builds that the game has on boards of this size.
    pub fn of<P: Playable>(board: &P) -> Vec<Self> {
        let settings = Level::FULL.settings(&board.profile());
        let resources = Resources::default();
        let is_there = |&build: &Self| engine::<P>(build, settings, None, &resources).is_some();
        Self::ALL.into_iter().filter(is_there).collect()
    }
}
