// The connection to the games in the static site, where a worker with the house takes the place of the server. This
// file replaces `js/transport/wire.js` and has the same functions.

/** @typedef {{ onOpen: () => void, onText: (text: string) => void, onClose: () => void }} Hear */

/** @type {Worker | null} The house, started with the first connection. */
let house = null;
/** @type {() => Promise<WebAssembly.Module>} */
let fetchModule;
/** @type {Promise<WebAssembly.Module> | null} Fetched by the page, so that it downloads while the worker starts. */
let module = null;
/** @type {Map<number, Hear>} The connections that are open or opening. */
const wires = new Map();
/** @type {Map<number, (answer: any) => void>} Pending questions. */
const asked = new Map();
let next = 1;

/** Closes every connection to a failed house. Views then reconnect, which starts another house. */
function fall() {
  house?.terminate();
  house = null;
  const [fallen, unanswered] = [[...wires.values()], [...asked.values()]];
  wires.clear();
  asked.clear();
  for (const answer of unanswered) answer(null);
  for (const { onClose } of fallen) onClose();
}

/** @returns {Worker} */
function open() {
  const worker = new Worker(new URL("../../site/house.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.kind === "open") wires.get(data.page)?.onOpen();
    if (data.kind === "text") wires.get(data.page)?.onText(data.text);
    if (data.kind === "answer") {
      asked.get(data.id)?.(JSON.parse(data.text));
      asked.delete(data.id);
    }
    if (data.kind === "fallen") fall();
  };
  worker.onerror = fall;
  const fetched = (module ??= fetchModule());
  fetched.then(
    (compiled) => worker.postMessage({ kind: "module", module: compiled }),
    (error) => {
      console.error(error);
      module = null;
      if (house === worker) fall();
    },
  );
  return worker;
}

/**
 * Starts the worker, so that it is ready when the first connection is opened.
 * @param {() => Promise<WebAssembly.Module>} fetchIt
 */
export function begin(fetchIt) {
  fetchModule = fetchIt;
  house ??= open();
}

/** @param {Hear} hear @returns {import("../js/transport/wire.js").Wire} */
export function openWire(hear) {
  const page = next++;
  let opened = false;
  wires.set(page, {
    ...hear,
    onOpen() {
      opened = true;
      hear.onOpen();
    },
  });
  house ??= open();
  house.postMessage({ kind: "open", page });
  return {
    send(text) {
      if (!opened || !wires.has(page)) return false;
      house?.postMessage({ kind: "text", page, text });
      return true;
    },
    close() {
      if (wires.delete(page)) house?.postMessage({ kind: "close", page });
    },
  };
}

/** @typedef {() => void} Accept Switches to the new version. */

/** @type {Accept | null} */
let accept = null;
/** @type {((accept: Accept) => void) | null} */
let onVersion = null;

/**
 * Offers a new version to the page. If it is already active in other pages, `activate` is `null`.
 * @param {(() => void) | null} activate
 */
export function offerVersion(activate) {
  accept = () => {
    const reload = () => location.reload();
    if (!activate) return reload();
    navigator.serviceWorker.addEventListener("controllerchange", reload);
    activate();
  };
  onVersion?.(accept);
}

/** @param {(accept: Accept) => void} listener */
export function onNewVersion(listener) {
  onVersion = listener;
  if (accept) listener(accept);
}

/** @param {object} question @returns {Promise<any>} */
export function askAtLength(question) {
  house ??= open();
  const id = next++;
  house.postMessage({ kind: "ask", id, question: JSON.stringify(question) });
  return new Promise((resolve) => asked.set(id, resolve));
}
