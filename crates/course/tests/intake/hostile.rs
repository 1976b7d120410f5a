//! Uploads as attackers deliver them, and damaged ones.

use std::io::{Cursor, Write};

use arena::AgentSpec;
use course::intake::Limits;
use game::SplitMix64;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{PLAIN, TOML, plain_options, received, refused, replaced, zip};

#[test]
fn damaged_and_encrypted_archives_are_refused() {
    let content = [b'x'; 64];
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    writer.start_file("agent.py", options).expect("added");
    writer.write_all(&content).expect("written");
    let stored = writer.finish().expect("finished").into_inner();
    let refusal = refused(&replaced(stored.clone(), &content, &[b'y'; 64]));
    assert!(refusal.contains("the file `agent.py` is damaged"), "{refusal}");
    // Bit 0 of the flags marks encryption. They follow the version in both headers.
    let mut encrypted = stored.clone();
    for (signature, at) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let start = (0..stored.len()).find(|&at| stored[at..].starts_with(signature)).expect("a header");
        encrypted[start + at] |= 1;
    }
    let refusal = refused(&encrypted);
    assert!(refusal.contains("encrypted: the entry `agent.py` needs a password"), "{refusal}");
    // The compression method follows the flags: 14 is LZMA.
    let mut packed = stored.clone();
    for (signature, at) in [(b"PK\x03\x04", 8), (b"PK\x01\x02", 10)] {
        let start = (0..stored.len()).find(|&at| stored[at..].starts_with(signature)).expect("a header");
        packed[start + at] = 14;
    }
    let refusal = refused(&packed);
    assert!(
        refusal.contains("`agent.py` is compressed with the method Lzma") && refusal.contains("Deflate"),
        "{refusal}"
    );
}

#[test]
fn links_and_devices_are_refused() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("agent.toml", plain_options()).expect("added");
    writer.add_symlink("data", "/etc/passwd", plain_options()).expect("added");
    let link = writer.finish().expect("finished").into_inner();
    let refusal = refused(&link);
    assert!(
        refusal.contains("the entry `data` is a symbolic link") && refusal.contains("copy of the file"),
        "{refusal}"
    );
    // The type of the file is in the upper half of the external attributes, at 38 of the list's entry.
    let start = (0..link.len()).rfind(|&at| link[at..].starts_with(b"PK\x01\x02")).expect("an entry");
    for (kind, expected) in
        [(0o020_666_u32, "a device"), (0o060_666, "a device"), (0o010_666, "a pipe"), (0o140_666, "a socket")]
    {
        let mut special = link.clone();
        special[start + 38..start + 42].copy_from_slice(&(kind << 16).to_le_bytes());
        let refusal = refused(&special);
        assert!(refusal.contains(&format!("the entry `data` is {expected}")), "{refusal}");
    }
}

#[test]
fn dangerous_names_are_refused() {
    let named = |name: &[u8]| {
        let placeholder = vec![b'~'; name.len()];
        let whole = zip(&[("agent.toml", TOML), (std::str::from_utf8(&placeholder).expect("ASCII"), b"x")]);
        replaced(whole, &placeholder, name)
    };
    for (name, expected) in [
        (&b"/etc/passwd"[..], "`/etc/passwd` has an absolute name"),
        (b"../agent.py", "`../agent.py` leads out of its folder"),
        (b"a/../../b.py", "leads out of its folder"),
        (b"C:/agent.py", "begins with a drive letter"),
        (b"a\\agent.py", "contains a backslash"),
        (b"a\0b.py", "the control character U+0000"),
        (b"a\x1b[2J.py", "the control character U+001B"),
        (b"a\xe2\x80\xaeyp.py", "the invisible character U+202E"),
        (b"Agent.toml", "`agent.toml` and `Agent.toml` differ only in upper and lower case"),
        (b"agent.toml/x", "contains `agent.toml` as a file and as a folder"),
    ] {
        let refusal = refused(&named(name));
        assert!(refusal.contains(expected), "{}: {refusal}", String::from_utf8_lossy(name));
    }
    let refusal = refused(&named(b"agent.toml"));
    assert!(refusal.contains("two files of the same name"), "{refusal}");
    let refusal = refused(&zip(&[("Zoë/a.py", b"x"), ("Zoe\u{308}/b.py", b"x"), ("zoë/c.py", b"x")]));
    assert!(refusal.contains("differ only"), "{refusal}");
    let refusal = refused(&zip(&[("Zoë.py", b"x"), ("Zoe\u{308}.py", b"x")]));
    assert!(refusal.contains("`Zoë.py` twice"), "{refusal}");
}

#[test]
fn limits_name_the_entry_and_the_limit() {
    let limits = Limits { size: 40 << 10, entries: 5, total: 3 << 20, file: 2 << 20, ratio: 100, depth: 2, path: 20 };
    let refused = |entries: &[(&str, &[u8])]| {
        let all = [&PLAIN[..], entries].concat();
        received(&zip(&all), "a.zip", &limits, &AgentSpec::default()).expect_err("refused")
    };
    let (large, most, half) = (vec![0; 3 << 20], vec![0; (2 << 20) - 1], noise(1, 50 << 10));
    for (entries, expected) in [
        (&[("big.bin", &large[..])][..], "`big.bin` has 3 MB, and a file may have at most 2 MB"),
        (&[("a", &most[..]), ("b", &most)], "all files together have 4.1 MB, and at most 3 MB are allowed"),
        (&[("zeros", &most[..])], "`zeros` is compressed more than 100:1"),
        (&[("noise", &half[..])], "`a.zip` has 50.4 kB, and an upload may have at most 40 kB"),
        (
            &[("a", b"1"), ("b", b"2"), ("c", b"3"), ("d", b"4")],
            "more than 5 files and folders found; the first above the limit is `d`",
        ),
        (&[("a/b/c/d", b"1")], "`a/b/c/d` lies 3 folders deep, and at most 2 are allowed"),
        (&[("abcdefghij/klmnopqrst", b"1")], "has 21 bytes, and at most 20 are allowed"),
    ] {
        let refusal = refused(entries);
        assert!(refusal.contains(expected), "{refusal}");
    }
    let many: Vec<_> = (0..41).map(|i| (format!("f{i}"), b"")).collect();
    let refusal = received(&zip(&many), "a.zip", &limits, &AgentSpec::default()).expect_err("refused");
    assert!(refusal.contains("lists 41 files, and at most 5 are allowed"), "{refusal}");
}

/// Returns random bytes, which cannot be compressed.
fn noise(seed: u64, count: usize) -> Vec<u8> {
    let mut rng = SplitMix64::new(seed);
    (0..count).map(|_| rng.next_u64() as u8).collect()
}

/// Sets the declared size of the entry `name` in both headers.
fn declaring(mut bytes: Vec<u8>, name: &str, size: u32) -> Vec<u8> {
    for (signature, size_at, name_at) in [(b"PK\x03\x04", 22, 30), (b"PK\x01\x02", 24, 46)] {
        let is_header =
            |&at: &usize| bytes[at..].starts_with(signature) && bytes[at + name_at..].starts_with(name.as_bytes());
        let start = (0..bytes.len() - name_at).find(is_header).expect("a header");
        bytes[start + size_at..start + size_at + 4].copy_from_slice(&size.to_le_bytes());
    }
    bytes
}

#[test]
fn bombs_are_stopped_whatever_they_declare() {
    let limits = Limits { file: 5 << 20, total: 10 << 20, ..Limits::default() };
    let refused = |bytes: &[u8]| received(bytes, "a.zip", &limits, &AgentSpec::default()).expect_err("refused");
    let bomb = zip(&[("agent.toml", TOML.to_vec()), ("bomb", vec![0; 6 << 20])]);
    assert!(bomb.len() < 10 << 10, "it is compressed by 1000:1");
    for (declared, expected) in [
        (6 << 20, "`bomb` has 6 MB, and a file may have at most 5 MB"),
        (4 << 20, "`bomb` is compressed more than 250:1"),
        (10, "the file `bomb` is damaged"),
    ] {
        let refusal = refused(&declaring(bomb.clone(), "bomb", declared));
        assert!(refusal.contains(expected), "{declared}: {refusal}");
    }
    // Every entry of the list leads to the same data.
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("kernel", plain_options()).expect("added");
    writer.write_all(&noise(2, 100)).expect("written");
    for i in 0..10 {
        writer.shallow_copy_file("kernel", &format!("copy{i}")).expect("copied");
    }
    let refusal = refused(&writer.finish().expect("finished").into_inner());
    assert!(refusal.contains("overlap"), "{refusal}");
}

/// An impossible position of the list of files is an error of the archive, not of the server.
#[test]
fn impossible_positions_are_refused() {
    let mut bytes = zip(&PLAIN);
    let end = bytes.len() - 22;
    // ZIP64's end of the list, its locator, and an end that refers to them.
    let mut list = b"PK\x06\x06\x2c\0\0\0\0\0\0\0\x2d\0\x2d\0\0\0\0\0\0\0\0\0".to_vec();
    for number in [1_u64, 1, 46, u64::MAX - 100] {
        list.extend(number.to_le_bytes());
    }
    list.extend(b"PK\x06\x07\0\0\0\0");
    list.extend((end as u64).to_le_bytes());
    list.extend(b"\x01\0\0\0PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0");
    bytes.truncate(end);
    bytes.extend(list);
    let refusal = refused(&bytes);
    assert!(refusal.contains("incomplete or damaged"), "{refusal}");
    // The position of a file, at 42 of the list's entry.
    let mut bytes = zip(&PLAIN);
    let start = (0..bytes.len()).find(|&at| bytes[at..].starts_with(b"PK\x01\x02")).expect("an entry");
    bytes[start + 42..start + 46].copy_from_slice(&[0xfe; 4]);
    let refusal = refused(&bytes);
    assert!(refusal.contains("damaged"), "{refusal}");
}

/// Damages random bytes of archives. They cause no panic, and accepted ones stay below the limits.
#[test]
fn random_damage_is_survived() {
    let limits = Limits { entries: 20, total: 64 << 10, file: 32 << 10, ..Limits::default() };
    let contents = [noise(3, 500), vec![b'a'; 30_000], TOML.to_vec(), b"#!/bin/sh\r\necho\r\n".to_vec()];
    let names = ["x/a.bin", "x/b/c.txt", "x/agent.toml", "x/run.sh"];
    let whole = zip(&names.into_iter().zip(contents).collect::<Vec<_>>());
    let mut rng = SplitMix64::new(4);
    let mut outcomes = [0; 2];
    for round in 0..500 {
        let mut bytes = whole.clone();
        // Headers are at the end, and most damage elsewhere only breaks checksums.
        let list = bytes.len() - 300;
        for _ in 0..=rng.below(4) {
            let at = if rng.below(3) > 0 { list + rng.below(300) } else { rng.below(bytes.len()) };
            bytes[at] = *rng.choose(&[0, 1, 2, b'.', b'/', b'\\', 0x7f, 0xff, rng_byte(round)]).expect("a choice");
        }
        if rng.below(8) == 0 {
            bytes.truncate(rng.below(bytes.len()));
        }
        let result = received(&bytes, "a.zip", &limits, &AgentSpec::default());
        outcomes[usize::from(result.is_ok())] += 1;
        if let Ok((files, _)) = result {
            let total: usize = files.iter().map(|(_, content)| content.len()).sum();
            assert!(total <= 64 << 10 && files.len() <= 40, "round {round}");
        }
    }
    assert!(outcomes.iter().all(|&count| count > 20), "both outcomes occur: {outcomes:?}");
}

fn rng_byte(round: u64) -> u8 {
    SplitMix64::new(round).next_u64() as u8
}

/// Builds archives of random names. Accepted ones have exactly the files that were packed, in a folder of their own.
#[test]
fn random_names_stay_within_the_folder() {
    let pieces = ["a", "B", "..", ".", "", "é", "e\u{301}", "🦀", "C:", "x y", "\u{202e}", "\\", "-", "con"];
    let mut rng = SplitMix64::new(5);
    let mut accepted = 0;
    for _ in 0..200 {
        let mut name = || {
            let parts: Vec<&str> = (0..=rng.below(3)).filter_map(|_| rng.choose(&pieces).copied()).collect();
            parts.join("/")
        };
        let mut entries = vec![("agent.toml".to_owned(), TOML.to_vec())];
        entries.extend((0..3).map(|i| (name(), vec![i])).filter(|(name, _)| !name.ends_with('/')));
        let distinct: std::collections::BTreeSet<&String> = entries.iter().map(|(name, _)| name).collect();
        if distinct.len() < entries.len() {
            continue;
        }
        if let Ok((files, _)) = received(&zip(&entries), "a.zip", &Limits::default(), &AgentSpec::default()) {
            accepted += 1;
            let found = files.iter().filter(|(name, _)| !name.ends_with('/')).count();
            assert_eq!(found, entries.len(), "{entries:?}: {files:?}");
        }
    }
    assert!(accepted > 5, "{accepted}");
}
