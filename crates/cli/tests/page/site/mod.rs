//! Server and browser fixtures for tests of the page.

#![allow(unreachable_pub)] // a module of a test program

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use devtools::Browser;
use games::{GameId, Puzzle, Scene, Setting, Task};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A page server that is killed at the end of the test. Its archive is in a temporary folder.
pub struct Site {
    child: Child,
    pub address: String,
    pub folder: Arc<TempDir>,
}

impl Site {
    pub fn start() -> Self {
        Self::with(&[])
    }

    /// Starts a server on a given port.
    pub fn on_port(port: &str) -> Self {
        Self::with(&["--port", port])
    }

    /// Starts a server with command-line options, on a free port unless they name one.
    pub fn with(options: &[&str]) -> Self {
        Self::in_folder(Arc::new(tempfile::tempdir().expect("a folder")), options)
    }

    /// Starts a server on the archive of an earlier server.
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

/// Returns the squares of a legal move, given by its text, in order.
pub fn path(game: GameId, start: Option<&str>, moves: &[&str], wanted: &str) -> Vec<[usize; 2]> {
    let legal = position(game, start, moves).moves;
    let found = legal.into_iter().find(|legal| legal.text == wanted);
    found.unwrap_or_else(|| panic!("{wanted} is not legal after {moves:?}")).path
}

/// Returns the first puzzle of a game that matches a predicate, with its index.
pub fn find_puzzle(game: GameId, matches: impl Fn(&Puzzle) -> bool) -> (usize, Puzzle) {
    game.puzzles().into_iter().enumerate().find(|(_, puzzle)| matches(puzzle)).expect("a matching puzzle")
}

/// Returns a predicate for puzzles that ask for a win in a number of plies.
pub fn is_win(plies: u32) -> impl Fn(&Puzzle) -> bool {
    move |puzzle| puzzle.task == Task::Win(plies)
}

/// Returns a position as the page shows it.
pub fn position(game: GameId, start: Option<&str>, moves: &[&str]) -> Scene {
    let setting = Setting::new(game, 200);
    setting.record(start, moves).map(|game| game.scene()).expect("a position")
}

/// Returns a view with a game of checkers that Black wins with the next move.
pub fn checkers_near_the_end() -> String {
    let rows = ["........", "........", "...w....", "..b.....", "........", "........", "........", "........"];
    format!("play?game=checkers&start={}%20b", rows.join("/"))
}

/// Returns the first URL in a line of output.
pub fn address_in(line: &str) -> String {
    line.split_whitespace().find(|word| word.starts_with("http://")).expect("an address").to_owned()
}

/// Seats of a game of Lines of Action between two people.
pub const PERSONS: [(&str, &str); 2] = [("Black", "person"), ("White", "person")];

/// Factor by which pauses and animations are sped up in tests that do not check movements.
const SPEED_UP: u32 = 8;

/// Condition that holds as soon as a view shows its content.
const SHOWN: &str = "document.querySelector('.board .square, .home .picture g, .rung, .wait progress') !== null";

/// A browser tab with the page, and the actions of a user.
pub struct Page {
    pub browser: Browser,
    pub address: String,
    /// Number of times the page was loaded.
    loads: u32,
}

/// Function that imports a script of the page by its path. A joined script is found by its name.
pub const FIND: &str = "
    async (path) => {
        const at = (file) => import(document.querySelector('script[src]').src + '/../../' + file);
        const name = '$' + path.replace(/^js\\//, '').replace(/\\.js$/, '').replace(/[^a-zA-Z0-9]/g, '_');
        for (const joined of [await at('js/common.js'), await at('js/page.js')]) if (name in joined) return joined[name];
        return at(path);
    }";

impl Page {
    /// Opens a view with animations and pauses sped up by [`SPEED_UP`].
    pub fn open(address: &str, view: &str, width: u32, height: u32) -> Self {
        let mut page = Self::new(Browser::start().expect("a browser"), address);
        page.speed_up();
        page.go(view, width, height);
        page
    }

    /// Like [`open`](Self::open), with the analysis engine off. Otherwise it searches for most of a minute after each
    /// move.
    pub fn open_without_engine(address: &str, view: &str, width: u32, height: u32) -> Self {
        let mut page = Self::new(Browser::start().expect("a browser"), address);
        page.speed_up();
        page.turn_engine_off();
        page.go(view, width, height);
        page
    }

    /// Opens a view at normal speed, for tests of movements.
    pub fn open_in_real_time(address: &str, view: &str, width: u32, height: u32) -> Self {
        let mut page = Self::new(Browser::start().expect("a browser"), address);
        page.go(view, width, height);
        page
    }

    /// Wraps a browser that has not loaded the page yet. The view `play` shows a game of Lines of Action.
    pub fn new(browser: Browser, address: &str) -> Self {
        let mut page = Self::first_visit(browser, address);
        let game =
            json!({ "game": { "game": "loa" }, "seats": [{ "kind": "person" }, { "kind": "engine", "level": "3" }] });
        // An empty page has no storage.
        let source = format!("if (origin !== 'null') localStorage['plyhouse.game.play'] ??= {:?}", game.to_string());
        page.browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": source })).expect("a script");
        page
    }

    /// Wraps a browser whose user has not played yet.
    pub fn first_visit(browser: Browser, address: &str) -> Self {
        Self { browser, address: address.to_owned(), loads: 0 }
    }

    /// Shortens the page's reading pauses and animations, from the next load on. Longer timers are time limits.
    fn speed_up(&mut self) {
        self.shorten_pauses(3000);
        self.browser.call("Animation.enable", &json!({})).expect("animations");
        self.browser.call("Animation.setPlaybackRate", &json!({ "playbackRate": SPEED_UP })).expect("a rate");
    }

    /// Speeds up timers shorter than `longest` milliseconds by [`SPEED_UP`], from the next load on.
    pub fn shorten_pauses(&mut self, longest: u32) {
        let source = format!(
            "(() => {{ const timer = window.realTimer ??= window.setTimeout; window.setTimeout = (act, ms = 0, ...rest) => \
             timer(act, ms >= 100 && ms < {longest} ? ms / {SPEED_UP} : ms, ...rest); }})()"
        );
        self.browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": source })).expect("a script");
    }

    /// Turns off the analysis engine from the next load on, unless the user has set it.
    pub fn turn_engine_off(&mut self) {
        let source = "localStorage['plyhouse.analysis'] ??= '{\"on\":false}'";
        self.browser.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": source })).expect("a script");
    }

    /// Switches to another view without reloading the page. The view must differ from the current one.
    pub fn visit(&mut self, view: &str) {
        self.eval(&format!(
            "document.querySelector('main').dataset.left = ''; location.hash = {:?}",
            format!("#/{view}")
        ));
        self.wait(&format!("document.querySelector('main[data-left]') === null && {SHOWN}"));
    }

    /// Resizes the window and waits until the page has the new size.
    pub fn resize(&mut self, width: u32, height: u32) {
        self.browser.resize(width, height).expect("a size");
        self.wait(&format!("document.documentElement.clientWidth === {width}"));
        // After two frames the page is drawn at the new size.
        self.eval("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))");
    }

    /// Loads the page at a view and waits until it is shown.
    pub fn go(&mut self, view: &str, width: u32, height: u32) {
        self.load(view, width, height);
        self.wait(SHOWN);
    }

    /// Loads the page at a view without waiting for its content.
    ///
    /// Each load uses a new address, because a browser that stays at the same address changes the view without loading
    /// the page. Opening an empty page in between does not work: a busy browser may then request the icon of the page
    /// it has just left, and report an error because an empty page may not load the icon.
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

    /// Returns the violations that axe-core finds in a part of the page, as text.
    pub fn violations(&mut self, part: &str) -> String {
        self.violations_of(part, "{}")
    }

    /// Returns the violations of the colour rules, the only ones that can differ between themes, as text.
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

    /// Returns `true` if the page is wider than its window. `innerWidth` cannot be used: on a phone it grows with the
    /// page.
    pub fn is_too_wide(&mut self) -> bool {
        self.eval("document.documentElement.scrollWidth > document.documentElement.clientWidth") == true
    }

    /// Waits until the list of moves has `count` moves.
    pub fn wait_for_moves(&mut self, count: usize) {
        self.wait(&format!("document.querySelectorAll('.moves .move:not(.gone)').length === {count}"));
    }

    pub fn moves(&mut self) -> usize {
        self.eval("document.querySelectorAll('.moves .move:not(.gone)').length").as_u64().expect("a number") as usize
    }

    pub fn click(&mut self, selector: &str) {
        self.browser.click(selector).expect(selector);
    }

    /// Scrolls the first matching element into view, and taps its centre with a finger.
    pub fn tap(&mut self, selector: &str) {
        self.wait(&format!("document.querySelector({selector:?}) !== null"));
        let centre = self.eval(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{ block: 'center' }}); \
             const r = e.getBoundingClientRect(); return [{{ x: r.x + r.width / 2, y: r.y + r.height / 2 }}]; }})()"
        ));
        for (kind, points) in [("touchStart", centre), ("touchEnd", json!([]))] {
            let event = json!({ "type": kind, "touchPoints": points });
            self.browser.call("Input.dispatchTouchEvent", &event).expect("a finger");
        }
    }

    /// Clicks the button with this text, and opens the menu first if the button is in it.
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

    /// Types a move into the field beside the board, then presses Enter.
    pub fn type_move(&mut self, text: &str) {
        self.eval("(() => { const field = document.querySelector('.typed input'); field.focus(); field.select(); })()");
        for key in text.chars() {
            self.key(&key.to_string());
        }
        self.key("Enter");
    }

    /// Moves the focus from the focused square to another one with arrow keys, whichever way the board is turned.
    pub fn move_focus(&mut self, [row, column]: [usize; 2]) {
        let next_key = format!(
            "(() => {{ const at = document.activeElement.getBoundingClientRect(); \
             const to = document.querySelector(\"[data-place='{row},{column}']\").getBoundingClientRect(); \
             if (to.x > at.x + 1) return 'ArrowRight'; if (to.x < at.x - 1) return 'ArrowLeft'; \
             if (to.y > at.y + 1) return 'ArrowDown'; return to.y < at.y - 1 ? 'ArrowUp' : ''; }})()"
        );
        for _ in 0..40 {
            match self.eval(&next_key).as_str() {
                Some("") | None => break,
                Some(key) => self.key(key),
            }
        }
        self.wait(&format!("document.activeElement.dataset.place === '{row},{column}'"));
    }

    /// Selects an option, by its value, in the drop-down list with this label.
    pub fn choose(&mut self, label: &str, value: &str) {
        let set = format!(
            "(() => {{ const field = [...document.querySelectorAll('.field')].reverse().find((f) => f.querySelector('span').textContent === {label:?}); \
             const select = field.querySelector('select'); select.value = {value:?}; \
             select.dispatchEvent(new Event('change', {{ bubbles: true }})); return select.value; }})()"
        );
        assert_eq!(self.eval(&set), value, "{label}");
    }

    /// Selects the radio button whose label starts with this text.
    pub fn choose_radio(&mut self, label: &str) {
        let mark = format!(
            "(() => {{ document.querySelectorAll('[data-wanted]').forEach((e) => delete e.dataset.wanted); \
             const found = [...document.querySelectorAll('label.radio')].reverse().find((e) => e.textContent.trim().startsWith({label:?})); \
             if (found) found.dataset.wanted = '1'; return !!found; }})()"
        );
        self.wait(&mark);
        self.click("[data-wanted]");
        self.wait("document.querySelector('[data-wanted] input')?.checked !== false");
    }

    /// Selects an opponent by its level.
    pub fn choose_level(&mut self, level: &str) {
        let set = format!(
            "fetch('games.json').then((answer) => answer.json()).then(([game]) => {{ \
             const slider = document.querySelector('.strength input'); \
             slider.value = game.levels.findIndex(({{ key }}) => key === {level:?}); \
             slider.dispatchEvent(new Event('input', {{ bubbles: true }})); return slider.value; }})"
        );
        assert_ne!(self.eval(&set), "-1", "level {level}");
    }

    /// Opens the dialog for a new game.
    pub fn open_new_game(&mut self) {
        self.press_button("New game");
        self.wait("document.querySelector('dialog.new-game[open]') !== null");
    }

    /// Opens the dialog for a new analysis.
    pub fn open_new_analysis(&mut self) {
        self.press_button("New analysis");
        self.wait("document.querySelector('dialog[open]') !== null");
    }

    /// Presses "Cancel" in the open dialog.
    pub fn cancel_dialog(&mut self) {
        self.press_button("Cancel");
        self.wait("document.querySelector('dialog') === null");
    }

    /// Starts a game with the dialog. A game in progress is discarded.
    pub fn new_game(&mut self, title: &str, size: usize, seats: [(&str, &str); 2]) {
        self.open_new_game();
        self.choose_radio(title);
        self.choose("Board", &size.to_string());
        match seats.into_iter().find(|(_, who)| *who != "person") {
            None => self.choose_radio("Two players"),
            Some((_, level)) => {
                self.choose_radio("Computer");
                self.choose_level(level);
                let own = seats.iter().find(|(_, who)| *who == "person").expect("a person");
                self.choose_radio(own.0);
            }
        }
        let needs_confirmation = self.is_in_progress();
        self.press_button("Start game");
        if needs_confirmation {
            self.press_button("Discard it");
        }
        self.wait("document.querySelector('dialog') === null");
        self.wait(&format!("document.querySelectorAll('.squares .square').length === {}", size * size));
        // The engine may have made the first move.
        self.wait("document.querySelectorAll('.moves .move').length <= 1");
    }

    /// Returns `true` if a person has made a move in the current game, so that the page asks before it starts another.
    fn is_in_progress(&mut self) -> bool {
        let persons =
            "[...document.querySelectorAll('.strip select')].filter(({ value }) => value === 'person').length";
        let persons = self.eval(persons).as_u64().expect("a number");
        let is_over = self.eval("document.querySelector('.status.over') !== null") == true;
        !is_over && persons > 0 && self.moves() >= if persons == 2 { 1 } else { 2 }
    }

    /// Plays legal moves by mouse until the game is over. The opponent may be an engine.
    pub fn play_by_mouse(&mut self) {
        for _ in 0..150 {
            self.wait("document.querySelector('.square.movable, .status.over') !== null");
            if self.eval("document.querySelector('.status.over') !== null") == true {
                return;
            }
            // Different pieces are chosen, so that games do not repeat positions.
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

    /// Plays each game to its end by mouse. `opponent` has the second seat in Jump61 and Breakthrough.
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

    /// Waits until the verdict on the last move of a puzzle contains a text.
    pub fn wait_for_verdict(&mut self, text: &str) {
        self.wait(&format!("document.querySelector('.verdict')?.textContent.includes({text:?})"));
    }

    /// Opens a puzzle by its index.
    pub fn open_puzzle(&mut self, game: GameId, number: usize) {
        self.go(&format!("puzzles?game={game}&number={}", number + 1), 1280, 900);
        self.wait_for_verdict("Your move");
    }

    /// Clicks the squares of a move as soon as a piece can move.
    pub fn play_move(&mut self, squares: &[[usize; 2]]) {
        self.wait("document.querySelector('.square.movable') !== null");
        for &[row, column] in squares {
            self.click_square(row, column);
        }
    }

    /// Plays the whole solution of the current puzzle.
    pub fn solve(&mut self, game: GameId, puzzle: &Puzzle) {
        let line: Vec<&str> = puzzle.solution.iter().map(String::as_str).collect();
        for ply in (0..line.len()).step_by(2) {
            self.play_move(&path(game, Some(&puzzle.start), &line[..ply], line[ply]));
            self.wait_for_verdict(if ply + 2 < line.len() { line[ply + 1] } else { "Solved!" });
        }
    }

    /// Asserts that the page reported no errors and sent no requests to other servers.
    pub fn assert_clean(&mut self) {
        assert_eq!(self.browser.complaints().expect("the browser"), Vec::<String>::new());
        let requests = self.browser.requests().expect("the browser");
        let is_own = |address: &String| {
            address.starts_with(&self.address) || address.starts_with("about:") || address.starts_with("data:")
        };
        assert!(requests.iter().all(is_own), "{requests:?}");
    }
}
