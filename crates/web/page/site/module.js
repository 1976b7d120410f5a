// The WebAssembly module of the games: fetching and calling it.

import { instantiateThreaded, isThreaded } from "./threads.js";

/** @typedef {(call: object) => void} Caller Calls the module, and returns after the call. */

/**
 * Fetches the module and compiles it during the download. The file is compressed with gzip, so that hosts need not
 * compress it. With the extension `.gz`, some hosts would make the browser decompress it; hence `.bin`.
 */
export async function fetchModule() {
  const answer = await fetch(new URL("plyhouse.bin", import.meta.url));
  if (!answer.ok || !answer.body) throw new Error(`plyhouse.bin: ${answer.status} ${answer.statusText}`);
  const bytes = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(bytes, { headers: { "content-type": "application/wasm" } }));
}

/**
 * Creates an instance with its own memory and at most `threads` threads.
 * @param {WebAssembly.Module} module @param {number} threads
 * @param {(text: string) => void} onOutput Receives each output immediately.
 * @returns {Promise<Caller>}
 */
export async function instantiate(module, threads, onOutput) {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  /** @param {WebAssembly.Memory} memory */
  const pageOf = (memory) => ({
    /** Copies the text, because decoders reject shared memory. @param {number} start @param {number} length */
    output: (start, length) => onOutput(decoder.decode(new Uint8Array(memory.buffer, start, length).slice())),
  });
  const { exports, memory } = isThreaded(module)
    ? await instantiateThreaded(module, threads, pageOf)
    : await instantiateAlone(module, pageOf);
  return (call) => {
    const bytes = encoder.encode(JSON.stringify(call));
    const start = exports.input(bytes.length);
    new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
    exports.call();
  };
}

/** @param {WebAssembly.Module} module @param {(memory: WebAssembly.Memory) => any} pageOf */
async function instantiateAlone(module, pageOf) {
  /** @type {any} */
  let exports = null;
  const memory = /** @type {WebAssembly.Memory} */ ({
    get buffer() {
      return exports.memory.buffer;
    },
  });
  ({ exports } = await WebAssembly.instantiate(module, { page: { ...pageOf(memory), now: () => performance.now() } }));
  return { exports, memory };
}
