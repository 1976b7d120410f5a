// A connection to the games, which reconnects after a loss and reports its state.

import { clientSecret, recall } from "../state/memory.js";
import { inWords } from "./translated.js";
import { openWire } from "./wire.js";

/** @typedef {import("../state/types.js").Room} Room */

const LONGEST_WAIT = 4000;

/** The connections that are lost at present. @type {Set<object>} */
const lost = new Set();
/** @type {Set<(lost: boolean) => void>} */
const listeners = new Set();

/** @param {object} connection @param {boolean} now */
function setLost(connection, now) {
  if (now) lost.add(connection);
  else lost.delete(connection);
  for (const listener of listeners) listener(lost.size > 0);
}

/** Calls a function when a connection of the page was lost or restored. @param {(lost: boolean) => void} listener */
export function onLost(listener) {
  listeners.add(listener);
  listener(lost.size > 0);
  return () => void listeners.delete(listener);
}

/**
 * @param {{
 *   room?: string | null,
 *   onRoom?: (room: Room) => void,
 *   onMessage: (message: any) => void,
 *   onState: (connected: boolean) => void,
 * }} options Without `onRoom` the connection is in no room.
 */
export function connect({ room = null, onRoom, onMessage, onState }) {
  let wait = 250;
  let name = room;
  let closed = false;
  /** @type {import("./wire.js").Wire} */
  let wire;
  /** @type {string[]} Messages to send after reconnecting. */
  let waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const own = {};

  function open() {
    wire = openWire({
      onOpen() {
        wait = 250;
        const user = { client: clientSecret(), name: recall("name", null) };
        if (onRoom) wire.send(JSON.stringify({ do: "join", room: name, ...user }));
        for (const text of waiting) wire.send(text);
        waiting = [];
        setLost(own, false);
        onState(true);
      },
      onText(text) {
        const message = inWords(JSON.parse(text));
        if (message.is === "room") {
          name = message.room;
          onRoom?.(message);
        } else {
          if (message.is === "ended") end();
          onMessage(message);
        }
      },
      onClose() {
        if (closed) return;
        setLost(own, true);
        onState(false);
        timer = setTimeout(open, wait);
        wait = Math.min(2 * wait, LONGEST_WAIT);
      },
    });
  }
  open();

  /** Closes the connection without reconnecting, because no server will answer. */
  function end() {
    closed = true;
    onState(false);
    wire.close();
  }

  return {
    /**
     * Sends a message. Returns `false` if the connection is not open.
     * @param {object} message @param {boolean} [waits] Whether the message then waits for the connection.
     */
    send(message, waits = true) {
      const text = JSON.stringify(message);
      const sent = wire.send(text);
      if (!sent && waits && waiting.length < 20) waiting.push(text);
      return sent;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      setLost(own, false);
      wire.close();
    },
  };
}

/** @typedef {ReturnType<typeof connect>} Connection */
