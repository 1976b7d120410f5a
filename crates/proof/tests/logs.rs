//! Tests of logs and their storage.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex};

use proof::{Agenda, Job, Log, LogError, Question, Storage, Tree, work};
use search::Stop;

use crate::whole_games::{rebuilt, verified, workers};

/// A log in memory that outlives its writer, like a file.
#[derive(Clone, Default)]
struct Stored(Arc<Mutex<Vec<u8>>>);

impl Stored {
    fn open(&self) -> Box<dyn Storage> {
        Box::new(Opened { stored: self.clone(), at: 0, room: None })
    }

    /// Opens the log for a writer that fails once, when the log is `room` bytes long.
    fn open_with_little_room(&self, room: usize) -> Box<dyn Storage> {
        Box::new(Opened { stored: self.clone(), at: 0, room: Some(room) })
    }

    fn with<R>(&self, change: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        change(&mut self.0.lock().expect("no panic"))
    }
}

struct Opened {
    stored: Stored,
    at: usize,
    /// Length of the log, in bytes, at which a write fails; `None` after that failure.
    room: Option<usize>,
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stored.with(|bytes| (&bytes[self.at..]).read(buffer))?;
        self.at += count;
        Ok(count)
    }
}

impl Write for Opened {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.stored.with(|stored| stored.len());
        match self.room {
            Some(room) if room <= length => {
                self.room = None;
                Err(io::ErrorKind::StorageFull.into())
            }
            Some(room) => self.stored.with(|stored| stored.write(&bytes[..bytes.len().min(room - length)])),
            None => self.stored.with(|stored| stored.write(bytes)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Storage for Opened {
    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.stored.with(|bytes| bytes.truncate(length as usize));
        Ok(())
    }
}

#[test]
fn a_truncated_log_is_continued() {
    let question = Question::new(5, &[]).expect("a question");
    let stored = Stored::default();
    let run = |most: usize| {
        let (mut log, jobs) = Log::open(stored.open(), question.clone()).expect("a log");
        let mut agenda = Agenda::new(&question, 20, 1, &jobs).expect("an agenda");
        let (stop, mut done) = (Stop::new(), 0);
        let mut tell = |_: &Job, _: &Tree| {
            done += 1;
            if done == most {
                stop.stop();
            }
        };
        work(&mut agenda, &mut log, workers(1), &stop, &mut tell).expect("work");
        (agenda, jobs.len(), done)
    };
    let (agenda, before, done) = run(10);
    assert!(agenda.tree().proof().is_none() && before == 0 && done == 10);
    // Simulate a process that is killed in the middle of a line.
    stored.with(|bytes| bytes.truncate(bytes.len() - 5));
    let (agenda, before, done) = run(usize::MAX);
    assert!(before == 9 && done > 0 && agenda.recalled() == 9);
    let (_, first) = rebuilt(&question, agenda.tree());
    // No work is left, and the log alone reproduces the same file.
    let (agenda, before, again) = run(usize::MAX);
    assert!(before == 9 + done && again == 0 && agenda.recalled() == before);
    let (_, second) = rebuilt(&question, agenda.tree());
    assert_eq!(first, second);
    verified(&second, 1).expect("a certificate");
    let other = Question::new(4, &[]).expect("a question");
    let refused = Log::open(stored.open(), other).err().expect("another question").to_string();
    assert_eq!(
        refused,
        "the log is about Lines of Action 5x5 from the start, not Lines of Action 4x4 from the start; give another file"
    );
}

/// Checks that a log continues with the version of the search that began it, because its jobs cannot be repeated by
/// another one.
#[test]
fn a_log_keeps_its_version_of_the_search() {
    let asked = Question::new(5, &[]).expect("a question");
    let stored = Stored::default();
    let first = Question { search: 1, ..asked.clone() };
    assert_ne!(asked, first);
    Log::open(stored.open(), first.clone()).expect("a log");
    let (log, _) = Log::open(stored.open(), asked.clone()).expect("a log");
    assert_eq!(log.question(), &first);
    let newer = Stored::default();
    newer.with(|bytes| bytes.extend(b"{\"game\":\"loa\",\"size\":5,\"moves\":[],\"search\":3}\n"));
    let refused = Log::open(newer.open(), asked).err().expect("an unknown version").to_string();
    assert_eq!(refused, "version 3 of the search, expected 1 to 2");
}

/// Earlier versions recorded the jobs of other workers after half a line, which made the log unreadable.
#[test]
fn nothing_is_recorded_after_a_failed_write() {
    // Each reply has its own job from the beginning, so that all workers are busy.
    let question = Question::new(5, &["b1-b3".to_owned()]).expect("a question");
    let stored = Stored::default();
    Log::open(stored.open(), question.clone()).expect("a log");
    let room = stored.with(|bytes| bytes.len()) + 20;
    let (mut log, _) = Log::open(stored.open_with_little_room(room), question.clone()).expect("a log");
    let mut agenda = Agenda::new(&question, 20, 16, &[]).expect("an agenda");
    let failed = work(&mut agenda, &mut log, workers(8), &Stop::new(), &mut |_, _| ());
    assert!(matches!(failed, Err(LogError::Io(_))), "{failed:?}");
    assert_eq!(stored.with(|bytes| bytes.len()), room);
    // The incomplete line is removed, and the log is continued.
    let (mut log, jobs) = Log::open(stored.open(), question.clone()).expect("a log");
    let mut agenda = Agenda::new(&question, 20, 16, &jobs).expect("an agenda");
    work(&mut agenda, &mut log, workers(2), &Stop::new(), &mut |_, _| ()).expect("work");
    assert!(jobs.is_empty() && agenda.tree().proof().is_some());
}

#[test]
fn what_is_not_a_log_is_kept() {
    let question = Question::new(5, &[]).expect("a question");
    let opened = |content: &[u8]| {
        let stored = Stored::default();
        stored.with(|bytes| bytes.extend(content));
        let result = Log::open(stored.open(), question.clone()).map(|(_, jobs)| jobs.len());
        (result.map_err(|error| error.to_string()), stored.with(|bytes| bytes.clone()))
    };
    let line = opened(b"").1;
    for beginning in [&line[..1], &line[..line.len() - 1]] {
        assert_eq!(opened(beginning), (Ok(0), line.clone()), "an incomplete first line is completed");
    }
    for other in [&b"{}"[..], b"\xff", b"{\"game\":\"loa\",\"size\":6", b" "] {
        let refused = Err("line 1: not a log: expected a line of JSON with the question".to_owned());
        assert_eq!(opened(other), (refused, other.to_vec()));
    }
    let (result, kept) = opened(&[&line[..], b"{}\n{}\n"].concat());
    assert!(result.expect_err("a line without a job").starts_with("line 2: missing field"));
    assert_eq!(kept.len(), line.len() + 6);
    assert_eq!(opened(&[&line[..], b"{\xff"].concat()), (Ok(0), line.clone()), "an incomplete last line is removed");
}
