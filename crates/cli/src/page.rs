//! `plyhouse page`: starts the page's server and opens it in a browser.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use clap::Args;
use web::{Archive, Link, Running, Server, USUAL_PORT};

use crate::{endgames, memory, puzzles};

/// Play, analyse and learn in the browser; this is the default command
#[derive(Args)]
pub(crate) struct Options {
    /// Port; 0 for any free port. By default 6174, or any free port if 6174 is in use
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,
    /// Let other devices on the local network play, by a link that is also shown as a QR code
    #[arg(long)]
    lan: bool,
    /// Address of this machine on the local network, if it has several
    #[arg(long, value_name = "IP", requires = "lan")]
    address: Option<Ipv4Addr>,
    /// File of finished games. By default `plyhouse/games.jsonl` in the user's data folder
    #[arg(long, value_name = "FILE")]
    archive: Option<PathBuf>,
    /// File of games for the opening explorer, in addition to the archive, in the format of `plyhouse arena export`.
    /// May be repeated
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
}

impl Options {
    /// Options of `plyhouse` without a command.
    pub(crate) const DEFAULT: Self =
        Self { port: None, no_open: false, lan: false, address: None, archive: None, games: Vec::new() };

    /// Returns the path of the file of finished games: `--archive`, `PLYHOUSE_ARCHIVE`, or a file in the user's data
    /// folder. Returns `None` if the user has no such folder.
    fn archive(&self) -> Option<PathBuf> {
        if let Some(path) = self.archive.clone().or_else(|| std::env::var_os("PLYHOUSE_ARCHIVE").map(Into::into)) {
            return Some(path);
        }
        let folders = etcetera::BaseStrategy::data_dir(&etcetera::choose_base_strategy().ok()?);
        Some(folders.join("plyhouse").join("games.jsonl"))
    }
}

/// A server of the page.
enum Found {
    /// Address of a server that was already running.
    Running(String),
    /// A new server.
    New(Box<Server>),
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    memory::restart_with_settings();
    let archive = options.archive();
    let mark = mark(archive.as_deref(), &options.games);
    let games = options.games.iter().map(|path| {
        web::games_in(path).map_err(anyhow::Error::msg).with_context(|| format!("games {}", path.display()))
    });
    let games: Vec<_> = games.collect::<anyhow::Result<_>>()?;
    let mut server = match find(options, &mark, out)? {
        Found::New(server) => server,
        Found::Running(address) => {
            writeln!(out, "Plyhouse is already running at {address} (`plyhouse page --port 0` starts another one)")?;
            out.flush()?;
            if !options.no_open {
                open(&address);
            }
            return Ok(());
        }
    };
    server.mark(mark);
    server.explore(games.concat());
    for &game in games::GameId::all() {
        match puzzles::own(game) {
            Ok(puzzles) => server.add_puzzles(game, puzzles),
            Err(error) => warn(&format!("{error:#}")),
        }
    }
    match archive {
        Some(path) => server.keep(Archive::open(path, Box::new(warn))),
        None => warn("finished games are not saved: there is no home directory; set a file with --archive"),
    }
    writeln!(out, "Plyhouse is at {} (Ctrl-C ends it)", server.address())?;
    if options.lan {
        print_link(&*share(options.address, &mut server)?, "play", out)?;
    }
    out.flush()?;
    if !options.no_open {
        open(&if options.lan { format!("{}#/table", server.address()) } else { server.address() });
    }
    Ok(server.run()?)
}

/// Binds the requested port. If no port is requested, binds the default port, finds a server that already uses it, or
/// binds a free port.
fn find(options: &Options, mark: &str, out: &mut dyn Write) -> anyhow::Result<Found> {
    let bind = |port| Ok(Server::bind(port, endgames::load(games::GameId::CHECKERS)?).map(Box::new)?);
    if let Some(port) = options.port {
        let bound: anyhow::Result<_> = bind(Some(port));
        return Ok(Found::New(bound.with_context(|| format!("cannot serve the page at port {port}"))?));
    }
    let error: anyhow::Error = match bind(Some(USUAL_PORT)) {
        Ok(server) => return Ok(Found::New(server)),
        Err(error) => error,
    };
    // An error in the endgame tables does not depend on the port.
    let Some(failed) = error.downcast_ref::<io::Error>() else { bail!(error) };
    let why = if failed.kind() == ErrorKind::AddrInUse {
        match Running::at(USUAL_PORT) {
            Some(running) if running.is_same(mark) && !options.lan => {
                return Ok(Found::Running(format!("http://127.0.0.1:{USUAL_PORT}/")));
            }
            Some(running) => format!("is in use by another Plyhouse, version {}", running.version),
            None => "is in use by another program".to_owned(),
        }
    } else {
        format!("cannot be used: {failed}")
    };
    let server = bind(None).context("cannot serve the page")?;
    writeln!(
        out,
        "Port {USUAL_PORT} {why}; the browser stores settings of the page by address, so yours do not apply here"
    )?;
    Ok(Found::New(server))
}

/// Returns a mark: a hash of the paths of the archive and the game files. Servers with the same mark read the same
/// files.
fn mark(archive: Option<&Path>, games: &[PathBuf]) -> String {
    let mut hasher = DefaultHasher::new();
    for path in archive.into_iter().chain(games.iter().map(PathBuf::as_path)) {
        std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

fn warn(text: &str) {
    let _ = writeln!(io::stderr(), "Warning: {text}");
}

/// Serves the local network at this address, or at the machine's own address.
pub(crate) fn share(address: Option<Ipv4Addr>, server: &mut Server) -> anyhow::Result<std::sync::Arc<Link>> {
    let address = match address {
        Some(address) => address,
        None => web::own_address().context("this machine has no network address; set one with --address")?,
    };
    server.share(address).with_context(|| format!("cannot serve the local network at {address}"))
}

/// Prints the link and its purpose. On a terminal, also prints its QR code, in black on white regardless of the
/// terminal's colours, as cameras expect it.
pub(crate) fn print_link(link: &Link, purpose: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "Others on your network {purpose} at {}", link.address())?;
    if io::stdout().is_terminal() {
        let style = anstyle::AnsiColor::Black.on(anstyle::AnsiColor::BrightWhite);
        for line in link.lines() {
            writeln!(out, "{style}{line}{style:#}")?;
        }
    }
    Ok(())
}

/// Opens an address in the user's browser, if there is one. Errors are ignored, because the address has been printed.
pub(crate) fn open(address: &str) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ if has_screen => "xdg-open",
        _ => return,
    };
    let quiet = |command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
    };
    let _ = quiet(memory::unset(Command::new(program).arg(address)));
}
