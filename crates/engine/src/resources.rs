use core::fmt;
use std::sync::Arc;

use crate::checkers::endgame::Tables;
use crate::{checkers, jump61, loa};

/// Large data that players use and that a program loads once. Copies share it.
#[derive(Clone, Default)]
pub struct Resources {
    /// The endgame tables of the checkers variant.
    pub checkers_endgames: Option<Arc<Tables>>,
    /// A learned evaluation of Lines of Action that takes the place of the built-in one, to play with what a training
    /// has made. It stays for the life of the program, because policies are copied into every search.
    pub learned_loa: Option<&'static loa::learned::Learned>,
    /// The same for Jump61.
    pub learned_jump61: Option<&'static jump61::learned::Learned>,
    /// The same for checkers.
    pub learned_checkers: Option<&'static checkers::learned::Learned>,
}

/// Names the data, but does not print its content.
impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.checkers_endgames.as_ref().map(|tables| tables.pieces());
        f.debug_struct("Resources")
            .field("checkers_endgames", &pieces)
            .field("learned_loa", &self.learned_loa)
            .field("learned_jump61", &self.learned_jump61)
            .field("learned_checkers", &self.learned_checkers)
            .finish()
    }
}
