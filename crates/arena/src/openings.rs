//! Openings from a file.

use std::path::{Path, PathBuf};

use game::SplitMix64;
use games::{AnyRecord, Setting};
use serde::{Deserialize, Serialize};

use crate::machine::open_ordinary;

/// Maximum size of a file of openings, in bytes.
const MAX_FILE_SIZE: u64 = 16 << 20;

/// The openings of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Openings {
    /// A file of position texts, move lists, or games.
    File(PathBuf),
    /// A list of openings. Each entry has the form of a line in such a file.
    List(Vec<String>),
}

/// The order of openings from a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningOrder {
    /// The order of the file.
    #[default]
    Sequential,
    /// A random order that depends on the tournament's seed.
    Random,
}

impl OpeningOrder {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl Openings {
    /// Resolves the path of a file relative to `here`.
    pub(crate) fn relative_to(self, here: &Path) -> Self {
        match self {
            Self::File(path) => Self::File(here.join(path)),
            list @ Self::List(_) => list,
        }
    }

    /// Reads the file, checks every opening, and returns the list.
    pub(crate) fn read(&self, setting: Setting, plies: Option<u32>) -> Result<Self, String> {
        let plies = plies.map(|plies| plies as usize);
        let listed = match self {
            Self::List(lines) => setting.openings(&lines.join("\n"), plies).map_err(|error| error.to_string()),
            Self::File(path) => {
                let named = |error: &dyn ToString| format!("file {}: {}", path.display(), error.to_string());
                let text = text(path).map_err(|error| named(&error))?;
                setting.openings(&text, plies).map_err(|error| named(&error))
            }
        };
        listed.map(Self::List)
    }

    /// Starts a game and plays the opening with this index.
    pub(crate) fn open(&self, setting: Setting, number: u64) -> Result<Box<dyn AnyRecord>, String> {
        let Self::List(lines) = self else { return Err("openings: the file has not been read".to_owned()) };
        let line = usize::try_from(number).ok().and_then(|number| lines.get(number));
        let line = line.ok_or_else(|| format!("openings: no opening {number}, there are {}", lines.len()))?;
        setting.opened(line).map_err(|error| format!("openings: `{}`: {error}", game::text::excerpt(line)))
    }

    /// Returns the indices of the first `count` openings of the list in this order; `None` if the file has not been
    /// read.
    pub(crate) fn indices(&self, order: OpeningOrder, seed: u64, count: usize) -> Option<Vec<u64>> {
        let Self::List(lines) = self else { return None };
        let mut indices: Vec<u64> = (0..lines.len() as u64).collect();
        if order == OpeningOrder::Random {
            // Inverted, because `seed` itself generates the seeds of the games.
            let mut rng = SplitMix64::new(!seed);
            for i in (1..indices.len()).rev() {
                indices.swap(i, rng.below(i + 1));
            }
        }
        indices.truncate(count);
        Some(indices)
    }

    /// Returns `true` if an opening begins with a position other than the usual start.
    pub(crate) fn has_setups(&self) -> bool {
        // Only position texts contain slashes.
        matches!(self, Self::List(lines) if lines.iter().any(|line| line.contains('/')))
    }
}

fn text(path: &Path) -> std::io::Result<String> {
    use std::io::{Error, Read};
    let mut bytes = Vec::new();
    open_ordinary(path)?.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_SIZE {
        return Err(Error::other(format!("more than {} MiB found", MAX_FILE_SIZE >> 20)));
    }
    games::decode_file(&bytes).map_err(Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::Venue;
    use crate::run::games;
    use crate::spec::Spec;

    const TWO: &str = "[[agent]]\nname = 'a'\nbuiltin = ''\n[[agent]]\nname = 'b'\nbuiltin = ''\n";

    fn spec(top: &str, here: &Path) -> Result<Spec, String> {
        Spec::read(&format!("game = 'loa'\n{top}\n{TWO}"), here).map_err(|error| error.to_string())
    }

    #[test]
    fn a_pipe_is_no_file_of_openings() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status();
        assert!(made.is_ok_and(|status| status.success()));
        for file in ["pipe", "/dev/zero", "."] {
            let error = spec(&format!("openings = '{file}'"), folder.path()).expect_err("no file");
            assert!(error.contains("expected an ordinary file"), "{error}");
        }
    }

    #[test]
    fn a_tournament_keeps_its_openings_when_the_file_changes() {
        let folder = std::env::temp_dir().join(format!("plyhouse-openings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("book.txt");
        std::fs::write(&file, "b1-b3 a2-c2\nd1-d3 h2-f2\n1. c1-c3 a2-c2\n").expect("written");
        let first = spec("games = 4\nopenings = 'book.txt'\nopenings_plies = 1", &folder).expect("openings");
        let lines = ["b1-b3", "d1-d3", "c1-c3"].map(str::to_owned).to_vec();
        assert_eq!(first.openings, Some(Openings::List(lines)));
        std::fs::remove_dir_all(&folder).expect("removed");
        let stored: Spec = serde_json::from_str(&serde_json::to_string(&first).expect("JSON")).expect("a tournament");
        assert_eq!(stored, first);
        let plan = games(&stored, &Venue::default()).expect("a plan");
        let begins = |seed| stored.new_game(seed).map(|game| game.moves());
        let openings: Vec<_> = plan.games().map(|game| begins(game.opening_seed).expect("an opening")).collect();
        assert_eq!(openings, [["b1-b3"], ["b1-b3"], ["d1-d3"], ["d1-d3"]]);
        assert!(stored.new_game(3).is_err_and(|error| error.contains("there are 3")));
        let error = spec("openings = 'book.txt'", &folder).expect_err("no file");
        assert!(error.starts_with("openings: file ") && error.contains("book.txt: "), "{error}");
    }

    #[test]
    fn the_seed_fixes_a_random_order() {
        let list = "openings = ['b1-b3', 'c1-c3', 'd1-d3', 'e1-e3', 'f1-f3', 'g1-g3']\ngames = 12";
        let order = |top: &str| {
            let spec = spec(&format!("{list}\n{top}"), Path::new("")).expect("openings");
            spec.openings.and_then(|openings| openings.indices(spec.openings_order, spec.seed, 6)).expect("a list")
        };
        assert_eq!(order(""), [0, 1, 2, 3, 4, 5]);
        let random = order("openings_order = 'random'");
        assert_eq!(random, order("openings_order = 'random'"));
        assert!(random != order("") && random != order("openings_order = 'random'\nseed = 2"), "{random:?}");
        let mut sorted = random;
        sorted.sort_unstable();
        assert_eq!(sorted, order(""));
    }

    #[test]
    fn openings_that_cannot_be_played_are_named() {
        for (top, part) in [
            ("openings = ['b1-b3', 'b1-b4']", "openings: line 2: move 1: illegal move b1-b4"),
            ("openings = ['b1-b3']\nopening = 2", "opening: 2 found, expected no random moves"),
            ("openings_order = 'random'", "openings: nothing found, expected a file"),
            ("rules = 'openspiel'\nrepetitions = 3", "repetitions: 3 found, expected none with `rules`"),
        ] {
            let error = spec(top, Path::new("")).expect_err(top);
            assert!(error.contains(part), "{error}");
        }
        let few = spec("openings = ['b1-b3', 'b1-b3 ']\ngames = 4", Path::new("")).expect("one opening");
        let error = games(&few, &Venue::default()).expect_err("two are needed").to_string();
        assert!(error.contains("openings: 1 found in the file, expected 2 different ones"), "{error}");
    }

    #[test]
    fn dialects_that_always_begin_with_the_usual_start_refuse_other_openings() {
        let set_up = "openings = ['-bbbbbb-/w------w/w------w/w------w/w------w/w------w/w------w/-bbbbbb- w']";
        let text = format!("game = 'loa'\n{set_up}\n{TWO}[[agent]]\nname='c'\ncommand='x'\ndialect='cs61b'\n");
        let spec = Spec::read(&text, Path::new("")).expect("openings");
        let error = games(&spec, &Venue::default()).expect_err("no way to say it").to_string();
        assert!(error.contains("agent `c`: its dialect begins every game with the usual start"), "{error}");
    }

    #[test]
    fn rules_and_start_are_those_of_all_games() {
        let top = "rules = 'mso'\nstart = 'scrambled-eggs'\nsize = 6\nopening = 2";
        let spec = spec(top, Path::new("")).expect("a tournament");
        let game = spec.new_game(7).expect("a game");
        assert!(game.start().starts_with("-wbwb-/b----w/") && game.start().ends_with(" b mso"), "{}", game.start());
        assert!(spec.replay(&game.start(), &[]).expect("a game").position().ends_with(" mso"));
        for (rules, dialect, part) in [
            ("rules = 'mso'", "cs61b", "not 8x8 Lines of Action by the rules mso; use the dialect `ugi`"),
            ("start = 'scrambled-eggs'", "cs61b", "its dialect begins every game with the usual start"),
            ("rules = 'chess'", "ugi", "rules `chess`: expected `cs61b`, `nus`, `mso` or `openspiel`"),
        ] {
            let text = format!("game = 'loa'\n{rules}\n{TWO}[[agent]]\nname='c'\ncommand='x'\ndialect='{dialect}'\n");
            let spec = Spec::read(&text, Path::new("")).expect("a tournament");
            let error = games(&spec, &Venue::default()).expect_err("refused").to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn the_rules_of_openspiel_set_their_move_limit() {
        let limit = |top: &str| spec(top, Path::new("")).map(|spec| spec.move_limit);
        assert_eq!(limit("rules = 'openspiel'"), Ok(1000));
        assert_eq!(limit("rules = 'openspiel'\nmove_limit = 300"), Ok(300));
        let small = spec("rules = 'openspiel'\nsize = 6", Path::new("")).expect("a tournament");
        let error = games(&small, &Venue::default()).expect_err("8×8 only").to_string();
        assert!(error.contains("Lines of Action is played by them on 8 squares per side only"), "{error}");
        let text = format!("game = 'breakthrough'\nrules = 'openspiel'\n{TWO}");
        let breakthrough = Spec::read(&text, Path::new("")).expect("a tournament");
        let error = games(&breakthrough, &Venue::default()).expect_err("no rules of its own").to_string();
        assert!(error.contains("Black begins there") && error.contains("`a7b6` is `a2-b3`"), "{error}");
    }
}
