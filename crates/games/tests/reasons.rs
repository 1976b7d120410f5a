//! Tests of the explanations of moves. Each statement is checked by code that is independent of the tested code.

use std::collections::BTreeSet;

use engine::{PlayerOptions, Resources};
use game::{Argument, Message, Outcome, Side, SplitMix64};
use games::{AnyRecord, Asked, Change, Edit, Game, GameId, Place, Spot, Thought};
use reference::Model as _;
use reference::loa::Loa;
use search::{Host, Stop};

fn position(game: GameId, text: &str) -> Box<dyn AnyRecord> {
    game.position(Some(text), None).expect("a position")
}

fn think(record: &dyn AnyRecord, nodes: u64) -> Option<Thought> {
    let player = PlayerOptions { nodes: Some(nodes), ..PlayerOptions::analysis() };
    let asked = Asked { player: &player, resources: &Resources::default(), host: Host::NONE, seed: 1 };
    record.think(&asked, Stop::new(), &mut |_| ()).expect("a player")
}

/// Returns the game after a line.
fn after(record: &dyn AnyRecord, line: &str) -> Box<dyn AnyRecord> {
    let mut record = record.cloned();
    for mv in line.split(' ').filter(|&mv| mv != "…") {
        record.try_play(mv).expect("a legal move");
    }
    record
}

/// Returns the explanation of a move, after checking that the explanation is true.
fn reason(record: &dyn AnyRecord, mv: &str, nodes: u64) -> Option<Message> {
    let next = after(record, mv);
    let reason = record.reason(mv, &think(record, nodes)?, think(&*next, nodes).as_ref())?;
    check(record, &*next, mv, &reason);
    Some(reason)
}

fn argument(message: &Message, name: &str) -> String {
    match &message.args[name] {
        Argument::Text(text) => text.clone(),
        Argument::Message(message) => message.text.clone(),
    }
}

fn number(message: &Message, name: &str) -> usize {
    argument(message, name).parse().expect("a number")
}

fn side(record: &dyn AnyRecord, message: &Message) -> usize {
    let name = argument(message, "side");
    record.scene().sides.iter().position(|side| *side == name).expect("a side")
}

/// Checks that the explanation of a move is true.
fn check(before: &dyn AnyRecord, next: &dyn AnyRecord, mv: &str, reason: &Message) {
    match reason.code {
        "reason.missed_win" => check_win(before, before.scene().turn, reason),
        "reason.wins" => check_win(next, side(before, reason), reason),
        "reason.gives_win" => assert_eq!(winner(next), Some(side(before, reason)), "{reason}"),
        "reason.only_move" => {
            assert_eq!(argument(reason, "mv"), mv);
            let opponent = side(before, reason);
            for other in moves(before) {
                let loses = wins_within(&*after(before, &other), opponent, 1);
                assert_eq!(loses, other != mv, "{other}: {reason}");
            }
        }
        "reason.then" => {
            let Argument::Message(fact) = &reason.args["fact"] else { panic!("no fact: {reason}") };
            compare(before, &*after(next, &argument(reason, "line")), fact);
        }
        _ => compare(before, next, reason),
    }
}

/// Checks a proven win by trying all moves if the win takes at most three plies.
fn check_win(record: &dyn AnyRecord, winner: usize, reason: &Message) {
    assert_eq!(side(record, reason), winner, "{reason}");
    after(record, &argument(reason, "line"));
    // In Lines of Action, the last move of a win may be the loser's move.
    let ends_itself = record.scene().turn == winner && record.game() != GameId::LOA;
    let plies = 2 * number(reason, "count") - usize::from(ends_itself);
    if plies <= 3 {
        assert!(wins_within(record, winner, plies), "{}: {reason}", record.position());
    }
}

fn moves(record: &dyn AnyRecord) -> Vec<String> {
    record.perft_divide(1).into_iter().map(|(mv, _)| mv).collect()
}

fn winner(record: &dyn AnyRecord) -> Option<usize> {
    record.outcome().and_then(Outcome::winner).map(Side::index)
}

/// Returns `true` if a side can force a win within `plies`. Tries all moves.
fn wins_within(record: &dyn AnyRecord, side: usize, plies: usize) -> bool {
    if record.outcome().is_some() || plies == 0 {
        return winner(record) == Some(side);
    }
    let wins = |mv: &String| wins_within(&*after(record, mv), side, plies - 1);
    if record.scene().turn == side { moves(record).iter().any(wins) } else { moves(record).iter().all(wins) }
}

/// Checks a statement that compares the position after the played line with the position after the best line.
fn compare(before: &dyn AnyRecord, played: &dyn AnyRecord, fact: &Message) {
    if fact.code == "reason.cut_off" {
        return assert!(needs_moves(&played.position(), fact), "{}: {fact}", played.position());
    }
    let side = side(before, fact);
    let best = after(before, &argument(fact, "best"));
    assert_eq!(count(played, side, fact.code), number(fact, "count"), "{}: {fact}", played.position());
    assert_eq!(count(&*best, side, fact.code), number(fact, "better"), "{}: {fact}", best.position());
}

/// Counts a quantity on the squares of the scene.
fn count(record: &dyn AnyRecord, side: usize, code: &str) -> usize {
    let scene = record.scene();
    let own = squares(&scene.rows, |spot| spot.1 == Some(side));
    let groups = || groups(&own).iter().map(Vec::len).collect::<Vec<_>>();
    let last = scene.size - 1;
    match code {
        "reason.pieces" | "reason.squares" => own.len(),
        "reason.groups" => groups().len(),
        "reason.outside" => own.len() - groups().into_iter().max().unwrap_or(0),
        "reason.moves" if scene.turn == side => scene.moves.len(),
        "reason.moves" => record.edit(Edit::Turn).expect("the side can pass").moves.len(),
        "reason.takes" => {
            assert_eq!(scene.turn, side);
            let left = scene.moves.iter().map(|way| after(record, &way.text).scene().pieces[1 - side]);
            scene.pieces[1 - side] - left.min().expect("a move")
        }
        "reason.leader" => {
            let men = squares(&scene.rows, |spot| spot.1 == Some(side) && spot.0 != "B" && spot.0 != "W");
            men.iter().map(|&[row, _]| if side == 0 { row } else { last - row }).min().expect("a piece")
        }
        "reason.unprotected" => {
            let theirs = squares(&scene.rows, |spot| spot.1 == Some(1 - side));
            own.iter().filter(|at| guards(&theirs, 1 - side, **at) && !guards(&own, side, **at)).count()
        }
        "reason.towers" => squares(&scene.rows, |spot| spot.0 == ["B", "W"][side]).len(),
        "reason.danger" => {
            assert_eq!(scene.turn, 1 - side);
            let jumps = scene.moves.iter().filter(|way| way.path[0][0].abs_diff(way.path[1][0]) == 2);
            let middle = |path: &[Place]| [0, 1].map(|i| usize::midpoint(path[0][i], path[1][i]));
            jumps.map(|way| middle(&way.path)).collect::<BTreeSet<Place>>().len()
        }
        code => panic!("unknown code {code}"),
    }
}

fn squares(rows: &[Vec<Spot>], is: impl Fn(&Spot) -> bool) -> Vec<Place> {
    let places = (0..rows.len()).flat_map(|row| (0..rows[row].len()).map(move |column| [row, column]));
    places.filter(|&[row, column]| is(&rows[row][column])).collect()
}

/// Returns `true` if one of these pawns attacks or protects a square.
fn guards(pawns: &[Place], side: usize, [row, column]: Place) -> bool {
    let from = |pawn: &&Place| pawn[0] == if side == 0 { row + 1 } else { row.wrapping_sub(1) };
    pawns.iter().filter(from).any(|pawn| pawn[1].abs_diff(column) == 1)
}

/// Divides squares into connected groups.
fn groups(squares: &[Place]) -> Vec<Vec<Place>> {
    let mut left = squares.to_vec();
    let mut groups = Vec::new();
    while let Some(seed) = left.pop() {
        let mut group = vec![seed];
        let mut next = 0;
        while next < group.len() {
            let [row, column] = group[next];
            let (near, far) = left.into_iter().partition(|[r, c]| r.abs_diff(row) < 2 && c.abs_diff(column) < 2);
            let _: &Vec<Place> = &near;
            group.extend(near);
            left = far;
            next += 1;
        }
        groups.push(group);
    }
    groups
}

/// Returns `true` if a piece needs the stated number of moves to connect, according to the reference implementation.
fn needs_moves(text: &str, fact: &Message) -> bool {
    let square = argument(fact, "square");
    let size = text.split('/').count();
    let place =
        |name: &str| [size - (name[1..].parse::<usize>().expect("a rank")), usize::from(name.as_bytes()[0] - b'a')];
    let at = |text: &str, [row, column]: Place| text.split('/').nth(row).expect("a row").as_bytes()[column];
    let colour = at(text, place(&square));
    let own = |text: &str| {
        let places = (0..size).flat_map(|row| (0..size).map(move |column| [row, column]));
        places.filter(|&place| at(text, place) == colour).collect::<Vec<_>>()
    };
    let turned = |text: &str| format!("{} {}", &text[..text.len() - 2], char::from(colour));
    assert!(groups(&own(text)).contains(&vec![place(&square)]), "{square} is alone: {text}");
    let mut level = vec![(turned(text), square.clone())];
    let mut seen = BTreeSet::from([turned(text)]);
    for count in 1..=number(fact, "count") {
        let mut next = Vec::new();
        for (text, from) in level {
            let p = Loa::parse(&text).expect("a position");
            for mv in p.moves().into_iter().filter(|mv| mv.starts_with(&format!("{from}-"))) {
                let to = mv.split('-').nth(1).expect("two squares").to_owned();
                let child = turned(&p.play(&mv).expect("legal").text());
                let joined =
                    groups(&own(&child)).into_iter().find(|group| group.contains(&place(&to))).expect("its group");
                if joined.len() > 1 {
                    return count == number(fact, "count");
                }
                if seen.insert(child.clone()) {
                    next.push((child, to));
                }
            }
        }
        level = next;
    }
    false
}

#[test]
fn statements_about_random_games_are_true() {
    let mut codes = BTreeSet::new();
    for game in GameId::BUILT_IN {
        for seed in 0..2 {
            let mut random = SplitMix64::new(seed);
            let size = (game == GameId::LOA && seed % 2 == 0).then_some(6);
            let mut record = game.start(size).expect("a size of the game");
            for _ in 0..60 {
                if record.scene().end.is_some() {
                    break;
                }
                let mv = random.choose(&moves(&*record)).expect("a move").clone();
                codes.extend(reason(&*record, &mv, 1_000).map(|reason| match reason.args.get("fact") {
                    Some(Argument::Message(fact)) => fact.code,
                    _ => reason.code,
                }));
                record.try_play(&mv).expect("legal");
            }
        }
    }
    assert!(codes.len() >= 6, "{codes:?}");
}

/// Returns the code, side and value of each quantity of a position.
fn quantities<P: Game>(text: &str) -> Vec<(&'static str, usize, Option<u32>)> {
    let p: P = text.parse().expect("a position");
    let change = |count| Change {
        side: Message::name("Black"),
        count,
        better: 1,
        best: "b1-b3".to_owned(),
        square: "b1".to_owned(),
    };
    let all = P::quantities(&p).into_iter();
    all.map(|q| ((q.sentence)(&change(q.value.unwrap_or(2))).code, q.side.index(), q.value)).collect()
}

#[test]
fn quantities_equal_the_counts_on_the_board() {
    // The piece on a7 needs two moves to connect: to c5, then to c4, which is adjacent to d3.
    let loa = quantities::<loa::Position>("--------/b-------/--------/--------/--------/---bb---/--------/-w-----w b");
    for expected in [("reason.cut_off", 0, Some(2)), ("reason.groups", 0, Some(2)), ("reason.outside", 0, Some(1))] {
        assert!(loa.contains(&expected), "{expected:?} in {loa:?}");
    }
    let checkers = quantities::<checkers::Position>(&checkers_text());
    for expected in [
        ("reason.pieces", 0, Some(2)),
        ("reason.towers", 0, Some(1)),
        ("reason.danger", 1, Some(1)),
        ("reason.danger", 0, None),
        ("reason.leader", 0, Some(4)),
    ] {
        assert!(checkers.contains(&expected), "{expected:?} in {checkers:?}");
    }
    let jump61 = quantities::<jump61::Position>("2r2b1-/1-1-1-/1-1-1-");
    for expected in [("reason.squares", 0, Some(1)), ("reason.squares", 1, Some(1)), ("reason.takes", 0, Some(1))] {
        assert!(jump61.contains(&expected), "{expected:?} in {jump61:?}");
    }
    let breakthrough = quantities::<breakthrough::Position>("--b-/-b--/w---/---- w");
    for expected in [
        ("reason.pieces", 1, Some(2)),
        ("reason.unprotected", 1, Some(0)),
        ("reason.leader", 0, Some(2)),
        ("reason.leader", 1, Some(2)),
    ] {
        assert!(breakthrough.contains(&expected), "{expected:?} in {breakthrough:?}");
    }
    let alone = quantities::<breakthrough::Position>("b---/-b--/w---/---- w");
    assert!(alone.contains(&("reason.unprotected", 1, Some(0))), "guarded from a4: {alone:?}");
    let loose = quantities::<breakthrough::Position>("---b/-b--/w---/---- w");
    assert!(loose.contains(&("reason.unprotected", 1, Some(1))), "{loose:?}");
}

/// Returns a position with Black to move. Black has a tower and a man, and the man can capture a white man.
fn checkers_text() -> String {
    let mut rows = [[b'.'; 8]; 8];
    (rows[4][3], rows[3][4], rows[7][0], rows[0][1]) = (b'b', b'w', b'B', b'w');
    rows.map(|row| String::from_utf8(row.to_vec()).expect("ASCII")).join("/") + " b"
}

#[test]
fn proven_wins_take_precedence_over_quantities() {
    // Black connects with b3-b2 and other moves.
    let start = "w---/-b--/----/b--w b";
    let record = position(GameId::LOA, start);
    let missed = reason(&*record, "b3-c3", 5_000).expect("a reason");
    assert_eq!(missed.code, "reason.missed_win", "{missed}");
    assert!(missed.text.starts_with("Black had a win in 1 move: "), "{missed}");
    // White's pawn is one step from the last rank.
    let race = position(GameId::BREAKTHROUGH, "--b--b/w-----/------/------/b-----/-w---w b");
    let allowed = reason(&*race, "f6-f5", 5_000);
    let allowed = allowed.or_else(|| reason(&*race, "c6-c5", 5_000)).expect("a reason");
    assert!(["reason.wins", "reason.missed_win"].contains(&allowed.code), "{allowed}");
    // Only the capture stops White.
    let only = position(GameId::BREAKTHROUGH, "-b-b/w---/----/--w- b");
    let found = reason(&*only, "b4xa3", 5_000).expect("a reason");
    assert!(["reason.only_move", "reason.wins"].contains(&found.code), "{found}");
}
