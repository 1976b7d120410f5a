use super::*;
use crate::config::Course;
use crate::store::audit::Actor;
use crate::store::tests::setup::{Setup, accept, game, series};
use crate::store::uploads::{Outcome, Step};
use arena::ResultLog;
use game::SplitMix64;

const RULES: &str = "accepted = 10\ncheck = 1.5\nfaults = { 'illegal move' = -0.1, time = -1 }\nfaults_least = -0.5\n\
                     beats = [{ level = 1, marks = 3 }, { level = 2, wins = 2, marks = 4 }]\n\
                     rank = [{ to = 1, marks = 9 }, { to = 3, marks = 6 }]\n\
                     elo = { from = -100, step = 50, marks = 1, most = 5 }\nleast = 0\nmost = 30\n";

fn rules(text: &str) -> Grading {
    let file = format!(
        "[course]\nname = 'C'\nroster = 't'\ndeadline = '2026-11-30 18:00'\ntime_zone = 'UTC'\n[game]\ngame = 'loa'\n\
         [grading]\n{text}"
    );
    Course::read(&file, std::path::Path::new("")).expect("a course").grading
}

fn place(rank: u32, elo: f64) -> Place {
    let faults = [("time".to_owned(), 0)].into();
    Place { rank, points: 7.5, games: 12, elo: Estimate { value: elo, error: 40.25 }, faults }
}

/// Plays practice games of the first team against a level, with these half points for each series.
fn practise(setup: &mut Setup, level: &str, half_points: &[usize]) {
    for &half_points in half_points {
        let id = setup.store.ask_practice("t0", level.parse().expect("a level"), 99).expect("queued");
        setup.store.claim_practice().expect("readable").expect("a request");
        setup.store.end_practice(id, Ok(&series(half_points))).expect("saved");
    }
}

fn marks(grade: &Grade) -> Vec<(&str, f64)> {
    grade.marks.iter().map(|mark| (mark.rule.as_str(), mark.marks)).collect()
}

/// Returns a course in which t0 plays, t1 plays worse, t2 was refused, t3 has sent nothing, t4 waits, and t5 is
/// disqualified.
fn played() -> Setup {
    let mut setup = Setup::new(6);
    let upload = setup.send("t0", b"x").expect("received");
    setup.store.claim().expect("readable").expect("an upload");
    for (number, state) in [(0, StepState::Passed), (1, StepState::Warned), (2, StepState::Failed)] {
        let text = String::new;
        let step = Step { number, name: "s".to_owned(), state, detail: text(), remedy: text(), position: None };
        setup.store.record_step(upload, &step).expect("recorded");
    }
    accept(&mut setup.store, upload).expect("accepted");
    let other = setup.version("t1");
    setup.version("t5");
    setup.send("t2", b"x").expect("received");
    setup.store.claim().expect("readable").expect("an upload");
    let notes = ["=the build failed".to_owned()];
    let refused = setup.store.uploads().expect("readable")[0].id;
    setup.store.decide(refused, &Outcome::Refused { notes: &notes }).expect("refused");
    setup.send("t4", b"x").expect("received");
    setup.store.set_standing("t5", Standing::Disqualified, "copied", &Actor::STAFF).expect("disqualified");
    let games = [game([0, 1], ResultLog::First, 2), game([1, 0], ResultLog::First, 7)];
    setup.store.save_series([upload, other], &games).expect("saved");
    practise(&mut setup, "1", &[4]);
    practise(&mut setup, "2", &[4, 0]);
    setup
}

#[test]
fn marks_follow_the_rules() {
    let setup = played();
    let places = [("t0", place(1, 149.9)), ("t1", place(3, -300.0))].map(|(id, place)| (id.to_owned(), place));
    let table = grades(&rules(RULES), &setup.store, &places.into()).expect("readable");
    let expected = [
        ("accepted", 10.0),
        ("checks", 3.0),
        ("faults", -0.2),
        ("beats level 1", 3.0),
        ("beats level 2 (2 wins)", 0.0),
        ("rank", 9.0),
        ("elo", 4.0),
        ("bounds", 0.0),
    ];
    assert_eq!((marks(&table[0]), table[0].total), (expected.to_vec(), 28.8));
    assert_eq!((table[0].version, table[0].checks, table[0].rank, table[0].error), (Some(1), 2, Some(1), Some(40.25)));
    assert_eq!(table[1].faults["illegal move"], 7);
    let of = |grade: &Grade, rule: &str| grade.marks.iter().find(|mark| mark.rule == rule).map(|mark| mark.marks);
    assert_eq!((of(&table[1], "faults"), of(&table[1], "elo"), table[1].total), (Some(-0.5), Some(0.0), 15.5));
    let why: Vec<_> = table[1..].iter().map(|grade| (grade.accepted, grade.why.as_str(), grade.total)).collect();
    assert_eq!(
        why,
        [
            (true, "", 15.5),
            (false, "refused: =the build failed", 0.0),
            (false, "no upload", 0.0),
            (false, "not yet checked", 0.0),
            (false, "disqualified: copied", 0.0)
        ]
    );
}

/// A function that computes the sum of a row from the row's other cells.
type Sum = Box<dyn Fn(&dyn Fn(&str) -> String) -> f64>;

/// Returns random rules as a text, and the sum by these rules.
fn random_rules(rng: &mut SplitMix64) -> (String, Sum) {
    // Quarters, so that sums are exact.
    let [accepted, check, illegal, time, least_of_faults, beats, rank, other_rank, elo, least, most] =
        [(); 11].map(|()| (rng.below(81) as f64 - 40.0) / 4.0);
    let [wins, to, step, most_steps] = [(); 4].map(|()| 1 + rng.below(3) as u32);
    let (from, step) = (rng.below(100) as f64 - 50.0, f64::from(step) * 35.0);
    let (least, most) = (least.min(most), least.max(most));
    let text = format!(
        "accepted = {accepted}\ncheck = {check}\nfaults = {{ 'illegal move' = {illegal}, time = {time} }}\n\
         faults_least = {least_of_faults}\nleast = {least}\nmost = {most}\n\
         beats = [{{ level = 1, wins = {wins}, marks = {beats} }}, {{ level = 2, marks = 1000 }}]\n\
         rank = [{{ to = {to}, marks = {rank} }}, {{ to = 5, marks = {other_rank} }}]\n\
         elo = {{ from = {from}, step = {step}, marks = {elo}, most = {most_steps} }}\n"
    );
    let sum = move |cell: &dyn Fn(&str) -> String| {
        let number = |name: &str| cell(name).parse::<f64>().unwrap_or(0.0);
        let mut sum = if cell("accepted") == "yes" { accepted } else { 0.0 } + number("checks") * check;
        let faults = number("faults: illegal move") * illegal + number("faults: time") * time;
        sum += if faults < least_of_faults { least_of_faults } else { faults };
        // The first team has won two of two games against level 1, and two of four against level 2.
        sum += if cell("id") == "t0" && wins <= 2 { beats } else { 0.0 };
        sum += match cell("rank").parse() {
            Ok(place) if (1..=to).contains(&place) => rank,
            Ok(1..=5) => other_rank,
            _ => 0.0,
        };
        let steps =
            (1..=most_steps).filter(|&n| !cell("elo").is_empty() && from + f64::from(n) * step <= number("elo"));
        sum += steps.count() as f64 * elo;
        if sum < least && cell("accepted") == "yes" {
            least
        } else if sum > most {
            most
        } else {
            sum
        }
    };
    (text, Box::new(sum))
}

#[test]
fn totals_follow_from_the_other_columns_by_any_rules() {
    let setup = played();
    let mut rng = SplitMix64::new(1);
    for _ in 0..200 {
        let (text, sum) = random_rules(&mut rng);
        let mut random_place = |id: &str| {
            let faults = [("time".to_owned(), rng.below(4) as u32), ("crash".to_owned(), 1)].into();
            let elo = Estimate { value: (rng.below(4000) as f64 - 2000.0) / 10.0, error: 9.0 };
            (id.to_owned(), Place { rank: 1 + rng.below(7) as u32, points: 1.5, games: 2, elo, faults })
        };
        let places = ["t0", "t1"].map(&mut random_place);
        let table = grades(&rules(&text), &setup.store, &places.into()).expect("readable");
        let csv = grades_csv(&table).expect("a table");
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let header = reader.headers().expect("a header").clone();
        for row in reader.records() {
            let row = row.expect("a row");
            let cell = |name: &str| {
                let column = header.iter().position(|column| column == name).expect("a column");
                row[column].to_owned()
            };
            let total: f64 = cell("total").parse().expect("a number");
            assert!(total.total_cmp(&(sum(&cell) + 0.0)).is_eq(), "{text}{csv}");
            let columns = header.iter().filter(|column| column.starts_with("marks: "));
            let marks: f64 = columns.map(|column| cell(column).parse::<f64>().expect("a number")).sum();
            assert!((marks - total).abs() < 1e-9, "{text}{csv}");
        }
    }
}

#[test]
fn bounds_apply_to_the_sum_and_are_shown() {
    let setup = played();
    let table = grades(&rules("accepted = 10\nmost = 4\n"), &setup.store, &BTreeMap::new()).expect("readable");
    assert_eq!((marks(&table[0]), table[0].total), (vec![("accepted", 10.0), ("bounds", -6.0)], 4.0));
    let low = "faults = { 'illegal move' = -1 }\nleast = -3\n";
    let table = grades(&rules(low), &setup.store, &BTreeMap::new()).expect("readable");
    assert_eq!((marks(&table[1]), table[1].total), (vec![("faults", -7.0), ("bounds", 4.0)], -3.0));
    let table = grades(&rules("accepted = 1\nleast = 3\n"), &setup.store, &BTreeMap::new()).expect("readable");
    let totals: Vec<f64> = table.iter().map(|grade| grade.total).collect();
    assert_eq!(totals, [3.0, 3.0, 0.0, 0.0, 0.0, 0.0], "the minimum is for teams whose version counts");
    let none = grades(&Grading::default(), &setup.store, &BTreeMap::new()).expect("readable");
    assert!(none.iter().all(|grade| grade.marks.is_empty() && grade.total == 0.0 && grade.elo.is_none()));
}

#[test]
fn tables_read_back_and_contain_no_formulas() {
    let mut setup = played();
    let mut teams = crate::store::tests::setup::roster(6);
    "=HYPERLINK(\"x\"), \"y\"".clone_into(&mut teams[1].name);
    setup.store.adopt_roster(&teams, &Actor::STAFF).expect("adopted");
    let places = [("t1".to_owned(), place(2, -30.04))].into();
    let table = grades(&rules("accepted = 1\nfaults = { time = -1, 'illegal move' = -1 }\n"), &setup.store, &places);
    let table = table.expect("readable");
    let text = grades_csv(&table).expect("a table");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header: Vec<_> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    let expected = "id,name,version,accepted,why,checks,faults: illegal move,faults: time,rank,points,games,elo,error,\
                    marks: accepted,marks: faults,total";
    assert_eq!(header.join(","), expected);
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("rows");
    let cells = |row: usize| rows[row].iter().collect::<Vec<_>>().join("|");
    assert_eq!(cells(1), "t1|'=HYPERLINK(\"x\"), \"y\"|1|yes||0|7|0|2|7.5|12|-30.0|40.2|1|-7|-6");
    assert_eq!(cells(2), "t2|Team 2||no|refused: =the build failed|0|0|0||0|0|||0|0|0");
    let json: serde_json::Value = serde_json::from_str(&grades_json(&table).expect("JSON")).expect("JSON");
    assert_eq!((&json[1]["name"], &json[3]["elo"]), (&"=HYPERLINK(\"x\"), \"y\"".into(), &serde_json::Value::Null));
    for text in ["=1", "+1", "-1", "@x", "\tx", "\rx"] {
        assert_eq!(harmless(text), format!("'{text}"));
    }
    assert_eq!((harmless("a=1"), harmless("")), ("a=1".to_owned(), String::new()));
}
