// The WebAssembly module with the games: how it is fetched, and how it is called.

/** @typedef {(call: object) => void} Caller Calls the module; it returns when the call has been carried out. */

/** The module, compiled while it comes. It is stored compressed, so that hosts need not compress. */
export async function fetchModule() {
  const answer = await fetch(new URL("plyhouse.wasm.gz", import.meta.url));
  if (!answer.ok || !answer.body) throw new Error(`plyhouse.wasm.gz: ${answer.status} ${answer.statusText}`);
  const bytes = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(bytes, { headers: { "content-type": "application/wasm" } }));
}

/**
 * An instance with memory of its own.
 * @param {WebAssembly.Module} module @param {(text: string) => void} onOutput Hears each output when it comes.
 * @returns {Promise<Caller>}
 */
export async function instantiate(module, onOutput) {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  /** @type {any} */
  let exports = null;
  const page = {
    /** @param {number} start @param {number} length */
    output: (start, length) => onOutput(decoder.decode(new Uint8Array(exports.memory.buffer, start, length))),
    now: () => performance.now(),
  };
  ({ exports } = await WebAssembly.instantiate(module, { page }));
  return (call) => {
    const bytes = encoder.encode(JSON.stringify(call));
    const start = exports.input(bytes.length);
    new Uint8Array(exports.memory.buffer, start, bytes.length).set(bytes);
    exports.call();
  };
}
