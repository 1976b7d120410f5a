//! The server: addresses, threads, signals and its end.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{interval, timeout};
use web::{Doors, Plain};

use super::door_file::DoorFile;
use super::gate::Gate;
use super::pace::Pace;
use super::router::router;
use super::serve_error::ServeError;
use super::signals::Signals;
use super::site::{Log, Site};
use super::tls::Tls;
use crate::config::Course;
use crate::service::course::Service;
use crate::tokens::Token;

/// Maximum number of connections, in total and from one address. Whole classes may share an address.
const CONNECTIONS: usize = 768;
const CONNECTIONS_OF_ONE: usize = 384;
/// Maximum number of connections of commands.
const COMMANDS: usize = 16;
/// Time in which requests in progress can end when the server stops.
const GRACE: Duration = Duration::from_secs(10);
/// Number of threads for connections.
const WORKERS: usize = 2;
/// Maximum number of threads that wait for the course's file.
const BLOCKING: usize = 48;

/// Options of a server.
#[derive(Clone)]
pub struct ServerOptions {
    /// Receives a line for each problem.
    pub log: Arc<dyn Fn(&str) + Send + Sync>,
    /// Set if each request is logged.
    pub is_verbose: bool,
    /// Minimum rate of uploads.
    pub pace: Pace,
    /// Interval of checks for new certificates.
    pub certificates: Duration,
    /// Set if `SIGTERM` and `SIGINT` stop the server, and `SIGHUP` makes it read its certificate again.
    pub handles_signals: bool,
}

/// Nothing is logged, and signals are left alone.
impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            log: Arc::new(|_| ()),
            is_verbose: false,
            pace: Pace::default(),
            certificates: Duration::from_secs(30),
            handles_signals: false,
        }
    }
}

/// A server that is listening.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    tls: Option<Tls>,
    end: watch::Sender<bool>,
}

/// A handle that stops a server.
#[derive(Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Stops the server. Requests in progress can end within ten seconds.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Listens at the address of a course file, and reads its certificate. Port 0 is any free port.
    ///
    /// # Errors
    /// If the address cannot be used, or the certificate is invalid.
    pub fn bind(course: &Course) -> Result<Self, ServeError> {
        let settings = &course.server;
        let tls = match (&settings.certificate, &settings.key) {
            (Some(certificate), Some(key)) => Some(Tls::read(certificate, key)?),
            _ => None,
        };
        let wanted = SocketAddr::new(settings.address, settings.port);
        let listen = || {
            let listener = TcpListener::bind(wanted)?;
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        };
        let (listener, address) = listen().map_err(|error| ServeError::Address { address: wanted, error })?;
        Ok(Self { listener, address, tls, end: watch::Sender::new(false) })
    }

    /// Returns the address at which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns a handle that stops the server.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.end.clone())
    }

    /// Serves a course with this store until the server is stopped. The caller then stops the course.
    ///
    /// # Errors
    /// If the system refuses a resource that the server needs.
    pub fn run(self, service: &Arc<Service>, store: &Path, options: &ServerOptions) -> Result<(), ServeError> {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(WORKERS).max_blocking_threads(BLOCKING).enable_all().build()?;
        let done = runtime.block_on(self.serve(service, store, options));
        runtime.shutdown_timeout(Duration::from_secs(1));
        done
    }

    async fn serve(self, service: &Arc<Service>, store: &Path, options: &ServerOptions) -> Result<(), ServeError> {
        let server = &service.config().server;
        let gate = Gate::new(&service.origin(), self.tls.is_some(), self.address.port(), &server.proxies);
        let log = Log { write: Arc::clone(&options.log), is_verbose: options.is_verbose };
        let site = Site::new(Arc::clone(service), Some(gate), None, log.clone(), options.pace);
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        // A proxy has the connections of all clients.
        let of_one = if server.proxies.is_empty() { CONNECTIONS_OF_ONE } else { CONNECTIONS };
        let doors = Doors::limited(CONNECTIONS, of_one);
        let (router, end) = (router(&Arc::new(site)), self.end.subscribe());
        let signals = Signals::new(options.handles_signals)?;
        let (_door, commands) = open_console(service, store, log, self.end.subscribe()).await?;
        let served = match self.tls.clone() {
            Some(tls) => tokio::spawn(doors.open_until(listener, tls, router, end)),
            None => tokio::spawn(doors.open_until(listener, Plain, router, end)),
        };
        let mut stopped = self.end.subscribe();
        tokio::select! {
            _ = stopped.wait_for(|&stops| stops) => (),
            () = watch(signals, self.tls, options) => (),
        }
        self.end.send_replace(true);
        let all = async {
            let _ = served.await;
            let _ = commands.await;
        };
        let mut again = Signals::new(options.handles_signals)?;
        tokio::select! {
            _ = timeout(GRACE, all) => (),
            // A second signal ends the server at once.
            () = async { while !again.next().await {} } => (),
        }
        Ok(())
    }
}

/// Opens the connection of the commands, at a free port of the loopback address.
async fn open_console(
    service: &Arc<Service>,
    store: &Path,
    log: Log,
    end: watch::Receiver<bool>,
) -> io::Result<(DoorFile, JoinHandle<()>)> {
    let listener = tokio::net::TcpListener::bind((IpAddr::V4(Ipv4Addr::LOCALHOST), 0)).await?;
    let secret = Token::new()?;
    let door = DoorFile::write(store, listener.local_addr()?, &secret)?;
    let site = Site::new(Arc::clone(service), None, Some(secret), log, Pace::default());
    let commands = Doors::limited(COMMANDS, COMMANDS).open_until(listener, Plain, router(&Arc::new(site)), end);
    Ok((door, tokio::spawn(commands)))
}

/// Waits for a signal that stops the server, and reads the certificate again when it has changed.
async fn watch(mut signals: Signals, tls: Option<Tls>, ServerOptions { log, certificates, .. }: &ServerOptions) {
    let mut ticks = interval((*certificates).max(Duration::from_millis(1)));
    loop {
        let is_forced = tokio::select! {
            stops = signals.next() => {
                if stops {
                    return;
                }
                true
            }
            _ = ticks.tick() => false,
        };
        match tls.as_ref().map(|tls| tls.reload(is_forced)) {
            None | Some(Ok(false)) => (),
            Some(Ok(true)) => log("the certificate was read again"),
            Some(Err(error)) => log(&format!("the previous certificate stays in use: {error}")),
        }
    }
}
