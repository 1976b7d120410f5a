//! Parts of pages that several pages share.

use maud::{DOCTYPE, Markup, html};

use super::site::Site;

/// Returns a page. `back` is the text of the link to the start page; scripts run in the given order.
pub(super) fn page(title: &str, back: Option<&str>, scripts: &[&str], content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="stylesheet" href="style.css";
            }
            body {
                @if let Some(tournament) = back {
                    nav { a href="index.html" { "← " (tournament) } }
                }
                main { (content) }
                @for script in scripts { script src=(script) {} }
            }
        }
    }
}

/// Formats a time from the store for display.
pub(super) fn when(time: &str) -> String {
    let minutes: String = time.chars().take(16).collect();
    minutes.replace('T', " ") + " UTC"
}

/// Splits a text into parts, each with a flag that marks web addresses.
pub(super) fn split_links(text: &str) -> Vec<(&str, bool)> {
    let mut rest = text;
    let mut parts: Vec<(&str, bool)> = Vec::new();
    while let Some(at) = ["https://", "http://"].iter().filter_map(|start| rest.find(start)).min() {
        let (before, from) = rest.split_at(at);
        let end = from.find(|c: char| c.is_whitespace() || "<>\"'".contains(c)).unwrap_or(from.len());
        // Punctuation after an address belongs to the sentence.
        let end = from[..end].trim_end_matches(['.', ',', ')', ';', ':', '!', '?']).len();
        parts.push((before, false));
        parts.push((&from[..end], true));
        rest = &from[end..];
    }
    parts.push((rest, false));
    parts.retain(|(part, _)| !part.is_empty());
    parts
}

/// Converts the web addresses of a text to links.
pub(super) fn linked(text: &str) -> Markup {
    html! {
        @for (part, is_link) in split_links(text) {
            @if is_link { a href=(part) rel="nofollow noopener" { (part) } } @else { (part) }
        }
    }
}

pub(super) fn agent_link(site: &Site<'_>, agent: usize) -> Markup {
    html! { a href=(format!("agent-{agent}.html")) { (site.name(agent)) } }
}

/// Returns the notice that a browser without JavaScript shows instead of `what`.
pub(super) fn needs_script(what: &str) -> Markup {
    html! {
        noscript { p.notice { "Turn on JavaScript to see " (what) ": this page reads it from the report's data." } }
    }
}

/// Replaces the hyphen of a negative number with a minus sign, which is as wide as a plus.
pub(super) fn minus(number: &str) -> String {
    number.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::linked;

    #[test]
    fn addresses_become_links_and_everything_is_escaped() {
        let html = linked("me <b> (https://a.example/x?y=1&z=2). javascript:alert(1)").into_string();
        assert_eq!(
            html,
            "me &lt;b&gt; (<a href=\"https://a.example/x?y=1&amp;z=2\" rel=\"nofollow noopener\">https://a.example/x?y=1&amp;z=2</a>\
             ). javascript:alert(1)"
        );
        assert_eq!(
            linked("http://\"onclick=").into_string(),
            "<a href=\"http://\" rel=\"nofollow noopener\">http://</a>&quot;onclick="
        );
    }
}
