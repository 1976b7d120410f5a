//! `plyhouse page`: the server, and a browser that shows it.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::Context;
use clap::Args;
use web::Server;

use crate::endgames;

/// Play, analyse and learn in the browser; what `plyhouse` does without a command
#[derive(Args)]
pub(crate) struct Options {
    /// The port; a free one if unset
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// Print the address and open no browser
    #[arg(long)]
    no_open: bool,
}

impl Options {
    /// The options of `plyhouse` without a command.
    pub(crate) const USUAL: Self = Self { port: None, no_open: false };
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let resources = endgames::load(games::GameId::Checkers)?;
    let port = || options.port.map_or_else(String::new, |port| format!(" at port {port}"));
    let server = Server::bind(options.port, resources).with_context(|| format!("cannot serve the page{}", port()))?;
    writeln!(out, "Plyhouse is at {} (Ctrl-C ends it)", server.address())?;
    out.flush()?;
    if !options.no_open {
        open(&server.address());
    }
    Ok(server.run()?)
}

/// Opens an address in the user's browser, if there is one. The address has already been printed.
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
    let _ = quiet(Command::new(program).arg(address));
}
