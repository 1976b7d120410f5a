// A connection to the games, which reconnects after a loss and reports its state.

import { clientSecret } from "../state/memory.js";
import { inWords } from "./translated.js";
import { openWire } from "./wire.js";

/** @typedef {import("../state/types.js").Room} Room */

const LONGEST_WAIT = 4000;

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

  function open() {
    wire = openWire({
      onOpen() {
        wait = 250;
        if (onRoom) wire.send(JSON.stringify({ do: "join", room: name, client: clientSecret() }));
        for (const text of waiting) wire.send(text);
        waiting = [];
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
        onState(false);
        setTimeout(open, wait);
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
    /** @param {object} message */
    send(message) {
      const text = JSON.stringify(message);
      if (!wire.send(text) && waiting.length < 20) waiting.push(text);
    },
    close() {
      closed = true;
      wire.close();
    },
  };
}

/** @typedef {ReturnType<typeof connect>} Connection */
