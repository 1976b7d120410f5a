//! The constants of the searches: each with its unit and where it comes from. Derived: follows from something else.
//! Tuned: found by matches. Customary: as in most programs of the field. Guessed: never tuned.

/// How many plies the main search looks ahead at most, quiescence included. Guessed.
pub(crate) const MAX_DEPTH: u32 = 100;

// Iterative deepening.

/// The window is narrowed from this depth on, in plies. Guessed.
pub(crate) const ASPIRATION_DEPTH: u32 = 5;
/// A failed window grows by this factor. Guessed.
pub(crate) const ASPIRATION_GROWTH: i32 = 4;
/// A window that would grow by this much is opened all the way, in hundredths of a piece. Guessed.
pub(crate) const ASPIRATION_MOST: i32 = 1_000;
/// A single move is searched to this depth only, for its score, in plies. Guessed.
pub(crate) const ONE_MOVE_DEPTH: u32 = 4;

// Pruning. What matches decide is in `tuning`.

/// Passing is not tried if fewer plies are left before the move limit, which then matters too much. Guessed.
pub(crate) const NULL_LEFT: u32 = 4;

// Move ordering.

/// The largest value of a history counter. Derived: shifted by eight bits it still fits an `i32`.
pub(crate) const HISTORY_MOST: i32 = 1 << 14;
/// A history counter moves by this much for each square ply of depth. Guessed.
pub(crate) const HISTORY_BONUS: i32 = 8;
/// More square plies than this count as this many. Guessed.
pub(crate) const HISTORY_SQUARE: u32 = 400;
/// Bits below the history counter that order moves with equal counters by the policy's promise. Derived: a byte.
pub(crate) const PROMISE_BITS: u32 = 8;

// Threads.

/// Moves of nodes less deep than this are not deferred for other threads: asking costs more than it saves. In plies.
/// Tuned (`docs/engine.md`).
pub(crate) const DEFER_DEPTH: u32 = 5;
/// Moves that threads can mark at the same time. Guessed: far more than there are threads times depth, so that few
/// collide.
pub(crate) const BUSY_SLOTS: usize = 1 << 15;

// Budgets.

/// The exact horizon may take this fraction of a time limit: the main search sees most of the same wins and losses.
/// Guessed.
pub(crate) const HORIZON_SHARE: u32 = 10;
/// The exact search for far wins may visit this many times the nodes of the budget. Measured: four of its nodes take as
/// long as one of the main search.
pub(crate) const FAR_NODES: u64 = 4;
/// Nodes for far wins in each microsecond that the exact search has. Measured on one machine: 10; a little less is
/// safe.
pub(crate) const FAR_NODES_PER_MICRO: u64 = 8;
/// The exact search may use this fraction of a helper's time, with what it has used before, whoever is ahead. Guessed;
/// of the long wins of Lines of Action whose side does not seem to be ahead, the largest needs 1.5 M nodes.
pub(crate) const SCOUT_SHARE: u32 = 5;
/// From this score on, in hundredths of a piece, a helper thread looks for longer forced wins. Guessed: odds of six to
/// one.
pub(crate) const CLEARLY_AHEAD: i32 = 300;
/// The score counts from this depth on. Guessed.
pub(crate) const SCOUT_DEPTH: u32 = 6;
/// The helper looks for wins up to this many plies longer than the far horizon. Guessed.
pub(crate) const SCOUT_PLIES: u32 = 4;
/// Nodes of the helper's first proof search for a longer win. Guessed: a twentieth of a second.
pub(crate) const SCOUT_FIRST_NODES: u64 = 100_000;
/// The exact search visits this many nodes in the time of one of the proof search. Measured on long wins of Lines of
/// Action: 11 M and 2 M nodes a second.
pub(crate) const EXACT_RATE: u64 = 6;
/// Nodes for the principal variation of a win that the helper has found. Guessed: a fifth of a second.
pub(crate) const LINE_NODES: u64 = 2_000_000;
/// The next length is tried only if the limit is this many times the nodes visited so far. Measured: two plies more
/// take about ten times the nodes.
pub(crate) const FAR_GROWTH: u64 = 8;
/// Shares of proof searches are counted in this many parts of the budget. Derived: half percents.
pub(crate) const HALF_PERCENTS: u32 = 200;

// Pace.

/// The time of a move in percent of the optimum, if the best move has been the same for so many iterations. Guessed.
pub(crate) const PACE_STEADY: [u32; 6] = [160, 130, 105, 85, 70, 60];
/// A value that is lower by so many hundredths of a piece than that of the iteration before has fallen. Guessed.
pub(crate) const PACE_FALL: i32 = 25;
/// The time is then so many percent of what it would be. Guessed.
pub(crate) const PACE_FALLEN: u32 = 140;

// Keys.

/// With fewer plies left than this, the number is part of a position's key. Guessed: beyond it a search hardly ever
/// sees the limit.
pub(crate) const PLIES_LEFT_IN_KEY: u32 = 32;

// The exact search for forced wins.

/// The longest win that is looked for, in plies. Derived: fits a byte of the table.
pub const LONGEST_FORCED_WIN: u32 = 250;
/// Room for the moves of a position. Derived: hardly any position has more.
pub(crate) const USUAL_MOVES: usize = 48;
/// Entries of a new table. Guessed: short searches touch little memory.
pub(crate) const FORCED_FIRST_ENTRIES: usize = 1 << 10;
/// A table grows by this factor when half of it is filled. Guessed.
pub(crate) const FORCED_GROWTH: usize = 4;

// The proof-number search.

/// The longest path that is followed, in plies. Guessed.
pub(crate) const LONGEST_PROOF_PATH: usize = 400;
/// The proof number of a refuted position, and the disproof number of a proven one. Derived: two of them add up without
/// overflow.
pub(crate) const PROOF_INFINITE: u32 = 1 << 30;
/// A table takes at most this many bytes for each node of the budget. Derived: each expanded position is stored once,
/// and has several children.
pub(crate) const PROOF_BYTES_A_NODE: usize = 16;
/// A limit exceeds the second best number by one part in this many (the "1 + ε trick" of J. Pawlewicz and Ł. Lew,
/// "Improving depth-first PN-search", 2006). Tuned by them.
pub(crate) const PROOF_SLACK: u32 = 4;
/// An entry with a proof counts as this many times its work, because principal variations are read from proofs.
/// Guessed.
pub(crate) const PROOF_WORTH: u32 = 4;
