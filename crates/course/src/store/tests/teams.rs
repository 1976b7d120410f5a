//! Tests of rosters, links, versions and phases.

use std::sync::Arc;
use std::time::Duration;

use arena::{Draft, Location, Store};

use super::setup::{DEADLINE, Setup, accept, roster};
use crate::roster::Team;
use crate::store::audit::Actor;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::phase::Phase;
use crate::store::teams::{Link, Standing};
use crate::tokens::{Role, Token};

#[test]
fn a_course_shares_its_file_with_tournaments() {
    let Setup { store, clock, path, folder: _folder } = Setup::new(1);
    let again = CourseStore::create(&path, "Again", Arc::new(clock.clone())).err();
    assert!(matches!(again, Some(CourseError::Exists(_))), "{again:?}");
    let location = Location::from(path.clone());
    let mut tournaments = Store::open(&location).expect("a store");
    let number = tournaments.begin(&Draft::new("loa").spec, 2, &[]).expect("a tournament");
    drop(store);
    let mut store = CourseStore::open(&path, Arc::new(clock.clone())).expect("a course");
    assert!(store.set_final_tournament(number + 1).is_err());
    store.set_final_tournament(number).expect("recorded");
    store.set_final_tournament(number).expect("recorded twice");
    assert_eq!(store.final_tournament().expect("readable"), Some(number));
    assert_eq!(store.check().expect("readable"), Vec::<String>::new());

    let other = path.with_file_name("other.sqlite");
    drop(Store::open(&other.clone().into()).expect("a store"));
    assert!(matches!(CourseStore::open(&other, Arc::new(clock.clone())), Err(CourseError::NoCourse(_))));
    CourseStore::create(&other, "Added", Arc::new(clock.clone())).expect("a course is added to a file");
    assert!(matches!(CourseStore::open(&path.join("x"), Arc::new(clock)), Err(CourseError::Missing(_))));
}

#[test]
fn a_changed_roster_never_removes_a_team_with_uploads() {
    let mut setup = Setup::new(3);
    setup.send("t1", b"x").expect("received");
    setup.store.renew_token(&Role::Team("t2".to_owned()), &Actor::STAFF).expect("a link");
    let before = setup.store.audit_log(None, 100).expect("readable").len();
    let team = |id: &str, name: &str| Team { id: id.to_owned(), name: name.to_owned(), mail: String::new() };
    let changed = [team("T0", "New name"), team("t9", "Nine")];
    let found = setup.store.adopt_roster(&changed, &Actor::STAFF).expect("adopted");
    assert_eq!((found.added, found.changed), (vec!["t9".to_owned()], vec!["t0".to_owned()]));
    assert_eq!((found.removed, found.kept), (vec!["t2".to_owned()], vec!["t1".to_owned()]));
    let again = setup.store.adopt_roster(&changed, &Actor::STAFF).expect("adopted");
    assert_eq!((again.added.len(), again.changed.len(), again.removed.len(), again.kept.len()), (0, 0, 0, 1));
    let teams = setup.store.teams().expect("readable");
    let names: Vec<_> = teams.iter().map(|row| (row.team.id.as_str(), row.team.name.as_str())).collect();
    assert_eq!(names, [("t0", "New name"), ("t1", "Team 1"), ("t9", "Nine")]);
    let log = setup.store.audit_log(None, 100).expect("readable");
    assert_eq!(log.len(), before + 1, "the second changed nothing");
    let adopted = log.iter().filter(|entry| entry.action == "adopt the roster").map(|entry| entry.detail.as_str());
    assert_eq!(adopted.collect::<Vec<_>>(), ["added: t9; changed: t0; removed: t2", "added: t0, t1, t2"]);
}

#[test]
fn links_are_renewed_and_revoked() {
    let mut setup = Setup::new(2);
    let store = &mut setup.store;
    let [ann, staff] = [Role::Team("t0".to_owned()), Role::Staff];
    let first = store.renew_token(&Role::Team("T0".to_owned()), &Actor::STAFF).expect("a link");
    let of_staff = store.renew_token(&staff, &Actor::Course).expect("a link");
    let role = |store: &CourseStore, token: &Token| store.role(token).expect("readable");
    assert_eq!((role(store, &first), role(store, &of_staff)), (Some(ann.clone()), Some(staff.clone())));
    let second = store.renew_token(&ann, &Actor::STAFF).expect("a link");
    assert_eq!((role(store, &first), role(store, &second)), (None, Some(ann.clone())));
    assert_eq!(
        store.teams().expect("readable").iter().map(|row| row.link).collect::<Vec<_>>(),
        [Link::Made, Link::None]
    );
    store.revoke_tokens(&ann, &Actor::STAFF).expect("revoked");
    assert_eq!((role(store, &second), role(store, &of_staff)), (None, Some(staff)));
    assert!(store.renew_token(&Role::Team("x".to_owned()), &Actor::STAFF).is_err());
    assert_eq!(role(store, &Token::new().expect("random bytes")), None);
    let bytes: Vec<u8> =
        CourseStore::files(&setup.path).iter().flat_map(|path| std::fs::read(path).expect("a file")).collect();
    for token in [first, second, of_staff] {
        let text = token.reveal().as_bytes();
        assert!(!bytes.windows(text.len()).any(|found| found == text), "only hashes are stored");
    }
}

#[test]
fn the_playing_version_is_the_frozen_the_chosen_or_the_last_one() {
    let mut setup = Setup::new(2);
    let [one, two] = [0; 2].map(|_| setup.version("t0"));
    let other = setup.version("t1");
    let playing = |setup: &Setup| setup.store.team("t0").expect("a team").playing();
    assert_eq!(playing(&setup), Some(two));
    let actor = Actor::team("t0");
    setup.store.choose("t0", Some(one), &actor).expect("chosen");
    assert_eq!(playing(&setup), Some(one));
    for wrong in [other, 99] {
        let error = setup.store.choose("t0", Some(wrong), &actor).expect_err("of another team").to_string();
        assert_eq!(error, format!("no accepted version `{wrong}`"));
    }
    let three = setup.version("t0");
    assert_eq!(playing(&setup), Some(three), "a new version replaces the choice");
    setup.store.freeze("t0", Some(two), &Actor::STAFF).expect("frozen");
    assert!(setup.store.choose("t0", Some(one), &actor).is_err());
    let four = setup.version("t0");
    assert_eq!(playing(&setup), Some(two));
    setup.store.freeze("t0", None, &Actor::STAFF).expect("released");
    assert_eq!(playing(&setup), Some(four));
    setup.store.set_standing("t0", Standing::Disqualified, "copied", &Actor::STAFF).expect("disqualified");
    assert_eq!(playing(&setup), None);
    let refused = setup.store.choose("t0", Some(one), &actor).expect_err("it takes no part").to_string();
    assert_eq!(refused, "team t0: disqualified found, expected active");
    assert!(
        setup.send("t0", b"x").is_err_and(|error| error.to_string() == "team t0: disqualified found, expected active")
    );
}

#[test]
fn phases_follow_each_other_once() {
    let mut setup = Setup::new(5);
    let versions = ["t0", "t1", "t2"].map(|team| setup.version(team));
    let late = {
        setup.clock.set(DEADLINE);
        let late = setup.send("t3", b"late").expect("received");
        assert!(setup.store.claim().expect("readable").is_none(), "late uploads wait");
        late
    };
    setup.store.freeze("t1", Some(versions[1]), &Actor::STAFF).expect("frozen");
    setup.store.set_standing("t2", Standing::Withdrawn, "", &Actor::STAFF).expect("withdrawn");
    let store = &mut setup.store;
    assert!(store.freeze_all(&Actor::Course).is_err() && store.advance(Phase::Done, &Actor::Course).is_err());
    assert!(store.advance(Phase::Closing, &Actor::Course).expect("closing"));
    assert!(!store.advance(Phase::Closing, &Actor::Course).expect("closing already"));
    assert!(store.choose("t0", None, &Actor::team("t0")).is_err());
    assert!(
        store.reopen(&Actor::STAFF).expect("open") && store.advance(Phase::Closing, &Actor::STAFF).expect("closing")
    );
    store.extend("t4", Some("2026-12-02T00:00:00Z".parse().expect("a time")), &Actor::STAFF).expect("extended");
    let error = store.freeze_all(&Actor::Course).expect_err("an extension").to_string();
    assert_eq!(error, "team t4: extension until 2026-12-02T00:00:00Z found, expected none");
    let of_t4 = setup.send("t4", b"in time").expect("received");
    setup.clock.set("2026-12-02T00:00:00Z");
    let store = &mut setup.store;
    assert_eq!(
        store.freeze_all(&Actor::Course).expect_err("unchecked").to_string(),
        "uploads: 1 unchecked found, expected all checked"
    );
    assert_eq!(store.claim().expect("readable").map(|claim| claim.upload), Some(of_t4));
    accept(store, of_t4).expect("accepted");
    assert!(store.freeze_all(&Actor::Course).expect("frozen") && !store.freeze_all(&Actor::Course).expect("already"));
    let entered: Vec<_> = store.teams().expect("readable").iter().map(|row| row.entered).collect();
    assert_eq!(entered, [Some(versions[0]), Some(versions[1]), None, None, Some(of_t4)]);
    assert_eq!(store.claim().expect("readable").map(|claim| claim.upload), Some(late), "the ladder is open again");
    accept(store, late).expect("accepted");
    assert_eq!(store.team("t3").expect("a team").playing(), Some(late));
    assert!(store.advance(Phase::Published, &Actor::STAFF).is_err());
    assert!(store.advance(Phase::Done, &Actor::Course).expect("done"));
    assert!(store.advance(Phase::Published, &Actor::STAFF).expect("published"));
    assert_eq!(store.phase().expect("readable"), Phase::Published);
    assert!(store.reopen(&Actor::STAFF).is_err());
}

#[test]
fn a_late_version_enters_the_final_only_if_it_is_excused() {
    let mut setup = Setup::new(1);
    let first = setup.version("t0");
    setup.clock.set(DEADLINE);
    let late = setup.send("t0", b"late").expect("received");
    setup.store.advance(Phase::Closing, &Actor::Course).expect("closing");
    setup.store.excuse(late, &Actor::STAFF).expect("excused");
    assert!(setup.store.excuse(late, &Actor::STAFF).is_err() && setup.store.excuse(first, &Actor::STAFF).is_err());
    assert!(setup.store.freeze_all(&Actor::Course).is_err(), "it is not yet checked");
    setup.store.claim().expect("readable").expect("an upload");
    accept(&mut setup.store, late).expect("accepted");
    setup.store.freeze_all(&Actor::Course).expect("frozen");
    assert_eq!(setup.store.team("t0").expect("a team").entered, Some(late));
}

#[test]
fn the_clock_never_runs_backwards_until_it_is_reset() {
    let setup = Setup::new(1);
    let Setup { mut store, clock, path, .. } = setup;
    clock.set("2099-01-01T00:00:00Z");
    store.announce("from the future", &Actor::STAFF).expect("announced");
    clock.set("2026-11-02T00:00:00Z");
    drop(store);
    let mut store = CourseStore::open(&path, Arc::new(clock.clone())).expect("a course");
    assert_eq!(store.now().to_string(), "2099-01-01T00:00:00Z");
    assert!(store.clock_lag() > Some(Duration::from_hours(70 * 365 * 24)));
    store.reset_clock(&Actor::STAFF).expect("reset");
    assert_eq!((store.now().to_string().as_str(), store.clock_lag()), ("2026-11-02T00:00:00Z", None));
    drop(store);
    let store = CourseStore::open(&path, Arc::new(clock)).expect("a course");
    assert_eq!(store.now().to_string(), "2026-11-02T00:00:00Z");
    let entry = store.audit_log(None, 1).expect("readable").remove(0);
    assert_eq!((entry.actor.as_str(), entry.action.as_str()), ("staff", "reset the clock"));
}

#[test]
fn the_log_is_paged_and_announcements_can_be_removed() {
    let mut setup = Setup::new(1);
    let store = &mut setup.store;
    let [one, two] = ["one", "two"].map(|text| store.announce(text, &Actor::STAFF).expect("announced"));
    store.remove_announcement(one, &Actor::STAFF).expect("removed");
    assert!(store.remove_announcement(one, &Actor::STAFF).is_err());
    let shown = store.announcements().expect("readable");
    assert_eq!(shown.iter().map(|shown| (shown.id, shown.text.as_str())).collect::<Vec<_>>(), [(two, "two")]);
    let latest = store.audit_log(None, 2).expect("readable");
    assert_eq!(
        latest.iter().map(|entry| entry.action.as_str()).collect::<Vec<_>>(),
        ["remove announcement", "announce"]
    );
    let rest = store.audit_log(Some(latest[1].id), 100).expect("readable");
    assert_eq!(
        rest.iter().map(|entry| entry.action.as_str()).collect::<Vec<_>>(),
        ["announce", "adopt the roster", "create"]
    );
    assert_eq!(store.adopt_roster(&roster(1), &Actor::STAFF).expect("adopted").kept.len(), 0);
}

#[test]
fn errors_of_files_name_the_file() {
    let mut setup = Setup::new(1);
    let missing = setup.folder.path().join("missing/copy.sqlite");
    let error = setup.store.back_up(&missing).expect_err("no folder").to_string();
    assert_eq!(error, format!("course {}: No such file or directory (os error 2)", missing.display()));
    setup.store.connection.pragma_update(None, "query_only", true).expect("set");
    let error = setup.store.announce("x", &Actor::STAFF).expect_err("read only").to_string();
    assert_eq!(error, format!("course {}: attempt to write a readonly database", setup.path.display()));
}
