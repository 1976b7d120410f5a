//! Writes the page as a static site: `make site`.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Parser;

/// The target of the module.
const TARGET: &str = "wasm32-unknown-unknown";
/// SIMD instructions, which every browser has had since 2023, and room for recursion as deep as a game is long.
const FLAGS: &str = "-C target-feature=+simd128 -C link-arg=-zstack-size=16777216";

/// Builds the WebAssembly module and writes the static site into a folder.
#[derive(Parser)]
struct Options {
    /// The folder; what an earlier version of the site has left there is removed.
    #[arg(default_value = "target/static-site")]
    folder: PathBuf,
}

fn main() -> Result<()> {
    let Options { folder } = Options::parse();
    let module = compressed(&built_module()?)?;
    let files = web::static_site(&module);
    clear(&folder)?;
    for (path, bytes) in &files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    let whole: usize = files.values().map(Vec::len).sum();
    let (whole, module) = (whole as f64 / 1e6, module.len() as f64 / 1e6);
    let index = folder.join("index.html");
    writeln!(
        stdout(),
        "{}: {} files, {whole:.2} MB; the module is {module:.2} MB of it",
        index.display(),
        files.len()
    )?;
    Ok(())
}

/// Builds the module in a target folder of its own, so that it waits for no other build.
fn built_module() -> Result<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = root.join("target/wasm");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--locked", "--profile", "site", "--package", "plyhouse-wasm", "--target", TARGET]);
    cargo.arg("--target-dir").arg(&target).env("RUSTFLAGS", FLAGS).current_dir(&root);
    let status = cargo.status().context("cargo")?;
    ensure!(status.success(), "the module was not built; `rustup target add {TARGET}` installs what it needs");
    let path = target.join(TARGET).join("site/plyhouse_wasm.wasm");
    fs::read(&path).with_context(|| path.display().to_string())
}

/// The module by gzip, as small as that can be.
fn compressed(module: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    zopfli::compress(zopfli::Options::default(), zopfli::Format::Gzip, module, &mut out)?;
    Ok(out)
}

/// Empties the folder of an earlier site. Another folder is left as it is.
fn clear(folder: &Path) -> Result<()> {
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if is_empty {
        return Ok(());
    }
    let is_site = folder.join("sw.js").is_file() && folder.join("games.json").is_file();
    ensure!(is_site, "{} has other files than those of a site: choose an empty folder", folder.display());
    Ok(fs::remove_dir_all(folder)?)
}
