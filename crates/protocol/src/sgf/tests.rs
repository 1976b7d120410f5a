use game::{Position as _, SplitMix64};

use super::*;
use loa::Rules;

/// Returns a random tree from a random start. Every node has annotations.
fn random_game(seed: u64) -> Option<Game> {
    let mut rng = SplitMix64::new(seed);
    let mut start = Position::start(4 + rng.below(5)).expect("a size");
    for _ in 0..7 {
        let legal = start.legal_moves();
        let Some(&m) = rng.choose(&legal) else { break };
        start.play(m);
    }
    if start.outcome().is_some() {
        return None;
    }
    let mut nodes = vec![Node { comment: "a \\ ] [b]\n(;B[a1-a2])".to_owned(), ..Node::default() }];
    let mut positions = vec![start];
    let mut parent = 0;
    while nodes.len() < 60 {
        let legal = if parent > 0 && positions[parent].outcome().is_some() {
            Vec::new()
        } else {
            positions[parent].legal_moves()
        };
        let known = |m: &loa::Move| nodes.iter().skip(1).any(|n| n.parent == parent && n.text == m.to_string());
        match rng.choose(&legal).copied().filter(|m| !known(m)) {
            Some(m) => {
                let square = Square::new(rng.below(4) as u8, rng.below(4) as u8).expect("on every board");
                nodes.push(Node {
                    parent,
                    text: m.to_string(),
                    comment: if rng.below(3) == 0 { format!("ply {parent}: é\\") } else { String::new() },
                    mark: rng.choose(&Mark::ALL).map(|&(mark, _)| mark).filter(|_| seed.is_multiple_of(2)),
                    shapes: vec![Shape::Circle(square), Shape::Arrow(square, m.to)],
                    other: vec![("LB".to_owned(), vec!["a1:x]".to_owned(), String::new()])],
                });
                positions.push(positions[parent].child(m));
                parent = nodes.len() - 1;
            }
            None => parent = rng.below(nodes.len()),
        }
        if rng.below(6) == 0 {
            parent = rng.below(nodes.len());
        }
    }
    let players = ["A \\ ] [b]".to_owned(), "W".to_owned()];
    Some(Game { players, result: "B+".to_owned(), start: Some(start.to_string()), nodes, ..Game::default() })
}

#[test]
fn random_trees_come_back_as_they_were() {
    let mut branched = 0;
    for game in (0..60).filter_map(random_game) {
        let read_once = read(&game.to_string()).expect("our own file");
        // The parsed tree is in order, unlike the random tree.
        assert_eq!(read_once[0].nodes.len(), game.nodes.len());
        assert_eq!(read_once[0].to_string(), game.to_string());
        assert_eq!(read(&read_once[0].to_string()), Ok(read_once.clone()));
        let key = |node: &Node| (node.text.clone(), node.comment.clone(), node.mark, node.shapes.clone());
        let sorted = |nodes: &[Node]| {
            let mut keys: Vec<_> = nodes.iter().map(|node| format!("{:?}{:?}", key(node), node.other)).collect();
            keys.sort();
            keys
        };
        assert_eq!(sorted(&read_once[0].nodes), sorted(&game.nodes));
        assert_eq!(read_once[0].main_line(), game.main_line());
        branched += usize::from(game.main_line().len() + 1 < game.nodes.len());
    }
    assert!(branched > 30, "{branched}");
}

#[test]
fn an_empty_board_comes_back() {
    let game = Game { start: Some("----/----/----/---- w".to_owned()), ..Game::default() };
    assert_eq!(read(&game.to_string()), Ok(vec![game]));
}

#[test]
fn variations_comments_and_marks_are_read() {
    let text = "(;GM[9]C[a (b] ;B[b1-b3]BM[2]CR[b3][b1]AR[b1:b3]C[first]\r\n (;W[a2:c2++];B[resign]C[gives up]) (;W[h2-f2]TE[1]N[x]))\n(;GM[9])";
    let games = read(text).expect("two games");
    let [start, first, main, other] = &games[0].nodes[..] else { panic!("{:?}", games[0].nodes) };
    assert_eq!(games[0].main_line(), ["b1-b3", "a2-c2"]);
    assert_eq!((start.comment.as_str(), first.comment.as_str()), ("a (b", "first"));
    assert_eq!((first.mark, first.shapes.len()), (Some(Mark::VeryBad), 3));
    assert_eq!(main.comment, "gives up", "what is no move is said of the move before");
    assert_eq!((other.parent, other.text.as_str(), other.mark), (1, "h2-f2", Some(Mark::Good)));
    assert_eq!(other.other, [("N".to_owned(), vec!["x".to_owned()])]);
    assert_eq!(games[1], Game::default());
}

#[test]
fn a_variation_that_begins_like_another_is_joined_with_it() {
    let games = read("(;GM[9];B[b1-b3](;W[a2-c2])(;W[a2-c2];B[b3-e3]C[x]))").expect("a game");
    assert_eq!(games[0].main_line(), ["b1-b3", "a2-c2", "b3-e3"]);
    assert_eq!(games[0].nodes.len(), 4);
}

#[test]
fn brackets_may_nest_deeper_than_a_stack() {
    let deep = format!("(;GM[9]{}{}", "(;C[x]".repeat(100_000), ")".repeat(100_001));
    assert_eq!(read(&deep).expect("a game")[0].nodes.len(), 1);
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    for (text, part) in [
        ("hello", "column 1: `h` found"),
        ("é(;GM[9])", "column 1: `é` found"),
        ("(;GM[1])", "column 3: GM[1]"),
        ("(;GM[9]\n;B[b1-b3]\n ;W[a2-a5])", "line 3, column 3: W[a2-a5]: a2-a5 is not legal: "),
        (
            "(;GM[9];B[b1-b3](;W[a2-d2])(;W[a2-c2]))",
            "column 19: W[a2-d2]: a2-d2 is not legal: two pieces stand on rank 2, so",
        ),
        (
            "(;GM[9]SU[Parachute];B[b1-b3])",
            "SU[Parachute]: this start is not supported, expected Standard or Scrambled-eggs",
        ),
        ("(;GM[9]RU[MSO];B[b1-b3];W[pass];B[c1-c3])", "B[c1-c3]: it follows a pass by a side that has a legal move"),
        ("(;GM[9]Setup[Gemini])", "SU[Gemini]"),
        ("(;GM[9];B[b1-b3];W[pass];B[c1-c3])", "B[c1-c3]: it follows a pass"),
        ("(;GM[9];B[b1-b3])\u{1a}x", "`\\u001a` found"),
        ("(;GM[9];B[zz])", "column 9: B[zz]"),
        ("(;GM[9];B[b1-b3junk])", "B[b1-b3junk]"),
        ("(;GM[9];B[b1-b3]W[a2-c2])", "a node has one move"),
        ("(;GM[9];B[b1-b3];AB[c3])", "before the first move"),
        ("(;GM[9]SZ[4]AB[b1][c1]AW[a4]PL[B];B[b1-b2];W[a4-a3])", "the game is over"),
        ("(;GM[9];W[a2-c2])", "other side's turn"),
        ("(;GM[9]SZ[9])", "expected 4 to 8"),
        ("(;GM[9]AB[i1])", "square"),
        ("(;GM[9]SZ[4]AB[h8])", "not on this board"),
        ("()", "a node"),
    ] {
        let error = read(text).expect_err(text).to_string();
        assert!(error.contains(part) && error.starts_with("SGF, line "), "{text}: {error}");
    }
}

#[test]
fn rules_and_starts_are_read_and_written() {
    let file = "(;FF[4]GM[9]SZ[8]SU[Scrambled-eggs];B[b1-b3])"; // `scrambled.sgf` of the small cases
    let eggs = &read(file).expect("a game")[0];
    assert_eq!(Position::scrambled_eggs(8), Ok(eggs.position()));
    assert!(eggs.to_string().contains("SU[Scrambled-eggs]\n;B[b1-b3]"), "{eggs}");
    let both = &read("(;GM[9]SZ[6]RU[Olympiad]SU[scrambled eggs])").expect("a game")[0];
    assert_eq!(both.position(), Position::scrambled_eggs(6).expect("a size").with_rules(Rules::Olympiad));
    assert!(both.to_string().contains("RU[MSO]SU[Scrambled-eggs]"), "{both}");
    for game in [eggs, both] {
        assert_eq!(read(&game.to_string()).as_deref(), Ok(&[game.clone()][..]));
    }
    let other = &read("(;GM[9]RU[club];B[b1-b3])").expect("a game")[0];
    assert_eq!(
        (other.position().rules(), &*other.nodes[0].other),
        (Rules::Courses, &[("RU".into(), vec!["club".into()])][..])
    );
}

#[test]
fn a_pass_is_a_move_by_the_rules_of_the_olympiads() {
    let stuck = "(;GM[9]SZ[6]RU[mso]AB[d6][e6][e5][f5][d4][a2][b2][b1]AW[f6][a1]PL[W]";
    let game = &read(&format!("{stuck};W[pass];B[d4-d2];W[Pass])")).expect("a game")[0];
    assert_eq!(game.main_line(), ["pass", "d4-d2", "pass"]);
    assert_eq!(read(&game.to_string()).as_deref(), Ok(&[game.clone()][..]));
    let courses =
        read(&format!("{};W[pass];B[d4-d2])", stuck.replace("RU[mso]", ""))).expect_err("no pass").to_string();
    assert!(courses.contains("B[d4-d2]: it follows a pass, and the rules have none"), "{courses}");
}

#[test]
fn a_file_that_ends_too_early_is_reported_without_a_place() {
    for text in ["", "(;GM[9]B[b1", "(;GM[9]", "(;GM[9];B[b1-b3](;W[a2-c2])", "(;GM", "(;GM[9]C[x\\"] {
        assert_eq!(read(text).expect_err(text).to_string(), "The file ends too early.", "{text}");
    }
}

#[test]
fn a_bad_game_does_not_cost_the_collection() {
    let good = "(;FF[4]GM[9];B[b1-b3];W[a2-c2])";
    for (bad, part) in [
        ("(;FF[4]GM[9];B[b1-b4])", "line 2, column 14: B[b1-b4]: b1-b4 is not legal"),
        ("(;GM[9]SU[Parachute];B[b1-b3])", "SU[Parachute]"),
        ("(;GM[1];B[dd])", "GM[1]"),
        ("(;GM[9];B[b1-b3]\n(;W[h2-f2])", "line 4, column 1: `(` found, expected `)` before the next game"),
        ("(;GaMe[9];B[b1-b3];W", "line 3, column 1: `(` found, expected `[`"),
        (";B[b1-b3])", "line 2, column 1: `;` found, expected `(`"),
        ("2. c1-c3\n\n(;W[a2-c2])", "line 2, column 1: `2` found"),
    ] {
        let games = read_each(&format!("{good}\n{bad}\n{good}\n"));
        let [first, error, last] = &games[..] else { panic!("{bad}: {games:?}") };
        assert!(first.is_ok() && first == last, "{games:?}");
        let error = error.as_ref().expect_err(bad).to_string();
        assert!(error.contains(part), "{bad}: {error}");
        assert_eq!(read(&format!("{good}\n{bad}\n{good}\n")).map_err(|error| error.to_string()), Err(error));
    }
    let many = "(;GM[9]\n".repeat(20_000);
    assert_eq!(read_each(&many).len(), 20_000);
    assert!(matches!(&read_each("")[..], [Err(_)]));
}

#[test]
fn a_bad_variation_does_not_cost_the_file() {
    let text = "(;GM[9];B[b1-b3]C[first](;W[a2-c2];B[d1-d3])(;W[a2-h7];B[d1-d3](;W[h2-f2])(;W[zz]))(;W[h2-f2](;B[d1-d3];W[h7-f7])))";
    let game = read(text).expect("a game").remove(0);
    assert_eq!(game.main_line(), ["b1-b3", "a2-c2", "d1-d3"]);
    let moves: Vec<_> = game.nodes.iter().map(|node| (node.parent, node.text.as_str())).collect();
    assert_eq!(moves, [(0, ""), (0, "b1-b3"), (1, "a2-c2"), (2, "d1-d3"), (1, "h2-f2"), (4, "d1-d3"), (5, "h7-f7")]);
    let left_out = game.left_out.clone().expect("four moves are left out");
    assert_eq!((left_out.count, left_out.in_main_line), (4, false));
    let first = left_out.first.to_string();
    assert!(first.starts_with("SGF, line 1, column 47: W[a2-h7]: a2-h7 is not legal: "), "{first}");
    assert_eq!(game.nodes[1].comment, "first");
    assert_eq!(read(&game.to_string()), Ok(vec![Game { left_out: None, ..game }]));
    // The whole rest of a variation is skipped, including the variations in it.
    let deep = format!("(;GM[9];B[b1-b3](;W[a2-c2])(;W[zz]{}{}))", "(;B[d1-d3]".repeat(3), ")".repeat(3));
    assert_eq!(read(&deep).expect("a game")[0].nodes.len(), 3);
}

#[test]
fn the_main_line_is_kept_up_to_its_first_illegal_move() {
    let text = "(;GM[9];B[b1-b3];W[a2-a9]C[x];B[d1-d3];W[resign])";
    let game = read_legal(text).remove(0).expect("a game");
    assert_eq!(game.main_line(), ["b1-b3"]);
    let left_out = game.left_out.expect("two moves are left out");
    assert_eq!((left_out.count, left_out.in_main_line), (2, true));
    assert_eq!(read(text), Err(left_out.first));
    assert!(read_legal("(;GM[9];B[a2-a9];W[a2-c2])")[0].is_err(), "no move is legal");
}

#[test]
fn files_of_other_programs_and_times_are_read() {
    for text in [
        "\u{feff}(;GM[LOA]VV[1]SU[Standard]P0[id \"x\"]P1[id \"y\"];B[1 b1-b3];W[2 a2-c2]TM[1200];B[3 resign])",
        "(;FF[3]GaMe[9]PlayerBlack[x]PlayerWhite[y];Black[b1b3];White[a2 c2])",
        "(;GM[9]PB[x]PW[y]AB2C[z];B[b1:b3];W[A2C2];B[pass])\n\u{1a}",
        "(;Game[9]Size[8]PlayerBlack[x]PlayerWhite[y]SetUp[standard];Black[b1-b3];White[a2-c2])",
        "(;GaMe[9]SiZe[8]PB[x]PW[y];B[B1-B3];W[A2xC2])\r\n\u{1a}\u{1a}\n",
        "(;GM[LOA]VV[1]P0[id \"x\"]P1[id \"y\"]P0[0 Start P0];P0[1 b1-b3];P1[2 a2-c2];P0[3 resign])\u{1a}",
        "(;GM[9]SU[]XY12[z];B[b1-b3];W[a2-c2];B[pass])",
    ] {
        let game = read(text).unwrap_or_else(|error| panic!("{text}: {error}")).remove(0);
        assert_eq!(game.main_line(), ["b1-b3", "a2-c2"], "{text}");
        assert!(game.players == ["x", "y"] || text.contains("XY12"), "{text}: {:?}", game.players);
        assert_eq!(read(&game.to_string()), Ok(vec![game]), "{text}");
    }
}
