//! Tests of the puzzles of every game, by a search that is independent of the engine.

use core::ops::ControlFlow;

use game::Position;
use game::Side;
use games::{Game, GameId, Puzzle, Task, Visitor, dispatch, read_puzzles};

/// Returns `true` if the side to move wins within `plies` against every defence, by a search written for this test.
fn wins<P: Position>(p: &P, plies: u32) -> bool {
    let side = p.side_to_move();
    p.visit_moves(|m| {
        let won = after(p, m, side, plies);
        if won { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .is_break()
}

/// Returns `true` if the move of `side` wins within `plies`, including the move.
fn after<P: Position>(p: &P, m: P::Move, side: Side, plies: u32) -> bool {
    let next = p.child(m);
    match next.outcome() {
        Some(outcome) => outcome.winner() == Some(side),
        None => plies > 1 && loses(&next, plies - 1),
    }
}

/// Returns `true` if every move of the side to move lets the opponent win within `plies`, including that move.
fn loses<P: Position>(p: &P, plies: u32) -> bool {
    p.visit_moves(|m| {
        let lost = lost_by(p, m, plies);
        if lost { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
    .is_continue()
}

/// Returns `true` if the move lets the opponent win within `plies`, including the move.
fn lost_by<P: Position>(p: &P, m: P::Move, plies: u32) -> bool {
    let next = p.child(m);
    match next.outcome() {
        Some(outcome) => outcome.winner() == Some(!p.side_to_move()),
        None => plies > 1 && wins(&next, plies - 1),
    }
}

struct Proven(Vec<Puzzle>);

impl Visitor for Proven {
    type Output = ();

    fn visit<P: Game>(self) {
        for puzzle in self.0 {
            let text = puzzle.to_string();
            let mut p: P = puzzle.start.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(p.to_string(), puzzle.start);
            // Longer puzzles need a search that is too slow for a test of the data: `plyhouse puzzles --check` runs it.
            match puzzle.task {
                Task::Win(plies) if plies <= 3 => {
                    assert!(wins(&p, plies) && (plies == 1 || !wins(&p, plies - 1)), "{text}");
                }
                Task::Save(plies) if plies <= 2 => {
                    let lost = p.movable().into_iter().filter(|&m| lost_by(&p, m, plies)).count();
                    assert_eq!(lost + 1, p.movable().len(), "{text}");
                }
                Task::Win(_) | Task::Save(_) => {}
            }
            let side = p.side_to_move();
            for m in &puzzle.solution {
                let m = p.parse_move(m).unwrap_or_else(|error| panic!("{text}: {error}"));
                p.play(m);
            }
            if let Task::Win(plies) = puzzle.task {
                assert_eq!(puzzle.solution.len(), plies as usize, "{text}");
                assert_eq!(p.outcome().and_then(game::Outcome::winner), Some(side), "{text}");
            }
        }
    }
}

#[test]
fn puzzles_have_the_results_of_their_tasks() {
    for game in GameId::BUILT_IN {
        let puzzles = game.puzzles();
        assert!(puzzles.len() >= 100 && puzzles.is_sorted_by_key(|puzzle| puzzle.rating), "{game}");
        let saves = puzzles.iter().filter(|puzzle| matches!(puzzle.task, Task::Save(_))).count();
        assert!(saves >= 1 && puzzles.len() - saves >= 50, "{game}: {saves} of {}", puzzles.len());
        dispatch(game, Proven(puzzles));
    }
}

#[test]
fn valid_lines_are_written_as_they_were_read_and_invalid_lines_are_refused() {
    let line = "b--w b;win 3;1240;connect2 capture;a1-a2 a3-a4 a2-a3";
    assert_eq!(line.parse::<Puzzle>().map(|puzzle| puzzle.to_string()).as_deref(), Ok(line));
    for line in ["b--w b;win 3", "b--w b;loss 3;1;;a1", "b--w b;win 3;1;;", "b--w b;win 3;1;;a1;", ""] {
        assert!(line.parse::<Puzzle>().is_err_and(|error| error.to_string().contains("expected")), "{line}");
    }
    assert!(read_puzzles("# none\n\n").is_ok_and(|puzzles| puzzles.is_empty()));
}
