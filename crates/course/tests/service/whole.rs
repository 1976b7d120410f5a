//! A whole course, from the roster to the publication.

use std::sync::Arc;

use course::views::{BoardKind, PlayerView};
use course::{CourseStore, GamesQuery, Phase, Role, Service, SystemClock, UploadState};
use serde_json::json;

use crate::support::{
    BEGIN, DEADLINE, TestClock, WRONG, act, config, is_checked, open, pusher, send, send_source, store, team, uploads,
    wait_until, zip,
};

const TEAMS: [&str; 4] = ["ann", "bob", "cat", "dan"];
const STAFF: Option<&Role> = Some(&Role::Staff);
/// Number of moves of the openings.
const OPENING: usize = 2;
const GRADING: &str = "[grading]\naccepted = 10\nrank = [{ to = 1, marks = 5 }, { to = 9, marks = 2 }]\n\
                       [final]\ngames = 2\ncores = 2\n[practice]\nper_hour = 1\n";

fn state(service: &Service, id: &str, number: u32) -> &'static str {
    uploads(service, id).into_iter().find(|upload| upload.number == number).expect("its upload").state
}

/// Uploads good and bad files, and waits for their checks.
fn submit(service: &Arc<Service>) {
    send_source(service, "ann", &pusher("1, 0, 2"));
    let description =
        "name = 'Bob bot: fast, https://bob.example.org/a?b=1'\ncommand = 'python3 agent.py'\ndialect = 'ugi'\n";
    let nested = zip(&[("bot/agent.toml", description), ("bot/agent.py", &pusher("1, 2, 0"))]);
    send(service, Some(&team("bob")), "bot.zip", &nested).expect("received");
    send(service, Some(&team("cat")), "agent.zip", b"<!DOCTYPE html><html>").expect("received");
    send_source(service, "dan", &pusher("0, 1, 2"));
    wait_until(service, "checks", |service| is_checked(service, &TEAMS));
    send_source(service, "cat", WRONG);
    wait_until(service, "the check of an illegal move", |service| is_checked(service, &TEAMS));
    send_source(service, "cat", &pusher("2, 1, 0"));
    wait_until(service, "the last check", |service| is_checked(service, &TEAMS));
}

fn checks_report_steps_and_reasons(service: &Service) {
    for (id, number, expected) in [
        ("ann", 1, UploadState::Accepted),
        ("bob", 1, UploadState::Accepted),
        ("cat", 1, UploadState::Refused),
        ("cat", 2, UploadState::Refused),
        ("cat", 3, UploadState::Accepted),
        ("dan", 1, UploadState::Accepted),
    ] {
        assert_eq!(state(service, id, number), expected.name(), "{id} {number}: {:?}", uploads(service, id));
    }
    let bob = &uploads(service, "bob")[0];
    assert!(bob.notes.iter().any(|note| note.contains("bot")), "the nested folder is noted: {:?}", bob.notes);
    let steps: Vec<(&str, &str)> = bob.steps.iter().map(|step| (step.name.as_str(), step.state)).collect();
    assert_eq!(steps.first(), Some(&("unpack", "warned")));
    assert_eq!(steps.last(), Some(&("pack", "passed")), "{steps:?}");
    let cat = uploads(service, "cat");
    let wrong = cat.iter().find(|upload| upload.number == 2).expect("the illegal mover");
    let failed = wrong.steps.last().expect("a step");
    assert!(failed.state == "failed" && failed.detail.contains("a1-a5") && !failed.remedy.is_empty(), "{failed:?}");
    assert!(!format!("{cat:?}").contains(".work/"), "no path of the server is shown");
}

fn views_show_what_their_caller_may_see(service: &Service) {
    wait_until(service, "games of the ladder", |service| {
        let rows = service.standings(None, None, 1).expect("the scoreboard").rows;
        rows.len() == 4 && rows.iter().all(|row| row.games >= 4)
    });
    let rows = service.standings(None, None, 1).expect("the scoreboard").rows;
    let bob = rows.iter().find(|row| row.team == "bob").expect("Bob");
    assert_eq!((bob.agent.as_str(), bob.tagline.as_str()), ("Bob bot", "fast"));
    assert_eq!(bob.url.as_deref(), Some("https://bob.example.org/a?b=1"));
    let query = GamesQuery { team: Some("bob".to_owned()), ..GamesQuery::default() };
    let games = service.games(None, &query).expect("public").games;
    let is_of_bob = |player: &PlayerView| matches!(player, PlayerView::Version { team, .. } if team == "bob");
    assert!(!games.is_empty() && games.iter().all(|game| game.head.players.iter().any(is_of_bob)));
    let key = &games[0].head.id;
    let own_side = usize::from(!is_of_bob(&games[0].head.players[0]));
    for (who, sees) in [(None, [false; 2]), (Some(&team("bob")), [own_side == 0, own_side == 1]), (STAFF, [true; 2])] {
        let game = service.game(who, key).expect("public");
        assert_eq!(game.stderr.each_ref().map(Option::is_some), sees);
        let played = game.moves.iter().skip(OPENING);
        assert!(played.into_iter().all(|played| played.seconds.is_some() == sees[played.side]));
        let text = serde_json::to_string(&game).expect("JSON");
        assert_eq!(text.contains("SECRET"), sees != [false; 2]);
    }
}

fn practice_is_private_and_limited(service: &Service) {
    let ann = team("ann");
    assert_eq!(service.practice(Some(&ann), "11").expect_err("no such level").message.code, "invalid");
    service.practice(Some(&ann), "gentle1").expect("queued");
    assert_eq!(service.practice(Some(&ann), "1").expect_err("one an hour").message.code, "tooManyGames");
    wait_until(service, "the practice game", |service| {
        service.practice_requests(Some(&team("ann"))).expect("requests").iter().all(|request| request.state == "played")
    });
    let practice = GamesQuery { kind: Some("practice".to_owned()), ..GamesQuery::default() };
    let games = service.games(Some(&ann), &practice).expect("her own").games;
    assert_eq!(games.len(), 1);
    let theirs = GamesQuery { team: Some("ann".to_owned()), ..practice.clone() };
    for who in [None, Some(&team("bob"))] {
        assert!(service.game(who, &games[0].head.id).is_err() && service.games(who, &theirs).is_err());
    }
    assert_eq!(service.games(Some(&team("bob")), &practice).expect("his own").games, []);
    let advice = service.advice(Some(&ann)).expect("advice");
    assert!(!advice.slowest.is_empty());
}

fn versions_can_be_replaced_chosen_and_withdrawn(service: &Arc<Service>) {
    let version = |id: &str| {
        let rows = service.standings(None, Some(BoardKind::Ladder), 1).expect("the scoreboard").rows;
        rows.into_iter().find(|row| row.team == id).map(|row| row.version)
    };
    let second = send_source(service, "ann", &pusher("2, 0, 1"));
    assert_eq!(second.number, 2);
    wait_until(service, "the new version", |_| version("ann") == Some(2));
    let first = uploads(service, "ann")[1].id;
    service.choose(Some(&team("ann")), first).expect("her own version");
    wait_until(service, "the old version", |_| version("ann") == Some(1));
    assert!(service.choose(Some(&team("bob")), first).is_err(), "a version of another team");
    act(service, "disqualify", json!({"team": "dan", "reason": "copied"})).expect("disqualified");
    wait_until(service, "the scoreboard without Dan", |_| version("dan").is_none());
    let query = GamesQuery { team: Some("dan".to_owned()), ..GamesQuery::default() };
    let games = service.games(None, &query).expect("public").games;
    assert!(!games.is_empty() && games.iter().all(|game| game.head.result == "void"));
    let failed = send(service, Some(&team("dan")), "agent.py", b"x").expect_err("disqualified");
    assert_eq!(failed.message.code, "conflict");
    act(service, "reinstate", json!({"team": "dan"})).expect("reinstated");
    wait_until(service, "the scoreboard with Dan", |_| version("dan") == Some(1));
    let cancelled = act(service, "rerun", json!({"teams": ["ann", "bob"]})).expect("cancelled").cancelled;
    assert!(cancelled.is_some());
}

fn the_final_is_hidden_until_it_is_published(service: &Arc<Service>, clock: &TestClock) {
    act(service, "withdraw", json!({"team": "dan", "reason": "left the course"})).expect("withdrawn");
    clock.set(DEADLINE);
    wait_until(service, "the end of the final", |service| service.phase() == Phase::Done);
    let late = send(service, Some(&team("ann")), "agent.py", b"x").expect_err("too late");
    assert_eq!(late.message.code, "late");
    let of_final = GamesQuery { kind: Some("final".to_owned()), ..GamesQuery::default() };
    for who in [None, Some(&team("ann"))] {
        assert_eq!(service.standings(who, None, 1).expect("the ladder").kind, BoardKind::Ladder);
        assert!(service.standings(who, Some(BoardKind::Final), 1).is_err());
        assert!(service.games(who, &of_final).is_err() && service.game(who, "f0").is_err());
    }
    act(service, "publish", json!({})).expect("published");
    wait_until(service, "the final's scoreboard", |service| {
        service.standings(None, None, 1).is_ok_and(|board| board.rows.iter().map(|row| row.games).sum::<u32>() == 12)
    });
    let board = service.standings(None, None, 1).expect("the final");
    assert_eq!((board.kind, board.rows.len()), (BoardKind::Final, 3));
    assert_eq!(service.games(None, &of_final).expect("public").games.len(), 6);
    let query = GamesQuery { team: Some("cat".to_owned()), ..of_final };
    assert_eq!(service.games(None, &query).expect("public").games.len(), 4);
    let game = service.game(Some(&team("ann")), "f0").expect("public");
    assert!(!game.moves.is_empty() && game.head.kind == "final");
}

fn grades_follow_the_final(service: &Service) {
    let grades = service.grades(STAFF).expect("grades");
    let total = |id: &str| grades.iter().find(|grade| grade.id == id).expect("its grade").total.to_string();
    assert_eq!(total("dan"), "0", "withdrawn");
    let best = service.standings(None, None, 1).expect("the final").rows[0].team.clone();
    for id in ["ann", "bob", "cat"] {
        assert_eq!(total(id), if id == best { "15" } else { "12" });
    }
    let actions: Vec<String> =
        service.audit(STAFF, None).expect("the log").entries.into_iter().map(|entry| entry.action).collect();
    for action in ["phase", "disqualified", "withdrawn", "active", "choose version", "cancel games", "renew link"] {
        assert!(actions.iter().any(|found| found == action), "{action}: {actions:?}");
    }
    let copies = service.copies(STAFF).expect("hints");
    assert!(copies.groups.iter().any(|group| group.len() == 4), "the pushers have the same tokens: {copies:?}");
    let [a, b] = [&copies.pairs[0].a, &copies.pairs[0].b].map(|side| side.upload);
    let copy = service.copy(STAFF, a, b).expect("side by side");
    assert!(
        copy.files.iter().all(|files| files.iter().any(|file| file.name == "agent.py")) && !copy.matches.is_empty()
    );
}

#[test]
fn a_course_runs_from_the_roster_to_the_publication() {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = TestClock::new(BEGIN);
    let service = open(&config(folder.path(), &TEAMS, GRADING), folder.path(), &clock);
    let links = act(&service, "links", json!({})).expect("links").links.expect("links");
    assert_eq!(links.iter().map(|link| link.id.as_str()).collect::<Vec<_>>(), ["staff", "ann", "bob", "cat", "dan"]);
    let token = |link: &str| link.rsplit('/').next().expect("a token").to_owned();
    assert_eq!(service.role(&token(&links[0].link)), Ok(Some(Role::Staff)));
    assert_eq!(service.role(&token(&links[1].link)), Ok(Some(team("ann"))));
    submit(&service);
    checks_report_steps_and_reasons(&service);
    views_show_what_their_caller_may_see(&service);
    practice_is_private_and_limited(&service);
    versions_can_be_replaced_chosen_and_withdrawn(&service);
    the_final_is_hidden_until_it_is_published(&service, &clock);
    grades_follow_the_final(&service);
    service.stop();
    drop(service);
    let stored = CourseStore::open(&store(folder.path()), Arc::new(SystemClock)).expect("the file");
    assert_eq!(stored.check().expect("readable"), Vec::<String>::new());
}
