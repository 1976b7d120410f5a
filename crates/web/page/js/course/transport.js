// Requests to a course's server: polling with entity tags, actions, and positions.

import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { locale } from "../text/index.js";
import { sceneInWords } from "../transport/translated.js";
import { dateText, pollDelay } from "./state/time.js";
import { sizeText } from "./state/upload.js";
import { errorText, words } from "./text/index.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Scene} Scene */

/** Timeout of a request, in milliseconds. */
const PATIENCE = 20_000;
/** Maximum number of answers and of positions that are kept for views that are opened again. */
const MOST_KEPT = 60;
const MOST_SCENES = 400;

/** An error of the server, in the language of the page. `status` is 0 if there was no answer. */
export class ServerError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Returns the error of an answer. @param {number} status @param {any} body */
export function errorOf(status, body) {
  const code = { 403: "notStaff", 404: "notFound" }[status];
  const error = body?.error ?? { code: code ?? String(status) };
  const args = { ...error.args };
  if (error.code === "tooLarge") args.limit = sizeText(Number(args.limit), locale);
  if (args.next) args.next = dateText(args.next, locale);
  return new ServerError(status, errorText({ ...error, args }));
}

/**
 * Sends a request. Errors without an answer have the status 0.
 * @param {string} path Below `course/`. @param {RequestInit} options
 */
async function request(path, options) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), PATIENCE);
  try {
    return await fetch(`course/${path}`, { ...options, signal: control.signal });
  } catch {
    throw new ServerError(0, words.upload.lost);
  } finally {
    clearTimeout(timer);
  }
}

/** The latest answers by path, with their entity tags. @type {Map<string, { tag: string | null, data: any }>} */
const kept = new Map();

/**
 * Adds an entry, and evicts the oldest ones.
 * @template V @param {Map<string, V>} map @param {string} key @param {V} value @param {number} most
 */
function keepIn(map, key, value, most) {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}

/**
 * Returns the current answer at a path. If the server reports no change, the same object is returned again.
 * @param {string} path @returns {Promise<any>}
 */
export async function fetched(path) {
  const known = kept.get(path);
  // With this header the browser does not answer from its own cache.
  const response = await request(path, { headers: known?.tag ? { "If-None-Match": known.tag } : {} });
  if (response.status === 304 && known) return known.data;
  const body = await response.json().catch(() => null);
  if (response.ok && body === null) throw new ServerError(0, words.upload.lost);
  // A proxy answers with an error of its own while the server restarts.
  if (response.status >= 500 && !body?.error) throw new ServerError(0, words.upload.lost);
  if (!response.ok) throw errorOf(response.status, body);
  keepIn(kept, path, { tag: response.headers.get("ETag"), data: body }, MOST_KEPT);
  return body;
}

/** The pollers, which an action makes ask at once. @type {Set<() => void>} */
const pollers = new Set();

/** Fetches everything that is shown again. */
export function refreshAll() {
  for (const poll of pollers) poll();
}

/**
 * Posts an action, and then fetches everything that is shown again.
 * @param {string} path @param {object} [body] @returns {Promise<any>}
 */
export async function post(path, body = {}) {
  const headers = { "Content-Type": "application/json" };
  const response = await request(path, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw errorOf(response.status, answer);
  refreshAll();
  return answer;
}

/** The paths whose last request had no answer. @type {Set<object>} */
const lost = new Set();
/** @type {Set<(lost: boolean) => void>} */
const listeners = new Set();

/** @param {object} poller @param {boolean} now */
function setLost(poller, now) {
  if (now === lost.has(poller)) return;
  if (now) lost.add(poller);
  else lost.delete(poller);
  for (const listener of listeners) listener(lost.size > 0);
}

/** Calls a function when the connection was lost or restored. @param {(lost: boolean) => void} listener */
export function onLost(listener) {
  listeners.add(listener);
  listener(lost.size > 0);
  return () => void listeners.delete(listener);
}

/**
 * Polls a path until it is stopped.
 * @param {string} path @param {(data: any) => boolean} isBusy
 * @param {(data: any, error: ServerError | null) => void} hear Receives every answer and every failure; after a failure
 *   without an answer, the last data.
 */
function startPolling(path, isBusy, hear) {
  let timer = 0;
  let failures = 0;
  let isAsking = false;
  let asksAgain = false;
  let isOver = false;
  const own = {};
  /** @type {ServerError | null} */
  let error = null;
  async function poll() {
    // The request under way may be older than the action that caused this call.
    if (isAsking) return void (asksAgain = true);
    clearTimeout(timer);
    isAsking = true;
    asksAgain = false;
    let data = kept.get(path)?.data ?? null;
    try {
      data = await fetched(path);
      error = null;
      failures = 0;
    } catch (reason) {
      error = reason instanceof ServerError ? reason : new ServerError(0, String(reason));
      failures += 1;
      if (error.status) data = null;
    }
    isAsking = false;
    if (isOver) return;
    setLost(own, error?.status === 0);
    hear(data, error);
    if (asksAgain) return void poll();
    const now = { busy: data !== null && isBusy(data), hidden: document.hidden, failures };
    timer = window.setTimeout(poll, pollDelay(now, Math.random()));
  }
  const onShow = () => !document.hidden && poll();
  pollers.add(poll);
  document.addEventListener("visibilitychange", onShow);
  addEventListener("online", poll);
  poll();
  return () => {
    isOver = true;
    clearTimeout(timer);
    pollers.delete(poll);
    document.removeEventListener("visibilitychange", onShow);
    removeEventListener("online", poll);
    setLost(own, false);
  };
}

/**
 * @template T
 * @typedef {{ data: T | null, error: ServerError | null }} Polled `error` is an answer of the server; a lost connection
 *   is reported by `onLost`.
 */

/**
 * Returns the answer at a path, and updates it. After a lost connection the last answer remains.
 * @template T
 * @param {string | null} path `null` requests nothing.
 * @param {(data: T) => boolean} [isBusy] Returns `true` while something is running whose progress is shown.
 * @returns {Polled<T>}
 */
export function usePolled(path, isBusy = () => false) {
  const first = () => ({ path, data: /** @type {T | null} */ ((path && kept.get(path)?.data) ?? null), error: null });
  const [polled, setPolled] = useState(
    /** @type {() => Polled<T> & { path: string | null }} */ (first),
  );
  const busy = useRef(isBusy);
  busy.current = isBusy;
  useEffect(() => {
    if (path === null) return undefined;
    return startPolling(path, (data) => busy.current(data), (data, error) => {
      const shown = error?.status ? error : null;
      setPolled((now) =>
        now.path === path && now.data === data && now.error === shown ? now : { path, data, error: shown },
      );
    });
  }, [path]);
  return polled.path === path ? polled : first();
}

/** The positions that have arrived. @type {Map<string, Scene>} */
const scenes = new Map();

/**
 * Returns the position after a game, or `null` until it arrives; then the previous position remains until the next one
 * arrives. `failed` is set if the server refuses the game or does not answer.
 * @param {import("../transport/desk.js").Desk} desk @param {Game | null} game
 */
export function useScene(desk, game) {
  const key = JSON.stringify(game);
  const [shown, setShown] = useState({ key: "", scene: /** @type {Scene | null} */ (null), failed: false });
  useEffect(() => {
    if (!game || scenes.has(key)) return undefined;
    let isCurrent = true;
    desk.look(game, () => isCurrent).then(
      (scene) => {
        keepIn(scenes, key, scene, MOST_SCENES);
        if (isCurrent) setShown({ key, scene, failed: false });
      },
      () => isCurrent && setShown((now) => ({ ...now, key, failed: true })),
    );
    return () => {
      isCurrent = false;
    };
  }, [desk, key]);
  const scene = scenes.get(key);
  const last = useRef(/** @type {Scene | null} */ (null));
  if (scene) last.current = scene;
  return { scene: scene ?? last.current, failed: shown.key === key && shown.failed && !scene };
}

/** @typedef {import("./types.js").SentBoard} SentBoard */
/** The live boards, with the page's time of their arrival. @typedef {SentBoard & { words: Scene, at: number }} Board */

/** The boards that have arrived, so that an unchanged one keeps its object. @type {WeakMap<SentBoard, Board>} */
const boards = new WeakMap();

/**
 * Returns a board with its scene in the language of the page.
 * @param {SentBoard} board @returns {Board}
 */
export function boardInWords(board) {
  const known = boards.get(board);
  if (known) return known;
  const arrived = { ...board, words: sceneInWords(board.scene), at: performance.now() };
  boards.set(board, arrived);
  return arrived;
}
