//! The way of commands to a course.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arena::StoreError;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use serde_json::Value;
use thiserror::Error;
use tokio::runtime::Runtime;

use super::door_file::DoorFile;
use super::pace::Pace;
use super::router::router;
use super::site::{Log, Site};
use crate::clock::Clock;
use crate::config::Course;
use crate::service::course::Service;
use crate::service::options::Options;
use crate::service::refusal::OpenError;
use crate::tokens::Token;

/// Timeout of a request to a running server. Hints of copies take longest.
const PATIENCE: Duration = Duration::from_mins(5);

/// Errors of commands.
#[derive(Debug, Error)]
pub enum ConsoleError {
    /// The course cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Another process has the course, but does not answer.
    #[error("course {0}: another process has opened it and does not answer; if it is starting, try again soon")]
    Busy(String),
    /// The course refuses the request.
    #[error("{0}")]
    Refused(String),
    /// The connection to the server failed.
    #[error("running server: {0}")]
    Connection(#[from] ureq::Error),
    /// The system refuses a resource.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// An answer is not JSON.
    #[error("answer of the course: {0}")]
    Json(#[from] serde_json::Error),
}

/// The connection of a command, with the rights of the staff: to the running server of a course, or to the file of a
/// stopped course. Requests and answers are those of the HTTP server.
pub struct Console(Way);

enum Way {
    Server { agent: ureq::Agent, address: String, secret: String },
    File { runtime: Runtime, service: Arc<Service>, secret: Token },
}

impl Console {
    /// Connects to the running server of a course, or opens its file, which is created if it does not exist. The clock
    /// is that of a course without a server.
    ///
    /// # Errors
    /// If the file cannot be used, or the running server does not answer.
    pub fn open(course: Course, store: &Path, clock: Arc<dyn Clock>) -> Result<Self, ConsoleError> {
        let options = Options { launcher: None, threads: false, ..Options::default() };
        let service = match Service::open(course, store, clock, options) {
            Ok(service) => service,
            Err(OpenError::Hold(StoreError::Busy(_))) => return Self::connect(store),
            Err(error) => return Err(error.into()),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(Self(Way::File { runtime, service, secret: Token::new()? }))
    }

    fn connect(store: &Path) -> Result<Self, ConsoleError> {
        let busy = || ConsoleError::Busy(store.display().to_string());
        let (address, secret) = DoorFile::read(store).ok_or_else(busy)?;
        let config = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE));
        let way =
            Way::Server { agent: config.proxy(None).build().into(), address: format!("http://{address}"), secret };
        let console = Self(way);
        // The file may be that of a server that was killed.
        console.text(Method::GET, "/course/about", String::new()).map_err(|_| busy())?;
        Ok(console)
    }

    /// Returns `true` if a server runs the course.
    pub fn is_running(&self) -> bool {
        matches!(self.0, Way::Server { .. })
    }

    /// Returns a view, such as `/course/about`.
    ///
    /// # Errors
    /// If the course refuses it, or does not answer.
    pub fn get(&self, path: &str) -> Result<Value, ConsoleError> {
        Ok(serde_json::from_str(&self.get_text(path)?)?)
    }

    /// Returns a view as text, such as `/course/staff/grades.csv`.
    ///
    /// # Errors
    /// If the course refuses it, or does not answer.
    pub fn get_text(&self, path: &str) -> Result<String, ConsoleError> {
        self.text(Method::GET, path, String::new())
    }

    /// Performs an action of the staff, such as `publish`, and returns its result.
    ///
    /// # Errors
    /// If the course refuses it, or does not answer.
    pub fn act(&self, action: &str, values: &Value) -> Result<Value, ConsoleError> {
        let answer = self.text(Method::POST, &format!("/course/staff/{action}"), values.to_string())?;
        Ok(serde_json::from_str(&answer)?)
    }

    /// Returns the link of the staff if it has never been made.
    ///
    /// # Errors
    /// If the course's file cannot be written.
    pub fn first_staff_link(&self) -> Result<Option<String>, ConsoleError> {
        match &self.0 {
            // The server has made it at its start.
            Way::Server { .. } => Ok(None),
            Way::File { service, .. } => service.first_staff_link().map_err(|error| OpenError::from(error).into()),
        }
    }

    fn text(&self, method: Method, path: &str, body: String) -> Result<String, ConsoleError> {
        let (status, text) = match &self.0 {
            Way::Server { agent, address, secret } => {
                let request = Request::builder().method(method).uri(format!("{address}{path}"));
                let request = request.header(header::AUTHORIZATION, format!("Bearer {secret}")).body(body);
                let mut answer = agent.run(request.map_err(ureq::Error::from)?)?;
                // The answers are those of our own server.
                (answer.status(), answer.body_mut().with_config().limit(u64::MAX).read_to_string()?)
            }
            Way::File { runtime, service, secret } => {
                let log = Log { write: Arc::new(|_| ()), is_verbose: false };
                let site = Site::new(Arc::clone(service), None, Some(secret.clone()), log, Pace::default());
                let request = Request::builder().method(method).uri(path);
                let request = request.header(header::AUTHORIZATION, format!("Bearer {}", secret.reveal()));
                let request = request.body(Body::from(body)).map_err(std::io::Error::other)?;
                runtime.block_on(async {
                    let response = TowerToHyperService::new(router(&Arc::new(site))).call(request).await;
                    let response = response.unwrap_or_else(|never| match never {});
                    let status = response.status();
                    let bytes = to_bytes(response.into_body(), usize::MAX).await.map_err(std::io::Error::other)?;
                    Ok::<_, ConsoleError>((status, String::from_utf8_lossy(&bytes).into_owned()))
                })?
            }
        };
        if status == StatusCode::OK { Ok(text) } else { Err(ConsoleError::Refused(reason(status, &text))) }
    }
}

/// Stops the course that was opened for the command.
impl Drop for Console {
    fn drop(&mut self) {
        if let Way::File { service, .. } = &self.0 {
            service.stop();
        }
    }
}

/// Returns the message of a refusal in the form of a command's error: it begins in lower case, and has no period.
fn reason(status: StatusCode, text: &str) -> String {
    let error: Value = serde_json::from_str(text).unwrap_or_default();
    let message = error["error"]["text"].as_str().or_else(|| error["error"]["code"].as_str());
    let Some(message) = message else { return format!("status {status}") };
    let mut rest = message.strip_suffix('.').unwrap_or(message).chars();
    rest.next().map(|first| first.to_lowercase().to_string() + rest.as_str()).unwrap_or_default()
}
