//! Packages of a suite for grading services: Gradescope and GitHub Classroom.
//!
//! A package contains the tests, this program, and the files by which the service installs and runs both.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use process::system::set_mode;

use crate::files::{Test, copy, find, write};
use crate::grading::Visibility;
use crate::suite::Options;

/// A grading service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Gradescope's autograder platform: <https://gradescope-autograders.readthedocs.io/en/latest/specs/>.
    Gradescope,
    /// GitHub Classroom: a workflow with one step for each test.
    GithubClassroom,
}

impl FromStr for Service {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "gradescope" => Ok(Self::Gradescope),
            "github-classroom" => Ok(Self::GithubClassroom),
            _ => Err(format!("`{text}` found, expected gradescope or github-classroom")),
        }
    }
}

/// The package to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Package {
    /// Service.
    pub service: Service,
    /// Folder of the package; created if it does not exist.
    pub folder: PathBuf,
    /// File of the program that runs the tests.
    pub program: PathBuf,
    /// Shell command that installs what the students' programs need, such as a compiler.
    pub setup: Option<String>,
}

/// Writes the package of a suite with these options. Existing files of the package are replaced.
///
/// # Errors
/// Returns an error if there is no test, the service does not support an option, or a file cannot be written.
pub fn write_package(package: &Package, options: &Options) -> io::Result<()> {
    let tests = find(&options.paths)?;
    options.grading.check(&tests)?;
    check_names(&tests)?;
    match package.service {
        Service::Gradescope => gradescope(package, options, &tests),
        Service::GithubClassroom => classroom(package, options, &tests),
    }
}

/// Checks that no two tests have the same name, because their files share a folder in the package.
fn check_names(tests: &[Test]) -> io::Result<()> {
    let twice = tests.iter().enumerate().find(|(at, test)| tests[..*at].iter().any(|other| other.name == test.name));
    twice.map_or(Ok(()), |(_, test)| Err(io::Error::other(format!("test `{}`: two tests have this name", test.name))))
}

/// Path of the package on Gradescope's machines.
const SOURCE: &str = "/autograder/source";

fn gradescope(package: &Package, options: &Options, tests: &[Test]) -> io::Result<()> {
    let folder = &package.folder;
    copy_parts(package, folder, tests)?;
    let setup = setup_script(package.setup.as_deref());
    write_script(&folder.join("setup.sh"), &setup)?;
    let mut words = vec!["plyhouse".to_owned(), "script".to_owned(), format!("{SOURCE}/tests")];
    words.extend(common_words(options));
    words.extend(options.grading.points.iter().flat_map(|rule| ["--points".to_owned(), rule.to_string()]));
    words.extend(options.grading.visibility.iter().flat_map(|rule| ["--visibility".to_owned(), rule.to_string()]));
    words.extend(options.grading.max_output.iter().flat_map(|most| ["--max-output".to_owned(), most.to_string()]));
    words.extend(["--gradescope".to_owned(), "/autograder/results/results.json".to_owned()]);
    let run = format!(
        "#!/usr/bin/env bash\n\
         # Runs the tests of a submission. Gradescope reads the results from /autograder/results/results.json.\n\
         cd /autograder/submission || exit 1\n\
         {}\n\
         # Failed tests are results, so only a missing file is an error.\n\
         test -s /autograder/results/results.json\n",
        shell_line(&words)
    );
    write_script(&folder.join("run_autograder"), &run)
}

fn classroom(package: &Package, options: &Options, tests: &[Test]) -> io::Result<()> {
    for test in tests {
        let name = &test.name;
        if options.grading.visibility(name) != Visibility::Visible {
            return Err(io::Error::other(format!(
                "test `{name}`: `{}` found, expected visible: the tests are in the students' repositories",
                options.grading.visibility(name)
            )));
        }
        let points = options.grading.points(name);
        if points.fract() != 0.0 {
            let why = "expected a whole number: GitHub Classroom rounds points down";
            return Err(io::Error::other(format!("test `{name}`: {points} points found, {why}")));
        }
    }
    let own = package.folder.join(CLASSROOM);
    copy_parts(package, &own, tests)?;
    write_script(&own.join("setup.sh"), &setup_script(package.setup.as_deref()))?;
    let workflows = package.folder.join(".github/workflows");
    fs::create_dir_all(&workflows)?;
    write(&workflows.join("classroom.yml"), &workflow(options, tests))
}

/// Folder of the package in the students' repositories.
const CLASSROOM: &str = ".github/classroom";

/// Returns the workflow: a step for each test, and one that reports their points.
fn workflow(options: &Options, tests: &[Test]) -> String {
    let mut text = format!(
        "# Runs the tests after each push, and reports the points to GitHub Classroom.\n\
         name: Tests\n\
         on: [push, repository_dispatch, workflow_dispatch]\n\
         permissions:\n  checks: write\n  actions: read\n  contents: read\n\
         jobs:\n  tests:\n    runs-on: ubuntu-latest\n    if: github.actor != 'github-classroom[bot]'\n    steps:\n\
         \x20     - uses: actions/checkout@v4\n\
         \x20     - name: Set up\n        run: sudo bash {CLASSROOM}/setup.sh\n"
    );
    let mut results = String::new();
    for (number, test) in (1..).zip(tests) {
        let script = test.scripts[0].file_name().unwrap_or_default().to_string_lossy();
        let mut words = vec!["plyhouse".to_owned(), "script".to_owned(), format!("{CLASSROOM}/tests/{script}")];
        words.extend(common_words(options));
        text.extend([format!(
            "      - name: {name}\n        id: test-{number}\n\
             \x20       uses: classroom-resources/autograding-command-grader@v1\n        with:\n\
             \x20         test-name: {name}\n          command: {command}\n          timeout: 10\n\
             \x20         max-score: {points}\n",
            name = yaml(&test.name),
            command = yaml(&shell_line(&words)),
            points = options.grading.points(&test.name),
        )]);
        results.extend([format!("          TEST-{number}_RESULTS: ${{{{ steps.test-{number}.outputs.result }}}}\n")]);
    }
    let runners: Vec<String> = (1..=tests.len()).map(|number| format!("test-{number}")).collect();
    text + &format!(
        "      - name: Report\n        uses: classroom-resources/autograding-grading-reporter@v1\n        env:\n\
         {results}        with:\n          runners: {}\n",
        runners.join(",")
    )
}

/// Returns the words for options that concern every run of the tests.
fn common_words(options: &Options) -> Vec<String> {
    let mut words = Vec::new();
    words.extend(options.game.iter().flat_map(|game| ["--game".to_owned(), game.to_string()]));
    words.extend(options.commands.iter().flat_map(|command| ["--command".to_owned(), command.clone()]));
    words.extend(options.lenient.then(|| "--lenient".to_owned()));
    words.extend(options.build.iter().flat_map(|command| ["--build".to_owned(), command.clone()]));
    words
}

/// Returns the script that installs the program and what the students' programs need. Both services run it as root.
fn setup_script(setup: Option<&str>) -> String {
    format!(
        "#!/usr/bin/env bash\n\
         # Installs the program that runs the tests, and what the students' programs need.\n\
         set -euo pipefail\n\
         cd \"$(dirname \"$0\")\"\n\
         install -m 755 plyhouse /usr/local/bin/plyhouse\n\
         plyhouse --version\n\
         {}",
        setup.map(|command| format!("{command}\n")).unwrap_or_default()
    )
}

/// Copies the program and the files of the tests.
fn copy_parts(package: &Package, folder: &Path, tests: &[Test]) -> io::Result<()> {
    let into = folder.join("tests");
    fs::create_dir_all(&into).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", into.display())))?;
    copy(&package.program, &folder.join("plyhouse"))?;
    for script in tests.iter().flat_map(|test| &test.scripts) {
        for file in [script.clone(), script.with_extension("std"), script.with_extension("out")] {
            if let Some(name) = file.file_name().filter(|_| file.exists()) {
                copy(&file, &into.join(name))?;
            }
        }
    }
    Ok(())
}

fn write_script(path: &Path, text: &str) -> io::Result<()> {
    write(path, text)?;
    set_mode(path, 0o755)
}

/// Returns a command line for a POSIX shell.
fn shell_line(words: &[String]) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    let quoted = |word: &String| {
        let plain = !word.is_empty() && word.chars().all(is_plain);
        if plain { word.clone() } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Returns a YAML string in single quotes.
fn yaml(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_special_characters_are_quoted() {
        let line = |words: &[&str]| shell_line(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(line(&["a", "--x=1", "b c", "it's", "", "*"]), r"a --x=1 'b c' 'it'\''s' '' '*'");
        assert_eq!(yaml("it's: #1"), "'it''s: #1'");
    }
}
