//! Requests of other sites, guesses, and texts of attackers.

use serde_json::json;

use crate::support::{SCRIPT, Served};

#[test]
fn guessed_links_are_limited_and_lock_out_no_one() {
    let served = Served::new();
    let guess = |number: u128| served.get("", &format!("/t/{number:032x}")).status;
    let first: Vec<u16> = (0..30).map(guess).collect();
    assert!(first.iter().all(|&status| status == 404), "{first:?}");
    assert_eq!((guess(30), served.get("", "/t/short").status), (429, 429));
    assert_eq!(served.get("", &format!("/t/{}", served.tokens["bob"])).status, 303);
    assert_eq!(served.get("ann", "/course/uploads").status, 200);
    let port = served.host.rsplit(':').next().expect("a port");
    let headers = format!("{}Cookie: plyhouse-course-{port}={:032x}\r\n", served.headers(""), 7);
    let answer = served.raw("GET", "/course/about", &headers, b"");
    assert_eq!((answer.status, answer.code().as_str()), (429, "tooManyGuesses"));
    assert_eq!(served.get("", "/course/about").status, 200, "visitors are not limited");
}

#[test]
fn behind_a_proxy_guesses_count_for_their_client() {
    let served = Served::with("public = 'https://course.example.org'\nproxies = ['127.0.0.1']\n", |_| ());
    let guess = |client: &str| {
        let headers = format!("Host: course.example.org\r\nX-Forwarded-For: 1.2.3.4, {client}\r\n");
        served.raw("GET", "/t/0", &headers, b"").status
    };
    assert!((0..30).all(|_| guess("192.0.2.1") == 404));
    assert_eq!((guess("192.0.2.1"), guess("192.0.2.2")), (429, 404));
}

#[test]
fn requests_of_other_sites_are_refused() {
    let served = Served::new();
    let (own, cookie) = (served.host.clone(), served.cookie("staff"));
    let port = own.rsplit(':').next().expect("a port");
    let announce = |host: &str, origin: &str| {
        let headers = format!("Host: {host}\r\n{origin}{cookie}");
        let answer = served.raw("POST", "/course/staff/announce", &headers, br#"{"text":"Hello"}"#);
        (answer.status, answer.code())
    };
    let foreign = (403, "foreignOrigin".to_owned());
    for origin in ["", "Origin: null\r\n", "Origin: http://evil.example.org\r\n", "Origin: http://127.0.0.1:1\r\n"] {
        assert_eq!(announce(&own, origin), foreign, "{origin}");
    }
    assert_eq!(announce(&own, &format!("Origin: https://{own}\r\n")), foreign, "another scheme");
    assert_eq!(announce(&own, &format!("Referer: http://{own}/\r\n")), foreign);
    let rebound = format!("evil.example.org:{port}");
    let origin = format!("Origin: http://{rebound}\r\n");
    assert_eq!(announce(&rebound, &origin), (403, "foreignHost".to_owned()));
    assert_eq!(served.raw("GET", "/course/about", &format!("Host: {rebound}\r\n"), b"").status, 403);
    let simple = format!("{}Origin: http://evil.example.org\r\n", served.headers("staff"));
    assert_eq!(served.raw("GET", "/course/staff/teams", &simple, b"").status, 403);
    assert!(served.get("staff", "/course/about").json().to_string().contains("Hello").eq(&false));
    assert_eq!(announce(&own, &format!("Origin: http://{own}\r\n")).0, 200);
    let local = format!("localhost:{port}");
    assert_eq!(announce(&local, &format!("Origin: http://{local}\r\n")).0, 200);
}

#[test]
fn paths_lead_to_no_file_of_the_machine() {
    let served = Served::new();
    for path in [
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/js/../../Cargo.toml",
        "/js/%00",
        "/%ff",
        "/games/../../teams.csv",
        "/teams.csv",
        "/course.sqlite",
        "/course/teams/..%2f..%2fteams.csv",
        "/course/games/..%2f1",
        "/course/games/f..%2f1",
        "/course/staff/uploads/..%2f..%2f1/file",
        "/course/staff/uploads/-1/file",
        "/course/staff/uploads/9223372036854775808/file",
        "/course/staff/copies/1/1%20OR%201=1",
        "/t/..%2f",
    ] {
        let answer = served.get("staff", path);
        assert!([400, 404].contains(&answer.status), "{path}: {answer:?}");
        assert!(!answer.body.contains("root:") && !answer.body.contains("example.org"), "{path}: {answer:?}");
    }
}

#[test]
fn errors_contain_no_details_of_the_server_and_nothing_of_other_teams() {
    let served = Served::new();
    let secret = "SECRET = 42\n";
    let upload = served.send("ann", "POST", "/course/uploads", secret).json()["upload"].as_i64().expect("a number");
    let folder = served.folder.path().to_str().expect("UTF-8").to_owned();
    let requests = [
        ("GET", format!("/course/uploads?team=ann&x={upload}"), ""),
        ("GET", "/course/uploads?team=' OR 1=1 --".replace(' ', "%20"), ""),
        ("GET", "/course/games?before=%27".to_owned(), ""),
        ("GET", "/course/games?team=nobody&kind=practice".to_owned(), ""),
        ("GET", "/course/standings?page=x".to_owned(), ""),
        ("GET", "/course/standings?page=18446744073709551615".to_owned(), ""),
        ("GET", format!("/course/staff/uploads/{upload}/file"), ""),
        ("GET", format!("/course/staff/copies/{upload}/{upload}"), ""),
        ("POST", format!("/course/uploads/{upload}/play"), ""),
        ("POST", "/course/uploads/999/play".to_owned(), ""),
        ("POST", "/course/practice".to_owned(), "{\"level\":\"'; DROP TABLE course_team; --\"}"),
        ("POST", "/course/practice".to_owned(), "["),
        ("POST", "/ask".to_owned(), "["),
        ("POST", "/course/staff/freeze".to_owned(), r#"{"team":"ann","upload":1}"#),
    ];
    for (method, path, body) in requests {
        let answer = served.send("bob", method, &path, body);
        for hidden in [&folder, "sqlite", "SELECT", "course_", "SECRET", "ann@example.org", SCRIPT, "panicked"] {
            // An excerpt of the request itself is not secret.
            let is_shown = answer.body.contains(hidden) && !body.contains(hidden);
            assert!(!is_shown, "{method} {path}: {} {}", answer.status, answer.body);
        }
        let is_error = answer.status >= 400;
        assert!(!is_error || !answer.code().is_empty(), "{method} {path}: {answer:?}");
    }
    // Play and file of an existing upload of another team are refused like those of one that does not exist.
    let [own, none] = [upload, 999].map(|id| served.send("bob", "POST", &format!("/course/uploads/{id}/play"), ""));
    assert_eq!((own.status, own.code()), (none.status, none.code()));
}

#[test]
fn scripts_in_names_and_texts_are_only_data() {
    let served = Served::new();
    let receipt = served.upload("ann", "%3Cimg%20src=x%20onerror=alert(1)%3E.py", b"print('<script>')\n");
    assert_eq!(receipt.status, 202);
    let text = json!({"text": "<svg onload=alert(1)>"}).to_string();
    assert_eq!(served.send("staff", "POST", "/course/staff/announce", &text).status, 200);
    let upload = receipt.json()["upload"].as_i64().expect("a number");
    for (role, path, found) in [
        ("", "/course/about", "<svg onload"),
        ("", "/course/teams/ann", SCRIPT),
        ("ann", "/course/uploads", "<img src=x onerror"),
        ("staff", "/course/staff/teams", SCRIPT),
        ("staff", "/course/staff/audit", "<svg onload"),
        ("staff", "/course/staff/grades.json", SCRIPT),
        ("", "/course/%3Cscript%3E", ""),
        ("", "/%3Cscript%3E", ""),
        ("", "/t/%3Cscript%3E", ""),
        ("", "/course/games?kind=%3Cscript%3E", "script"),
    ] {
        let answer = served.get(role, path);
        assert!(answer.body.contains(found), "{path}: {answer:?}");
        let kind = answer.header("content-type").expect("a type");
        assert!(kind.starts_with("application/json") || kind.starts_with("text/plain"), "{path}: {kind}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'none'; script-src 'self'") && !policy.contains("unsafe"), "{path}");
    }
    for (path, kind) in [
        (format!("/course/staff/uploads/{upload}/file"), "application/octet-stream"),
        ("/course/staff/grades.csv".to_owned(), "text/csv; charset=utf-8"),
    ] {
        let answer = served.get("staff", &path);
        assert_eq!(answer.header("content-type"), Some(kind));
        let disposition = answer.header("content-disposition").expect("a disposition");
        assert!(disposition.starts_with("attachment; ") && !disposition.contains('<'), "{disposition}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
}
