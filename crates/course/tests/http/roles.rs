//! Every route, with every role; links and cookies.

use serde_json::json;

use crate::support::Served;

/// A request, and the status for a visitor, the team `ann`, the team `bob` and the staff.
type Row = (&'static str, String, &'static str, [u16; 4]);

/// Returns all routes. `upload` is an upload of `ann` that is not yet checked.
fn rows(upload: i64) -> Vec<Row> {
    let all = |path: &str| ("GET", path.to_owned(), "", [200; 4]);
    let staff = |path: String| ("GET", path, "", [403, 403, 403, 200]);
    let act = |name: &str, body, status| ("POST", format!("/course/staff/{name}"), body, [403, 403, 403, status]);
    let mut rows: Vec<Row> = ["/", "/version", "/games.json", "/index.html"].map(all).into();
    rows.extend(["about", "standings", "teams/ann", "games", "live"].map(|name| all(&format!("/course/{name}"))));
    rows.extend([
        ("GET", "/course/standings?kind=final&page=2".to_owned(), "", [403; 4]),
        ("GET", "/course/games?kind=practice".to_owned(), "", [403, 200, 200, 200]),
        ("GET", "/course/games?kind=practice&team=ann".to_owned(), "", [403, 200, 403, 200]),
        ("GET", "/course/games/1".to_owned(), "", [404; 4]),
        ("GET", "/course/uploads".to_owned(), "", [403, 200, 200, 403]),
        ("GET", "/course/uploads?team=ann".to_owned(), "", [403, 200, 403, 200]),
        ("GET", "/course/practice".to_owned(), "", [403, 200, 200, 403]),
        ("GET", "/course/advice".to_owned(), "", [403, 200, 200, 403]),
        ("POST", format!("/course/uploads/{upload}/play"), "", [403, 404, 404, 403]),
        ("POST", "/course/practice".to_owned(), r#"{"level":"gentle1"}"#, [403, 409, 409, 403]),
        ("POST", "/course/practice".to_owned(), r#"{"level":99}"#, [403, 400, 400, 403]),
        ("POST", "/ask".to_owned(), r#"{"do":"look","id":1,"game":{"game":"loa","moves":[]}}"#, [200; 4]),
        ("GET", "/course/elsewhere".to_owned(), "", [404; 4]),
        ("GET", "/elsewhere".to_owned(), "", [404; 4]),
        ("GET", "/course/staff/copies/1/x".to_owned(), "", [404; 4]),
        ("GET", format!("/course/staff/copies/{upload}/{upload}"), "", [403, 403, 403, 404]),
    ]);
    rows.extend(
        ["teams", "audit", "grades.csv", "grades.json", "copies"].map(|name| staff(format!("/course/staff/{name}"))),
    );
    rows.push(staff(format!("/course/staff/uploads/{upload}/file")));
    rows.extend([
        act("announce", r#"{"text":"Hello"}"#, 200),
        act("removeAnnouncement", r#"{"id":1}"#, 200),
        act("removeAnnouncement", r#"{"id":1}"#, 404),
        act("acceptLate", r#"{"upload":99}"#, 404),
        act("checkAgain", r#"{"upload":99}"#, 404),
        act("freeze", r#"{"team":"ann","upload":null}"#, 200),
        act("extend", r#"{"team":"ann","until":"2026-12-01T00:00:00Z"}"#, 200),
        act("extend", r#"{"team":"ann","until":"tomorrow"}"#, 400),
        act("disqualify", r#"{"team":"bob","reason":"a test"}"#, 200),
        act("withdraw", r#"{"team":"bob"}"#, 200),
        act("reinstate", r#"{"team":"bob"}"#, 200),
        act("rerun", r#"{"teams":"all"}"#, 200),
        act("publish", "{}", 409),
        act("explode", "{}", 400),
        act("announce", "no JSON", 400),
        ("POST", "/course/leave".to_owned(), "", [200; 4]),
    ]);
    rows
}

#[test]
fn every_route_answers_each_role_as_it_may() {
    let served = Served::new();
    let receipt = served.send("ann", "POST", "/course/uploads", "print(1)\n");
    assert_eq!(receipt.status, 202, "{receipt:?}");
    let upload = receipt.json()["upload"].as_i64().expect("a number");
    let mut wrong = Vec::new();
    for (method, path, body, expected) in rows(upload) {
        for (role, expected) in ["", "ann", "bob", "staff"].into_iter().zip(expected) {
            let answer = served.send(role, method, &path, body);
            // JSON that is malformed is refused before the role is known.
            let is_malformed = answer.code() == "malformed";
            if answer.status != expected && !(is_malformed && body == "no JSON") {
                wrong.push(format!("{role} {method} {path}: {} {}", answer.status, answer.body));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (role, name) in [("", "visitor"), ("ann", "team"), ("staff", "staff")] {
        assert_eq!(served.get(role, "/course/about").json()["role"], name);
    }
    assert_eq!(served.get("staff", &format!("/course/staff/uploads/{upload}/file")).body, "print(1)\n");
}

#[test]
fn a_link_sets_a_strict_cookie_and_leads_to_the_page_of_its_role() {
    let served = Served::new();
    for (role, place) in [("ann", "/#/course/mine"), ("staff", "/#/course/staff")] {
        let answer = served.raw("GET", &format!("/t/{}", served.tokens[role]), &served.headers(""), b"");
        assert_eq!((answer.status, answer.header("location")), (303, Some(place)));
        let cookie = answer.header("set-cookie").expect("a cookie");
        assert!(cookie.contains("; HttpOnly; SameSite=Strict") && cookie.contains("; Path=/;"), "{cookie}");
        assert!(!cookie.contains("Secure") && !cookie.contains("Domain"), "{cookie}");
        assert!(served.cookie(role).contains(cookie.split(';').next().expect("a value")));
    }
    let left = served.send("ann", "POST", "/course/leave", "");
    assert!(left.header("set-cookie").is_some_and(|cookie| cookie.contains("=; Path=/; Max-Age=0;")), "{left:?}");
    let log = served.log.lock().expect("no panic").join("\n");
    assert!(log.contains("GET /t/… 303") && served.tokens.values().all(|token| !log.contains(token)), "{log}");
}

#[test]
fn a_public_address_with_https_has_a_secure_cookie() {
    let served = Served::with("public = 'https://course.example.org'\n", |_| ());
    let headers = "Host: course.example.org\r\n";
    let answer = served.raw("GET", &format!("/t/{}", served.tokens["ann"]), headers, b"");
    let cookie = answer.header("set-cookie").expect("a cookie");
    assert!(cookie.starts_with("__Host-plyhouse-course-") && cookie.ends_with("; Secure"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a value");
    let headers = format!("{headers}Cookie: a=b; {cookie}\r\n");
    assert_eq!(served.raw("GET", "/course/about", &headers, b"").json()["team"], "ann");
    let headers = format!("{headers}Origin: https://course.example.org\r\n");
    assert_eq!(served.raw("POST", "/course/leave", &headers, b"").status, 200);
}

#[test]
fn a_renewed_link_ends_the_old_cookie_at_once() {
    let served = Served::new();
    assert_eq!(served.get("ann", "/course/uploads").status, 200);
    let renewed = served.send("staff", "POST", "/course/staff/renewLink", &json!({"team": "ann"}).to_string());
    let link = renewed.json()["link"].as_str().expect("a link").to_owned();
    let answer = served.get("ann", "/course/uploads");
    assert_eq!((answer.status, answer.code().as_str()), (403, "notTeam"));
    // The browser forgets the cookie, so that it is a visitor from now on.
    let about = served.get("ann", "/course/about");
    assert!(
        about.json()["role"] == "visitor" && about.header("set-cookie").is_some_and(|set| set.contains("Max-Age=0"))
    );
    assert!(served.get("bob", "/course/about").header("set-cookie").is_none());
    let old = served.get("", &format!("/t/{}", served.tokens["ann"]));
    assert!(old.status == 404 && old.body.contains("replaced by a new one"), "{old:?}");
    assert_eq!(served.get("", &format!("/t/{}", link.rsplit('/').next().expect("a token"))).status, 303);
}
