//! The chain of hashes over a tournament's games, in the order in which they were saved.
//!
//! The chain begins with the SHA-256 of the tournament's header. The hash of each game is the SHA-256 of the hash
//! before it, as 64 hexadecimal digits, followed by the game's log. Header and logs are the bytes of the exported lines
//! without the fields that the chain adds to their ends.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::machine::sha256;

/// The hash at which the chain of a tournament begins.
pub(super) fn genesis(header: &str) -> String {
    sha256([header.as_bytes()])
}

/// The hash of a game that was saved after the game, or the header, with the hash `before`.
pub(super) fn link(before: &str, log: &[u8]) -> String {
    sha256([before.as_bytes(), log])
}

/// A game as the store has it.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Its place in the order of saving, from 1.
    pub(super) place: i64,
    /// Its number in the plan.
    pub(super) number: u32,
    /// The hash before it, as stored.
    pub(super) before: String,
    /// Its hash, as stored.
    pub(super) hash: String,
    /// Whether the hash is that of the stored log.
    pub(super) fits: bool,
}

/// Something that is wrong with a tournament in a store.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// The kind.
    pub kind: Wrong,
    /// The number of the game, where one is concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u32>,
    /// The details in words.
    pub detail: String,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Wrong {
    /// The tournament's header does not have the hash at which the chain begins.
    Header,
    /// A game's log is not the one that was saved.
    Changed,
    /// Games are missing.
    Deleted,
    /// The chain goes on after a game that is not in the store; another one may have been put in its place.
    Replaced,
    /// A game is in the store that no chain leads to.
    Inserted,
    /// Games do not stand in the order in which they were saved.
    Reordered,
    /// A game's log cannot be read.
    Unreadable,
    /// A game is not in the plan, or the rules do not confirm it.
    Rules,
    /// The chain does not contain the hash that was written down.
    Head,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game {
            Some(game) => write!(f, "game {game}: {}", self.detail),
            None => f.write_str(&self.detail),
        }
    }
}

impl Finding {
    pub(super) fn new(kind: Wrong, game: Option<u32>, detail: impl Into<String>) -> Self {
        Self { kind, game, detail: detail.into() }
    }
}

/// The result of following a chain.
pub(super) struct Followed {
    pub(super) findings: Vec<Finding>,
    /// The hashes of the games that the chain leads to, the first game first.
    pub(super) hashes: Vec<String>,
}

/// Follows a chain from its head back to its beginning. `links` are in the order of their places.
pub(super) fn follow(links: &[Link], genesis: &str, head: &str) -> Followed {
    let mut findings: Vec<Finding> = links
        .iter()
        .filter(|link| !link.fits)
        .map(|link| Finding::new(Wrong::Changed, Some(link.number), "its log was changed after it was saved"))
        .collect();
    let mut by_hash: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, link) in links.iter().enumerate() {
        by_hash.entry(&link.hash).or_insert(i);
    }
    let mut left: BTreeSet<usize> = (0..links.len()).collect();
    let (mut path, mut wanted) = (Vec::<usize>::new(), head);
    while wanted != genesis {
        let found = by_hash.get(wanted).copied().filter(|i| left.contains(i));
        let next = found.or_else(|| {
            let later = path.last().map(|&i| &links[i]);
            let below = later.map_or(i64::MAX, |later| later.place);
            let earlier = left.iter().rev().copied().find(|&i| links[i].place < below);
            findings.push(gap(earlier.map(|i| &links[i]), later));
            earlier
        });
        let Some(i) = next else { break };
        left.remove(&i);
        path.push(i);
        wanted = &links[i].before;
    }
    path.reverse();
    findings.extend(left.into_iter().map(|i| {
        Finding::new(
            Wrong::Inserted,
            Some(links[i].number),
            "it was put in: no game was saved after it, and it is not the latest",
        )
    }));
    findings.extend(path.windows(2).filter(|pair| links[pair[0]].place > links[pair[1]].place).map(|pair| {
        let detail = format!("it was saved before game {}, but stands after it", links[pair[1]].number);
        Finding::new(Wrong::Reordered, Some(links[pair[0]].number), detail)
    }));
    Followed { findings, hashes: path.into_iter().map(|i| links[i].hash.clone()).collect() }
}

/// The chain breaks off: `later` was saved after a game that is not there; `earlier` is the last one before it.
fn gap(earlier: Option<&Link>, later: Option<&Link>) -> Finding {
    let number = |link: &Link| Some(link.number);
    let (game, before_it) = match later {
        Some(later) => (number(later), "the game that was saved before it"),
        None => (None, "the latest game"),
    };
    let first = 1 + earlier.map_or(0, |link| link.place);
    let missing = later.map_or(0, |link| link.place - first);
    match (earlier, later) {
        (earlier, Some(_)) if missing > 0 => {
            let after = earlier.map_or("the start".to_owned(), |link| format!("game {}", link.number));
            let games = if missing == 1 { "1 game was".to_owned() } else { format!("{missing} games were") };
            Finding::new(Wrong::Deleted, game, format!("{games} deleted between {after} and it"))
        }
        (Some(earlier), _) => {
            let detail = format!(
                "{before_it} is not in the store: it was deleted, or rewritten as game {} that now stands there",
                earlier.number
            );
            Finding::new(Wrong::Replaced, game, detail)
        }
        (None, Some(_)) => Finding::new(Wrong::Header, game, "it was saved under another header of the tournament"),
        (None, None) => Finding::new(Wrong::Deleted, None, "all games were deleted"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GENESIS: &str = "g";

    fn chain(numbers: &[u32]) -> Vec<Link> {
        let mut before = GENESIS.to_owned();
        let made = numbers.iter().zip(1..).map(|(&number, place)| {
            let hash = link(&before, &number.to_le_bytes());
            let link = Link { place, number, before: before.clone(), hash: hash.clone(), fits: true };
            before = hash;
            link
        });
        made.collect()
    }

    fn found(links: &[Link], head: &str) -> Vec<(Wrong, Option<u32>)> {
        follow(links, GENESIS, head).findings.into_iter().map(|finding| (finding.kind, finding.game)).collect()
    }

    #[test]
    fn every_kind_of_tampering_is_named_with_its_game() {
        let whole = chain(&[4, 0, 3, 1, 2]);
        let head = whole[4].hash.clone();
        assert_eq!(found(&whole, &head), []);
        assert_eq!(follow(&whole, GENESIS, &head).hashes.len(), 5);
        assert_eq!(found(&[], GENESIS), []);

        let mut changed = whole.clone();
        changed[2].fits = false;
        assert_eq!(found(&changed, &head), [(Wrong::Changed, Some(3))]);

        // Games 0 and 3 are gone.
        let cut = [&whole[..1], &whole[3..]].concat();
        assert_eq!(found(&cut, &head), [(Wrong::Deleted, Some(1))]);
        assert!(follow(&cut, GENESIS, &head).findings[0].detail.contains("2 games were deleted between game 4"));
        assert_eq!(found(&whole[1..], &head), [(Wrong::Deleted, Some(0))]);
        assert_eq!(found(&whole[..4], &head), [(Wrong::Replaced, None)]);
        assert_eq!(found(&[], &head), [(Wrong::Deleted, None)]);

        let mut swapped = whole.clone();
        (swapped[1].place, swapped[2].place) = (3, 2);
        swapped.swap(1, 2);
        assert_eq!(found(&swapped, &head), [(Wrong::Reordered, Some(0))]);

        // Inserted with a hash that fits its own log: nothing comes after it.
        let mut fork = whole.clone();
        fork.insert(2, Link { place: 6, number: 9, before: whole[1].hash.clone(), hash: "x".to_owned(), fits: true });
        fork.sort_by_key(|link| link.place);
        assert_eq!(found(&fork, &head), [(Wrong::Inserted, Some(9))]);

        // Rewritten with a new hash: the next game still names the old one.
        let mut rewritten = whole.clone();
        rewritten[2].hash = "y".to_owned();
        assert_eq!(found(&rewritten, &head), [(Wrong::Replaced, Some(1))]);

        let other = Link { before: "another header".to_owned(), ..whole[0].clone() };
        assert_eq!(found(&[other], &whole[0].hash), [(Wrong::Header, Some(4))]);
    }
}
