//! `plyhouse course serve`.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::ensure;
use clap::Args;
use course::http::{Server, ServerOptions};
use course::{Course, Late, Service, local_time};
use jiff::Timestamp;
use measure::bench;
use process::interrupt;

use super::file::CourseFile;
use super::text::{line, one_line};
use crate::{endgames, memory, page};

/// Serve a course until it is interrupted
///
/// The address, the port and the certificate are in the section [server] of the file. SIGTERM and Ctrl-C stop the
/// server; games in play begin again at the next start. SIGHUP makes it read its certificate again.
///
/// A rehearsal has a fast clock and a database of its own, `NAME.rehearsal.sqlite`. It never changes the real course.
/// A restart continues at the latest stored time; to begin again, delete the database. The other commands reach it with
/// `--rehearse`.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(super) struct Options {
    /// File of the course's settings, such as `cs3243.toml`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Serve a rehearsal, whose clock runs SPEED times as fast: 24 plays a day in an hour, 1000 about six weeks
    #[arg(long, value_name = "SPEED", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rehearse: Option<u32>,
    /// Port instead of the file's; 0 for any free port. A rehearsal with a port of its own can run beside the real
    /// course: it is without TLS, and its links have the address of this machine
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
    let file = CourseFile { file: options.file.clone(), rehearse: options.rehearse.is_some() };
    let mut course = Course::load(&file.file)?;
    let store = file.store();
    let server = &mut course.server;
    if file.rehearse && options.port.is_some() {
        // The public address leads to the file's port.
        (server.address, server.public, server.proxies) = (Ipv4Addr::LOCALHOST.into(), None, Vec::new());
        (server.certificate, server.key) = (None, None);
    }
    server.address = options.address.unwrap_or(server.address);
    server.port = options.port.unwrap_or(server.port);
    let address = server.address;
    ensure!(
        course.server.public.is_some() || !address.is_unspecified(),
        "course file: server.public: unset, expected the address in links, such as \"https://course.example.org\", \
         because the server listens on all networks"
    );
    let server = Server::bind(&course)?;
    course.server.port = server.address().port();
    let log: Arc<dyn Fn(&str) + Send + Sync> = Arc::new(|text| {
        let _ = writeln!(std::io::stderr(), "{}", one_line(text));
    });
    let resources = endgames::load(games::GameId::CHECKERS)?;
    let build = bench::build();
    let running = course::Options { resources, build, log: Arc::clone(&log), ..course::Options::default() };
    let service = Service::open(course, &store, file.clock(options.rehearse.unwrap_or(1))?, running)?;
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
        let rehearsal = if options.rehearse.is_some() { "the rehearsal of " } else { "" };
        line(out, &format!("{rehearsal}{} is at {origin} (Ctrl-C stops it)", service.config().about.name))?;
        if let Some(note) = note_on_deadline(service.config(), service.now()) {
            line(out, &note)?;
        }
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

/// Returns a note if the deadline is over.
fn note_on_deadline(course: &Course, now: Timestamp) -> Option<String> {
    let deadline = course.deadline.timestamp();
    if now < deadline {
        return None;
    }
    let then = match course.about.late {
        Late::Refuse => "uploads are refused, except those of teams with an extension",
        Late::OpenLadder => "uploads play on the ladder, but not in the final",
    };
    let deadline = local_time(&deadline.to_string(), &course.about.time_zone);
    Some(format!("the deadline {deadline} is over: {then}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_that_is_over_is_noted_at_the_start() {
        let note = |late: &str, now: &str| {
            let text = format!(
                "[course]\nname = 'C'\nroster = 't.csv'\ndeadline = '2026-01-15 18:00'\n\
                 time_zone = 'Asia/Singapore'\nlate = '{late}'\n[game]\ngame = 'loa'\n"
            );
            let course = Course::read(&text, std::path::Path::new("")).expect("a course");
            note_on_deadline(&course, now.parse().expect("a time"))
        };
        assert_eq!(note("refuse", "2026-01-15T09:59:59Z"), None);
        let text = "the deadline 2026-01-15 18:00 (Asia/Singapore) is over: uploads are refused, except those of teams \
                    with an extension";
        assert_eq!(note("refuse", "2026-01-15T10:00:00Z").as_deref(), Some(text));
        let text = "the deadline 2026-01-15 18:00 (Asia/Singapore) is over: uploads play on the ladder, but not in the \
                    final";
        assert_eq!(note("open-ladder", "2026-02-01T00:00:00Z").as_deref(), Some(text));
    }
}
