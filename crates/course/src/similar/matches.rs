//! Finds the lines that two submissions have in common.

use std::collections::HashMap;

use super::fingerprint::{Fingerprint, Located};

/// Maximum number of places in a submission that are tried for a hash.
const MAX_PLACES: usize = 16;
/// Minimum number of hashes in a shown part. Single hashes are often idioms, so they are shown only if there is nothing
/// else.
const MIN_PRINTS: usize = 2;
/// Maximum number of lines between two equal parts that are shown as one.
const MAX_GAP: u32 = 2;

/// Equal parts of two submissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Place in the first submission.
    pub a: Place,
    /// Place in the second submission.
    pub b: Place,
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Path of the file.
    pub file: String,
    /// First line, counted from 1.
    pub first: u32,
    /// Last line.
    pub last: u32,
}

/// Lines of both submissions that have consecutive hashes in common, or several such sequences close together.
#[derive(Clone, Copy)]
struct Run {
    files: [u32; 2],
    /// First and last line in each submission.
    lines: [[u32; 2]; 2],
    /// Number of hashes.
    prints: usize,
}

/// Returns the equal parts of two submissions, in the order of the first one. `is_hint` selects the hashes that
/// count.
pub(super) fn matches(a: &Fingerprint, b: &Fingerprint, is_hint: &dyn Fn(u64) -> bool) -> Vec<Match> {
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (j, print) in b.prints.iter().enumerate().filter(|(_, print)| is_hint(print.hash)) {
        places.entry(print.hash).or_default().push(j);
    }
    let mut runs: Vec<Run> = Vec::new();
    let mut i = 0;
    while i < a.prints.len() {
        let candidates = places.get(&a.prints[i].hash).map_or(&[][..], Vec::as_slice);
        let length = |j: usize| equal_length(&a.prints[i..], &b.prints[j..]);
        // The longest part is most likely the one that was copied.
        let Some(&j) = candidates.iter().take(MAX_PLACES).max_by_key(|&&j| length(j)) else {
            i += 1;
            continue;
        };
        let count = length(j);
        add(&mut runs, run(&a.prints[i..i + count], &b.prints[j..j + count]));
        i += count;
    }
    if runs.iter().any(|run| run.prints >= MIN_PRINTS) {
        runs.retain(|run| run.prints >= MIN_PRINTS);
    }
    let place = |side: &Fingerprint, file: u32, [first, last]: [u32; 2]| Place {
        file: side.files[file as usize].name.clone(),
        first,
        last,
    };
    runs.iter()
        .map(|run| Match { a: place(a, run.files[0], run.lines[0]), b: place(b, run.files[1], run.lines[1]) })
        .collect()
}

/// Returns how many hashes are equal, counted from the beginning of both lists. On each side, all of them are in the
/// file of the first hash.
fn equal_length(a: &[Located], b: &[Located]) -> usize {
    let (Some(first_a), Some(first_b)) = (a.first(), b.first()) else { return 0 };
    let is_equal = |(x, y): &(&Located, &Located)| x.hash == y.hash && x.file == first_a.file && y.file == first_b.file;
    a.iter().zip(b).take_while(is_equal).count()
}

/// Returns the lines of equal hashes.
fn run(a: &[Located], b: &[Located]) -> Run {
    let lines = |prints: &[Located]| {
        let last = prints.iter().map(|print| print.lines[1]).max().unwrap_or(0);
        [prints[0].lines[0], last]
    };
    Run { files: [a[0].file, b[0].file], lines: [lines(a), lines(b)], prints: a.len() }
}

/// Adds a run, or extends the last one if both lie close together on both sides.
fn add(runs: &mut Vec<Run>, new: Run) {
    if let Some(last) = runs.last_mut()
        && last.files == new.files
        && (0..2).all(|side| {
            let ([first, end], [next, _]) = (last.lines[side], new.lines[side]);
            next >= first && next <= end + MAX_GAP
        })
    {
        for side in 0..2 {
            last.lines[side][1] = last.lines[side][1].max(new.lines[side][1]);
        }
        last.prints += new.prints;
        return;
    }
    runs.push(new);
}
