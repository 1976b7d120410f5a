//! A server and a browser for the tests of the page.

#![allow(unreachable_pub)] // a module of a test program

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use devtools::Browser;
use games::{GameId, Puzzle, Scene, Setting, Task};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A server that ends with the test. Its archive is in a folder of its own.
pub struct Site {
    child: Child,
    pub address: String,
    pub folder: Arc<TempDir>,
}

impl Site {
    pub fn start() -> Self {
        Self::with(&[])
    }

    /// At a port that was used before.
    pub fn at(port: Option<&str>) -> Self {
        Self::with(&["--port", port.unwrap_or("0")])
    }

    /// With these options, at a free port if they name none.
    pub fn with(options: &[&str]) -> Self {
        Self::in_folder(Arc::new(tempfile::tempdir().expect("a folder")), options)
    }

    /// With the archive of an earlier server.
    pub fn in_folder(folder: Arc<TempDir>, options: &[&str]) -> Self {
        Self::run(Path::new(env!("CARGO_BIN_EXE_plyhouse")), folder, options)
    }

    /// Starts another program that has the commands of `plyhouse`.
    pub fn of(program: &Path) -> Self {
        Self::run(program, Arc::new(tempfile::tempdir().expect("a folder")), &[])
    }

    fn run(program: &Path, folder: Arc<TempDir>, options: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(["page", "--no-open"]).args(options).stdout(Stdio::piped());
        if !options.contains(&"--port") {
            command.args(["--port", "0"]);
        }
        command.env("PLYHOUSE_ARCHIVE", folder.path().join("games.jsonl"));
        command.env("PLYHOUSE_PUZZLES", folder.path());
        let mut child = command.spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        Self { address: address_in(&line), child, folder }
    }

    pub fn port(&self) -> &str {
        self.address.trim_end_matches('/').rsplit(':').next().expect("a port")
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The squares that a legal move touches.
pub fn path(game: GameId, start: Option<&str>, moves: &[&str], wanted: &str) -> Vec<[usize; 2]> {
    let ways = position(game, start, moves).moves;
    let way = ways.into_iter().find(|way| way.text == wanted);
    way.unwrap_or_else(|| panic!("{wanted} after {moves:?}")).path
}

/// The first puzzle of a game that is like this, with its number.
pub fn find_puzzle(game: GameId, is: impl Fn(&Puzzle) -> bool) -> (usize, Puzzle) {
    game.puzzles().into_iter().enumerate().find(|(_, puzzle)| is(puzzle)).expect("such a puzzle")
}

/// Whether a puzzle asks for a win in so many plies.
pub fn is_win(plies: u32) -> impl Fn(&Puzzle) -> bool {
    move |puzzle| puzzle.task == Task::Win(plies)
}

/// A position as the page shows it.
pub fn position(game: GameId, start: Option<&str>, moves: &[&str]) -> Scene {
    let setting = Setting { game, size: None, move_limit: 200, repetitions: None };
    setting.record(start, moves).map(|game| game.scene()).expect("a position")
}

/// A view with a game of checkers that ends with the next move.
pub fn checkers_near_the_end() -> String {
    let rows = ["........", "........", "...w....", "..b.....", "........", "........", "........", "........"];
    format!("play?game=checkers&start={}%20b", rows.join("/"))
}

/// The address in a line of a program.
pub fn address_in(line: &str) -> String {
    line.split_whitespace().find(|word| word.starts_with("http://")).expect("an address").to_owned()
}

/// Two persons at a board of Lines of Action.
pub const PERSONS: [(&str, &str); 2] = [("Black", "person"), ("White", "person")];

/// Speed of pauses and animations in tests that do not look at movements, as a multiple of the usual speed.
const HURRY: u32 = 8;

/// Condition that holds as soon as a view shows its content.
const SHOWN: &str = "document.querySelector('.board .square, .home .picture g, .wait progress') !== null";

/// A browser with the page open at a view, and a user's actions there.
pub struct Page {
    pub browser: Browser,
    pub address: String,
    /// How many times the page was loaded.
    loads: u32,
}

impl Page {
    /// Opens a view whose movements and pauses are [`HURRY`] times as fast as a user sees them.
    pub fn open(address: &str, view: &str, width: u32, height: u32) -> Self {
        let mut page = Self::new(Browser::start().expect("a browser"), address);
        page.hurry();
        page.go(view, width, height);
        page
    }

    /// Like [`open`](Self::open), with the analysis engine off, which searches for most of a minute after each move.
    pub fn open_without_engine(address: &str, view: &str, width: u32, height: u32) -> Self {
        let mut page = Self::new(Browser::start().expect("a browser"), address);
        page.hurry();
        page.turn_engine_off();
        page.go(view, width, height);
        page
    }

    /// Opens a view as a user sees it, for tests of movements.
    pub fn open_in_real_time(address: &str, view: &str, width: u32, height: u32) -> Self {
        let mut page = Self::new(Browser::start().expect("a browser"), address);
        page.go(view, width, height);
        page
    }

    /// Returns the page in a browser that has not loaded it yet.
    pub fn new(browser: Browser, address: &str) -> Self {
        Self { browser, address: address.to_owned(), loads: 0 }
    }

    /// Shortens the page's pauses for readers and its animations, from the next view on. Longer timers are time limits.
    fn hurry(&mut self) {
        self.shorten_pauses(3000);
        self.browser.call("Animation.enable", &json!({})).expect("animations");
        self.browser.call("Animation.setPlaybackRate", &json!({ "playbackRate": HURRY })).expect("a rate");
    }

    /// Makes timers up to a length, in milliseconds, run [`HURRY`] times as fast, from the next view on.
    pub fn shorten_pauses(&mut self, longest: u32) {
        let source = format!(
            "(() => {{ const timer = window.realTimer ??= window.setTimeout; window.setTimeout = (act, ms = 0, ...rest) => \
             timer(act, ms >= 100 && ms < {longest} ? ms / {HURRY} : ms, ...rest); }})()"
        );
        self.browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": source })).expect("a script");
    }

    /// Turns off the engine of the analysis, from the next page on that is loaded, unless the user has chosen.
    pub fn turn_engine_off(&mut self) {
        let source = "localStorage['plyhouse.analysis'] ??= '{\"on\":false}'";
        self.browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": source })).expect("a script");
    }

    /// Goes to another view without loading the page again. The view must not be the one that is shown.
    pub fn visit(&mut self, view: &str) {
        self.eval(&format!(
            "document.querySelector('main').dataset.left = ''; location.hash = {:?}",
            format!("#/{view}")
        ));
        self.wait(&format!("document.querySelector('main[data-left]') === null && {SHOWN}"));
    }

    /// Changes the size of the window and waits until the page has the size.
    pub fn resize(&mut self, width: u32, height: u32) {
        self.browser.resize(width, height).expect("a size");
        self.wait(&format!("document.documentElement.clientWidth === {width}"));
        // The page draws for the new size.
        self.eval("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))");
    }

    /// Loads the page at a view.
    pub fn go(&mut self, view: &str, width: u32, height: u32) {
        self.load(view, width, height);
        self.wait(SHOWN);
    }

    /// Loads the page at a view, whatever the view shows. The address is a new one each time: with the old one only the
    /// view would change. An empty page in between would do, too, but a busy browser may ask for the icon of the page
    /// that it has just left, and then complains that an empty page may not load it.
    pub fn load(&mut self, view: &str, width: u32, height: u32) {
        self.loads += 1;
        let address = format!("{}?check={}#/{view}", self.address, self.loads);
        self.browser.open(&address, width, height).expect("the page");
    }

    pub fn eval(&mut self, expression: &str) -> Value {
        self.browser.eval(expression).expect(expression)
    }

    pub fn text(&mut self, selector: &str) -> String {
        let text = self.eval(&format!("document.querySelector({selector:?})?.textContent ?? ''"));
        text.as_str().unwrap_or_default().to_owned()
    }

    pub fn wait(&mut self, expression: &str) {
        if let Err(error) = self.browser.wait_for(expression) {
            let text = self.browser.eval("document.body.innerText").unwrap_or_default();
            let complaints = self.browser.complaints().unwrap_or_default();
            panic!("{error}\n{complaints:?}\n{text}");
        }
    }

    /// Returns the violations that axe-core finds in a part of the page, in words.
    pub fn violations(&mut self, part: &str) -> String {
        self.violations_of(part, "{}")
    }

    /// Returns the violations of the rules for colours, in words: those that can differ between themes.
    pub fn colour_violations(&mut self, part: &str) -> String {
        self.violations_of(part, "{ runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }")
    }

    fn violations_of(&mut self, part: &str, options: &str) -> String {
        if self.eval("window.axe === undefined") == true {
            self.eval(concat!(include_str!("../../../../devtools/vendor/axe.min.js"), "; true"));
        }
        let found = self.eval(&format!(
            "axe.run({part}, {{ resultTypes: ['violations'], ...{options} }}).then((r) => r.violations.map((v) => \
             `${{v.id}}: ${{v.nodes.map((n) => n.html.slice(0, 120) + ' ' + n.failureSummary).join(' | ')}}`).join('\\n'))"
        ));
        found.as_str().unwrap_or("?").to_owned()
    }

    /// Returns `true` if the page is wider than its window. `innerWidth` does not show that, because on a phone it
    /// grows with the page.
    pub fn is_too_wide(&mut self) -> bool {
        self.eval("document.documentElement.scrollWidth > document.documentElement.clientWidth") == true
    }

    /// Waits for a number of moves on the board.
    pub fn wait_for_moves(&mut self, count: usize) {
        self.wait(&format!("document.querySelectorAll('.moves .move:not(.gone)').length === {count}"));
    }

    pub fn moves(&mut self) -> usize {
        self.eval("document.querySelectorAll('.moves .move:not(.gone)').length").as_u64().expect("a number") as usize
    }

    pub fn click(&mut self, selector: &str) {
        self.browser.click(selector).expect(selector);
    }

    /// Clicks the button with this text; on a phone it may be in the menu.
    pub fn press_button(&mut self, label: &str) {
        let mark = format!(
            "(() => {{ document.querySelectorAll('[data-wanted]').forEach((e) => delete e.dataset.wanted); \
             const found = [...document.querySelectorAll('button, a.button')].find((e) => e.textContent.trim() === {label:?} && !e.disabled); \
             const sheet = found?.closest('[popover]'); if (sheet && !sheet.matches(':popover-open')) sheet.showPopover(); \
             if (found) found.dataset.wanted = '1'; return !!found; }})()"
        );
        self.wait(&mark);
        self.click("[data-wanted]");
    }

    /// Clicks a square by row and column.
    pub fn click_square(&mut self, row: usize, column: usize) {
        self.click(&format!("[data-place='{row},{column}']"));
    }

    pub fn key(&mut self, key: &str) {
        self.browser.press(key).expect(key);
    }

    /// Types a move into the field beside the board, and Enter.
    pub fn type_move(&mut self, text: &str) {
        self.eval("document.querySelector('.typed input').focus()");
        for key in text.chars() {
            self.key(&key.to_string());
        }
        self.key("Enter");
    }

    /// Goes from the square that has the focus to another one by arrow keys, as the board is turned.
    pub fn walk(&mut self, [row, column]: [usize; 2]) {
        let way = format!(
            "(() => {{ const at = document.activeElement.getBoundingClientRect(); \
             const to = document.querySelector(\"[data-place='{row},{column}']\").getBoundingClientRect(); \
             if (to.x > at.x + 1) return 'ArrowRight'; if (to.x < at.x - 1) return 'ArrowLeft'; \
             if (to.y > at.y + 1) return 'ArrowDown'; return to.y < at.y - 1 ? 'ArrowUp' : ''; }})()"
        );
        for _ in 0..40 {
            match self.eval(&way).as_str() {
                Some("") | None => break,
                Some(key) => self.key(key),
            }
        }
        self.wait(&format!("document.activeElement.dataset.place === '{row},{column}'"));
    }

    /// Chooses an entry of the list with this label.
    pub fn choose(&mut self, label: &str, value: &str) {
        let set = format!(
            "(() => {{ const field = [...document.querySelectorAll('.field')].reverse().find((f) => f.querySelector('span').textContent === {label:?}); \
             const select = field.querySelector('select'); select.value = {value:?}; \
             select.dispatchEvent(new Event('change', {{ bubbles: true }})); return select.value; }})()"
        );
        assert_eq!(self.eval(&set), value, "{label}");
    }

    /// Chooses one of a few by its words.
    pub fn pick(&mut self, words: &str) {
        let mark = format!(
            "(() => {{ document.querySelectorAll('[data-wanted]').forEach((e) => delete e.dataset.wanted); \
             const found = [...document.querySelectorAll('label.radio')].reverse().find((e) => e.textContent.trim().startsWith({words:?})); \
             if (found) found.dataset.wanted = '1'; return !!found; }})()"
        );
        self.wait(&mark);
        self.click("[data-wanted]");
        self.wait("document.querySelector('[data-wanted] input')?.checked !== false");
    }

    /// Chooses an opponent by the number of its level.
    pub fn pick_level(&mut self, level: &str) {
        let set = format!(
            "fetch('games.json').then((answer) => answer.json()).then(([game]) => {{ \
             const slider = document.querySelector('.strength input'); \
             slider.value = game.levels.findIndex(({{ key }}) => key === {level:?}); \
             slider.dispatchEvent(new Event('input', {{ bubbles: true }})); return slider.value; }})"
        );
        assert_ne!(self.eval(&set), "-1", "level {level}");
    }

    /// Begins a game with the dialog. A game that is in progress is thrown away.
    pub fn new_game(&mut self, title: &str, size: usize, seats: [(&str, &str); 2]) {
        self.press_button("New game");
        self.wait("document.querySelector('dialog[open]') !== null");
        self.pick(title);
        self.choose("Board", &size.to_string());
        match seats.into_iter().find(|(_, who)| *who != "person") {
            None => self.pick("Two players"),
            Some((_, level)) => {
                self.pick("Computer");
                self.pick_level(level);
                let own = seats.iter().find(|(_, who)| *who == "person").expect("a person");
                self.pick(own.0);
            }
        }
        let is_asked = self.is_in_progress();
        self.press_button("Start game");
        if is_asked {
            self.press_button("Discard it");
        }
        self.wait("document.querySelector('dialog') === null");
        self.wait(&format!("document.querySelectorAll('.squares .square').length === {}", size * size));
        // The engine may have begun.
        self.wait("document.querySelectorAll('.moves .move').length <= 1");
    }

    /// Returns `true` if the page asks before it begins another game: a person has made a move in this one.
    fn is_in_progress(&mut self) -> bool {
        let persons =
            "[...document.querySelectorAll('.strip select')].filter(({ value }) => value === 'person').length";
        let persons = self.eval(persons).as_u64().expect("a number");
        let is_over = self.eval("document.querySelector('.status.over') !== null") == true;
        !is_over && persons > 0 && self.moves() >= if persons == 2 { 1 } else { 2 }
    }

    /// Plays whatever can be played by the mouse until the game is over. Engines may be at the other side.
    pub fn play_by_mouse(&mut self) {
        for _ in 0..150 {
            self.wait("document.querySelector('.square.movable, .status.over') !== null");
            if self.eval("document.querySelector('.status.over') !== null") == true {
                return;
            }
            // Not always the first one, so that games do not go in circles.
            let before = self.moves();
            let one = format!(
                "(() => {{ const all = [...document.querySelectorAll('.square.movable')]; \
                 return all[{before} * 7 % all.length]?.dataset.place ?? all[0]?.dataset.place ?? ''; }})()"
            );
            let place = self.eval(&one).as_str().unwrap_or_default().to_owned();
            self.click(&format!("[data-place='{place}']"));
            let more = format!("document.querySelectorAll('.moves .move:not(.gone)').length > {before}");
            self.wait(&format!("document.querySelector('.square.target') !== null || {more}"));
            if self.moves() == before {
                self.click(".square.target");
            }
            self.wait(&more);
        }
        panic!("the game does not end: {}", self.text(".status"));
    }

    /// Plays a game of each kind to its end by mouse, some of them against an opponent.
    pub fn play_every_game(&mut self, opponent: &str) {
        self.go("play", 1280, 900);
        self.choose("Cascades", "0");
        self.new_game("Lines of Action", 4, [("Black", "person"), ("White", "person")]);
        self.play_by_mouse();
        assert!(self.text(".status").contains("wins: "), "{}", self.text(".status"));
        self.new_game("Jump61", 2, [("Red", "person"), ("Blue", opponent)]);
        self.play_by_mouse();
        assert!(self.text(".status").contains("every square has its colour"), "{}", self.text(".status"));
        self.new_game("Breakthrough", 4, [("White", "person"), ("Black", opponent)]);
        self.play_by_mouse();
        assert!(self.text(".status").contains("wins: "), "{}", self.text(".status"));
        self.go(&checkers_near_the_end(), 1280, 900);
        self.choose("White", "person");
        self.wait("document.querySelectorAll('.square.movable').length === 1");
        self.click(".square.movable");
        self.click("[data-place='1,4']");
        self.wait("document.querySelector('.status.over') !== null");
        assert_eq!(self.text(".outcome p").trim(), "Black wins: White has no legal move.");
    }

    /// Waits for what is said about the last move of a puzzle.
    pub fn wait_for_verdict(&mut self, text: &str) {
        self.wait(&format!("document.querySelector('.verdict')?.textContent.includes({text:?})"));
    }

    /// Opens a puzzle by its number, from 0.
    pub fn open_puzzle(&mut self, game: GameId, number: usize) {
        self.go(&format!("puzzles?game={game}&number={}", number + 1), 1280, 900);
        self.wait_for_verdict("Your move");
    }

    /// Makes a move by its squares as soon as the board takes one.
    pub fn make(&mut self, squares: &[[usize; 2]]) {
        self.wait("document.querySelector('.square.movable') !== null");
        for &[row, column] in squares {
            self.click_square(row, column);
        }
    }

    /// Plays the whole solution of the puzzle that is shown.
    pub fn solve(&mut self, game: GameId, puzzle: &Puzzle) {
        let line: Vec<&str> = puzzle.solution.iter().map(String::as_str).collect();
        for ply in (0..line.len()).step_by(2) {
            self.make(&path(game, Some(&puzzle.start), &line[..ply], line[ply]));
            self.wait_for_verdict(if ply + 2 < line.len() { line[ply + 1] } else { "Solved!" });
        }
    }

    /// The page reported no errors and sent no requests to other servers.
    pub fn was_clean(&mut self) {
        assert_eq!(self.browser.complaints().expect("the browser"), Vec::<String>::new());
        let asked = self.browser.requests().expect("the browser");
        let ours = |address: &String| {
            address.starts_with(&self.address) || address.starts_with("about:") || address.starts_with("data:")
        };
        assert!(asked.iter().all(ours), "{asked:?}");
    }
}
