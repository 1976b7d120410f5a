//! The graph of the scores that the players of a game printed.

use maud::{Markup, html};

use super::minus;
use crate::{GameLog, ScoreLog};

/// Width and height of the graph, which the page stretches.
const SIZE: (f64, f64) = (600.0, 120.0);
/// The score at the upper edge, in hundredths of a piece.
const MOST: f64 = 1000.0;
/// The spaces between the labels of an axis.
const SPACES: usize = 4;

/// A score as a place in the graph.
struct Dot {
    x: f64,
    y: f64,
    /// Whether the score lies beyond the edge.
    clipped: bool,
}

/// The dots of a side. Up is good for the first side.
fn dots(game: &GameLog, side: usize, span: usize) -> Vec<Dot> {
    let (width, height) = SIZE;
    let own = game.moves.iter().enumerate().filter(|&(i, _)| game.side_of(i) == side);
    let dots = own.filter_map(|(i, m)| {
        let units = match m.score? {
            ScoreLog::Cp(units) => f64::from(units),
            ScoreLog::Win(_) => f64::INFINITY,
            ScoreLog::Loss(_) => f64::NEG_INFINITY,
        };
        let up = if side == 0 { units } else { -units };
        let y = height / 2.0 * (1.0 - up.clamp(-MOST, MOST) / MOST);
        Some(Dot { x: i as f64 / span as f64 * width, y, clipped: up.abs() > MOST })
    });
    dots.collect()
}

/// A graph of what each player saw, with axes and a legend; nothing without scores.
pub(super) fn scores(game: &GameLog, names: [&str; 2]) -> Markup {
    let (width, height) = SIZE;
    // The labels share the axis evenly, so it ends at a whole number of spaces.
    let span = game.moves.len().saturating_sub(1).max(1).next_multiple_of(SPACES);
    let sides = [0, 1].map(|side| dots(game, side, span));
    let most = MOST / 100.0;
    let share = |k: usize| k as f64 / SPACES as f64;
    let pieces = (0..=SPACES).map(|k| most * (1.0 - 2.0 * share(k)));
    let moves = (0..=SPACES).map(|k| game.opening.len() + 1 + k * span / SPACES);
    let clipped = sides.iter().flatten().any(|dot| dot.clipped);
    html! {
        @if sides.iter().any(|dots| dots.len() > 1) {
            h2 { "Scores" }
            div.chart {
                div.pieces { @for score in pieces { span { (minus(&format!("{score:+.0}").replace("+0", "0"))) } } }
                svg viewBox=(format!("0 0 {width} {height}")) preserveAspectRatio="none" role="img" aria-label=(format!("Scores in pieces; up is good for {}", names[0])) {
                    @for k in 0..=SPACES {
                        line x1="0" x2=(width) y1=(share(k) * height) y2=(share(k) * height) {}
                        line x1=(share(k) * width) x2=(share(k) * width) y1="0" y2=(height) {}
                    }
                    @for (class, dots) in ["one", "two"].into_iter().zip(&sides) {
                        polyline class=(class) points=(joined(dots)) {}
                        // A line without length is a dot that keeps its shape when the graph is stretched.
                        @for dot in dots {
                            path class=(format!("{class} {}", if dot.clipped { "clipped" } else { "dot" })) d=(format!("M{:.1} {:.1}h0", dot.x, dot.y)) {}
                        }
                    }
                }
                div.plies { @for number in moves { span { (number) } } }
            }
            p.small.legend {
                @for (class, name) in ["one", "two"].into_iter().zip(names) { span class=(class) { "●" } " " (name) " " }
                span.soft {
                    "Pieces, by the number of the move; up is good for " (names[0]) "."
                    @if clipped { " ■ beyond the edge: more than " (most) " pieces, or a forced win." }
                }
            }
        }
    }
}

fn joined(dots: &[Dot]) -> String {
    dots.iter().map(|dot| format!("{:.1},{:.1}", dot.x, dot.y)).collect::<Vec<_>>().join(" ")
}
