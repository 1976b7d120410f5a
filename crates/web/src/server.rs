//! The HTTP server: access checks, files, and the upgrade to `WebSocket`s.

use core::time::Duration;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Extension, Path, Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use console::Shown;
use engine::Resources;
use games::{GameId, Puzzle};
use house::about::Documents;
use house::desk::{LONGEST_QUESTION, as_json, refused, too_long};
use house::messages::Archived;
use house::{Incoming, Library, Room};
use serde_json::json;
use tokio::time::timeout;

use crate::archive::Archive;
use crate::crowd::Crowd;
use crate::display::{self, Display, Stage};
use crate::doors::{Connection, Doors};
use crate::driver::{Commands, Driver};
use crate::files;
use crate::gauge::Gauge;
use crate::headers::add_security_headers;
use crate::network::{Key, Link};
use crate::running::Running;
use crate::socket::{self, LARGEST_MESSAGE};

/// Interval for retrying failed writes to the archive.
const FLUSH: Duration = Duration::from_mins(5);
/// Timeout for receiving the body of a question.
const QUESTION: Duration = Duration::from_secs(10);
/// Size of the read buffer of a page's socket, in bytes.
const BUFFER: usize = 4 << 10;

/// A server that is listening.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    driver: Arc<Driver>,
    doors: Arc<Doors>,
    serves: String,
    /// Redirect target for clients from the network.
    entrance: &'static str,
    network: Option<Network>,
    documents: Documents,
}

/// Access from the local network.
struct Network {
    listener: TcpListener,
    address: SocketAddr,
    key: Key,
    link: Arc<Link>,
}

/// The access rules for requests.
#[derive(Clone)]
struct Guard {
    hosts: Arc<[String]>,
    /// Key for devices on the network; `None` for this machine.
    key: Option<Arc<Key>>,
    /// Redirect target after a device follows the link.
    entrance: &'static str,
}

/// Shared state of the request handlers.
#[derive(Clone)]
struct Site {
    driver: Arc<Driver>,
    pages: Arc<Crowd>,
    running: Arc<Running>,
    link: Option<Arc<Link>>,
    documents: Arc<Documents>,
    is_local: bool,
}

impl Server {
    /// Listens on the loopback address, at this port or, for `None`, at a free one. The engines of the page may use
    /// `resources`.
    ///
    /// # Errors
    /// Returns an error if the port is taken.
    pub fn bind(port: Option<u16>, resources: Resources) -> io::Result<Self> {
        let (listener, address) = listen((Ipv4Addr::LOCALHOST, port.unwrap_or(0)))?;
        let (driver, doors, documents) = (Driver::new(resources), Doors::local(), Documents::default());
        let (serves, entrance) = (String::new(), "/#/table");
        Ok(Self { listener, address, driver, doors, serves, entrance, network: None, documents })
    }

    /// Also listens on an address of the local network, at the same port. Anyone with the link has access; each call
    /// creates a new link. Adds a room that all devices share.
    ///
    /// # Errors
    /// Returns an error if this machine does not have the address or the port is taken there.
    pub fn share(&mut self, ip: Ipv4Addr) -> io::Result<Arc<Link>> {
        if ip.is_unspecified() {
            return Err(io::Error::other(format!("{ip} means all addresses: expected one address of this machine")));
        }
        let (listener, address) = listen((ip, self.address.port()))?;
        let (key, token) = Key::new(address.port())?;
        let link = Arc::new(Link::new(format!("http://{address}/?token={token}")));
        self.network = Some(Network { listener, address, key, link: Arc::clone(&link) });
        self.driver.with(|house, _| house.set_table());
        Ok(link)
    }

    /// Sets the archive for finished games.
    pub fn keep(&self, archive: Archive) {
        self.driver.library.set_store(archive);
    }

    /// Adds games to the opening explorer.
    pub fn explore(&self, games: Vec<Archived>) {
        self.driver.library.add_files(games);
    }

    /// Adds puzzles to the built-in ones.
    pub fn add_puzzles(&mut self, game: GameId, puzzles: Vec<Puzzle>) {
        self.documents.add_puzzles(game, puzzles);
    }

    /// Sets the mark of this server's files. A program that starts later compares the mark with its own. If the marks
    /// are equal, that program uses this server instead of a new one; see [`Running`].
    pub fn mark(&mut self, serves: String) {
        self.serves = serves;
    }

    /// Makes this server show only the game that a terminal drives. `commands` receives the pages' requests as commands
    /// of the text program.
    pub fn belong_to_terminal(&self, game: GameId, shown: &Shown, commands: Commands) -> Display {
        let room = display::room(game, shown).unwrap_or_else(Room::usual);
        let _ = self.driver.commands.set(commands);
        self.driver.with(|house, _| house.set_terminal(game, room));
        Display::new(Arc::clone(&self.driver), game)
    }

    /// Enables the tournament view of the pages, and returns the handle that sets its content.
    pub fn stage(&mut self) -> Stage {
        self.entrance = "/#/arena";
        Stage::new(Arc::clone(&self.driver))
    }

    /// Returns the address to open in a browser.
    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Returns a handle to the counts of this server's load.
    pub fn gauge(&self) -> Gauge {
        Gauge { driver: Arc::clone(&self.driver), doors: Arc::clone(&self.doors) }
    }

    /// Serves until the program ends.
    ///
    /// # Errors
    /// Returns an error if the system refuses a resource that the server needs.
    pub fn run(self) -> io::Result<()> {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::spawn(Arc::clone(&self.driver).run());
            // The explorer counts games while the first pages connect.
            let library = Arc::clone(&self.driver.library);
            std::thread::spawn(move || look_after(&library));
            let running = Arc::new(Running::this(&self.serves));
            let link = self.network.as_ref().map(|network| Arc::clone(&network.link));
            let entrance = self.entrance;
            let (pages, documents) = (Arc::clone(&self.doors.pages), Arc::new(self.documents));
            let site = Site { driver: self.driver, pages, running, link, documents, is_local: true };
            if let Some(Network { listener, address, key, .. }) = self.network {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                let guard = Guard { hosts: [address.to_string()].into(), key: Some(Arc::new(key)), entrance };
                let doors = Doors::network();
                let router = router(Site { is_local: false, pages: Arc::clone(&doors.pages), ..site.clone() }, guard);
                tokio::spawn(doors.open(listener, router));
            }
            let port = self.address.port();
            let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
            self.doors.open(listener, router(site, Guard { hosts: hosts.into(), key: None, entrance })).await;
            Ok(())
        })
    }
}

/// Counts the games for the explorer, and then retries failed writes to the archive periodically, forever.
fn look_after(library: &Library) {
    library.count_games();
    while let Some(store) = library.store() {
        std::thread::sleep(FLUSH);
        store.flush();
    }
}

fn listen(at: (Ipv4Addr, u16)) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(at)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

fn router(site: Site, guard: Guard) -> Router {
    Router::new()
        .route("/socket", get(upgrade))
        .route("/ask", post(ask))
        .route("/version", get(version))
        .route("/table.json", get(table))
        .route("/table.svg", get(table_code))
        .route("/", get(start))
        .route("/{*path}", get(file))
        .with_state(site)
        .layer(middleware::from_fn_with_state(guard, check))
}

/// Checks where a request comes from. A page of another site can make a browser send requests to this server. Such a
/// request names that site as its origin or, after DNS rebinding, as its host. Requests from the network also need the
/// token.
async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let asks = request.uri().path() == "/socket" || request.method() == Method::POST;
    if !guard.lets_in(headers, asks) {
        return (StatusCode::FORBIDDEN, "This server answers only its own pages.\n").into_response();
    }
    let mut response = match &guard.key {
        Some(key) if !key.is_in_cookie(headers) => let_in(key, guard.entrance, &request),
        _ => next.run(request).await,
    };
    add_security_headers(response.headers_mut());
    response
}

/// Stores the token of the link in a cookie and redirects to an address without the token. With `here` in the query,
/// the browser opens the view that the link names instead of the entrance.
fn let_in(key: &Key, entrance: &'static str, request: &Request) -> Response {
    let cookie = key.cookie_for(request.uri()).filter(|_| request.method() == Method::GET);
    let is_here = request.uri().query().is_some_and(|query| query.split('&').any(|part| part == "here"));
    let entrance = if is_here { "/" } else { entrance };
    match cookie {
        Some(cookie) => {
            let headers = [(header::SET_COOKIE, cookie.as_str()), (header::LOCATION, entrance)];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        None => (StatusCode::FORBIDDEN, "Open the link that Plyhouse shows: it has a token.\n").into_response(),
    }
}

impl Guard {
    fn lets_in(&self, headers: &HeaderMap, needs_origin: bool) -> bool {
        let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
        let host = text(header::HOST).is_some_and(|host| self.hosts.iter().any(|known| known == host));
        let origin = match text(header::ORIGIN) {
            None => !needs_origin,
            Some(origin) => self.hosts.iter().any(|known| origin.strip_prefix("http://") == Some(known)),
        };
        host && origin
    }
}

async fn start(site: State<Site>) -> Response {
    file(site, Path(String::new())).await
}

async fn file(State(site): State<Site>, Path(path): Path<String>) -> Response {
    if let Some(file) = files::served_at(&path) {
        let headers = [(header::CONTENT_TYPE, file.kind), (header::CACHE_CONTROL, file.cache)];
        return (headers, file.bytes).into_response();
    }
    match site.documents.at(&path) {
        Some(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
    }
}

async fn version(State(site): State<Site>) -> Response {
    let text = serde_json::to_string(&*site.running).expect("invariant: plain data has a JSON form");
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// Returns the link for other devices as JSON, null if there is none.
async fn table(State(site): State<Site>) -> Response {
    let link = site.link.as_ref().map(|link| link.address());
    ([(header::CONTENT_TYPE, "application/json")], json!({ "link": link }).to_string()).into_response()
}

/// Returns the link as a QR code.
async fn table_code(State(site): State<Site>) -> Response {
    match site.link.as_ref().and_then(|link| link.svg()) {
        Some(svg) => ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
    }
}

/// Answers a question that is too long for a socket.
async fn ask(State(site): State<Site>, request: Request) -> Response {
    let answer = match timeout(QUESTION, to_bytes(request.into_body(), LONGEST_QUESTION)).await {
        Ok(Ok(bytes)) => {
            let page = site.driver.open(site.is_local);
            page.with(|house, page, _| house.ask(page, Incoming::read(&bytes)));
            let Some(answer) = page.answer().await else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
            answer
        }
        Ok(Err(_)) => refused(None, too_long()),
        Err(_) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    ([(header::CONTENT_TYPE, "application/json")], as_json(&answer)).into_response()
}

async fn upgrade(
    State(site): State<Site>,
    Extension(connection): Extension<Connection>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(place) = site.pages.admit(connection.from) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open.\n").into_response();
    };
    let upgrade = upgrade.max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE);
    // Small buffers, because each page has its own.
    let upgrade = upgrade.read_buffer_size(BUFFER).write_buffer_size(0);
    upgrade.on_upgrade(async move |socket| {
        socket::serve(socket, site.driver.open(site.is_local), place, connection.talks_on).await;
    })
}
