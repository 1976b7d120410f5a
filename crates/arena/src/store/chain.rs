//! The chain of hashes over a tournament's games, in the order in which they were saved.
//!
//! The chain begins with the SHA-256 of the tournament's header. The hash of a game is the SHA-256 of the previous
//! hash, as 64 hexadecimal digits, followed by the game's log. Headers and logs are the bytes of the exported lines
//! without the fields that the chain appends.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::machine::sha256;

/// Returns the hash at which the chain of a tournament begins.
pub(super) fn genesis(header: &str) -> String {
    sha256([header.as_bytes()])
}

/// Returns the hash of a game. `before` is the hash of the previous game, or of the header.
pub(super) fn link(before: &str, log: &[u8]) -> String {
    sha256([before.as_bytes(), log])
}

/// A game of the stored chain.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Place in the order in which games were saved, from 1.
    pub(super) place: i64,
    /// Number of the game in the plan.
    pub(super) number: u32,
    /// Stored hash of the previous game or the header.
    pub(super) before: String,
    /// Stored hash of the game.
    pub(super) hash: String,
    /// Set if the hash matches the stored log.
    pub(super) is_intact: bool,
}

/// A problem of a stored tournament.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// Kind of the problem.
    pub kind: Wrong,
    /// Number of the game, if the problem concerns one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u32>,
    /// Details in words.
    pub detail: String,
}

/// The kind of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Wrong {
    /// The header does not match the hash at which the chain begins.
    Header,
    /// The log of a game was changed after it was saved.
    Changed,
    /// Games are missing.
    Deleted,
    /// The chain continues from a game that is not in the store; another game may have replaced it.
    Replaced,
    /// A game is in the store, but not in the chain.
    Inserted,
    /// Games are not in the order in which they were saved.
    Reordered,
    /// The log of a game cannot be read.
    Unreadable,
    /// A game is not in the plan, or the rules do not confirm it.
    Rules,
    /// The chain does not contain the expected head.
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
    /// Hashes of the games of the chain, the first game first.
    pub(super) hashes: Vec<String>,
}

/// Follows a chain from its head back to its beginning. `links` must be sorted by place.
pub(super) fn follow(links: &[Link], genesis: &str, head: &str) -> Followed {
    let mut findings: Vec<Finding> = links
        .iter()
        .filter(|link| !link.is_intact)
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
            "it was inserted: no later game continues from it, and it is not the latest",
        )
    }));
    findings.extend(path.windows(2).filter(|pair| links[pair[0]].place > links[pair[1]].place).map(|pair| {
        let detail = format!("it was saved before game {}, but stands after it", links[pair[1]].number);
        Finding::new(Wrong::Reordered, Some(links[pair[0]].number), detail)
    }));
    Followed { findings, hashes: path.into_iter().map(|i| links[i].hash.clone()).collect() }
}

/// Describes a gap in the chain: the game before `later` is missing, and `earlier` is the last game before the gap.
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
            let link = Link { place, number, before: before.clone(), hash: hash.clone(), is_intact: true };
            before = hash;
            link
        });
        made.collect()
    }

    fn found(links: &[Link], head: &str) -> Vec<(Wrong, Option<u32>)> {
        follow(links, GENESIS, head).findings.into_iter().map(|finding| (finding.kind, finding.game)).collect()
    }

    #[test]
    fn every_kind_of_tampering_is_detected() {
        let whole = chain(&[4, 0, 3, 1, 2]);
        let head = whole[4].hash.clone();
        assert_eq!(found(&whole, &head), []);
        assert_eq!(follow(&whole, GENESIS, &head).hashes.len(), 5);
        assert_eq!(found(&[], GENESIS), []);

        let mut changed = whole.clone();
        changed[2].is_intact = false;
        assert_eq!(found(&changed, &head), [(Wrong::Changed, Some(3))]);

        // Without games 0 and 3.
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

        // An inserted game with a valid hash that no later game refers to.
        let mut fork = whole.clone();
        fork.insert(
            2,
            Link { place: 6, number: 9, before: whole[1].hash.clone(), hash: "x".to_owned(), is_intact: true },
        );
        fork.sort_by_key(|link| link.place);
        assert_eq!(found(&fork, &head), [(Wrong::Inserted, Some(9))]);

        // A rewritten game with a new hash: the next game still refers to the old one.
        let mut rewritten = whole.clone();
        rewritten[2].hash = "y".to_owned();
        assert_eq!(found(&rewritten, &head), [(Wrong::Replaced, Some(1))]);

        let other = Link { before: "another header".to_owned(), ..whole[0].clone() };
        assert_eq!(found(&[other], &whole[0].hash), [(Wrong::Header, Some(4))]);
    }
}
