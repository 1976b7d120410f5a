//! Builds the page as a static site: `make site`.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Parser;

/// Targets of the module: without threads, with threads.
const TARGETS: [&str; 2] = ["wasm32-unknown-unknown", "wasm32-wasip1-threads"];
/// Compiler flags: SIMD instructions, which all browsers have supported since 2023, and a stack that is large enough
/// for one level of recursion per move of a game.
const FLAGS: &str = "-C target-feature=+simd128 -C link-arg=-zstack-size=16777216";
/// Compiler flags for a module with threads: a memory of 64 MiB that grows to at most 1 GiB, as `threads.js` creates
/// it. `_initialize` prepares its first thread.
const SHARED: &str = "-C link-arg=--initial-memory=67108864 -C link-arg=--max-memory=1073741824 \
                      -C link-arg=--export=_initialize";

/// Builds the WebAssembly module and writes the static site into a folder.
#[derive(Parser)]
struct Options {
    /// The folder; files of an earlier version of the site are removed.
    #[arg(default_value = "target/static-site")]
    folder: PathBuf,
    /// Lets searches use all processors. The host must send the headers `Cross-Origin-Opener-Policy: same-origin` and
    /// `Cross-Origin-Embedder-Policy: require-corp`; without them, the site may not start.
    #[arg(long)]
    threads: bool,
    /// Builds and compresses quickly, for tests. The files are larger and slower.
    #[arg(long)]
    quick: bool,
}

fn main() -> Result<()> {
    let Options { folder, threads, quick } = Options::parse();
    let module = built_module(threads, if quick { "site-test" } else { "site" })?;
    let module = compressed(&module, if quick { 1 } else { 15 })?;
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

/// Builds the module in a separate target folder, so that it does not wait for other builds.
fn built_module(threads: bool, profile: &str) -> Result<Vec<u8>> {
    let target = TARGETS[usize::from(threads)];
    let mut flags: Vec<String> = FLAGS.split_whitespace().map(str::to_owned).collect();
    if threads {
        flags.extend(SHARED.split_whitespace().map(str::to_owned));
        flags.push(format!("-Clink-arg={}", initializer()?));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("target/wasm");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--locked", "--profile", profile, "--package", "plyhouse-wasm"]);
    cargo.args(["--target", target]).arg("--target-dir").arg(&folder).current_dir(&root);
    cargo.args(["--config", &format!("target.'cfg(all())'.rustflags = {flags:?}")]);
    // The variable would replace the flags.
    cargo.args(["--config", &without_paths(&root)?]).env_remove("RUSTFLAGS");
    let status = cargo.status().context("cargo")?;
    ensure!(status.success(), "the module was not built; `rustup target add {target}` installs what it needs");
    let path = folder.join(target).join(profile).join("plyhouse_wasm.wasm");
    fs::read(&path).with_context(|| path.display().to_string())
}

/// Returns the option of cargo that keeps the paths of this machine out of the module.
fn without_paths(root: &Path) -> Result<String> {
    // On Windows, a program named `bash` may be that of WSL. Git's Bash is also named `sh`.
    let shell = if cfg!(windows) { "sh" } else { "bash" };
    let output = Command::new(shell).arg("packaging/remap").current_dir(root).output();
    let output = output.with_context(|| format!("{shell}, which runs packaging/remap"))?;
    ensure!(output.status.success(), "packaging/remap: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Returns the path of the Rust target's object file that defines `_initialize`. `rustc` links this file into programs
/// only, not into libraries.
fn initializer() -> Result<String> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().context("rustc")?;
    let root = String::from_utf8(output.stdout).context("the path of the Rust toolchain")?;
    let path = format!("{}/lib/rustlib/{}/lib/self-contained/crt1-reactor.o", root.trim(), TARGETS[1]);
    ensure!(Path::new(&path).is_file(), "{path} is missing; `rustup target add {}` installs it", TARGETS[1]);
    Ok(path)
}

/// Compresses the module with gzip. The compressor's default of 15 iterations gives the smallest file.
fn compressed(module: &[u8], iterations: u64) -> Result<Vec<u8>> {
    let iteration_count = iterations.try_into().context("no iteration")?;
    let mut out = Vec::new();
    zopfli::compress(
        zopfli::Options { iteration_count, ..zopfli::Options::default() },
        zopfli::Format::Gzip,
        module,
        &mut out,
    )?;
    Ok(out)
}

/// Removes the folder of an earlier site. It fails if the folder has other files.
fn clear(folder: &Path) -> Result<()> {
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if is_empty {
        return Ok(());
    }
    let is_site = folder.join("sw.js").is_file() && folder.join("games.json").is_file();
    ensure!(is_site, "{} has other files than those of a site: choose an empty folder", folder.display());
    Ok(fs::remove_dir_all(folder)?)
}
