//! Constants of the searches, each with its unit and its origin. Derived: follows from another value. Tuned: found by
//! matches. Customary: used by most programs in the field. Guessed: never tuned.

/// Maximum depth of the main search, quiescence included, in plies. Guessed.
pub(crate) const MAX_DEPTH: u32 = 100;

// Iterative deepening.

/// Minimum depth of an aspiration window, in plies. Guessed.
pub(crate) const ASPIRATION_DEPTH: u32 = 5;
/// Growth factor of a window after a failed search. Guessed.
pub(crate) const ASPIRATION_GROWTH: i32 = 4;
/// Minimum distance from the score at which a window's bound becomes infinite, in hundredths of a piece. Guessed.
pub(crate) const ASPIRATION_MOST: i32 = 1_000;
/// Depth of the search of a single legal move, in plies. It is searched only to get a score. Guessed.
pub(crate) const ONE_MOVE_DEPTH: u32 = 4;

// Pruning. The parameters that are tuned by matches are in `tuning`.

/// Minimum number of plies before the move limit at which a null move is tried. With fewer plies left, the move limit
/// has too much effect on the result. Guessed.
pub(crate) const NULL_LEFT: u32 = 4;

// Move ordering.

/// Maximum absolute value of a history counter. Derived: shifted by eight bits it still fits an `i32`.
pub(crate) const HISTORY_MOST: i32 = 1 << 14;
/// Change in a history counter per square ply of depth. Guessed.
pub(crate) const HISTORY_BONUS: i32 = 8;
/// Maximum of the squared depth in a history bonus, in square plies. Guessed.
pub(crate) const HISTORY_SQUARE: u32 = 400;
/// Number of low bits for the policy's `promise`, which orders moves with equal history counters. Derived: a byte.
pub(crate) const PROMISE_BITS: u32 = 8;

// Threads.

/// Minimum depth of a node whose moves are deferred for other threads, in plies. At smaller depths the check costs more
/// than it saves. Tuned (`docs/engine.md`).
pub(crate) const DEFER_DEPTH: u32 = 5;
/// Number of moves that threads can mark as busy at the same time. Guessed: far more than threads times depth, so that
/// few marks collide.
pub(crate) const BUSY_SLOTS: usize = 1 << 15;

// Budgets.

/// Divisor of the time limit; the quotient is the time for the exact horizon search. This share is small because the
/// main search finds most of the same wins and losses. Guessed.
pub(crate) const HORIZON_SHARE: u32 = 10;
/// Node budget of the exact search for far wins, as a multiple of the main budget. Measured: four of its nodes take as
/// long as one of the main search.
pub(crate) const FAR_NODES: u64 = 4;
/// Nodes of the exact search for far wins per microsecond of its time. Measured on one machine: 10; a slightly smaller
/// value is safe.
pub(crate) const FAR_NODES_PER_MICRO: u64 = 8;
/// Divisor of the time limit; the quotient is converted to a node limit. The first helper continues the exact search up
/// to this limit without a request from the main search. Nodes visited earlier count towards the limit. The longest
/// search for a win of Lines of Action whose winner does not seem to be ahead needs 1.5 M nodes. Measured: 20 is as
/// strong (`docs/engine.md`).
pub(crate) const WIN_SEARCH_SHARE: u32 = 5;
/// Minimum score at which a helper thread searches for longer forced wins, in hundredths of a piece. Guessed: odds of
/// six to one.
pub(crate) const CLEARLY_AHEAD: i32 = 300;
/// Minimum depth of the main search at which its score is compared with `CLEARLY_AHEAD`, in plies. Guessed.
pub(crate) const WIN_SEARCH_DEPTH: u32 = 6;
/// Number of plies by which the helper's wins may exceed the far horizon. Guessed.
pub(crate) const WIN_SEARCH_PLIES: u32 = 4;
/// Node limit of the helper's first proof search for a longer win. Guessed: a twentieth of a second.
pub(crate) const WIN_SEARCH_FIRST_NODES: u64 = 100_000;
/// Number of nodes that the exact search visits in the time of one node of the proof search. Measured on long wins of
/// Lines of Action: 11 M and 2 M nodes per second.
pub(crate) const EXACT_RATE: u64 = 6;
/// Node limit for the principal variation of a win that the helper has found. Guessed: a fifth of a second.
pub(crate) const LINE_NODES: u64 = 2_000_000;
/// Minimum ratio of the node limit to the nodes visited so far at which the next length is tried. Measured: two more
/// plies take about ten times the nodes.
pub(crate) const FAR_GROWTH: u64 = 8;
/// Number of half percents in a whole budget. Derived: half percents are the unit of the proof searches' shares.
pub(crate) const HALF_PERCENTS: u32 = 200;

// TimeManager.

/// Time of a move in percent of the optimum, indexed by the number of iterations for which the best move has been the
/// same. Guessed.
pub(crate) const PACE_STEADY: [u32; 6] = [160, 130, 105, 85, 70, 60];
/// Minimum drop of the score from one iteration to the next that counts as a fall, in hundredths of a piece. Guessed.
pub(crate) const PACE_FALL: i32 = 25;
/// Factor of the time after a fall, in percent. Guessed.
pub(crate) const PACE_FALLEN: u32 = 140;

// Keys.

/// Number of plies left below which a position's key includes the number of plies left. Guessed: with more plies left,
/// a search rarely reaches the limit.
pub(crate) const PLIES_LEFT_IN_KEY: u32 = 32;

// The exact search for forced wins.

/// Maximum length of a win that the exact search finds, in plies. Derived: fits a byte of the table.
pub const LONGEST_FORCED_WIN: u32 = 250;
/// Initial capacity for the moves of a position. Derived: hardly any position has more.
pub(crate) const USUAL_MOVES: usize = 48;
/// Number of entries of a new table. Guessed: short searches touch little memory.
pub(crate) const FORCED_FIRST_ENTRIES: usize = 1 << 10;
/// Growth factor of a table when half of it is filled. Guessed.
pub(crate) const FORCED_GROWTH: usize = 4;

// The proof-number search.

/// Maximum length of a path, in plies. Guessed.
pub(crate) const LONGEST_PROOF_PATH: usize = 400;
/// Proof number of a refuted position, and disproof number of a proven one. Derived: the sum of two does not overflow.
pub(crate) const PROOF_INFINITE: u32 = 1 << 30;
/// Maximum size of a table per node of the budget, in bytes. Derived: each expanded position is stored once, and has
/// several children.
pub(crate) const PROOF_BYTES_A_NODE: usize = 16;
/// Divisor of the second-best number. A limit exceeds this number by the quotient (the "1 + ε trick" of J. Pawlewicz
/// and Ł. Lew, "Improving depth-first PN-search", 2006). Tuned by them.
pub(crate) const PROOF_SLACK: u32 = 4;
/// Factor that increases the work of an entry with a proof, so that replacement keeps proofs longer. Principal
/// variations are read from proofs. Guessed.
pub(crate) const PROOF_WORTH: u32 = 4;
