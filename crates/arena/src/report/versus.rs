//! The result of a match, with the verdict of its sequential test.

use maud::{Markup, html};
use rating::{Sprt, Tally, Verdict, signed};

use super::html::minus;
use super::site::Site;

/// Possible points of a pair of games from the same opening.
const POINTS: [&str; 5] = ["0", "½", "1", "1½", "2"];

pub(super) fn result(site: &Site<'_>) -> Markup {
    let (first, second) = (site.name(0), site.name(1));
    let (tally, ratings) = (site.standings.tally(0, 1), site.standings.ratings());
    let test = site.tournament.spec.sprt.as_ref().map(|test| &test.0);
    html! {
        h2 { "The match" }
        @if let Some(test) = test { (verdict(test, &tally, first)) }
        dl.facts {
            @if let Some(test) = test { dt { "Sequential test" } dd { (state(test, &tally)) } }
            dt { "Elo" }
            dd { (minus(&ratings.difference(0, 1).to_string())) " (95 %) of " (first) " over " (second) "; the standings show half of it for each" }
            @if let Some(elo) = tally.normalised_elo() { dt { "Normalised Elo" } dd { (minus(&elo.to_string())) " (95 %)" } }
            dt { "Superiority" }
            dd { (format!("{:.1} %", 100.0 * ratings.superiority(0, 1))) " likelihood that " (first) " is the stronger one" }
        }
        (pairs(&tally, first))
    }
}

fn verdict(test: &Sprt, tally: &Tally, first: &str) -> Markup {
    let [elo0, elo1] = test.hypotheses().map(|elo| minus(&format!("{elo:+}")));
    let model = test.model();
    html! { p.verdict { @match test.verdict(tally) {
        Verdict::H0 => { strong { "H0 accepted" } ": " (elo0) " Elo (" (model) ") or less for " (first) }
        Verdict::H1 => { strong { "H1 accepted" } ": " (elo1) " Elo (" (model) ") or more for " (first) }
        Verdict::Open => { strong { "Undecided" } " between " (elo0) " and " (elo1) " Elo (" (model) ") for " (first) }
    } } }
}

/// Describes the test and its log-likelihood ratio.
fn state(test: &Sprt, tally: &Tally) -> String {
    let (low, high) = test.bounds();
    let [llr, low, high] = [test.llr(tally), low, high].map(|ratio| minus(&signed(ratio, 2)));
    format!("LLR {llr} (H0 at {low}, H1 at {high}); {}", minus(&test.to_string()))
}

/// Returns the table of pairs of games by points.
fn pairs(tally: &Tally, first: &str) -> Markup {
    html! {
        div.wide { table {
            thead { tr { th.text.wrap { "Points of " (first) " from an opening" } @for points in POINTS { th { (points) } } } }
            tbody { tr { td.text { "Number of openings" } @for count in tally.pairs() { td { (count) } } } }
        } }
    }
}
