//! Fingerprints of submissions and of the code that all teams receive.

use std::collections::BTreeSet;

use game::Key;
use sha2::{Digest, Sha256};

use super::language;
use super::tokens::{Token, tokens};
use super::winnow::{K, W, grams, winnow};

/// Maximum size of a source file that is compared, in bytes. Larger ones are tables that a program has written.
const MAX_SOURCE: usize = 1 << 20;
/// Description of an agent, which differs between copies.
const DESCRIPTION: &str = "agent.toml";

/// The fingerprint of a submission.
#[derive(Clone, Debug, Default)]
pub struct Fingerprint {
    /// Source files.
    pub(super) files: Vec<SourceFile>,
    /// Selected hashes of all files, in order.
    pub(super) prints: Vec<Located>,
    /// SHA-256 of all files except `agent.toml`, sorted, without their names.
    pub(super) bytes: BTreeSet<[u8; 32]>,
}

/// A source file.
#[derive(Clone, Debug)]
pub(super) struct SourceFile {
    pub(super) name: String,
    /// Hash of all tokens.
    pub(super) digest: u64,
    /// Number of tokens.
    pub(super) length: usize,
}

/// A selected hash with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    pub(super) hash: u64,
    /// Index of the file.
    pub(super) file: u32,
    /// Lines of the first and the last token.
    pub(super) lines: [u32; 2],
}

impl Fingerprint {
    /// Adds a file, given by its path and content.
    pub fn add(&mut self, name: &str, content: &[u8]) {
        if name != DESCRIPTION {
            self.bytes.insert(Sha256::digest(content).into());
        }
        let Some(tokens) = tokens_of(name, content) else { return };
        let file = self.files.len() as u32;
        self.files.push(SourceFile { name: name.to_owned(), digest: digest(&tokens), length: tokens.len() });
        self.prints.extend(winnow(&grams(&tokens)).into_iter().map(|print| {
            let lines = [tokens[print.at].line, tokens[print.at + K - 1].line];
            Located { hash: print.hash, file, lines }
        }));
    }
}

/// Computes the fingerprint of files, given by their paths and contents.
pub fn fingerprint<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Fingerprint {
    let mut result = Fingerprint::default();
    files.into_iter().for_each(|(name, content)| result.add(name, content));
    result
}

/// Returns the tokens of a source file; `None` for other files and files without tokens.
fn tokens_of(name: &str, content: &[u8]) -> Option<Vec<Token>> {
    let language = language::of_file(name)?;
    if content.len() > MAX_SOURCE || content.contains(&0) {
        return None;
    }
    Some(tokens(content, language)).filter(|tokens| !tokens.is_empty())
}

/// Returns a hash of all tokens.
fn digest(tokens: &[Token]) -> u64 {
    tokens.iter().fold(0, |digest, token| Key::mix(digest ^ token.code).0)
}

/// Code that all teams receive, so that it is no sign of a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Starter {
    /// All hashes, not only the selected ones: the selection depends on the surrounding code.
    grams: BTreeSet<u64>,
    /// Digests of the source files.
    digests: BTreeSet<u64>,
    /// SHA-256 of all files.
    bytes: BTreeSet<[u8; 32]>,
}

impl Starter {
    /// Adds a file, given by its path and content.
    pub fn add(&mut self, name: &str, content: &[u8]) {
        self.bytes.insert(Sha256::digest(content).into());
        if let Some(tokens) = tokens_of(name, content) {
            self.grams.extend(grams(&tokens));
            self.digests.insert(digest(&tokens));
        }
    }

    /// Returns `true` if there is a source file.
    pub(super) fn has_source(&self) -> bool {
        !self.digests.is_empty()
    }

    /// Returns `true` if a sequence of tokens is part of the starter code.
    pub(super) fn has(&self, hash: u64) -> bool {
        self.grams.contains(&hash)
    }

    /// Returns the sorted digests of a submission's source files that are not part of the starter code. Returns no
    /// digests if these files have only a few lines, for example a script that starts a compiled program.
    pub(super) fn own_digests(&self, fingerprint: &Fingerprint) -> Vec<u64> {
        let files = || fingerprint.files.iter().filter(|file| !self.digests.contains(&file.digest));
        if files().map(|file| file.length).sum::<usize>() < W + K - 1 {
            return Vec::new();
        }
        let mut own: Vec<u64> = files().map(|file| file.digest).collect();
        own.sort_unstable();
        own
    }

    /// Returns the hashes of a submission's files that are not part of the starter code.
    pub(super) fn own_bytes(&self, fingerprint: &Fingerprint) -> Vec<[u8; 32]> {
        fingerprint.bytes.difference(&self.bytes).copied().collect()
    }
}
