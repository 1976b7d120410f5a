//! Canonical texts of boards under symmetries.

use std::collections::HashSet;

use game::{Symmetries, fold, self_images};

#[test]
fn images_of_a_board_fold_to_the_same_text() {
    let square =
        ["1r2b/1-1-", "2b1r/1-1-", "1-1-/1r2b", "1-1-/2b1r", "1r1-/2b1-", "1-1r/1-2b", "2b1-/1r1-", "1-2b/1-1r"];
    let folded: HashSet<String> = square.iter().map(|text| fold(text, Symmetries::Square)).collect();
    assert_eq!(folded, HashSet::from(["1-1-/1r2b".to_owned()]));
    let mirrored: HashSet<String> = square.iter().map(|text| fold(text, Symmetries::Mirror)).collect();
    assert_eq!(mirrored.len(), 4);
    assert!(square.iter().all(|text| fold(text, Symmetries::None) == *text));
    assert_eq!(self_images("bw-/---/--- b", Symmetries::Square), 1);
    assert_eq!(self_images("--b/---/w-- b", Symmetries::Square), 2);
    assert_eq!(self_images("-b-/w-w/-b- b", Symmetries::Square), 4);
    assert_eq!(self_images("-b-/w-w/-b- b", Symmetries::Mirror), 2);
    // The side to move is preserved, and different boards with the same number of pieces are not mapped to each other.
    assert_eq!(fold("-bb-/w--w/w---/-bbw b", Symmetries::Mirror), "-bb-/w--w/---w/wbb- b");
    assert_ne!(fold("1r1-/1-2b", Symmetries::Square), fold("1r2b/1-1-", Symmetries::Square));
    for text in ["", "/", "a/b c", "é/é", "12/1", " b"] {
        assert_eq!(fold(text, Symmetries::Square), text);
    }
}
