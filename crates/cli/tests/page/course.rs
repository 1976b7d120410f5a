//! A course in a real browser: uploads, checks, the ladder, the staff's actions, the final.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

use devtools::Browser;
use serde_json::{Value, json};

use crate::course::{good, serve};
use crate::page::site::Page;

const COURSE: &str = "\
[course]
name = 'Games & search'
roster = 'teams.csv'
deadline = '2999-11-30 18:00'
time_zone = 'Asia/Singapore'
[game]
game = 'breakthrough'
[time]
move = 5.0
[agent]
command = 'python3 agent.py'
dialect = 'ugi'
[ladder]
cores = 1
[final]
cores = 1
[grading]
accepted = 10
";
const TEAMS: &str = "id,name,mail\nann,Ann,ann@example.org\nbob,Bob <b>,\ncat,Cat,\n";

/// A served course that is killed at the end of the test.
struct Served {
    folder: tempfile::TempDir,
    child: Child,
    /// Address of the page.
    address: String,
    staff: String,
}

impl Served {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("x.toml"), COURSE).expect("written");
        fs::write(folder.path().join("teams.csv"), TEAMS).expect("written");
        let (child, printed) = serve(folder.path());
        let text = |field: &str| printed[field].as_str().expect("an address").to_owned();
        Self { folder, child, address: format!("{}/", text("public")), staff: text("staff") }
    }

    /// Returns the personal link of a team, which replaces an earlier one.
    fn link(&self, team: &str) -> String {
        let printed = good(self.folder.path(), &["links", "x.toml", "--renew", team]);
        printed.split_whitespace().next_back().expect("a link").to_owned()
    }

    /// Opens a personal link, or the page without one, in a browser of its own.
    fn open(&self, link: &str, width: u32) -> Page {
        let mut page = Page::first_visit(Browser::start().expect("a browser"), &self.address);
        page.browser.open(link, width, 844).expect("the page");
        page
    }

    /// Writes an agent, and returns its path.
    fn agent(&self, folder: &str, choice: &str) -> PathBuf {
        let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/agents/breakthrough.py");
        let source = fs::read_to_string(example).expect("an example");
        let usual = "random.choice(legal(board, side))";
        assert!(source.contains(usual));
        let path = self.folder.path().join(folder).join("agent.py");
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, source.replace(usual, choice)).expect("written");
        path
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Chooses a file in the field for uploads.
fn upload(page: &mut Page, file: &Path) {
    page.wait("document.querySelector('input[type=file]') !== null");
    let asked = json!({ "expression": "document.querySelector('input[type=file]')" });
    let field: Value = page.browser.call("Runtime.evaluate", &asked).expect("the field");
    let values = json!({ "files": [file], "objectId": field["result"]["objectId"] });
    page.browser.call("DOM.setFileInputFiles", &values).expect("a file");
}

/// Opens the dialog of an action, fills its field, and confirms it.
fn act(page: &mut Page, button: &str, typed: Option<&str>) {
    page.press_button(button);
    page.wait("document.querySelector('dialog.confirm[open]') !== null");
    assert_eq!(page.violations("document.querySelector('dialog.confirm')"), "");
    if let Some(text) = typed {
        page.eval(&format!(
            "(() => {{ const field = document.querySelector('dialog textarea'); field.value = {text:?}; \
             field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
        ));
    }
    page.wait("!document.querySelector('dialog .row-end button:last-of-type').disabled");
    page.click("dialog .row-end button:last-of-type");
    page.wait("document.querySelector('dialog.confirm') === null");
}

fn wait_for_text(page: &mut Page, selector: &str, text: &str) {
    page.wait(&format!("[...document.querySelectorAll({selector:?})].some((e) => e.textContent.includes({text:?}))"));
}

/// Changes the view without loading the page, and waits for an element of it.
fn visit(page: &mut Page, view: &str, shown: &str) {
    page.eval(&format!("location.hash = {:?}", format!("#/{view}")));
    page.wait(&format!("document.querySelector({shown:?}) !== null"));
}

fn expect_no_errors(page: &mut Page) {
    assert_eq!(page.browser.complaints().expect("the browser"), Vec::<String>::new());
}

/// Uploads an agent that moves illegally and then a good one, on a phone.
fn a_team_uploads(served: &Served) -> Page {
    let mut page = served.open(&served.link("ann"), 390);
    wait_for_text(&mut page, ".mine h1", "Ann");
    upload(&mut page, &served.agent("bad", "(0, 63)"));
    page.wait("document.querySelector('.mine-left .upload-state.refused') !== null");
    wait_for_text(&mut page, ".check-steps .is-failed", "a1-h8");
    assert!(!page.text(".check-steps .is-failed .remedy").is_empty());
    page.wait("document.querySelector('.check-steps .is-failed .small-board .piece, .small-board svg') !== null");
    assert!(!page.is_too_wide());
    assert_eq!(page.violations("document"), "");
    page.eval(
        "window.states = new Set(); new MutationObserver(() => { \
           const state = document.querySelector('.mine-left .upload-state'); \
           if (state) states.add(state.classList[1]); \
         }).observe(document.body, { subtree: true, childList: true, attributes: true })",
    );
    upload(&mut page, &served.agent("good", "legal(board, side)[0]"));
    page.wait("document.querySelector('.mine-left .upload-state.accepted') !== null");
    let open = page.eval("states.has('waiting') || states.has('checking')");
    assert_eq!(open, true, "the check was followed");
    let passed = page.eval("document.querySelectorAll('.check-steps > .is-passed').length");
    assert!(passed.as_u64() >= Some(6), "{passed}");
    wait_for_text(&mut page, ".versions .playing", "2");
    page
}

/// Looks at the scoreboard and at a replay without a link.
fn a_visitor_watches(served: &Served) -> Page {
    let mut page = served.open(&served.address, 1280);
    page.wait("document.querySelectorAll('.standings-table tbody tr').length === 3");
    page.wait("document.querySelector('.boards-side .picture') !== null");
    page.wait("document.querySelectorAll('.game-item').length >= 2");
    wait_for_text(&mut page, ".standings-table", "Bob <b>");
    page.eval("document.querySelector('.game-item').click()");
    page.wait("document.querySelectorAll('.replay-page .squares .square').length === 64");
    page.wait("document.querySelectorAll('.replay-page .moves .move').length >= 2");
    page.key("Home");
    page.wait("document.querySelectorAll('.replay-page .piece:not(.gone)').length === 32");
    page.key("ArrowRight");
    page.wait("document.querySelector('.move[aria-current]') === document.querySelector('.move')");
    assert_eq!(page.text(".replay-page pre"), "", "others' standard error is private");
    assert_eq!(page.violations("document"), "");
    visit(&mut page, "course", ".standings-table tbody tr");
    page
}

#[test]
fn a_course_is_followed_from_the_first_upload_to_the_grades() {
    let served = Served::start();
    let mut ann = a_team_uploads(&served);
    for team in ["bob", "cat"] {
        let mut page = served.open(&served.link(team), 1280);
        upload(&mut page, &served.agent(team, "random.choice(legal(board, side))"));
        page.wait("document.querySelector('.mine-left .upload-state.accepted') !== null");
        expect_no_errors(&mut page);
    }
    let mut visitor = a_visitor_watches(&served);
    let mut staff = served.open(&served.staff, 1280);
    staff.wait("document.querySelectorAll('.staff tbody tr').length === 3");
    assert_eq!(staff.violations("document"), "");
    act(&mut staff, "Announce", Some("Office hours <b>today</b>"));
    wait_for_text(&mut visitor, ".announcement", "Office hours <b>today</b>");
    visit(&mut staff, "course/staff/team/cat", "#team-actions");
    act(&mut staff, "Withdraw", Some("left the course"));
    wait_for_text(&mut staff, ".badge.warn", "withdrawn");
    visitor.wait("document.querySelectorAll('.standings-table tbody tr').length === 2");
    visit(&mut staff, "course/staff/copies", ".copies, .course-table, .quiet");
    visit(&mut staff, "course/staff", "#teams, .staff tbody tr");
    act(&mut staff, "Close uploads", None);
    staff.wait("document.querySelector('.phase.done') !== null");
    wait_for_text(&mut visitor, "#standings", "Ladder");
    visit(&mut staff, "course/staff/grades", ".grade-table tbody tr");
    wait_for_text(&mut staff, ".grade-table tbody tr", "Ann ann10");
    assert_eq!(staff.violations("document"), "");
    visit(&mut staff, "course/staff", ".phase.done");
    act(&mut staff, "Publish", None);
    wait_for_text(&mut visitor, "#standings", "Final");
    visitor.wait("document.querySelectorAll('.standings-table tbody tr').length === 2");
    visitor.wait("document.querySelector('.game-item[href*=\"game/f\"]') !== null");
    visitor.eval("document.querySelector('.game-item[href*=\"game/f\"]').click()");
    visitor.wait("document.querySelectorAll('.replay-page .moves .move').length >= 2");
    ann.wait("document.querySelector('.phase.published') !== null");
    for page in [&mut ann, &mut visitor, &mut staff] {
        expect_no_errors(page);
    }
}
