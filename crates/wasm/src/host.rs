//! The clock and the threads of searches, as far as the target provides them.

#[cfg(not(target_os = "wasi"))]
pub(crate) use page::HOST;
#[cfg(target_os = "wasi")]
pub(crate) use wasi::HOST;

/// The clock of the page, and no threads.
#[cfg(not(target_os = "wasi"))]
mod page {
    use core::time::Duration;

    use search::{Host, Sequential};

    pub(crate) const HOST: Host =
        Host { clock: Some(|| Duration::from_secs_f64(now().max(0.0) / 1e3)), threads: &Sequential };

    #[cfg(target_arch = "wasm32")]
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Returns the time of a monotonic clock, in milliseconds.
        safe fn now() -> f64;
    }

    /// Returns 0. This version lets the workspace compile for other targets, which have no page.
    #[cfg(not(target_arch = "wasm32"))]
    fn now() -> f64 {
        0.0
    }
}

/// The clock and the threads of WASI. Each thread is a worker of the browser.
#[cfg(target_os = "wasi")]
mod wasi {
    use std::sync::OnceLock;
    use std::thread::{self, Builder};
    use std::time::{Duration, Instant};

    use search::{Host, Threads};

    /// Stack of each thread, in bytes: sufficient for recursion as deep as the longest game.
    const STACK: usize = 16 << 20;

    pub(crate) const HOST: Host = Host { clock: Some(now), threads: &Workers };

    fn now() -> Duration {
        static FIRST_CALL: OnceLock<Instant> = OnceLock::new();
        FIRST_CALL.get_or_init(Instant::now).elapsed()
    }

    #[derive(Debug)]
    struct Workers;

    impl Threads for Workers {
        /// Runs the helpers in workers. Helpers whose worker cannot be started run after the others have ended.
        fn run(&self, lead: &mut dyn FnMut(), helpers: usize, help: &(dyn Fn(usize) + Sync)) {
            let late = thread::scope(|scope| {
                let begin = |helper| Builder::new().stack_size(STACK).spawn_scoped(scope, move || help(helper));
                let late: Vec<usize> = (0..helpers).filter(|&helper| begin(helper).is_err()).collect();
                lead();
                late
            });
            late.into_iter().for_each(help);
        }
    }
}
