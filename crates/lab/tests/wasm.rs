//! The pure crates build for a system without processes, sockets, files, threads and clocks.

use std::path::Path;
use std::process::Command;

/// Crates below the line (`ARCHITECTURE.md`), from which all others there are reached.
const TOPS: [&str; 5] = ["plyhouse", "plyhouse-console", "plyhouse-games", "plyhouse-house", "plyhouse-rating"];

#[test]
fn the_core_builds_for_webassembly() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--quiet", "--locked", "--target", "wasm32-unknown-unknown", "--all-features"]);
    cargo.arg("--target-dir").arg(root.join("target/wasm")).current_dir(&root);
    for name in TOPS {
        cargo.args(["--package", name]);
    }
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
