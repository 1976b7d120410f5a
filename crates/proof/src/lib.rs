//! Proofs that Black wins Lines of Action on small boards, and their check.
//!
//! [`Search`] is a depth-first proof-number search for boards up to 6×6, whose positions have [`Code`]s that cannot collide.
//! What one search cannot do is divided: a [`Tree`] of positions has jobs as its leaves, [`work`] does the most promising ones, and a
//! [`Log`] keeps what came of them. A [`Certifier`] makes of a proven tree a [`Plan`], one move of Black for each
//! position that can come up, with ranks that fall, so that no plan can go in circles; [`write()`] makes a file of it
//! and [`verify`] checks such a file by the slow rules of `model` alone, without any search.
//!
//! Not here: playing, other games, and proofs that Black does *not* win, which are found but never certified.
//!
//! ```
//! use proof::{Certifier, Log, Question, Tree, Workers, verify, work, write};
//!
//! let question = Question::new(4, &[])?;
//! let mut tree = Tree::new(&question, 1000)?;
//! let workers = Workers { count: 1, table_mib: 1 };
//! work(&mut tree, &mut Log::nowhere(question.clone()), workers, &search::Stop::new(), &mut |_, _| ())?;
//! let mut certifier = Certifier::new(question, tree.proof().expect("Black wins"));
//! while certifier.step(&search::Stop::new())? {}
//! let (start, plan) = certifier.finish()?;
//!
//! let file = std::env::temp_dir().join(format!("plyhouse-{}.certificate", std::process::id()));
//! write(&start, &plan, &mut std::fs::File::create(&file)?)?;
//! let verified = verify(&file, 1, &mut |_, _| ())?;
//! assert_eq!((verified.records, verified.replies), (1, 10));
//! # std::fs::remove_file(&file)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod book;
mod certificate;
mod certify;
mod fold;
mod guess;
mod log;
mod numbers;
mod plan;
mod search;
mod table;
mod tree;
mod verify;
mod work;

pub use book::{Book, NoBook, pack, shipped};
pub use certificate::{CertificateError, Header, Record, read_plan, write};
pub use certify::{Certifier, CertifyError};
pub use fold::{Code, LARGEST};
pub use guess::Guess;
pub use log::{Job, Log, LogError, Outcome, Question, SEARCH_VERSION, read};
pub use numbers::{Adding, INFINITE, Numbers};
pub use plan::{NoPlan, Plan, Step, after, wins_at_once};
pub use search::{Choices, Finding, Search};
pub use table::{Entry, Table};
pub use tree::{Proof, Task, Tree};
pub use verify::{Verified, verify};
pub use work::{Tell, Workers, work};

#[cfg(test)]
mod tests;
