//! The WebSocket connection of one page: messages in, answers out.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::Arc;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use game::message;
use house::desk::{as_json, refused};
use house::messages::Answer;
use tokio::sync::watch;
use tokio::task::yield_now;
use tokio::time::{Instant, interval_at};
use tungstenite::Error as Failure;

use crate::crowd::Place;
use crate::driver::Page;

/// Maximum size of a message, in bytes. The longest game fits; longer texts are sent over HTTP.
pub(crate) const LARGEST_MESSAGE: usize = 32 << 10;
/// Interval between pings.
const PING: Duration = Duration::from_secs(20);
/// Timeout without any message from the page.
const GONE: Duration = Duration::from_mins(1);

/// Serves a page until it disconnects or is evicted. Sets `talks_on` if the page may still be sending when the
/// connection ends.
pub(crate) async fn serve(mut socket: WebSocket, page: Page, place: Place, talks_on: Arc<AtomicBool>) {
    let mut ended = page.ended();
    let mut pings = interval_at(Instant::now() + PING, PING);
    let mut alive = Instant::now();
    // A message is read only after the answers to all earlier messages have been sent.
    while deliver(&mut socket, &page).await.is_ok() {
        let is_busy = page.is_busy();
        tokio::select! {
            message = socket.recv(), if !is_busy => {
                alive = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => {
                        place.asks();
                        let message = house::Incoming::read(text.as_bytes());
                        page.with(|house, page, now| house.hear(page, message, now));
                        // A page that sends messages without a pause must not starve the other pages.
                        yield_now().await;
                    }
                    Some(Ok(Message::Binary(_))) => {
                        if send(&mut socket, &refused(None, not_text())).await.is_err() {
                            return;
                        }
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => (),
                    Some(Ok(Message::Close(_))) | None => return,
                    Some(Err(error)) => {
                        talks_on.store(true, Ordering::Relaxed);
                        return fail(socket, error).await;
                    }
                }
            }
            () = page.changed() => (),
            _ = pings.tick() => {
                if alive.elapsed() > GONE || socket.send(Message::Ping(Vec::new().into())).await.is_err() {
                    return;
                }
            }
            () = place.is_lost() => {
                let _ = close(&mut socket, close_code::AGAIN, "Too many pages are open, and this page was idle.").await;
                return;
            }
            () = over(&mut ended) => return part(socket, &page).await,
        }
    }
}

/// Sends a page all answers that are ready.
async fn deliver(socket: &mut WebSocket, page: &Page) -> Result<(), axum::Error> {
    while let Some(answer) = page.next() {
        send(socket, &answer).await?;
    }
    Ok(())
}

/// Waits until the program has ended.
async fn over(ended: &mut watch::Receiver<bool>) {
    let _ = ended.wait_for(|&ended| ended).await;
}

async fn send(socket: &mut WebSocket, answer: &Answer) -> Result<(), axum::Error> {
    socket.send(Message::Text(as_json(answer).into())).await
}

async fn close(socket: &mut WebSocket, code: u16, reason: impl Into<Utf8Bytes>) -> Result<(), axum::Error> {
    socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await
}

fn not_text() -> game::Message {
    message!("socket.not_text", "Messages must be text.")
}

/// Sends a page the reason why its messages can no longer be read, if the connection still works.
async fn fail(mut socket: WebSocket, error: axum::Error) {
    let (code, reason) = match error.into_inner().downcast_ref::<Failure>() {
        Some(Failure::Capacity(_)) => {
            let most = LARGEST_MESSAGE >> 10;
            (close_code::SIZE, message!("socket.too_long", "A message was too long: {most} kB at most.", most))
        }
        Some(Failure::Utf8(_)) => (close_code::INVALID, not_text()),
        Some(Failure::Protocol(_)) => {
            (close_code::PROTOCOL, message!("socket.protocol", "This is not a valid WebSocket message."))
        }
        _ => return,
    };
    let text = reason.text.clone();
    if send(&mut socket, &refused(None, reason)).await.is_ok() {
        let _ = close(&mut socket, code, text).await;
    }
}

/// Sends a page all answers that are ready, including the notice that the program ends, and closes the connection.
/// Waits until the page also closes the connection, because the page has then received everything.
async fn part(mut socket: WebSocket, page: &Page) {
    let _ = deliver(&mut socket, page).await;
    let _ = close(&mut socket, close_code::AWAY, "The program has ended.").await;
    while let Some(Ok(_)) = socket.recv().await {}
}
