//! The speed of this machine, and a check that it computes the same results as other machines.

use std::path::PathBuf;

use anyhow::bail;
use etcetera::BaseStrategy;
use measure::bench;
use process::system::host_name;

/// Returns this machine's speed in the bench, in nodes per second. Runs the bench only if this machine has not been
/// measured yet.
///
/// # Errors
/// Returns an error if the bench has a different signature here than on other machines.
pub(crate) fn speed() -> anyhow::Result<f64> {
    if let Some(speed) = measured() {
        return Ok(speed);
    }
    let parts = bench::run(|_| ());
    check(&bench::signature(&parts))?;
    let nodes: u64 = parts.iter().map(|part| part.nodes).sum();
    let time: f64 = parts.iter().map(|part| part.time.as_secs_f64()).sum();
    let speed = nodes as f64 / time.max(1e-9);
    if let Some(path) = speed_file() {
        let written = path.parent().map(std::fs::create_dir_all).and_then(Result::ok);
        // Without the file, the next worker measures again.
        let _ = written.map(|()| std::fs::write(path, speed.to_string()));
    }
    Ok(speed)
}

pub(super) fn measured() -> Option<f64> {
    std::fs::read_to_string(speed_file()?).ok()?.parse().ok()
}

/// Returns the path of the file that stores the speed of this build on this machine.
fn speed_file() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.cache_dir().join("plyhouse").join(format!("speed-{}-{}", host_name(), bench::build())))
}

/// Rejects a machine on which the bench has a different signature, because its engines would play different moves.
fn check(signature: &str) -> anyhow::Result<()> {
    if signature == bench::COMMITTED {
        return Ok(());
    }
    let mut lines = bench::COMMITTED.lines().zip(signature.lines());
    let (expected, found) =
        lines.find(|(expected, found)| expected != found).unwrap_or(("another number of lines", signature));
    bail!(
        "the engines compute other results on this machine: `plyhouse bench --signature` prints `{found}`, expected \
         `{expected}`"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_computes_other_results_is_refused() {
        check(bench::COMMITTED).expect("a machine like all others");
        for part in ["loa 6 ", "jump61 10 ", "total "] {
            let line = bench::COMMITTED.lines().find(|line| line.starts_with(part)).expect("a part");
            let other = line.replace(" nodes", "1 nodes");
            let refused = check(&bench::COMMITTED.replace(line, &other)).expect_err(part).to_string();
            let difference = format!("prints `{other}`, expected `{line}`");
            assert!(
                refused.starts_with("the engines compute other results") && refused.contains(&difference),
                "{refused}"
            );
        }
        let shorter = bench::COMMITTED.rsplit_once("total").expect("a last line").0;
        assert!(check(shorter).is_err() && check("").is_err());
    }
}
