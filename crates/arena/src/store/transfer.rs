//! Tournaments as JSON lines: a line for the header, then one for each game, in the order in which they were saved.
//!
//! If the games are chained, each line ends with fields of the chain: `hash` of a game, and `hash`, `head` and `games`
//! of the header. Without them a line is exactly the text that the hash covers.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use super::database::{Access, NewGame, Order, Saved, TournamentRow, Transaction};
use super::verify::{Confirmed, NOT_PLANNED, check_game};
use super::{Damaged, Header, Store, StoreError, genesis, json, link, read_header};
use crate::{GameLog, Venue};

/// The longest line that an import reads, in bytes. The longest that the arena writes is far shorter.
const LONGEST: u64 = 16 << 20;

/// The tournament cannot be imported. Nothing was saved.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// A line is invalid.
    #[error("line {number}: {why}")]
    Line {
        /// Its number, from 1.
        number: u64,
        /// What is wrong.
        why: String,
    },
}

/// An imported tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Its number in the store.
    pub id: i64,
    /// Number of its games, played or not.
    pub planned: u32,
    /// Number of games that the rules confirm.
    pub by_rules: u32,
    /// Number of games that ended by a fault, which only the file claims.
    pub claimed: u32,
    /// Games that were damaged when the file was written, so that it does not have them.
    pub damaged: Vec<u32>,
    /// The chain's head, which was checked; `None` if the file has no chain.
    pub head: Option<String>,
}

/// The chain's fields of a header.
#[derive(Deserialize)]
struct Ends {
    hash: Option<String>,
    head: Option<String>,
    games: Option<u64>,
}

/// A damaged game, of which a file has only the place in the chain.
#[derive(Deserialize)]
struct Hole {
    number: u32,
}

/// A line for a damaged game begins like this.
const HOLE: &str = r#"{"damaged":"#;

impl Store {
    /// Writes a tournament as lines of JSON. Damaged games are left out, except for their places in the chain, and
    /// returned.
    ///
    /// # Errors
    /// If something cannot be read or written.
    pub fn export(&self, tournament: i64, out: &mut dyn Write) -> Result<Vec<Damaged>, ImportError> {
        // The head and the games must be of one moment, because another process may save games meanwhile.
        let moment = Transaction::begin(&*self.database, Access::Read)?;
        let TournamentRow { header, genesis, head, .. } = self.database.tournament(tournament)?;
        let places = self.database.places(tournament, Order::Saved)?;
        moment.commit()?;
        match (&genesis, &head) {
            (Some(hash), Some(head)) => {
                writeln!(out, "{}", with_fields(&header, &ends(hash, head, places.len() as u64)))?;
            }
            _ => writeln!(out, "{header}")?,
        }
        let (mut damaged, mut last) = (Vec::new(), genesis.unwrap_or_default());
        let agents = read_header(&header).map_or(0, |header| header.tournament.agents.len());
        for (place, _) in places {
            let saved = self.database.game(tournament, place)?;
            let log = match saved.game(agents) {
                Ok(_) if !saved.aside => String::from_utf8_lossy(&saved.log).into_owned(),
                Ok(_) => hole(&saved, "set aside")?,
                Err(why) => {
                    let line = hole(&saved, &why)?;
                    damaged.push(Damaged { number: saved.number, why });
                    line
                }
            };
            match saved.hash {
                Some(hash) => {
                    // The games after one with a damaged hash still have the one that follows from its log.
                    last = if is_hash(&hash) { hash } else { link(&last, &saved.log) };
                    writeln!(out, "{}", with_fields(&log, &format!(r#","hash":"{last}"}}"#)))?;
                }
                // Without a chain nobody needs the place of a damaged game.
                None if log.starts_with(HOLE) => (),
                None => writeln!(out, "{log}")?,
            }
        }
        Ok(damaged)
    }

    /// Reads lines that [`export`](Self::export) has written, checks the chain and every game, and saves them as a
    /// tournament. A result that the rules cannot confirm stays a claim of the file.
    ///
    /// # Errors
    /// If a line is invalid; nothing is saved then.
    pub fn import(&mut self, mut input: impl BufRead) -> Result<Imported, ImportError> {
        let line = |number| move |why: String| ImportError::Line { number, why };
        let first = next(&mut input, 1)?.ok_or_else(|| line(1)("nothing found, expected a tournament".to_owned()))?;
        let (text, header, mut chain) = Chain::begin(&first).map_err(line(1))?;
        let spec = &header.tournament;
        spec.check().map_err(|error| line(1)(error.to_string()))?;
        let mut plan = crate::games(spec, &Venue::default()).map_err(|error| line(1)(error.to_string()))?;
        if plan.planned() != header.planned {
            return Err(line(1)(format!("planned: {} found, expected {} games", header.planned, plan.planned())));
        }
        let all = Transaction::begin(&*self.database, Access::Write)?;
        let genesis = chain.as_ref().map(|chain| chain.last.as_str());
        let id = self.database.insert_tournament(&text, genesis, true)?;
        let mut found =
            Imported { id, planned: header.planned, by_rules: 0, claimed: 0, damaged: Vec::new(), head: None };
        let mut seen = BTreeMap::new();
        for number in 2.. {
            let Some(whole) = next(&mut input, number)? else { break };
            let before = chain.as_ref().map(|chain| chain.last.clone());
            let (text, hash) = match &mut chain {
                Some(chain) => chain.next(&whole).map_err(line(number))?,
                None => (whole, String::new()),
            };
            if text.starts_with(HOLE) {
                let hole: Hole = serde_json::from_str(&text).map_err(|error| line(number)(error.to_string()))?;
                found.damaged.push(hole.number);
                let hole =
                    NewGame { number: hole.number, log: "", before: before.as_deref(), hash: Some(&hash), aside: true };
                self.database.append(id, &[hole])?;
                continue;
            }
            let game = read_game(&text, spec.agents.len()).map_err(line(number))?;
            let confirmed = check_game(spec, &game).map_err(line(number))?;
            if seen.contains_key(&game.planned.number) {
                return Err(line(number)(format!("game {} comes twice", game.planned.number)));
            }
            match confirmed {
                Confirmed::ByRules => found.by_rules += 1,
                Confirmed::Claimed => found.claimed += 1,
            }
            self.append(id, &[(game.planned.number, text)])?;
            seen.insert(game.planned.number, (number, game.planned, game.result));
        }
        if found.damaged.is_empty() || !spec.format.has_rounds() {
            plan.record(seen.iter().map(|(&number, (_, planned, result))| (number, (planned.agents, *result))));
            if let Some((at, ..)) =
                seen.values().find(|(_, planned, _)| plan.game(planned.number).as_ref() != Some(planned))
            {
                return Err(line(*at)(NOT_PLANNED.to_owned()));
            }
        }
        if let Some(chain) = chain {
            found.head = Some(chain.end().map_err(|why| ImportError::Line { number: 1, why })?);
        }
        all.commit()?;
        Ok(found)
    }
}

fn read_game(text: &str, agents: usize) -> Result<GameLog, String> {
    let game: GameLog = serde_json::from_str(text).map_err(|error| error.to_string())?;
    game.is_possible(agents)?;
    Ok(game)
}

fn hole(saved: &Saved, why: &str) -> Result<String, StoreError> {
    Ok(format!("{HOLE}{},\"number\":{}}}", json(why)?, saved.number))
}

/// A JSON object with more fields at its end.
fn with_fields(object: &str, fields: &str) -> String {
    object.strip_suffix('}').unwrap_or(object).to_owned() + fields
}

fn ends(hash: &str, head: &str, games: u64) -> String {
    // A damaged hash may need escapes.
    format!(r#","hash":{},"head":{},"games":{games}}}"#, Value::from(hash), Value::from(head))
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A JSON object without the fields at its end.
fn without_fields(line: &str, fields: &str) -> Result<String, String> {
    let text = line.strip_suffix(fields).ok_or_else(|| format!("its end is not `{fields}`"))?;
    Ok(text.to_owned() + "}")
}

/// The next line, without its end.
fn next(input: &mut impl BufRead, number: u64) -> Result<Option<String>, ImportError> {
    let mut line = Vec::new();
    input.take(LONGEST + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    let wrong = |why: String| ImportError::Line { number, why };
    if line.len() as u64 > LONGEST {
        return Err(wrong(format!("it is longer than {LONGEST} bytes")));
    }
    let text = String::from_utf8(line).map_err(|_| wrong("it is not UTF-8".to_owned()))?;
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

/// The chain of a file while it is read.
struct Chain {
    /// The hash of the line before.
    last: String,
    head: String,
    games: u64,
    read: u64,
}

impl Chain {
    /// Reads the first line: the header's text, the header, and its chain if it has one.
    fn begin(line: &str) -> Result<(String, Header, Option<Self>), String> {
        let header = read_header(line).map_err(|why| format!("it does not describe a tournament: {why}"))?;
        let found: Ends = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let (Some(hash), Some(head), Some(games)) = (found.hash, found.head, found.games) else {
            return Ok((line.to_owned(), header, None));
        };
        let text = without_fields(line, &ends(&hash, &head, games))?;
        if genesis(&text) != hash {
            return Err("the tournament's header was changed: it does not have its hash".to_owned());
        }
        Ok((text, header, Some(Self { last: hash, head, games, read: 0 })))
    }

    /// The text of a game's line and its hash.
    fn next(&mut self, line: &str) -> Result<(String, String), String> {
        const HASH: usize = 64;
        let hash = line.strip_suffix("\"}").and_then(|rest| rest.get(rest.len().checked_sub(HASH)?..));
        let hash = hash.ok_or("no hash at its end, though the file has a chain")?.to_owned();
        let text = without_fields(line, &format!(r#","hash":"{hash}"}}"#))?;
        if link(&self.last, text.as_bytes()) != hash && !text.starts_with(HOLE) {
            return Err(
                "the chain is broken: this game was changed, or games before it were changed, deleted, inserted \
                        or put into another order"
                    .to_owned(),
            );
        }
        self.read += 1;
        self.last.clone_from(&hash);
        Ok((text, hash))
    }

    /// Checks that no game is missing at the end, and returns the head.
    fn end(self) -> Result<String, String> {
        if (self.read, &self.last) == (self.games, &self.head) {
            Ok(self.last)
        } else {
            Err(format!("the file has {} games and not the head of its chain: {} expected", self.read, self.games))
        }
    }
}
