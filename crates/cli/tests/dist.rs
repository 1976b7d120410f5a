//! The packages of `make dist`: complete archives for several systems, and a Debian package that can be installed and
//! removed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");
const PROGRAMS: [&str; 5] = ["plyhouse", "loa", "loa6", "checkers", "jump61"];

fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().expect("it runs");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Returns the relative paths of all files below a folder.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).expect("below it").to_string_lossy().into_owned());
            }
        }
    }
    found
}

#[test]
fn packages_are_complete_and_removable() {
    let scratch = tempfile::tempdir().expect("a folder");
    let out = scratch.path().join("out");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/dist");
    let programs = Path::new(PLYHOUSE).parent().expect("a folder");
    let made = run(Command::new(script).arg("--programs").arg(programs).arg("--out").arg(&out).args(["--level", "0"]));
    let made: Vec<PathBuf> = made.lines().map(PathBuf::from).collect();

    let unpacked = scratch.path().join("unpacked");
    std::fs::create_dir(&unpacked).expect("a folder");
    run(Command::new("tar").arg("-xf").arg(&made[0]).args(["--strip-components", "1", "-C"]).arg(&unpacked));
    assert_complete(&unpacked, "share/zsh/site-functions");
    assert_installable(&made[0], &format!("{}-unknown-{}", std::env::consts::ARCH, std::env::consts::OS));

    if !has("dpkg") || !has("dpkg-deb") {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"skipped: the Debian package (dpkg is missing)\n");
        return;
    }
    if has("lintian") {
        let mut lintian = Command::new("lintian");
        lintian.args(["--allow-root", "--fail-on", "error,warning"]).arg(&made[1]);
        run(&mut lintian);
    } else {
        let _ =
            std::io::Write::write_all(&mut std::io::stderr(), b"skipped: the checks of lintian, which is missing\n");
    }
    let root = scratch.path().join("root");
    let state = root.join("var/lib/dpkg");
    std::fs::create_dir_all(state.join("info")).expect("a folder");
    std::fs::create_dir_all(state.join("updates")).expect("a folder");
    std::fs::write(state.join("status"), "").expect("a file");
    let before = files(&root.join("usr"));
    let dpkg = || {
        let mut dpkg = Command::new("dpkg");
        dpkg.arg(format!("--root={}", root.display())).args(["--force-depends", "--force-not-root", "--log=/dev/null"]);
        dpkg
    };
    run(dpkg().arg("--install").arg(&made[1]));
    assert_complete(&root.join("usr"), "share/zsh/vendor-completions");
    assert!(run(dpkg().args(["--verify", "plyhouse"])).is_empty(), "the installed files equal those of the package");
    run(dpkg().args(["--purge", "plyhouse"]));
    assert_eq!(files(&root.join("usr")), before, "the purge removes all files");
}

/// Returns the paths in an archive.
fn listed(archive: &Path) -> BTreeSet<String> {
    if archive.extension().is_some_and(|extension| extension == "zip") {
        let zip = zip::ZipArchive::new(std::fs::File::open(archive).expect("a file")).expect("an archive");
        return zip.file_names().map(|name| name.expect("a name").into_owned()).collect();
    }
    run(Command::new("tar").arg("-tf").arg(archive)).lines().map(str::to_owned).collect()
}

/// Asserts that `cargo binstall` finds the archive for a target and the programs in it.
fn assert_installable(archive: &Path, target: &str) {
    let manifest = include_str!("../Cargo.toml");
    let (_, usual) = manifest.split_once("[package.metadata.binstall]").expect("settings");
    let special = manifest.split_once(&format!("[package.metadata.binstall.overrides.{target}]")).map(|parts| parts.1);
    let is_windows = target.contains("windows");
    let system = ["linux", "windows"].into_iter().find(|system| target.contains(system)).unwrap_or("darwin");
    let value = |key: &str| {
        let key = format!("{key} = ");
        let find = |section: &str| {
            let mut lines = section.lines().take_while(|line| !line.starts_with('['));
            lines.find_map(|line| Some(line.strip_prefix(&key)?.trim_matches('"').to_owned()))
        };
        let pairs = [
            ("version", env!("CARGO_PKG_VERSION")),
            ("target-arch", target.split('-').next().unwrap_or_default()),
            ("target-family", system),
            ("binary-ext", if is_windows { ".exe" } else { "" }),
        ];
        let fill = |text: String, (name, value): (&str, &str)| text.replace(&format!("{{ {name} }}"), value);
        pairs.into_iter().fold(special.and_then(find).or_else(|| find(usual)).expect(&key), fill)
    };
    assert_eq!(Path::new(&value("pkg-url")).file_name(), archive.file_name());
    assert_eq!(value("pkg-fmt"), if is_windows { "zip" } else { "tgz" });
    let files = listed(archive);
    for program in PROGRAMS {
        let path = value("bin-dir").replace("{ bin }", program);
        assert!(files.contains(&path), "{path}: {files:?}");
    }
}

/// Packs files that stand for the programs of another system. They name versions of the C library as programs do.
#[test]
fn packages_for_other_systems_use_the_manual_pages_of_this_one() {
    let scratch = tempfile::tempdir().expect("a folder");
    for name in PROGRAMS {
        let program = b"\x7fELF\0libc.so.6\0GLIBC_2.2.5\0GLIBC_2.17\0GLIBC_2.9\0";
        std::fs::write(scratch.path().join(name), program).expect("a file");
        std::fs::write(scratch.path().join(format!("{name}.exe")), "MZ").expect("a file");
    }
    let pack = |target: &str| -> Vec<PathBuf> {
        let mut pack = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/dist"));
        pack.args(["--target", target, "--plyhouse", PLYHOUSE, "--level", "0", "--out"])
            .arg(scratch.path().join("out"));
        run(pack.arg("--programs").arg(scratch.path())).lines().map(PathBuf::from).collect()
    };
    let name = |system: &str, file: &str| format!("plyhouse-{}-{system}/{file}", env!("CARGO_PKG_VERSION"));

    let made = pack("aarch64-unknown-linux-gnu");
    assert_installable(&made[0], "aarch64-unknown-linux-gnu");
    for file in ["share/man/man1/plyhouse.1.gz", "share/zsh/site-functions/_loa", "share/doc/plyhouse/THIRD-PARTY.txt"]
    {
        assert!(listed(&made[0]).contains(&name("aarch64-linux", file)), "{file}");
    }
    if let Some(package) = made.get(1) {
        let control = run(Command::new("dpkg-deb").arg("--field").arg(package).args(["Architecture", "Depends"]));
        assert_eq!(control, "Architecture: arm64\nDepends: libc6 (>= 2.17)\n");
    } else {
        assert!(!has("dpkg-deb"), "a Debian package");
    }

    let made = pack("x86_64-pc-windows-gnu");
    assert_eq!(made.len(), 1);
    for target in ["x86_64-pc-windows-gnu", "x86_64-pc-windows-msvc"] {
        assert_installable(&made[0], target);
    }
    let files = listed(&made[0]);
    assert!(files.contains(&name("x86_64-windows", "share/doc/plyhouse/THIRD-PARTY.txt")));
    assert!(!files.iter().any(|file| file.contains("/man/") || file.contains("complet")), "{files:?}");
}

/// Builds a program in a folder and returns it. Its dependency is outside of its package, like those of a registry.
fn built(folder: &Path, options: &[&str]) -> Vec<u8> {
    let package = |name: &str, dependencies: &str, file: &str, source: &str| {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
             {dependencies}"
        );
        std::fs::create_dir_all(folder.join(name).join("src")).expect("a folder");
        std::fs::write(folder.join(name).join("Cargo.toml"), manifest).expect("a file");
        std::fs::write(folder.join(name).join("src").join(file), source).expect("a file");
    };
    package("inner", "", "lib.rs", "pub fn place() -> &'static str { file!() }");
    package("outer", "inner = { path = \"../inner\" }\n", "main.rs", "fn main() { println!(\"{}\", inner::place()) }");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--release", "--quiet", "--offline"]).args(options).current_dir(folder.join("outer"));
    run(cargo.env("CARGO_TARGET_DIR", folder.join("target")).env_remove("RUSTFLAGS"));
    std::fs::read(folder.join("target/release/outer")).expect("the program")
}

#[test]
fn programs_do_not_name_the_folders_that_they_were_built_in() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path().canonicalize().expect("a folder");
    let path = folder.to_string_lossy().into_owned();
    let names_folder = |program: &[u8]| program.windows(path.len()).any(|bytes| bytes == path.as_bytes());
    assert!(names_folder(&built(&folder, &[])), "without the option, the path is in the program");
    let option = run(Command::new(root.join("packaging/remap")).env("CARGO_HOME", &folder));
    assert!(!names_folder(&built(&folder, &["--config", option.trim()])), "{option}");
    for target in ["dist", "python"] {
        let commands = run(Command::new("make").args(["-n", target, "RELEASE=1"]).current_dir(&root));
        assert!(commands.contains("packaging/remap"), "make {target}: {commands}");
    }
}

#[test]
fn manual_pages_have_a_date_and_a_version() {
    let folder = tempfile::tempdir().expect("a folder");
    run(Command::new(PLYHOUSE).arg("man").arg(folder.path()).env("SOURCE_DATE_EPOCH", "1800000000"));
    for name in ["plyhouse", "loa", "plyhouse-arena-run"] {
        let page = std::fs::read_to_string(folder.path().join(format!("{name}.1"))).expect("a page");
        let title = format!(".TH {name} 1 2027-01-15 \"Plyhouse {}\" Plyhouse", env!("CARGO_PKG_VERSION"));
        assert!(page.lines().any(|line| line.trim() == title), "{title}: {page}");
    }
}

/// Asserts that the programs run, and that each has its manual page and completions.
fn assert_complete(prefix: &Path, zsh: &str) {
    let found = files(prefix);
    for name in PROGRAMS {
        let version = run(Command::new(prefix.join("bin").join(name)).arg("--version"));
        assert_eq!(version.trim(), format!("{name} {}", env!("CARGO_PKG_VERSION")));
        let bash = format!("share/bash-completion/completions/{name}");
        for file in [&bash, &format!("{zsh}/_{name}"), &format!("share/fish/vendor_completions.d/{name}.fish")] {
            let script = std::fs::read_to_string(prefix.join(file)).expect(file);
            assert!(script.contains(name) && script.contains("version"), "{file}: {script}");
        }
        assert!(found.contains(&format!("share/man/man1/{name}.1.gz")), "{found:?}");
        run(Command::new("bash").args(["-n"]).arg(prefix.join(bash)));
    }
    assert!(found.contains("share/man/man1/plyhouse-arena-run.1.gz"), "each command has a manual page");
    let notices = std::fs::read_to_string(prefix.join("share/doc/plyhouse/THIRD-PARTY.txt")).expect("notices");
    for name in ["Preact", "tokio"] {
        assert!(notices.contains(&format!("\n  {name} ")), "{name} is missing in the notices of third parties");
    }
    assert!(found.contains("share/applications/plyhouse.desktop"));
    assert!(found.contains("share/icons/hicolor/scalable/apps/plyhouse.svg"));
    assert!(!found.iter().any(|file| file.contains("node_modules")));
}

#[test]
fn bash_completes_commands_and_options() {
    let completed = |line: &str| -> BTreeSet<String> {
        let words: Vec<&str> = line.split(' ').collect();
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let script = format!(
            "source <('{PLYHOUSE}' completions bash) && COMP_WORDS=({line}) && COMP_CWORD={} && _plyhouse plyhouse '{last}' \
             '{before}' && printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.len() - 1
        );
        run(Command::new("bash").args(["-c", &script])).lines().map(str::to_owned).collect()
    };
    assert_eq!(completed("plyhouse arena res"), ["resume".to_owned()].into());
    assert!(completed("plyhouse arena run --hand").contains("--hand-out"));
    assert!(completed("plyhouse arena run --format s").contains("swiss"));
    // The test runs in a folder with a file `Cargo.toml`.
    let file = "Cargo.toml".to_owned();
    assert!(completed("plyhouse script --junit Car").contains(&file), "a file is completed");
    assert!(completed("plyhouse arena run --agent Car").contains(&file), "an agent may be a file");
    for line in ["plyhouse arena run --games Car", "plyhouse analyse loa --position Car"] {
        assert_eq!(completed(line), ["Car".to_owned()].into(), "{line}: the word stays as it is");
    }
}
