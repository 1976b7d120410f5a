//! Attacks by build commands of submissions.

use std::fmt::Write as _;

use crate::sandbox::range::{Range, Setup};
use crate::sandbox::{cc, each, enter};

/// Enters all agents of a range, with a build command for `builder`, and returns what the command prints.
fn enter_with_build(range: &Range, setup: Setup, build: &str) -> String {
    let file = range.agent("builder").join("agent.toml");
    let agent = std::fs::read_to_string(&file).expect("a file");
    std::fs::write(file, format!("{agent}build = '{build}'\n")).expect("a file");
    enter(range, setup)
}

#[test]
fn builds_are_confined() {
    each(&["ugi"], |setup| {
        let mut range = Range::without_agents(setup, "loa");
        let folder = range.agent("builder");
        range.add_mock("builder", "honest");
        let here = range.path().display();
        let build = format!(
            "cat {here}/secret.txt {here}/home/.ssh/id_ed25519; echo taken > {here}/precious/keep.txt; env; \
             (setsid sleep 600 &); echo built > built.txt"
        );
        let printed = enter_with_build(&range, setup, &build);
        let kept = std::fs::read_to_string(range.path().join("precious/keep.txt")).unwrap_or_default();
        let mut wrong = String::new();
        for secret in ["a secret", "ARENA_SECRET"] {
            if printed.contains(secret) {
                let _ = writeln!(wrong, "the build has read `{secret}`: {printed}");
            }
        }
        let (built, left) = (folder.join("built.txt").exists(), range.left_behind());
        if kept != "keep me" || !built || !left.is_empty() {
            let _ = writeln!(wrong, "{printed}\nthe file is `{kept}`, built: {built}, left behind: {left:?}");
        }
        wrong
    });
}

/// A build cannot create a program that gives others the rights of the arena's user.
#[test]
fn builds_create_no_privileged_files() {
    let built = tempfile::tempdir().expect("a folder");
    let Some(modes) = cc("tests/sandbox/modes.c", built.path()) else { return };
    each(&["ugi"], |setup| {
        let mut range = Range::without_agents(setup, "loa");
        range.add_mock("builder", "honest");
        let folder = range.agent("builder");
        std::fs::copy(&modes, folder.join("modes")).expect("a copy");
        let build = "cp /bin/sh ordinary && cp -p ordinary copy && ./modes && echo built > built.txt";
        let printed = enter_with_build(&range, setup, build);
        if folder.join("built.txt").exists() { String::new() } else { printed }
    });
}
