//! Proofs that Black wins Lines of Action on small boards, and a checker of such proofs.
//!
//! * [`Search`] is a depth-first proof-number search for boards up to 6×6. Two positions have the same [`Code`] if and
//!   only if they are symmetric.
//! * Work that is too large for one search is divided into jobs: a [`Tree`] of positions has jobs as its leaves, an
//!   [`Agenda`] chooses the most promising ones, and a [`Log`] records their results. Jobs can run anywhere; [`work`]
//!   runs them on threads.
//! * A [`Certifier`] makes a [`Plan`] from a proven tree: one move of Black for each position that can occur. Each move
//!   has a rank. Ranks decrease along every line, so that a plan never cycles.
//! * [`write_certificate`] writes a plan, and [`verify`] checks it by the reference implementation of the rules only
//!   (crate `reference`), without any search. [`verify_in_detail`] also reports the length of the win and how the games
//!   end.
//!
//! A win for White is proven as a win for Black with the colours exchanged ([`Question::exchanged`]).
//!
//! The module [`win`] proves wins of single positions of any game. [`ExactSearch`] solves small boards of Jump61 for
//! it, and [`BreakthroughSearch`] small boards of Breakthrough.
//!
//! Proofs that Black does not win become certificates, too: a defence with which White does not lose, again with the
//! colours exchanged. Its moves have the rank [`HELD`] and may lead in a circle.
//!
//! Callers provide the files, threads and clocks.
//!
//! ```
//! use proof::{Agenda, Certifier, Log, Question, Team, Workers, verify, work, write_certificate};
//! use search::{Host, Sequential, Stop};
//!
//! let question = Question::new(4, &[])?;
//! let mut agenda = Agenda::new(&question, 1000, 1, &[])?;
//! let workers = Workers { count: 1, table_mib: 1, host: Host::NONE };
//! work(&mut agenda, &mut Log::nowhere(question.clone()), workers, &Stop::new(), &mut |_, _| ())?;
//! let mut certifier = Certifier::new(question, agenda.tree().proof().expect("Black wins"))?;
//! while certifier.step(&Stop::new())? {}
//! let (start, plan) = certifier.finish()?;
//!
//! let mut certificate = Vec::new();
//! write_certificate(&start, &plan, &mut certificate)?;
//! let team = Team { size: 1, threads: &Sequential };
//! let verified = verify(&|| Ok(Box::new(&certificate[..])), team, &mut |_, _| ())?;
//! assert_eq!((verified.records, verified.replies), (1, 10));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agenda;
mod book;
mod breakthrough_search;
mod certificate;
mod certify;
mod code;
mod defence;
mod details;
mod distances;
mod exact;
mod guess;
mod job;
mod log;
mod numbers;
mod plan;
mod proof_table;
mod question;
mod search;
mod tree;
mod verify;
pub mod win;
mod wins;
mod workers;

pub use agenda::{Agenda, NextJob};
pub use book::{Book, NoBook, pack_book, shipped};
pub use breakthrough_search::BreakthroughSearch;
pub use certificate::{CertificateError, Header, Record, read_plan, write_certificate};
pub use certify::{Certifier, CertifyError};
pub use code::{Code, LARGEST};
pub use details::Details;
pub use distances::Distances;
pub use exact::ExactSearch;
pub use guess::Guess;
pub use job::{Job, Outcome};
pub use log::{Log, LogContents, LogError, Storage, read_log};
pub use numbers::{Adding, INFINITE, Numbers};
pub use plan::{HELD, NoPlan, Plan, PlannedMove, wins_at_once};
pub use question::{Question, QuestionError};
pub use search::{Choices, Finding, SEARCH_VERSION, Search};
pub use tree::{Proof, Tree};
pub use verify::{Open, Team, Verified, verify, verify_in_detail};
pub use wins::Wins;
pub use workers::{Tell, Workers, work};
