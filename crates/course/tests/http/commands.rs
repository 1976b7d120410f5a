//! The connection of the commands.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use course::SystemClock;
use course::http::Console;
use serde_json::{Value, json};

use crate::support::{Served, config, list, store};

#[test]
fn commands_reach_a_stopped_course_and_a_running_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = || Arc::new(SystemClock);
    let console = Console::open(config(folder.path(), "port = 8080\n"), &store(folder.path()), clock());
    let console = console.expect("the file");
    assert!(!console.is_running() && console.get("/course/about").expect("a view")["role"] == "staff");
    let links = console.act("links", &json!({"renew": false})).expect("links")["links"].take();
    assert!(links.as_array().is_some_and(|links| links.len() >= 2), "{links}");
    assert!(console.get_text("/course/staff/grades.csv").expect("grades").starts_with("id,name,"));
    let refused = console.act("publish", &json!({})).expect_err("nothing to publish").to_string();
    assert_eq!(refused, "the final is not over");
    drop(console);

    let course = config(folder.path(), "");
    let mut served = Served::of(folder, course, |_| ());
    let path = served.folder.path().join("course.work/console.json");
    let mode = std::fs::metadata(&path).expect("the file of the commands").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let at = served.folder.path().to_owned();
    let connect = || Console::open(config(&at, "port = 8080\n"), &store(&at), clock());
    let console = connect().expect("the server");
    assert!(console.is_running());
    console.act("announce", &json!({"text": "Hello"})).expect("an announcement");
    assert!(served.get("", "/course/about").body.contains("Hello"));
    assert!(console.first_staff_link().expect("no link").is_none());
    let refused = console.act("withdraw", &json!({"team": "nobody"})).expect_err("no such team").to_string();
    assert!(refused.contains("nobody"), "{refused}");
    let audit = console.get("/course/staff/audit").expect("the log");
    assert!(list(&audit, "entries").iter().any(|entry| entry["action"] == "announce"), "{audit}");

    // A server that was killed leaves the file.
    let content = std::fs::read_to_string(&path).expect("the file of the commands");
    served.stop();
    served.join();
    assert!(!path.exists());
    std::fs::write(&path, content).expect("written");
    let error = connect().err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("does not answer"), "{error}");
}

#[test]
fn the_secret_of_the_commands_is_needed_and_valid_only_at_their_connection() {
    let served = Served::new();
    let text = std::fs::read_to_string(served.folder.path().join("course.work/console.json")).expect("the file");
    let content: Value = serde_json::from_str(&text).expect("JSON");
    let (address, secret) = (content["address"].as_str().expect("an address"), content["secret"].as_str().expect("it"));
    let bearer = format!("{}Authorization: Bearer {secret}\r\n", served.headers(""));
    assert_eq!(served.raw("GET", "/course/staff/teams", &bearer, b"").status, 403);
    assert_eq!(served.raw("GET", &format!("/t/{secret}"), &bearer, b"").status, 404);
    let at_console = |headers: &str| {
        let mut stream = std::net::TcpStream::connect(address).expect("a connection");
        let request = format!("GET /course/staff/teams HTTP/1.1\r\nHost: x\r\n{headers}Connection: close\r\n\r\n");
        std::io::Write::write_all(&mut stream, request.as_bytes()).expect("sent");
        crate::support::Answer::read(&mut stream).status
    };
    assert_eq!(at_console(&format!("Authorization: Bearer {secret}\r\n")), 200);
    for headers in ["", "Authorization: Bearer 0\r\n", &served.cookie("staff")] {
        assert_eq!(at_console(headers), 403, "{headers}");
    }
}
