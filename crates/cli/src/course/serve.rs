//! `plyhouse course serve`.

use std::io::Write;
use std::net::IpAddr;
use std::sync::Arc;

use anyhow::ensure;
use clap::Args;
use course::http::{Server, ServerOptions};
use course::{Course, Service, SystemClock};
use process::interrupt;

use super::file::CourseFile;
use super::text::line;
use crate::{endgames, memory, page};

/// Serve a course until it is interrupted
///
/// The address, the port and the certificate are in the section [server] of the file. SIGTERM and Ctrl-C stop the
/// server; games in play begin again at the next start. SIGHUP makes it read its certificate again.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(super) struct Options {
    #[command(flatten)]
    course: CourseFile,
    /// Port instead of the file's; 0 for any free port
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Address instead of the file's; 0.0.0.0 for all networks
    #[arg(long, value_name = "IP")]
    address: Option<IpAddr>,
    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,
    /// Print only warnings and errors
    #[arg(long, conflicts_with = "json")]
    quiet: bool,
    /// Print one JSON object with the addresses when the server is ready
    #[arg(long)]
    json: bool,
    /// Log each request to standard error
    #[arg(long)]
    verbose: bool,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    memory::restart_with_settings();
    let mut course = Course::load(&options.course.file)?;
    let store = options.course.store();
    course.server.address = options.address.unwrap_or(course.server.address);
    course.server.port = options.port.unwrap_or(course.server.port);
    let address = course.server.address;
    ensure!(
        course.server.public.is_some() || !address.is_unspecified(),
        "course file: server.public: unset, expected the address in links, such as \"https://course.example.org\", \
         because the server listens on all networks"
    );
    let server = Server::bind(&course)?;
    course.server.port = server.address().port();
    let log: Arc<dyn Fn(&str) + Send + Sync> = Arc::new(|text| {
        let _ = writeln!(std::io::stderr(), "{}", game::text::printable(text));
    });
    let resources = endgames::load(games::GameId::CHECKERS)?;
    let running = course::Options { resources, log: Arc::clone(&log), ..course::Options::default() };
    let service = Service::open(course, &store, Arc::new(SystemClock), running)?;
    let done = greet(options, &service, &server, out).and_then(|()| {
        let settings = ServerOptions { log, is_verbose: options.verbose, handles_signals: true, ..Default::default() };
        Ok(server.run(&service, &store, &settings)?)
    });
    // The server handles the signals no longer. Another one ends the games in play, and the program, at once.
    interrupt::end_children_on_interrupt()?;
    service.stop();
    done
}

/// Prints the addresses, and opens the page.
fn greet(options: &Options, service: &Service, server: &Server, out: &mut dyn Write) -> anyhow::Result<()> {
    let (origin, staff) = (service.origin(), service.first_staff_link()?);
    if options.json {
        let address = server.address().to_string();
        writeln!(out, "{}", serde_json::json!({ "address": address, "public": origin, "staff": staff }))?;
    } else if !options.quiet {
        line(out, &format!("{} is at {origin} (Ctrl-C stops it)", service.config().about.name))?;
    }
    if let Some(link) = staff.filter(|_| !options.json) {
        writeln!(out, "The link of the staff, which is not shown again: {link}")?;
    }
    out.flush()?;
    if !options.no_open && !options.json {
        page::open(&origin);
    }
    Ok(())
}
