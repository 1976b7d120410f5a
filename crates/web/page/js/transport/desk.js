// Questions to the server about games that are in no room.

import { useEffect, useMemo } from "../../vendor/preact-htm.js";
import { connect } from "./socket.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Edit} Edit */
/**
 * @typedef {{ ply: number, seconds: number, thought: import("../state/types.js").Thought | null, done: boolean }}
 *   Opinion
 */

/** @param {(connected: boolean) => void} [onState] */
function openDesk(onState = () => {}) {
  let nextId = 1;
  /** @type {Map<number, { resolve: (message: any) => void, reject: (error: Error) => void }>} */
  const open = new Map();
  /** @type {{ id: number, hear: (opinion: Opinion) => void, again: () => void } | null} What is being thought about. */
  let thinking = null;

  const link = connect({
    onMessage(message) {
      if (message.is === "thought") {
        if (message.id === thinking?.id) thinking?.hear(message);
        return;
      }
      const question = open.get(message.id);
      open.delete(message.id);
      if (message.is === "refused") question?.reject(new Error(message.text));
      else question?.resolve(message);
    },
    onState(connected) {
      // What was asked before a break is asked again.
      if (connected) thinking?.again();
      else for (const { reject } of open.values()) reject(new Error("The connection was lost."));
      onState(connected);
    },
  });

  /** @param {object} message @returns {Promise<any>} */
  function ask(message) {
    const id = nextId++;
    return new Promise((resolve, reject) => {
      open.set(id, { resolve, reject });
      link.send({ ...message, id });
    });
  }

  /** @param {object} message @param {(opinion: Opinion) => void} hear */
  function think(message, hear) {
    const id = nextId++;
    const again = () => link.send({ ...message, id });
    thinking = { id, hear, again };
    again();
    return () => {
      if (thinking?.id !== id) return;
      thinking = null;
      link.send({ do: "rest" });
    };
  }

  return {
    /** @param {Game} game @returns {Promise<Scene>} */
    look: (game) => ask({ do: "look", game }).then((answer) => answer.scene),
    /** A position after a change by hand. @param {Game} game @param {Edit} edit @returns {Promise<Scene>} */
    edit: (game, edit) => ask({ do: "edit", game, edit }).then((answer) => answer.scene),
    /** @param {string} text @param {Game} game @returns {Promise<Game>} */
    read: (text, game) => ask({ do: "read", text, game }).then((answer) => answer.game),
    /** @param {Game} game @returns {Promise<string>} */
    write: (game) => ask({ do: "write", game }).then((answer) => answer.text),
    /**
     * Thinks longer and longer until stopped.
     * @param {Game} game @param {number} lines @param {(opinion: Opinion) => void} hear
     */
    analyse: (game, lines, hear) => think({ do: "analyse", game, lines }, hear),
    /** Judges every position of a game. @param {Game} game @param {(opinion: Opinion) => void} hear */
    judge: (game, hear) => think({ do: "judge", game }, hear),
    close: link.close,
  };
}

/** @typedef {ReturnType<typeof openDesk>} Desk */

/** A desk for as long as a view is shown. */
export function useDesk() {
  const desk = useMemo(() => openDesk(), []);
  useEffect(() => () => desk.close(), [desk]);
  return desk;
}
