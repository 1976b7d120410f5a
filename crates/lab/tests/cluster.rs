//! Tests of a small simulated tournament with crashing machines: every game is stored exactly once, and no lease is
//! left.

use std::process::{Command, Output};

use devtools::Database;
use serde_json::Value;

fn cluster(arguments: &[&str], database: &Database) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cluster"));
    command.args(arguments).args(["--json", "--quiet", "--store", &database.url()]);
    command.output().expect("the program runs")
}

fn figures(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn every_game_is_stored_once_although_machines_crash() {
    let Some(database) = Database::create().expect("a server") else { return };
    // 9 agents form 36 pairs, which play 360 games on 12 slots. A game takes about a tenth of a second.
    let tournament = ["--agents", "9", "--games-a-pair", "10", "--game", "breakthrough", "--size", "5"];
    let machines = ["--machines", "4", "--jobs", "3", "--lease", "1", "--recorded", "8"];
    let time = ["--speed-up", "100", "--crash-every", "60", "--absent", "30"];
    let simulated = cluster(&[["simulate"].as_slice(), &tournament, &machines, &time].concat(), &database);
    let figures = figures(&simulated);
    assert!(simulated.status.success(), "{figures:#}");

    let sql = |query: &str| database.sql(query).expect("SQL");
    let rows = "SELECT count(*), count(DISTINCT number), count(*) FILTER (WHERE aside) FROM plyhouse.game";
    assert_eq!(sql(rows), "360|360|0", "{figures:#}");
    // A game that is interrupted by three crashes is set aside, and offered again as another job.
    assert_eq!(sql("SELECT count(*) FROM plyhouse_ledger.job WHERE state <> 4"), "0", "a job or a lease is left");
    assert_eq!(sql("SELECT count(*) FROM plyhouse_ledger.work WHERE NOT is_over"), "0");
    let check = &figures["check"];
    assert_eq!((&check["is_whole"], &check["findings"]), (&true.into(), &Value::Array(Vec::new())), "{check:#}");
    // Without crashes, the checks above would prove nothing.
    let losses = &figures["losses"];
    assert!(losses["crashes"].as_u64() >= Some(3) && losses["games"].as_u64() >= Some(3), "{losses:#}");
    let slots: f64 = ["played", "thrown_away", "absent", "claiming", "reporting"]
        .iter()
        .map(|share| figures["slots"][share].as_f64().expect("a share"))
        .sum();
    // On a busy machine, the measured shares cover less of the time.
    assert!((0.05..1.05).contains(&slots), "{slots}: {figures:#}");
}

#[test]
fn claims_are_measured() {
    let Some(database) = Database::create().expect("a server") else { return };
    let claimed = cluster(&["claims", "--machines", "3", "--jobs", "4", "--seconds", "1"], &database);
    let figures = figures(&claimed);
    assert!(claimed.status.success() && figures["workers"] == 12, "{figures:#}");
    for figure in ["claims_a_second", "reports_a_second"] {
        assert!(figures[figure].as_f64() > Some(10.0), "{figures:#}");
    }
    assert!(figures["report"]["longest"].as_f64() >= figures["report"]["median"].as_f64(), "{figures:#}");
    assert_eq!(database.sql("SELECT count(*) FROM plyhouse_ledger.job").expect("SQL"), "0", "the jobs are removed");
}

#[test]
fn too_few_connections_are_reported_before_the_start() {
    let Some(database) = Database::create().expect("a server") else { return };
    let refused = cluster(&["claims", "--machines", "500"], &database);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && said.contains("expected at least 1002: make `max_connections` larger"),
        "{said}"
    );
}
