//! Export and import of tournaments as JSON lines: the header, then the games in the order in which they were saved.
//!
//! If the games are chained, each line ends with fields of the chain: `hash` for a game; `hash`, `head` and `games` for
//! the header. The line without these fields is exactly the text that the hash covers.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use super::database::{Access, NewGame, Order, Saved, TournamentRow, Transaction};
use super::verify::NOT_PLANNED;
use super::{Damaged, Header, Store, read_header};
use crate::check_game::{Confirmed, check_game};
use crate::log::GameLog;
use crate::players::Venue;
use crate::run;
use crate::store::chain::{genesis, link};
use crate::store::error::StoreError;

/// Maximum length of an imported line, in bytes. The arena writes much shorter lines.
const MAX_LINE_LENGTH: u64 = 16 << 20;

/// Errors of exports and imports.
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
        /// Number of the line, from 1.
        number: u64,
        /// Reason.
        why: String,
    },
}

/// An imported tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Number in the store.
    pub id: i64,
    /// Number of games, finished or not.
    pub planned: u32,
    /// Number of games whose results the rules confirm.
    pub by_rules: u32,
    /// Number of games whose results are taken from the file, because the games ended by a fault or by a proof that
    /// cannot be repeated here.
    pub claimed: u32,
    /// Games that are missing from the file, because they were damaged when it was written.
    pub damaged: Vec<u32>,
    /// Verified head of the chain; `None` if the file has no chain.
    pub head: Option<String>,
}

/// The fields that the chain appends to a header.
#[derive(Deserialize)]
struct ChainFields {
    hash: Option<String>,
    head: Option<String>,
    games: Option<u64>,
}

/// The line of a damaged game, which keeps only the game's place in the chain.
#[derive(Deserialize)]
struct DamagedLine {
    number: u32,
}

/// Beginning of the line of a damaged game.
const DAMAGED_PREFIX: &str = r#"{"damaged":"#;

impl Store {
    /// Writes a tournament as JSON lines. For a damaged game, only its place in the chain is written. Returns the
    /// damaged games.
    ///
    /// # Errors
    /// If something cannot be read or written.
    pub fn export(&self, tournament: i64, out: &mut dyn Write) -> Result<Vec<Damaged>, ImportError> {
        // One transaction, so that the head matches the games even if another process saves games meanwhile.
        let transaction = Transaction::begin(&*self.database, Access::Read)?;
        let TournamentRow { header, genesis, head, .. } = self.database.tournament(tournament)?;
        let places = self.database.places(tournament, Order::Saved)?;
        transaction.commit()?;
        match (&genesis, &head) {
            (Some(hash), Some(head)) => {
                writeln!(out, "{}", with_fields(&header, &chain_fields(hash, head, places.len() as u64)))?;
            }
            _ => writeln!(out, "{header}")?,
        }
        let (mut damaged, mut last) = (Vec::new(), genesis.unwrap_or_default());
        let agents = read_header(&header).map_or(0, |header| header.tournament.agents.len());
        for (place, _) in places {
            let saved = self.database.game(tournament, place)?;
            let log = match saved.game(agents) {
                Ok(_) if !saved.aside => String::from_utf8_lossy(&saved.log).into_owned(),
                Ok(_) => damaged_line(&saved, "set aside")?,
                Err(why) => {
                    let line = damaged_line(&saved, &why)?;
                    damaged.push(Damaged { number: saved.number, why });
                    line
                }
            };
            match saved.hash {
                Some(hash) => {
                    // A damaged hash is computed again from the log: the next game still refers to the correct hash.
                    last = if is_hash(&hash) { hash } else { link(&last, &saved.log) };
                    writeln!(out, "{}", with_fields(&log, &format!(r#","hash":"{last}"}}"#)))?;
                }
                // Without a chain, the place of a damaged game is not needed.
                None if log.starts_with(DAMAGED_PREFIX) => (),
                None => writeln!(out, "{log}")?,
            }
        }
        Ok(damaged)
    }

    /// Reads the lines of an [`export`](Self::export), checks the chain and every game, and saves them as a tournament.
    /// Results that the rules cannot confirm are taken from the file.
    ///
    /// # Errors
    /// If a line is invalid. Nothing is saved then.
    pub fn import(&mut self, mut input: impl BufRead) -> Result<Imported, ImportError> {
        let line = |number| move |why: String| ImportError::Line { number, why };
        let first = next(&mut input, 1)?.ok_or_else(|| line(1)("nothing found, expected a tournament".to_owned()))?;
        let (text, header, mut chain) = Chain::begin(&first).map_err(line(1))?;
        let spec = &header.tournament;
        spec.check().map_err(|error| line(1)(error.to_string()))?;
        let mut plan = run::games(spec, &Venue::default()).map_err(|error| line(1)(error.to_string()))?;
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
            if text.starts_with(DAMAGED_PREFIX) {
                let damaged: DamagedLine =
                    serde_json::from_str(&text).map_err(|error| line(number)(error.to_string()))?;
                found.damaged.push(damaged.number);
                let (number, before) = (damaged.number, before.as_deref());
                let game = NewGame { number, log: "", before, hash: Some(&hash), aside: true };
                self.database.append(id, &[game])?;
                continue;
            }
            let game = read_game(&text, spec.agents.len()).map_err(line(number))?;
            let confirmed = check_game(spec, &game).map_err(line(number))?;
            if seen.contains_key(&game.planned.number) {
                return Err(line(number)(format!("duplicate game {}", game.planned.number)));
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
    game.check_values(agents)?;
    Ok(game)
}

fn damaged_line(saved: &Saved, why: &str) -> Result<String, StoreError> {
    Ok(format!("{DAMAGED_PREFIX}{},\"number\":{}}}", serde_json::to_string(why)?, saved.number))
}

/// Appends fields to a JSON object.
fn with_fields(object: &str, fields: &str) -> String {
    object.strip_suffix('}').unwrap_or(object).to_owned() + fields
}

fn chain_fields(hash: &str, head: &str, games: u64) -> String {
    // A damaged hash may need escaping.
    format!(r#","hash":{},"head":{},"games":{games}}}"#, Value::from(hash), Value::from(head))
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Removes fields from the end of a JSON object.
fn without_fields(line: &str, fields: &str) -> Result<String, String> {
    let text = line.strip_suffix(fields).ok_or_else(|| format!("its end is not `{fields}`"))?;
    Ok(text.to_owned() + "}")
}

/// Reads the next line without its line ending.
fn next(input: &mut impl BufRead, number: u64) -> Result<Option<String>, ImportError> {
    let mut line = Vec::new();
    input.take(MAX_LINE_LENGTH + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    let wrong = |why: String| ImportError::Line { number, why };
    if line.len() as u64 > MAX_LINE_LENGTH {
        return Err(wrong(format!("it is longer than {MAX_LINE_LENGTH} bytes")));
    }
    let text = String::from_utf8(line).map_err(|_| wrong("it is not UTF-8".to_owned()))?;
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

/// The chain of a file that is being read.
struct Chain {
    /// Hash of the previous line.
    last: String,
    head: String,
    games: u64,
    read: u64,
}

impl Chain {
    /// Parses the first line. Returns the header's text, the header, and the chain if the file has one.
    fn begin(line: &str) -> Result<(String, Header, Option<Self>), String> {
        let header = read_header(line).map_err(|why| format!("it does not describe a tournament: {why}"))?;
        let found: ChainFields = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let (Some(hash), Some(head), Some(games)) = (found.hash, found.head, found.games) else {
            return Ok((line.to_owned(), header, None));
        };
        let text = without_fields(line, &chain_fields(&hash, &head, games))?;
        if genesis(&text) != hash {
            return Err("the tournament's header was changed: it does not have its hash".to_owned());
        }
        Ok((text, header, Some(Self { last: hash, head, games, read: 0 })))
    }

    /// Checks the line of a game. Returns its text and its hash.
    fn next(&mut self, line: &str) -> Result<(String, String), String> {
        const HASH: usize = 64;
        let hash = line.strip_suffix("\"}").and_then(|rest| rest.get(rest.len().checked_sub(HASH)?..));
        let hash = hash.ok_or("no hash at its end, though the file has a chain")?.to_owned();
        let text = without_fields(line, &format!(r#","hash":"{hash}"}}"#))?;
        if link(&self.last, text.as_bytes()) != hash && !text.starts_with(DAMAGED_PREFIX) {
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

    /// Checks that no game is missing at the end. Returns the head.
    fn end(self) -> Result<String, String> {
        if (self.read, &self.last) == (self.games, &self.head) {
            Ok(self.last)
        } else {
            Err(format!("games: {} found, expected {} that end with the head of the chain", self.read, self.games))
        }
    }
}
