// Threads for a module that was built for them: workers that share its memory. Browsers allow shared memory only if the
// host sends the headers for cross-origin isolation. A module without threads needs none of this.

/** Size in pages of 64 KiB, as linked into the module. */
const MEMORY = { initial: 1024, maximum: 16_384, shared: true };
/** States of a helper in the control array: ready, chosen, working. */
const [READY, CHOSEN, WORKS] = [1, 2, 3];
/** Number of control entries of each helper: its state, the thread's number, and the thread's start argument. */
const PLACES = 3;
/** Maximum time that a thread waits for a ready helper, in milliseconds. */
const PATIENCE = 20;

/** Returns `true` if a module shares its memory. @param {WebAssembly.Module} module */
export const isThreaded = (module) => WebAssembly.Module.imports(module).some((one) => one.kind === "memory");

/** Returns the number of threads that a search may use. @param {WebAssembly.Module} module */
export const threadsFor = (module) =>
  isThreaded(module) && crossOriginIsolated ? Math.min(navigator.hardwareConcurrency, 32) : 1;

/** Returns the WASI functions that the module imports. @param {WebAssembly.Memory} memory */
function wasi(memory) {
  const view = () => new DataView(memory.buffer);
  return {
    /** @param {number} start @param {number} length */
    random_get(start, length) {
      new Uint8Array(memory.buffer, start, length).set(crypto.getRandomValues(new Uint8Array(length)));
      return 0;
    },
    /** @param {number} _id @param {bigint} _precision @param {number} out */
    clock_time_get(_id, _precision, out) {
      const ms = performance.timeOrigin + performance.now();
      view().setBigUint64(out, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    /** Reports an empty environment. @param {number} count @param {number} size */
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    /**
     * Writes to the console. Only panics write.
     * @param {number} _file @param {number} parts @param {number} count @param {number} written
     */
    fd_write(_file, parts, count, written) {
      let length = 0;
      for (let part = 0; part < count; part++) {
        const [start, size] = [0, 4].map((at) => view().getUint32(parts + 8 * part + at, true));
        console.error(new TextDecoder().decode(new Uint8Array(memory.buffer, start, size).slice()));
        length += size;
      }
      view().setUint32(written, length, true);
      return 0;
    },
    /** @param {number} code */
    proc_exit(code) {
      throw new Error(`the module has ended: ${code}`);
    },
    sched_yield: () => 0,
  };
}

/**
 * Returns the imports of a module with threads, except those from `page`.
 * @param {WebAssembly.Memory} memory @param {any} spawn
 */
const imports = (memory, spawn) => ({
  env: { memory },
  wasi_snapshot_preview1: wasi(memory),
  wasi: { "thread-spawn": spawn },
});

/**
 * Starts workers that wait for threads.
 * @param {WebAssembly.Module} module @param {WebAssembly.Memory} memory @param {number} count
 */
async function hire(module, memory, count) {
  const control = new Int32Array(new SharedArrayBuffer(4 * PLACES * count));
  const ready = Array.from({ length: count }, (_, place) => {
    const worker = new Worker(new URL("helper.js", import.meta.url), { type: "module" });
    worker.postMessage({ module, memory, control, place });
    return new Promise((resolve) => (worker.onmessage = resolve));
  });
  await Promise.all(ready);
  return control;
}

/**
 * Assigns a thread to a ready helper. Returns `false` if none is ready in time.
 * @param {Int32Array} control @param {number} number @param {number} start
 */
function assign(control, number, start) {
  const until = performance.now() + PATIENCE;
  do {
    for (let at = 0; at < control.length; at += PLACES) {
      if (Atomics.compareExchange(control, at, READY, CHOSEN) !== READY) continue;
      Atomics.store(control, at + 1, number);
      Atomics.store(control, at + 2, start);
      Atomics.store(control, at, WORKS);
      Atomics.notify(control, at);
      return true;
    }
  } while (performance.now() < until);
  return false;
}

/**
 * Creates an instance whose threads are this worker and helpers.
 * @param {WebAssembly.Module} module @param {number} threads @param {(memory: WebAssembly.Memory) => any} pageOf
 */
export async function instantiateThreaded(module, threads, pageOf) {
  const memory = new WebAssembly.Memory(MEMORY);
  /** @type {Int32Array} */
  let control = new Int32Array(0);
  let number = 0;
  const spawn = (/** @type {number} */ start) => (assign(control, ++number, start) ? number : -1);
  // The first instance initializes the memory and runs the first thread, so it is created before the helpers.
  const instance = await WebAssembly.instantiate(module, { ...imports(memory, spawn), page: pageOf(memory) });
  const exports = /** @type {any} */ (instance.exports);
  exports._initialize();
  if (threads > 1) control = await hire(module, memory, threads - 1);
  return { exports, memory };
}

/**
 * Runs the threads that are assigned to this helper, one after the other.
 * @param {{ module: WebAssembly.Module, memory: WebAssembly.Memory, control: Int32Array, place: number }} work
 */
export async function help({ module, memory, control, place }) {
  const page = { output: () => console.error("unexpected output of a helper thread") };
  // A helper does not start threads.
  const { exports } = await WebAssembly.instantiate(module, { ...imports(memory, () => -1), page });
  const start = /** @type {any} */ (exports).wasi_thread_start;
  const at = PLACES * place;
  Atomics.store(control, at, READY);
  postMessage("ready");
  for (;;) {
    for (let state = Atomics.load(control, at); state !== WORKS; state = Atomics.load(control, at)) {
      Atomics.wait(control, at, state);
    }
    start(control[at + 1], control[at + 2]);
    Atomics.store(control, at, READY);
  }
}
