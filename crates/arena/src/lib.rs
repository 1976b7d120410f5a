//! Matches and tournaments: their games, players, results and ratings.
//!
//! * [`Spec`], [`games()`], [`run()`]: read a tournament file, plan its games and play them.
//! * [`Rounds`]: the pairings that are known so far. In a Swiss or a knockout, results lead to further pairings.
//! * [`Store`], [`GameLog`]: tournaments and games in a SQLite file or a PostgreSQL database, chained by hashes;
//!   [`verify()`] checks them.
//! * [`report()`]: writes a tournament as a static site.
//! * [`Standings`]: points, faults and ratings of all agents.
//! * [`Follower`]: the current state of a tournament that another program runs.
//! * [`entry`]: reads, builds and checks submissions.
//! * [`Venue`]: data for our engines, and the sandbox of agents.
//! * [`builtin()`]: creates a player from one of our engines. [`Spec::player`] creates any player of a specification.
//!
//! Statistics are in the crate `rating`, and the referee of a single game is in the crate `referee`.
//!
//! ```
//! let file = r#"
//! game = "loa"
//! size = 6
//! agent = [{ name = "Strong", builtin = "level=5" }, { name = "Weak", builtin = "level=1" }]
//! "#;
//! let spec = arena::Spec::read(file, std::path::Path::new("."))?;
//! assert_eq!(arena::games(&spec, &arena::Venue::default()).expect("a tournament").planned(), 2);
//! # Ok::<(), arena::SpecError>(())
//! ```

mod adjudicate;
mod agenda;
mod agent_spec;
mod away;
mod boards;
mod builtin;
mod bundle;
mod check_game;
mod draft;
pub mod entry;
mod follow;
mod format;
mod handout;
mod job;
mod judge;
mod live;
mod log;
mod machine;
mod names;
mod openings;
mod outsource;
mod plan;
mod planned;
mod play;
mod players;
mod rate;
mod remote;
mod report;
mod rounds;
mod run;
mod spec;
mod spec_error;
mod sprt;
mod standings;
mod starts;
mod store;
mod tables;
mod times;

pub use adjudicate::{Adjudicate, DrawRule, ResignRule};
pub use agent_spec::{AgentSpec, OptionValue, Words, read_agent};
pub use away::{AgentFiles, Away, Fetch, Terms, play_away, play_until};
pub use boards::Board;
pub use builtin::builtin;
pub use bundle::{Bundle, BundleCache, BundleError, LARGEST_BUNDLE};
pub use check_game::{Confirmed, check_game};
pub use draft::{Draft, Named};
pub use follow::{Course, Follower, Hand, Recent, Row, Watched};
pub use format::Format;
pub use handout::{HeldStore, Workers, hand_out};
pub use job::{GameJob, HANDED_OUT};
pub use judge::{Judge, MAX_CONFIRM_NODES};
pub use live::{Bulletin, LiveGame, Showcase};
pub use log::{Begun, FaultLog, GameLog, MoveLog, ResultLog, ScoreLog};
pub use machine::{Changes, Manifest, agent_hash, manifest, open_ordinary, sha256};
pub use names::{character_name, check_name, looks};
pub use openings::{OpeningOrder, Openings};
pub use plan::{Plan, PlanError};
pub use planned::Planned;
pub use play::{Cores, cores};
pub use players::{Venue, variant};
pub use remote::{RemoteEnd, RemoteGames, RemoteState, Turn, Unplayed};
pub use report::{ReportError, report};
pub use rounds::{Bout, Played, Rounds};
pub use run::{Means, RunError, games, run};
pub use spec::{Affinity, OnFault, Scale, Spec};
pub use spec_error::SpecError;
pub use sprt::SprtSpec;
pub use standings::{Standing, Standings};
pub use starts::Starts;
pub use store::{
    Audit, Damaged, Entrant, Finding, Hold, ImportError, Imported, Location, LocationError, Salvaged, Store,
    StoreError, Tournament, Trouble, Wrong, salvage, verify,
};
pub use tables::{Bracket, BracketBout, SwissCell, SwissRow, SwissTable, round_name};
pub use times::Times;
