use core::fmt;
use std::sync::Arc;

use crate::checkers::endgame::Tables;
use crate::loa::learned::Learned;

/// Large data that players use and that a program loads once. Copies share it.
#[derive(Clone, Default)]
pub struct Resources {
    /// The endgame tables of the checkers variant.
    pub checkers_endgames: Option<Arc<Tables>>,
    /// A learned evaluation of Lines of Action that takes the place of the built-in one, to play with what a training
    /// has made. It stays for the life of the program, because policies are copied into every search.
    pub learned_loa: Option<&'static Learned>,
}

/// Names the data, but does not print its content.
impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.checkers_endgames.as_ref().map(|tables| tables.pieces());
        f.debug_struct("Resources").field("checkers_endgames", &pieces).field("learned_loa", &self.learned_loa).finish()
    }
}
