//! Proxies in front of the server of a course, with the files of `deploy/proxy`.

use std::fs::{self, File};
use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::course::{good, serve};
use crate::sandbox::range::report_skipped;
use crate::tournaments::{Running, text, wait};

const COURSE: &str = "[course]\nname = 'Test'\nroster = 'teams.csv'\ndeadline = '2999-11-30 18:00'\n\
    time_zone = 'Asia/Singapore'\n[game]\ngame = 'breakthrough'\n[uploads]\nper_hour = 100\n\
    [server]\npublic = 'https://course.example.org'\nproxies = ['127.0.0.1']\n";
/// Maximum size of an upload, the default of course files.
const LIMIT: usize = 20 << 20;
const UPLOADS: &str = "https://course.example.org/course/uploads";

/// Returns the path of an installed program; some are in a folder that only the `PATH` of root has.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]).map(|at| at.join(name)).find(|at| at.is_file())
}

/// Returns a file of `deploy/proxy` after replacements, each of which must apply.
fn adapted(name: &str, replacements: &[(&str, String)]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/proxy").join(name);
    let mut text = fs::read_to_string(path).expect("a file of deploy/proxy");
    for (old, new) in replacements {
        assert!(text.contains(old), "{name} has no `{old}`");
        text = text.replace(old, new);
    }
    text
}

/// A proxy of a course.
struct Proxy {
    folder: PathBuf,
    /// Files in which the proxy logs.
    logs: [PathBuf; 2],
    http: u16,
    https: u16,
    /// Last byte of the loopback address of its clients.
    client: u8,
    _process: Running,
}

/// An answer with its head.
#[derive(Debug)]
struct Answer {
    status: String,
    text: String,
}

impl Answer {
    /// Returns the value of a header.
    fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.text.lines().filter_map(|line| line.split_once(": "));
        headers.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    fn assert(&self, status: u16, code: &str) {
        assert!(self.status == status.to_string() && self.text.contains(code), "expected {status} {code}: {self:?}");
    }
}

impl Proxy {
    /// Starts nginx with our site.
    fn nginx(folder: &Path, server: &str) -> Self {
        let [http, https] = devtools::free_ports();
        let at = folder.display();
        let site = adapted(
            "nginx.conf",
            &[
                ("listen 443 ssl;", format!("listen 127.0.0.1:{https} ssl;")),
                ("listen 80;", format!("listen 127.0.0.1:{http};")),
                ("    listen [::]:443 ssl;\n", String::new()),
                ("    listen [::]:80;\n", String::new()),
                ("/etc/ssl/certs/course.example.org.pem", format!("{at}/certificate.pem")),
                ("/etc/ssl/private/course.example.org.key", format!("{at}/key.pem")),
                ("127.0.0.1:8080", server.to_owned()),
            ],
        );
        fs::write(folder.join("site.conf"), site).expect("written");
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let temporary = temporary.map(|kind| format!("{kind}_temp_path {at}/{kind};")).join("\n");
        let main = format!(
            "daemon off;\nmaster_process off;\npid {at}/nginx.pid;\nevents {{}}\nhttp {{\ngzip on;\ngzip_types *;\n\
             access_log {at}/nginx.access;\n{temporary}\ninclude {at}/site.conf;\n}}\n"
        );
        fs::write(folder.join("nginx.conf"), main).expect("written");
        let mut command = Command::new(program("nginx").expect("nginx"));
        command
            .arg("-p")
            .arg(folder)
            .arg("-e")
            .arg(folder.join("nginx.error"))
            .arg("-c")
            .arg(folder.join("nginx.conf"));
        let logs = ["nginx.access", "nginx.error"].map(|name| folder.join(name));
        Self::start(&mut command, folder, logs, [http, https])
    }

    /// Starts Caddy with our site.
    fn caddy(folder: &Path, server: &str) -> Self {
        let [http, https] = devtools::free_ports();
        let at = folder.display();
        let certificate = format!("course.example.org {{\n\ttls {at}/certificate.pem {at}/key.pem\n");
        let site = adapted(
            "Caddyfile",
            &[("\ncourse.example.org {\n", format!("\n{certificate}")), ("127.0.0.1:8080", server.to_owned())],
        );
        let options = format!("admin off\nhttp_port {http}\nhttps_port {https}\ndefault_bind 127.0.0.1\n");
        fs::write(folder.join("Caddyfile"), format!("{{\n{options}}}\n{site}")).expect("written");
        let mut command = Command::new(program("caddy").expect("caddy"));
        command.args(["run", "--adapter", "caddyfile", "--config"]).arg(folder.join("Caddyfile"));
        command.env("HOME", folder).env("XDG_CONFIG_HOME", folder).env("XDG_DATA_HOME", folder);
        let logs = ["caddy.log", "caddy.log"].map(|name| folder.join(name));
        Self::start(&mut command, folder, logs, [http, https])
    }

    /// Starts a proxy and waits until it listens.
    fn start(command: &mut Command, folder: &Path, logs: [PathBuf; 2], [http, https]: [u16; 2]) -> Self {
        let log = File::options().create(true).append(true).open(&logs[1]).expect("a log");
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().expect("it starts");
        let mut process = Running(process);
        wait(|| {
            let end = process.0.try_wait().expect("a child");
            assert!(end.is_none(), "{command:?} ends: {}", fs::read_to_string(&logs[1]).unwrap_or_default());
            [http, https].iter().all(|port| TcpStream::connect(("127.0.0.1", *port)).is_ok())
        });
        // The two proxies have different clients, because the course counts the requests of an address.
        let client = if logs[0] == logs[1] { 2 } else { 12 };
        Self { folder: folder.to_owned(), logs, http, https, client, _process: process }
    }

    /// Returns a command of curl for a client with this number.
    fn curl(&self, client: u8, arguments: &[&str]) -> Command {
        let mut command = Command::new("curl");
        command.args(["--silent", "--show-error", "--include", "--write-out", "\n%{http_code}", "--header", "Expect:"]);
        command.arg("--interface").arg(format!("127.0.0.{}", self.client + client));
        command.arg("--cacert").arg(self.folder.join("certificate.pem"));
        for (port, own) in [(80, self.http), (443, self.https)] {
            command.args(["--connect-to", &format!("course.example.org:{port}:127.0.0.1:{own}")]);
        }
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn ask(&self, arguments: &[&str]) -> Answer {
        answer(&self.curl(0, arguments).output().expect("curl runs"))
    }
}

/// Reads what curl has printed.
fn answer(output: &Output) -> Answer {
    assert!(output.status.success(), "curl: {}", text(output));
    let printed = text(output);
    let (text, status) = printed.rsplit_once('\n').expect("a status");
    Answer { status: status.to_owned(), text: text.to_owned() }
}

/// Opens a personal link, and returns the header with its cookie.
fn enter(proxy: &Proxy, link: &str, place: &str) -> String {
    let plain = proxy.ask(&[&link.replace("https://", "http://")]);
    assert!(plain.status.starts_with("30") && plain.header("location") == Some(link), "{plain:?}");
    let entered = proxy.ask(&[link]);
    assert!(entered.status == "303" && entered.header("location") == Some(place), "{entered:?}");
    assert!(entered.header("content-security-policy").is_some(), "{entered:?}");
    for (name, value) in [("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer")] {
        assert_eq!(entered.header(name), Some(value), "{name}: {entered:?}");
    }
    let cookie = entered.header("set-cookie").expect("a cookie");
    let (cookie, attributes) = cookie.split_once(';').expect("attributes");
    assert!(cookie.starts_with("__Host-"), "{cookie}");
    for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=Strict"] {
        assert!(attributes.split(';').any(|found| found.trim() == attribute), "{attribute}: {attributes}");
    }
    format!("Cookie: {cookie}")
}

/// Sends files of all sizes, and requests of other sites.
fn upload(proxy: &Proxy, cookie: &str, staff: &str) {
    // Over HTTP/2, curl 7.88 may lose the text of an answer that arrives while it sends.
    let origin = "Origin: https://course.example.org";
    let own = ["--http1.1", "--header", cookie, "--header", origin, "--header", "X-File-Name: a.zip"];
    let send = |more: &[&str]| proxy.ask(&[own.as_slice(), more, &[UPLOADS]].concat());
    let file = |name: &str, size: usize| {
        let bytes: Vec<u8> = (0..size).map(|at| (at % 251) as u8).collect();
        fs::write(proxy.folder.join(name), &bytes).expect("written");
        (format!("@{}", proxy.folder.join(name).display()), bytes)
    };
    let (large, bytes) = file("large", LIMIT - (1 << 20));
    let sent = send(&["--data-binary", &large]);
    sent.assert(202, "\"upload\":");
    let body: Value = serde_json::from_str(sent.text.lines().last().expect("a body")).expect("JSON");
    let copy = proxy.folder.join("copy");
    let url = format!("https://course.example.org/course/staff/uploads/{}/file", body["upload"]);
    let got = proxy.curl(0, &["--no-include", "--header", staff, "--output"]).arg(&copy).arg(&url).output();
    assert_eq!(answer(&got.expect("curl runs")).status, "200");
    assert!(fs::read(&copy).expect("a file") == bytes, "the file has changed");

    let (huge, _) = file("huge", LIMIT + (1 << 20));
    send(&["--data-binary", &huge]).assert(413, "\"tooLarge\"");
    send(&["--data-binary", &huge, "--header", "Transfer-Encoding: chunked"]).assert(413, "\"tooLarge\"");
    let anonymous = ["--http1.1", "--header", cookie, "--data-binary", &large];
    proxy.ask(&[anonymous.as_slice(), &[UPLOADS]].concat()).assert(403, "\"foreignOrigin\"");
    let foreign = [anonymous.as_slice(), &["--header", "Origin: https://evil.example.org", UPLOADS]].concat();
    proxy.ask(&foreign).assert(403, "\"foreignOrigin\"");
    stream(proxy, &[own.as_slice(), &["--request", "POST", "--upload-file", "-", UPLOADS]].concat());
}

/// Sends a file in two parts. The first one must reach the course before the second one is sent: a proxy that buffers
/// uploads would hide their time and rate from the course.
fn stream(proxy: &Proxy, arguments: &[&str]) {
    let mut sender = proxy.curl(0, arguments).stdin(Stdio::piped()).spawn().expect("curl runs");
    let mut input = sender.stdin.take().expect("a pipe");
    let part = vec![7; 300_000];
    input.write_all(&part).expect("sent");
    let files = || fs::read_dir(proxy.folder.join("x.work/uploads")).into_iter().flatten().flatten();
    // The course writes 256 KiB at once. No other upload has a file of such a size.
    wait(|| files().any(|file| file.metadata().is_ok_and(|found| (262_144..=300_000).contains(&found.len()))));
    input.write_all(&part).expect("sent");
    drop(input);
    answer(&sender.wait_with_output().expect("curl ends")).assert(202, "\"upload\":");
}

/// Tries unknown links from several addresses. The course limits them by the client's real address, not by a claimed
/// one.
fn guess(proxy: &Proxy) {
    let url = format!("https://course.example.org/t/{}[10-49]", "0".repeat(30));
    let mut many = proxy.curl(1, &["--no-include", "--write-out", "\n%{http_code}\n", "--header"]);
    let tried = text(&many.arg("X-Forwarded-For: 198.51.100.7").arg(url).output().expect("curl runs"));
    let count = |code: &str| tried.lines().filter(|line| *line == code).count();
    assert_eq!((count("404"), count("429")), (30, 10), "{tried}");
    let one = format!("https://course.example.org/t/{}", "0".repeat(32));
    let claimed = ["--header", "X-Forwarded-For: 198.51.100.8", &one];
    assert_eq!(answer(&proxy.curl(1, &claimed).output().expect("curl runs")).status, "429");
    assert_eq!(answer(&proxy.curl(2, &[&one]).output().expect("curl runs")).status, "404");
}

/// Uses a course through a proxy as browsers do.
fn drive(proxy: &Proxy, links: &[String; 2]) {
    let staff = enter(proxy, &links[0], "/#/course/staff");
    let cookie = enter(proxy, &links[1], "/#/course/mine");
    let about = "https://course.example.org/course/about";
    let answered = proxy.ask(&["--compressed", "--header", &cookie, about]);
    answered.assert(200, "\"team\":\"ann\"");
    let known = format!("If-None-Match: {}", answered.header("etag").expect("a tag"));
    assert_eq!(proxy.ask(&["--compressed", "--header", &cookie, "--header", &known, about]).status, "304");
    upload(proxy, &cookie, &staff);
    guess(proxy);
    let logged = proxy.logs.iter().map(|log| fs::read_to_string(log).expect("a log")).collect::<String>();
    for link in links {
        let token = link.rsplit('/').next().expect("a token");
        assert!(!logged.contains(token), "a link in the log: {logged}");
    }
}

#[test]
fn a_course_works_behind_the_documented_proxies() {
    if let Some(missing) = ["curl", "openssl"].into_iter().find(|name| program(name).is_none()) {
        return report_skipped(&format!("proxies of a course, because {missing} is not installed"));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    fs::write(at.join("x.toml"), COURSE).expect("written");
    fs::write(at.join("teams.csv"), "id,name,mail\nann,Ann,ann@example.org\n").expect("written");
    let links: Vec<String> =
        good(at, &["links", "x.toml"]).lines().filter_map(|line| Some(line.rsplit_once("  ")?.1.to_owned())).collect();
    let links: [String; 2] = links.try_into().expect("the links of the staff and of the team");
    let request = "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -days 2 \
        -subj /CN=course.example.org -addext subjectAltName=DNS:course.example.org";
    let made = Command::new("openssl").args(request.split_whitespace()).current_dir(at).output().expect("it runs");
    assert!(made.status.success(), "openssl: {}", text(&made));
    let (server, printed) = serve(at, &[]);
    let _server = Running(server);
    let address = printed["address"].as_str().expect("an address");
    for (name, start) in [("nginx", Proxy::nginx as fn(&Path, &str) -> Proxy), ("caddy", Proxy::caddy)] {
        if program(name).is_some() {
            drive(&start(at, address), &links);
        } else {
            report_skipped(&format!("a course behind {name}, which is not installed (Debian: apt-get install {name})"));
        }
    }
}
