//! Tests of each sentence in the specification of the `loa` text interface.

use crate::common::{Table, quick};
use console::loa::Console;
use console::{Flow, Session};

fn fresh() -> Table<Console> {
    Table::at(Console::new(&quick()).expect("a player"), &[])
}

/// Returns a console with both sides manual, after these lines.
fn manual(lines: &[&str]) -> Table<Console> {
    let mut table = Table::at(Console::new(&quick()).expect("a player"), &["manual white"]);
    table.say(lines);
    table
}

fn moves(table: &mut Table<Console>) -> Vec<String> {
    table.printed().into_iter().filter(|line| line.contains('-') && line.starts_with('*')).collect()
}

/// Commands that leave Black only the pieces d4 and d6, with Black to move.
const NEARLY_WON: &[&str] = &[
    "set b1 - black",
    "set c1 - black",
    "set d1 - black",
    "set e1 - black",
    "set f1 - black",
    "set g1 - black",
    "set b8 - black",
    "set c8 - black",
    "set d8 - black",
    "set e8 - black",
    "set f8 - black",
    "set g8 - black",
    "set d4 black black",
    "set d6 black black",
];

#[test]
fn the_dump_of_a_new_game_has_the_courses_form() {
    let mut table = fresh();
    table.say(&["dump"]);
    let expected = "===\n    - b b b b b b -\n    w - - - - - - w\n    w - - - - - - w\n    w - - - - - - w\n    \
                    w - - - - - - w\n    w - - - - - - w\n    w - - - - - - w\n    - b b b b b b -\n\
                    Next move: black\n===";
    assert_eq!(table.printed().join("\n"), expected);
    assert_eq!(table.console.prompt(), "b> ");
}

#[test]
fn white_is_automated_and_its_moves_are_announced_once() {
    let mut table = fresh();
    table.say(&["b1-b3"]);
    let moves = moves(&mut table);
    assert_eq!(moves.len(), 1, "{moves:?}");
    assert_eq!(table.console.prompt(), "b> ");
    assert_eq!(table.seen.logged.len(), 2, "the command and the program's move");
    assert_eq!(format!("* {}", table.seen.logged[1]), moves[0]);
}

#[test]
fn a_manual_move_is_not_announced() {
    let mut table = manual(&["b1-d3", "  a3-d3  and more ", "f1-a1\r"]);
    assert_eq!(table.printed(), Vec::<String>::new());
    assert_eq!(table.errors, Vec::<String>::new());
    assert_eq!(table.console.prompt(), "w> ");
}

#[test]
fn other_spellings_are_read_only_if_enabled() {
    let console = Console::new(&quick()).expect("a player").with_all_spellings();
    let table = Table::at(console, &["manual white", "B1xB3", "a2:c2", "d1d3", "H2 f2", "E1–E3", "H2-F9"]);
    assert_eq!(table.errors.len(), 1, "{:?}", table.errors);
    assert_eq!(table.console.prompt(), "w> ", "five moves were made");
    let course = manual(&["B1xB3", "b1:b3", "B1-B3", "b1–b3"]);
    assert_eq!((course.errors.len(), course.console.prompt().as_str()), (4, "b> "));
}

#[test]
fn moves_are_lower_case_words_and_must_be_legal() {
    let table = manual(&["B1-B3", "b1-b3x", "b1 -b3", "b1-b4", "a2-c2", "clank", "1", "*"]);
    assert_eq!(
        table.errors,
        [
            "`B1-B3` is not a move: expected two squares joined by `-`, as in `b1-d3`",
            "`b1-b3x` is not a move: expected two squares joined by `-`, as in `b1-d3`",
            "unknown command `b1`: expected a command (`help` lists them) or a move such as `b1-d3`",
            "illegal move b1-b4: 2 pieces on the file, so the piece moves exactly 2 squares along it, not 3",
            "illegal move a2-c2: the piece on a2 is White's, and Black is to move",
            "unknown command `clank`: expected a command (`help` lists them) or a move such as `b1-d3`",
            "`1` is not a move: expected two squares joined by `-`, as in `b1-d3`",
            "unknown command `*`: expected a command (`help` lists them) or a move such as `b1-d3`",
        ]
    );
    assert_eq!(table.console.prompt(), "b> ", "nothing has changed");
}

#[test]
fn comments_and_empty_lines_do_nothing_and_comments_are_logged() {
    let mut table = fresh();
    table.say(&["", "   ", "\t\r", "# b1-b3", "  #quit"]);
    assert_eq!((table.printed(), table.errors.len()), (vec![], 0));
    assert_eq!(table.seen.logged, ["# b1-b3", "#quit"]);
}

#[test]
fn command_words_and_sides_in_any_case() {
    let mut table = fresh();
    table.say(&["MANUAL White", "AuTo BLACK", "manual black", "SET a1 White BLACK", "Seed -9223372036854775808", "?"]);
    assert_eq!(table.errors, Vec::<String>::new());
}

#[test]
fn operands_are_checked_and_nothing_changes() {
    let mut table = manual(&[
        "auto",
        "auto red",
        "manual b",
        "set",
        "set i9 black white",
        "set A1 black white",
        "set a1 green white",
        "set a1 - ",
        "seed",
        "seed x",
        "seed 9223372036854775808",
        "limit",
        "limit 0",
        "limit -1",
        "limit 99999999999",
    ]);
    assert_eq!(table.errors.len(), 15, "{:?}", table.errors);
    assert_eq!(table.errors[0], "`auto` needs more: expected `auto SIDE`");
    assert_eq!(table.errors[1], "side `red`: expected `black` or `white`");
    assert_eq!(table.errors[4], "square `i9`: expected a letter a to h and a digit 1 to 8");
    assert_eq!(table.errors[6], "content `green`: expected `black`, `white` or `-`");
    assert_eq!(table.errors[14], "limit `99999999999`: expected a whole number from 1 to 1000000000");
    table.say(&["b1-b3"]);
    assert_eq!(table.errors.len(), 15);
}

#[test]
fn a_connecting_move_wins_and_then_moves_are_refused_until_new() {
    let mut table = manual(NEARLY_WON);
    table.say(&["d4-d5"]);
    assert_eq!(table.errors.len(), 1, "two pieces on the file: {:?}", table.errors);
    table.say(&["set d6 - black", "set e6 black black", "d4-d5", "d5-d6", "dump"]);
    let printed = table.printed();
    assert_eq!(printed[0], "* Black wins.", "{printed:?}");
    assert_eq!(printed.iter().filter(|line| line.starts_with('*')).count(), 1, "the win is announced once");
    assert_eq!(printed[printed.len() - 2], "Next move: white", "the side that would move next");
    assert_eq!(table.console.prompt(), "-> ");
    assert_eq!(table.errors.last().map(String::as_str), Some("the game is over: expected `new` before another move"));
    // `set` does not restart the game, `new` does.
    table.say(&["set a1 white white", "limit 40", "seed 3"]);
    assert_eq!(table.console.prompt(), "-> ");
    table.say(&["new"]);
    assert_eq!(table.console.prompt(), "b> ");
    table.say(&["b1-b3", "a2-b2"]);
    assert_eq!(table.console.prompt(), "w> ", "the settings stay: White is still manual, and a2-b2 is illegal");
}

#[test]
fn the_limit_counts_the_moves_of_both_sides() {
    let mut table = manual(&["limit 1", "b1-b3"]);
    assert_eq!((table.printed(), table.errors.len()), (vec![], 0));
    table.say(&["a2-c2"]);
    assert_eq!(table.printed(), ["* Tie game."], "{:?}", table.errors);
    assert_eq!(table.console.prompt(), "-> ");
}

#[test]
fn a_winning_last_move_wins() {
    let mut table = manual(NEARLY_WON);
    table.say(&["set d6 - black", "set e6 black white", "limit 1", "a2-c2", "d4-d5"]);
    assert_eq!(table.printed(), ["* Black wins."], "{:?}", table.errors);
}

#[test]
fn a_limit_must_be_more_than_either_side_has_made() {
    let table = manual(&["b1-b3", "a2-c2", "d1-d3", "limit 2", "limit 3", "limit 1"]);
    assert_eq!(
        table.errors,
        [
            "limit `2`: expected more than the 2 moves that a side has made",
            "limit `1`: expected more than the 2 moves that a side has made"
        ]
    );
}

#[test]
fn new_resets_the_limit() {
    let mut table = manual(&["limit 1", "new", "b1-b3", "a2-c2"]);
    assert_eq!((table.printed(), table.errors.len()), (vec![], 0));
}

#[test]
fn set_is_not_a_move_and_does_not_end_the_game() {
    // White is connected, but the result is determined only after Black's move.
    let mut table = manual(&["limit 2"]);
    for rank in ["a3", "a4", "a5", "a6", "a7", "h2", "h3", "h4", "h5", "h6", "h7"] {
        table.say(&[&format!("set {rank} - black")]);
    }
    assert_eq!(table.printed(), Vec::<String>::new());
    table.say(&["b1-b3"]);
    assert_eq!(table.printed(), ["* White wins."], "{:?}", table.errors);
}

#[test]
fn a_side_without_moves_loses_only_if_it_is_automated() {
    let stuck = |table: &mut Table<Console>| {
        for file in "abcdefgh".chars() {
            for rank in 1..=8 {
                table.say(&[&format!("set {file}{rank} - white")]);
            }
        }
        for (square, side) in [("h8", "white"), ("g8", "black"), ("g7", "black"), ("h7", "black"), ("f8", "black")] {
            table.say(&[&format!("set {square} {side} white")]);
        }
        table.say(&["set a1 black white", "set h6 black white", "set f6 black white"]);
    };
    let mut table = manual(&[]);
    stuck(&mut table);
    table.say(&["moves"]);
    assert_eq!(table.printed(), ["no moves"]);
    table.say(&["h8-h7"]);
    assert_eq!(table.errors.len(), 1);
    assert_eq!(table.console.prompt(), "w> ");
    table.say(&["auto white"]);
    assert_eq!(table.printed(), ["* Black wins."]);
    assert_eq!(table.console.prompt(), "-> ");
}

#[test]
fn the_reason_is_given_for_a_square_without_moves() {
    let mut table = manual(&["moves a2", "moves d4", "set d6 - black"]);
    for square in ["a1", "b1", "a2", "b2", "c1", "c2", "c3", "a3", "b3", "c4", "d1"] {
        let side = if square == "a1" { "black" } else { "white" };
        table.say(&[&format!("set {square} {side} black")]);
    }
    table.say(&["moves a1"]);
    let expected = [
        "no moves: the piece on a2 is White's, and Black is to move",
        "no moves: d4 is empty",
        "no moves: the piece on a1 has no legal move",
    ];
    assert_eq!(table.printed(), expected, "{:?}", table.errors);
    let mut table = manual(&["limit 1", "b1-b3", "a2-c2", "moves", "moves a4"]);
    assert_eq!(table.printed(), ["* Tie game.", "no moves: the game is over", "no moves: the game is over"]);
}

#[test]
fn two_automated_players_play_to_the_end_before_the_next_line() {
    let mut table = fresh();
    table.say(&["seed 12347", "auto Black"]);
    let printed = table.printed();
    assert!(printed.last().is_some_and(|line| line.ends_with(" wins.") || line == "* Tie game."), "{printed:?}");
    assert!(printed.len() > 10 && printed.len() <= 61);
    assert_eq!(table.console.prompt(), "-> ");
}

#[test]
fn the_same_commands_give_the_same_moves_and_seeds_differ() {
    let play = |seed: Option<u32>| {
        let mut table = fresh();
        if let Some(seed) = seed {
            table.say(&[&format!("seed {seed}")]);
        }
        table.say(&["auto black"]);
        table.printed()
    };
    assert_eq!(play(None), play(None));
    assert_eq!(play(Some(5)), play(Some(5)));
    let different: std::collections::HashSet<Vec<String>> = (0..6).map(|seed| play(Some(seed))).collect();
    assert!(different.len() >= 4, "{}", different.len());
}

#[test]
fn undo_goes_back_to_the_persons_own_move() {
    let mut table = fresh();
    table.say(&["undo"]);
    assert_eq!(table.errors, ["nothing to undo"]);
    table.say(&["b1-b3", "undo", "manual white", "b1-b3"]);
    assert_eq!((table.errors.len(), table.console.prompt()), (1, "w> ".to_owned()));
}

#[test]
fn quit_ends_and_help_names_every_command() {
    let mut table = fresh();
    assert_eq!(table.console.line(b" QUIT now", &mut table.seen), Ok(Flow::Quit));
    table.say(&["help"]);
    let help = table.printed().join("\n");
    for command in
        ["new", "auto", "manual", "set", "dump", "seed", "limit", "help", "quit", "board", "moves", "hint", "undo"]
    {
        assert!(help.contains(command), "{command}");
    }
    assert!(!help.contains(['*', '>']) && !help.contains("==="));
}

#[test]
fn arbitrary_bytes_are_an_error() {
    let mut table = fresh();
    let long = vec![b'x'; 100_000];
    for line in [&b"\xff\xfe\x00"[..], b"\0", b"set \xf0\x9f\x92\xa3 black white", &long] {
        assert!(table.console.line(line, &mut table.seen).is_err());
    }
}
