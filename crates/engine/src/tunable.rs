/// An evaluation that is a weighted sum of terms, so that the weights can be fitted to games.
pub trait Tunable<P> {
    /// What the terms are called, in order.
    fn names(&self) -> Vec<String>;

    /// The terms of a position as the side to move sees them. The evaluation is their sum, each times its weight.
    fn terms(&self, p: &P) -> Vec<f32>;

    /// The weights that are used now, in hundredths of a piece for one of the term.
    fn weights(&self) -> Vec<f32>;
}
