//! `plyhouse completions` and `plyhouse man`: shell completions and manual pages, generated from the programs' options.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command, CommandFactory, ValueEnum};
use clap_complete::Shell;

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
    // The generator panics if it cannot write, for example if the reader has closed the pipe.
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, name, &mut script);
    Ok(out.write_all(&script)?)
}

/// Writes the manual pages. `plyhouse` is the definition of the program with all commands.
pub(crate) fn write_man(options: &ManOptions, plyhouse: &Command) -> anyhow::Result<()> {
    let folder = || format!("folder {}", options.folder.display());
    std::fs::create_dir_all(&options.folder).with_context(folder)?;
    for program in Program::value_variants() {
        clap_mangen::generate_to(program.command(plyhouse), &options.folder).with_context(folder)?;
    }
    Ok(())
}
