// The worker of the house. The house has the rooms and the finished games, answers immediately, and gives slow tasks to
// thinkers, which are workers too.

import { instantiate } from "./module.js";
import { allGames, deleteGame, storeGame } from "./store.js";
import { threadsFor } from "./threads.js";

/** Error after a failure of a thinker, for example because of insufficient memory. */
const BROKEN = { code: "house.broken", text: "The engine has failed. Reload the page to continue." };

/** @typedef {{ worker: Worker, number: number, page: number | null, keeps: boolean }} Thinker */

/** @type {Map<number, Thinker>} Busy thinkers by the number of their task. */
const busy = new Map();
/** @type {Worker[]} */
const idle = [];
/** @type {(module: WebAssembly.Module) => void} */
let receive;
/** @type {Promise<WebAssembly.Module>} The module, sent by the page. */
const modules = new Promise((resolve) => (receive = resolve));
/** The other tabs of this site. */
const others = new BroadcastChannel(`plyhouse ${new URL("../..", import.meta.url).pathname}`);

const now = () => ({ ms: Math.floor(performance.now()), date: Math.floor(Date.now() / 1000) });

/**
 * Calls that arrive before the house exists, in order.
 * @type {((house: import("./module.js").Caller) => void)[]}
 */
let waiting = [];
/** @type {import("./module.js").Caller | null} */
let house = null;

/** Calls the house, with the current time. @param {object} message */
function call(message) {
  const timed = { ...message, now: now() };
  if (!house) waiting.push((house) => house(timed));
  else {
    try {
      house(timed);
    } catch (error) {
      console.error(error);
      postMessage({ kind: "fallen" });
    }
  }
}

/** @param {number} page @param {object} answer */
const tell = (page, answer) => postMessage({ kind: "text", page, text: JSON.stringify(answer) });

/** @type {number | undefined} The timer of the next wake-up. */
let alarm;
/** Maximum time that a result waits for the browser's storage, in milliseconds. */
const PATIENCE = 1000;
/** Number of waiting effects, and the promise of the last one. */
let held = 0;
let last = Promise.resolve();

/**
 * Performs an effect. Effects that follow a storage operation wait until it has ended, because a user who sees their
 * results may close the page.
 * @param {any} effect
 */
function carryOut(effect) {
  const stores = effect.kind === "keep" || effect.kind === "forget";
  if (!stores && held === 0) return void act(effect);
  held++;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  last = last
    .then(() => Promise.race([act(effect), late]))
    .catch((error) => console.error(error))
    .then(() => void held--);
}

/** @param {any} effect @returns {unknown} */
function act(effect) {
  switch (effect.kind) {
    case "tell":
      return tell(effect.page, effect.answer);
    case "begin":
      return begin(effect);
    case "end":
      return end(effect.number);
    case "wake":
      clearTimeout(alarm);
      if (effect.at === null) return undefined;
      alarm = setTimeout(() => call({ wake: {} }), Math.max(0, effect.at - performance.now()));
      return undefined;
    case "keep":
      others.postMessage({ keep: { game: effect.game } });
      return storeGame(effect.game);
    case "forget":
      others.postMessage({ forget: { name: effect.name } });
      return deleteGame(effect.name);
    default:
      return console.error(effect.wrong);
  }
}

/** Starts a task in a thinker. @param {{ number: number, page: number | null, task: any }} effect */
async function begin({ number, page, task }) {
  if (task.replies) {
    // Only the thinker that found the proof can answer.
    busy.get(task.replies.of)?.worker.postMessage({ call: { task: { task, threads: 1 } } });
    return queueMicrotask(() => call({ ended: { number } }));
  }
  const rested = idle.pop();
  const worker = rested ?? new Worker(new URL("thinker.js", import.meta.url), { type: "module" });
  /** @type {Thinker} */
  const thinker = { worker, number, page, keeps: "prove" in task.search.goal };
  busy.set(number, thinker);
  worker.onmessage = ({ data }) => hear(thinker, data);
  worker.onerror = () => {
    busy.delete(number);
    worker.terminate();
    call({ ended: { number } });
    const failed = { is: "refused", id: null, message: BROKEN };
    for (const seen of page === null ? pages : [page]) tell(seen, failed);
  };
  const module = await modules;
  const threads = threadsFor(module);
  if (!rested) worker.postMessage({ module, threads });
  worker.postMessage({ call: { task: { task, threads } } });
}

/** @param {Thinker} thinker @param {any} data */
function hear(thinker, { said, done }) {
  if (busy.get(thinker.number) !== thinker) return;
  if (done) {
    call({ ended: { number: thinker.number } });
    // A thinker with a proof answers requests until it is dismissed.
    if (thinker.keeps) return;
    busy.delete(thinker.number);
    idle.push(thinker.worker);
  } else if (said.answer) {
    if (thinker.page !== null) tell(thinker.page, said.answer);
  } else if ("move" in said) {
    call({ moved: { number: thinker.number, text: said.move } });
  }
}

/**
 * Ends a task. A busy thinker receives no messages, so it is terminated. A later task starts another thinker.
 * @param {number} number
 */
function end(number) {
  busy.get(number)?.worker.terminate();
  busy.delete(number);
}

/** @type {Set<number>} The open pages. */
const pages = new Set();

/** @param {MessageEvent} event */
onmessage = ({ data }) => {
  const { kind, page } = data;
  if (kind === "module") receive(data.module);
  if (kind === "open") {
    pages.add(page);
    call({ open: { page } });
    if (house) postMessage({ kind: "open", page });
    else waiting.push(() => postMessage({ kind: "open", page }));
  }
  if (kind === "text") call({ hear: { page, text: data.text } });
  if (kind === "close") {
    pages.delete(page);
    call({ close: { page } });
  }
  if (kind === "ask") {
    const answer = (/** @type {string} */ text) => postMessage({ kind: "answer", id: data.id, text });
    const question = { ask: { question: data.question } };
    const ask = () => {
      hearing = answer;
      call(question);
      hearing = null;
    };
    if (house) ask();
    else waiting.push(ask);
  }
};

/** @type {((text: string) => void) | null} Receiver of the next output, in place of the house's effects. */
let hearing = null;

others.onmessage = (/** @type {MessageEvent} */ { data }) => call(data);

try {
  const [module, archive] = await Promise.all([modules, allGames()]);
  const built = await instantiate(module, 1, (text) => (hearing ? hearing(text) : carryOut(JSON.parse(text))));
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  built({ house: { seed, archive } });
  house = built;
  for (const heard of waiting) heard(built);
  waiting = [];
} catch (error) {
  console.error(error);
  postMessage({ kind: "fallen" });
}
