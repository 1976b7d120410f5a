//! Parts of a report that help readers to judge it: the conditions of the tournament, the damaged games, and the head
//! of the chain of hashes.

use maud::{Markup, html};

use super::html::when;
use super::site::Site;

use crate::agent_spec::AgentSpec;

/// Returns warnings about damaged games, which the tables do not count, and about a changed header.
pub(super) fn damaged(site: &Site<'_>) -> Markup {
    html! {
        @if site.tournament.is_changed {
            div.notice {
                p {
                    strong.bad { "The header of this tournament was changed after it began: " }
                    "the names of its agents, or other things in it, may be false"
                }
            }
        }
        @if !site.damaged.is_empty() {
            div.notice {
                @for game in &site.damaged { p { strong.bad { "Game " (game.number) " is damaged and does not count: " } (game.why) } }
            }
        }
    }
}

/// Returns the start, machine, seed and sandbox of the tournament, and the head of its chain of hashes.
pub(super) fn evidence(site: &Site<'_>) -> Markup {
    let tournament = site.tournament;
    let spec = &tournament.spec;
    let is_program = |agent: &AgentSpec| agent.builtin.is_none();
    let sandbox = match spec.sandbox {
        _ if !spec.agents.iter().any(is_program) => "None needed: all agents are engines of Plyhouse".to_owned(),
        Some(tier) => format!("{tier}: {}", tier.promise()),
        None => "Not recorded".to_owned(),
    };
    html! {
        h2 { "Evidence" }
        dl.facts {
            dt { "Tournament" }
            dd {
                "Number " (tournament.id) " in its store"
                @if tournament.imported { ", imported: the rules confirm its moves, but only the imported file attests its faults and times" }
            }
            dt { "Begun" } dd { (when(&tournament.began)) ", with Plyhouse " (tournament.version) }
            dt { "Machine" } dd { (tournament.machine) }
            dt { "Seed" } dd { (spec.seed) }
            dt { "Sandbox" } dd { (sandbox) }
            dt { "Head of the hash chain" }
            dd { @if tournament.is_changed { "None: the header was changed" } @else if let Some(head) = &site.head { code { (head) } } @else { "None: the games are not chained" } }
        }
    }
}
