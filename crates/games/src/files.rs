//! Games as text files.

use game::text::without_mark;
use game::{Explain, Message, Record, message};
use protocol::sgf;

use crate::definition::Game;
use crate::movetext;
use crate::play::{SettingError, replayed};
use crate::registry::GameId;
use crate::tree::{DEEPEST, Node, checked_tree, main_line, nesting};

/// A game that was read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFile {
    /// Game of the file.
    pub game: GameId,
    /// Board size, in squares per side.
    pub size: usize,
    /// Position text of the start; the usual start if unset.
    pub start: Option<String>,
    /// Start and moves, with variations.
    pub nodes: Vec<Node>,
    /// Moves of the file that were skipped.
    pub left_out: Option<LeftOut>,
}

/// The moves of a text that were skipped, because they are illegal or follow an illegal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Number of these moves.
    pub count: usize,
    /// Error of the first of these moves.
    pub first: Message,
    /// `true` if the main line is cut.
    pub in_main_line: bool,
}

impl Explain for LeftOut {
    fn message(&self) -> Message {
        let Self { count, first, .. } = self;
        message!(
            "text.left_out",
            "{count} move{s} left out: {first}",
            count,
            first;
            s = if *count == 1 { "" } else { "s" }
        )
    }
}

/// Reads the first valid game of a file in a game's own format; `None` if the text does not begin like a file of any
/// game. If invalid games precede the valid one, the comment on its start contains their number and the first error.
///
/// The inner result is an error message if the text begins like such a file but has no valid game.
pub fn read_file(text: &str) -> Option<Result<GameFile, Message>> {
    let mut errors = Vec::new();
    for file in read_files(text)? {
        match file.and_then(not_too_deep) {
            Ok(file) => return Some(Ok(with_errors(file, &errors))),
            Err(error) => errors.push(error),
        }
    }
    Some(Err(errors.into_iter().next()?))
}

fn not_too_deep(file: GameFile) -> Result<GameFile, Message> {
    match nesting(&file.nodes) {
        ..=DEEPEST => Ok(file),
        _ => Err(message!("text.nesting", "variations nest deeper than {most}", most = DEEPEST)),
    }
}

/// Adds the errors of the games that precede a game to the comment on its start.
fn with_errors(mut file: GameFile, errors: &[Message]) -> GameFile {
    let note = match errors {
        [] => return file,
        [error] => format!("The first game of the file was left out: {error}"),
        [error, ..] => format!("The first {} games of the file were left out: {error}", errors.len()),
    };
    let comment = &mut file.nodes[0].comment;
    *comment = if comment.is_empty() { note } else { format!("{note}\n{comment}") };
    file
}

/// Reads all games of a file in a game's own format, with an error in place of each invalid game. Variations may nest
/// to any depth.
pub(crate) fn read_files(text: &str) -> Option<Vec<Result<GameFile, Message>>> {
    let text = without_mark(text).trim_start();
    GameId::all().iter().find_map(|game| game.read_files(text))
}

/// Decodes the bytes of a file: UTF-8, or the character set that an SGF file names. Drops a byte-order mark.
///
/// # Errors
/// If the bytes are invalid in that character set.
pub fn decode_file(bytes: &[u8]) -> Result<String, String> {
    let marked = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if marked.trim_ascii_start().starts_with(b"(") {
        return sgf::decode(bytes).map_err(|error| error.to_string());
    }
    let text =
        str::from_utf8(marked).map_err(|error| format!("byte {} found that is not UTF-8", error.valid_up_to() + 1));
    text.map(str::to_owned)
}

/// Writes a game as a file; see [`AnyRecord::write_file`](crate::any::AnyRecord::write_file).
pub(crate) fn write<P: Game>(from: &Record<P>, nodes: &[Node]) -> Result<String, SettingError> {
    let nodes = checked_tree(from, nodes)?;
    let start = from.start_position();
    let finish = replayed(from, &main_line(&nodes))?.finish();
    let moves = || movetext::write(&nodes, start.side_to_move());
    Ok(P::write_file(start, &nodes, finish).unwrap_or_else(|| format!("{} {start}\n{}\n", P::NAME, moves())))
}
