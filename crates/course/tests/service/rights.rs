//! Every action and every private view is refused to all roles that must not use it.

use std::path::Path;
use std::sync::Arc;

use course::views::{BoardKind, VersionView};
use course::{GamesQuery, Refused, Role, Service, StaffAction, Topic, Who};
use serde_json::json;

use crate::support::{BEGIN, TestClock, act, config, is_checked, open, pusher, send_source, team, uploads, wait_until};

/// A call of a method, with the code of its refusal; `None` if it is not refused.
type Call<'a> = (&'static str, Box<dyn Fn(Who<'_>) -> Option<&'static str> + 'a>);

fn code<T>(result: Result<T, Refused>) -> Option<&'static str> {
    result.err().map(|refused| refused.message.code)
}

fn staff_calls<'a>(service: &'a Arc<Service>, upload: i64, folder: &'a Path) -> Vec<Call<'a>> {
    let mut calls: Vec<Call<'a>> = Vec::new();
    for (name, values) in [
        ("acceptLate", json!({"upload": upload})),
        ("checkAgain", json!({"upload": upload})),
        ("freeze", json!({"team": "ann", "upload": null})),
        ("withdraw", json!({"team": "ann", "reason": ""})),
        ("reinstate", json!({"team": "ann"})),
        ("disqualify", json!({"team": "ann", "reason": ""})),
        ("rerun", json!({"teams": "all"})),
        ("announce", json!({"text": "Hello"})),
        ("removeAnnouncement", json!({"id": 1})),
        ("extend", json!({"team": "ann", "until": null})),
        ("close", json!({})),
        ("startFinal", json!({})),
        ("publish", json!({})),
        ("renewLink", json!({"team": "ann"})),
        ("links", json!({"renew": true})),
    ] {
        let action = StaffAction::parse(name, values).expect("an action");
        calls.push((name, Box::new(move |who| code(service.act(who, &action)))));
    }
    calls.push(("teams", Box::new(|who| code(service.staff_teams(who)))));
    calls.push(("audit", Box::new(|who| code(service.audit(who, None)))));
    calls.push(("grades", Box::new(|who| code(service.grades(who)))));
    calls.push(("copies", Box::new(|who| code(service.copies(who)))));
    calls.push(("copy", Box::new(move |who| code(service.copy(who, upload, upload)))));
    calls.push(("name", Box::new(move |who| code(service.upload_name(who, upload)))));
    calls.push(("file", Box::new(move |who| code(service.upload_file(who, upload, &mut std::io::sink())))));
    calls.push(("backup", Box::new(|who| code(service.back_up(who, &folder.join("copy.sqlite"))))));
    calls
}

fn team_calls(service: &Arc<Service>, upload: i64) -> Vec<Call<'_>> {
    vec![
        ("upload", Box::new(|who| code(service.begin_upload(who, "agent.py", None)))),
        ("uploads", Box::new(|who| code(service.uploads(who, None)))),
        ("choose", Box::new(move |who| code(service.choose(who, upload)))),
        ("practice", Box::new(|who| code(service.practice(who, "gentle1")))),
        ("requests", Box::new(|who| code(service.practice_requests(who)))),
        ("advice", Box::new(|who| code(service.advice(who)))),
    ]
}

fn with_course(more: &str, test: impl FnOnce(&Arc<Service>, i64, &Path)) {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = TestClock::new(BEGIN);
    let service = open(&config(folder.path(), &["ann", "bob"], more), folder.path(), &clock);
    send_source(&service, "ann", &pusher("1, 0, 2"));
    send_source(&service, "bob", &pusher("1, 2, 0"));
    wait_until(&service, "checks", |service| is_checked(service, &["ann", "bob"]));
    let upload = uploads(&service, "ann")[0].id;
    test(&service, upload, folder.path());
    service.stop();
}

#[test]
fn staff_and_teams_have_their_own_rights() {
    with_course("", |service, upload, folder| {
        let before = service.audit(Some(&Role::Staff), None).expect("the log");
        let (ann, bob) = (team("ann"), team("bob"));
        for (name, call) in staff_calls(service, upload, folder) {
            for who in [None, Some(&ann), Some(&bob), Some(&team("nobody"))] {
                assert_eq!(call(who), Some("notStaff"), "{name} {who:?}");
            }
        }
        for (name, call) in team_calls(service, upload) {
            for who in [None, Some(&Role::Staff)] {
                assert_eq!(call(who), Some("notTeam"), "{name} {who:?}");
            }
        }
        assert_eq!(code(service.uploads(Some(&bob), Some("ann"))), Some("notStaff"));
        assert_eq!(code(service.uploads(None, Some("ann"))), Some("notTeam"));
        assert_eq!(code(service.choose(Some(&bob), upload)), Some("unknown"));
        assert_eq!(code(service.choose(Some(&team("nobody")), upload)), Some("unknown"));
        assert_eq!(service.audit(Some(&Role::Staff), None).expect("the log"), before, "nothing was done");
        assert!(!folder.join("copy.sqlite").exists());
        // The staff may do all of it, except what is impossible now.
        for (name, call) in staff_calls(service, upload, folder) {
            assert!(!matches!(call(Some(&Role::Staff)), Some("notStaff" | "internal")), "{name}");
        }
    });
}

#[test]
fn others_see_no_private_view_of_a_team() {
    with_course("", |service, _, _| {
        send_source(service, "ann", "print('hello')\n");
        wait_until(service, "the check", |service| is_checked(service, &["ann"]));
        let numbers = |who: Who<'_>| {
            let view = service.team(who, "ann").expect("a team");
            let number = |version: &VersionView| match version {
                VersionView::Whole(upload) => (upload.number, !upload.steps.is_empty()),
                VersionView::Public { number, .. } => (*number, false),
            };
            view.versions.iter().map(number).collect::<Vec<_>>()
        };
        assert_eq!((numbers(None), numbers(Some(&team("bob")))), (vec![(1, false)], vec![(1, false)]));
        assert_eq!(
            (numbers(Some(&team("ann"))), numbers(Some(&Role::Staff))),
            (vec![(2, true), (1, true)], vec![(2, true), (1, true)])
        );
        for who in [None, Some(&team("ann"))] {
            assert_eq!(code(service.standings(who, Some(BoardKind::Final), 1)), Some("notPublic"));
            let of_final = GamesQuery { kind: Some("final".to_owned()), ..GamesQuery::default() };
            assert_eq!(code(service.games(who, &of_final)), Some("notPublic"));
            assert_eq!(code(service.game(who, "f0")), Some("notPublic"));
        }
        let about = service.about(None).expect("the course");
        assert_eq!((about.role, about.team, about.practice.left), ("visitor", None, 0));
        let tags =
            [None, Some(&team("ann")), Some(&team("bob")), Some(&Role::Staff)].map(|who| service.etag(Topic::Own, who));
        assert!((1..4).all(|last| !tags[..last].contains(&tags[last])), "callers share no etag: {tags:?}");
    });
}

#[test]
fn private_games_are_those_of_the_team() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut course = config(folder.path(), &["ann", "bob", "cat"], "");
    course.about.public_games = false;
    let service = open(&course, folder.path(), &TestClock::new(BEGIN));
    send_source(&service, "ann", &pusher("1, 0, 2"));
    send_source(&service, "bob", &pusher("1, 2, 0"));
    let all = GamesQuery::default();
    wait_until(&service, "a game", |service| {
        !service.games(Some(&Role::Staff), &all).expect("for the staff").games.is_empty()
    });
    assert_eq!(code(service.games(None, &all)), Some("notPublic"));
    let of_ann = GamesQuery { team: Some("ann".to_owned()), ..GamesQuery::default() };
    assert_eq!(code(service.games(Some(&team("cat")), &of_ann)), Some("notPublic"));
    let games = service.games(Some(&team("ann")), &all).expect("her own").games;
    assert_eq!(service.games(Some(&team("cat")), &all).expect("none").games, []);
    let key = &games[0].head.id;
    assert_eq!(
        (code(service.game(None, key)), code(service.game(Some(&team("cat")), key))),
        (Some("notPublic"), Some("notPublic"))
    );
    assert_eq!(
        (code(service.game(Some(&team("bob")), key)), code(service.game(Some(&Role::Staff), key))),
        (None, None)
    );
    assert_eq!(act(&service, "announce", json!({"text": " "})).expect_err("no text").message.code, "invalid");
    service.stop();
}
