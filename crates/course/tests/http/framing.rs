//! Requests whose ends are ambiguous, oversized, incomplete, or malformed.

use std::io::Write;
use std::net::TcpStream;

use crate::support::{Answer, Served};

/// Returns the status codes in everything that a connection received.
fn statuses(received: &str) -> Vec<&str> {
    received.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect()
}

/// Returns a request that publishes an announcement with the rights of the staff. An attacker hides it in the body of
/// another request, so that a proxy and this server disagree about where the next request begins.
fn smuggled(served: &Served) -> String {
    let body = r#"{"text":"smuggled"}"#;
    format!(
        "POST /course/staff/announce HTTP/1.1\r\n{}Content-Length: {}\r\n\r\n{body}",
        served.page_headers("staff"),
        body.len()
    )
}

#[test]
fn a_request_has_one_end() {
    let served = Served::new();
    let inner = smuggled(&served);
    let own = served.page_headers("");
    let chunk = format!("{:x}\r\n{inner}\r\n0\r\n\r\n", inner.len());
    let length = inner.len();
    for (headers, body) in [
        // Two ends: the connection is closed after the first.
        (format!("Content-Length: {}\r\nTransfer-Encoding: chunked\r\n", length + 5), format!("0\r\n\r\n{inner}")),
        (format!("Transfer-Encoding: chunked\r\nContent-Length: {}\r\n", length + 5), format!("0\r\n\r\n{inner}")),
        (format!("Content-Length: 0\r\nContent-Length: {length}\r\n"), inner.clone()),
        (format!("Content-Length: {length}\r\nContent-Length: 0\r\n"), inner.clone()),
        (format!("Content-Length: 0, {length}\r\n"), inner.clone()),
        ("Content-Length: +0\r\n".to_owned(), inner.clone()),
        ("Content-Length: -1\r\n".to_owned(), inner.clone()),
        ("Content-Length: 0x0\r\n".to_owned(), inner.clone()),
        ("Content-Length: 18446744073709551616\r\n".to_owned(), inner.clone()),
        ("Content-Length : 0\r\n".to_owned(), inner.clone()),
        ("Transfer-Encoding: xchunked\r\n".to_owned(), chunk.clone()),
        ("Transfer-Encoding: chunked, identity\r\n".to_owned(), chunk.clone()),
        ("Transfer-Encoding : chunked\r\n".to_owned(), chunk.clone()),
        ("X: y\r\n Transfer-Encoding: chunked\r\n".to_owned(), chunk.clone()),
        ("Transfer-Encoding: chunked\r\n".to_owned(), format!("ffffffffffffffff1\r\n{inner}")),
        ("Transfer-Encoding: chunked\r\n".to_owned(), format!("-1\r\n{inner}")),
        ("Transfer-Encoding: chunked\r\n".to_owned(), format!("0;\n\n{inner}")),
        (format!("X: y\0\r\nContent-Length: {length}\r\n"), inner.clone()),
        (format!("X y: z\r\nContent-Length: {length}\r\n"), inner.clone()),
    ] {
        let request = format!("POST /course/leave HTTP/1.1\r\n{own}{headers}\r\n{body}");
        let received = served.exchange(request.as_bytes());
        assert!(statuses(&received).len() <= 1, "{headers:?}: {received}");
    }
    // A refused request with a body: the body is never the next request.
    for (path, headers) in [
        ("/course/staff/close", format!("{}Origin: http://evil.example.org\r\n", served.headers(""))),
        ("/course/staff/close", "Host: evil.example.org\r\n".to_owned()),
        ("/course/uploads", own.clone()),
        ("/course/about", own),
        ("/course/nothing", format!("{}Origin: null\r\n", served.headers(""))),
    ] {
        let request = format!("POST {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{inner}");
        let received = served.exchange(request.as_bytes());
        assert_eq!(statuses(&received).len(), 1, "{path} {headers:?}: {received}");
    }
    assert!(!served.get("", "/course/about").body.contains("smuggled"));
}

#[test]
fn malformed_and_oversized_heads_end_the_connection() {
    let served = Served::new();
    let host = &served.host;
    let headers: Vec<String> = (0..300).map(|number| format!("X-{number}: y\r\n")).collect();
    let headers = headers.concat();
    for (request, allowed) in [
        (format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "x".repeat(40_000)), &["431", "414", "400"][..]),
        (format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "x".repeat(40_000)), &["431"]),
        (format!("GET / HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n"), &["431", "400"]),
        (format!("GET / HTTP/1.1\r\nHost: {host}\r\nCookie: {}\r\n\r\n", "a=b; ".repeat(2000)), &["200"]),
        ("GET /\r\n\r\n".to_owned(), &["400"]),
        ("GET / HTTP/1.0\r\n\r\n".to_owned(), &["403"]),
        ("GET / HTTP/3.0\r\n\r\n".to_owned(), &["400", "505"]),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(), &["400", "505"]),
        (format!("GET / HTTP/1.1\nHost: {host}\rX: y\r\n\r\n"), &["400"]),
        (format!("GET  / HTTP/1.1\r\nHost: {host}\r\n\r\n"), &["400"]),
        (format!("CONNECT example.org:443 HTTP/1.1\r\nHost: {host}\r\n\r\n"), &["400", "404", "405"]),
        (format!("OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n"), &["400", "404", "405"]),
        ("\x16\x03\x01\x02\0\x01\0\x01".to_owned(), &["400"]),
    ] {
        let received = served.exchange(request.as_bytes());
        let received = received.replace("HTTP/1.0 ", "HTTP/1.1 ");
        let is_allowed = match statuses(&received).first() {
            Some(status) => allowed.contains(status),
            // A server may refuse a request by closing the connection without an answer.
            None => !allowed.contains(&"200"),
        };
        assert!(is_allowed, "{:?}: {received}", &request[..request.len().min(60)]);
    }
    assert_eq!(served.get("", "/course/about").status, 200);
}

#[test]
fn nested_and_odd_values_are_refused() {
    let served = Served::new();
    let nested = "[".repeat(60_000);
    for body in [&nested, "{\"text\":", "\u{feff}{}", "nul", "{\"text\":\"\\ud800\"}", "1e999999"] {
        let answer = served.send("staff", "POST", "/course/staff/announce", body);
        assert_eq!(answer.status, 400, "{answer:?}");
    }
    let asked = served.send("", "POST", "/ask", &"[".repeat(200_000));
    assert_eq!((asked.status, asked.json()["is"].as_str()), (200, Some("refused")));
    let twice = served.send("staff", "POST", "/course/staff/freeze", r#"{"team":"ann","team":"bob","upload":null}"#);
    assert!([200, 400].contains(&twice.status), "{twice:?}");
    let number = served.send("ann", "POST", "/course/practice", r#"{"level":{"a":[1e308,-0]}}"#);
    assert_eq!((number.status, number.code().as_str()), (400, "invalid"));
}

/// More connections than one address may have, all with an incomplete request.
#[test]
fn unfinished_requests_lock_out_no_one() {
    let served = Served::new();
    let begin = |bytes: &[u8]| {
        let mut stream = TcpStream::connect(&served.host).expect("a connection");
        stream.write_all(bytes).expect("sent");
        stream
    };
    let heads: Vec<TcpStream> = (0..400).map(|_| begin(b"GET /course/about HTTP/1.1\r\nHost: ")).collect();
    assert_eq!(served.get("ann", "/course/uploads").status, 200);
    assert_eq!(served.upload("ann", "agent.py", b"print(1)\n").status, 202);
    drop(heads);
    // Bodies of actions that are never sent.
    let head =
        format!("POST /course/staff/close HTTP/1.1\r\n{}Content-Length: 60000\r\n\r\n{{", served.page_headers(""));
    let bodies: Vec<TcpStream> = (0..200).map(|_| begin(head.as_bytes())).collect();
    assert_eq!(served.get("bob", "/course/uploads").status, 200);
    drop(bodies);
    // Answers that are never read.
    let path = served.get("", "/").body.split('"').find(|part| part.ends_with("js/course/main.js")).map(str::to_owned);
    let get = format!("GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n", path.expect("a script"), served.host).repeat(20);
    let unread: Vec<TcpStream> = (0..100).map(|_| begin(get.as_bytes())).collect();
    let mut stream = begin(format!("GET /version HTTP/1.1\r\nHost: {}\r\n\r\n", served.host).as_bytes());
    stream.shutdown(std::net::Shutdown::Write).expect("the end of the request");
    assert_eq!(Answer::read(&mut stream).status, 200);
    drop(unread);
}
