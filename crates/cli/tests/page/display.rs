//! The page beside a terminal while the program plays: every move is shown, and wishes are obeyed between two moves and
//! during a search.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use crate::page::site::{Page, address_in};

/// A text program with its page, and a second socket in that page that writes down every room in `window.rooms`.
struct Table {
    child: Child,
    input: ChildStdin,
    page: Page,
}

impl Table {
    fn start(program: &str, options: &[&str], first: &str) -> Self {
        let mut child = Command::new(program)
            .arg("--display")
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let mut page = Page::open(&address_in(&line), "play", 1280, 900);
        page.eval(
            "(() => { window.rooms = []; window.last = '';
              window.link = new WebSocket(`ws://${location.host}/socket`);
              link.onopen = () => link.send('{\"do\": \"join\"}');
              link.onmessage = ({ data }) => {
                const message = JSON.parse(data);
                window.last = message.is;
                if (message.is === 'room') rooms.push(message);
              };
              window.now = () => rooms[rooms.length - 1];
              window.seat = (side, kind) => link.send(JSON.stringify({ do: 'act', ply: now().scene.ply,
                act: { kind: 'seat', side, seat: kind === 'person' ? { kind } : { kind, level: '10' } } }));
            })()",
        );
        page.wait("rooms.length > 0");
        let input = child.stdin.take().expect("a pipe");
        let mut table = Self { child, input, page };
        table.say(first);
        table
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it reads");
    }

    fn number(&mut self, expression: &str) -> u64 {
        self.page.eval(expression).as_u64().expect("a number")
    }

    /// Whether the program ends by itself within a generous time.
    fn ends(&mut self) -> bool {
        let end = Instant::now() + Duration::from_mins(3);
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const PLIES: &str = "new Set(rooms.map((room) => room.scene.ply)).size";

#[test]
fn a_game_between_two_automated_sides_is_seen_and_a_side_is_handed_back_in_mid_game() {
    let mut table = Table::start(env!("CARGO_BIN_EXE_jump61"), &[], "auto red");
    table.page.wait(&format!("{PLIES} >= 6"));
    // No move was left out.
    let (seen, last) = (table.number(PLIES), table.number("now().scene.ply"));
    assert!(last <= seen, "{seen} positions of {last} moves");
    assert_eq!(table.page.eval("now().scene.end"), serde_json::Value::Null);
    // The page takes Red back: the program stops before Red's next move, and the game has not ended.
    table.page.eval("seat(0, 'person')");
    table.page.wait("now().seats[0].kind === 'person' && now().scene.turn === 0 && !now().thinking");
    assert_eq!(table.page.eval("now().scene.end"), serde_json::Value::Null);
    let ply = table.number("now().scene.ply");
    // A move by hand, and the program's answer.
    let play = "link.send(JSON.stringify({ do: 'act', ply: now().scene.ply, act: { kind: 'play', text: now().scene.moves[0].text } }))";
    table.page.eval(play);
    table.page.wait(&format!("now().scene.ply === {} && !now().thinking", ply + 2));
    // The terminal hands it to the program again and takes it back, which is obeyed, too.
    table.say("auto red");
    table.page.wait(&format!("now().scene.ply >= {}", ply + 5));
    table.say("manual red");
    table.page.wait("now().seats[0].kind === 'person' && now().scene.turn === 0 && !now().thinking");
    table.say("quit");
    assert!(table.ends());
    table.page.wait("last === 'ended'");
    table.page.wait("document.body.innerText.includes('The program has ended.')");
}

#[test]
fn a_search_ends_when_its_side_is_taken_over_and_when_the_user_quits() {
    // The program would think for ten minutes, because no book has this position.
    let commands = "set d4 black black\nauto black";
    let mut table = Table::start(env!("CARGO_BIN_EXE_loa"), &["--movetime", "600"], commands);
    table.page.wait("now().thinking && now().seats[0].kind === 'engine'");
    table.page.eval("seat(0, 'person')");
    table.page.wait("now().seats[0].kind === 'person' && !now().thinking");
    assert_eq!(table.number("now().scene.ply"), 0);
    // A move that is typed ahead waits for its turn: White is thinking.
    table.say("b1-b3");
    table.say("c1-c3");
    table.page.wait("now().scene.ply === 1 && now().thinking");
    table.page.eval("seat(1, 'person')");
    table.page.wait("now().seats[1].kind === 'person' && !now().thinking");
    table.page.eval("seat(1, 'engine')");
    table.page.wait("now().thinking");
    table.say("quit");
    assert!(table.ends());
    table.page.wait("document.body.innerText.includes('The program has ended.')");
    // It does not try again.
    assert!(!table.page.eval("document.body.innerText").to_string().contains("again"));
}
