//! The help of `plyhouse`: its commands in groups.

use std::fmt::Write;

use clap::Command;

/// Groups of commands. A test checks that each command is in exactly one group.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["page", "play"]),
    ("Test and compete", &["script", "arena", "course", "work"]),
    ("Analyse and prove", &["analyse", "moves", "prove", "verify", "solve", "book", "endgames", "puzzles"]),
    ("Develop engines", &["engine", "match", "suite", "eval", "bench", "perft"]),
    ("Install", &["completions", "man"]),
];

/// Maximum width of a line, in characters; the same as in other help texts.
const WIDTH: usize = 100;
/// Column in which descriptions begin.
const INDENT: usize = 15;

/// Groups the commands in the help of a program.
pub(crate) fn grouped(command: Command) -> Command {
    let groups: String = GROUPS.iter().map(|group| listed(&command, group)).collect();
    let header = command.get_styles().get_header();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n{{options}}\n\n\
         `plyhouse help COMMAND` explains a command.\n"
    );
    command.help_template(template)
}

fn listed(command: &Command, (group, names): &(&str, &[&str])) -> String {
    let (header, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let mut text = format!("{header}{group}:{header:#}\n");
    for name in *names {
        let about = command.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string);
        let _ = writeln!(text, "  {literal}{name:<13}{literal:#}{}", wrapped(&about.unwrap_or_default()));
    }
    text.push('\n');
    text
}

/// Breaks a description into lines.
fn wrapped(text: &str) -> String {
    let (mut lines, mut column) = (String::new(), INDENT);
    for word in text.split_whitespace() {
        let width = word.chars().count() + usize::from(column > INDENT);
        if column + width > WIDTH {
            let _ = write!(lines, "\n{:INDENT$}{word}", "");
            column = INDENT + word.chars().count();
        } else {
            lines.push_str(if column > INDENT { " " } else { "" });
            lines.push_str(word);
            column += width;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::umbrella::Options;
    use clap::CommandFactory as _;

    #[test]
    fn each_command_is_in_one_group() {
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let command = Options::command();
        let mut all: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        listed.sort_unstable();
        all.sort_unstable();
        assert_eq!(listed, all);
    }

    #[test]
    fn the_help_describes_each_command_in_short_lines() {
        let help = grouped(Options::command()).render_long_help().to_string();
        for subcommand in Options::command().get_subcommands() {
            let about = subcommand.get_about().expect("a description").to_string();
            let first: Vec<&str> = about.split_whitespace().take(5).collect();
            let line = help.lines().find(|line| line.starts_with(&format!("  {} ", subcommand.get_name())));
            assert!(line.is_some_and(|line| line.contains(&first.join(" "))), "{line:?}: {about}");
        }
        assert!(help.lines().all(|line| line.chars().count() <= WIDTH), "{help}");
    }
}
