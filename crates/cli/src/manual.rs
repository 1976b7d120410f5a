//! `plyhouse completions` and `plyhouse man`: shell completions and manual pages, generated from the programs' options.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Arg, Args, Command, CommandFactory, ValueEnum, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use jiff::Timestamp;

use crate::{checkers, jump61, loa, loa6};

/// Print a script that completes a program's options in a shell
///
/// For bash, add `source <(plyhouse completions bash)` to ~/.bashrc; for zsh, add `source <(plyhouse completions zsh)`
/// to ~/.zshrc; for fish, add `plyhouse completions fish | source` to config.fish; for PowerShell, add
/// `plyhouse completions powershell | Out-String | Invoke-Expression` to $PROFILE.
#[derive(Args)]
pub(crate) struct CompletionsOptions {
    /// The shell
    shell: Shell,
    /// The program
    #[arg(value_enum, default_value = "plyhouse")]
    program: Program,
}

/// Write the manual pages of all programs into a folder
///
/// For example `plyhouse man ~/.local/share/man/man1`. `man plyhouse-arena-run` then shows one of them.
#[derive(Args)]
pub(crate) struct ManOptions {
    /// The folder; it is created if it does not exist
    folder: PathBuf,
}

/// Our programs.
#[derive(Clone, Copy, ValueEnum)]
enum Program {
    /// The program with all commands
    Plyhouse,
    /// Lines of Action, 8x8
    Loa,
    /// The agent for 6x6 Lines of Action
    Loa6,
    /// The Melbourne checkers variant
    Checkers,
    /// Jump61
    Jump61,
}

impl Program {
    /// Returns the command-line definition of this program. `plyhouse` is the definition of the program with all
    /// commands.
    fn command(self, plyhouse: &Command) -> Command {
        match self {
            Self::Plyhouse => plyhouse.clone(),
            Self::Loa => loa::Options::command(),
            Self::Loa6 => loa6::Options::command(),
            Self::Checkers => checkers::Options::command(),
            Self::Jump61 => jump61::Options::command(),
        }
    }
}

/// Prints the completions of a program. `plyhouse` is the definition of the program with all commands.
pub(crate) fn print_completions(
    options: &CompletionsOptions,
    plyhouse: &Command,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut command = options.program.command(plyhouse);
    let name = command.get_name().to_owned();
    command.set_bin_name(&name);
    // Some commands add their options only when they are built.
    command.build();
    let mut command = hinted(command);
    // The generator panics if it cannot write, for example if the reader has closed the pipe.
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, name, &mut script);
    Ok(out.write_all(&script)?)
}

/// Marks the values that are not files, because shells complete the names of files for all unmarked values.
fn hinted(command: Command) -> Command {
    command.mut_args(|arg| if let Some(hint) = hint(&arg) { arg.value_hint(hint) } else { arg }).mut_subcommands(hinted)
}

/// Returns the hint for an option that has none. Options with a path as their type have one.
fn hint(arg: &Arg) -> Option<ValueHint> {
    if arg.get_value_hint() != ValueHint::Unknown || !arg.get_action().takes_values() {
        return None;
    }
    Some(match arg.get_value_names().and_then(<[_]>::first).map(clap::builder::Str::as_str) {
        Some("AGENT" | "FILE|URL") => ValueHint::AnyPath,
        Some("BUILD" | "CMD" | "COMMAND") => ValueHint::CommandString,
        _ => ValueHint::Other,
    })
}

/// Writes the manual pages. `plyhouse` is the definition of the program with all commands.
pub(crate) fn write_man(options: &ManOptions, plyhouse: &Command) -> anyhow::Result<()> {
    let folder = || format!("folder {}", options.folder.display());
    let date = date()?;
    std::fs::create_dir_all(&options.folder).with_context(folder)?;
    for program in Program::value_variants() {
        let mut command = program.command(plyhouse).disable_help_subcommand(true);
        command.build();
        write_pages(&command, &date, &options.folder).with_context(folder)?;
    }
    Ok(())
}

/// Writes the manual pages of a command and of its subcommands.
fn write_pages(command: &Command, date: &str, folder: &Path) -> std::io::Result<()> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        write_pages(subcommand, date, folder)?;
    }
    let source = concat!("Plyhouse ", env!("CARGO_PKG_VERSION"));
    Man::new(command.clone()).date(date).source(source).manual("Plyhouse").generate_to(folder)?;
    Ok(())
}

/// Returns the date of the manual pages, in UTC: `SOURCE_DATE_EPOCH`, which makes packages reproducible, or today.
fn date() -> anyhow::Result<String> {
    let time = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => {
            let seconds = text.parse().with_context(|| format!("SOURCE_DATE_EPOCH: {text}: expected seconds"))?;
            Timestamp::from_second(seconds).context("SOURCE_DATE_EPOCH")?
        }
        Err(_) => Timestamp::now(),
    };
    Ok(time.strftime("%Y-%m-%d").to_string())
}
