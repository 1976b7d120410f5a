// The WebAssembly module with the games: how it is fetched, and how it is called.

import { instantiateThreaded, isThreaded } from "./threads.js";

/** @typedef {(call: object) => void} Caller Calls the module; it returns when the call has been carried out. */

/**
 * The module, compiled while it comes. It is stored compressed, so that hosts need not compress, under a
 * name by which no host takes it for a file that it should unpack.
 */
export async function fetchModule() {
  const answer = await fetch(new URL("plyhouse.bin", import.meta.url));
  if (!answer.ok || !answer.body) throw new Error(`plyhouse.bin: ${answer.status} ${answer.statusText}`);
  const bytes = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(bytes, { headers: { "content-type": "application/wasm" } }));
}

/**
 * An instance with memory of its own, and as many threads as it can have of these.
 * @param {WebAssembly.Module} module @param {number} threads
 * @param {(text: string) => void} onOutput Hears each output when it comes.
 * @returns {Promise<Caller>}
 */
export async function instantiate(module, threads, onOutput) {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  /** @param {WebAssembly.Memory} memory */
  const pageOf = (memory) => ({
    /** Texts in shared memory are copied first. @param {number} start @param {number} length */
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
