//! The rehearsal of a course of twelve teams: its server, its links, and requests without a browser.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Child;

use devtools::Browser;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::course::{good, serve, stop};
use crate::page::site::Page;
use crate::submissions::files::{files, zip};

const COURSE: &str = "\
[course]
name = 'Games & search'
roster = 'teams.csv'
deadline = 'DEADLINE'
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
[practice]
levels = ['gentle1', 1]
[final]
format = 'swiss'
rounds = 2
games = 2
cores = 1
[grading]
accepted = 10
";
const TEAMS: &str = "id,name,mail
ann,Ann,ann@example.org
bob,Bob <b>,
cat,Cat & co,
dan,Dänische Dogge,
eve,\"Eve, Emil\",
fay,飞马队,
gus,Команда,
hal,Hal 9000,
ida,Ida,
jim,Jim,
kim,Kim,
leo,\"A team with a name that is nearly as long as the roster allows, and then some\",
";
/// Time until the deadline at the start: more than enough for everything that happens before it.
const OPEN: SignedDuration = SignedDuration::from_hours(2000);
/// Offset of the course's time zone.
const ZONE: SignedDuration = SignedDuration::from_hours(8);

/// A served rehearsal that is killed at the end of the test.
pub(super) struct Rehearsal {
    folder: tempfile::TempDir,
    child: Option<Child>,
    /// Address of the page.
    pub(super) address: String,
    /// Tokens of the links by team; `staff` is that of the staff.
    tokens: BTreeMap<String, String>,
    client: ureq::Agent,
}

impl Rehearsal {
    /// Writes the course, makes the links, and starts the rehearsal with a clock of this speed.
    pub(super) fn start(speed: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let deadline = (Timestamp::now() + OPEN + ZONE).to_string().replace('T', " ");
        let course = COURSE.replace("DEADLINE", &deadline[..16]);
        fs::write(folder.path().join("x.toml"), course).expect("written");
        fs::write(folder.path().join("teams.csv"), TEAMS).expect("written");
        good(folder.path(), &["links", "x.toml", "--rehearse", "--csv", "links.csv"]);
        let links = fs::read_to_string(folder.path().join("links.csv")).expect("the links");
        let token = |line: &str| {
            let (id, rest) = line.split_once(',')?;
            Some((id.trim_matches('"').to_owned(), rest.rsplit_once("/t/")?.1.trim_matches('"').to_owned()))
        };
        let tokens: BTreeMap<String, String> = links.lines().skip(1).filter_map(token).collect();
        assert_eq!(tokens.len(), 13, "{links}");
        let client = ureq::Agent::config_builder().proxy(None).max_redirects(0).http_status_as_error(false).build();
        let (child, printed) = serve(folder.path(), &["--rehearse", speed]);
        let address = format!("{}/", printed["public"].as_str().expect("an address"));
        Self { folder, child: Some(child), address, tokens, client: client.into() }
    }

    /// Restarts the server at the same address, with a clock of another speed.
    pub(super) fn restart(&mut self, speed: &str) {
        stop(self.child.take().expect("a server"));
        let (child, _) = serve(self.folder.path(), &["--rehearse", speed, "--port", self.port()]);
        self.child = Some(child);
    }

    fn port(&self) -> &str {
        self.address.trim_end_matches('/').rsplit(':').next().expect("a port")
    }

    /// Returns what a command prints about the rehearsal.
    pub(super) fn command(&self, name: &str) -> String {
        good(self.folder.path(), &[name, "x.toml", "--rehearse"])
    }

    /// Returns what the same command prints about the real course.
    pub(super) fn real_command(&self, name: &str) -> String {
        good(self.folder.path(), &[name, "x.toml"])
    }

    /// Opens the personal link of a team or of `staff`, or the page without a link, in a browser of its own.
    pub(super) fn open(&self, who: &str, (width, height): (u32, u32)) -> Page {
        let mut page = Page::first_visit(Browser::start().expect("a browser"), &self.address);
        let link = self.tokens.get(who).map_or_else(|| self.address.clone(), |token| self.link(token));
        page.browser.open(&link, width, height).expect("the page");
        page
    }

    fn link(&self, token: &str) -> String {
        format!("{}t/{token}", self.address)
    }

    /// Returns the cookie that a link sets.
    fn cookie(&self, team: &str) -> String {
        let answer = self.client.get(self.link(&self.tokens[team])).call().expect("an answer");
        let cookie = answer.headers().get("set-cookie").and_then(|value| value.to_str().ok()).expect("a cookie");
        cookie.split(';').next().expect("a value").to_owned()
    }

    /// Uploads a file for a team, and returns the status and the answer.
    pub(super) fn upload(&self, team: &str, name: &str, file: &[u8]) -> (u16, Value) {
        let request = self.client.post(format!("{}course/uploads", self.address));
        let request = request.header("cookie", self.cookie(team)).header("x-file-name", name);
        let mut answer = request.header("origin", self.address.trim_end_matches('/')).send(file).expect("an answer");
        let text = answer.body_mut().read_to_string().expect("a text");
        (answer.status().as_u16(), serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    /// Returns the status of a view for a visitor.
    pub(super) fn status(&self, path: &str) -> u16 {
        let answer = self.client.get(format!("{}course/{path}", self.address)).call().expect("an answer");
        answer.status().as_u16()
    }

    /// Writes an agent, and returns its path.
    pub(super) fn file(&self, folder: &str, choice: &str) -> PathBuf {
        let path = self.folder.path().join(folder).join("agent.py");
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, agent(choice)).expect("written");
        path
    }
}

impl Drop for Rehearsal {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Returns the source of an agent that chooses its moves with this Python expression.
fn agent(choice: &str) -> String {
    let source = include_str!("../../../../../examples/agents/breakthrough.py");
    let usual = "random.choice(legal(board, side))";
    assert!(source.contains(usual));
    source.replace(usual, choice)
}

/// Returns a zip with an agent in a folder.
pub(super) fn archive(choice: &str) -> Vec<u8> {
    zip(&files(&[("submission/agent.py", &agent(choice))]))
}

/// Chooses a file in the field for uploads.
pub(super) fn choose_file(page: &mut Page, file: &std::path::Path) {
    page.wait("document.querySelector('input[type=file]') !== null");
    let asked = json!({ "expression": "document.querySelector('input[type=file]')" });
    let field: Value = page.browser.call("Runtime.evaluate", &asked).expect("the field");
    let values = json!({ "files": [file], "objectId": field["result"]["objectId"] });
    page.browser.call("DOM.setFileInputFiles", &values).expect("a file");
}

/// Opens the dialog of an action, fills its field, and confirms it.
pub(super) fn act(page: &mut Page, button: &str, typed: Option<&str>) {
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

/// Waits until an element that matches contains a text.
pub(super) fn wait_for_text(page: &mut Page, selector: &str, text: &str) {
    page.wait(&format!("[...document.querySelectorAll({selector:?})].some((e) => e.textContent.includes({text:?}))"));
}

/// Waits until this number of elements match.
pub(super) fn wait_for(page: &mut Page, count: usize, selector: &str) {
    page.wait(&format!("document.querySelectorAll({selector:?}).length === {count}"));
}

/// Changes the view without loading the page, and waits for an element of it.
pub(super) fn visit(page: &mut Page, view: &str, shown: &str) {
    page.eval(&format!("location.hash = {:?}", format!("#/{view}")));
    page.wait(&format!("document.querySelector({shown:?}) !== null"));
}

/// Checks that the page fits its window and is accessible.
pub(super) fn check(page: &mut Page) {
    assert!(!page.is_too_wide(), "{}", page.eval("location.hash"));
    assert_eq!(page.violations("document"), "");
}
