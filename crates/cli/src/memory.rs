//! Allocator settings with which the page's server returns memory to the system.
//!
//! Each search of an engine has a table of 8 MiB. The GNU C library keeps freed memory, in up to one heap for each
//! thread: a server grew to 290 MiB under attack and stayed there. With these settings, which the library reads only at
//! program start, the server grew to 65 MiB and shrank to 33 MiB.

use std::process::Command;

/// Two heaps for all threads; memory blocks of 128 KiB or more are returned to the system when they are freed.
const SETTINGS: [(&str, &str); 3] =
    [("MALLOC_ARENA_MAX", "2"), ("MALLOC_MMAP_THRESHOLD_", "131072"), ("MALLOC_TRIM_THRESHOLD_", "131072")];

/// Restarts this program with the settings, in the same process. Returns if a setting is present, if the system has
/// another C library, or if the restart fails.
pub(crate) fn restart_with_settings() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::os::unix::process::CommandExt;

        let is_set = |(name, _): &(&str, &str)| std::env::var_os(name).is_some();
        if SETTINGS.iter().any(is_set) {
            return;
        }
        let mut arguments = std::env::args_os();
        if let (Ok(program), Some(name)) = (std::env::current_exe(), arguments.next()) {
            // On failure, the server works without the settings and keeps more memory.
            let _ = Command::new(program).arg0(name).args(arguments).envs(SETTINGS).exec();
        }
    }
}

/// Removes the settings from the environment of another program.
pub(crate) fn unset(command: &mut Command) -> &mut Command {
    SETTINGS.iter().fold(command, |command, (name, _)| command.env_remove(name))
}
