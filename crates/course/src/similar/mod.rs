//! Hints that submissions were copied, for staff to look at. A hint is not a proof.
//!
//! Each file is split into tokens. All identifiers count as equal, and so do all numbers and all texts. Comments,
//! imports and line breaks are dropped. Sequences of 23 tokens are hashed, and winnowing keeps some of the hashes:
//! Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003. Two
//! submissions with the same sequence of at least 39 tokens, about four lines, always have a hash in common. Hashes of
//! the starter code do not count, nor do hashes that many submissions have.
//!
//! ```
//! use course::similar::{Starter, compare, fingerprint};
//!
//! let code = "def best(board):\n    return max(board.moves(), key=lambda m: value(board.after(m), d=3) - cost(m))\n";
//! let renamed = "def go(b):\n    # by depth\n    return max(b.all(), key=lambda x: v(b.play(x), d=4) - c(x))\n";
//! let team = |text: &str| fingerprint([("agent.py", text.as_bytes())]);
//! let pairs = compare(&[team(code), team("print(1)"), team(renamed)], &Starter::default());
//! assert_eq!((pairs[0].a, pairs[0].b), (0, 2));
//! assert_eq!(pairs[0].sameness, course::similar::Sameness::Normalised);
//! ```

pub(crate) mod compare;
pub(crate) mod files;
pub(crate) mod fingerprint;
mod language;
pub(crate) mod matches;
mod tokens;
mod winnow;

pub use compare::{Pair, Sameness, compare, identical};
pub use fingerprint::{Fingerprint, Starter, fingerprint};
pub use matches::{Match, Place};
