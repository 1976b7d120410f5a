//! Tests of each sentence in the specification of the `jump61` text interface.

use crate::common::{Table, quick};
use console::jump61::Console;
use console::{Flow, Session};

fn table(lines: &[&str]) -> Table<Console> {
    Table::at(Console::new(&quick()).expect("a player"), lines)
}

#[test]
fn a_two_by_two_game_is_won_and_announced_for_manual_moves() {
    let mut table = table(&["size 2", "manual Blue", "1 1", "1 2", "2 1", "dump", "1 2"]);
    assert_eq!(table.printed(), ["===", "    2r 2b", "    2r 1-", "===", "* Blue wins."]);
    assert_eq!(table.console.prompt(), "+> ");
    table.say(&["1 1"]);
    assert_eq!(table.errors, ["the game is over: expected `new` before another move"]);
    table.say(&["new", "dump"]);
    assert_eq!(table.printed(), ["===", "    1- 1-", "    1- 1-", "==="], "the size stays");
    assert_eq!(table.console.prompt(), "red> ");
}

#[test]
fn blue_is_automated_and_answers_without_a_period() {
    let mut table = table(&["1 1"]);
    let printed = table.printed();
    assert_eq!(printed.len(), 1);
    let words: Vec<&str> = printed[0].split(' ').collect();
    assert!(words[0] == "*" && words.len() == 3 && words[1..].iter().all(|w| w.parse::<u8>().is_ok()), "{printed:?}");
    assert_eq!(table.seen.logged, ["1 1"], "the program's own move is not logged");
}

#[test]
fn an_automated_side_moves_at_once_also_between_two_sets() {
    let mut table = table(&["size 4", "set 1 1 2 r"]);
    assert_eq!(table.printed().len(), 1, "Blue was to move");
    assert_eq!(table.console.prompt(), "red> ");
}

#[test]
fn set_puts_spots_and_determines_the_side_to_move() {
    let mut table = table(&["size 4", "manual blue", "set 1 1 2 r"]);
    assert_eq!(table.console.prompt(), "blue> ");
    table.say(&["set 2 1 2 B", "dump"]);
    assert_eq!(table.printed()[1..3], ["    2r 1- 1- 1-", "    2b 1- 1- 1-"]);
    assert_eq!(table.console.prompt(), "red> ");
    table.say(&["set 2 1 0 b", "dump"]);
    assert_eq!(table.printed()[2], "    1- 1- 1- 1-", "0 spots make the square neutral, with one spot");
    table.say(&["set 1 1 3 r", "set 0 1 1 r", "set 1 5 1 r", "set 1 1 1 x", "set 1 1 1", "set 1 1 -1 r"]);
    assert_eq!(
        table.errors,
        [
            "3 spots on 1:1: expected at most 2, its number of neighbours",
            "row `0`: expected a whole number from 1 to 4",
            "column `5`: expected a whole number from 1 to 4",
            "side `x`: expected `red`, `r`, `blue` or `b`",
            "`set` needs more: expected `set ROW COLUMN N SIDE`",
            "spots `-1`: expected a whole number from 0 to 2",
        ]
    );
    table.say(&["size 2", "set 1 1 5 r", "set 1 1 300 r"]);
    assert_eq!(
        table.errors[6..],
        [
            "5 spots on 1:1: expected at most 2, its number of neighbours",
            "spots `300`: expected a whole number from 0 to 2"
        ]
    );
}

#[test]
fn moves_can_be_typed_in_the_form_of_the_list() {
    let mut table = table(&["size 2", "manual blue", "moves"]);
    assert_eq!(table.printed(), ["moves (row:column):", "  1:1 1:2 2:1 2:2"]);
    table.say(&["1:1", "1:2 and more", "2:1", "1:", ":1", "1:1:1", "3:1", "1:2"]);
    assert_eq!(
        table.errors,
        [
            "column ``: expected a whole number from 1 to 2",
            "unknown command `:1`: expected a command (`help` lists them) or a move such as `1 2`",
            "column `1:1`: expected a whole number from 1 to 2",
            "row `3`: expected a whole number from 1 to 2",
        ]
    );
    assert_eq!(table.printed(), ["* Blue wins."]);
    table.say(&["moves"]);
    assert_eq!(table.printed(), ["no moves: the game is over"]);
}

#[test]
fn a_board_won_by_set_is_announced_and_set_resumes_play() {
    let mut table = table(&["size 2", "manual blue", "set 1 1 1 b", "set 1 2 1 b", "set 2 1 1 b"]);
    assert_eq!(table.printed(), Vec::<String>::new());
    table.say(&["set 2 2 1 b"]);
    assert_eq!(table.printed(), ["* Blue wins."]);
    assert_eq!(table.console.prompt(), "+> ");
    table.say(&["set 2 2 2 b"]);
    assert_eq!(table.printed(), Vec::<String>::new(), "the board was already won");
    table.say(&["set 2 2 0 b", "1 1"]);
    assert_eq!(table.errors.len(), 1, "Blue's square");
    assert_eq!(table.console.prompt(), "red> ");
    table.say(&["2 2"]);
    assert_eq!(table.errors.len(), 1);
}

#[test]
fn commands_may_be_abbreviated_if_unambiguous() {
    let mut table = table(&["man b", "AUT Blue", "m b", "d", "si 3", "ver", "qui", "h", "n", "se", "s", "x"]);
    assert_eq!(
        table.errors,
        [
            "ambiguous command `qui`: expected one of `quiet`, `quit`",
            "ambiguous command `se`: expected one of `seed`, `set`",
            "ambiguous command `s`: expected one of `seed`, `set`, `size`",
            "unknown command `x`: expected a command (`help` lists them) or a move such as `1 2`",
        ]
    );
    assert_eq!(table.console.line(b"q", &mut table.seen), Ok(Flow::Quit));
}

#[test]
fn refused_moves_change_nothing() {
    let table = table(&["manual blue", "1 1", "1 1", "7 1", "1", "1 0", "99999999999999999999 1", "-1 2", "1 x"]);
    assert_eq!(
        table.errors,
        [
            "illegal move 1:1: the square is Red's",
            "row `7`: expected a whole number from 1 to 6",
            "`1` needs more: expected `ROW COLUMN`",
            "column `0`: expected a whole number from 1 to 6",
            "row `99999999999999999999`: expected a whole number from 1 to 6",
            "row `-1`: expected a whole number from 1 to 6",
            "column `x`: expected a whole number from 1 to 6",
        ]
    );
    assert_eq!(table.console.prompt(), "blue> ");
}

#[test]
fn sizes_go_from_two_to_ten() {
    let mut table = table(&["size 1", "size 11", "size", "size 10", "dump"]);
    assert_eq!(table.errors.len(), 3);
    assert_eq!(table.printed().len(), 12);
}

#[test]
fn two_automated_players_play_to_the_end() {
    let mut table = table(&["size 4", "seed 7", "auto red"]);
    let printed = table.printed();
    assert!(printed.last().is_some_and(|line| line.ends_with(" wins.")));
    assert_eq!(table.console.prompt(), "+> ");
}

#[test]
fn verbose_asks_for_the_board_after_every_move() {
    let mut table = table(&["manual blue", "verbose", "1 1", "quiet", "2 2", "board"]);
    assert_eq!((table.seen.boards, table.errors.len()), (3, 0));
    table.say(&["help", "moves", "hint", "undo"]);
    assert!(!table.printed().join("\n").contains(['*', '>']));
}

#[test]
fn other_spellings_are_read_only_if_enabled() {
    let spelled = ["size 4", "manual blue", "1-1", "4 - 4", "1.2", "4x3", "4-4", "4:4"];
    let console = Console::new(&quick()).expect("a player").with_all_spellings();
    let table = Table::at(console, &spelled);
    assert_eq!(table.errors, ["illegal move 4:4: the square is Blue's"; 2]);
    let course = Table::at(Console::new(&quick()).expect("a player"), &["size 4", "manual blue", "1-1", "1x1"]);
    assert_eq!((course.errors.len(), course.console.prompt().as_str()), (2, "red> "));
}
