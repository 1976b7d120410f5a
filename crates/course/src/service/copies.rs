//! Hints of copies, for the staff.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::service::copy_views::{Computed, CopiesView, CopyFile, CopyMatch, CopyPair, CopySide, CopyView};
use crate::service::course::{Service, Who, expect_staff, lock};
use crate::service::refusal::Refused;
use crate::similar::compare::{Pair, Sameness, compare, identical};
use crate::similar::fingerprint::{Fingerprint, Starter, fingerprint};
use crate::similar::matches::{Match, Place};
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::teams::TeamRow;

/// Maximum size of a file that is compared or shown, in bytes.
const FILE: u64 = 1 << 20;
/// Maximum number of files of a version that are compared or shown.
const FILES: usize = 300;

impl Service {
    /// Returns hints of copies among the versions that play or are in the final.
    ///
    /// # Errors
    /// If the caller is not staff, or files cannot be read.
    pub fn copies(&self, who: Who<'_>) -> Result<CopiesView, Refused> {
        expect_staff(who)?;
        let teams = self.read(CourseStore::teams)?;
        // Teams that take no part are compared too: their code may have been the original.
        let version = |row: &TeamRow| row.entered.or(row.frozen).or(row.chosen).or(row.latest);
        let versions: Vec<i64> = teams.iter().filter_map(version).collect();
        let mut computed = lock(&self.copies);
        if let Some(computed) = computed.as_ref().filter(|computed| computed.versions == versions) {
            return Ok(computed.view.clone());
        }
        let prints: Vec<Fingerprint> =
            versions.iter().map(|&version| Ok(print(&self.texts(version)?))).collect::<Result<_, Refused>>()?;
        let starter = Starter::default();
        let side = |index: usize| self.copy_side(versions[index]);
        let pair = |pair: &Pair| {
            Ok(CopyPair {
                a: side(pair.a)?,
                b: side(pair.b)?,
                identical: pair.sameness != Sameness::Parts,
                share: pair.share(),
            })
        };
        let group = |members: Vec<usize>| members.into_iter().map(side).collect();
        let view = CopiesView {
            groups: identical(&prints, &starter).into_iter().map(group).collect::<Result<_, CourseError>>()?,
            pairs: compare(&prints, &starter).iter().map(pair).collect::<Result<_, CourseError>>()?,
        };
        *computed = Some(Computed { versions, view: view.clone() });
        Ok(view)
    }

    /// Returns two versions side by side, by the numbers of their uploads.
    ///
    /// # Errors
    /// If the caller is not staff, there is no such accepted version, or files cannot be read.
    pub fn copy(&self, who: Who<'_>, a: i64, b: i64) -> Result<CopyView, Refused> {
        expect_staff(who)?;
        let [one, other] = [self.texts(a)?, self.texts(b)?];
        let pairs = compare(&[print(&one), print(&other)], &Starter::default());
        let file = |texts: &[(String, String)], place: &Place| texts.iter().position(|(name, _)| *name == place.file);
        let found = |found: &Match| {
            let files = [file(&one, &found.a)?, file(&other, &found.b)?];
            Some(CopyMatch { files, lines: [&found.a, &found.b].map(|place| [place.first, place.last]) })
        };
        let matches = pairs.iter().flat_map(|pair| pair.matches.iter().filter_map(found)).collect();
        let lines = |texts: Vec<(String, String)>| {
            let file =
                |(name, text): (String, String)| CopyFile { name, lines: text.lines().map(str::to_owned).collect() };
            texts.into_iter().map(file).collect()
        };
        Ok(CopyView { a: self.copy_side(a)?, b: self.copy_side(b)?, files: [lines(one), lines(other)], matches })
    }

    fn copy_side(&self, version: i64) -> Result<CopySide, CourseError> {
        let info = self.info(version)?;
        let (team, number) = (info.team.clone(), info.number);
        Ok(CopySide { upload: version, name: self.team_name(&team), team, version: number })
    }

    /// Returns the names and the contents of the text files of a version.
    fn texts(&self, version: i64) -> Result<Vec<(String, String)>, Refused> {
        let hash = self.info(version)?.program.bundle.clone().unwrap_or_default();
        let fetch = || self.read(|store| store.bundle(&hash)).map(Some).map_err(|error| error.to_string());
        let folder = self.cache.get(&hash, fetch).map_err(Refused::internal)?;
        let mut paths = BTreeSet::new();
        list(&folder, &mut paths)?;
        let texts = paths.into_iter().filter_map(|path| {
            let name = path.strip_prefix(&folder).ok()?.to_string_lossy().into_owned();
            Some((name, read_text(&path)?))
        });
        Ok(texts.take(FILES).collect())
    }
}

fn print(texts: &[(String, String)]) -> Fingerprint {
    fingerprint(texts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())))
}

/// Adds the files of a folder, recursively.
fn list(folder: &Path, paths: &mut BTreeSet<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            list(&entry.path(), paths)?;
        } else {
            paths.insert(entry.path());
        }
    }
    Ok(())
}

/// Reads a text file; `None` if it is no text or too large.
fn read_text(path: &Path) -> Option<String> {
    let found = fs::symlink_metadata(path).ok()?;
    if !found.is_file() || found.len() > FILE {
        return None;
    }
    String::from_utf8(fs::read(path).ok()?).ok().filter(|text| !text.contains('\0'))
}
