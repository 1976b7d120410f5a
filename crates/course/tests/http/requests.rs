//! The forms of requests and answers: methods, entity tags, sizes.

use std::io::Write;
use std::net::TcpStream;

use serde_json::json;

use crate::support::{Answer, Served};

#[test]
fn methods_are_those_of_the_route() {
    let served = Served::new();
    let head = served.send("ann", "HEAD", "/course/about", "");
    assert_eq!((head.status, head.body.as_str(), head.header("etag").is_some()), (200, "", true));
    for (method, path) in [
        ("OPTIONS", "/course/about"),
        ("PUT", "/course/uploads"),
        ("DELETE", "/course/uploads"),
        ("BREW", "/course/about"),
        ("POST", "/course/about"),
        ("GET", "/course/staff/publish"),
        ("GET", "/ask"),
        ("POST", "/"),
        ("TRACE", "/course/about"),
    ] {
        let answer = served.send("staff", method, path, "");
        assert_eq!((answer.status, answer.code().as_str()), (405, "notAllowed"), "{method} {path}: {answer:?}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
}

#[test]
fn an_unchanged_view_is_not_sent_again() {
    let served = Served::new();
    let with_tag = |role: &str, path: &str, tag: &str| {
        let headers = format!("{}If-None-Match: {tag}\r\n", served.headers(role));
        served.raw("GET", path, &headers, b"")
    };
    for path in ["/course/staff/teams", "/course/standings", "/course/games", "/course/staff/grades.csv"] {
        let first = served.get("staff", path);
        let tag = first.header("etag").expect("a tag").to_owned();
        assert_eq!(first.header("cache-control"), Some("private, no-cache"), "{path}");
        assert_eq!(first.header("vary"), Some("Cookie"), "{path}");
        let again = with_tag("staff", path, &format!("\"other\", W/{tag}"));
        assert_eq!((again.status, again.body.as_str(), again.header("etag")), (304, "", Some(tag.as_str())), "{path}");
        // A tag is valid for one role only.
        assert_ne!(with_tag("ann", path, &tag).status, 304, "{path}");
    }
    let tag = served.get("staff", "/course/staff/teams").header("etag").expect("a tag").to_owned();
    let act = served.send("staff", "POST", "/course/staff/extend", &json!({"team": "ann", "until": null}).to_string());
    assert_eq!(act.status, 200);
    assert_eq!(with_tag("staff", "/course/staff/teams", &tag).status, 200);
}

#[test]
fn the_page_is_that_of_a_course() {
    let served = Served::new();
    let page = served.get("", "/");
    assert!(page.body.contains("js/course/main.js") && page.header("content-type") == Some("text/html; charset=utf-8"));
    let script = page.body.split('"').find(|part| part.ends_with("js/course/main.js")).expect("a script");
    let script = served.get("", &format!("/{script}"));
    assert_eq!(script.header("cache-control"), Some("max-age=31536000, immutable"));
    assert_eq!(served.get("", "/version").json()["course"], true);
}

#[test]
fn questions_are_answered_without_engines() {
    let served = Served::new();
    let ask = |question: &str| served.send("", "POST", "/ask", question).json();
    let scene = ask(r#"{"do":"look","id":7,"game":{"game":"breakthrough","size":5,"moves":["a2-a3"]}}"#);
    assert!(scene["is"] == "scene" && scene["id"] == 7 && scene["scene"]["ply"] == 1, "{scene}");
    for refused in [r#"{"do":"judge","id":7,"game":{"game":"loa"}}"#, r#"{"do":"join"}"#, "?"] {
        assert_eq!(ask(refused)["is"], "refused", "{refused}");
    }
    let long = served.send("", "POST", "/ask", &"x".repeat((256 << 10) + 1));
    assert_eq!((long.status, long.code().as_str()), (413, "tooLong"));
    let long = served.send("staff", "POST", "/course/staff/announce", &"x".repeat(70_000));
    assert_eq!((long.status, long.code().as_str()), (413, "tooLong"));
}

#[test]
fn a_connection_serves_several_requests() {
    let served = Served::new();
    let mut stream = TcpStream::connect(&served.host).expect("a connection");
    let get = |path: &str, close: &str| format!("GET {path} HTTP/1.1\r\n{}{close}\r\n", served.headers(""));
    let both = get("/version", "") + &get("/course/about", "Connection: close\r\n");
    stream.write_all(both.as_bytes()).expect("sent");
    let answer = Answer::read(&mut stream);
    assert!(answer.status == 200 && answer.body.contains("\"role\":\"visitor\""), "{answer:?}");
}
