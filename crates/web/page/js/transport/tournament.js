// The live state of the tournament that the server shows.

import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { heard } from "../state/tournament.js";
import { sceneInWords } from "./translated.js";
import { connect } from "./socket.js";

/** @typedef {import("../state/tournament.js").Known} Known */
/** @typedef {import("../state/tournament.js").News} News */

/**
 * Returns a game of the tournament from its beginning. A change of `version` fetches the game again; if that fails, the
 * last state remains.
 * @param {import("./desk.js").Desk} desk @param {number} number @param {string} version
 */
export function useReplay(desk, number, version) {
  /** @typedef {import("../state/types.js").Game} Game */
  const [found, setFound] = useState({ game: /** @type {Game | null} */ (null), error: "" });
  useEffect(() => {
    let current = true;
    desk.replay(number).then(
      (game) => current && setFound({ game, error: "" }),
      (reason) => current && setFound(({ game }) => ({ game, error: game ? "" : reason.message })),
    );
    return () => {
      current = false;
    };
  }, [desk, number, version]);
  return found;
}

/** Subscribes to the tournament, and subscribes again after a lost connection. */
export function useTournament() {
  const [known, setKnown] = useState(/** @type {Known | null} */ (null));
  const [connected, setConnected] = useState(true);
  const link = useRef(/** @type {import("./socket.js").Connection | null} */ (null));
  useEffect(() => {
    link.current = connect({
      onMessage(message) {
        if (message.is !== "tournament") return;
        const boards = message.boards.map((/** @type {any} */ board) => ({
          ...board,
          scene: sceneInWords(board.scene),
        }));
        setKnown((before) => heard(before, { ...message, boards }, performance.now()));
      },
      onState(now) {
        setConnected(now);
        if (now) link.current?.send({ do: "watch" });
      },
    });
    return () => link.current?.close();
  }, []);
  return { known, connected };
}
