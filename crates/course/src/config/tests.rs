use super::*;
use arena::OnFault;
use engine::Level;
use process::sandbox::Bytes;

const ABOUT: &str = "[course]\nname = 'C'\nroster = 'teams.csv'\ndeadline = '2026-11-30 18:00'\n\
                     time_zone = 'Asia/Singapore'\n";

fn read(rest: &str) -> Result<Course, String> {
    Course::read(&format!("{ABOUT}{rest}"), Path::new("/here")).map_err(|error| error.to_string())
}

/// Returns the template with every commented setting in effect.
fn uncommented() -> String {
    let is_setting = |line: &str| {
        let (key, rest) = line.split_once(' ').unwrap_or_default();
        rest.starts_with("= ") && key.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    };
    let line = |line: &str| line.strip_prefix("# ").filter(|rest| is_setting(rest)).unwrap_or(line).to_owned();
    template().lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_template_and_all_its_settings_are_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    std::fs::create_dir(here.join("starter")).expect("a folder");
    std::fs::write(here.join("starter/agent.py"), "print('hello')\n").expect("a file");
    let plain = Course::read(template(), here).expect("the template is valid");
    let all = Course::read(&uncommented(), here).expect("its settings are valid");
    assert_ne!(all.copies.code, plain.copies.code);
    let agents =
        || ["a", "b"].map(|name| AgentSpec { name: name.into(), builtin: Some(String::new()), ..<_>::default() });
    let spec = plain.ladder_spec(agents().into()).expect("a tournament");
    assert_eq!((spec.time, spec.move_limit, spec.opening), (Times::default(), 200, 2));
    let new = Course::read(&new_file("2027-01-31T23:00:00Z".parse().expect("a time")), here).expect("a new file");
    assert_eq!(new.deadline.timestamp().to_string(), "2027-02-28T10:00:00Z", "18:00 in Singapore");
    // Settings that are not marked as examples have their default values.
    let mut others = all;
    others.ladder.cores = None;
    others.last.cores = None;
    (others.agent, others.grading) = (plain.agent.clone(), plain.grading.clone());
    others.copies = plain.copies.clone();
    (others.server.public, others.server.certificate, others.server.key) = (None, None, None);
    others.server.proxies.clear();
    others.server.workers = None;
    others.rules.spec.time.per_game = None;
    others.rules.spec.repetitions = None;
    others.rules.named = plain.rules.named;
    assert_eq!(others, plain);
}

#[test]
fn unset_sections_have_defaults() {
    let course = read("[game]\ngame = 'loa'\n").expect("a course");
    assert_eq!((course.about.late, course.about.public_games), (Late::Refuse, true));
    assert_eq!((course.uploads.size, course.uploads.per_hour), (Bytes(20 << 20), 10));
    assert_eq!(course.roster(), Path::new("/here/teams.csv"));
    assert_eq!(Course::store_path(Path::new("/here/c.toml")), Path::new("/here/c.sqlite"));
    assert_eq!(course.practice.levels.len(), Level::all().count());
    assert_eq!(course.grading, Grading::default());
    assert_eq!(
        Course::read(&format!("\u{feff}{ABOUT}[game]\ngame = 'loa'\n"), Path::new("/here")).expect("valid"),
        course
    );
}

fn utc(deadline: &str, zone: &str) -> Result<String, String> {
    utc_of(&format!("'{deadline}'"), zone)
}

/// Returns the deadline of a file that has `value` in place of the deadline.
fn utc_of(value: &str, zone: &str) -> Result<String, String> {
    let text =
        format!("[course]\nname = 'C'\nroster = 't'\ndeadline = {value}\ntime_zone = '{zone}'\n[game]\ngame = 'loa'\n");
    let course = Course::read(&text, Path::new("")).map_err(|error| error.to_string())?;
    Ok(course.deadline.timestamp().to_string())
}

#[test]
fn deadlines_are_local_times_of_their_zone() {
    for (deadline, zone, expected) in [
        ("2026-11-30 18:00", "Asia/Singapore", "2026-11-30T10:00:00Z"),
        ("2026-11-30T18:00:30", "UTC", "2026-11-30T18:00:30Z"),
        ("2026-03-29 01:59:59", "Europe/Berlin", "2026-03-29T00:59:59Z"),
        ("2026-03-29 03:00", "Europe/Berlin", "2026-03-29T01:00:00Z"),
        ("2026-10-25 03:00", "Europe/Berlin", "2026-10-25T02:00:00Z"),
        ("2026-11-01 00:59", "America/New_York", "2026-11-01T04:59:00Z"),
        ("2026-11-01 02:00", "America/New_York", "2026-11-01T07:00:00Z"),
        ("2026-12-01 23:59", "Asia/Kathmandu", "2026-12-01T18:14:00Z"),
        ("2026-04-05 03:00", "Australia/Lord_Howe", "2026-04-04T16:30:00Z"),
    ] {
        assert_eq!(utc(deadline, zone).as_deref(), Ok(expected), "{deadline} {zone}");
    }
}

#[test]
fn deadlines_without_quotation_marks_are_the_same() {
    for value in ["2026-11-30T18:00:00", "2026-11-30 18:00:00", "2026-11-30 18:00"] {
        assert_eq!(utc_of(value, "Asia/Singapore").as_deref(), Ok("2026-11-30T10:00:00Z"), "{value}");
    }
    for (value, part) in [
        ("2026-11-30", "line 4: course.deadline: `2026-11-30` found, expected a date and a time"),
        ("2026-11-30T10:00:00Z", "line 4: course.deadline: `2026-11-30T10:00:00Z` found, expected a date and a time"),
        ("18:00:00", "line 4: course.deadline: `18:00:00` found, expected a date and a time"),
        ("20261130", "expected a date and a time, such as \"2026-11-30 18:00\""),
    ] {
        let error = utc_of(value, "UTC").expect_err(value);
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn deadlines_that_are_not_one_time_are_refused() {
    for (deadline, zone, part) in [
        (
            "2026-03-29 02:30",
            "Europe/Berlin",
            "line 4: course.deadline: 2026-03-29 02:30 does not exist in Europe/Berlin",
        ),
        (
            "2026-10-25 02:30",
            "Europe/Berlin",
            "line 4: course.deadline: 2026-10-25 02:30 occurs twice in Europe/Berlin",
        ),
        ("2026-04-05 01:45", "Australia/Lord_Howe", "occurs twice"),
        ("2026-11-30", "UTC", "`2026-11-30` found, expected a date and a time"),
        ("2026-11-31 18:00", "UTC", "`2026-11-31 18:00` found, expected a date and a time"),
        ("2026-11-30 18:00+08:00", "UTC", "expected a date and a time"),
        ("2026-11-30T18:00Z", "UTC", "expected a date and a time"),
        ("30.11.2026 18:00", "UTC", "expected a date and a time"),
        ("2026-11-30 18:00", "Asia/Singapur", "line 5: course.time_zone: `Asia/Singapur` found, expected a name"),
        ("2026-11-30 18:00", "", "course.time_zone: `` found"),
    ] {
        let error = utc(deadline, zone).expect_err(deadline);
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn errors_name_line_field_found_and_expected() {
    for (rest, part) in [
        ("[game]\ngame = 'chess'\n", "line 6: game: "),
        ("[game]\ngame = 'loa'\nsize = 99\n", "line 8: game.size: board size 99: "),
        ("[game]\ngame = 'loa'\nsiez = 6\n", "line 8, column 1"),
        ("[game]\ngame = 'loa'\nrepetitions = 1\n", "line 8: game.repetitions: 1 found, expected 2 or more"),
        ("[game]\ngame = 'loa'\n[time]\nmove = 0.0\n", "line 8: time: 0 found, expected more than 0"),
        ("[game]\ngame = 'loa'\n[time]\nstart = 5.0\n", "line 8: time: neither `move` nor `game` found"),
        ("[game]\ngame = 'loa'\n[limits]\nmemory = '1K'\n", "line 9: limits.memory: 1K found, expected at least 16M"),
        ("[game]\ngame = 'loa'\n[limits]\nmemory = 'much'\n", "expected a number of bytes"),
        ("[game]\ngame = 'loa'\n[agent]\ndialect = 'usi'\n", "line 9: agent.dialect: unknown dialect `usi`"),
        (
            "[game]\ngame = 'loa'\nsize = 8\n[agent]\ndialect = 'nus'\n",
            "line 10: agent.dialect: programs that speak `nus` play 6x6 Lines of Action, not 8x8 Lines of Action; use",
        ),
        ("[game]\ngame = 'loa'\n[agent]\ndialect = 'comp10002'\n", "line 9: agent.dialect: programs that speak"),
        ("[game]\ngame = 'loa'\n[server]\nport = 99999\n", "`99999`, expected a whole number, at most 65535"),
        ("[game]\ngame = 'loa'\n[uploads]\nper_hour = -1\n", "expected a whole number, at most 4294967295"),
        ("[game]\ngame = 'loa'\nsize = 99\n[agent]\ndialect = 'nus'\n", "line 8: game.size: board size 99: "),
        ("[game]\ngame = 'loa'\n[uploads]\nsize = '1G'\n", "line 9: uploads.size: 1G found, expected at most 512M"),
        ("[game]\ngame = 'loa'\n[uploads]\nper_hour = 0\n", "line 9: uploads.per_hour: 0 found, expected 1 to 1000"),
        ("[game]\ngame = 'loa'\n[ladder]\ncores = 0\n", "line 9: ladder.cores: 0 found, expected at least 1"),
        ("[game]\ngame = 'loa'\n[ladder]\ncores = [1, 1]\n", "line 9: ladder.cores: [1, 1] found"),
        ("[game]\ngame = 'loa'\n[ladder]\nopenings = 'none.txt'\n", "line 9: ladder.openings: file /here/none.txt"),
        ("[game]\ngame = 'loa'\n[ladder]\nopenings = ['z9-z8']\n", "line 9: ladder.openings: "),
        ("[game]\ngame = 'loa'\n[practice]\nlevels = [0]\n", "level `0`: expected 1 to 10"),
        ("[game]\ngame = 'loa'\n[practice]\nlevels = [1.5]\n", "expected a level: 1 to 10"),
        (
            "[game]\ngame = 'loa'\n[final]\nformat = 'match'\n",
            "line 9: final.format: match found, expected round-robin",
        ),
        ("[game]\ngame = 'loa'\n[final]\ngames = 3\n", "line 9: final.games: 3 found, expected an even number"),
        ("[game]\ngame = 'loa'\n[final]\nrounds = 3\n", "line 9: final.rounds: 3 found, expected none"),
        ("[game]\ngame = 'loa'\n[final]\nopening = 200\n", "line 9: final.opening: 200 found"),
        (
            "[game]\ngame = 'loa'\n[grading]\nfaults = { slow = -1 }\n",
            "line 9: grading.faults: `slow` found, expected ill",
        ),
        ("[game]\ngame = 'loa'\n[grading]\naccepted = nan\n", "line 9: grading.accepted: NaN found"),
        ("[game]\ngame = 'loa'\n[grading]\nleast = 5\nmost = 1\n", "line 9: grading.least: 5 found"),
        ("[game]\ngame = 'loa'\n[grading]\nrank = [{ to = 3, marks = 1 }, { to = 3, marks = 1 }]\n", "to = 3 after 3"),
        ("[game]\ngame = 'loa'\n[copies]\nstarter = 'code'\n", "line 9: copies.starter: /here/code: No such file"),
        ("[game]\ngame = 'loa'\n[server]\nkey = 'k.pem'\n", "line 9: server.key: no `certificate` found"),
        (
            "[game]\ngame = 'loa'\n[server]\npublic = 'https://x.org/y'\n",
            "line 9: server.public: `https://x.org/y` found",
        ),
        ("[game]\ngame = 'loa'\n[server]\naddress = 'x'\n", "line 9, column 11"),
        (
            "[game]\ngame = 'loa'\n[server]\nworkers = 'x.sqlite'\n",
            "line 9: server.workers: no URL found; expected pos",
        ),
        ("[game]\ngame = 'loa'\n[final]\ncores = 0\n", "line 9: final.cores: 0 found, expected at least 1, because"),
        ("", "missing field `game`"),
    ] {
        let error = read(rest).expect_err(rest);
        assert!(error.starts_with("course file") && error.contains(part), "{rest}\n{error}");
    }
    let name = format!("{ABOUT}[game]\ngame = 'loa'\n").replace("'C'", "' C'");
    let error = Course::read(&name, Path::new("")).expect_err("a space").to_string();
    assert!(error.starts_with("course file, line 2: course.name: a leading"), "{error}");
}

fn agents(count: usize, dialect: Option<&str>) -> Vec<AgentSpec> {
    let (command, builtin) = match dialect {
        Some(_) => (Some(arena::Words::Text("x".to_owned())), None),
        None => (None, Some(String::new())),
    };
    let agent = AgentSpec { command, builtin, dialect: dialect.map(str::to_owned), ..AgentSpec::default() };
    (1..=count).map(|number| AgentSpec { name: format!("a{number}"), ..agent.clone() }).collect()
}

#[test]
fn ladder_and_final_are_tournaments_with_the_same_rules() {
    let rest = "[game]\ngame = 'loa'\nsize = 6\nmove_limit = 90\n[time]\ngame = 60.0\n[limits]\nmemory = '64M'\n\
                [ladder]\ncores = [0, 1]\nopenings = ['b1-b3 a2-c2']\n\
                [final]\nformat = 'swiss'\nrounds = 9\ngames = 4\nseed = 7\n";
    let course = read(rest).expect("a course");
    let ladder = course.ladder_spec(agents(2, None)).expect("a ladder");
    let last = course.final_spec(agents(30, None)).expect("a final");
    for spec in [&ladder, &last] {
        assert_eq!((spec.size, spec.move_limit, spec.limits.memory), (Some(6), 90, Bytes(64 << 20)));
        assert_eq!((spec.time.per_game, spec.time.per_move), (Some(60.0), None));
    }
    assert_eq!((ladder.jobs, &ladder.affinity, ladder.opening), (Some(2), &arena::Affinity::Cores(vec![0, 1]), 0));
    assert_eq!((last.format, last.rounds, last.games, last.seed, last.opening), (Format::Swiss, Some(9), 4, 7, 2));
    let few = course.final_spec(agents(4, None)).expect("a final with fewer rounds");
    assert_eq!(few.rounds, Some(2));
    assert!(course.final_spec(agents(1, None)).is_err());
}

#[test]
fn the_courses_dialect_sets_the_rules_but_no_submissions_dialect_does() {
    let nus = read("[game]\ngame = 'loa'\n[agent]\ndialect = 'nus'\n").expect("a course");
    let spec = nus.ladder_spec(agents(2, Some("nus"))).expect("a ladder");
    assert_eq!((spec.size, spec.time.per_move, spec.after_fault), (Some(6), Some(3.0), OnFault::Random));
    let own = read("[game]\ngame = 'loa'\nsize = 6\n").expect("a course");
    let spec = own.ladder_spec(agents(2, Some("nus"))).expect("a ladder");
    assert_eq!((spec.time.per_move, spec.after_fault), (Some(5.0), OnFault::Lose));
}

#[test]
fn a_course_whose_games_are_all_handed_out_needs_no_core() {
    let rest =
        "[game]\ngame = 'loa'\n[ladder]\ncores = 0\n[final]\ncores = 0\n[server]\nworkers = 'postgres://a@b/c'\n";
    let course = read(rest).expect("a course");
    assert_eq!([&course.ladder.cores, &course.last.cores].map(|cores| Cores::count(cores.as_ref(), 8)), [0, 0]);
    assert_eq!([None, Some(Cores::List(vec![3, 5]))].map(|cores| Cores::count(cores.as_ref(), 8)), [8, 2]);
    assert!(course.ladder_spec(agents(2, None)).is_ok() && course.final_spec(agents(2, None)).is_ok());
}

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.toml");
    let shown = path.display();
    let refused = |text: &str| {
        std::fs::write(&path, text).expect("written");
        Course::load(&path).expect_err(text).to_string()
    };
    let error = refused("[course");
    assert!(error.starts_with(&format!("course file {shown}: TOML parse error at line 1")), "{error}");
    let error = refused(&format!("{ABOUT}[game]\ngame = 'chess'\n"));
    assert!(error.starts_with(&format!("course file {shown}, line 6: game: ")), "{error}");
    std::fs::remove_file(&path).expect("removed");
    let error = Course::load(&path).expect_err("no file").to_string();
    assert!(error.starts_with(&format!("course file {shown}: ")), "{error}");
}
