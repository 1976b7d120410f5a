//! Character sets of SGF files.

use game::text::{excerpt, without_mark};

use super::SgfError;
use super::form::Reader;

/// Names of ISO-8859-1 in lower case, without hyphens and underscores.
const LATIN_1: [&str; 4] = ["iso88591", "latin1", "l1", "iso885911987"];

/// Decodes a file in the character set that its property `CA` names: UTF-8 or ISO-8859-1 (Latin-1). Without `CA` it is
/// UTF-8 if its bytes are valid UTF-8, and otherwise Latin-1, the default of the format. A byte-order mark means UTF-8
/// and is removed.
///
/// # Errors
/// If the file uses another character set, or its bytes are invalid in its character set.
pub fn decode(bytes: &[u8]) -> Result<String, SgfError> {
    let utf8 = str::from_utf8(bytes);
    if let Ok(text) = utf8
        && (text.is_ascii() || text.starts_with('\u{feff}'))
    {
        return Ok(without_mark(text).to_owned());
    }
    // Each byte of Latin-1 is the number of its character. Brackets and property names are ASCII in both character
    // sets.
    let latin_1: String = bytes.iter().copied().map(char::from).collect();
    let named = Reader::new(&latin_1).game().ok().flatten().and_then(|nodes| {
        let named = nodes.first()?.properties.iter().find(|property| property.name == "CA")?;
        Some(named.values[0].trim().to_owned())
    });
    let Some(named) = named else { return Ok(utf8.map_or(latin_1, str::to_owned)) };
    let key: String = named.to_ascii_lowercase().chars().filter(|c| !matches!(c, '-' | '_' | ':')).collect();
    match (key.as_str(), utf8) {
        ("utf8", Ok(text)) => Ok(text.to_owned()),
        (key, _) if LATIN_1.contains(&key) => Ok(latin_1),
        _ => Err(SgfError::Charset { found: excerpt(&named), is_invalid: key == "utf8" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::read;

    const JORG: &[u8] = b"J\xf6rg";

    fn file(charset: &str, name: &[u8]) -> Vec<u8> {
        [b"(;FF[4]GM[9]", charset.as_bytes(), b"C[a \\] CA[x\\]]PB[", name, b"];B[b1-b3])"].concat()
    }

    #[test]
    fn utf_8_and_latin_1_are_decoded() {
        let named =
            |bytes: &[u8]| read(&decode(bytes).expect("a character set")).expect("a game")[0].players[0].clone();
        for charset in ["CA[ISO-8859-1]", "CA[iso8859-1]", "CA[latin1]", "CA [ Latin-1 ]", "CA[ISO_8859-1]", ""] {
            assert_eq!(named(&file(charset, JORG)), "Jörg", "{charset}");
        }
        for charset in ["CA[UTF-8]", "CA[utf8]", ""] {
            assert_eq!(named(&file(charset, "Jörg".as_bytes())), "Jörg", "{charset}");
        }
        let marked = [b"\xef\xbb\xbf".to_vec(), file("CA[latin1]", "Jörg".as_bytes())].concat();
        assert_eq!(named(&marked), "Jörg");
        assert_eq!(named(&file("CA[GB2312]", b"Ann")), "Ann", "the same bytes in all of them");
    }

    #[test]
    fn other_character_sets_are_refused_by_name() {
        for (charset, name, part) in [
            ("CA[GB2312]", JORG, "CA[GB2312] found, expected UTF-8 or ISO-8859-1"),
            ("CA[windows-1251]", JORG, "CA[windows-1251]"),
            ("CA[UTF-8]", JORG, "CA[UTF-8], but the file has bytes that are not UTF-8"),
        ] {
            let error = decode(&file(charset, name)).expect_err(charset).to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
