//! Puzzles and lessons, in a real browser.

use std::sync::Arc;

use crate::page::site::{Page, Site, find_puzzle, is_win, path, position};
use games::{GameId, Task};

/// Returns a legal move that is not among `excluded`.
fn other_move(game: GameId, start: Option<&str>, moves: &[&str], excluded: &[&str]) -> String {
    position(game, start, moves)
        .moves
        .into_iter()
        .map(|legal| legal.text)
        .find(|text| !excluded.contains(&text.as_str()))
        .expect("another move")
}

#[test]
fn solving_a_puzzle_raises_the_rating_once() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "puzzles", 1280, 900);
    for game in [GameId::JUMP61, GameId::LOA] {
        let (number, puzzle) = find_puzzle(game, is_win(3));
        page.open_puzzle(game, number);
        // Records verdicts that appear before the animation of the move has ended. The marks of a finished game, which
        // appear with the verdict, have their own animation.
        page.eval(
            "(() => { window.early = []; const box = document.querySelector('.verdict'); \
             const moving = () => document.getAnimations().some((a) => a.playState === 'running' && !['mark', 'wash', 'draw'].includes(a.animationName) && a.effect?.target?.closest?.('.squares')); \
             new MutationObserver(() => { if (/Solved/.test(box.textContent) && moving()) window.early.push(box.textContent); }) \
             .observe(box, { childList: true, characterData: true, subtree: true }); })()",
        );
        page.solve(game, &puzzle);
        assert_eq!(page.eval("window.early.length"), 0, "{game}");
        page.wait("document.querySelector('.skill .up') !== null");
    }
    assert!(page.text(".skill").contains("Streak2"), "{}", page.text(".skill"));
    // The rating is kept, and a puzzle that is solved again does not change it.
    let rating = page.eval("JSON.parse(localStorage.getItem('plyhouse.puzzles.progress')).skills.loa.rating");
    let (number, puzzle) = find_puzzle(GameId::LOA, is_win(3));
    page.open_puzzle(GameId::LOA, number);
    page.solve(GameId::LOA, &puzzle);
    assert_eq!(page.eval("JSON.parse(localStorage.getItem('plyhouse.puzzles.progress')).skills.loa.rating"), rating);
    // Keys and buttons step through the line, and the other buttons work after the solution.
    page.key("ArrowLeft");
    page.wait("document.querySelectorAll('.line-moves .move')[1].getAttribute('aria-current') === 'step'");
    page.press_button("To the start");
    page.wait("document.querySelector('.line-moves [aria-current]') === null");
    page.press_button("Forward");
    page.wait("document.querySelector('.line-moves .move').getAttribute('aria-current') === 'step'");
    let link = page.eval("document.querySelector('.puzzle-buttons a').getAttribute('href')");
    assert!(link.as_str().is_some_and(|link| link.starts_with("#/analyse?game=loa")), "{link}");
    page.press_button("Retry");
    page.wait_for_verdict("Your move");
    page.solve(GameId::LOA, &puzzle);
    page.press_button("Next puzzle");
    page.wait(&format!("document.querySelector('.task').textContent.includes('Puzzle {} of')", number + 2));
    page.assert_clean();
}

#[test]
fn a_wrong_move_is_refuted_and_the_puzzle_can_be_retried_after_the_solution() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "puzzles", 1280, 900);
    let game = GameId::BREAKTHROUGH;
    let (number, puzzle) = find_puzzle(game, |puzzle| matches!(puzzle.task, Task::Save(2)));
    page.open_puzzle(game, number);
    assert!(page.text(".task").contains("to play and save the game"));
    let wrong = other_move(game, Some(&puzzle.start), &[], &[&puzzle.solution[0]]);
    page.play_move(&path(game, Some(&puzzle.start), &[], &wrong));
    page.wait_for_verdict(&format!("{wrong} loses to"));
    page.wait("document.querySelector('.skill .down') !== null");
    // The refutation is played on the board.
    page.wait("document.querySelectorAll('.line-moves .move').length >= 2");
    page.wait("document.querySelectorAll('.line-moves .move')[1].getAttribute('aria-current') === 'step'");
    page.press_button("Try again");
    page.solve(game, &puzzle);

    let (number, puzzle) = find_puzzle(game, is_win(5));
    page.open_puzzle(game, number);
    page.play_move(&path(game, Some(&puzzle.start), &[], &puzzle.solution[0]));
    page.wait_for_verdict(&puzzle.solution[1]);
    page.press_button("View solution");
    page.wait_for_verdict("Solution");
    page.wait("document.querySelectorAll('.line-moves .move').length === 5");
    page.wait("document.querySelectorAll('.line-moves .move')[4].getAttribute('aria-current') === 'step'");
    page.press_button("To the start");
    page.press_button("Forward");
    page.wait("document.querySelector('.line-moves .move').getAttribute('aria-current') === 'step'");
    page.press_button("Retry");
    page.solve(game, &puzzle);
    // Opening another puzzle stops the playback of the solution.
    page.press_button("Retry");
    page.press_button("View solution");
    page.wait_for_verdict("Solution");
    // The solution's moves are between the verdict and the button.
    page.wait("document.querySelectorAll('.line-moves .move').length === 5");
    page.press_button("Next puzzle");
    page.wait_for_verdict("Your move");
    page.wait("document.querySelector('.square.last') === null");
    page.assert_clean();
}

#[test]
fn hints_show_the_piece_and_then_the_move() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "puzzles", 1280, 900);
    let (number, puzzle) = find_puzzle(GameId::LOA, is_win(3));
    page.open_puzzle(GameId::LOA, number);
    let [row, column] = path(GameId::LOA, Some(&puzzle.start), &[], &puzzle.solution[0])[0];
    page.press_button("Hint");
    page.wait_for_verdict("marked piece");
    page.wait(&format!("document.querySelector(\"[data-place='{row},{column}']\").classList.contains('hint')"));
    page.wait("document.querySelectorAll('.square.hint').length === 1");
    page.press_button("Show the move");
    page.wait_for_verdict(&puzzle.solution[0]);
    page.wait("document.querySelectorAll('.arrow').length > 0");
    page.assert_clean();
}

#[test]
fn puzzles_are_chosen_by_theme_number_and_day() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "puzzles?game=breakthrough", 1280, 900);
    page.wait_for_verdict("Your move");
    assert!(page.text(".task").contains("Rating hidden"));
    page.choose("Choose puzzles", "theme");
    page.wait("document.querySelectorAll('.puzzle-choice select').length === 3");
    page.choose("Theme", "save");
    page.wait("document.querySelector('.task h2').textContent.includes('save the game')");
    for _ in 0..3 {
        let before = page.text(".task");
        page.press_button("Next puzzle");
        page.wait(&format!("document.querySelector('.task').textContent !== {before:?}"));
        assert!(page.text(".task").contains("save the game"));
    }
    page.choose("Choose puzzles", "number");
    page.wait("document.querySelector('.numbered input') !== null");
    page.click(".all-puzzles summary");
    page.click(".puzzle-dot:nth-child(7)");
    page.wait("document.querySelector('.task').textContent.includes('Puzzle 7 of')");
    page.choose("Choose puzzles", "day");
    page.wait("document.querySelector('.task') !== null && document.querySelector('.numbered') === null");
    let day = page.text(".task");
    page.go("puzzles?day", 1280, 900);
    assert_eq!(page.text(".task"), day, "the puzzle of the day does not change");
    page.assert_clean();
}

#[test]
fn puzzles_and_lessons_fit_a_phone() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "home", 390, 844);
    let is_inside = |page: &mut Page, what: &str, top: f64| {
        let place = page.eval(&format!(
            "(() => {{ const r = document.querySelector({what:?}).getBoundingClientRect(); \
             const {{ clientWidth: width, clientHeight: height }} = document.documentElement; \
             return r.top >= {top} && r.left >= 0 && r.right <= width && r.bottom <= height; }})()"
        ));
        place == true
    };
    for game in GameId::BUILT_IN {
        page.visit(&format!("puzzles?game={game}&number=3"));
        page.wait_for_verdict("Your move");
        for (width, height) in [(390, 844), (844, 390)] {
            page.resize(width, height);
            for what in [".squares", ".task", ".verdict", ".puzzle-buttons"] {
                assert!(is_inside(&mut page, what, 0.0), "{game}: {what} at {width}x{height}");
            }
            assert!(!page.is_too_wide(), "{game} at {width}x{height}");
        }
        page.visit(&format!("learn/{game}"));
        for (width, height) in [(390, 844), (844, 390)] {
            page.resize(width, height);
            for what in [".squares", ".step-text"] {
                assert!(is_inside(&mut page, what, -1e9), "{game}: {what} of a lesson at {width}x{height}");
            }
        }
    }
    page.assert_clean();
}

#[test]
fn the_users_own_puzzles_are_shown() {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let own = "-------/-bb----/-------/---b---/-w-----/--w----/----w-- b;win 1;120;connect1 quiet;d4-c5";
    std::fs::write(folder.path().join("loa.txt"), format!("# mine\n{own}\n")).expect("a file");
    let site = Site::in_folder(folder, &[]);
    let mut page = Page::open(&site.address, "puzzles?game=loa&number=1", 1280, 900);
    page.wait_for_verdict("Your move");
    let count = GameId::LOA.puzzles().len() + 1;
    assert!(page.text(".task").contains(&format!("Puzzle 1 of {count}")), "{}", page.text(".task"));
    assert_eq!(page.eval("document.querySelectorAll('.squares .square').length"), 49);
    page.assert_clean();
}

/// Takes all lessons of a game. Each step gets a wrong move first, if there is one, and then a right one.
fn take_lessons(game: GameId) {
    let site = Site::start();
    let mut page = Page::open(&site.address, "home", 1280, 900);
    // Praise has a longer reading pause.
    page.shorten_pauses(8000);
    page.go(&format!("learn/{game}"), 1280, 900);
    page.eval(
        "(() => { window.praises = []; \
         const note = () => window.praises.push(document.querySelector('.answer.right')?.textContent ?? ''); \
         new MutationObserver(note).observe(document.body, { childList: true, characterData: true, subtree: true }); })()",
    );
    let lessons = game.lessons("en");
    for (number, lesson) in lessons.iter().enumerate() {
        page.wait(&format!("document.querySelector('.step-text h2')?.textContent.includes({:?})", lesson.title));
        for step in &lesson.steps {
            let Some(find) = step.find else { continue };
            // The previous step advances automatically to this one.
            let text = step.text();
            page.wait(&format!("document.querySelector('.step-text').textContent.includes({text:?})"));
            if !find.is_empty() {
                let wrong = other_move(game, step.start, &step.moves, find);
                page.play_move(&path(game, step.start, &step.moves, &wrong));
                page.wait("document.querySelector('.square.hint') !== null");
                page.wait("document.querySelector('.answer.wrong')?.textContent.length > 10");
            }
            let right = match find.first() {
                Some(right) => (*right).to_owned(),
                None => other_move(game, step.start, &step.moves, &[]),
            };
            page.play_move(&path(game, step.start, &step.moves, &right));
            let praise = step.praise().expect("a step with a task has praise");
            page.wait(&format!("window.praises.some((text) => text.includes({praise:?}))"));
        }
        page.wait(&format!("document.querySelectorAll('.lesson-button.finished').length > {number}"));
        if number + 1 < lessons.len() {
            page.click(".step-buttons .button:nth-child(2)");
        }
    }
    page.wait(&format!("document.querySelectorAll('.lesson-button.finished').length === {}", lessons.len()));
    // The progress survives a reload.
    page.go(&format!("learn/{game}"), 1280, 900);
    page.wait(&format!("document.querySelectorAll('.lesson-button.finished').length === {}", lessons.len()));
    assert!(page.text(".trainer-side").contains("You know the rules"));
    page.assert_clean();
}

#[test]
fn lessons_of_loa_answer_right_and_wrong_moves() {
    take_lessons(GameId::LOA);
}

#[test]
fn lessons_of_checkers_answer_right_and_wrong_moves() {
    take_lessons(GameId::CHECKERS);
}

#[test]
fn lessons_of_jump61_answer_right_and_wrong_moves() {
    take_lessons(GameId::JUMP61);
}

#[test]
fn lessons_of_breakthrough_answer_right_and_wrong_moves() {
    take_lessons(GameId::BREAKTHROUGH);
}

#[test]
fn a_position_that_the_server_rejects_shows_an_error() {
    let site = Site::start();
    let mut page = Page::open(&site.address, "learn/checkers", 1280, 900);
    page.eval(
        "(() => { const send = WebSocket.prototype.send; WebSocket.prototype.send = function (text) { \
         const m = JSON.parse(text); if (m.do === 'look') m.game.start = 'no position'; send.call(this, JSON.stringify(m)); }; })()",
    );
    page.click(".lesson-button:not([aria-current])");
    page.wait("document.querySelector('[role=alert]')?.textContent.includes('This board cannot be shown')");
    page.go("puzzles?game=loa", 1280, 900);
    page.eval(
        "(() => { const send = WebSocket.prototype.send; WebSocket.prototype.send = function (text) { \
         const m = JSON.parse(text); if (m.do === 'look') m.game.start = 'no position'; send.call(this, JSON.stringify(m)); }; })()",
    );
    page.press_button("Next puzzle");
    page.wait("document.querySelector('[role=alert]')?.textContent.includes('This puzzle cannot be shown')");
}
