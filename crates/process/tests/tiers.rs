//! Tests of programs in every tier of sandbox that this machine supports. The test program has its own `main` function
//! because it is also the sandboxes' supervisor.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use process::sandbox::{self, Access, Bytes, Confinement, Limits, Sandbox, Tier};
use process::{Child, Command, Exit, Host, Limit, Output, Stream};

type Case = (&'static str, fn(Tier));

const CASES: [Case; 17] = [
    ("pipes_carry_lines", pipes),
    ("exit_codes_and_signals_are_reported", exits),
    ("a_program_has_its_folder_and_few_variables", surroundings),
    ("other_files_are_out_of_reach", files),
    ("a_build_writes_its_folder", build),
    ("a_missing_program_is_refused", missing),
    ("leftover_processes_are_killed", leftovers),
    ("nothing_outlives_a_closed_sandbox", closed),
    ("nothing_outlives_a_killed_arena", killed_arena),
    ("a_program_is_stopped_during_its_opponents_turn", rest),
    ("memory_is_limited", memory),
    ("processes_are_limited", processes),
    ("processor_time_is_counted_for_each_sandbox", processor_time),
    ("written_files_are_limited", disk),
    ("the_files_that_a_build_writes_are_limited", large_build),
    ("a_limit_is_reported_before_the_output_ends", reported),
    ("a_scratch_folder_is_private_and_removed", scratch),
];

fn main() -> ExitCode {
    if let Some(code) = sandbox::serve_if_asked() {
        return code;
    }
    if let Ok(folder) = std::env::var("ARENA_TO_BE_KILLED") {
        return arena_to_be_killed(&folder);
    }
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, Tier::ALL.into_iter().flat_map(trials).collect()).exit_code()
}

/// Returns the tests of a tier. They are ignored if this machine does not support it.
fn trials(tier: Tier) -> Vec<Trial> {
    let is_missing = sandbox::try_tier(tier, &launcher()).result.is_err();
    let trial = |(name, case): Case| {
        let run = move || {
            case(tier);
            Ok(())
        };
        Trial::test(format!("{tier}::{name}"), run).with_ignored_flag(is_missing)
    };
    CASES.into_iter().map(trial).collect()
}

fn launcher() -> PathBuf {
    std::env::current_exe().expect("a test is a program")
}

fn confinement(tier: Tier) -> Confinement {
    Confinement { tier, ..Confinement::none(launcher()) }
}

/// Creates an empty folder and a sandbox for it.
fn place(tier: Tier) -> (tempfile::TempDir, Sandbox) {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = confinement(tier).sandbox(folder.path(), Access::Read).expect("a sandbox");
    (folder, sandbox)
}

fn sh(sandbox: &mut Sandbox, script: &str) -> Child {
    sandbox.start(&Command::new(["sh", "-c", script])).expect("sh starts")
}

fn soon() -> Instant {
    Instant::now() + Duration::from_mins(2)
}

/// Returns everything that a program prints, and its exit.
fn all(mut child: Child) -> (String, Option<Exit>) {
    child.close_input();
    let mut text = String::new();
    while let Some(output) = child.output(soon()) {
        if let Output::Line(_, line) = output {
            text.push_str(&String::from_utf8_lossy(&line));
            text.push('\n');
        }
    }
    (text, child.wait(soon()))
}

fn next_line(child: &mut Child) -> String {
    loop {
        match child.output(soon()) {
            Some(Output::Line(Stream::Stdout, line)) => return String::from_utf8_lossy(&line).into_owned(),
            Some(_) => (),
            None => panic!("no line"),
        }
    }
}

fn pipes(tier: Tier) {
    let (_folder, mut sandbox) = place(tier);
    let mut child = sh(&mut sandbox, "while read x; do echo got $x; done; echo bye >&2");
    for word in ["one", "two"] {
        child.send(word.into());
        assert_eq!(next_line(&mut child), format!("got {word}"));
    }
    assert!(child.exit().is_none());
    assert_eq!(all(child), ("bye\n".to_owned(), Some(Exit::Code(0))));
    // The sandbox can be used again for the next process.
    assert_eq!(all(sh(&mut sandbox, "echo again")), ("again\n".to_owned(), Some(Exit::Code(0))));
}

fn exits(tier: Tier) {
    let (_folder, mut sandbox) = place(tier);
    assert_eq!(all(sh(&mut sandbox, "exit 3")).1, Some(Exit::Code(3)));
    assert_eq!(all(sh(&mut sandbox, "kill -SEGV $$")).1, Some(Exit::Signal(11)));
    let mut child = sh(&mut sandbox, "sleep 600");
    child.kill();
    assert_eq!(child.exit(), Some(Exit::Signal(9)));
    assert!(child.cpu().is_some());
}

fn surroundings(tier: Tier) {
    let (folder, mut sandbox) = place(tier);
    let (text, _) = all(sh(&mut sandbox, "pwd; env | cut -d= -f1 | sort | xargs; ls /proc/self/fd | xargs; id -u"));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], folder.path().canonicalize().expect("a folder").to_str().expect("UTF-8"));
    if tier == Tier::None {
        return;
    }
    let variables = if tier == Tier::Bwrap { "HOME LANG PATH PWD" } else { "HOME LANG PATH PWD TMPDIR" };
    assert_eq!(lines[1].trim_end_matches(" _"), variables);
    // File descriptor 3 is the folder that `ls` lists.
    assert_eq!(lines[2], "0 1 2 3");
    assert!(tier != Tier::Bwrap || lines[3] == "1000", "the program runs as an ordinary user: {text}");
}

fn files(tier: Tier) {
    let secret = tempfile::NamedTempFile::new_in(std::env::temp_dir()).expect("a file");
    std::fs::write(&secret, "secret").expect("a file");
    let (folder, mut sandbox) = place(tier);
    std::fs::write(folder.path().join("mine"), "mine").expect("a file");
    let script = format!(
        "cat mine; echo; cat {}; echo; (echo x > other) 2>/dev/null && echo wrote; echo y > $HOME/y && cat $HOME/y",
        secret.path().display()
    );
    let (text, _) = all(sh(&mut sandbox, &script));
    // Both streams of the program are read, in any order.
    assert!(text.lines().any(|line| line == "mine"), "{text}");
    if tier != Tier::None {
        assert!(!text.contains("secret") && !text.contains("wrote") && text.contains("y\n"), "{text}");
        assert!(!folder.path().join("other").exists());
    }
    // A hidden file in the program's folder and its journal cannot be read.
    let store = folder.path().join("arena.sqlite");
    std::fs::write(&store, "secret").expect("a file");
    std::fs::write(folder.path().join("arena.sqlite-journal"), "secret").expect("a file");
    let hiding = Confinement { hidden: vec![store], ..confinement(tier) };
    let mut sandbox = hiding.sandbox(folder.path(), Access::Read).expect("a sandbox");
    let (text, _) = all(sh(&mut sandbox, "cat mine arena.sqlite arena.sqlite-journal"));
    assert!(text.contains("mine") && (tier == Tier::None || !text.contains("secret")), "{text}");
}

fn build(tier: Tier) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut sandbox = confinement(tier).sandbox(folder.path(), Access::Write).expect("a sandbox");
    assert_eq!(all(sh(&mut sandbox, "echo made > made && cat made")).0, "made\n");
    assert_eq!(std::fs::read_to_string(folder.path().join("made")).expect("it was made"), "made\n");
}

fn missing(tier: Tier) {
    let (_folder, mut sandbox) = place(tier);
    for word in ["no-such-program-anywhere", "./nothing-here"] {
        let error = sandbox.start(&Command::new([word])).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.starts_with(&format!("cannot start `{word}`: ")), "{error}");
    }
    let nowhere = confinement(tier).sandbox(Path::new("/nowhere/at/all"), Access::Read);
    assert!(nowhere.is_err_and(|error| error.to_string().starts_with("folder /nowhere/at/all: ")));
    if tier != Tier::None {
        let error = confinement(tier).sandbox(Path::new("/"), Access::Read).err().expect("too much");
        assert!(error.to_string().contains("a folder of its own"), "{error}");
    }
}

/// Returns a script that leaves a process behind, outside its group and session and without its parent, environment and
/// pipes. The process sleeps for `mark` seconds; this number identifies the process.
fn escape(mark: &str) -> String {
    format!("(setsid env -i sh -c 'exec sleep {mark}' </dev/null >/dev/null 2>&1 & ) ; echo gone")
}

/// Returns the number of processes that sleep for `mark` seconds.
fn sleepers(mark: &str) -> usize {
    let processes = std::fs::read_dir("/proc").expect("/proc").flatten();
    let lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| line == format!("sleep\0{mark}\0").as_bytes()).count()
}

fn await_sleepers(mark: &str, count: usize) {
    let deadline = soon();
    while sleepers(mark) != count {
        assert!(Instant::now() < deadline, "{} processes, expected {count}", sleepers(mark));
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn leftovers(tier: Tier) {
    let (_folder, mut sandbox) = place(tier);
    let mark = format!("60{}1", std::process::id());
    assert_eq!(all(sh(&mut sandbox, &escape(&mark))), ("gone\n".to_owned(), Some(Exit::Code(0))));
    await_sleepers(&mark, 1);
    sandbox.clear();
    assert_eq!(sleepers(&mark), 0);
}

fn closed(tier: Tier) {
    let (_folder, mut sandbox) = place(tier);
    let mark = format!("60{}2", std::process::id());
    all(sh(&mut sandbox, &escape(&mark)));
    await_sleepers(&mark, 1);
    sandbox.close();
    assert_eq!(sleepers(&mark), 0);
}

fn killed_arena(tier: Tier) {
    let (mark, end) = (format!("60{}3", std::process::id()), soon());
    // The killed process does not remove its folders. Its supervisor may be removing some of them now.
    let folder = tempfile::tempdir().expect("a folder").keep();
    let mut arena = std::process::Command::new(launcher());
    arena.env("ARENA_TO_BE_KILLED", format!("{tier} {mark}")).env("TMPDIR", &folder);
    let mut arena = arena.spawn().expect("it starts itself");
    await_sleepers(&mark, 2);
    arena.kill().expect("it runs");
    arena.wait().expect("it ends");
    await_sleepers(&mark, 0);
    while folder.exists() {
        assert!(Instant::now() < end, "{} cannot be removed", folder.display());
        let _ = std::fs::remove_dir_all(&folder);
    }
}

/// Runs as a separate process until it is killed. It has started a program and an escaped process.
fn arena_to_be_killed(what: &str) -> ExitCode {
    let (tier, mark) = what.split_once(' ').expect("two words");
    let (_folder, mut sandbox) = place(tier.parse().expect("a tier"));
    let _child = sh(&mut sandbox, &format!("{}; exec sleep {mark}", escape(mark)));
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// Checks that processes that compute during the opponent's turn are stopped, and resumed later.
fn rest(tier: Tier) {
    if tier == Tier::None {
        return;
    }
    let (_folder, mut sandbox) = place(tier);
    // One of the two processes has left its session and its parent.
    let script =
        "(setsid sh -c 'while :; do :; done' </dev/null >/dev/null 2>&1 & ); echo started; while :; do :; done";
    let mut child = sh(&mut sandbox, script);
    assert_eq!(next_line(&mut child), "started");
    // Reports whether the processes use the processor. Their supervisor also uses it a little.
    let mut computes = || {
        let before = child.cpu();
        std::thread::sleep(Duration::from_millis(100));
        child.cpu().zip(before).is_some_and(|(after, before)| after > before + Duration::from_millis(20))
    };
    let end = soon();
    for _ in 0..2 {
        sandbox.set_to_move(false);
        while computes() {
            assert!(Instant::now() < end, "the processes still compute");
        }
        sandbox.set_to_move(true);
        while !computes() {
            assert!(Instant::now() < end, "the processes do not continue");
        }
    }
    sandbox.set_to_move(false);
    drop(child);
    // A stopped program can be killed, and another program can be started.
    assert_eq!(all(sh(&mut sandbox, "echo again")), ("again\n".to_owned(), Some(Exit::Code(0))));
}

fn limited(tier: Tier, limits: Limits, script: &str) -> Option<(String, Option<Exit>)> {
    if tier == Tier::None {
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let limited = Confinement { limits, ..confinement(tier) };
    let mut sandbox = limited.sandbox(folder.path(), Access::Read).expect("a sandbox");
    Some(all(sh(&mut sandbox, script)))
}

fn memory(tier: Tier) {
    // Four processes that exceed the limit only together.
    let script = "hog() { head -c 100M /dev/zero | tail -n 1 | sleep 120; }; for i in 1 2 3 4; do hog & done; wait";
    let limits = Limits { memory: Bytes(256 << 20), ..Limits::default() };
    if let Some((text, exit)) = limited(tier, limits, script) {
        assert_eq!(exit, Some(Exit::Limit(Limit::Memory)), "{text}");
    }
}

fn processes(tier: Tier) {
    let script = "bomb() { sleep 120 & }; i=0; while [ $i -lt 200 ]; do bomb; i=$((i+1)); done; wait";
    let limits = Limits { processes: 40, ..Limits::default() };
    if let Some((text, exit)) = limited(tier, limits, script) {
        assert_eq!(exit, Some(Exit::Limit(Limit::Processes)), "{text}");
    }
}

/// Checks that concurrent sandboxes of an agent have separate limits, because it may play several games at once.
fn processor_time(tier: Tier) {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits { cpu: 1, ..Limits::default() };
    let limited = Confinement { limits, ..confinement(tier) };
    let [mut one, mut other] = [0, 1].map(|_| limited.sandbox(folder.path(), Access::Read).expect("a sandbox"));
    let mut waiting = sh(&mut one, "read x; echo $x; read x; exit 0");
    let mut busy = sh(&mut other, "while :; do :; done");
    let until = soon();
    while busy.cpu().is_some_and(|cpu| cpu < Duration::from_millis(700)) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    if tier == Tier::None {
        busy.kill();
    }
    let exit = busy.wait(until);
    assert!(tier == Tier::None || exit == Some(Exit::Limit(Limit::ProcessorTime)), "{exit:?}");
    waiting.send("still there".into());
    assert_eq!(next_line(&mut waiting), "still there");
    assert!(waiting.cpu().is_none_or(|cpu| cpu < Duration::from_millis(500)), "{:?}", waiting.cpu());
    assert_eq!(all(waiting).1, Some(Exit::Code(0)));
}

fn disk(tier: Tier) {
    let limits = Limits { scratch: Bytes(1 << 20), ..Limits::default() };
    // One file that is too large.
    if let Some((text, exit)) = limited(tier, limits, "exec head -c 5M /dev/zero > $HOME/large") {
        let is_stopped = exit == Some(Exit::Limit(Limit::Disk)) || text.contains("No space left");
        assert!(is_stopped, "{exit:?} {text}");
    }
    // Many small files that are too large together.
    let script =
        "i=0; while [ $i -lt 100 ]; do head -c 100K /dev/zero > $HOME/$i || exit 9; i=$((i+1)); done; sleep 120";
    if let Some((text, exit)) = limited(tier, limits, script) {
        let expected = if tier == Tier::Bwrap { Exit::Code(9) } else { Exit::Limit(Limit::Disk) };
        assert_eq!(exit, Some(expected), "{text}");
    }
}

/// Checks that a limit is reported before the output ends. Killed processes close their output early, even while the
/// memory of other processes is still being freed.
fn reported(tier: Tier) {
    if tier == Tier::None {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits { scratch: Bytes(1 << 20), ..Limits::default() };
    let limited = Confinement { limits, ..confinement(tier) };
    let mut sandbox = limited.sandbox(folder.path(), Access::Write).expect("a sandbox");
    let hog = "head -c 300M /dev/zero | tail -n 1 | sleep 120";
    let script = format!("{hog} > /dev/null 2>&1 & sleep 1; head -c 3M /dev/zero > large; sleep 120");
    let mut child = sh(&mut sandbox, &script);
    while !matches!(child.output(soon()), Some(Output::End(Stream::Stdout))) {}
    assert_eq!(child.exit(), Some(Exit::Limit(Limit::Disk)));
}

fn large_build(tier: Tier) {
    if tier == Tier::None {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    // Files from before the build do not count.
    std::fs::write(folder.path().join("before"), vec![0; 2 << 20]).expect("a file");
    let limits = Limits { scratch: Bytes(1 << 20), ..Limits::default() };
    let limited = Confinement { limits, ..confinement(tier) };
    let mut sandbox = limited.sandbox(folder.path(), Access::Write).expect("a sandbox");
    assert_eq!(all(sh(&mut sandbox, "head -c 500K /dev/zero > small; sleep 0.2")).1, Some(Exit::Code(0)));
    let script = "i=0; while [ $i -lt 50 ]; do head -c 100K /dev/zero > $i; i=$((i+1)); done; sleep 120";
    let (text, exit) = all(sh(&mut sandbox, script));
    assert_eq!(exit, Some(Exit::Limit(Limit::Disk)), "{text}");
}

/// Checks that the scratch folder is removed with the sandbox, even if its supervisor was killed.
fn scratch(tier: Tier) {
    if tier != Tier::Landlock {
        return;
    }
    for is_killed in [false, true] {
        let (_folder, mut sandbox) = place(tier);
        let script = "echo $HOME; echo $PPID; mkdir $HOME/sub; echo x > $HOME/sub/file; echo done; exec sleep 120";
        let mut child = sh(&mut sandbox, script);
        let [home, supervisor, _] = [(); 3].map(|()| next_line(&mut child));
        let mode = std::fs::metadata(&home).expect("a folder").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        if is_killed {
            let status = std::process::Command::new("kill").args(["-9", &supervisor]).status();
            assert!(status.expect("kill starts").success());
        }
        drop(child);
        drop(sandbox);
        assert!(!Path::new(&home).exists(), "{home}, killed: {is_killed}");
    }
}
