//! HTTP: access checks, files, and the way to the sockets.

use core::time::Duration;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use console::Shown;
use engine::Resources;
use games::GameId;

use crate::about;
use crate::display::Display;
use crate::files::File;
use crate::room::Room;
use crate::rooms::{IDLE, Rooms};
use crate::socket;
use crate::terminal::{self, Commands, Terminal};

/// The largest message of a page, in bytes.
const LARGEST_MESSAGE: usize = 64 << 10;
/// How often idle rooms are looked for.
const TIDY: Duration = Duration::from_mins(5);

/// Scripts, styles and sockets of this server alone.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A server that is listening.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    rooms: Arc<Rooms>,
}

/// What every request is checked against.
#[derive(Clone)]
struct Guard {
    hosts: Arc<[String; 3]>,
}

impl Server {
    /// Listens on the loopback address, at this port or a free one. Our players on the page may use `resources`.
    ///
    /// # Errors
    /// If the port is taken.
    pub fn bind(port: Option<u16>, resources: Resources) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0)))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, rooms: Arc::new(Rooms::new(resources)) })
    }

    /// Makes this the page of one game that a terminal drives, too. `commands` receives the pages' requests as commands
    /// of the text program.
    pub fn belong_to_terminal(&self, game: GameId, shown: &Shown, commands: Commands) -> Display {
        let room = terminal::room(game, shown).unwrap_or_else(Room::usual);
        self.rooms.set_terminal(Terminal::new(game, commands), room);
        Display::new(Arc::clone(&self.rooms), game)
    }

    /// The address to open in a browser.
    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until the program ends.
    ///
    /// # Errors
    /// If the system refuses something that a server needs.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let rooms = Arc::clone(&self.rooms);
            tokio::spawn(async move {
                loop {
                    tokio::time::sleep(TIDY).await;
                    rooms.tidy(IDLE);
                }
            });
            axum::serve(listener, router(self.rooms, self.address.port())).await
        })
    }
}

fn router(rooms: Arc<Rooms>, port: u16) -> Router {
    let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
    let guard = Guard { hosts: Arc::new(hosts) };
    Router::new()
        .route("/socket", get(upgrade))
        .route("/", get(|| file(Path(String::new()))))
        .route("/{*path}", get(file))
        .with_state(rooms)
        .layer(middleware::from_fn_with_state(guard, check))
}

/// A page of another site may make a browser send us requests. They name that site as their origin or, if its name was
/// made to lead here (DNS rebinding), as their host.
async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let socket = request.uri().path() == "/socket";
    if !guard.lets_in(headers, socket) {
        return (StatusCode::FORBIDDEN, "This server answers only its own pages, on this machine.\n").into_response();
    }
    let mut response = next.run(request).await;
    let set = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    for (name, value) in set {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
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

async fn file(Path(path): Path<String>) -> Response {
    if let Some(file) = File::at(&path) {
        return ([(header::CONTENT_TYPE, file.kind())], file.bytes).into_response();
    }
    match about::at(&path) {
        Some(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.\n").into_response(),
    }
}

async fn upgrade(State(rooms): State<Arc<Rooms>>, upgrade: WebSocketUpgrade) -> Response {
    let Some(place) = rooms.admit() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open.\n").into_response();
    };
    upgrade.max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE).on_upgrade(move |socket| async move {
        let _place = place;
        socket::serve(socket, rooms).await;
    })
}
