//! The page beside a terminal while the program plays: it shows every move, and its requests take effect between moves
//! and during a search.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use crate::page::site::{Page, address_in};

/// A text program with its page, and a second socket in that page that records every room in `window.rooms`.
struct Session {
    child: Child,
    input: ChildStdin,
    page: Page,
}

impl Session {
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
        let mut session = Self { child, input, page };
        session.send_line(first);
        session
    }

    fn send_line(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it reads");
    }

    fn number(&mut self, expression: &str) -> u64 {
        self.page.eval(expression).as_u64().expect("a number")
    }

    /// Returns `true` if the program exits successfully within three minutes.
    fn exits(&mut self) -> bool {
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

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const PLIES: &str = "new Set(rooms.map((room) => room.scene.ply)).size";

#[test]
fn the_page_shows_every_move_and_takes_over_a_side_during_the_game() {
    let mut session = Session::start(env!("CARGO_BIN_EXE_jump61"), &[], "auto red");
    session.page.wait(&format!("{PLIES} >= 6"));
    // No move is missing.
    let (shown, last) = (session.number(PLIES), session.number("now().scene.ply"));
    assert!(last <= shown, "{shown} positions of {last} moves");
    assert_eq!(session.page.eval("now().scene.end"), serde_json::Value::Null);
    // The page takes over Red: the program makes no more moves for Red, and the game continues.
    session.page.eval("seat(0, 'person')");
    session.page.wait("now().seats[0].kind === 'person' && now().scene.turn === 0 && !now().thinking");
    assert_eq!(session.page.eval("now().scene.end"), serde_json::Value::Null);
    let ply = session.number("now().scene.ply");
    // The program replies to a move on the page.
    let play = "link.send(JSON.stringify({ do: 'act', ply: now().scene.ply, act: { kind: 'play', text: now().scene.moves[0].text } }))";
    session.page.eval(play);
    session.page.wait(&format!("now().scene.ply === {} && !now().thinking", ply + 2));
    // The terminal gives Red to the program and takes it back.
    session.send_line("auto red");
    session.page.wait(&format!("now().scene.ply >= {}", ply + 5));
    session.send_line("manual red");
    session.page.wait("now().seats[0].kind === 'person' && now().scene.turn === 0 && !now().thinking");
    session.send_line("quit");
    assert!(session.exits());
    session.page.wait("last === 'ended'");
    session.page.wait("document.body.innerText.includes('The program has ended.')");
}

#[test]
fn a_takeover_and_quit_stop_the_search() {
    // The program would search for ten minutes, because no book has this position.
    let commands = "set d4 black black\nauto black";
    let mut session = Session::start(env!("CARGO_BIN_EXE_loa"), &["--movetime", "600"], commands);
    session.page.wait("now().thinking && now().seats[0].kind === 'engine'");
    session.page.eval("seat(0, 'person')");
    session.page.wait("now().seats[0].kind === 'person' && !now().thinking");
    assert_eq!(session.number("now().scene.ply"), 0);
    // The second move is typed while White is thinking, and waits for Black's turn.
    session.send_line("b1-b3");
    session.send_line("c1-c3");
    session.page.wait("now().scene.ply === 1 && now().thinking");
    session.page.eval("seat(1, 'person')");
    session.page.wait("now().seats[1].kind === 'person' && !now().thinking");
    session.page.eval("seat(1, 'engine')");
    session.page.wait("now().thinking");
    session.send_line("quit");
    assert!(session.exits());
    session.page.wait("document.body.innerText.includes('The program has ended.')");
    // No element looks active.
    let alive = "[...document.querySelectorAll('.strip.thinking, .square.movable, .actions button:enabled, .strip select:enabled')] \
         .map((e) => e.textContent.trim()).filter((label) => !/Flip|Share|Groups/.test(label)).join()";
    assert_eq!(session.page.eval(alive), "");
    assert_eq!(session.page.text(".status p"), "The program has ended.");
    // The page does not try to reconnect.
    assert!(!session.page.eval("document.body.innerText").to_string().contains("again"));
}
