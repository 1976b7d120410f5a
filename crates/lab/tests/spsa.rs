//! Tests of `tune spsa`.

use std::fs;
use std::path::Path;

use clap::Parser;
use game::SplitMix64;
use lab::spsa::{Number, Optimizer, Spsa};

/// The optimum is futility 60 and late 8. Ten steps away from it, the player loses 100 Elo.
fn elo(values: [f64; 2]) -> f64 {
    -((values[0] - 60.0) / 4.0).powi(2) - ((values[1] - 8.0) / 0.5).powi(2)
}

#[test]
fn the_optimizer_finds_the_strongest_values() {
    let numbers: Vec<Number> = ["futility=30:4", "late=12:0.5"].map(|text| text.parse().expect("a number")).into();
    let mut rng = SplitMix64::new(5);
    let mut optimizer = Optimizer::new(numbers, 20_000, 0.005);
    let before = elo([30.0, 12.0]);
    while optimizer.done < 20_000 {
        let trial = optimizer.trial(1);
        let player = |sign: f64| [0, 1].map(|i| optimizer.values[i] + sign * trial.changes[i]);
        let chance = 1.0 / (1.0 + 10_f64.powf((elo(player(-1.0)) - elo(player(1.0))) / 400.0));
        let points = (0..8).map(|_| if rng.fraction() < chance { 1 } else { -1 }).sum();
        optimizer.learn(&trial, points);
    }
    let after = elo([optimizer.values[0], optimizer.values[1]]);
    assert!(before < -50.0 && after > -3.0, "{before} Elo, then {after} with {:?}", optimizer.values);
}

#[test]
fn both_players_of_a_trial_differ_in_opposite_directions() {
    let numbers: Vec<Number> =
        ["futility=40:6", "noisy_plies=6:0.4"].map(|text| text.parse().expect("a number")).into();
    let optimizer = Optimizer::new(numbers, 1, 0.002);
    let mut means = [[0.0; 2]; 2];
    for seed in 0..4000 {
        let trial = optimizer.trial(seed);
        for (player, sum) in trial.players.iter().zip(&mut means) {
            let values: Vec<f64> = player
                .split('+')
                .map(|word| word.split_once(':').expect("a value").1.parse().expect("a number"))
                .collect();
            // The difference in the direction of the first player.
            for i in 0..2 {
                sum[i] += (values[i] - [40.0, 6.0][i]) * trial.changes[i].signum() / 4000.0;
            }
        }
    }
    for (player, sign) in means.iter().zip([1.0, -1.0]) {
        assert!((player[0] - 6.0 * sign).abs() < 0.1 && (player[1] - 0.4 * sign).abs() < 0.05, "{means:?}");
    }
}

#[test]
fn directions_are_independent() {
    let numbers: Vec<Number> = ["late=5:1"; 3].map(|text| text.parse().expect("a number")).into();
    for seed in [0, 1, 7] {
        let mut optimizer = Optimizer::new(numbers.clone(), 1003, 0.002);
        let mut signs = Vec::new();
        while optimizer.done < 1003 {
            let trial = optimizer.trial(seed);
            signs.push([0, 1, 2].map(|i: usize| trial.changes[i] > 0.0));
            optimizer.learn(&trial, 0);
        }
        for (i, j, later) in
            [0, 1, 2].into_iter().flat_map(|i| [0, 1, 2].map(|j| [0, 1, 2, 3].map(|d| (i, j, d)))).flatten()
        {
            if later == 0 && i == j {
                continue;
            }
            let same = (0..1000).filter(|&k| signs[k][i] == signs[k + later][j]).count();
            assert!((400..=600).contains(&same), "{i} and {j}, {later} iterations later: {same} of 1000");
        }
    }
}

fn spsa(out: &Path, jobs: &str) -> Spsa {
    let out = out.to_str().expect("a path");
    let options =
        ["--iterations", "4", "--pairs", "1", "--player", "nodes=40,horizon=0/0,proof=0,table=1", "--opening"];
    let words = ["spsa", "loa", "futility=40:20", "late=5:1"].into_iter().chain(options);
    Spsa::try_parse_from(words.chain(["4", "--rate", "0.1", "--jobs", jobs, "--out", out])).expect("options")
}

#[test]
fn an_interrupted_run_continues_and_the_log_does_not_depend_on_the_jobs() {
    let folder = tempfile::tempdir().expect("a folder");
    let [whole, cut] = ["whole.log", "cut.log"].map(|name| folder.path().join(name));
    spsa(&whole, "1").run().expect("a run");
    let log = fs::read_to_string(&whole).expect("a log");
    assert_eq!(log.lines().count(), 2 + 4, "{log}");
    let points: Vec<&str> = log.lines().skip(2).map(|line| line.split(' ').nth(1).expect("points")).collect();
    assert!(points.iter().any(|&points| points != "0"), "no game was decided: {log}");
    // After an interruption within the header, between iterations, and within a line.
    let third = log.match_indices('\n').nth(3).expect("lines").0 + 1;
    for end in [0, 10, third, third + 4] {
        fs::write(&cut, &log[..end]).expect("a log");
        spsa(&cut, "2").run().expect("a run");
        assert_eq!(fs::read_to_string(&cut).expect("a log"), log, "cut at {end}");
    }
}

#[test]
fn a_log_of_other_options_is_refused_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("spsa.log");
    spsa(&log, "1").run().expect("a run");
    let before = fs::read_to_string(&log).expect("a log");
    let other = before.replace("--seed 1", "--seed 2");
    fs::write(&log, &other).expect("a log");
    let error = spsa(&log, "1").run().expect_err("another seed").to_string();
    assert!(error.contains("--seed 2") && error.contains("--seed 1\n"), "{error}");
    assert_eq!(fs::read_to_string(&log).expect("a log"), other);

    fs::write(&log, before.replacen("\n1 ", "\n7 ", 1)).expect("a log");
    let error = format!("{:#}", spsa(&log, "1").run().expect_err("a gap"));
    assert!(error.ends_with("iteration 7 found, expected 1"), "{error}");
}

#[test]
fn numbers_are_checked() {
    assert_eq!("late=5:1".parse(), Ok(Number { name: "late", start: 5.0, step: 1.0 }));
    for rate in ["0", "-1", "nan", "inf"] {
        let words = ["spsa", "loa", "late=5:1", "--out", "spsa.log", &format!("--rate={rate}")];
        let error = Spsa::try_parse_from(words).map(|_| ()).expect_err(rate).to_string();
        assert!(error.contains("expected a rate above 0"), "{error}");
    }
    let twice = Spsa::try_parse_from(["spsa", "loa", "late=5:1", "late=7:1", "--out", "spsa.log"]).expect("options");
    let error = twice.run().expect_err("a number twice").to_string();
    assert_eq!(error, "late is named twice, expected each number once");
    for (text, expected) in [
        ("late", "expected NAME=START:STEP"),
        ("late=5", "expected NAME=START:STEP"),
        ("lateness=5:1", "expected one of aspiration, "),
        ("late=500:1", "expected a start from 0 to 100 and a step"),
        ("late=5:0", "a step from 0.1 to 100"),
        ("late=5:500", "a step from 0.1 to 100"),
        ("late=nan:1", "expected a start from 0 to 100"),
        ("late=5:inf", "a step from 0.1 to 100"),
    ] {
        let error = text.parse::<Number>().expect_err(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}
