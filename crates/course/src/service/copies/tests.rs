use std::fs;
use std::sync::Arc;

use arena::{AgentSpec, Bundle};
use game::SplitMix64;

use super::*;
use crate::similar::fingerprint::Starter;
use crate::store::tests::setup::Setup;
use crate::store::uploads::Outcome;
use crate::tokens::Role;

const STAFF: Who<'static> = Some(&Role::Staff);

/// Returns the source code of a Python program that no other seed has.
fn code(seed: u64) -> String {
    let mut rng = SplitMix64::new(seed);
    let mut operator = || *rng.choose(&["+", "-", "*", "%", "//", "<", "==", "and", "or"]).expect("an operator");
    (0..40).flat_map(|_| ["x = a ", operator(), " b ", operator(), " c ", operator(), " d\n"]).collect()
}

/// Submits files as a version of a team.
fn submit(setup: &mut Setup, team: usize, files: &[(&str, &str)]) -> i64 {
    let upload = setup.send(&format!("t{team}"), b"x").expect("received");
    setup.store.claim().expect("readable").expect("an upload");
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("a file");
    }
    let bundle = Bundle::pack(folder.path(), &[]).expect("a bundle");
    let agent = AgentSpec { name: "Agent".to_owned(), dialect: Some("ugi".to_owned()), ..AgentSpec::default() };
    let outcome = Outcome::Accepted { agent: &agent, bundle: &bundle, identify: None, notes: &[] };
    setup.store.decide(upload, &outcome).expect("accepted");
    upload
}

/// Opens a course of some teams, with more sections in its file.
fn open(setup: &Setup, teams: usize, sections: &str) -> Arc<Service> {
    let rows: Vec<String> = (0..teams).map(|team| format!("t{team},Team {team}\n")).collect();
    crate::service::tests::open(setup, &rows.concat(), sections)
}

/// Returns the teams of the listed pairs.
fn pairs(service: &Service) -> Vec<[String; 2]> {
    let copies = service.copies(STAFF).expect("hints");
    copies.pairs.into_iter().map(|pair| [pair.a.team, pair.b.team]).collect()
}

#[test]
fn starter_code_of_the_course_file_does_not_count() {
    let mut setup = Setup::new(3);
    let given = code(1);
    for (team, seed) in [(0, 2), (1, 3), (2, 2)] {
        submit(&mut setup, team, &[("agent.py", &(given.clone() + &code(seed))), ("only.txt", &team.to_string())]);
    }
    let everything = open(&setup, 3, "");
    assert_eq!(pairs(&everything).len(), 3, "all have the starter code");
    everything.stop();
    drop(everything);

    fs::create_dir(setup.folder.path().join("starter")).expect("a folder");
    fs::write(setup.folder.path().join("starter/agent.py"), &given).expect("a file");
    let service = open(&setup, 3, "[copies]\nstarter = 'starter'\n");
    assert_eq!(pairs(&service), [["t0", "t2"].map(str::to_owned)]);
    let uploads = service.copies(STAFF).expect("hints").pairs.remove(0);
    let copy = service.copy(STAFF, uploads.a.upload, uploads.b.upload).expect("side by side");
    let first = copy.matches.iter().map(|found| found.lines[0][0]).min().expect("a match");
    // A match begins at most 39 tokens, about four lines, before the code that is not given.
    assert!(first as usize > given.lines().count() - 5, "{:?}", copy.matches);
    let unlisted = service.copy(STAFF, uploads.b.upload, uploads.a.upload).expect("side by side");
    assert_eq!(unlisted.matches.len(), copy.matches.len());
}

#[test]
fn starter_code_can_be_a_zip_archive_and_must_have_a_source_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("starter.zip");
    let archive = |files: &[(&str, &str)]| {
        let mut writer = zip::ZipWriter::new(fs::File::create(&path).expect("a file"));
        for (name, content) in files {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).expect("an entry");
            std::io::Write::write_all(&mut writer, content.as_bytes()).expect("written");
        }
        writer.finish().expect("an archive");
        Starter::read(&path)
    };
    let mut expected = Starter::default();
    expected.add("code/agent.py", code(1).as_bytes());
    assert_eq!(archive(&[("code/agent.py", &code(1))]), Ok(expected));
    let error = archive(&[("README", "hello")]).expect_err("no source file");
    assert!(
        error.ends_with("starter.zip: no source file found, expected a folder or a zip archive of the starter code")
    );
    fs::write(&path, "text").expect("a file");
    let error = Starter::read(&path).expect_err("no archive");
    assert!(error.contains("starter.zip: expected a folder or a zip archive ("), "{error}");
}

#[test]
fn files_that_are_not_text_are_compared_too() {
    let mut setup = Setup::new(4);
    let start = "exec java -jar agent.jar\n";
    let versions: Vec<i64> = [(0, "\0one"), (1, "\0two"), (2, "\0one")]
        .map(|(team, jar)| submit(&mut setup, team, &[("agent.sh", start), ("agent.jar", jar)]))
        .to_vec();
    submit(&mut setup, 3, &[("agent.sh", start)]);
    let service = open(&setup, 4, "");
    let groups = service.copies(STAFF).expect("hints").groups;
    let uploads: Vec<Vec<i64>> = groups.iter().map(|group| group.iter().map(|side| side.upload).collect()).collect();
    assert_eq!(uploads, [[versions[0], versions[2]]]);
}
