// The transfer of a file to the server. It continues while the user visits other views.

import { useEffect, useState } from "../../vendor/preact-htm.js";
import { sendingAfter } from "./state/upload.js";
import { words } from "./text/index.js";
import { errorOf, refreshAll } from "./transport.js";

/** @typedef {import("./state/upload.js").Sending} Sending */
/** @typedef {import("./state/upload.js").SendingEvent} SendingEvent */

/** @type {Sending} */
let now = { phase: "idle" };
/** The last file, which can be sent again. @type {File | null} */
let last = null;
/** @type {XMLHttpRequest | null} */
let transfer = null;
/** @type {Set<(now: Sending) => void>} */
const listeners = new Set();

/** Asks before the page is closed during a transfer. @param {BeforeUnloadEvent} event */
const onLeave = (event) => event.preventDefault();

/** @param {SendingEvent} event */
function change(event) {
  now = sendingAfter(now, event);
  if (now.phase === "sending") addEventListener("beforeunload", onLeave);
  else removeEventListener("beforeunload", onLeave);
  for (const listener of listeners) listener(now);
}

/** Returns the state of the transfer. */
export function useSending() {
  const [shown, setShown] = useState(now);
  useEffect(() => {
    listeners.add(setShown);
    setShown(now);
    return () => void listeners.delete(setShown);
  }, []);
  return shown;
}

/** Returns the body of an answer. @param {XMLHttpRequest} request */
function bodyOf(request) {
  try {
    return JSON.parse(request.responseText);
  } catch {
    return null;
  }
}

/** Sends a file. `fetch` does not report the progress of an upload. @param {File} file */
export function send(file) {
  if (now.phase === "sending") return;
  last = file;
  const request = new XMLHttpRequest();
  transfer = request;
  change({ is: "begin", name: file.name, size: file.size });
  request.upload.onprogress = ({ loaded }) => change({ is: "progress", sent: loaded });
  request.onload = () => {
    const body = bodyOf(request);
    if (request.status >= 200 && request.status < 300 && body) change({ is: "received", number: body.number });
    else if (request.status >= 500 && !body?.error) change({ is: "failed", error: words.upload.lost, again: true });
    else {
      const again = request.status === 409 || request.status === 429 || request.status >= 500;
      change({ is: "failed", error: errorOf(request.status, body).message, again });
    }
    refreshAll();
  };
  request.onerror = () => {
    change({ is: "failed", error: words.upload.lost, again: true });
    refreshAll();
  };
  request.onabort = () => change({ is: "cancelled" });
  request.open("POST", "course/uploads");
  request.setRequestHeader("X-File-Name", encodeURIComponent(file.name));
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(file);
}

/** Cancels the transfer. */
export const cancel = () => transfer?.abort();

/** Sends the last file again. */
export const sendAgain = () => last && send(last);

/** Removes the notice about the last transfer. */
export const closeNotice = () => change({ is: "closed" });
