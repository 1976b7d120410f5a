//! Hints of copies, for the staff.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use crate::service::copy_views::{Computed, CopiesView, CopyFile, CopyMatch, CopyPair, CopySide, CopyView};
use crate::service::course::{Service, Who, expect_staff, lock};
use crate::service::refusal::Refused;
use crate::similar::compare::{Pair, Sameness, compare, identical};
use crate::similar::files::{files_in, fingerprint_of};
use crate::similar::fingerprint::Fingerprint;
use crate::similar::matches::{Match, Place};
use crate::store::database::CourseStore;
use crate::store::error::CourseError;
use crate::store::teams::TeamRow;

/// Maximum size of a file that is shown, in bytes.
const FILE: u64 = 1 << 20;
/// Maximum number of files of a version that are shown.
const FILES: usize = 300;

impl Service {
    /// Returns hints of copies among the versions that play or are in the final.
    ///
    /// # Errors
    /// If the caller is not staff, or files cannot be read.
    pub fn copies(&self, who: Who<'_>) -> Result<CopiesView, Refused> {
        expect_staff(who)?;
        let computed = self.compared()?;
        let side = |index: usize| self.copy_side(computed.versions[index]);
        let pair = |pair: &Pair| {
            Ok(CopyPair {
                a: side(pair.a)?,
                b: side(pair.b)?,
                identical: pair.sameness != Sameness::Parts,
                share: pair.share(),
            })
        };
        let group = |members: &Vec<usize>| members.iter().map(|&index| side(index)).collect();
        Ok(CopiesView {
            groups: computed.groups.iter().map(group).collect::<Result<_, CourseError>>()?,
            pairs: computed.pairs.iter().map(pair).collect::<Result<_, CourseError>>()?,
        })
    }

    /// Compares the versions with each other, unless that was done before.
    fn compared(&self) -> Result<Arc<Computed>, Refused> {
        let teams = self.read(CourseStore::teams)?;
        // Teams that take no part are compared too: their code may have been the original.
        let version = |row: &TeamRow| row.entered.or(row.frozen).or(row.chosen).or(row.latest);
        let versions: Vec<i64> = teams.iter().filter_map(version).collect();
        let mut last = lock(&self.copies);
        if let Some(last) = last.as_ref().filter(|last| last.versions == versions) {
            return Ok(Arc::clone(last));
        }
        let prints: Vec<Fingerprint> =
            versions.iter().map(|&version| self.fingerprint(version)).collect::<Result<_, _>>()?;
        let starter = &self.config.copies.code;
        let (groups, pairs) = (identical(&prints, starter), compare(&prints, starter));
        Ok(Arc::clone(last.insert(Arc::new(Computed { versions, groups, pairs }))))
    }

    /// Returns two versions side by side, by the numbers of their uploads.
    ///
    /// # Errors
    /// If the caller is not staff, there is no such accepted version, or files cannot be read.
    pub fn copy(&self, who: Who<'_>, a: i64, b: i64) -> Result<CopyView, Refused> {
        expect_staff(who)?;
        let [one, other] = [self.texts(a)?, self.texts(b)?];
        let file = |texts: &[CopyFile], place: &Place| texts.iter().position(|file| file.name == place.file);
        let found = |found: Match| {
            let files = [file(&one, &found.a)?, file(&other, &found.b)?];
            Some(CopyMatch { files, lines: [&found.a, &found.b].map(|place| [place.first, place.last]) })
        };
        let matches = self.matches(a, b)?.into_iter().filter_map(found).collect();
        Ok(CopyView { a: self.copy_side(a)?, b: self.copy_side(b)?, files: [one, other], matches })
    }

    /// Returns the equal parts of two versions. In a listed pair, code that many versions share does not count.
    fn matches(&self, a: i64, b: i64) -> Result<Vec<Match>, Refused> {
        let compared = self.compared()?;
        let is_it = |pair: &&Pair| [pair.a, pair.b].map(|index| compared.versions[index]) == [a, b];
        if let Some(listed) = compared.pairs.iter().find(is_it) {
            return Ok(listed.matches.clone());
        }
        let pair = compare(&[self.fingerprint(a)?, self.fingerprint(b)?], &self.config.copies.code).pop();
        Ok(pair.map(|pair| pair.matches).unwrap_or_default())
    }

    fn copy_side(&self, version: i64) -> Result<CopySide, CourseError> {
        let info = self.info(version)?;
        let (team, number) = (info.team.clone(), info.number);
        Ok(CopySide { upload: version, name: self.team_name(&team), team, version: number })
    }

    fn fingerprint(&self, version: i64) -> Result<Fingerprint, Refused> {
        Ok(fingerprint_of(&self.folder(version)?)?)
    }

    /// Returns the text files of a version.
    fn texts(&self, version: i64) -> Result<Vec<CopyFile>, Refused> {
        let mut texts = Vec::new();
        for (name, path) in files_in(&self.folder(version)?)? {
            if fs::metadata(&path)?.len() > FILE || texts.len() == FILES {
                continue;
            }
            let text = String::from_utf8(fs::read(path)?).ok().filter(|text| !text.contains('\0'));
            texts.extend(text.map(|text| CopyFile { name, lines: text.lines().map(str::to_owned).collect() }));
        }
        Ok(texts)
    }

    /// Returns the folder with the unpacked files of a version.
    fn folder(&self, version: i64) -> Result<PathBuf, Refused> {
        let hash = self.info(version)?.program.bundle.clone().unwrap_or_default();
        let fetch = || self.read(|store| store.bundle(&hash)).map(Some).map_err(|error| error.to_string());
        self.cache.get(&hash, fetch).map_err(Refused::internal)
    }
}

#[cfg(test)]
mod tests;
