use std::thread;
use std::time::Duration;

use plyhouse::game::{Outcome, Side};
use plyhouse::prelude::*;
use serde_json::json;

use crate::bot::Bot;
use crate::mock::{Fault, Mock, TOKEN};
use crate::seat::{VARIANTS, is_playable, replay};
use crate::site::{Pace, Site, SiteError};

/// Short waits. On a busy machine the mock may be silent for seconds, so only the test of silence has a shorter
/// timeout.
const PACE: Pace = Pace {
    limited: Duration::from_millis(150),
    first: Duration::from_millis(5),
    most: Duration::from_millis(40),
    silence: Duration::from_mins(2),
};

/// Closes the site on drop, also when a test fails: otherwise the bot would run forever.
struct Closing<'a>(&'a Mock);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Runs the bot with these waits while `visit` observes the site.
fn with_bot(mock: &Mock, pace: Pace, visit: impl FnOnce(&Mock)) {
    let site = Site::new(&mock.address, TOKEN, pace).expect("an address");
    let bot = Bot::sign_in(site, "nodes=300".parse().expect("words")).expect("an account");
    thread::scope(|scope| {
        let running = scope.spawn(|| bot.run());
        let closing = Closing(mock);
        visit(mock);
        drop(closing);
        let end = running.join().expect("no panic");
        assert!(matches!(end, SiteError::Token { status: 401, .. }), "{end}");
    });
}

#[test]
fn games_to_their_end_on_both_sides() {
    for (number, (variant, _)) in VARIANTS.into_iter().enumerate() {
        for (challenger, bot) in [("p1", Side::Second), ("p2", Side::First)] {
            let mock = Mock::open();
            let id = format!("{challenger}-{number}");
            mock.challenge(&id, variant, &json!({"playerIndex": challenger}));
            with_bot(&mock, PACE, |mock| mock.wait_for("an end", |mock| mock.outcome(&id).is_some()));
            assert_eq!(mock.outcome(&id), Some(Outcome::Win(bot)), "{variant}: random moves lose");
            let moves = mock.count("POST /api/bot/game/");
            let other = mock.requests().len() - moves;
            assert!(moves >= 3 && other <= 6, "one stream and no question twice: {:#?}", mock.texts());
        }
    }
}

#[test]
fn challenges_that_are_declined() {
    let mock = Mock::open();
    let clock = |limit, increment| json!({"timeControl": {"type": "clock", "limit": limit, "increment": increment}});
    mock.challenge("chess", "standard", &json!({}));
    mock.challenge("setup", "linesOfAction", &json!({"initialFen": "1llllll1/L6L/8/8/8/8/8/8 w - - 0 1"}));
    mock.challenge("days", "linesOfAction", &json!({"timeControl": {"type": "correspondence", "daysPerTurn": 2}}));
    mock.challenge("fast", "breakthroughtroyka", &clock(15, 0));
    mock.challenge("ours", "linesOfAction", &json!({"challenger": {"id": "plybot"}}));
    mock.challenge("../../x", "standard", &json!({}));
    mock.challenge("strange", "standard", &json!({"timeControl": 7}));
    let declined = |mock: &Mock| {
        let replies = mock.texts().into_iter().filter(|text| text.starts_with("POST"));
        let mut replies: Vec<String> = replies.map(|text| text.replace("POST /api/challenge/", "")).collect();
        replies.sort();
        replies
    };
    with_bot(&mock, PACE, |mock| mock.wait_for("four refusals", |mock| declined(mock).len() == 4));
    let expected = ["chess/decline reason=variant", "days/decline reason=timeControl", "fast/decline reason=tooFast"];
    assert_eq!(declined(&mock)[..3], expected);
    assert_eq!(declined(&mock)[3], "setup/decline reason=variant");
}

#[test]
fn a_third_game_has_to_wait() {
    let mock = Mock::open();
    // The games do not end, because the bot never receives its turn.
    mock.plan("GET /api/bot/game/stream/one", &[Fault::Silence]);
    mock.plan("GET /api/bot/game/stream/two", &[Fault::Silence]);
    mock.challenge("one", "linesOfAction", &json!({}));
    mock.challenge("two", "linesOfAction", &json!({}));
    with_bot(&mock, PACE, |mock| {
        mock.wait_for("two games", |mock| mock.count("GET /api/bot/game/stream/") == 2);
        mock.challenge("three", "linesOfAction", &json!({}));
        mock.wait_for("a reply", |mock| mock.count("POST /api/challenge/three/decline reason=later") == 1);
    });
}

#[test]
fn everything_breaks_and_the_game_goes_on() {
    let mock = Mock::open();
    mock.plan("GET /api/stream/event", &[Fault::HangUp, Fault::Damage, Fault::Status(502), Fault::Cut]);
    mock.plan("POST /api/challenge/", &[Fault::Status(503), Fault::HangUp]);
    let stream = [Fault::Cut, Fault::Silence, Fault::Damage, Fault::Status(500), Fault::HangUp];
    mock.plan("GET /api/bot/game/stream/", &stream);
    let moves = [Fault::HangUp, Fault::Status(502), Fault::Status(429), Fault::Status(400), Fault::Lost];
    mock.plan("POST /api/bot/game/", &moves);
    mock.challenge("game", "breakthroughtroyka", &json!({}));
    let pace = Pace { silence: Duration::from_secs(2), ..PACE };
    with_bot(&mock, pace, |mock| mock.wait_for("an end", |mock| mock.outcome("game").is_some()));
    assert_eq!(mock.outcome("game"), Some(Outcome::Win(Side::Second)));
    assert_eq!(mock.faults_left(), 0, "{:#?}", mock.texts());
}

/// After HTTP 429 the bot must pause all requests, of any kind.
#[test]
fn the_site_is_left_alone_when_it_says_so() {
    let mock = Mock::open();
    mock.plan("POST /api/bot/game/x/move/a2a3", &[Fault::Status(429); 6]);
    let site = Site::new(&mock.address, TOKEN, PACE).expect("an address");
    let error = site.post("/api/bot/game/x/move/a2a3", &[]).expect_err("six times too often").to_string();
    assert_eq!(error, "/api/bot/game/x/move/a2a3 has failed: HTTP 429, too many requests");
    Bot::sign_in(site, PlayerOptions::default()).expect("an account");
    let requests = mock.requests();
    assert_eq!(requests.len(), 7);
    for pair in requests.windows(2) {
        let wait = pair[1].at - pair[0].at;
        assert!(wait >= PACE.limited, "{wait:?} before {}", pair[1].text);
    }
}

#[test]
fn a_game_is_resigned_if_the_site_refuses_all_moves() {
    let mock = Mock::open();
    mock.plan("POST /api/bot/game/game/move", &[Fault::Status(400); 3]);
    mock.challenge("game", "linesOfAction", &json!({}));
    with_bot(&mock, PACE, |mock| mock.wait_for("it", |mock| mock.count("POST /api/bot/game/game/resign") == 1));
    assert_eq!(mock.count("POST /api/bot/game/game/move"), 3);
}

#[test]
fn the_token_stays_at_the_site() {
    for address in ["http://playstrategy.org", "ftp://127.0.0.1:1", "http://127.0.0.1:1@example.org", ""] {
        let refused = Site::new(address, TOKEN, PACE).err().map(|error| error.to_string());
        assert!(refused.is_some_and(|error| error.contains("expected https://")), "{address}");
    }
    assert!(Site::new("https://playstrategy.org/", TOKEN, PACE).is_ok(), "the certificates can be read");
    let mock = Mock::open();
    mock.plan("GET /api/account", &[Fault::Status(302)]);
    let site = Site::new(&mock.address, TOKEN, PACE).expect("an address");
    let error = Bot::sign_in(site, PlayerOptions::default()).err().expect("a refusal").to_string();
    assert_eq!(error, "the site refuses /api/account: HTTP 302, {\"error\":\"as planned\"}");
    let wrong = Site::new(&mock.address, "wrong", PACE).expect("an address");
    let error = Bot::sign_in(wrong, PlayerOptions::default()).err().expect("a refusal").to_string();
    assert!(error.starts_with("the site refuses the token: HTTP 401") && !error.contains("wrong"), "{error}");
}

/// Converts the rows of the site's text to Plyhouse's: digits are empty squares, and `first` replaces the upper-case
/// letters.
fn rows(fen: &str, first: &str, second: &str) -> String {
    fen.chars().fold(String::new(), |rows, c| match c {
        '/' => rows + "/",
        c if c.is_ascii_digit() => rows + &"-".repeat(c.to_digit(10).unwrap_or_default() as usize),
        c => rows + if c.is_uppercase() { first } else { second },
    })
}

#[test]
fn the_site_begins_where_we_do() {
    let [(_, lines), (_, large), (_, mini)] = VARIANTS;
    assert_eq!(format!("{} b", rows(lines, "b", "w")), loa::Position::start(8).expect("a size").to_string());
    for (fen, size) in [(large, 8), (mini, 5)] {
        let ours = breakthrough::Position::start(size).expect("a size").to_string();
        assert_eq!(format!("{} w", rows(fen, "w", "b")), ours);
    }
    assert!(is_playable("linesOfAction", None) && is_playable("linesOfAction", Some("startpos")));
    assert!(is_playable("minibreakthroughtroyka", Some("ppppp/ppppp/5/PPPPP/PPPPP w 0 1")));
    assert!(!is_playable("scrambledEggs", None) && !is_playable("linesOfAction", Some("8/8 w - - 0 1")));
}

/// Replays the game of the site's own `BreakthroughTroykaReplayTest`, with its two positions.
#[test]
fn moves_mean_the_same_in_breakthrough() {
    let start = breakthrough::Position::start(8).expect("a size");
    let moves = "a2b3 h7h6 b3a4 h6h5 a4b5 h5h4 b5a6 h4h3 a6b7 h3g2";
    let game = replay(&start, moves).expect("legal");
    let expected = rows("pppppppp/pPppppp1/8/8/8/8/1PPPPPpP/PPPPPPPP", "w", "b");
    assert_eq!(game.position().to_string(), format!("{expected} w"));
    let game = replay(&start, &format!("{moves} b7a8")).expect("legal");
    let expected = rows("Pppppppp/p1ppppp1/8/8/8/8/1PPPPPpP/PPPPPPPP", "w", "b");
    assert_eq!(game.position().to_string(), format!("{expected} b"));
    assert_eq!(game.finish().map(|finish| finish.outcome), Some(Outcome::Win(Side::First)));
}

#[test]
fn moves_that_cannot_be() {
    let start = loa::Position::start(8).expect("a size");
    for (moves, part) in [
        ("b1d3 hello", "move 2, `hello`: expected two squares"),
        ("b1b3 é1d", "move 2, `é1d`: expected two squares"),
        ("b1b4", "move 1: illegal move b1-b4"),
        ("b1b3 b1b3", "move 2: illegal move b1-b3"),
    ] {
        let error = format!("{:#}", replay(&start, moves).expect_err(moves));
        assert!(error.starts_with(part), "{error}");
    }
}
