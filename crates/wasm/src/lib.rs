//! The WebAssembly module of the static site.
//!
//! A browser writes a call into the [`input`] and calls [`call`]; each output comes through the import `output`, as
//! JSON. [`house::Program`] has the calls. The page's scripts `house.js` and `thinker.js` are the other side.
//!
//! This is the only crate of ours with `unsafe` code, and has nothing else: a module's exports and imports are unsafe
//! items in Rust, because no compiler checks the other side.
//!
//! Built for `wasm32-unknown-unknown` it has one thread, and the import `now` is its clock. Built for
//! `wasm32-wasip1-threads` it has the threads and the clock of that system, which `threads.js` provides where a browser
//! shares memory between workers.
//!
//! Not here: anything that can be tested without a browser.

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
    /// Hears an output: `length` bytes of UTF-8 at `start`, which are gone when it returns.
    fn output(start: *const u8, length: usize);
}

/// Sends an output.
fn send(text: &str) {
    #[cfg(target_arch = "wasm32")]
    // SAFETY: the page reads these bytes, which are there until it returns, and writes none.
    unsafe {
        output(text.as_ptr(), text.len());
    }
    #[cfg(not(target_arch = "wasm32"))]
    let _ = text;
}

/// Makes room for a call of so many bytes and returns where it begins. The room is there until the next call of this
/// function.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Carries out the call that was written into the [`input`].
#[unsafe(no_mangle)]
pub extern "C" fn call() {
    let input = INPUT.take();
    let text = String::from_utf8_lossy(&input);
    PROGRAM.with_borrow_mut(|program| program.call(&text, &mut send));
}
