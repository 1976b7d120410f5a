//! Opening books: their format, and players that use them.

use std::collections::HashSet;

use engine::{Book, BookLine, Playable, PlayerOptions, Resources};
use game::{Position as _, Record};
use search::{Control, Score};

const START: &str = "-bb-/w--w/w--w/-bb- b";

#[test]
fn moves_stand_in_the_order_of_their_values() {
    let error = Book::read::<loa::Position>(&line("b1-b3 27,b1-d3 30")).expect_err("no order").to_string();
    assert!(error.starts_with("line 2: ") && error.contains("order of their values"), "{error}");
}

fn line(moves: &str) -> String {
    format!("# a book\n{START};9;{moves}\n")
}

#[test]
fn all_images_of_good_moves_are_played_and_bad_ones_are_not() {
    let book = Book::read::<loa::Position>(&line("b1-b3 30,b1-d3 27,b1-a1 9")).expect("a book");
    let p: loa::Position = START.parse().expect("a position");
    let choose = |seed| book.choose(&p, seed).expect("the start is in it");
    let played: HashSet<String> = (0..200).map(|seed| choose(seed).best.to_string()).collect();
    let expected = ["b1-b3", "c1-c3", "b4-b2", "c4-c2", "b1-d3", "c1-a3", "b4-d2", "c4-a2"];
    assert_eq!(played, HashSet::from(expected.map(str::to_owned)));
    let choice = choose(3);
    assert_eq!((choice.depth, choice.nodes, choice.pv), (9, 0, vec![choice.best]));
    assert!([30, 27].map(Score::units).contains(&choice.score));
    assert_eq!(book.choose(&p.child(choice.best), 3), None);
}

/// Checks a book, the positions in it, and the start position of its game.
fn built_in<P: Playable>(start: &P) {
    let book = start.book().expect("a book");
    assert!(book.positions() > 20, "{start}: {} positions", book.positions());
    for seed in 0..20 {
        let mut p = start.clone();
        let mut plies = 0;
        while let Some(choice) = book.choose(&p, seed) {
            p.play(choice.best);
            plies += 1;
        }
        assert!(plies >= 3, "{start}: {plies} plies of the book with seed {seed}");
    }
}

#[test]
fn built_in_books_go_on_for_some_plies() {
    built_in(&loa::Position::start(8).expect("a size"));
    built_in(&loa::Position::start(8).expect("a size").with_rules(loa::Rules::Olympiad));
    built_in(&jump61::Position::start(6).expect("a size"));
    built_in(&breakthrough::Position::start(8).expect("a size"));
    built_in(&checkers::Position::start());
}

#[test]
fn a_player_plays_from_its_book_unless_it_is_asked_for_a_depth() {
    let start = loa::Position::start(8).expect("a size");
    let game = Record::new(start);
    let choose = |words: &str| {
        let options: PlayerOptions = words.parse().expect("a player");
        let mut player = options.make(&start, &Resources::default()).expect("a player");
        let choice = player.engine.choose(&game, &player.limits, &mut Control::unattended());
        choice.map(|choice| choice.nodes)
    };
    assert_eq!(choose("nodes=500"), Some(0));
    assert_eq!(choose("level=8"), Some(0));
    for words in ["nodes=500,book=no", "level=7", "depth=2"] {
        assert!(choose(words).is_some_and(|nodes| nodes > 0), "{words}");
    }
}

#[test]
fn a_position_that_comes_again_is_searched() {
    let mut game = Record::new(loa::Position::start(8).expect("a size"));
    let mut player = "nodes=500".parse::<PlayerOptions>().expect("a player");
    player.noise = Some(0);
    let mut player = player.make(game.position(), &Resources::default()).expect("a player");
    for nodes_wanted in [false, true] {
        let choice = player.engine.choose(&game, &player.limits, &mut Control::unattended()).expect("a move");
        assert_eq!(choice.nodes > 0, nodes_wanted);
        for m in ["b1-b3", "a2-c2", "b3-b1", "c2-a2"] {
            game.play(game.position().parse_move(m).expect("a legal move"));
        }
    }
}

#[test]
fn books_with_faults_are_refused() {
    let read = |text: &str| Book::read::<loa::Position>(text).map(|book| book.positions());
    assert_eq!(read(&line("b1-b3 30")), Ok(1));
    for (text, part) in [
        (line("b1-b3"), "line 2: `-bb-/w--w"),
        (line("b1-b4 3"), "line 2: `b1-b4`: illegal"),
        (line("b1-b3 3") + &line("b1-b3 3"), "line 4: the position has come before"),
        ("--b-/----/w---/---- b;9;c4-d4 3".to_owned(), "another image"),
        ("x;9;c4-d4 3".to_owned(), "line 1: `x`"),
    ] {
        let error = read(&text).expect_err(&text).to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn what_is_written_is_read() {
    let line: BookLine = format!("{START};9;b1-b3 30,b1-d3 -7").parse().expect("a line");
    assert_eq!(line.to_string().parse(), Ok(line));
}
