use core::fmt;
use std::sync::Arc;

use crate::checkers::endgame::Tables;
use crate::{checkers, jump61, loa};

/// Large data that players use and that a program loads once. Clones share the data.
#[derive(Clone, Default)]
pub struct Resources {
    /// Endgame tables of the checkers variant.
    pub checkers_endgames: Option<Arc<Tables>>,
    /// Learned evaluation of Lines of Action that replaces the built-in one, to play with the result of a training. It
    /// lives as long as the program, because policies are copied into every search.
    pub learned_loa: Option<&'static loa::learned::Learned>,
    /// Learned evaluation of Jump61 that replaces the built-in one.
    pub learned_jump61: Option<&'static jump61::learned::Learned>,
    /// Learned evaluation of checkers that replaces the built-in one.
    pub learned_checkers: Option<&'static checkers::learned::Learned>,
}

/// Formats the names of the data without their content.
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
