// One WebSocket to the server: connects again when it is lost, and says so.

import { clientSecret } from "../state/memory.js";
import { inWords } from "./translated.js";

/** @typedef {import("../state/types.js").Room} Room */

const LONGEST_WAIT = 4000;

/**
 * @param {{
 *   room?: string | null,
 *   onRoom?: (room: Room) => void,
 *   onMessage: (message: any) => void,
 *   onState: (connected: boolean) => void,
 * }} options Without `onRoom` it is in no room.
 */
export function connect({ room = null, onRoom, onMessage, onState }) {
  let wait = 250;
  let name = room;
  let closed = false;
  /** @type {WebSocket} */
  let socket;
  /** @type {string[]} Messages for when the connection is there again. */
  let waiting = [];

  function open() {
    socket = new WebSocket(`ws://${location.host}/socket`);
    socket.onopen = () => {
      wait = 250;
      if (onRoom) socket.send(JSON.stringify({ do: "join", room: name, client: clientSecret() }));
      for (const text of waiting) socket.send(text);
      waiting = [];
      onState(true);
    };
    socket.onmessage = (event) => {
      const message = inWords(JSON.parse(event.data));
      if (message.is === "room") {
        name = message.room;
        onRoom?.(message);
      } else {
        if (message.is === "ended") end();
        onMessage(message);
      }
    };
    socket.onclose = () => {
      if (closed) return;
      onState(false);
      setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
  }
  open();

  /** Nobody will answer any more. */
  function end() {
    closed = true;
    onState(false);
    socket.close();
  }

  return {
    /** @param {object} message */
    send(message) {
      const text = JSON.stringify(message);
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
      else if (waiting.length < 20) waiting.push(text);
    },
    close() {
      closed = true;
      socket.close();
    },
  };
}

/** @typedef {ReturnType<typeof connect>} Connection */
