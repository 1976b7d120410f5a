//! The kinds of jobs that workers execute.

use ledger::{Failure, Job, Work};
use measure::jobs::{self, Kind};
use measure::samples::Recipe;
use measure::suite::Exam;

use crate::arena::away::AwayGames;
use crate::endgames;
use crate::matches::Terms;
use crate::solve::searches::Searches;

/// A function that executes a job.
type Perform = fn(&AwayGames, &Work, &Job) -> Result<String, Failure>;

/// Name of each kind of job, and the function that executes jobs of this kind.
const KINDS: [(&str, Perform); 5] = [
    (arena::HANDED_OUT, |away, work, job| away.perform(work, job).map_err(|error| Failure(format!("{error:#}")))),
    (Terms::NAME, perform_as::<Terms>),
    (Exam::NAME, perform_as::<Exam>),
    (Recipe::NAME, perform_as::<Recipe>),
    (Searches::NAME, perform_as::<Searches>),
];

/// Executes a job of any kind.
pub(super) fn perform(away: &AwayGames, work: &Work, job: &Job) -> Result<String, Failure> {
    let known = KINDS.iter().find(|(kind, _)| *kind == work.kind);
    let (_, perform) = known.ok_or_else(|| {
        let known = KINDS.map(|(kind, _)| kind).join(", ");
        Failure(format!("jobs of the kind `{}` are unknown to this version, expected {known}", work.kind))
    })?;
    perform(away, work, job)
}

fn perform_as<K: Kind>(_: &AwayGames, work: &Work, job: &Job) -> Result<String, Failure> {
    jobs::perform::<K>(work, job, |game| endgames::loaded(game).map_err(|error| Failure(format!("{error:#}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the reason why a job fails. Panics if it succeeds.
    fn refused(kind: &str, spec: &str, number: u64, input: &str) -> String {
        let away = AwayGames::new(&"postgres://ann@127.0.0.1/none".parse().expect("a URL"), 1.0, 1);
        let (kind, spec, input) = (kind.to_owned(), spec.to_owned(), input.to_owned());
        let work = Work { id: 1, kind, spec, is_resumed: true };
        let job = Job { work: 1, number, input, failures: 0, taken: String::new() };
        perform(&away, &work, &job).expect_err("no output").0
    }

    #[test]
    fn work_that_cannot_be_read_is_refused() {
        let unknown = refused("cooking", "{}", 0, "");
        let expected = "jobs of the kind `cooking` are unknown to this version, expected tournament, match, suite";
        assert!(unknown.starts_with(expected), "{unknown}");
        for (kind, _) in KINDS {
            for spec in ["", "null", "nonsense", "[]", "{}", "{\"game\":1}", "{\"game\":\"loa\",\"size\":-1}"] {
                let why = refused(kind, spec, 0, "");
                assert!(why.contains(&format!("does not describe a {kind}")), "{kind} {spec}: {why}");
            }
        }
    }

    #[test]
    fn jobs_that_cannot_be_done_are_refused() {
        let duel = |game: &str, size: u64, first: &str| {
            format!(
                r#"{{"game":"{game}","size":{size},"first":"{first}","second":"","opening":6,"move_limit":9,"seed":1,"endgames":false}}"#
            )
        };
        let exam = r#"{"game":"loa","player":"nodes=9","endgames":false,"problems":""}"#;
        let search = r#"{"question":{"game":"loa","size":5,"moves":[],"search":1},"effort":9,"ahead":1,"mib":1}"#;
        for (kind, spec, number, input, part) in [
            ("match", &*duel("go", 8, ""), 0, "", "`go`"),
            ("match", &duel("loa", 99, ""), 0, "", "board size 99"),
            ("match", &duel("loa", 8, "speed=9"), 0, "", "speed"),
            ("match", &duel("loa", 8, ""), u64::MAX, "", "expected a number below 10000000"),
            ("suite", exam, 0, "nonsense", "expected `position;win N`, found `nonsense`"),
            ("suite", &exam.replace("loa", "go"), 0, "", "`go`"),
            ("proof", search, 0, "nonsense", "invalid search: "),
            (
                "proof",
                search,
                0,
                r#"{"position":"bb b","budget":1}"#,
                "`bb b`: expected an undecided position of size 5",
            ),
            ("proof", &search.replace("\"mib\":1", "\"mib\":0"), 0, "", "a table of 0 MiB: expected 1 to 1048576"),
            ("proof", &search.replace("\"mib\":1", "\"mib\":1048577"), 0, "", "a table of 1048577 MiB"),
            (
                "proof",
                &search.replace("\"search\":1", "\"search\":3"),
                0,
                "",
                "version 3 of the search, expected 1 to 2",
            ),
        ] {
            let why = refused(kind, spec, number, input);
            assert!(why.contains(part), "{kind} {spec} {input}: {why}");
        }
    }
}
