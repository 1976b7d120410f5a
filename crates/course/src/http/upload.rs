//! Reception of uploads.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Body as _;
use percent_encoding::percent_decode_str;
use tokio::time::{timeout, timeout_at};
use web::Connection;

use super::answer::{blocking, json};
use super::failure::Failure;
use super::pace::Progress;
use super::site::{Access, Caller, Shared};
use crate::service::refusal::Refused;
use crate::service::uploads::UploadWriter;
use crate::views::UploadReceipt;

/// Number of bytes that are written at once.
const CHUNK: usize = 256 << 10;
/// Maximum time in which the rest of a refused upload is read and discarded. A browser that cannot send its file to the
/// end shows an error of its own instead of the answer.
const DISCARD: Duration = Duration::from_secs(10);
/// Maximum length of a file name's header, in bytes. File systems have names of 255 bytes.
const LONGEST_NAME: usize = 4 << 10;

/// Receives a file. The answer comes after the file is stored.
pub(super) async fn receive(
    State(site): State<Shared>,
    caller: Caller,
    connection: Option<Extension<Connection>>,
    request: Request,
) -> Response {
    let connection = connection.map(|Extension(connection)| connection);
    let (parts, mut body) = request.into_parts();
    match transfer(&site, caller, &parts.headers, connection.as_ref(), &mut body).await {
        Ok(receipt) => (StatusCode::ACCEPTED, json(&receipt)).into_response(),
        Err(failure) => {
            // A client that waits for permission to send has sent nothing.
            if !parts.headers.contains_key(header::EXPECT) {
                discard(&site, body, connection);
            }
            let mut response = failure.into_response();
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            response
        }
    }
}

async fn transfer(
    site: &Shared,
    caller: Caller,
    headers: &HeaderMap,
    connection: Option<&Connection>,
    body: &mut Body,
) -> Result<UploadReceipt, Failure> {
    let (name, length) = (file_name(headers)?, body.size_hint().exact());
    let owner = Arc::clone(site);
    let begun = blocking(move || {
        let access = owner.role(&caller)?;
        Ok((owner.service.begin_upload(access.role(), &name, length)?, caller))
    });
    let (mut writer, caller) = begun.await?;
    let (mut progress, mut chunk) = (Progress::new(site.pace), Vec::with_capacity(CHUNK));
    while let Some(bytes) = next_bytes(body, &progress).await? {
        if !progress.advance(bytes.len()) {
            return Err(Failure::too_slow());
        }
        if let Some(connection) = connection {
            connection.progresses();
        }
        chunk.extend_from_slice(&bytes);
        if chunk.len() >= CHUNK {
            (writer, chunk) = write(writer, chunk).await?;
        }
    }
    let (mut writer, _) = write(writer, chunk).await?;
    // The file counts from now on, although it may wait for its turn. It waits without a thread, because other requests
    // need the threads, and is stored even if the client does not wait for the answer.
    writer.received();
    let site = Arc::clone(site);
    let stored = tokio::spawn(async move {
        let _permit = site.storing.acquire().await.expect("invariant: the semaphore is never closed");
        let owner = Arc::clone(&site);
        // A link that was renewed meanwhile has no rights, also for an upload that it has begun.
        let finish = move || match owner.role(&caller)? {
            Access::Role(_) => Ok(writer.finish()?),
            Access::Visitor | Access::Unknown => Err(Refused::not_team().into()),
        };
        blocking(finish).await
    });
    stored.await.unwrap_or_else(|error| Err(Failure::internal(&error.to_string())))
}

/// Returns the next bytes of a body; `None` at its end.
///
/// # Errors
/// If the client is too slow, or the connection is lost.
async fn next_bytes(body: &mut Body, progress: &Progress) -> Result<Option<Bytes>, Failure> {
    loop {
        let frame = std::future::poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx));
        let frame = timeout_at(progress.deadline(), frame).await.map_err(|_| Failure::too_slow())?;
        match frame.map(|frame| frame.map(hyper::body::Frame::into_data)) {
            None => return Ok(None),
            Some(Ok(Ok(bytes))) => return Ok(Some(bytes)),
            Some(Ok(Err(_trailers))) => (),
            Some(Err(_)) => return Err(Failure::cut_off()),
        }
    }
}

/// Writes a chunk, and returns its empty buffer.
async fn write(mut writer: UploadWriter, mut chunk: Vec<u8>) -> Result<(UploadWriter, Vec<u8>), Failure> {
    blocking(move || {
        writer.write(&chunk)?;
        chunk.clear();
        Ok((writer, chunk))
    })
    .await
}

/// Returns the name of the file on the sender's machine.
fn file_name(headers: &HeaderMap) -> Result<String, Failure> {
    let Some(name) = headers.get("x-file-name") else { return Ok(String::new()) };
    let text = name.to_str().ok().filter(|text| text.len() <= LONGEST_NAME);
    let name = text.and_then(|text| percent_decode_str(text).decode_utf8().ok());
    name.map(std::borrow::Cow::into_owned)
        .ok_or_else(|| Failure::malformed("the header X-File-Name is not a name in UTF-8 with percent encoding"))
}

/// Reads and discards the rest of a body, for a limited time.
fn discard(site: &Shared, mut body: Body, connection: Option<Connection>) {
    if let Some(connection) = connection {
        connection.drain_at_end();
    }
    let Ok(permit) = Arc::clone(&site.discarded).try_acquire_owned() else { return };
    tokio::spawn(async move {
        let rest =
            async { while let Some(Ok(_)) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {} };
        let _ = timeout(DISCARD, rest).await;
        drop(permit);
    });
}
