//! Accepts submissions.

use std::path::Path;

use crate::agent_spec::AgentSpec;
use crate::entry::check::Show;
use crate::entry::checks::Checker;
use crate::entry::entrants::files;
use crate::entry::error::EntryError;
use crate::entry::subject::Subject;
use crate::entry::submission::check_files;
use crate::machine::{Changes, agent_hash};

/// Builds and checks the submission in `folder`. Returns the agent as it plays in a tournament: without a build
/// command, but with the hash of its files and the list of files that it writes. Returns `None` if the submission fails
/// a check or `show` ends the checks.
///
/// # Errors
/// If the agent cannot play the game, its files cannot be read or are not permitted, or it changed them while it was
/// checked.
pub fn accept(folder: &Path, subject: &Subject<'_>, show: Show<'_>) -> Result<Option<AgentSpec>, EntryError> {
    let &Subject { spec, agent, venue } = subject;
    spec.new_game(0).and_then(|_| spec.player(agent, venue)).map_err(EntryError::Setting)?;
    let mut checker = Checker::new(*subject, show);
    if !checker.build() {
        return Ok(None);
    }
    // Any file that appears after the build was written by the agent itself.
    let built = files(agent)?;
    if !checker.play() {
        return Ok(None);
    }
    check_files(folder)?;
    let Changes { changed, missing, new } = Changes::between(&built, &files(agent)?);
    let lost = [changed, missing].concat();
    if !lost.is_empty() {
        return Err(EntryError::ChangedItself(lost));
    }
    // The tournament must not build the agent again.
    let mut accepted = AgentSpec { writes: new, build: None, ..agent.clone() };
    accepted.sha256 = Some(agent_hash(&accepted, &files(&accepted)?));
    Ok(Some(accepted))
}
