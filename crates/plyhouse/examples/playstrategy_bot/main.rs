//! A bot for the site `PlayStrategy`. It accepts challenges to Lines of Action, Breakthrough and Mini Breakthrough, and
//! plays with the engine of the library.
//!
//! 1. Create a new account at the site, and a token for it with the scope `bot:play`. The account must never have
//!    played.
//! 2. `POST /api/bot/account/upgrade` with that token makes it a bot permanently. This program does not do it.
//! 3. `PLAYSTRATEGY_TOKEN=… cargo run --release --example playstrategy_bot`, or with options for the engine at the
//!    end: `-- level=5`. Ctrl-C ends it; unfinished games continue when it is started again.
//!
//! The program sends requests only to the site, or to the address in `PLAYSTRATEGY_URL`.
//!
//! # Why this site
//!
//! Two sites with bots play these games. `PlayStrategy` describes each request and each message in an `OpenAPI` file
//! (<https://github.com/Mind-Sports-Games/api>, `doc/specs/playstrategy-api.yaml`; the site's own code is in
//! `Mind-Sports-Games/lila`, `modules/bot`). There is a bot to compare with (`Mind-Sports-Games/playstrategy-bot`), and
//! the site's rules are public and have tests (`Mind-Sports-Games/strategygames`). A bot there is a client: it needs a
//! token, but no public address. Abstract Play also describes its bots well (`AbstractPlay/node-backend`, `docs/bots`),
//! but they are servers on the public network. They must check a signature and sign in to a second account system,
//! which is more setup than an example should have.
//!
//! # Where the site's rules differ from Plyhouse's
//!
//! In Lines of Action, a move that connects both sides is a draw on the site and a win for the mover in Plyhouse. A
//! side without a move draws on the site and loses in Plyhouse. The engine does not take this into account.

#![allow(clippy::print_stderr)] // a program that reports what it does

mod bot;
mod messages;
mod seat;
mod site;

#[cfg(test)]
mod mock;
#[cfg(test)]
mod tests;

use anyhow::Context;

use crate::bot::Bot;
use crate::site::{Pace, Site};

fn main() -> anyhow::Result<()> {
    let token = std::env::var("PLAYSTRATEGY_TOKEN").context("PLAYSTRATEGY_TOKEN: expected the token of a bot")?;
    let address = std::env::var("PLAYSTRATEGY_URL").unwrap_or_else(|_| "https://playstrategy.org".to_owned());
    let words: Vec<String> = std::env::args().skip(1).collect();
    let player = words.join(",").parse().context("the words for the engine")?;
    let bot = Bot::sign_in(Site::new(&address, &token, Pace::default())?, player)?;
    eprintln!("{} waits for challenges at {address}", bot.name());
    Err(bot.run().into())
}
