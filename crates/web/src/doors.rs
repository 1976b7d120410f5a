//! Accepts connections, and limits their number and duration before any request is read.

use core::future::{Future, ready};
use core::pin::{Pin, pin};
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
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{Sleep, sleep, timeout};

use crate::crowd::{Crowd, Member, Place};

/// Timeout for the head of a request, and for the idle time between two requests on a connection. Browsers open
/// connections ahead of their requests and keep them for a minute (Chromium: `kPreconnectIntervalSec`). A request on a
/// connection that the server has already closed fails.
const HEAD: Duration = Duration::from_secs(75);
/// Write timeout: maximum time during which a client reads nothing.
const STALLED: Duration = Duration::from_secs(20);
/// Maximum time for draining a connection that the server closes, so that the client can read the reason.
const FAREWELL: Duration = Duration::from_secs(1);
/// Limit on the number of connections that are drained at the same time.
static FAREWELLS: Semaphore = Semaphore::const_new(16);
/// Maximum size of a request head, in bytes.
const LONGEST_HEAD: usize = 16 << 10;
/// Delay before the next attempt when the system has no file handle left for a connection.
const NO_HANDLE: Duration = Duration::from_millis(100);

/// Maximum number of pages, in total and from one network address.
const MOST_PAGES: usize = 256;
const MOST_PAGES_OF_ONE: usize = 16;
/// Maximum number of local connections that are not (yet) pages. All pages can reconnect at once, and other clients can
/// still request files.
const MOST_CONNECTIONS: usize = MOST_PAGES + 64;
/// Maximum number of network connections that are not (yet) pages, in total and from one address.
const MOST_CONNECTIONS_OF_NETWORK: usize = 128;
const MOST_CONNECTIONS_OF_ONE: usize = 32;
/// Minimum idle time before a page is evicted. If the page of a player who thinks longer is evicted, the page
/// reconnects, and another idle page is evicted.
const SILENT: Duration = Duration::from_mins(1);

/// Connection limits for one of the server's addresses. Clients from the network have separate limits, so that they
/// never lock out the local user.
pub struct Doors {
    pub(crate) connections: Arc<Crowd>,
    pub(crate) pages: Arc<Crowd>,
}

impl Doors {
    /// Returns the limits for this machine. All its clients have the same address, so no limit per address applies.
    pub(crate) fn local() -> Arc<Self> {
        Self::new([MOST_CONNECTIONS; 2], MOST_PAGES)
    }

    /// Returns the limits for the local network.
    pub(crate) fn network() -> Arc<Self> {
        Self::new([MOST_CONNECTIONS_OF_NETWORK, MOST_CONNECTIONS_OF_ONE], MOST_PAGES_OF_ONE)
    }

    /// Returns the limits for a server without `WebSocket`s: the number of connections, in total and from one address.
    pub fn limited(connections: usize, of_one: usize) -> Arc<Self> {
        Self::new([connections, of_one], MOST_PAGES_OF_ONE)
    }

    fn new([connections, connections_of_one]: [usize; 2], pages_of_one: usize) -> Arc<Self> {
        let connections = Crowd::new(connections, connections_of_one, Duration::ZERO);
        Arc::new(Self { connections, pages: Crowd::new(MOST_PAGES, pages_of_one, SILENT) })
    }

    /// Accepts connections forever.
    pub(crate) async fn open(self: Arc<Self>, listener: TcpListener, router: Router) {
        let (_never, end) = watch::channel(false);
        self.open_until(listener, Plain, router, end).await;
    }

    /// Accepts connections until `end` becomes `true` or its sender is dropped, and then completes the requests in
    /// progress.
    pub async fn open_until<T: Transport>(
        self: Arc<Self>,
        listener: TcpListener,
        transport: T,
        router: Router,
        mut end: watch::Receiver<bool>,
    ) {
        // Each connection holds a sender, so the channel is closed when the last connection ends.
        let (open, mut all_ended) = mpsc::channel::<()>(1);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = end.wait_for(|&ends| ends) => break,
            };
            let Ok((stream, address)) = accepted else {
                sleep(NO_HANDLE).await;
                continue;
            };
            // Answers are small, and clients wait for an answer before they send the next request.
            let _ = stream.set_nodelay(true);
            let from = address.ip().to_canonical();
            if let Some(place) = self.connections.admit(from) {
                let (transport, router, end, open) = (transport.clone(), router.clone(), end.clone(), open.clone());
                tokio::spawn(async move {
                    serve(Accepted { stream, from, place }, transport, router, end).await;
                    drop(open);
                });
            }
        }
        drop((listener, open));
        all_ended.recv().await;
    }
}

/// A conversion of accepted connections, such as TLS.
pub trait Transport: Clone + Send + Sync + 'static {
    /// Converted connection.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// Converts a connection.
    ///
    /// # Errors
    /// If the client does not follow the protocol, or is too slow. The connection is then closed.
    fn begin(&self, stream: Patient) -> impl Future<Output = io::Result<Self::Stream>> + Send;
}

/// Connections without a conversion.
#[derive(Clone, Copy)]
pub struct Plain;

impl Transport for Plain {
    type Stream = Patient;

    fn begin(&self, stream: Patient) -> impl Future<Output = io::Result<Patient>> + Send {
        ready(Ok(stream))
    }
}

/// Data about the connection, attached to each of its requests.
#[derive(Clone)]
pub struct Connection {
    /// Address of the client, or of the proxy in front of it.
    pub from: IpAddr,
    /// Set if the client may still be sending when the connection ends.
    pub(crate) talks_on: Arc<AtomicBool>,
    member: Arc<Member>,
}

impl Connection {
    /// Records progress of a long request, so that the connection does not count as idle.
    pub fn progresses(&self) {
        self.member.asks();
    }

    /// Lets the client finish sending: at the end of the connection, the server reads and discards further data for a
    /// short time.
    pub fn drain_at_end(&self) {
        self.talks_on.store(true, Ordering::Relaxed);
    }
}

/// An accepted connection.
struct Accepted {
    stream: TcpStream,
    from: IpAddr,
    place: Place,
}

/// Answers the requests on a connection until it ends, is upgraded to a page's socket, or is evicted. When `end` is
/// set, the connection ends after the current request.
async fn serve<T: Transport>(accepted: Accepted, transport: T, router: Router, mut end: watch::Receiver<bool>) {
    let Accepted { stream, from, place } = accepted;
    let connection = Connection { from, talks_on: Arc::default(), member: place.member() };
    let stream = Patient { stream: Some(stream), stalled: None, talks_on: Arc::clone(&connection.talks_on) };
    let begun = tokio::select! {
        begun = transport.begin(stream) => begun,
        () = place.is_lost() => return,
    };
    let Ok(stream) = begun else { return };
    let router = TowerToHyperService::new(router);
    let answer = |mut request: Request<Incoming>| {
        place.asks();
        request.extensions_mut().insert(connection.clone());
        router.call(request)
    };
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(LONGEST_HEAD);
    let mut served = pin!(http.serve_connection(TokioIo::new(stream), service_fn(answer)).with_upgrades());
    tokio::select! {
        _ = served.as_mut() => return,
        () = place.is_lost() => return,
        _ = end.wait_for(|&ends| ends) => served.as_mut().graceful_shutdown(),
    }
    tokio::select! {
        _ = served => (),
        () = place.is_lost() => (),
    }
}

/// A stream with a write timeout.
pub struct Patient {
    /// The stream; `None` only after the drop.
    stream: Option<TcpStream>,
    /// The write timeout, running while the client reads nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    talks_on: Arc<AtomicBool>,
}

impl Patient {
    fn stream(&mut self) -> Pin<&mut TcpStream> {
        Pin::new(self.stream.as_mut().expect("invariant: the stream exists until the drop"))
    }

    /// Returns the result of a write, or an error after the write timeout.
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

/// Drains the connection for a while if the client may still be sending. An immediate close would reset the connection,
/// and the client could lose the last message.
impl Drop for Patient {
    fn drop(&mut self) {
        let Some(mut stream) = self.stream.take().filter(|_| self.talks_on.load(Ordering::Relaxed)) else { return };
        let (Ok(permit), Ok(runtime)) = (FAREWELLS.try_acquire(), Handle::try_current()) else { return };
        runtime.spawn(async move {
            let _permit = permit;
            let _ = timeout(FAREWELL, async {
                let _ = stream.shutdown().await;
                let mut ignored = [0; 4 << 10];
                while stream.read(&mut ignored).await.is_ok_and(|count| count > 0) {}
            })
            .await;
        });
    }
}
