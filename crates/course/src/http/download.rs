//! Files of uploads, for the staff.

use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tokio::sync::mpsc;

use super::answer::{blocking, mark_private};
use super::query::Named;
use super::site::{Caller, Shared};

/// Number of bytes that are sent at once, and number of such parts in memory.
const PART: usize = 64 << 10;
const PARTS: usize = 4;

/// Sends the file of an upload.
pub(super) async fn file(State(site): State<Shared>, caller: Caller, Named(id): Named<i64>) -> Response {
    let owner = Arc::clone(&site);
    let allowed = blocking(move || {
        let access = owner.role(&caller)?;
        let (name, size) = owner.service.upload_name(access.role(), id)?;
        Ok((access, name, size))
    });
    let (access, name, size) = match allowed.await {
        Ok(allowed) => allowed,
        Err(failure) => return failure.into_response(),
    };
    let (parts, receiver) = mpsc::channel(PARTS);
    tokio::task::spawn_blocking(move || {
        let mut sender = Sender { parts, part: Vec::with_capacity(PART) };
        let sent = site.service.upload_file(access.role(), id, &mut sender);
        if sent.is_err() || sender.flush().is_err() {
            // The body is shorter than announced, so the client notices.
            sender.part.clear();
        }
    });
    let mut response = Body::new(Receiver(receiver)).into_response();
    let headers = response.headers_mut();
    mark_private(headers);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_LENGTH, size.into());
    let name = utf8_percent_encode(&name, NON_ALPHANUMERIC);
    if let Ok(value) = format!("attachment; filename*=UTF-8''{name}").parse() {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

/// The end of a channel that a thread writes to.
struct Sender {
    parts: mpsc::Sender<Bytes>,
    part: Vec<u8>,
}

impl Write for Sender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(PART - self.part.len());
        self.part.extend_from_slice(&bytes[..count]);
        if self.part.len() == PART {
            self.flush()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.part.is_empty() {
            return Ok(());
        }
        let part = std::mem::replace(&mut self.part, Vec::with_capacity(PART));
        // The receiver ends with the connection.
        self.parts.blocking_send(part.into()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// The end of a channel that is a body.
struct Receiver(mpsc::Receiver<Bytes>);

impl hyper::body::Body for Receiver {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.0.poll_recv(cx).map(|part| part.map(|part| Ok(Frame::data(part))))
    }
}
