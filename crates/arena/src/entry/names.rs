//! Names of submissions that look like those of others.

use crate::entry::error::EntryError;
use crate::names::{check_name, looks};

/// Returns, for each submission, the folder of another submission whose name is too similar, if there is one. An
/// element of `submissions` has the name of the folder and, if it could be read, the name of the agent. A submission
/// always owns the name of its folder. Any other name must not look like the name of another folder, or like a name
/// that another submission chose.
///
/// An agent whose name is too similar plays under the name of its folder, so no submission can exclude another one by
/// taking its name.
pub fn look_alikes(submissions: &[(&str, Option<&str>)]) -> Vec<Option<String>> {
    let looks: Vec<_> = submissions.iter().map(|(folder, name)| (looks(folder), name.map(looks))).collect();
    let is_like = |i: usize, j: usize| {
        let chosen = looks[i].1.as_ref().filter(|_| submissions[i].1 != Some(submissions[i].0));
        chosen.is_some_and(|name| {
            let (folder, other) = &looks[j];
            !name.is_disjoint(folder) || other.as_ref().is_some_and(|other| !name.is_disjoint(other))
        })
    };
    let all = 0..submissions.len();
    let taken_for = |i: usize| all.clone().find(|&j| i != j && is_like(i, j)).map(|j| submissions[j].0.to_owned());
    all.clone().map(taken_for).collect()
}

/// Checks that a submission may play under the name of its folder.
///
/// # Errors
/// If it is not a valid name.
pub fn check_folder_name(folder: &str) -> Result<(), EntryError> {
    check_name(folder).map_err(|why| EntryError::Name { name: folder.to_owned(), why })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_like_those_of_other_submissions_are_found() {
        let found = look_alikes(&[
            ("ann", Some("ann")),
            ("bob", Some("Аnn")), // with a Cyrillic letter
            ("eve", Some("The Eve")),
            ("mallory", Some("the EVE")),
            ("team1", Some("team1")),
            ("teaml", Some("teaml")),
            ("zoe", None),
        ]);
        let text = |name: &str| Some(name.to_owned());
        assert_eq!(found, [None, text("ann"), text("mallory"), text("eve"), None, None, None]);
    }
}
