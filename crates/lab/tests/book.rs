//! Tests of the creation of opening books.

use std::fs;
use std::path::Path;

use clap::Parser as _;
use engine::Book;
use lab::book::MakeBook;

fn make(out: &Path, more: &[&str]) -> anyhow::Result<String> {
    let arguments = ["book", "loa", "--size", "5", "--player", "nodes=300", "--width", "2", "--plies", "2"];
    let out_option = ["--out", out.to_str().expect("a path")];
    MakeBook::try_parse_from(arguments.iter().chain(&out_option).chain(more))?.run()?;
    Ok(fs::read_to_string(out)?)
}

#[test]
fn an_interrupted_book_is_resumed_and_does_not_depend_on_the_number_of_jobs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("loa5.book");
    let book = make(&path, &[]).expect("a book");
    let read = Book::read::<loa::Position>(&book).expect("a book");
    // The plies have one, two and four positions, fewer if some are equal by symmetry or transposition.
    assert!((4..=7).contains(&read.positions()), "{book}");
    assert!(read.choose(&loa::Position::start(5).expect("a size"), 1).is_some());
    let cut = book.len() - 20;
    fs::write(&path, &book[..cut]).expect("written");
    assert_eq!(make(&path, &["--jobs", "3"]).expect("a book"), book);
    let error = make(&path, &["--seed", "2"]).expect_err("another book").to_string();
    assert!(error.contains("another book"), "{error}");
    assert_eq!(fs::read_to_string(&path).expect("the file"), book, "the file is unchanged");
    fs::write(&path, "a letter").expect("written");
    let error = make(&path, &[]).expect_err("not a book").to_string();
    assert!(error.contains("not a book"), "{error}");
    assert_eq!(fs::read_to_string(&path).expect("the file"), "a letter");
}
