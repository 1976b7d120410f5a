//! Uploads: large, slow, aborted, and simultaneous ones.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use course::http::Pace;

use crate::support::{Answer, Served, send_chunk, wait_until};

#[test]
fn a_file_keeps_its_name_and_its_bytes() {
    let served = Served::new();
    let bytes: Vec<u8> = (0..900_000_u32).flat_map(|number| [(number % 251) as u8]).collect();
    let receipt = served.upload("ann", "M%C3%B6we%20%F0%9F%90%A6.zip", &bytes);
    assert_eq!((receipt.status, &receipt.json()["number"]), (202, &1.into()));
    let upload = &served.uploads("ann")[0];
    assert_eq!((&upload["fileName"], &upload["size"]), (&"Möwe 🐦.zip".into(), &900_000.into()));
    let mut file = Vec::new();
    let id = upload["id"].as_i64().expect("a number");
    served.service.upload_file(Some(&course::Role::Staff), id, &mut file).expect("the file");
    assert!(file == bytes);
    let file = served.get("staff", &format!("/course/staff/uploads/{id}/file"));
    assert_eq!(file.header("content-length"), Some("900000"));
    let disposition = file.header("content-disposition").expect("a name");
    assert!(disposition.ends_with("UTF%2D8''M%C3%B6we%20%F0%9F%90%A6%2Ezip") || disposition.contains("M%C3%B6we"));
    assert_eq!(served.upload("ann", "%ff", b"x").code(), "malformed");
}

#[test]
fn a_client_that_sends_a_file_that_is_too_large_receives_the_reason() {
    let served = Served::new();
    // A browser reads the answer only after it has sent everything.
    let announced = served.send("ann", "POST", "/course/uploads", &"x".repeat(8 << 20));
    assert_eq!((announced.status, announced.code().as_str()), (413, "tooLarge"));
    assert_eq!(announced.json()["error"]["args"]["limit"], "1048576");
    let mut stream = served.begin_upload("ann");
    for _ in 0..400 {
        send_chunk(&mut stream, &[b'x'; 10_000]);
    }
    stream.write_all(b"0\r\n\r\n").expect("sent");
    let counted = Answer::read(&mut stream);
    assert_eq!((counted.status, counted.code().as_str()), (413, "tooLarge"));
    for role in ["", "staff"] {
        let refused = served.send(role, "POST", "/course/uploads", &"x".repeat(4 << 20));
        assert_eq!((refused.status, refused.code().as_str()), (403, "notTeam"));
    }
    // The server refuses the file before the client sends it, if the client waits for permission.
    let mut stream = TcpStream::connect(&served.host).expect("a connection");
    write!(
        stream,
        "POST /course/uploads HTTP/1.1\r\n{}Content-Length: 2000000000\r\nExpect: 100-continue\r\n\r\n",
        served.page_headers("ann")
    )
    .expect("sent");
    assert_eq!(Answer::read(&mut stream).status, 413);
    assert!(served.uploads("ann").is_empty() && served.parts().is_empty());
}

#[test]
fn a_slow_upload_ends_with_a_reason_and_leaves_nothing() {
    let pace = Pace { span: Duration::from_millis(300), least: 1000, whole: Duration::from_mins(1) };
    let served = Served::with("", |options| options.pace = pace);
    let mut stream = served.begin_upload("ann");
    send_chunk(&mut stream, b"import sys\n");
    let answer = Answer::read(&mut stream);
    assert_eq!((answer.status, answer.code().as_str()), (408, "tooSlow"));
    wait_until("the part is removed", || served.parts().is_empty());
    assert!(served.uploads("ann").is_empty());

    let pace = Pace { span: Duration::from_mins(1), least: 1, whole: Duration::from_millis(300) };
    let served = Served::with("", |options| options.pace = pace);
    let mut stream = served.begin_upload("ann");
    send_chunk(&mut stream, b"import sys\n");
    assert_eq!(Answer::read(&mut stream).code(), "tooSlow");
}

#[test]
fn an_aborted_upload_leaves_nothing() {
    let served = Served::new();
    let mut stream = served.begin_upload("ann");
    send_chunk(&mut stream, &[b'x'; 1000]);
    wait_until("the part is created", || served.parts().len() == 1);
    drop(stream);
    wait_until("the part is removed", || served.parts().is_empty());
    assert!(served.uploads("ann").is_empty());
    // A body that is shorter than announced is not stored either.
    let mut stream = TcpStream::connect(&served.host).expect("a connection");
    let head = served.page_headers("ann");
    write!(stream, "POST /course/uploads HTTP/1.1\r\n{head}Content-Length: 100\r\n\r\nprint(1)").expect("sent");
    stream.shutdown(std::net::Shutdown::Write).expect("the end of the file");
    let _ = std::io::Read::read_to_end(&mut stream, &mut Vec::new());
    wait_until("the part is removed", || served.parts().is_empty());
    assert!(served.uploads("ann").is_empty());
}

#[test]
fn two_uploads_of_a_team_at_once_are_two_versions_and_a_third_one_waits() {
    let served = Served::new();
    let mut streams = [(); 2].map(|()| served.begin_upload("ann"));
    for stream in &mut streams {
        send_chunk(stream, b"print(1)\n");
    }
    wait_until("both uploads have begun", || served.parts().len() == 2);
    let third = served.send("ann", "POST", "/course/uploads", "print(3)\n");
    assert_eq!((third.status, third.code().as_str()), (429, "busy"));
    assert_eq!(served.send("bob", "POST", "/course/uploads", "print(1)\n").status, 202, "others are not affected");
    let mut numbers: Vec<u64> = streams
        .iter_mut()
        .map(|stream| {
            stream.write_all(b"0\r\n\r\n").expect("sent");
            let answer = Answer::read(stream);
            assert_eq!(answer.status, 202, "{answer:?}");
            answer.json()["number"].as_u64().expect("a number")
        })
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2]);
    assert_eq!(served.send("ann", "POST", "/course/uploads", "print(3)\n").status, 202);
}

#[test]
fn a_stopping_server_completes_uploads_and_accepts_no_new_connection() {
    let mut served = Served::new();
    let mut stream = served.begin_upload("ann");
    send_chunk(&mut stream, b"print(1)\n");
    wait_until("the upload has begun", || served.parts().len() == 1);
    served.stop();
    wait_until("the server accepts nothing", || TcpStream::connect(&served.host).is_err());
    send_chunk(&mut stream, b"print(2)\n");
    stream.write_all(b"0\r\n\r\n").expect("sent");
    let answer = Answer::read(&mut stream);
    assert_eq!((answer.status, &answer.json()["number"]), (202, &1.into()));
    served.join();
    assert!(!served.folder.path().join("course.work/console.json").exists());
    let uploads = served.service.uploads(Some(&course::Role::Staff), Some("ann")).expect("uploads").uploads;
    assert_eq!((uploads.len(), uploads[0].size), (1, 18));
}
