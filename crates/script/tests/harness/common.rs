//! A test case in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};

use script::{ExitKind, Options, run_main};
use tempfile::TempDir;

/// Returns the folder of the mock programs, which are shell scripts.
pub(crate) fn mocks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks")
}

/// A temporary folder with one test, `t`, and the options to run it.
pub(crate) struct Case {
    pub(crate) folder: TempDir,
    pub(crate) options: Options,
}

impl Case {
    /// Creates a test whose script starts this mock and then consists of these lines.
    pub(crate) fn new(mock: &str, lines: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let options = Options { paths: vec![folder.path().to_owned()], ..Options::default() };
        Self { folder, options }.with_script("t-1.in", mock, lines)
    }

    pub(crate) fn with_script(self, file: &str, mock: &str, lines: &str) -> Self {
        self.with_file(file, &format!("#* sh {}/{mock}\n{lines}", mocks().display()))
    }

    pub(crate) fn with_file(self, file: &str, text: &str) -> Self {
        fs::write(self.folder.path().join(file), text).expect("a file");
        self
    }

    pub(crate) fn run(&self) -> (String, ExitKind) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let kind = run_main(&self.options, &mut out, &mut err);
        (String::from_utf8_lossy(&out).into_owned() + &String::from_utf8_lossy(&err), kind)
    }

    /// Runs the test, which must fail, and returns the reason.
    pub(crate) fn reason(&self) -> String {
        let (report, kind) = self.run();
        assert_eq!(kind, ExitKind::Failed, "{report}");
        let line = report.lines().find(|line| line.starts_with("t FAILED")).unwrap_or_else(|| panic!("{report}"));
        line.trim_start_matches("t FAILED (").trim_end_matches(')').to_owned()
    }

    pub(crate) fn passes(&self) {
        assert_eq!(self.run(), ("t PASSED\nPassed all 1 tests.\n".to_owned(), ExitKind::Passed));
    }

    /// Checks that the test passes and that the report has this remark.
    pub(crate) fn passes_with(&self, remark: &str) {
        let report = format!("t PASSED\nremark: {remark}\nPassed all 1 tests.\n");
        assert_eq!(self.run(), (report, ExitKind::Passed));
    }
}

/// Output of the mocks after the command `dump`.
pub(crate) const DUMP: &str = "===\n    b - w\n===\n";
