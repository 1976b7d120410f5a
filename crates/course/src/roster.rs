//! The roster: the teams of a course, from a CSV file.

use std::collections::BTreeMap;

use rating::swiss::Swiss;
use thiserror::Error;

/// Maximum length of an id, in characters.
const MAX_ID: usize = 40;
/// Maximum length of an address, in bytes (RFC 5321, section 4.5.3.1.3).
const MAX_MAIL: usize = 254;
/// Maximum number of teams: those of a final.
pub const MAX_TEAMS: usize = Swiss::MOST_PLAYERS;
/// Id of the staff in the list of links and in the audit log, which no team may have.
pub(crate) const STAFF: &str = "staff";
/// Separators of fields.
const SEPARATORS: [u8; 3] = *b",;\t";

/// A team of the roster.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Team {
    /// Id, such as a matriculation number. It is unique without regard to case.
    pub id: String,
    /// Name, which need not be unique.
    pub name: String,
    /// Address for the teacher's mail merge; empty if the roster has none.
    pub mail: String,
}

/// Errors of rosters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("roster, line {line}: {what}")]
pub struct RosterError {
    /// Number of the line, from 1.
    pub line: u64,
    /// Description of what was found and what was expected.
    pub what: String,
}

/// Reads a roster: a header with `id`, `name` and perhaps `mail`, then a line for each team. Fields are separated by
/// commas, semicolons or tabs. Other columns are ignored.
///
/// ```
/// let teams = course::read_roster(b"id;name\nA01;Ann\n").expect("a roster");
/// assert_eq!((teams[0].id.as_str(), teams[0].name.as_str()), ("A01", "Ann"));
/// ```
///
/// # Errors
/// If the file is not such a table, an id is invalid or occurs twice, or there is no team.
pub fn read_roster(bytes: &[u8]) -> Result<Vec<Team>, RosterError> {
    let text = decode(bytes)?;
    let (separator, columns) = header(text)?;
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.delimiter(separator).flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let mut teams = Vec::new();
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    let mut place = Place { text, byte: 0, line: 1 };
    for row in reader.records() {
        let row = row.map_err(|error| RosterError { line: place.line, what: error.to_string() })?;
        if row.iter().all(str::is_empty) {
            continue;
        }
        let line = place.of(&row);
        let team = team(&row, columns).map_err(|what| RosterError { line, what })?;
        if let Some(before) = lines.insert(team.id.to_ascii_lowercase(), line) {
            let what = format!("id `{}` found, which is also the id of line {before}; expected a unique id", team.id);
            return Err(RosterError { line, what });
        }
        teams.push(team);
        if teams.len() > MAX_TEAMS {
            return Err(RosterError {
                line,
                what: format!("team {} found, expected at most {MAX_TEAMS}", teams.len()),
            });
        }
    }
    if teams.is_empty() {
        return Err(RosterError { line: 1, what: "no team found, expected a line for each team".to_owned() });
    }
    Ok(teams)
}

/// A place in the text. The crate `csv` counts the empty lines before a record as parts of the record.
struct Place<'a> {
    text: &'a str,
    byte: usize,
    line: u64,
}

impl Place<'_> {
    /// Moves to a record, and returns its line.
    fn of(&mut self, row: &csv::StringRecord) -> u64 {
        let begin = row.position().map_or(0, |position| position.byte() as usize);
        let blank = self.text[begin..].bytes().take_while(|byte| b"\r\n".contains(byte)).count();
        self.line += self.text[self.byte..begin + blank].matches('\n').count() as u64;
        self.byte = begin + blank;
        self.line
    }
}

fn decode(bytes: &[u8]) -> Result<&str, RosterError> {
    let remedy = "expected UTF-8; save the file as \"CSV UTF-8\"";
    if bytes.starts_with(b"PK\x03\x04") {
        let what = "a spreadsheet or another zip archive found, expected a text file; save it as \"CSV UTF-8\"";
        return Err(RosterError { line: 1, what: what.to_owned() });
    }
    let text = str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.split(|&byte| byte == b'\n').count() as u64 - 1;
        RosterError { line, what: format!("byte 0x{:02x} found, {remedy}", bytes[before.len()]) }
    })?;
    match text.find('\0') {
        Some(at) => {
            let line = 1 + text[..at].matches('\n').count() as u64;
            Err(RosterError { line, what: format!("a zero byte found, {remedy}") })
        }
        None => Ok(game::text::without_mark(text)),
    }
}

/// Columns of the id, the name and the mail.
type Columns = (usize, usize, Option<usize>);

/// Returns the separator and the columns of a table.
fn header(text: &str) -> Result<(u8, Columns), RosterError> {
    let first = text.lines().next().unwrap_or_default();
    for separator in SEPARATORS {
        let mut reader = csv::ReaderBuilder::new();
        let mut reader = reader.delimiter(separator).trim(csv::Trim::All).from_reader(text.as_bytes());
        let names: Vec<String> = reader.headers().into_iter().flatten().map(str::to_lowercase).collect();
        let column = |name: &str| names.iter().position(|found| found == name);
        if let (Some(id), Some(name)) = (column("id"), column("name")) {
            if let Some(twice) =
                ["id", "name", "mail"].into_iter().find(|name| names.iter().filter(|found| found == name).count() > 1)
            {
                let what = format!("two columns `{twice}` found, expected one");
                return Err(RosterError { line: 1, what });
            }
            return Ok((separator, (id, name, column("mail"))));
        }
    }
    let what = format!("`{}` found, expected the header `id,name,mail`", game::text::excerpt(first));
    Err(RosterError { line: 1, what })
}

fn team(row: &csv::StringRecord, (id, name, mail): Columns) -> Result<Team, String> {
    let field = |column| row.get(column).unwrap_or_default();
    let (id, name, mail) = (field(id), field(name), mail.map_or("", field));
    check_id(id)?;
    arena::check_name(name).map_err(|why| format!("name `{}`: {why}", game::text::excerpt(name)))?;
    let is_address = mail.len() <= MAX_MAIL
        && mail.split_once('@').is_some_and(|(user, host)| !user.is_empty() && !host.is_empty())
        && !mail.contains(|c: char| c.is_whitespace() || game::text::is_hidden(c));
    if !mail.is_empty() && !is_address {
        return Err(format!("mail `{}` found, expected an address such as ann@example.org", game::text::excerpt(mail)));
    }
    Ok(Team { id: id.to_owned(), name: name.to_owned(), mail: mail.to_owned() })
}

/// Checks an id. It also names folders, so it begins with a letter or a digit.
fn check_id(id: &str) -> Result<(), String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let begins = id.starts_with(|c: char| c.is_ascii_alphanumeric());
    if id.eq_ignore_ascii_case(STAFF) {
        return Err(format!("id `{id}` found, which means the staff; expected another id"));
    }
    if begins && id.len() <= MAX_ID && id.chars().all(is_part) {
        return Ok(());
    }
    Err(format!(
        "id `{}` found, expected 1 to {MAX_ID} letters A-Z, digits, dots, hyphens and underscores, first a letter or a \
         digit",
        game::text::excerpt(id)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(id: &str, name: &str, mail: &str) -> Team {
        Team { id: id.to_owned(), name: name.to_owned(), mail: mail.to_owned() }
    }

    #[test]
    fn rosters_of_all_programs_are_read_alike() {
        let expected = [team("A01", "Ann", "ann@example.org"), team("b-2", "Lee, Bob", "")];
        for text in [
            "id,name,mail\nA01,Ann,ann@example.org\nb-2,\"Lee, Bob\",\n",
            "\u{feff}id;name;mail\r\nA01;Ann;ann@example.org\r\nb-2;Lee, Bob;\r\n",
            "id\tname\tmail\nA01\tAnn\tann@example.org\nb-2\tLee, Bob",
            "\"Mail\",\"ID\",\"Section\",\"Name\"\n\n,,,\nann@example.org, A01 ,3, Ann \n\"\",b-2,\"\",\"Lee, Bob\"\n",
        ] {
            assert_eq!(read_roster(text.as_bytes()).as_deref(), Ok(&expected[..]), "{text}");
        }
        let quoted = read_roster("id,name\nA01,\"Ann \"\"the ace\"\" Ng; 李\"\n".as_bytes()).expect("a roster");
        assert_eq!(quoted, [team("A01", "Ann \"the ace\" Ng; 李", "")]);
        let same_name = read_roster(b"id,name\nA01,Wei Chen\nA02,Wei Chen\n");
        assert!(same_name.is_ok_and(|teams| teams.len() == 2), "two people may have the same name");
    }

    #[test]
    fn errors_name_the_line_and_what_was_found() {
        let many: String =
            std::iter::once("id,name\n".to_owned()).chain((0..=MAX_TEAMS).map(|n| format!("t{n},T\n"))).collect();
        for (text, line, part) in [
            ("", 1, "`` found, expected the header `id,name,mail`"),
            ("A01,Ann,ann@example.org\n", 1, "`A01,Ann,ann@example.org` found"),
            ("id,name\n", 1, "no team found"),
            ("id,name,id\nA,b,c\n", 1, "two columns `id`"),
            ("id,name\nA01,Ann\n\na01,Bob\n", 4, "id `a01` found, which is also the id of line 2"),
            ("id,name\r\nA01,Ann\r\nA 2,Bob\r\n", 3, "id `A 2` found, expected 1 to 40 letters"),
            ("id,name\n..,Ann\n", 2, "id `..` found"),
            ("id,name\nA01,Ann\nStaff,Bob\n", 3, "id `Staff` found, which means the staff"),
            ("id,name\n-rf,Ann\n", 2, "id `-rf` found"),
            ("id,name\nA01\n", 2, "name ``: 0 characters found"),
            ("id,name\nA01,\"A\nB\"\n", 2, "the character U+000A found"),
            ("id,name\nA01,A\u{202e}B\n", 2, "U+202E"),
            ("id,name,mail\nA01,Ann,ann\n", 2, "mail `ann` found, expected an address"),
            ("id,name\nA01,Ann\0\n", 2, "a zero byte found"),
            ("PK\u{3}\u{4}...", 1, "a spreadsheet or another zip archive"),
            (&many, 502, "team 501 found, expected at most 500"),
        ] {
            let error = read_roster(text.as_bytes()).expect_err(part);
            assert!(error.line == line && error.what.contains(part), "{error}");
        }
        let latin = read_roster(b"id,name\nA01,Zo\xeb\n").expect_err("Latin-1");
        assert_eq!(
            latin.to_string(),
            "roster, line 2: byte 0xeb found, expected UTF-8; save the file as \"CSV UTF-8\""
        );
    }
}
