//! The WebAssembly module of the static site.
//!
//! A browser writes a call into the [`input`] and calls [`call`]. The module passes each output to the import `output`
//! as JSON. [`house::Program`] defines the calls. The page's scripts `house.js` and `thinker.js` are the callers.
//!
//! This is the only crate of the workspace with `unsafe` code, so it contains only the interface of the module. In
//! Rust, exports and imports of a module are unsafe items, because the compiler cannot check the other side.
//!
//! The target `wasm32-unknown-unknown` has one thread and uses the import `now` as its clock. The target
//! `wasm32-wasip1-threads` has the threads and the clock of WASI, which `threads.js` provides in browsers that share
//! memory between workers.
//!
//! Code that can be tested without a browser is in the crate `house`.

mod host;

use std::cell::RefCell;

use house::Program;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PROGRAM: RefCell<Program> = RefCell::new(Program::new(host::HOST));
}

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Receives an output: `length` bytes of UTF-8 at `start`, valid until the function returns.
    fn output(start: *const u8, length: usize);
}

/// Sends an output.
fn send(text: &str) {
    #[cfg(target_arch = "wasm32")]
    // SAFETY: the page only reads these bytes, which are valid until the call returns.
    unsafe {
        output(text.as_ptr(), text.len());
    }
    #[cfg(not(target_arch = "wasm32"))]
    let _ = text;
}

/// Allocates a buffer for a call of `length` bytes and returns its start. The buffer is valid until the next call of
/// this function or of [`call`].
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Performs the call that was written into the [`input`].
#[unsafe(no_mangle)]
pub extern "C" fn call() {
    let input = INPUT.take();
    let text = String::from_utf8_lossy(&input);
    PROGRAM.with_borrow_mut(|program| program.call(&text, &mut send));
}
