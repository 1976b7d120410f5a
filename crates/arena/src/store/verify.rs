//! Checks games by the rules and by the chain of hashes.

use std::collections::BTreeSet;

use super::chain::{Finding, Link, Wrong, follow, genesis};
use super::database::{Access, Order, TournamentRow, Transaction};
use super::{Store, Tournament};
use crate::check_game::{Confirmed, check_game};
use crate::players::Venue;
use crate::run;
use crate::store::error::StoreError;

/// Message about a game that is not in the plan.
pub(super) const NOT_PLANNED: &str = "it does not follow from the tournament's specification and the other games";

/// Maximum number of missing games that are listed.
const MAX_MISSING: usize = 1000;

/// The result of checking a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Problems; empty if the tournament is intact.
    pub findings: Vec<Finding>,
    /// Number of games whose results the rules confirm.
    pub by_rules: u32,
    /// Number of games whose results agree with the moves, but which ended by a fault or by a proof that cannot be
    /// repeated here.
    pub by_fault: u32,
    /// Damaged games that were set aside to be played again.
    pub set_aside: Vec<u32>,
    /// Games of the plan that are not in the store, because they are unplayed or deleted; at most 1000.
    pub missing: Vec<u32>,
    /// Stored head of the chain; `None` if the games are not chained.
    pub head: Option<String>,
    /// Number of games that the given head covers, if the chain contains it.
    pub covered: Option<usize>,
}

/// Checks a tournament: follows the chain of its games, and replays each game by the rules. The chain must contain
/// `head`, a hash that was recorded outside of the store. `progress` receives the number of replayed games.
///
/// # Errors
/// If the store cannot be read.
pub fn verify(
    store: &Store,
    tournament: &Tournament,
    head: Option<&str>,
    progress: &mut dyn FnMut(u64),
) -> Result<Audit, StoreError> {
    let mut audit = Audit::default();
    check_chain(store, tournament, head, &mut audit)?;
    let mut plan = match run::games(&tournament.spec, &Venue::default()) {
        Ok(plan) => plan,
        Err(error) => {
            audit.findings.push(Finding::new(Wrong::Rules, None, format!("the games cannot be planned: {error}")));
            return Ok(audit);
        }
    };
    let (results, damaged) = store.results(tournament.id)?;
    plan.record(results);
    // The result of a damaged game is missing, so the pairings of later rounds are unknown.
    let is_planned = damaged.is_empty() || !tournament.spec.format.has_rounds();
    let done = store.done(tournament.id)?;
    let missing = plan.games().map(|game| game.number).filter(|number| !done.contains(number));
    audit.missing = missing.take(MAX_MISSING).collect();
    let named: BTreeSet<Option<u32>> = audit.findings.iter().map(|finding| finding.game).collect();
    let mut count = 0;
    store.each_saved(tournament.id, Order::Plan, |saved, game| {
        let found = match game {
            Ok(game) if is_planned && plan.game(saved.number).as_ref() != Some(&game.planned) => {
                Err((Wrong::Rules, NOT_PLANNED.to_owned()))
            }
            Ok(game) => check_game(&tournament.spec, &game).map_err(|why| (Wrong::Rules, why)),
            Err(why) => Err((Wrong::Unreadable, why)),
        };
        match found {
            Ok(Confirmed::ByRules) => audit.by_rules += 1,
            Ok(Confirmed::Claimed) => audit.by_fault += 1,
            // The check of the chain has already reported this game.
            Err((Wrong::Unreadable, _)) if named.contains(&Some(saved.number)) => (),
            Err((kind, why)) => audit.findings.push(Finding::new(kind, Some(saved.number), why)),
        }
        count += 1;
        progress(count);
        Ok::<_, StoreError>(())
    })?;
    Ok(audit)
}

fn check_chain(
    store: &Store,
    tournament: &Tournament,
    wanted: Option<&str>,
    audit: &mut Audit,
) -> Result<(), StoreError> {
    // One transaction, because another process may save games meanwhile.
    let transaction = Transaction::begin(&*store.database, Access::Read)?;
    let TournamentRow { header, genesis: begin, head, .. } = store.database.tournament(tournament.id)?;
    audit.head = head;
    let done = store.done(tournament.id)?;
    let mut links = Vec::new();
    store.each_row(tournament.id, Order::Saved, |place, number, row| {
        let Ok(saved) = row else {
            links.push(Link { place, number, before: String::new(), hash: String::new(), is_intact: false });
            return Ok::<_, StoreError>(());
        };
        if saved.aside {
            audit.set_aside.push(number);
            if !done.contains(&number) {
                let why = "it was damaged and set aside, and was not played again";
                audit.findings.push(Finding::new(Wrong::Deleted, Some(number), why));
            }
        }
        let is_intact = saved.aside || saved.is_intact();
        let (before, hash) = (saved.before.unwrap_or_default(), saved.hash.unwrap_or_default());
        links.push(Link { place, number, before, hash, is_intact });
        Ok(())
    })?;
    transaction.commit()?;
    let Some(begin) = begin else {
        if wanted.is_some() {
            let why =
                "the games are not chained, so that no hash can be compared: an earlier version began the tournament";
            audit.findings.push(Finding::new(Wrong::Head, None, why));
        }
        return Ok(());
    };
    if genesis(&header) != begin {
        let why = "the header was changed: the specification, the agents' hashes, or when and where it began";
        audit.findings.push(Finding::new(Wrong::Header, None, why));
    }
    let followed = follow(&links, &begin, audit.head.as_deref().unwrap_or(&begin));
    audit.findings.extend(followed.findings);
    if let Some(wanted) = wanted {
        let place = core::iter::once(&begin).chain(&followed.hashes).position(|hash| hash.eq_ignore_ascii_case(wanted));
        audit.covered = place;
        if place.is_none() {
            let why = format!(
                "the chain does not contain the head {wanted}: earlier games were changed and the chain was \
                 recomputed, or the head is of another tournament"
            );
            audit.findings.push(Finding::new(Wrong::Head, None, why));
        }
    }
    Ok(())
}
