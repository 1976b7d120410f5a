//! Finds the agent's folder in an archive.

use arena::entry::has_extension;

use super::entries::Item;
use super::missing::DESCRIPTION;
use super::outcome::{Notes, Refusal, refuse};
use super::programs::Programs;
use super::shown::{listed, quoted};

/// File name extensions of documents that students add to a submission.
const DOCUMENTS: [&str; 15] =
    ["pdf", "md", "txt", "doc", "docx", "odt", "rtf", "tex", "pptx", "xlsx", "html", "png", "jpg", "jpeg", "gif"];

/// Returns `true` for the name of an agent's description, also with differences of case and with the extension that
/// Windows hides.
pub(super) fn is_description(name: &str) -> bool {
    name.eq_ignore_ascii_case(DESCRIPTION) || name.eq_ignore_ascii_case("agent.toml.txt")
}

/// Removes the folders around the agent's files from the paths of all items, with a note. `programs` are the files that
/// the course's command names.
///
/// # Errors
/// If the archive has several agents, or files outside the agent's folder that it may need.
pub(super) fn flatten(items: &mut Vec<Item>, programs: &Programs, notes: &mut Notes) -> Result<(), Refusal> {
    let depth = match described(items)? {
        Some(folder) => {
            leave_out_others(items, &folder, notes)?;
            folder.len()
        }
        None => common_depth(items, programs),
    };
    if depth == 0 {
        return Ok(());
    }
    let is_deep = |item: &&Item| !item.is_folder && item.parts.len() > depth;
    let Some(folder) = items.iter().find(is_deep).map(|item| item.parts[..depth].to_vec()) else { return Ok(()) };
    notes.add(format!("all files are in the folder {}", quoted(&folder.join("/"))), "moved up");
    items.retain(|item| item.parts.len() > depth && item.parts.starts_with(&folder));
    for item in items {
        item.parts.drain(..depth);
    }
    Ok(())
}

/// Returns the path of the folder with the topmost `agent.toml`; `None` if there is none.
fn described(items: &[Item]) -> Result<Option<Vec<String>>, Refusal> {
    let is_named = |item: &&Item| !item.is_folder && item.parts.last().is_some_and(|name| is_description(name));
    let found: Vec<&Item> = items.iter().filter(is_named).collect();
    let Some(depth) = found.iter().map(|item| item.parts.len()).min() else { return Ok(None) };
    let mut folders: Vec<&[String]> =
        found.iter().filter(|item| item.parts.len() == depth).map(|item| &item.parts[..depth - 1]).collect();
    folders.sort_unstable();
    folders.dedup();
    if let [folder] = folders[..] {
        return Ok(Some(folder.to_vec()));
    }
    let paths: Vec<String> = folders.iter().map(|folder| folder.join("/")).collect();
    let what = format!("the archive has more than one folder with an `agent.toml`: {}", listed(&paths));
    refuse(what, "pack only one of these folders")
}

/// Removes items outside the agent's folder.
///
/// # Errors
/// If one of them is not a document.
fn leave_out_others(items: &mut Vec<Item>, folder: &[String], notes: &mut Notes) -> Result<(), Refusal> {
    let (within, others): (Vec<Item>, Vec<Item>) = std::mem::take(items)
        .into_iter()
        .partition(|item| item.parts.starts_with(folder) || folder.starts_with(&item.parts));
    *items = within;
    let files: Vec<String> = others.iter().filter(|item| !item.is_folder).map(|item| item.parts.join("/")).collect();
    if files.is_empty() {
        return Ok(());
    }
    let shown = quoted(&folder.join("/"));
    if let Some(other) = files.iter().find(|name| !has_extension(name, &DOCUMENTS)) {
        let what = format!(
            "the `agent.toml` is in the folder {shown}, but there are files outside, such as {}",
            quoted(other)
        );
        return refuse(what, format!("move the files that the agent needs into {shown}, and pack that folder only"));
    }
    notes.add(format!("there are documents outside the agent's folder: {}", listed(&files)), "left out");
    Ok(())
}

/// Returns the number of folders around all files. Stops at the first folder with a file that the course's command
/// names.
fn common_depth(items: &[Item], programs: &Programs) -> usize {
    let files: Vec<&[String]> = items.iter().filter(|item| !item.is_folder).map(|item| &item.parts[..]).collect();
    let Some(first) = files.first() else { return 0 };
    let is_common = |depth: usize| files.iter().all(|parts| parts.len() > depth + 1 && parts[depth] == first[depth]);
    let has_program =
        |depth: usize| files.iter().any(|parts| parts.len() > depth && programs.names(&parts[depth..].join("/")));
    (0..first.len()).take_while(|&depth| is_common(depth) && !has_program(depth)).count()
}
