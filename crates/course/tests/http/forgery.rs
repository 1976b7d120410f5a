//! Requests that imitate another person, address or method, and traces that links leave.

use std::io::Write;

use serde_json::json;

use crate::support::{Answer, Served, send_chunk, wait_until};

/// Returns the value of the cookie with the token of a role.
fn pair(served: &Served, role: &str) -> String {
    served.cookie(role).trim_start_matches("Cookie: ").trim().to_owned()
}

#[test]
fn pages_of_other_sites_embed_nothing() {
    let served = Served::new();
    let request = |path: &str, site: &str, mode: &str, dest: &str| {
        let fetch = format!("Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}\r\nSec-Fetch-Dest: {dest}\r\n");
        served.raw("GET", path, &format!("{}{fetch}", served.headers("staff")), b"")
    };
    let link = format!("/t/{}", served.tokens["ann"]);
    for path in ["/course/staff/grades.csv", "/course/staff/teams", "/course/about", &link, "/"] {
        for site in ["cross-site", "same-site"] {
            for (mode, dest) in [("no-cors", "image"), ("no-cors", "script"), ("navigate", "iframe"), ("cors", "empty")]
            {
                let answer = request(path, site, mode, dest);
                assert_eq!((answer.status, answer.code().as_str()), (403, "foreignOrigin"), "{path} {site} {dest}");
                assert_eq!(answer.header("set-cookie"), None, "{path} {site} {dest}");
            }
        }
        let opened = request(path, "cross-site", "navigate", "document").status;
        let own = request(path, "same-origin", "cors", "empty").status;
        assert_eq!([opened, own], [if path == link { 303 } else { 200 }; 2], "{path}");
    }
}

#[test]
fn a_second_cookie_of_another_team_gives_no_rights() {
    let served = Served::new();
    let [ann, bob] = ["ann", "bob"].map(|role| pair(&served, role));
    let role = |cookies: &str| {
        let headers = served.headers("") + cookies;
        served.raw("GET", "/course/about", &headers, b"").json()["role"].clone()
    };
    for cookies in [
        format!("Cookie: {ann}; {bob}\r\n"),
        format!("Cookie: {bob}; a=b; {ann}\r\n"),
        format!("Cookie: {ann}\r\nCookie: {bob}\r\n"),
    ] {
        assert_eq!(role(&cookies), "visitor", "{cookies}");
    }
    assert_eq!(role(&format!("Cookie: {ann}; {ann}\r\n")), "team");
    assert_eq!(role(&format!("Cookie: x{ann}; {}\r\n", ann.to_uppercase())), "visitor");
}

#[test]
fn a_link_leaves_no_trace() {
    let served = Served::new();
    let token = &served.tokens["ann"];
    let headers = served.headers("");
    let entered = served.raw("GET", &format!("/t/{token}"), &headers, b"");
    assert_eq!((entered.status, entered.header("referrer-policy")), (303, Some("no-referrer")));
    assert_eq!(entered.header("cache-control"), Some("no-store"));
    assert!(!entered.header("location").expect("a place").contains(token) && !entered.body.contains(token));
    let wrong = served.raw("GET", &format!("/t/{token}0"), &headers, b"");
    assert!(wrong.status == 404 && !wrong.body.contains(token) && !wrong.head.contains(token), "{wrong:?}");
    served.send("ann", "GET", &format!("/course/games?before={token}"), "");
    served.get("staff", "/course/staff/audit");
    let log: Vec<String> = served.log.lock().expect("no panic").clone();
    assert!(log.iter().all(|line| !line.contains(token)) && log.len() > 3, "{log:?}");
    // Only the hashes of the links are stored; the secret of the commands is not a link.
    let mut folders = vec![served.folder.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).expect("a file");
            let has = |token: &String| bytes.windows(token.len()).any(|part| part == token.as_bytes());
            assert!(!served.tokens.values().any(has), "{}", path.display());
        }
    }
}

#[test]
fn links_do_not_follow_the_host_of_a_request() {
    let served = Served::new();
    let port = served.host.rsplit(':').next().expect("a port");
    for host in [served.host.clone(), format!("localhost:{port}")] {
        let headers = format!(
            "Host: {host}\r\nOrigin: http://{host}\r\nX-Forwarded-Host: evil.example.org\r\nForwarded: \
             host=evil.example.org\r\nX-Forwarded-Proto: https\r\n{}",
            served.cookie("staff")
        );
        let body = json!({"team": "ann"}).to_string();
        let renewed = served.raw("POST", "/course/staff/renewLink", &headers, body.as_bytes());
        let link = renewed.json()["link"].as_str().expect("a link").to_owned();
        assert!(link.starts_with(&format!("http://{}/t/", served.host)), "{link}");
    }
    let two = format!("{}Host: evil.example.org\r\n", served.headers(""));
    assert_eq!(served.raw("GET", "/course/about", &two, b"").code(), "malformed");
    let absolute =
        served.exchange(b"GET http://evil.example.org/course/about HTTP/1.1\r\nHost: evil.example.org\r\n\r\n");
    assert!(absolute.starts_with("HTTP/1.1 403 "), "{absolute}");
}

#[test]
fn methods_and_paths_have_no_second_spelling() {
    let served = Served::new();
    for header in ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"] {
        let headers = format!("{}{header}: POST\r\n", served.headers("staff"));
        assert_eq!(served.raw("GET", "/course/staff/close?_method=POST", &headers, b"").status, 405, "{header}");
    }
    assert_eq!(served.get("", "/course/about").json()["phase"], "open");
    for path in [
        "/course/staff/teams/",
        "/course//staff/teams",
        "//course/staff/teams",
        "/course/./staff/teams",
        "/course/x/../staff/teams",
        "/course/staff%2Fteams",
        "/course/staff%252Fteams",
        "/course/%73taff/teams",
        "/course/staff/teams%00",
        "/course/staff/teams%20",
        "/course/staff;x=1/teams",
        "/course/staff/teams;x",
        "/course/staff/teams.json",
        "/COURSE/STAFF/TEAMS",
        "/course/staff/teams?team=ann&role=staff",
        "/course/uploads?team=bob&team=ann",
        "/course/uploads?team[]=bob",
        "/course/uploads/%2e%2e/staff/teams",
        "/course/teams/..%2fstaff%2fteams",
        "/course/staff\\teams",
    ] {
        let answer = served.get("ann", path);
        let is_own = path.starts_with("/course/uploads?team[]=");
        assert!(is_own || [400, 403, 404, 405].contains(&answer.status), "{path}: {answer:?}");
        assert!(!answer.body.contains("bob@example.org") && !answer.body.contains("Team Bob"), "{path}: {answer:?}");
    }
}

#[test]
fn a_view_that_the_caller_must_not_see_is_never_unchanged() {
    let served = Served::new();
    let tag = served.get("staff", "/course/staff/teams").header("etag").expect("a tag").to_owned();
    for role in ["", "ann"] {
        for known in ["*", "\"x\", *", &tag, &format!("W/{tag}")] {
            let headers = format!("{}If-None-Match: {known}\r\n", served.headers(role));
            for path in ["/course/staff/teams", "/course/staff/copies", "/course/staff/grades.csv"] {
                let answer = served.raw("GET", path, &headers, b"");
                assert_eq!((answer.status, answer.header("etag")), (403, None), "{role} {path} {known}");
            }
        }
    }
}

/// Renews a leaked link while an attacker uploads a program with it.
#[test]
fn a_renewed_link_ends_its_upload_in_progress() {
    let served = Served::new();
    let mut leaked = served.begin_upload("ann");
    send_chunk(&mut leaked, b"print(1)\n");
    let mut withdrawn = served.begin_upload("bob");
    send_chunk(&mut withdrawn, b"print(1)\n");
    wait_until("both uploads have begun", || served.parts().len() == 2);
    assert_eq!(served.act("renewLink", &json!({"team": "ann"})).status, 200);
    assert_eq!(served.act("withdraw", &json!({"team": "bob"})).status, 200);
    for (stream, expected) in [(&mut leaked, (403, "notTeam")), (&mut withdrawn, (409, "conflict"))] {
        stream.write_all(b"0\r\n\r\n").expect("sent");
        let answer = Answer::read(stream);
        assert_eq!((answer.status, answer.code().as_str()), expected, "{answer:?}");
    }
    wait_until("the parts are removed", || served.parts().is_empty());
    assert!(served.uploads("ann").is_empty() && served.uploads("bob").is_empty());
}

#[test]
fn a_team_that_takes_no_part_has_no_actions() {
    let served = Served::new();
    let upload = served.upload("ann", "agent.py", b"print(1)\n").json()["upload"].as_i64().expect("a number");
    for (action, kind) in [("withdraw", "withdrawn"), ("disqualify", "disqualified")] {
        assert_eq!(served.act(action, &json!({"team": "ann", "reason": "<b>copied</b>"})).status, 200);
        for (path, body) in [
            ("/course/uploads".to_owned(), "print(2)\n"),
            (format!("/course/uploads/{upload}/play"), ""),
            ("/course/practice".to_owned(), r#"{"level":"gentle1"}"#),
        ] {
            let answer = served.send("ann", "POST", &path, body);
            assert_eq!((answer.status, answer.code().as_str()), (409, "conflict"), "{path}: {answer:?}");
        }
        let own = served.get("ann", "/course/uploads").json();
        assert_eq!((&own["out"]["kind"], own["uploads"].as_array().map(Vec::len)), (&kind.into(), Some(1)));
        // The reason is for the team and the staff.
        for path in ["/course/teams/ann", "/course/about", "/course/standings"] {
            assert!(!served.get("bob", path).body.contains("copied"), "{path}");
        }
    }
}
