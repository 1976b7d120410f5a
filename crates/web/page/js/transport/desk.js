// Requests to the server about games outside of any room.

import { useEffect, useMemo } from "../../vendor/preact-htm.js";
import { text } from "../text/index.js";
import { connect } from "./socket.js";
import { inWords } from "./translated.js";
import { askAtLength } from "./wire.js";

/** Maximum size of a message on the connection, in bytes. Longer questions are sent by HTTP. */
const LONGEST_MESSAGE = 32_000;
/** Maximum size of a question, in bytes. */
const LONGEST = 256_000;

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Edit} Edit */
/** @typedef {import("../state/types.js").PlainNode} PlainNode */
/** @typedef {import("../state/types.js").ProofNews} ProofNews */
/**
 * @typedef {{ ply: number, seconds: number, thought: import("../state/types.js").Thought | null, done: boolean }}
 *   Opinion
 */

/** Sends a long question. @param {object} question @returns {Promise<any>} */
async function post(question) {
  const found = await askAtLength(question);
  if (!found) throw new Error(text.analysis.lost);
  const answer = inWords(found);
  if (answer.is === "refused") throw new Error(answer.text);
  return answer;
}

/** @param {(connected: boolean) => void} [onState] */
function openDesk(onState = () => {}) {
  let nextId = 1;
  /** @type {Map<number, { resolve: (message: any) => void, reject: (error: Error) => void }>} */
  const open = new Map();
  /** @type {{ id: number, hear: (opinion: Opinion) => void, again: () => void } | null} The running analysis. */
  let thinking = null;
  /** @type {{ id: number, hear: (news: ProofNews) => void, again: () => void } | null} The running proof. */
  let proving = null;

  const link = connect({
    onMessage(message) {
      if (message.is === "thought") {
        if (message.id === thinking?.id) thinking?.hear(message);
        return;
      }
      if (message.is === "proof") {
        if (message.id === proving?.id) proving?.hear(message);
        return;
      }
      const question = open.get(message.id);
      open.delete(message.id);
      if (message.is === "refused") question?.reject(new Error(message.text));
      else question?.resolve(message);
    },
    onState(connected) {
      // Requests from before a lost connection are sent again.
      if (connected) {
        thinking?.again();
        proving?.again();
      } else for (const { reject } of open.values()) reject(new Error(text.analysis.lost));
      onState(connected);
    },
  });

  /** @param {object} message @returns {Promise<any>} */
  function ask(message) {
    const id = nextId++;
    const question = { ...message, id };
    const length = new TextEncoder().encode(JSON.stringify(question)).length;
    if (length > LONGEST) return Promise.reject(new Error(text.analysis.tooLong));
    if (length > LONGEST_MESSAGE) return post(question);
    return new Promise((resolve, reject) => {
      open.set(id, { resolve, reject });
      link.send(question);
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
    /** Returns a position after a manual change. @param {Game} game @param {Edit} edit @returns {Promise<Scene>} */
    edit: (game, edit) => ask({ do: "edit", game, edit }).then((answer) => answer.scene),
    /**
     * Parses a text as a game with variations.
     * @param {string} pasted @param {Game} game
     * @returns {Promise<{ game: Game, nodes: PlainNode[] }>}
     */
    read: (pasted, game) => ask({ do: "read", text: pasted, game }),
    /**
     * Formats a game with variations as text.
     * @param {Game} game @param {PlainNode[]} nodes @param {"file" | "moves"} form
     * @returns {Promise<string>}
     */
    write: (game, nodes, form) => ask({ do: "write", game, nodes, form }).then((answer) => answer.text),
    /**
     * Analyzes a game with increasing time limits until it is stopped.
     * @param {Game} game @param {number} lines @param {(opinion: Opinion) => void} hear
     */
    analyse: (game, lines, hear) => think({ do: "analyse", game, lines }, hear),
    /** Evaluates every position of a game. @param {Game} game @param {(opinion: Opinion) => void} hear */
    judge: (game, hear) => think({ do: "judge", game }, hear),
    /**
     * Returns finished games, newest first.
     * @param {{ game: string | null, skip: number, count: number }} which
     * @returns {Promise<{ games: import("../state/types.js").Archived[], count: number }>}
     */
    archive: (which) => ask({ do: "archive", ...which }),
    /** Returns a finished game. @param {string} name @returns {Promise<import("../state/types.js").Archived>} */
    archived: (name) => ask({ do: "archived", name }).then((answer) => answer.games[0]),
    /** Deletes a finished game. @param {string} name @returns {Promise<void>} */
    forget: (name) => ask({ do: "forget", name }),
    /**
     * Returns the moves played in the position after a game, most frequent first.
     * @param {Game} game @param {import("../state/types.js").Source[]} sources
     * @returns {Promise<import("../state/types.js").Openings>}
     */
    explore: (game, sources) => ask({ do: "explore", game, sources }),
    /**
     * Tries to prove which side wins, and keeps the proof until it is stopped.
     * @param {Game} game @param {(news: ProofNews) => void} hear
     */
    prove(game, hear) {
      const id = nextId++;
      const again = () => link.send({ do: "prove", game, id });
      proving = { id, hear, again };
      again();
      return () => {
        if (proving?.id !== id) return;
        proving = null;
        link.send({ do: "dismiss" });
      };
    },
    /**
     * Returns the loser's replies after a line from the proven position.
     * @param {string[]} line @returns {Promise<import("../state/types.js").Reply[]>}
     */
    replies: (line) => ask({ do: "replies", line }).then((answer) => answer.replies),
    close: link.close,
  };
}

/** @typedef {ReturnType<typeof openDesk>} Desk */

/** Returns a desk for the lifetime of a view. */
export function useDesk() {
  const desk = useMemo(() => openDesk(), []);
  useEffect(() => () => desk.close(), [desk]);
  return desk;
}
