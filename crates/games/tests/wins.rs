//! Tests of proven wins of every game. Strategies are extracted, written to files, and checked by the reference
//! implementation of the rules. Files with false claims are refused.

use engine::Playable as _;
use game::{Outcome, Position as _, Side, SplitMix64};
use games::{
    Budget, Game, GameId, NoQuestion, Task, Visitor, WinAnswer, WinQuestion, WinVerdict, WithinAnswer, WithinQuestion,
    check_win, dispatch, read_puzzles,
};
use proof::Team;
use proof::win::{Checked, Strategy, WinError, WinFile};
use search::with_large_stack;
use search::{Host, Stop};
use sha2::{Digest as _, Sha256};

const BUDGET: Budget = Budget { nodes: 2_000_000, table_mib: 16, host: Host::NONE };

fn question(game: GameId) -> WinQuestion<'static> {
    WinQuestion { game, size: None, position: None, side: None, strategy: true }
}

fn answer(question: WinQuestion<'_>, budget: Budget) -> Result<WinAnswer, NoQuestion> {
    with_large_stack(|| question.answer(budget, &Stop::new(), &mut |_| ()))
}

fn strategy(question: WinQuestion<'_>) -> Option<Strategy> {
    let answer = answer(question, BUDGET).expect("a question");
    answer.strategy.map(|strategy| strategy.unwrap_or_else(|error| panic!("{}: {error}", answer.position)))
}

fn file(strategy: &Strategy) -> Vec<u8> {
    let mut file = Vec::new();
    strategy.write(&mut file).expect("memory");
    file
}

fn checked(file: &[u8]) -> Result<Checked, WinError> {
    let team = Team { size: 2, threads: &search::SystemThreads };
    check_win(&WinFile::read(file)?, team, &mut |_, _| ()).map(|(checked, _)| checked)
}

/// Changes the lines of a file, updates its hash, and checks the file.
fn changed(file: &[u8], change: impl FnOnce(&mut Vec<String>)) -> Result<Checked, WinError> {
    let text = String::from_utf8(file.to_vec()).expect("text");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.pop();
    change(&mut lines);
    let body = lines.join("\n") + "\n";
    let hash = Sha256::digest(&body).iter().fold(String::new(), |hash, byte| format!("{hash}{byte:02x}"));
    checked(format!("{body}sha256 {hash}\n").as_bytes())
}

/// Writes the actual number of steps into the header.
fn announce(lines: &mut [String]) {
    let mut words: Vec<String> = lines[0].splitn(7, ' ').map(str::to_owned).collect();
    words[5] = (lines.len() - 1).to_string();
    lines[0] = words.join(" ");
}

/// Replaces one field of a line.
fn part(lines: &mut [String], line: usize, part: usize, text: &str) {
    let mut parts: Vec<&str> = lines[line].split('\t').collect();
    parts[part] = text;
    lines[line] = parts.join("\t");
}

#[test]
fn small_boards_are_proven_and_checked() {
    let won = [
        (GameId::LOA, 4, "Black", 3),
        (GameId::BREAKTHROUGH, 4, "Black", 14),
        (GameId::JUMP61, 2, "Blue", 4),
        (GameId::JUMP61, 3, "Blue", 14),
    ];
    for (game, size, winner, least) in won {
        let asked = WinQuestion { size: Some(size), ..question(game) };
        let strategy = strategy(asked).unwrap_or_else(|| panic!("{game} {size}: no proof"));
        assert!(strategy.plies >= least, "{game} {size}: {} plies, fewer than the shortest win", strategy.plies);
        let found = checked(&file(&strategy)).unwrap_or_else(|error| panic!("{game} {size}: {error}"));
        assert_eq!(found.steps, strategy.steps.len());
        let named = WinQuestion { side: Some(winner), strategy: false, ..asked };
        assert!(matches!(answer(named, BUDGET).expect("a question").verdict, WinVerdict::Won(name) if name == winner));
        let other = ["Black", "White", "Red", "Blue"].into_iter().filter(|name| *name != winner);
        for side in other.filter_map(|name| answer(WinQuestion { side: Some(name), ..asked }, BUDGET).ok()) {
            assert!(side.verdict == WinVerdict::NotWon && side.strategy.is_none(), "{game} {size}: {side:?}");
        }
    }
}

/// Proves the wins of a game's puzzles, both in the puzzle's position and after its first move, with the loser to move.
struct Puzzles;

impl Visitor for Puzzles {
    type Output = ();

    fn visit<P: Game>(self) {
        let puzzles = read_puzzles(P::PUZZLES).expect("puzzles");
        let wins: Vec<_> = puzzles.iter().filter(|puzzle| matches!(puzzle.task, Task::Win(_))).collect();
        let (mut proven, mut moved) = (0, 0);
        for puzzle in wins.iter().step_by(wins.len() / 6) {
            let Task::Win(plies) = puzzle.task else { continue };
            let p: P = puzzle.start.parse().expect("a position");
            let side = P::side_name(p.side_to_move());
            let asked = WinQuestion { position: Some(&puzzle.start), side: Some(side), ..question(GameId::of::<P>()) };
            let Some(first) = strategy(asked) else { continue };
            assert!(first.plies >= plies && first.winner == p.side_to_move(), "{}", puzzle.start);
            checked(&file(&first)).unwrap_or_else(|error| panic!("{}: {error}", puzzle.start));
            proven += 1;
            // The loser is to move.
            let after = p.child(p.parse_move(&puzzle.solution[0]).expect("a legal move"));
            let text = after.to_string();
            let Some(second) = strategy(WinQuestion { position: Some(&text), ..asked }) else { continue };
            let found = checked(&file(&second)).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(found.replies >= after.count_moves() && second.plies + 1 >= plies, "{text}");
            moved += 1;
        }
        assert!(proven >= 3 && moved >= 3, "{}: {proven} and {moved} wins", P::NAME);
    }
}

#[test]
fn positions_of_every_game_are_proven_and_checked() {
    for game in GameId::BUILT_IN {
        dispatch(game, Puzzles);
    }
}

fn within(position: &str, game: GameId, side: Option<&str>, plies: u32, nodes: u64) -> WithinAnswer {
    let asked = WithinQuestion { game, size: None, position: Some(position), side, plies };
    let budget = Budget { nodes, ..BUDGET };
    with_large_stack(|| asked.answer(budget, &Stop::new(), &mut |_| ())).expect("a question")
}

/// Checks that the tasks of puzzles have the length of the shortest win.
struct Lengths;

impl Visitor for Lengths {
    type Output = ();

    fn visit<P: Game>(self) {
        let puzzles = read_puzzles(P::PUZZLES).expect("puzzles");
        let mut longest = 0;
        for puzzle in puzzles.iter().step_by(7) {
            let Task::Win(plies) = puzzle.task else { continue };
            let p: P = puzzle.start.parse().expect("a position");
            let [side, other] = [p.side_to_move(), !p.side_to_move()].map(P::side_name);
            let found = within(&puzzle.start, GameId::of::<P>(), None, 30, u64::MAX);
            assert_eq!((found.win, found.none_within), (Some((side, plies)), plies - 1), "{}", puzzle.start);
            let none = within(&puzzle.start, GameId::of::<P>(), Some(side), plies - 1, u64::MAX);
            assert_eq!((none.win, none.none_within), (None, plies - 1), "{}", puzzle.start);
            assert_eq!(
                within(&puzzle.start, GameId::of::<P>(), Some(other), plies, u64::MAX).win,
                None,
                "{}",
                puzzle.start
            );
            if plies > 1 {
                // The loser is to move.
                let after = p.child(p.parse_move(&puzzle.solution[0]).expect("a legal move")).to_string();
                assert_eq!(
                    within(&after, GameId::of::<P>(), None, 30, u64::MAX).win,
                    Some((side, plies - 1)),
                    "{after}"
                );
            }
            longest = longest.max(plies);
        }
        assert!(longest >= 5, "{}: the longest win takes {longest} plies", P::NAME);
    }
}

#[test]
fn shortest_wins_are_as_long_as_the_puzzles_say() {
    for game in GameId::BUILT_IN {
        dispatch(game, Lengths);
    }
}

#[test]
fn a_limited_search_reports_the_plies_without_a_win() {
    let start = loa::Position::start(5).expect("a size").to_string();
    let whole = within(&start, GameId::LOA, None, 30, u64::MAX);
    assert_eq!((whole.win, whole.none_within), (Some(("Black", 11)), 10));
    let part = within(&start, GameId::LOA, None, 30, whole.nodes / 10);
    assert!(part.win.is_none() && (3..10).contains(&part.none_within), "{part:?}");
}

#[test]
fn a_search_for_the_shortest_win_reports_every_move() {
    let start = loa::Position::start(5).expect("a size");
    let (text, moves) = (start.to_string(), start.legal_moves().len());
    let asked = WithinQuestion { game: GameId::LOA, size: None, position: Some(&text), side: None, plies: 6 };
    let mut reports = Vec::new();
    let answer = with_large_stack(|| asked.answer(BUDGET, &Stop::new(), &mut |progress| reports.push(progress)));
    let nodes = answer.expect("a question").nodes;
    for none_within in 0..6 {
        let of_length: Vec<_> = reports.iter().filter(|progress| progress.none_within == none_within).collect();
        // Black is to move. To exclude a win for Black, the search visits all moves. To exclude a win for White, it
        // needs only one move after which White does not win; here the first move suffices.
        let searched: Vec<_> = of_length.iter().map(|progress| progress.moves).collect();
        assert_eq!(searched, (1..=moves + 1).map(|n| (n, 2 * moves)).collect::<Vec<_>>(), "{none_within}");
    }
    assert!(reports.windows(2).all(|pair| pair[0].nodes <= pair[1].nodes));
    assert_eq!(reports.last().map(|progress| progress.nodes), Some(nodes));
}

/// Proves wins on boards of Jump61 that are too large for the exact search.
#[test]
fn late_positions_of_large_boards_are_proven() {
    let mut proven = 0;
    for seed in 0..6 {
        let mut rng = SplitMix64::new(seed);
        let mut line = vec![jump61::Position::start_on(5)];
        while let Some(p) = line.last().filter(|p| p.decided().is_none()) {
            let next = p.child(*rng.choose(&p.legal_moves()).expect("a move"));
            line.push(next);
        }
        let text = line[line.len() - 4].to_string();
        if let Some(strategy) = strategy(WinQuestion { position: Some(&text), ..question(GameId::JUMP61) }) {
            checked(&file(&strategy)).unwrap_or_else(|error| panic!("{text}: {error}"));
            proven += 1;
        }
    }
    assert!(proven >= 4, "{proven}");
}

/// Proves a win in which the other side has no legal move.
#[test]
fn a_side_without_legal_moves_has_lost() {
    // After A8-B7, the white piece on A6 cannot move: B7 is occupied, and it cannot jump, because C8 is occupied, too.
    let text = "......../......../......../......../......../w......./......../b.b..... b";
    let strategy = strategy(WinQuestion { position: Some(text), ..question(GameId::CHECKERS) }).expect("a win");
    assert_eq!((strategy.plies, strategy.winner), (1, Side::First));
    assert_eq!(strategy.steps[text], ("A8-B7".to_owned(), 1));
    let file = file(&strategy);
    checked(&file).expect("a win");
    let error = changed(&file, |lines| part(lines, 1, 1, "C8-B7")).expect_err("White jumps");
    assert!(error.to_string().contains("after A6-C8"), "{error}");
}

#[test]
fn modified_files_are_refused() {
    let asked = [
        WinQuestion { size: Some(3), ..question(GameId::JUMP61) },
        WinQuestion { size: Some(4), ..question(GameId::BREAKTHROUGH) },
    ];
    for asked in asked {
        let strategy = strategy(asked).expect("a win");
        let file = file(&strategy);
        let steps = strategy.steps.len();
        changed(&file, |_| ()).expect("the unmodified file");
        for at in (0..file.len()).step_by(41) {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            assert!(checked(&damaged).is_err(), "a flipped bit in byte {at}");
        }
        for cut in [0, 10, file.len() / 2, file.len() - 73, file.len() - 1] {
            assert!(checked(&file[..cut]).is_err());
        }
        let text = |result: Result<Checked, WinError>| result.expect_err("refused").to_string();
        let (mut kept, mut other_moves, mut first) = (0, 0, 0);
        for line in (1..=steps).step_by(1 + steps / 30) {
            // Every step is needed, so a file without the step is refused.
            let missing = changed(&file, |lines| {
                lines.remove(line);
                announce(lines);
            });
            kept += u32::from(missing.is_ok());
            assert!(text(changed(&file, |lines| drop(lines.remove(line)))).contains("does not have the"));
            assert!(text(changed(&file, |lines| part(lines, line, 1, "9:9"))).contains("is no move"));
            assert!(text(changed(&file, |lines| part(lines, line, 2, "0"))).contains("a rank of at least 1"));
            assert!(text(changed(&file, |lines| part(lines, line, 0, "1-1-/1-1-"))).contains("step"));
            if line > 1 {
                assert!(text(changed(&file, |lines| lines.swap(line, line - 1))).contains("step"));
                let twice = changed(&file, |lines| {
                    lines.insert(line, lines[line].clone());
                    announce(lines);
                });
                assert!(text(twice).contains("not sorted"));
            }
            // The rank of a step must be smaller than the rank of every step that leads to it. No step leads to the
            // first steps of the win, so their ranks may be high.
            let high = changed(&file, |lines| part(lines, line, 2, "1000000"));
            assert!(high.as_ref().map_or(true, |found| found.rank == 1_000_000), "line {line}: {high:?}");
            first += u32::from(high.is_ok());
            let moves = ["1:1", "1:2", "1:3", "2:1", "2:2", "2:3", "3:1", "3:2", "3:3"];
            for m in moves.iter().filter(|_| asked.game == GameId::JUMP61) {
                other_moves += u32::from(changed(&file, |lines| part(lines, line, 1, m)).is_err());
            }
        }
        assert!(kept == 0 && first < 5, "{kept} steps are redundant, {first} steps follow no other step");
        assert!(asked.game != GameId::JUMP61 || other_moves > 30, "{other_moves} other moves refused");
        let replaced = |from: &str, to: &str| changed(&file, |lines| lines[0] = lines[0].replace(from, to));
        assert!(text(replaced(" second ", " first ")).contains("step"));
        assert!(text(replaced(asked.game.name(), "chess")).contains("unknown game"));
        let other = if asked.game == GameId::JUMP61 { "breakthrough" } else { "checkers" };
        assert!(replaced(asked.game.name(), other).is_err());
    }
}

/// Checks that a file cannot claim symmetries that the rules of the game do not have.
#[test]
fn symmetries_that_a_game_does_not_have_are_refused() {
    let asked = WinQuestion { size: Some(4), ..question(GameId::BREAKTHROUGH) };
    let file = file(&strategy(asked).expect("a win"));
    let error = changed(&file, |lines| lines[0] = lines[0].replace(" second 2 ", " second 8 ")).expect_err("refused");
    assert_eq!(error.to_string(), "breakthrough does not have 8 equivalent images of a board");
    // If the file claims no symmetries, its steps do not cover all positions.
    let error = changed(&file, |lines| lines[0] = lines[0].replace(" second 2 ", " second 1 ")).expect_err("refused");
    assert!(error.to_string().contains("neither a step nor a win at once"), "{error}");
}

#[test]
fn invalid_questions_are_refused() {
    let refused = |question: WinQuestion<'_>| answer(question, BUDGET).expect_err("refused").to_string();
    let jump61 = question(GameId::JUMP61);
    let error = refused(WinQuestion { side: Some("green"), ..jump61 });
    assert_eq!(error, "unknown side `green`: expected `red` or `blue`");
    let error = refused(WinQuestion { position: Some("1r1r/1r2r"), ..jump61 });
    assert_eq!(error, "the game is over in this position: Red has won");
    assert!(refused(WinQuestion { position: Some("1r"), ..jump61 }).starts_with("position text: "));
    assert!(refused(WinQuestion { size: Some(11), ..jump61 }).contains("2 to 10"));
    let error = refused(WinQuestion { size: Some(3), position: Some("1-1-/1-1-"), ..jump61 });
    assert_eq!(error, "position text: the board has 2 rows, expected 3");
    let stuck = "......../......../......../......../......../......../.b....../w....... w";
    let error = refused(WinQuestion { position: Some(stuck), ..question(GameId::CHECKERS) });
    assert_eq!(error, "the game is over in this position: Black has won");
}

#[test]
fn unproven_questions_stay_open() {
    let small = Budget { nodes: 50_000, ..BUDGET };
    for game in GameId::BUILT_IN {
        let found = answer(question(game), small).expect("a question");
        assert!(found.verdict == WinVerdict::Open && found.strategy.is_none(), "{game}: {found:?}");
    }
    let stop = Stop::new();
    stop.stop();
    let asked = WinQuestion { size: Some(3), ..question(GameId::JUMP61) };
    let stopped = asked.answer(BUDGET, &stop, &mut |_| ()).expect("a question");
    assert_eq!(stopped.verdict, WinVerdict::Open);
}

#[test]
fn a_strategy_wins_against_every_reply() {
    let asked = WinQuestion { size: Some(3), ..question(GameId::JUMP61) };
    let strategy = strategy(asked).expect("a win");
    for seed in 0..100 {
        let mut rng = SplitMix64::new(seed);
        let mut p = jump61::Position::start_on(3);
        let mut plies = 0;
        while p.decided().is_none() {
            let moves = p.legal_moves();
            let wins = |m: &&jump61::Move| p.child(**m).decided() == Some(Outcome::Win(strategy.winner));
            let m = if p.side_to_move() != strategy.winner {
                *rng.choose(&moves).expect("a move")
            } else if let Some(m) = moves.iter().find(wins) {
                *m
            } else {
                let step = game::fold(&p.to_string(), strategy.symmetries);
                let image: jump61::Position = step.parse().expect("a position");
                let goal = image.child(image.parse_move(&strategy.steps[&step].0).expect("a move")).folded_code();
                *moves.iter().find(|m| p.child(**m).folded_code() == goal).expect("the same move")
            };
            p.play(m);
            plies += 1;
        }
        assert_eq!(p.decided(), Some(Outcome::Win(Side::Second)));
        assert!(plies <= strategy.plies && p.liking(Side::Second) > 0);
    }
}
