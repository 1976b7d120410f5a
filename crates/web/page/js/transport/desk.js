// Requests to the server about games outside of any room.

import { useEffect, useMemo } from "../../vendor/preact-htm.js";
import { pendingRequests } from "../state/pending.js";
import { text } from "../text/index.js";
import { connect } from "./socket.js";
import { inWords } from "./translated.js";
import { askAtLength } from "./wire.js";

/** Maximum size of a message on the connection, in bytes. Longer questions are sent by HTTP. */
const LONGEST_MESSAGE = 32_000;
/** Maximum size of a question, in bytes. */
const LONGEST = 256_000;
/** Delay before a long question that failed is sent again, in milliseconds. */
const AGAIN = 1000;

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Edit} Edit */
/** @typedef {import("../state/types.js").PlainNode} PlainNode */
/** @typedef {import("../state/types.js").ProofNews} ProofNews */
/**
 * The result for a position. `reason`, in reviews, says why the move played in this position was bad or good.
 * @typedef {{ ply: number, seconds: number, thought: import("../state/types.js").Thought | null, reason?: string,
 *   done: boolean }} Opinion
 */

/** Returns the size of a question in bytes. @param {object} question */
const sizeOf = (question) => new TextEncoder().encode(JSON.stringify(question)).length;

const always = () => true;

/** Whether the server has no socket, like a course's server. */
let isByHttp = false;

/** Makes all desks send every question by HTTP. Such a desk cannot search. */
export const askByHttp = () => {
  isByHttp = true;
};

export function openDesk() {
  let nextId = 1;
  let isConnected = isByHttp;
  let isOver = false;
  /** Numbers of the running analysis and of the running proof. @type {Record<string, number>} */
  const running = {};

  /** @param {{ id: number }} question */
  function send(question) {
    if (link && sizeOf(question) <= LONGEST_MESSAGE) return link.send(question, false);
    const { id } = question;
    if (isConnected) {
      askAtLength(question).then((answer) => {
        if (answer) pending.answer(inWords(answer));
        else setTimeout(() => isConnected && pending.again(id), AGAIN);
      });
    }
    return isConnected;
  }
  const pending = pendingRequests(send);
  const options = {
    onMessage(/** @type {any} */ message) {
      if (message.is !== "ended") return pending.answer(message);
      isOver = true;
      return pending.end();
    },
    onState(/** @type {boolean} */ connected) {
      isConnected = connected;
      if (connected) pending.again();
    },
  };
  const link = isByHttp ? null : connect(options);

  /**
   * Sends a request and returns the answer. After a lost connection, the request is sent again.
   * @param {object} message @param {() => boolean} [wanted] Returns `false` when the answer is no longer needed.
   * @returns {Promise<any>}
   */
  function ask(message, wanted = always) {
    const question = { ...message, id: nextId++ };
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error(text.common.lost));
      /** @param {any} answer */
      const settle = (answer) => (answer.is === "refused" ? reject(new Error(answer.text)) : resolve(answer));
      if (sizeOf(question) > LONGEST) reject(new Error(text.analysis.tooLong));
      else if (isOver) fail();
      else pending.add({ question, resolve: settle, fail, wanted });
    });
  }

  /**
   * Starts a search with many answers, in place of the previous search. Returns a function that stops the search.
   * @param {{ do: string, [key: string]: unknown }} message @param {(answer: any) => void} hear
   * @param {string} stop The request that stops the search.
   */
  function search(message, hear, stop) {
    const id = nextId++;
    pending.take(running[stop]);
    running[stop] = id;
    /** @param {any} answer */
    const resolve = (answer) => {
      // A complete search is not repeated after a lost connection.
      if (answer.done || answer.is === "refused") pending.take(id);
      if (answer.is !== "refused") hear(answer);
    };
    pending.add({ question: { ...message, id }, resolve, fail: null, wanted: always });
    return () => {
      if (pending.take(id)) link?.send({ do: stop }, false);
    };
  }
  /** @param {{ do: string, [key: string]: unknown }} message @param {(opinion: Opinion) => void} hear */
  const think = (message, hear) => search(message, hear, "rest");

  return {
    /** @param {Game} game @param {() => boolean} [wanted] @returns {Promise<Scene>} */
    look: (game, wanted) => ask({ do: "look", game }, wanted).then((answer) => answer.scene),
    /** Returns a position after a manual change. @param {Game} game @param {Edit} edit @returns {Promise<Scene>} */
    edit: (game, edit) => ask({ do: "edit", game, edit }).then((answer) => answer.scene),
    /**
     * Parses a text as a game with variations.
     * @param {string} pasted @param {Game} game
     * @returns {Promise<{ game: Game, nodes: PlainNode[], leftOut?: string }>}
     */
    read: (pasted, game) => ask({ do: "read", text: pasted, game }),
    /**
     * Formats a game with variations as text.
     * @param {Game} game @param {PlainNode[]} nodes @param {"file" | "moves"} form
     * @returns {Promise<string>}
     */
    write: (game, nodes, form) => ask({ do: "write", game, nodes, form }).then((answer) => answer.text),
    /**
     * Analyses a game with increasing time limits until it is stopped.
     * @param {Game} game @param {number} lines @param {(opinion: Opinion) => void} hear
     */
    analyse: (game, lines, hear) => think({ do: "analyse", game, lines }, hear),
    /** Evaluates every position of a game. @param {Game} game @param {(opinion: Opinion) => void} hear */
    judge: (game, hear) => think({ do: "judge", game }, hear),
    /**
     * Returns finished games, newest first.
     * @param {{ game: string | null, result: string | null, skip: number, count: number }} which
     * @returns {Promise<{ games: import("../state/types.js").Archived[], count: number }>}
     */
    archive: (which) => ask({ do: "archive", ...which }),
    /** Returns a game of the tournament from its beginning. @param {number} number @returns {Promise<Game>} */
    replay: (number) => ask({ do: "replay", number }).then((answer) => answer.game),
    /** Returns a finished game. @param {string} name @returns {Promise<import("../state/types.js").Archived>} */
    archived: (name) => ask({ do: "archived", name }).then((answer) => answer.games[0]),
    /** Deletes a finished game. @param {string} name @returns {Promise<void>} */
    forget: (name) => ask({ do: "forget", name }),
    /**
     * Returns the user's results against the levels of the engine.
     * @param {string} game @param {() => boolean} [wanted] @returns {Promise<import("../state/ladder.js").Ladder>}
     */
    ladder: (game, wanted) => ask({ do: "ladder", game }, wanted),
    /**
     * Returns a part of the finished games as a file, after the first `skip` games.
     * @param {number} skip @returns {Promise<{ text: string, next: number | null }>}
     */
    exported: (skip) => ask({ do: "export", skip }),
    /**
     * Adds the games in a part of an exported file.
     * @param {string} part @param {number} line Number of the part's first line.
     * @returns {Promise<{ added: number, known: number, skipped: number, error: string }>}
     */
    imported: (part, line) => ask({ do: "import", text: part, line }),
    /**
     * Returns the moves played in the position after a game, most frequent first.
     * @param {Game} game @param {import("../state/types.js").Source[]} sources
     * @returns {Promise<import("../state/types.js").Openings>}
     */
    explore: (game, sources) => ask({ do: "explore", game, sources }),
    /**
     * Tries to prove which side wins. The server keeps the proof until it is stopped.
     * @param {Game} game @param {(news: ProofNews) => void} hear
     */
    prove: (game, hear) => search({ do: "prove", game }, hear, "dismiss"),
    /**
     * Returns the loser's replies after a line from the proven position.
     * @param {string[]} line @returns {Promise<import("../state/types.js").Reply[]>}
     */
    replies: (line) => ask({ do: "replies", line }).then((answer) => answer.replies),
    close() {
      isConnected = false;
      link?.close();
    },
  };
}

/** @typedef {ReturnType<typeof openDesk>} Desk */

/** Returns a desk for the lifetime of a view. */
export function useDesk() {
  const desk = useMemo(() => openDesk(), []);
  useEffect(() => () => desk.close(), [desk]);
  return desk;
}
