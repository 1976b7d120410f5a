//! Tests of the agenda with jobs that finish in any order.

use std::collections::{HashMap, HashSet};

use game::SplitMix64;
use proof::{Agenda, Choices, Job, NextJob, Question, Wins};
use search::Stop;
use search::with_large_stack;

/// Budget of a position's first job, in expansions. It is small, so that the proofs need many jobs.
const EFFORT: u64 = 50;

fn question() -> Question {
    Question::new(5, &[]).expect("a question")
}

fn agenda(ahead: usize, known: &[Job]) -> Agenda {
    Agenda::new(&question(), EFFORT, ahead, known).expect("an agenda")
}

/// A cache of job results, because the tests need each result many times.
#[derive(Default)]
struct Results(HashMap<(String, u64), Job>);

impl Results {
    fn of(&mut self, next: &NextJob) -> Job {
        let perform = || {
            Job::perform(&next.position, Choices::default(), next.budget, 1, None, &Stop::new()).expect("never stopped")
        };
        let key = (next.position.to_string(), next.budget);
        self.0.entry(key).or_insert_with(|| with_large_stack(perform)).clone()
    }

    /// Simulates workers that finish their jobs in a random order. Returns all results in the order of arrival.
    fn work(&mut self, agenda: &mut Agenda, workers: usize, seed: u64) -> Vec<Job> {
        let (mut rng, mut busy, mut log) = (SplitMix64::new(seed), Vec::new(), Vec::new());
        while !agenda.is_over() {
            while busy.len() < workers
                && let Some(next) = agenda.take()
            {
                busy.push(next);
            }
            let next: NextJob = busy.swap_remove(rng.below(busy.len()));
            let job = self.of(&next);
            log.push(job.clone());
            assert!(agenda.finish(next.number, job).expect("the requested job"));
            busy.retain(|next| agenda.asked(next.number).is_some());
        }
        log
    }
}

/// Checks that the agenda uses the same results with any number of workers and in any order. The proof depends only on
/// these results.
#[test]
fn used_results_do_not_depend_on_workers_and_order() {
    let mut results = Results::default();
    let mut orders = HashSet::new();
    for ahead in [1, 3, 16] {
        let mut first = agenda(ahead, &[]);
        results.work(&mut first, 1, 0);
        assert!(first.done().len() > 20, "{} jobs", first.done().len());
        assert!(first.tree().proof().is_some());
        for (workers, seed) in [(2, 2), (16, 4)] {
            let mut other = agenda(ahead, &[]);
            let log = results.work(&mut other, workers, seed);
            assert_eq!(other.done(), first.done(), "{workers} workers, {ahead} ahead");
            orders.insert(log.iter().map(|job| job.position.clone()).collect::<Vec<_>>());
        }
    }
    assert!(orders.len() > 3, "results came in {} orders", orders.len());
}

#[test]
fn a_resumed_proof_uses_the_same_results() {
    let mut results = Results::default();
    let mut whole = agenda(4, &[]);
    let log = results.work(&mut whole, 4, 7);
    let mut rng = SplitMix64::new(8);
    for kept in [1, log.len() / 2, log.len() - 1, log.len()] {
        let mut resumed = agenda(4, &log[..kept]);
        let done = results.work(&mut resumed, 3, rng.next_u64());
        assert_eq!(resumed.done(), whole.done(), "after {kept} of {} jobs", log.len());
        assert!(done.len() + kept >= resumed.done().len() && resumed.recalled() <= kept);
        assert!(kept < log.len() || done.is_empty(), "no job is repeated");
    }
    // Results of another run are reused if they are sufficient. Settled results are always sufficient.
    let mut dearer = Agenda::new(&question(), 10 * EFFORT, 4, &log).expect("an agenda");
    let before = dearer.recalled();
    results.work(&mut dearer, 2, 9);
    assert!(before > 0 && dearer.tree().proof().is_some());
}

/// Checks duplicate results, results of other jobs, and results with job numbers that are not in use.
#[test]
fn unexpected_results_are_ignored_or_refused() {
    let mut results = Results::default();
    let mut agenda = agenda(4, &[]);
    while agenda.done().len() < 5 {
        let next = agenda.take().expect("a job");
        let job = results.of(&next);
        assert!(agenda.finish(next.number, job.clone()).expect("the job"));
        assert!(!agenda.finish(next.number, job).expect("the job again"));
    }
    let next = agenda.take().expect("a job");
    let right = results.of(&next);
    let wrong = [
        Job { budget: right.budget + 1, ..right.clone() },
        Job { position: "-bbb-/w---w/w---w/w---w/-bbb- b".to_owned(), ..right.clone() },
        Job { position: "nonsense".to_owned(), ..right.clone() },
    ];
    for job in wrong {
        let error = agenda.finish(next.number, job).expect_err("another job").to_string();
        let expected = format!("job {}: a result about", next.number);
        assert!(error.starts_with(&expected) && error.contains(&next.position.to_string()), "{error}");
    }
    assert!(!agenda.finish(next.number + 100, right.clone()).expect("an unused number"));
    assert!(!agenda.finish(u64::MAX, right.clone()).expect("an unused number"));
    assert!(agenda.finish(next.number, right).expect("the job"));
    results.work(&mut agenda, 1, 0);
    assert!(agenda.tree().proof().is_some());
}

/// The shipped logs: text, moves of the question, definition of a win, and number of jobs.
const LOGS: [(&[u8], &[&str], Wins, usize); 6] = [
    (include_bytes!("../../../proofs/loa-6x6.log"), &["b1-b3"], Wins::All, 33),
    (include_bytes!("../../../proofs/loa-6x6-alone.log"), &["b1-b3"], Wins::Alone, 34),
    (include_bytes!("../../../proofs/loa-6x6-b1-d3.log"), &["b1-d3", "f5-d3"], Wins::All, 27),
    (include_bytes!("../../../proofs/loa-6x6-b1-f1.log"), &["b1-f1", "a5-c5"], Wins::All, 30),
    (include_bytes!("../../../proofs/loa-6x6-c1-c3.log"), &["c1-c3", "f3-c3"], Wins::All, 19),
    (include_bytes!("../../../proofs/loa-6x6-c1-e3.log"), &["c1-e3"], Wins::All, 33),
];

/// Checks that the shipped logs are sufficient for their proofs.
#[test]
fn the_logs_of_the_6x6_proofs_are_complete() {
    for (text, moves, wins, count) in LOGS {
        let proof::LogContents { question, jobs, .. } = proof::read_log(&mut &text[..]).expect("a log");
        let moves: Vec<String> = moves.iter().map(|text| (*text).to_owned()).collect();
        let asked = Question::new(6, &moves).expect("a question").counting(wins);
        let question = question.expect("a question");
        let asked = Question { search: question.search, ..asked };
        // After one move by each side, the question is whether White wins.
        assert_eq!(question, if moves.len() == 1 { asked } else { asked.exchanged().expect("a question") });
        let effort = jobs.iter().map(|job| job.budget).min().expect("a job");
        for ahead in [1, 4, 16, 64] {
            let agenda = Agenda::new(&question, effort, ahead, &jobs).expect("an agenda");
            assert!(agenda.is_over() && agenda.tree().proof().is_some(), "{question}, {ahead} ahead");
            assert_eq!((agenda.done().len(), agenda.recalled()), (count, count), "{question}, {ahead} ahead");
        }
    }
}

/// The logs of the two defences after c1-a3 a5-c5, against wins of Black and of White: text, expansions of a first job,
/// and number of jobs.
const DEFENCES: [(&[u8], u64, usize); 2] = [
    (include_bytes!("../../../proofs/loa-6x6-c1-a3-black.log"), 250_000, 71),
    (include_bytes!("../../../proofs/loa-6x6-c1-a3-white.log"), 500_000, 31),
];

#[test]
fn the_logs_of_the_6x6_defences_are_complete() {
    let asked = Question::new(6, &["c1-a3".to_owned(), "a5-c5".to_owned()]).expect("a question");
    let asked = [asked.clone(), asked.exchanged().expect("a question")];
    for ((text, effort, count), asked) in DEFENCES.into_iter().zip(asked) {
        let proof::LogContents { question, jobs, .. } = proof::read_log(&mut &text[..]).expect("a log");
        assert_eq!(question, Some(asked.clone()));
        let agenda = Agenda::new(&asked, effort, 16, &jobs).expect("an agenda");
        assert!(agenda.is_over() && agenda.tree().refutation().is_some(), "{asked}");
        assert_eq!(agenda.done().len(), count, "{asked}");
    }
}

/// Repeats the shortest job of each shipped log. Fails if a version of the search has changed, so that certificates can
/// no longer be made from these logs.
#[test]
fn jobs_of_the_6x6_proofs_have_the_same_results_again() {
    for text in LOGS.iter().map(|(text, ..)| *text).chain(DEFENCES.map(|(text, ..)| text)) {
        let proof::LogContents { question, jobs, .. } = proof::read_log(&mut &text[..]).expect("a log");
        let job = jobs.iter().min_by_key(|job| job.expansions).expect("a job");
        let p = Question::about(&job.position, &[]).and_then(|about| about.root()).expect("a position");
        let choices = question.expect("a question").choices().expect("a known version");
        // A proof this short fits a table of any size.
        let perform = || Job::perform(&p, choices, job.budget, 16, None, &Stop::new()).expect("never stopped");
        let again = with_large_stack(perform);
        assert_eq!((again.outcome, again.expansions), (job.outcome.clone(), job.expansions), "{}", job.position);
    }
}

#[test]
fn a_question_has_its_moves_in_the_usual_notation() {
    let spelled = |moves: [&str; 2]| Question::new(6, &moves.map(str::to_owned));
    assert_eq!(spelled(["B1xB3", "a2:c2"]), spelled(["b1-b3", "a2-c2"]));
    assert!(spelled(["b1b3", "a2-c3"]).is_err());
}

#[test]
fn a_question_has_its_position_in_the_usual_spelling() {
    let about = |text: &str| Question::about(text, &[]).expect("a question");
    let usual = about("b---/--b-/---w/w--- b");
    assert_eq!(usual.position.as_deref(), Some("b---/--b-/---w/w--- b"));
    assert_eq!(about(" b---/--b-/---w/w---   b "), usual);
}

/// An earlier version computed the number of White's groups minus one, and panicked.
#[test]
fn a_position_without_white_pieces_is_searched() {
    let question = Question::about("b--b/----/----/---- b", &[]).expect("a question");
    let mut agenda = Agenda::new(&question, 1000, 1, &[]).expect("an agenda");
    let next = agenda.take().expect("a job");
    let job = Job::perform(&next.position, Choices::default(), next.budget, 1, None, &Stop::new()).expect("a job");
    assert!(job.expansions > 0);
}
