// A room: the game that this page plays, as the server has it.

import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { keep, recall } from "../state/memory.js";
import { remembered } from "../state/scene.js";
import { connect } from "./socket.js";

/** @typedef {import("../state/types.js").Room} Room */
/** @typedef {import("../state/types.js").Thought} Thought */
/** @typedef {import("../panels/newgame.js").NewGame} NewGame */

/**
 * Enters the room of this place. If the server does not know the room any more, it makes a new one, in which the game
 * goes on.
 * @param {string} place @param {NewGame | null} first A game to begin at once.
 */
export function useRoom(place, first) {
  const [room, setRoom] = useState(/** @type {Room | null} */ (null));
  const [connected, setConnected] = useState(true);
  const [error, setError] = useState("");
  const [hint, setHint] = useState(/** @type {{ ply: number, thought: Thought | null } | null} */ (null));
  const link = useRef(/** @type {import("./socket.js").Connection | null} */ (null));
  useEffect(() => {
    const known = recall(`room.${place}`, null);
    let name = known;
    let wanted = first;
    /** @type {Room | null} The room before a game was asked for, in case the game is refused. */
    let before = null;
    link.current = connect({
      room: known,
      onRoom(next) {
        const isNew = next.room !== name;
        name = next.room;
        keep(`room.${place}`, next.room);
        // A room that is new to us: the game that was asked for begins there, or the one that we remember goes on.
        const game = wanted ?? (isNew && !next.terminal ? recall(`game.${place}`, null) : null);
        wanted = null;
        if (game) {
          before = next;
          link.current?.send({ do: "new", game: game.game, seats: game.seats, paused: game.paused ?? false });
          return;
        }
        keep(`game.${place}`, remembered(next));
        setRoom((now) => (now && now.room === next.room && now.revision > next.revision ? now : next));
        setError("");
      },
      onMessage(message) {
        if (message.is === "refused") {
          setRoom((now) => now ?? before);
          setError(message.text);
        }
        if (message.is === "hint") setHint({ ply: message.ply, thought: message.thought });
      },
      onState: setConnected,
    });
    return () => link.current?.close();
  }, [place]);
  const send = (/** @type {object} */ message) => link.current?.send(message);
  return { room, connected, error, hint, setHint, send };
}
