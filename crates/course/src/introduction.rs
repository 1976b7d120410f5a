//! Introductions of agents: names, taglines and addresses.

use crate::store::uploads::UploadRow;
use serde::Serialize;

/// Texts between a name and the rest of an introduction.
const SEPARATORS: [&str; 6] = [" - ", " – ", " — ", " | ", ": ", "; "];
/// Maximum length of an address, in bytes.
const MAX_URL: usize = 200;

/// The introduction of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Introduction {
    /// Name.
    pub name: String,
    /// Rest of the text; empty if there is none.
    pub tagline: String,
    /// Address in the text, with `http` or `https`.
    pub url: Option<String>,
}

impl Introduction {
    /// Parses an introduction, such as `Deep Sea - by Ann, https://example.org/sea`. The name is the text before the
    /// first separator.
    pub fn parse(text: &str) -> Self {
        let url =
            text.split_whitespace().map(|word| word.trim_matches(|c| "()<>[],;".contains(c))).find(|word| is_url(word));
        let plain = match url {
            Some(url) => text.replacen(url, "", 1).replace("()", "").replace("<>", "").replace("[]", ""),
            None => text.to_owned(),
        };
        let tidy = |text: &str| {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            words.trim_matches(|c: char| " -–—|:;,".contains(c)).to_owned()
        };
        // A separator at the end of the text remains one without the address after it.
        let plain = format!("{plain} ");
        let first = SEPARATORS.iter().filter_map(|separator| Some((plain.find(separator)?, separator.len()))).min();
        let (name, tagline) = match first {
            Some((at, length)) if !tidy(&plain[..at]).is_empty() => (tidy(&plain[..at]), tidy(&plain[at + length..])),
            _ => (tidy(&plain), String::new()),
        };
        let url = url.map(str::to_owned);
        let name = if name.is_empty() { text.trim().to_owned() } else { name };
        Self { name, tagline, url }
    }

    /// Returns the introduction of an accepted upload: the program's own, or the name in its `agent.toml`.
    pub(crate) fn of(upload: &UploadRow) -> Option<Self> {
        let agent = upload.agent.as_ref()?;
        Some(Self::parse(upload.identify.as_deref().unwrap_or(&agent.name)))
    }
}

/// Returns `true` for an address that a page may link: `http` or `https`, and printable ASCII without quotes.
fn is_url(word: &str) -> bool {
    let host = word.strip_prefix("https://").or_else(|| word.strip_prefix("http://"));
    let is_plain = |c: char| c.is_ascii_graphic() && !"\"'<>`\\^{|}".contains(c);
    word.len() <= MAX_URL
        && host.is_some_and(|host| host.starts_with(|c: char| c.is_ascii_alphanumeric()) && host.chars().all(is_plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn introductions_have_a_name_a_tagline_and_an_address() {
        for (text, name, tagline, url) in [
            ("Ann", "Ann", "", None),
            ("Deep Sea - by Ann Ng", "Deep Sea", "by Ann Ng", None),
            ("Deep Sea: fast, https://example.org/sea?a=1", "Deep Sea", "fast", Some("https://example.org/sea?a=1")),
            ("Sea (http://example.org)", "Sea", "", Some("http://example.org")),
            ("https://example.org", "https://example.org", "", Some("https://example.org")),
            ("A-B 2.0", "A-B 2.0", "", None),
            ("Sea javascript:alert(1)", "Sea javascript:alert(1)", "", None),
            ("Sea https://x\"onclick=", "Sea https://x\"onclick=", "", None),
            ("- - x", "x", "", None),
        ] {
            let found = Introduction::parse(text);
            let expected = Introduction { name: name.into(), tagline: tagline.into(), url: url.map(str::to_owned) };
            assert_eq!(found, expected, "{text}");
        }
    }
}
