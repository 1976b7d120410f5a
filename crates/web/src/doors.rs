//! The way in: connections are accepted, counted and timed, before anything is asked on them.

use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::{Sleep, sleep, timeout};

use crate::crowd::{Crowd, Place};

/// The longest time for the head of a request, and between two requests on one connection.
const HEAD: Duration = Duration::from_secs(10);
/// The longest time in which a client takes nothing of what is sent to it.
const STALLED: Duration = Duration::from_secs(20);
/// How long a page that is sent away may take to read why.
const FAREWELL: Duration = Duration::from_secs(1);
/// Most connections that are read to their end for that.
static FAREWELLS: Semaphore = Semaphore::const_new(16);
/// Most bytes of a head.
const LONGEST_HEAD: usize = 16 << 10;
/// How long to wait when the system has no file handle for a connection.
const NO_HANDLE: Duration = Duration::from_millis(100);

/// Most pages at a time, and most of one device of the network.
const MOST_PAGES: usize = 256;
const MOST_PAGES_OF_ONE: usize = 16;
/// Most connections of this machine that are no pages (yet): all pages may come back at once, and other clients may
/// still ask for files.
const MOST_CONNECTIONS: usize = MOST_PAGES + 64;
/// The same for the network, and most of them from one address.
const MOST_CONNECTIONS_OF_NETWORK: usize = 128;
const MOST_CONNECTIONS_OF_ONE: usize = 32;
/// How long a page must have asked for nothing before it makes room for another one. The page of a player who thinks
/// for long then connects again, and makes another one go.
const SILENT: Duration = Duration::from_mins(1);

/// How many may come in at one address of this machine. Guests of the network have their own doors, so that they never
/// keep the user out.
pub(crate) struct Doors {
    pub(crate) connections: Arc<Crowd>,
    pub(crate) pages: Arc<Crowd>,
}

impl Doors {
    /// For this machine: all of its programs have the same address.
    pub(crate) fn local() -> Arc<Self> {
        Self::new([MOST_CONNECTIONS; 2], MOST_PAGES)
    }

    /// For the network.
    pub(crate) fn network() -> Arc<Self> {
        Self::new([MOST_CONNECTIONS_OF_NETWORK, MOST_CONNECTIONS_OF_ONE], MOST_PAGES_OF_ONE)
    }

    fn new([connections, connections_of_one]: [usize; 2], pages_of_one: usize) -> Arc<Self> {
        let connections = Crowd::new(connections, connections_of_one, Duration::ZERO);
        Arc::new(Self { connections, pages: Crowd::new(MOST_PAGES, pages_of_one, SILENT) })
    }

    /// Accepts connections for ever.
    pub(crate) async fn open(self: Arc<Self>, listener: TcpListener, router: Router) {
        loop {
            let Ok((stream, address)) = listener.accept().await else {
                sleep(NO_HANDLE).await;
                continue;
            };
            // Answers are small and asked for one after the other.
            let _ = stream.set_nodelay(true);
            if let Some(place) = self.connections.admit(address.ip()) {
                tokio::spawn(serve(stream, address.ip(), place, router.clone()));
            }
        }
    }
}

/// What a request knows of its connection.
#[derive(Clone)]
pub(crate) struct Connection {
    pub(crate) from: IpAddr,
    /// Whether the client may still be sending when the connection ends.
    pub(crate) talks_on: Arc<AtomicBool>,
}

/// Answers the requests on a connection until it ends, becomes a page's socket, or must make room.
async fn serve(stream: TcpStream, from: IpAddr, place: Place, router: Router) {
    let connection = Connection { from, talks_on: Arc::default() };
    let stream = Patient { stream: Some(stream), stalled: None, talks_on: Arc::clone(&connection.talks_on) };
    let router = TowerToHyperService::new(router);
    let answer = |mut request: Request<Incoming>| {
        place.asks();
        request.extensions_mut().insert(connection.clone());
        router.call(request)
    };
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(LONGEST_HEAD);
    let served = http.serve_connection(TokioIo::new(stream), service_fn(answer)).with_upgrades();
    tokio::select! {
        _ = served => (),
        () = place.is_lost() => (),
    }
}

/// A stream that does not wait for ever for a client that takes nothing.
struct Patient {
    /// Is there until it is dropped.
    stream: Option<TcpStream>,
    /// When to give up, while the client takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    talks_on: Arc<AtomicBool>,
}

impl Patient {
    fn stream(&mut self) -> Pin<&mut TcpStream> {
        Pin::new(self.stream.as_mut().expect("invariant: it is there until it is dropped"))
    }

    /// What came of writing, or an error if the client has taken nothing for too long.
    fn in_time<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALLED)));
        match stalled.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Patient {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.get_mut().stream().poll_read(cx, into)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = this.stream().poll_write(cx, bytes);
        this.in_time(cx, written)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = this.stream().poll_flush(cx);
        this.in_time(cx, flushed)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().stream().poll_shutdown(cx)
    }
}

/// A connection that is closed while the client still sends is reset, and the client may lose what it was told last.
/// What it sends is therefore read for a while.
impl Drop for Patient {
    fn drop(&mut self) {
        let Some(mut stream) = self.stream.take().filter(|_| self.talks_on.load(Ordering::Relaxed)) else { return };
        let (Ok(permit), Ok(runtime)) = (FAREWELLS.try_acquire(), Handle::try_current()) else { return };
        runtime.spawn(async move {
            let _permit = permit;
            let _ = timeout(FAREWELL, async {
                let _ = stream.shutdown().await;
                let mut unheard = [0; 4 << 10];
                while stream.read(&mut unheard).await.is_ok_and(|count| count > 0) {}
            })
            .await;
        });
    }
}
