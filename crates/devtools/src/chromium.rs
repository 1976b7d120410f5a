//! A headless Chromium for tests, which leaves no files behind.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, bail};

/// Names under which the browser may be installed. The environment variable `CHROMIUM` takes precedence.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Environment variable with the address of the browser that tests use.
const VARIABLE: &str = "PLYHOUSE_TEST_BROWSER";

/// Shell script that runs the browser until standard input ends. Standard input ends when the program that started the
/// script ends, for any reason. The browser leaves files in the folder for temporary files, so that folder is set to
/// the profile, which the script removes. Only the browser keeps standard error open, so standard error ends if the
/// browser does not start.
const SCRIPT: &str = r#"
program=$1 profile=$2
shift 2
TMPDIR="$profile" "$program" --user-data-dir="$profile" "$@" < /dev/null > /dev/null &
exec 2> /dev/null
cat > /dev/null
kill $!
wait $!
for _ in 1 2 3 4 5 6 7 8 9; do rm -rf "$profile" && break; sleep 0.2; done
"#;

/// Options of the browser. Tests need no network, and a browser that tries to use one is slow. Pages of all windows run
/// at full speed. Two of the disabled features load Chromium's own pages for each address bar, and one starts a spare
/// renderer for each context; with them, opening a window takes four times the processor time.
const OPTIONS: [&str; 18] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--remote-debugging-port=0",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-extensions",
    "--disable-component-extensions-with-background-pages",
    "--disable-features=SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    "about:blank",
];

/// A running Chromium, which any number of [`Browser`](crate::Browser)s can share. Dropping it stops Chromium.
pub struct Chromium {
    script: Child,
    address: String,
}

impl Chromium {
    /// Starts Chromium.
    ///
    /// # Errors
    /// Returns an error if Chromium is not installed or does not start.
    pub fn start() -> Result<Self> {
        let program = program().context(
            "Chromium not found: install it (Debian: `apt-get install chromium`), or set CHROMIUM to its program",
        )?;
        let profile = tempfile::tempdir()?.keep();
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "sh"]).arg(program).arg(profile).args(OPTIONS).process_group(0);
        let mut script = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let address = listening(&mut script)?;
        Ok(Self { script, address })
    }

    /// Returns the environment variable with which other programs use this browser, and its value.
    pub fn variable(&self) -> (&'static str, &str) {
        (VARIABLE, &self.address)
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        drop(self.script.stdin.take());
        let _ = self.script.wait();
    }
}

/// Returns the address of the browser that this process uses.
pub(crate) fn address() -> Result<String> {
    static OWN: OnceLock<Result<Chromium, String>> = OnceLock::new();
    if let Ok(address) = std::env::var(VARIABLE) {
        return Ok(address);
    }
    let own = OWN.get_or_init(|| Chromium::start().map_err(|error| format!("{error:#}")));
    own.as_ref().map(|own| own.address.clone()).map_err(|error| anyhow!("{error}"))
}

/// Finds the browser's program.
fn program() -> Option<PathBuf> {
    let chosen = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let find = |name: PathBuf| folders.iter().map(|folder| folder.join(&name)).find(|path| path.is_file());
    chosen.into_iter().chain(NAMES.map(|name| Path::new(name).to_owned())).find_map(find)
}

/// Reads the address that the browser prints on standard error.
fn listening(script: &mut Child) -> Result<String> {
    let stderr = script.stderr.take().context("no standard error")?;
    let mut lines = BufReader::new(stderr).lines();
    for line in lines.by_ref() {
        if let Some(address) = line?.strip_prefix("DevTools listening on ") {
            // Keep reading, because the browser may block on a full pipe.
            let address = address.to_owned();
            std::thread::spawn(move || lines.for_each(drop));
            return Ok(address);
        }
    }
    bail!("Chromium ended without printing its address")
}
