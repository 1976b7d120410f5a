/// The next step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A simulation that begins with this move of the root, if one is given.
    Simulate(Option<usize>),
    /// The evaluation of the waiting positions.
    Evaluate,
    /// The end of the search.
    End,
}
