//! The state of the server, and the callers of its requests.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use house::about::Documents;
use tokio::sync::Semaphore;

use super::failure::Failure;
use super::gate::{Client, Gate};
use super::guesses::Guesses;
use super::pace::Pace;
use crate::service::course::Service;
use crate::tokens::{Role, Token};

/// Maximum number of questions about positions that are answered at the same time.
const QUESTIONS: usize = 2;
/// Maximum number of received files that are stored at the same time. All others wait without a thread.
const STORING: usize = 2;
/// Maximum number of bodies of refused uploads that are discarded at the same time.
const DISCARDED: usize = 32;

/// The state of the server.
pub(super) struct Site {
    pub(super) service: Arc<Service>,
    /// Checks of hosts and origins; `None` for the commands' connection.
    pub(super) gate: Option<Gate>,
    /// The secret of the commands. It is valid only at their own connection.
    pub(super) secret: Option<Token>,
    pub(super) guesses: Guesses,
    pub(super) documents: Documents,
    pub(super) pace: Pace,
    pub(super) log: Log,
    pub(super) questions: Semaphore,
    pub(super) storing: Semaphore,
    pub(super) discarded: Arc<Semaphore>,
}

/// The server's log.
#[derive(Clone)]
pub(super) struct Log {
    pub(super) write: Arc<dyn Fn(&str) + Send + Sync>,
    /// Set if each request is logged.
    pub(super) is_verbose: bool,
}

pub(super) type Shared = Arc<Site>;

impl Site {
    pub(super) fn new(service: Arc<Service>, gate: Option<Gate>, secret: Option<Token>, log: Log, pace: Pace) -> Self {
        Self {
            service,
            gate,
            secret,
            guesses: Guesses::default(),
            documents: Documents::default(),
            pace,
            log,
            questions: Semaphore::new(QUESTIONS),
            storing: Semaphore::new(STORING),
            discarded: Arc::new(Semaphore::new(DISCARDED)),
        }
    }

    /// Returns the role of the caller. Blocks while the store is read.
    ///
    /// # Errors
    /// If the link is unknown and there were too many such from the caller's address, or the store cannot be read.
    pub(super) fn role(&self, caller: &Caller) -> Result<Access, Failure> {
        if let Some(secret) = &self.secret {
            let is_right = caller.bearer.as_deref().and_then(Token::parse).is_some_and(|found| found == *secret);
            return if is_right { Ok(Access::Role(Role::Staff)) } else { Err(Failure::not_staff()) };
        }
        let Some(cookie) = &caller.cookie else { return Ok(Access::Visitor) };
        Ok(self.role_of(cookie, caller.from)?.map_or(Access::Unknown, Access::Role))
    }

    /// Returns the role of the text of a link or a cookie. Blocks while the store is read.
    ///
    /// # Errors
    /// If the text is unknown and there were too many such from the address, or the store cannot be read.
    pub(super) fn role_of(&self, text: &str, from: IpAddr) -> Result<Option<Role>, Failure> {
        let role = self.service.role(text)?;
        if role.is_none() && !self.guesses.record(from) {
            return Err(Failure::too_many_guesses());
        }
        Ok(role)
    }

    /// Returns the name of the cookie. Servers at different ports of a host use different cookies. Browsers accept the
    /// prefix only with the attributes of [`Site::cookie`], and never from another host of the same domain.
    fn cookie_name(&self) -> String {
        let prefix = if self.is_secure() { "__Host-" } else { "" };
        format!("{prefix}plyhouse-course-{}", self.service.config().server.port)
    }

    /// Returns `true` if the public address has `https`.
    fn is_secure(&self) -> bool {
        self.service.origin().starts_with("https://")
    }

    /// Returns the value of `Set-Cookie` with a token; an empty token removes the cookie.
    pub(super) fn cookie(&self, token: &str) -> String {
        let age = if token.is_empty() { 0 } else { 180 * 24 * 3600 };
        let secure = if self.is_secure() { "; Secure" } else { "" };
        format!("{}={token}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}", self.cookie_name())
    }

    /// Returns the token in the cookies of a request; `None` if there are several.
    fn cookie_in(&self, headers: &HeaderMap) -> Option<String> {
        let name = self.cookie_name();
        let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let cookies = all.flat_map(|text| text.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
        let mut tokens = cookies.filter(|(found, _)| *found == name).map(|(_, token)| token);
        let token = tokens.next()?;
        // Other sites of this host or its domain can set a second cookie, so that uploads go to another team.
        tokens.all(|other| other == token).then(|| token.to_owned())
    }
}

/// The rights of a request.
pub(super) enum Access {
    /// A valid link.
    Role(Role),
    /// No cookie, or several.
    Visitor,
    /// The cookie of a link that was renewed.
    Unknown,
}

impl Access {
    pub(super) fn role(&self) -> Option<&Role> {
        match self {
            Self::Role(role) => Some(role),
            Self::Visitor | Self::Unknown => None,
        }
    }
}

/// The sender of a request.
pub(super) struct Caller {
    pub(super) from: IpAddr,
    cookie: Option<String>,
    bearer: Option<String>,
    /// Value of `If-None-Match`.
    pub(super) known: Option<String>,
}

impl FromRequestParts<Shared> for Caller {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, site: &Shared) -> Result<Self, Failure> {
        let text = |name| parts.headers.get(name).and_then(|value| value.to_str().ok());
        Ok(Self {
            from: parts.extensions.get::<Client>().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |client| client.0),
            cookie: site.cookie_in(&parts.headers),
            bearer: text(header::AUTHORIZATION).and_then(|text| text.strip_prefix("Bearer ")).map(str::to_owned),
            known: text(header::IF_NONE_MATCH).map(str::to_owned),
        })
    }
}
