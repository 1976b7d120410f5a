//! How the page's server gives memory back.
//!
//! Each search of an engine has a table of 8 MiB. The C library of GNU keeps such memory when it is freed, in as many
//! heaps as there are threads: an attacked server grew to 290 MiB and stayed there. With these settings, which the
//! library reads only when a program starts, it took 65 MiB and went back to 33.

use std::process::Command;

/// Two heaps for all threads; what is larger than 128 KiB goes back to the system when it is freed.
const SETTINGS: [(&str, &str); 3] =
    [("MALLOC_ARENA_MAX", "2"), ("MALLOC_MMAP_THRESHOLD_", "131072"), ("MALLOC_TRIM_THRESHOLD_", "131072")];

/// Starts this program anew, in the same process, with the settings. Returns where there is nothing to be done: they
/// are there already, the user has others, the system has another library, or it refuses.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::os::unix::process::CommandExt;

        let is_set = |(name, _): &(&str, &str)| std::env::var_os(name).is_some();
        if SETTINGS.iter().any(is_set) {
            return;
        }
        let mut arguments = std::env::args_os();
        if let (Ok(program), Some(name)) = (std::env::current_exe(), arguments.next()) {
            // This returns only if it fails; then the server works, and keeps more memory.
            let _ = Command::new(program).arg0(name).args(arguments).envs(SETTINGS).exec();
        }
    }
}

/// Another program does without the settings.
pub(crate) fn unset(command: &mut Command) -> &mut Command {
    SETTINGS.iter().fold(command, |command, (name, _)| command.env_remove(name))
}
