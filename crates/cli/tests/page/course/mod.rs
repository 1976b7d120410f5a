//! A course of twelve teams on a fast clock, in real browsers: as the staff, as a student with a phone, as a visitor.

mod rehearsal;

use serde_json::Value;

use crate::page::site::Page;
use rehearsal::{Rehearsal, act, archive, check, choose_file, visit, wait_for, wait_for_text};

/// Teams whose agents are uploaded without a browser.
const OTHERS: [&str; 10] = ["bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "jim", "kim"];
/// Speed of the clock while uploads are open: an hour of the course takes a second.
const SLOW: &str = "3600";
/// Speed at which the rest of the time until the deadline takes a few seconds.
const FAST: &str = "1000000";

/// Uploads the agents of the other teams, and a file that cannot be an agent.
fn others_upload(served: &Rehearsal) {
    for (number, team) in OTHERS.into_iter().enumerate() {
        // The last two teams hand in the same agent.
        let number = number.min(OTHERS.len() - 2);
        let choice = format!("random.choice(legal(board, side)[:{number} + 2])");
        let (status, answer) = served.upload(team, "submission.zip", &archive(&choice));
        assert_eq!((status, &answer["number"]), (202, &Value::from(1)), "{team}: {answer}");
    }
    let (status, answer) = served.upload("leo", "agent.zip", b"Rar!\x1a\x07\x01\x00 and more");
    assert_eq!(status, 202, "{answer}");
}

/// Uploads an agent that moves illegally and then a good one, with a phone.
fn a_student_uploads(served: &Rehearsal) -> Page {
    let mut page = served.open("ann", (390, 844));
    let touch = serde_json::json!({ "enabled": true });
    page.browser.call("Emulation.setTouchEmulationEnabled", &touch).expect("touch");
    wait_for_text(&mut page, ".mine h1", "Ann");
    wait_for_text(&mut page, ".top .rehearsal", "Rehearsal");
    choose_file(&mut page, &served.file("bad", "(0, 63)"));
    page.wait("document.querySelector('.mine-left .upload-state.refused') !== null");
    wait_for_text(&mut page, ".check-steps .is-failed", "a1-h8");
    assert!(!page.text(".check-steps .is-failed .remedy").is_empty());
    page.wait("document.querySelector('.check-steps .is-failed .small-board .piece, .small-board svg') !== null");
    check(&mut page);
    page.eval(
        "window.states = new Set(); new MutationObserver(() => { \
           const state = document.querySelector('.mine-left .upload-state'); \
           if (state) states.add(state.classList[1]); \
         }).observe(document.body, { subtree: true, childList: true, attributes: true })",
    );
    choose_file(&mut page, &served.file("good", "legal(board, side)[0]"));
    page.wait("document.querySelector('.mine-left .upload-state.accepted') !== null");
    let open = page.eval("states.has('waiting') || states.has('checking')");
    assert_eq!(open, true, "the check was followed");
    let passed = page.eval("document.querySelectorAll('.check-steps > .is-passed').length");
    assert!(passed.as_u64() >= Some(6), "{passed}");
    wait_for_text(&mut page, ".versions .playing", "2");
    page
}

/// Plays a practice game, and replaces the playing version.
fn a_student_improves(served: &Rehearsal, page: &mut Page) {
    page.eval(
        "new MutationObserver(() => { if (document.querySelector('.practice-requests')) window.asked = true; }) \
         .observe(document.body, { subtree: true, childList: true })",
    );
    page.tap(".practice-row .button");
    page.wait("window.asked === true");
    choose_file(page, &served.file("better", "max(legal(board, side), key=lambda move: abs(move[1] - move[0]))"));
    wait_for_text(page, ".versions .playing", "3");
    wait_for(page, 3, ".versions > li");
    page.eval("[...document.querySelectorAll('.kinds button')].at(-1).dataset.practice = ''");
    page.tap(".kinds [data-practice]");
    wait_for(page, 1, ".game-item");
    page.tap(".game-item");
    // The team sees what its agent wrote, and its times.
    page.wait("document.querySelectorAll('.replay-page .moves .move').length >= 2");
    page.wait("document.querySelectorAll('.replay-page .times .jump').length >= 1");
    page.wait("document.querySelector('.replay-page .stderr') !== null");
    check(page);
    page.tap("nav a[href='#/course/mine']");
    wait_for_text(page, ".mine h1", "Ann");
}

/// Looks at the scoreboard, a live board, a team and a replay without a link.
fn a_visitor_watches(served: &Rehearsal) -> Page {
    let mut page = served.open("visitor", (820, 1180));
    wait_for(&mut page, 12, ".standings-table tbody tr");
    page.wait("document.querySelector('.boards-side .picture') !== null");
    page.wait("document.querySelectorAll('.game-item').length >= 2");
    wait_for_text(&mut page, ".standings-table", "Bob <b>");
    check(&mut page);
    page.eval("document.querySelector('.game-item').click()");
    page.wait("document.querySelectorAll('.replay-page .squares .square').length === 64");
    page.wait("document.querySelectorAll('.replay-page .moves .move').length >= 2");
    page.key("Home");
    page.wait("document.querySelectorAll('.replay-page .piece:not(.gone)').length === 32");
    page.key("ArrowRight");
    page.wait("document.querySelector('.move[aria-current]') === document.querySelector('.move')");
    assert_eq!(page.text(".replay-page pre"), "", "others' standard error is private");
    check(&mut page);
    visit(&mut page, "course/team/dan", ".team-page .figures");
    wait_for_text(&mut page, ".team-page h1", "Dänische Dogge");
    check(&mut page);
    visit(&mut page, "course", ".standings-table tbody tr");
    page
}

/// Waits for all checks, and replaces the refused file.
fn the_staff_waits(served: &Rehearsal) -> Page {
    let mut page = served.open("staff", (1280, 720));
    wait_for(&mut page, 12, ".team-table tbody tr");
    wait_for(&mut page, 11, ".team-table .upload-state.accepted");
    wait_for(&mut page, 1, ".team-table .upload-state.refused");
    for (width, height) in [(390, 844), (1280, 720)] {
        page.resize(width, height);
        check(&mut page);
    }
    visit(&mut page, "course/staff/team/leo", ".versions .upload-state.refused");
    page.click(".versions summary");
    wait_for_text(&mut page, ".versions", "RAR archive");
    let (status, answer) = served.upload("leo", "agent.zip", &archive("legal(board, side)[-1]"));
    assert_eq!((status, &answer["number"]), (202, &Value::from(2)), "{answer}");
    page.wait("document.querySelector('.versions .playing .upload-state.accepted') !== null");
    visit(&mut page, "course/staff", ".team-table");
    wait_for(&mut page, 12, ".team-table .upload-state.accepted");
    page
}

/// Announces, withdraws a team, and looks at the copies and at the log.
fn the_staff_acts(staff: &mut Page, visitor: &mut Page) {
    act(staff, "Announce", Some("Office hours <b>today</b>"));
    wait_for_text(visitor, ".announcement", "Office hours <b>today</b>");
    visit(staff, "course/staff/team/cat", "#team-actions");
    // The list of opponents has a long name.
    staff.resize(390, 844);
    staff.press_button("Re-run a pair");
    staff.wait("document.querySelector('dialog.confirm[open]') !== null");
    let dialog = "document.querySelector('dialog.confirm')";
    assert_eq!(staff.eval(&format!("{dialog}.scrollWidth > {dialog}.clientWidth")), false);
    staff.press_button("Cancel");
    staff.wait("document.querySelector('dialog.confirm') === null");
    staff.resize(1280, 720);
    act(staff, "Withdraw", Some("left the course"));
    wait_for_text(staff, ".badge.warn", "withdrawn");
    check(staff);
    wait_for(visitor, 11, ".standings-table tbody tr");
    visit(staff, "course/staff/copies", ".copy-groups li");
    wait_for_text(staff, ".copy-groups li", "Jim");
    wait_for_text(staff, ".copy-groups li", "Kim");
    check(staff);
    visit(staff, "course/staff/audit", ".audit-table tbody tr");
    wait_for_text(staff, ".audit-table tbody tr", "left the course");
    check(staff);
    visit(staff, "course/staff", ".team-table");
}

/// Lets the clock reach the deadline, after which the final is played.
fn the_deadline_passes(served: &mut Rehearsal, pages: &mut [&mut Page]) {
    // The countdown follows the fast clock: its hours change every second.
    let countdown = "document.querySelector('[role=timer]').textContent";
    let before = pages[0].eval(countdown);
    pages[0].wait(&format!("{countdown} !== {before}"));
    for page in pages.iter_mut() {
        page.assert_clean();
    }
    served.restart(FAST);
    for page in pages.iter_mut() {
        page.wait("document.querySelector('.phase.done') !== null");
        page.wait("document.querySelector('.lost.shown') === null");
        let complaints = page.browser.complaints().expect("the browser");
        // While the server restarts, requests fail.
        assert!(complaints.iter().all(|each| each.contains("ERR_")), "{complaints:?}");
    }
    let (status, answer) = served.upload("bob", "agent.zip", &archive("legal(board, side)[0]"));
    assert_eq!((status, &answer["error"]["code"]), (409, &Value::from("late")));
}

/// Compares the grades of the page and of the command.
fn the_staff_grades(served: &Rehearsal, staff: &mut Page) {
    visit(staff, "course/staff/grades", ".grade-table tbody tr");
    wait_for(staff, 12, ".grade-table tbody tr");
    wait_for_text(staff, ".grade-table tbody tr", "Ann ann10");
    check(staff);
    let grades = served.command("grades");
    let lines: Vec<&str> = grades.lines().collect();
    assert!(lines.len() == 13 && grades.contains("Dänische Dogge"), "{grades}");
    visit(staff, "course/staff", ".phase.done");
}

#[test]
fn a_course_is_followed_from_the_roster_to_the_published_grades() {
    let mut served = Rehearsal::start(SLOW);
    others_upload(&served);
    let mut student = a_student_uploads(&served);
    let mut staff = the_staff_waits(&served);
    let mut visitor = a_visitor_watches(&served);
    a_student_improves(&served, &mut student);
    the_staff_acts(&mut staff, &mut visitor);
    the_deadline_passes(&mut served, &mut [&mut visitor, &mut student, &mut staff]);

    wait_for_text(&mut student, ".mine .help-text", "Uploads are closed");
    check(&mut student);
    wait_for_text(&mut visitor, "#standings", "Ladder");
    assert_eq!(visitor.eval("document.querySelector('.game-item[href*=\"game/f\"]')"), Value::Null);
    assert_eq!(served.status("standings?kind=final"), 403, "the final is not public yet");
    the_staff_grades(&served, &mut staff);
    act(&mut staff, "Publish", None);

    wait_for_text(&mut visitor, "#standings", "Final");
    wait_for(&mut visitor, 11, ".standings-table tbody tr");
    visitor.wait("document.querySelector('.game-item[href*=\"game/f\"]') !== null");
    check(&mut visitor);
    visitor.eval("document.querySelector('.game-item[href*=\"game/f\"]').click()");
    visitor.wait("document.querySelectorAll('.replay-page .moves .move').length >= 2");
    student.wait("document.querySelector('.phase.published') !== null");
    student.tap("nav a[href='#/course']");
    wait_for_text(&mut student, "#standings", "Final");
    check(&mut student);
    let published = served.command("status");
    assert!(published.contains("rehearsal of Games & search: published"), "{published}");
    assert!(served.real_command("status").contains("Games & search: open"), "the real course is untouched");
    for page in [&mut student, &mut visitor, &mut staff] {
        page.assert_clean();
    }
}
