//! Copies and unrelated programs, generated from seeds.

use std::fmt::Write;
use std::time::{Duration, Instant};

use course::similar::{Fingerprint, Sameness, Starter, compare, fingerprint, identical};
use game::SplitMix64;

/// Syntax of generated programs.
#[derive(Clone, Copy)]
struct Syntax {
    file: &'static str,
    comment: &'static str,
    /// Head and end of a function, a loop and a condition, and the end of a statement.
    function: [&'static str; 2],
    repeat: [&'static str; 2],
    condition: [&'static str; 2],
    end: &'static str,
}

const PYTHON: Syntax = Syntax {
    file: "agent.py",
    comment: "#",
    function: ["def F(A, B):", ""],
    repeat: ["for A in range(B):", ""],
    condition: ["if A < B:", ""],
    end: "",
};
const JAVA: Syntax = Syntax {
    file: "Agent.java",
    comment: "//",
    function: ["int F(int A, int B) {", "}"],
    repeat: ["for (int A = 0; A < B; A++) {", "}"],
    condition: ["if (A < B) {", "}"],
    end: ";",
};

/// A statement without names: its form, the operators in it, and the statements inside.
#[derive(Clone)]
enum Statement {
    Assign(Vec<&'static str>),
    Call(usize),
    Repeat(Vec<Statement>),
    Condition(Vec<Statement>),
}

/// Generates statements with `count` lines.
fn statements(rng: &mut SplitMix64, count: usize, depth: usize) -> Vec<Statement> {
    let mut all = Vec::new();
    let mut left = count;
    while left > 0 {
        let inner = (1 + rng.below(5)).min(left - 1);
        let (statement, lines) = match rng.below(6) {
            0 if depth < 4 && inner > 0 => (Statement::Repeat(statements(rng, inner, depth + 1)), inner + 1),
            1 if depth < 4 && inner > 0 => (Statement::Condition(statements(rng, inner, depth + 1)), inner + 1),
            2 | 3 => (Statement::Call(rng.below(5)), 1),
            _ => {
                let operators = ["+", "-", "*", "%", "==", "<", "[", "("];
                let count = 1 + rng.below(5);
                (Statement::Assign((0..count).filter_map(|_| rng.choose(&operators).copied()).collect()), 1)
            }
        };
        all.push(statement);
        left -= lines;
    }
    all
}

/// A program: the statements of its functions.
type Program = Vec<Vec<Statement>>;

fn program(rng: &mut SplitMix64, functions: usize) -> Program {
    (0..functions).map(|_| statements(rng, 24, 0)).collect()
}

/// The style of a program's text: names, indentation and comments. A copier changes all of them.
struct Style {
    rng: SplitMix64,
    syntax: Syntax,
    indent: usize,
    comments: bool,
}

impl Style {
    fn new(seed: u64, syntax: Syntax) -> Self {
        Self { rng: SplitMix64::new(seed), syntax, indent: 2 + (seed % 3) as usize, comments: seed.is_multiple_of(2) }
    }

    fn name(&mut self) -> String {
        format!("{}{}", self.rng.choose(&["move", "x", "score_of", "board", "n"]).expect("a name"), self.rng.below(99))
    }

    fn line(&mut self, text: &mut String, depth: usize, line: &str) {
        if line.is_empty() {
            return;
        }
        let line = line.replace('F', &self.name()).replace('A', &self.name()).replace('B', &self.name());
        if self.comments && self.rng.below(3) == 0 {
            let name = self.name();
            let _ = writeln!(text, "{} {name} \"it's\" for (;;) {{", self.syntax.comment);
        }
        let _ = writeln!(text, "{}{line}", " ".repeat(depth * self.indent));
    }

    fn block(&mut self, text: &mut String, depth: usize, heads: [&str; 2], inner: &[Statement]) {
        self.line(text, depth, heads[0]);
        for statement in inner {
            self.statement(text, depth + 1, statement);
        }
        self.line(text, depth, heads[1]);
    }

    fn statement(&mut self, text: &mut String, depth: usize, statement: &Statement) {
        let end = self.syntax.end;
        match statement {
            Statement::Repeat(inner) => self.block(text, depth, self.syntax.repeat, inner),
            Statement::Condition(inner) => self.block(text, depth, self.syntax.condition, inner),
            Statement::Call(count) => {
                let arguments: Vec<String> = (0..*count).map(|i| format!("{} * {i}", self.name())).collect();
                let call = format!("{}.{}({}){end}", self.name(), self.name(), arguments.join(", "));
                self.line(text, depth, &call);
            }
            Statement::Assign(operators) => {
                let mut value = self.name();
                for operator in operators {
                    value = match *operator {
                        "[" => format!("{value}[{}]", self.rng.below(9)),
                        "(" => format!("({value})"),
                        other => format!("{value} {other} {}", self.name()),
                    };
                }
                let assignment = format!("{} = {value}{end}", self.name());
                self.line(text, depth, &assignment);
            }
        }
    }

    fn write(&mut self, program: &[Vec<Statement>]) -> String {
        let mut text = String::new();
        for function in program {
            self.block(&mut text, 0, self.syntax.function, function);
        }
        text
    }
}

fn print(syntax: Syntax, text: &str) -> Fingerprint {
    fingerprint([(syntax.file, text.as_bytes()), ("agent.toml", format!("name = '{}'", text.len()).as_bytes())])
}

#[test]
fn rewritten_copies_are_found_among_unrelated_programs() {
    for syntax in [PYTHON, JAVA] {
        let mut rng = SplitMix64::new(1);
        let programs: Vec<Program> = (0..20).map(|_| program(&mut rng, 12)).collect();
        let write = |seed: u64, program: &[Vec<Statement>]| print(syntax, &Style::new(seed, syntax).write(program));
        let mut all: Vec<Fingerprint> =
            programs.iter().zip(100..).map(|(program, seed)| write(seed, program)).collect();
        // 20: renamed. 21: functions in reverse order. 22: half of it, with other code. 23: code inserted everywhere.
        all.push(write(201, &programs[0]));
        let reversed: Program = programs[1].iter().rev().cloned().collect();
        all.push(write(202, &reversed));
        let half: Program = [&programs[2][..6], &program(&mut rng, 12)].concat();
        all.push(write(203, &half));
        let scattered: Program = programs[3].iter().cloned().map(|function| inserted(&mut rng, function)).collect();
        all.push(write(204, &scattered));
        let pairs = compare(&all, &Starter::default());
        let found: Vec<(usize, usize)> = pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        assert_eq!(found[0], (0, 20));
        for expected in [(1, 21), (2, 22), (3, 23)] {
            assert!(found.contains(&expected), "{}: {expected:?} in {found:?}", syntax.file);
        }
        assert_eq!(found.len(), 4, "{}: {found:?}", syntax.file);
        let share = |b: usize| pairs.iter().find(|pair| pair.b == b).expect("found").share();
        assert!(share(20) > 0.999 && share(21) > 0.9 && (0.35..0.65).contains(&share(22)) && share(23) > 0.25);
        assert_eq!(pairs[0].sameness, Sameness::Normalised);
        assert!(pairs[1..].iter().all(|pair| pair.sameness == Sameness::Parts));
        assert!(pairs.is_sorted_by(|a, b| a.share() >= b.share()));
        assert_eq!(identical(&all, &Starter::default()), [vec![0, 20]]);
    }
}

/// Inserts a statement after every tenth one.
fn inserted(rng: &mut SplitMix64, function: Vec<Statement>) -> Vec<Statement> {
    let mut all = Vec::new();
    for (i, statement) in function.into_iter().enumerate() {
        all.push(statement);
        if i % 10 == 9 {
            all.extend(statements(rng, 1, 4));
        }
    }
    all
}

#[test]
fn matches_name_the_copied_lines_of_both_sides() {
    let mut rng = SplitMix64::new(2);
    let (mine, yours, copied) = (program(&mut rng, 6), program(&mut rng, 9), program(&mut rng, 3));
    let mut style = Style { rng: SplitMix64::new(7), syntax: JAVA, indent: 4, comments: false };
    let mut lines = |parts: [&[Vec<Statement>]; 3]| {
        let texts = parts.map(|part| style.write(part));
        let first = texts[0].lines().count() + 1;
        (texts.concat(), first, first + texts[1].lines().count() - 1)
    };
    let (a, first_a, last_a) = lines([&mine[..2], &copied, &mine[2..]]);
    let (b, first_b, last_b) = lines([&yours[..7], &copied, &yours[7..]]);
    let pairs = compare(&[print(JAVA, &a), print(JAVA, &b)], &Starter::default());
    let matches = &pairs[0].matches;
    assert!(matches.is_sorted_by_key(|found| found.a.first) && matches.len() <= 8, "{matches:?}");
    let found = matches.iter().max_by_key(|found| found.a.last - found.a.first).expect("a match");
    assert_eq!((&*found.a.file, &*found.b.file), ("Agent.java", "Agent.java"));
    // Winnowing finds all but up to 16 tokens on each end, which are about two lines. The code around may be equal.
    let is_near = |found: u32, expected: usize| found.abs_diff(expected as u32) <= 4;
    assert!(is_near(found.a.first, first_a) && is_near(found.a.last, last_a), "{found:?}, {first_a}-{last_a}");
    assert!(is_near(found.b.first, first_b) && is_near(found.b.last, last_b), "{found:?}, {first_b}-{last_b}");
    assert_eq!(found.a.last - found.a.first, found.b.last - found.b.first);
}

#[test]
fn starter_code_is_no_hint() {
    let mut rng = SplitMix64::new(3);
    let starter = program(&mut rng, 10);
    let given = Style::new(1, PYTHON).write(&starter);
    let mut team = |seed: u64| {
        let all = [&starter[..], &program(&mut rng, 6)].concat();
        Style::new(seed, PYTHON).write(&all)
    };
    let texts: Vec<String> = (10..14).map(&mut team).collect();
    let mut all: Vec<Fingerprint> = texts.iter().map(|text| print(PYTHON, text)).collect();
    all.push(print(PYTHON, &given));
    all.push(print(PYTHON, &Style::new(2, PYTHON).write(&starter)));
    assert!(compare(&all, &Starter::default()).len() >= 6, "without the starter code, all are similar");
    let mut excluded = Starter::default();
    excluded.add(PYTHON.file, given.as_bytes());
    let pairs = compare(&all, &excluded);
    assert!(pairs.is_empty(), "{pairs:?}");
    assert_eq!(identical(&all, &excluded), Vec::<Vec<usize>>::new());
}

#[test]
fn code_of_many_submissions_is_no_hint() {
    let mut rng = SplitMix64::new(4);
    let shared = program(&mut rng, 8);
    let mut all: Vec<Fingerprint> = Vec::new();
    for seed in 0..36 {
        let own = program(&mut rng, 8);
        // 13 of 36 are more than a third.
        let parts = if seed < 13 { [&shared[..], &own].concat() } else { own };
        all.push(print(JAVA, &Style::new(seed, JAVA).write(&parts)));
    }
    assert!(compare(&all, &Starter::default()).is_empty());
    let pairs = compare(&all[1..], &Starter::default());
    assert!(pairs.is_empty(), "12 of 35 are more than a third");
    assert_eq!(compare(&all[2..], &Starter::default()).len(), 11 * 10 / 2, "11 of 34 are less than a third");
}

#[test]
fn identical_files_are_found_in_any_form() {
    let text = Style::new(5, PYTHON).write(&program(&mut SplitMix64::new(5), 3));
    let commented = format!("# mine\n{text}");
    let files = |name: &str, text: &str, extra: &[u8]| {
        let toml = format!("name = '{name}'");
        fingerprint([("agent.toml", toml.as_bytes()), ("a.py", text.as_bytes()), ("data.bin", extra)])
    };
    let renamed = fingerprint([("other.py", text.as_bytes()), ("x/data.bin", &b"\0"[..])]);
    let wrapper = |jar: &[u8]| fingerprint([("agent.sh", &b"exec java -jar agent.jar"[..]), ("agent.jar", jar)]);
    let all = [
        files("a", &text, b"\0"),
        files("b", &text, b"\0"),
        files("c", &commented, b"\0"),
        renamed,
        files("e", &text, b"\x01"),
        wrapper(b"1"),
        wrapper(b"2"),
        wrapper(b"1"),
        Fingerprint::default(),
        Fingerprint::default(),
    ];
    let pairs = compare(&all, &Starter::default());
    let sameness = |a: usize, b: usize| pairs.iter().find(|pair| (pair.a, pair.b) == (a, b)).map(|pair| pair.sameness);
    for (a, b, expected) in [
        (0, 1, Some(Sameness::Bytes)),
        (1, 3, Some(Sameness::Bytes)),
        (0, 2, Some(Sameness::Normalised)),
        (0, 4, Some(Sameness::Normalised)),
        (5, 7, Some(Sameness::Bytes)),
        (5, 6, None),
        (8, 9, None),
    ] {
        assert_eq!(sameness(a, b), expected, "{a} {b}");
    }
    assert_eq!(pairs[0].sameness, Sameness::Bytes);
    assert_eq!(identical(&all, &Starter::default()), [vec![0, 1, 2, 3, 4], vec![5, 7]]);
}

/// Changes random bytes of programs. They cause no panic, and all reported lines lie in their files.
#[test]
fn damaged_programs_are_survived() {
    let mut rng = SplitMix64::new(6);
    let base = Style::new(6, JAVA).write(&program(&mut rng, 6));
    for file in ["a.py", "a.java", "a.c", "a.js", "a.rs", "a.rb", "noext"] {
        for _ in 0..20 {
            let mut bytes = base.clone().into_bytes();
            for _ in 0..rng.below(10) {
                let at = rng.below(bytes.len());
                bytes[at] = *rng.choose(b"'\"`/*\\#\n(){}\xff\xc3").expect("a byte");
            }
            bytes.truncate(1 + rng.below(bytes.len()));
            let other = fingerprint([(file, base.as_bytes())]);
            let lines = bytes.split(|&byte| byte == b'\n').count() as u32;
            for pair in compare(&[fingerprint([(file, &bytes[..])]), other], &Starter::default()) {
                assert!(pair.shares.iter().all(|share| (0.0..=1.0).contains(share)), "{pair:?}");
                for found in &pair.matches {
                    assert!(1 <= found.a.first && found.a.first <= found.a.last && found.a.last <= lines, "{found:?}");
                }
            }
        }
    }
}

#[test]
fn three_hundred_submissions_are_compared_in_seconds() {
    let mut rng = SplitMix64::new(8);
    let common = program(&mut rng, 4);
    let texts: Vec<String> = (0..300)
        .map(|seed| {
            let mut parts = program(&mut rng, 16);
            // A third of all has common code, so many pairs are compared in detail.
            if seed % 3 == 0 {
                parts.extend_from_slice(&common);
            }
            Style::new(seed, if seed % 2 == 0 { JAVA } else { PYTHON }).write(&parts)
        })
        .collect();
    let lines: usize = texts.iter().map(|text| text.lines().count()).sum();
    assert!(lines > 300 * 450, "{lines}");
    let begin = Instant::now();
    let prints: Vec<Fingerprint> =
        texts.iter().zip(0..).map(|(text, seed)| print(if seed % 2 == 0 { JAVA } else { PYTHON }, text)).collect();
    let pairs = compare(&prints, &Starter::default());
    let time = begin.elapsed();
    assert!(pairs.len() <= 500);
    // Takes 2 to 3 s without optimisation; the rest is room for other processes.
    assert!(time < Duration::from_secs(15), "{lines} lines: {time:?}");
}
