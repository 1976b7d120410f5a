use core::fmt;
use std::sync::Arc;

use crate::checkers::endgame::Tables;

/// Large data that players use and that a program loads once. Copies share it.
#[derive(Clone, Default)]
pub struct Resources {
    /// The endgame tables of the checkers variant.
    pub checkers_endgames: Option<Arc<Tables>>,
}

/// Names the data, but does not print its content.
impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.checkers_endgames.as_ref().map(|tables| tables.pieces());
        f.debug_struct("Resources").field("checkers_endgames", &pieces).finish()
    }
}
