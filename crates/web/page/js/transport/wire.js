// The connection to the games: a WebSocket and HTTP to the server. The static site replaces this file with
// `site/wire.js`, which has the same functions.

/**
 * @typedef {object} Wire
 * @property {(text: string) => boolean} send Sends a message and returns `true`, or returns `false` if the connection
 *   is not open.
 * @property {() => void} close
 */

/**
 * Opens a connection, which does not reconnect.
 * @param {{ onOpen: () => void, onText: (text: string) => void, onClose: () => void }} hear
 * @returns {Wire}
 */
export function openWire({ onOpen, onText, onClose }) {
  const socket = new WebSocket(`ws://${location.host}/socket`);
  socket.onopen = onOpen;
  socket.onmessage = (event) => onText(event.data);
  socket.onclose = onClose;
  return {
    send(text) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(text);
      return true;
    },
    close: () => socket.close(),
  };
}

/**
 * Calls the listener when a new version of the site is ready, with a function that switches to it. A server has no
 * versions to choose from.
 * @param {(accept: () => void) => void} _listener
 */
export function onNewVersion(_listener) {}

/**
 * Sends a question that is too long for the WebSocket. Returns `null` if there is no answer.
 * @param {object} question @returns {Promise<any>}
 */
export async function askAtLength(question) {
  const response = await fetch("ask", { method: "POST", body: JSON.stringify(question) }).catch(() => null);
  return response?.ok ? response.json() : null;
}
