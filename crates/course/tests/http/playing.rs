//! Attacks on a course that checks and plays: texts of programs, and games of others.

use serde_json::{Value, json};

use crate::support::{Answer, Served, list, wait_until};

/// Name, tagline and address of the attacker's agent.
const NAME: &str = "<img src=x onerror=alert(1)> - <b>x</b> javascript:alert(1)";
/// Part of the attacker's standard error: markup, escapes of terminals, invalid UTF-8, zero bytes, line separators.
const NOISE: &str =
    r#"b"SECRET <script>alert(1)</script></textarea>\x1b[2J\x1b]0;x\x07\xff\xfe\x00\xe2\x80\xa8\xe2\x80\xae\n""#;

fn pusher(order: &str) -> String {
    include_str!("../../src/play/agents/pusher.py").replace("ORDER", &format!("({order})"))
}

/// Returns an archive with an agent whose name, file names and standard error are attacks on pages.
fn hostile() -> Vec<u8> {
    let usual = "print(\"SECRET plays\", text, file=sys.stderr)";
    let source = pusher("1, 0, 2");
    assert!(source.contains(usual));
    let source = source.replace(usual, &format!("sys.stderr.buffer.write({NOISE}); sys.stderr.flush()"));
    let description = format!("name = {NAME:?}\ncommand = 'python3 agent.py'\ndialect = 'ugi'\n");
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in [
        ("<svg onload=alert(1)>/agent.toml", description.as_str()),
        ("<svg onload=alert(1)>/agent.py", &source),
        ("<svg onload=alert(1)>/\"><script>.txt", "x"),
    ] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("an entry");
        std::io::Write::write_all(&mut archive, content.as_bytes()).expect("written");
    }
    archive.finish().expect("an archive").into_inner()
}

/// Checks that an answer is JSON, that no browser shows it as a page, and that it has no control characters.
fn check_form(answer: &Answer) {
    assert!(answer.status == 200 && answer.header("content-type") == Some("application/json"), "{answer:?}");
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert!(answer.header("content-security-policy").is_some_and(|policy| policy.contains("script-src 'self'")));
    assert!(!answer.body.chars().any(|c| c.is_control() && c != '\n'), "{:?}", answer.body);
    answer.json();
}

fn games(served: &Served, role: &str, query: &str) -> Vec<Value> {
    list(&served.get(role, &format!("/course/games?{query}")).json(), "games")
}

/// Uploads the agents, and waits for the first games of the ladder.
fn begin() -> Served {
    let served = Served::playing();
    assert_eq!(served.upload("ann", "%3Cb%3E.zip", &hostile()).status, 202);
    assert_eq!(served.upload("bob", "agent.py", pusher("1, 2, 0").as_bytes()).status, 202);
    wait_until("the checks", || {
        ["ann", "bob"].iter().all(|team| {
            let state = &served.uploads(team)[0]["state"];
            assert_ne!(state, "refused", "{:?}", served.uploads(team));
            state == "accepted"
        })
    });
    wait_until("games of the ladder", || games(&served, "", "").len() >= 2);
    served
}

fn texts_of_programs_are_only_data(served: &Served) {
    let rows = list(&served.get("", "/course/standings").json(), "rows");
    let row = rows.iter().find(|row| row["team"] == "ann").expect("her row");
    assert_eq!(row["agent"], "<img src=x onerror=alert(1)>");
    assert_eq!((&row["tagline"], &row["url"]), (&"<b>x</b> javascript:alert(1)".into(), &Value::Null));
    for (role, path) in [
        ("", "/course/standings"),
        ("", "/course/live"),
        ("", "/course/games"),
        ("", "/course/teams/ann"),
        ("ann", "/course/uploads"),
        ("ann", "/course/advice"),
        ("staff", "/course/staff/teams"),
        ("staff", "/course/staff/audit"),
        ("staff", "/course/staff/copies"),
    ] {
        check_form(&served.get(role, path));
    }
    let upload = served.uploads("ann")[0].to_string();
    assert!(upload.contains("<svg onload=alert(1)>"), "the folder was flattened: {upload}");
}

fn standard_error_is_that_of_the_own_team(served: &Served) {
    let game = games(served, "", "kind=ladder")[0].clone();
    let path = format!("/course/games/{}", game["id"].as_str().expect("a key"));
    let side = usize::from(game["players"][1]["team"] == "ann");
    for (role, sees) in [("", [false; 2]), ("ann", [true, false]), ("bob", [false, true]), ("staff", [true; 2])] {
        let answer = served.get(role, &path);
        check_form(&answer);
        let errors = answer.json()["stderr"].clone();
        let [own, other] = [&errors[side], &errors[1 - side]];
        assert_eq!([own.is_string(), other.is_string()], sees, "{role}: {answer:?}");
        assert_eq!(answer.body.contains("SECRET <script>"), sees[0], "{role}");
        assert_eq!(answer.body.contains("SECRET plays"), sees[1], "{role}");
    }
    for (role, path) in [("bob", "/course/uploads?team=ann"), ("bob", "/course/games?kind=practice&team=ann")] {
        assert_eq!(served.get(role, path).status, 403, "{path}");
    }
}

fn practice_games_of_others_do_not_exist(served: &Served) {
    assert_eq!(served.send("ann", "POST", "/course/practice", r#"{"level":"gentle1"}"#).status, 200);
    let hides_levels = |role: &str| {
        let boards = list(&served.get(role, "/course/live").json(), "boards");
        assert!(boards.iter().all(|board| !board["players"].to_string().contains("level")), "{role}: {boards:?}");
    };
    wait_until("the practice game", || {
        ["", "bob"].into_iter().for_each(hides_levels);
        !games(served, "ann", "kind=practice").is_empty()
    });
    let key = games(served, "ann", "kind=practice")[0]["id"].as_str().expect("a key").to_owned();
    check_form(&served.get("ann", &format!("/course/games/{key}")));
    assert_eq!(served.get("staff", &format!("/course/games/{key}")).status, 200);
    for role in ["", "bob"] {
        let none = served.get(role, "/course/games/999999");
        for spelling in [key.clone(), format!("0{key}"), format!("+{key}")] {
            let answer = served.get(role, &format!("/course/games/{spelling}"));
            let same = none.body.replace("999999", &key);
            assert!(answer.status == 404 && answer.body == same, "{role} {spelling}: {answer:?}");
        }
        let all = games(served, role, "team=ann");
        assert!(!all.is_empty() && all.iter().all(|game| game["kind"] == "ladder"), "{all:?}");
    }
    let upload = served.uploads("ann")[0]["id"].clone();
    let stolen = served.send("bob", "POST", &format!("/course/uploads/{upload}/play"), "");
    assert_eq!((stolen.status, stolen.code().as_str()), (404, "unknown"));
}

/// Returns the answers that reveal something about the final to a caller.
fn look_for_final(served: &Served, role: &str) -> Vec<String> {
    let mut found = Vec::new();
    for path in ["/course/standings?kind=final", "/course/games?kind=final", "/course/games/f0", "/course/games/f999"] {
        let answer = served.get(role, path);
        if (answer.status, answer.code().as_str()) != (403, "notPublic") {
            found.push(format!("{path}: {answer:?}"));
        }
    }
    let is_final = |key: &Value| key.as_str().is_some_and(|key| key.starts_with('f'));
    let lists = [
        ("/course/live", "boards", "key"),
        ("/course/games", "games", "id"),
        ("/course/games?before=f9", "games", "id"),
    ];
    for (path, field, key) in lists {
        let entries = list(&served.get(role, path).json(), field);
        found.extend(entries.iter().filter(|entry| is_final(&entry[key])).map(|entry| format!("{path}: {entry}")));
    }
    let board = served.get(role, "/course/standings").json();
    if board["kind"] != "ladder" {
        found.push(board.to_string());
    }
    found
}

fn the_final_is_hidden_until_it_is_published(served: &Served) {
    assert_eq!(served.act("startFinal", &json!({})).status, 200);
    wait_until("the end of the final", || {
        for role in ["", "ann"] {
            assert_eq!(look_for_final(served, role), [""; 0], "{role}");
        }
        served.get("", "/course/about").json()["phase"] == "done"
    });
    assert_eq!(look_for_final(served, "bob"), [""; 0]);
    let of_ladder = served.get("", "/course/about").json()["games"].clone();
    wait_until("the row of the ladder", || served.get("", "/course/teams/bob").json()["row"]["games"] == of_ladder);
    assert_eq!(served.get("staff", "/course/games/f0").status, 200);
    assert_eq!(served.get("ann", "/course/staff/grades.json").status, 403);
    assert_eq!(served.act("publish", &json!({})).status, 200);
    let game = served.get("", "/course/games/f0");
    check_form(&game);
    assert!(game.json()["stderr"] == json!([null, null]) && !game.body.contains("SECRET"), "{game:?}");
    assert_eq!(served.get("", "/course/games/f999").status, 404);
}

#[test]
fn programs_attack_pages_and_teams_look_for_games_of_others() {
    let served = begin();
    texts_of_programs_are_only_data(&served);
    standard_error_is_that_of_the_own_team(&served);
    practice_games_of_others_do_not_exist(&served);
    the_final_is_hidden_until_it_is_published(&served);
}
