//! Tokens: the secret parts of personal links.

use std::fmt;

/// Number of random bytes of a token.
const SIZE: usize = 16;

/// The holder of a token, and so its rights.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The staff of the course.
    Staff,
    /// The team with this id.
    Team(String),
}

/// A token of 128 random bits. Only its hash is stored, so it can be shown only when it is made.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Makes a token.
    ///
    /// # Errors
    /// If the system provides no random bytes.
    pub fn new() -> std::io::Result<Self> {
        let mut bytes = [0; SIZE];
        getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
        Ok(Self(hex(&bytes)))
    }

    /// Parses the text of a link or a cookie: 32 hexadecimal digits in lower case.
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 2 * SIZE && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// Returns the text for a link or a cookie. It must not be stored or logged.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the SHA-256 of the text, which is stored. Tokens have enough random bits that salt is not needed, and a
    /// lookup by hash leaks nothing about the tokens through its duration.
    pub fn hash(&self) -> String {
        arena::sha256([self.0.as_bytes()])
    }
}

/// Returns bytes as hexadecimal digits in lower case.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // never fails
        text
    })
}

/// Hides the secret.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_read_back_and_are_not_printed() {
        let [one, other] = [0; 2].map(|_| Token::new().expect("random bytes"));
        assert_ne!(one, other);
        assert_eq!(Token::parse(one.reveal()), Some(one.clone()));
        assert_eq!((one.hash().len(), one.hash() == one.reveal()), (64, false));
        assert_eq!(format!("{one:?}"), "Token(…)");
        let upper = "A".repeat(32);
        for text in ["", &one.reveal()[1..], &format!("{}0", one.reveal()), &upper, &"é".repeat(16)] {
            assert_eq!(Token::parse(text), None, "{text}");
        }
    }
}
