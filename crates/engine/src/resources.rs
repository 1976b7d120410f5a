use core::any::Any;
use core::fmt;
use std::sync::Arc;

/// Large data that players use and that a program loads once. Clones share the data.
///
/// Each game defines its own types of data, and its [policy](crate::playable::Playable::policy) uses only data of these
/// types.
#[derive(Clone, Default)]
pub struct Resources {
    /// Endgame tables, at most one of each type.
    endgames: Vec<Arc<dyn Any + Send + Sync>>,
    /// Learned evaluations, at most one of each type.
    evaluations: Vec<&'static (dyn Any + Send + Sync)>,
}

impl Resources {
    /// Adds a game's endgame tables, or replaces those of the same type.
    #[must_use]
    pub fn with_endgames<T: Any + Send + Sync>(mut self, tables: Arc<T>) -> Self {
        self.endgames.retain(|other| !other.is::<T>());
        self.endgames.push(tables);
        self
    }

    /// Removes all endgame tables.
    #[must_use]
    pub fn without_endgames(self) -> Self {
        Self { endgames: Vec::new(), ..self }
    }

    /// Returns `true` if there are endgame tables of any game.
    pub fn has_endgames(&self) -> bool {
        !self.endgames.is_empty()
    }

    /// Returns the endgame tables of this type.
    pub fn endgames<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.endgames.iter().find_map(|tables| Arc::clone(tables).downcast().ok())
    }

    /// Adds a learned evaluation, which replaces the game's built-in one. It lives as long as the program, because
    /// policies are copied into every search.
    #[must_use]
    pub fn with_evaluation<T: Any + Send + Sync>(mut self, learned: &'static T) -> Self {
        self.evaluations.retain(|other| !other.is::<T>());
        self.evaluations.push(learned);
        self
    }

    /// Returns the learned evaluation of this type.
    pub fn evaluation<T: Any + Send + Sync>(&self) -> Option<&'static T> {
        self.evaluations.iter().find_map(|learned| learned.downcast_ref())
    }
}

/// Formats the numbers of entries.
impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resources")
            .field("endgames", &self.endgames.len())
            .field("evaluations", &self.evaluations.len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_are_found_by_their_type_and_replaced() {
        let resources = Resources::default().with_endgames(Arc::new(1_u8)).with_evaluation(&"a");
        let resources = resources.with_endgames(Arc::new(2_u8)).with_endgames(Arc::new(3_u16)).with_evaluation(&'b');
        assert_eq!((resources.endgames::<u8>(), resources.endgames::<u16>()), (Some(2.into()), Some(3.into())));
        assert_eq!((resources.evaluation::<&str>(), resources.evaluation::<char>()), (Some(&"a"), Some(&'b')));
        assert_eq!(resources.endgames::<u32>(), None);
        let without = resources.without_endgames();
        assert!(
            !without.has_endgames() && without.endgames::<u8>().is_none() && without.evaluation::<char>().is_some()
        );
    }
}
