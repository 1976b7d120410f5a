// A room: the game that this page plays, as the server knows it.

import { useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { isInProgress, takeBack } from "../state/aside.js";
import { keep, recall } from "../state/memory.js";
import { PAUSE } from "../state/playback.js";
import { personsIn, remembered } from "../state/scene.js";
import { usePlayback } from "./playback.js";
import { connect } from "./socket.js";

/** @typedef {import("../state/types.js").Room} Room */
/** @typedef {import("../state/types.js").Thought} Thought */
/** @typedef {import("../state/types.js").NewGame} NewGame */

/**
 * Returns the message that starts a game. A saved game is removed from the saved games, because the room now has it.
 * @param {NewGame} game
 */
function begun({ when, ...game }) {
  if (when) keep("aside", takeBack(recall("aside", []), when));
  return { do: "new", ...game };
}

/** Returns a room for the playback. @param {Room} room @returns {import("../state/playback.js").Item<Room>} */
const item = (room) => ({
  scene: room.scene,
  own: room.seats[1 - room.scene.turn].kind === "person" && (!room.table || room.table.you === 1 - room.scene.turn),
  // The server paces games between engines.
  pause: personsIn(room) === 0 ? 0 : PAUSE,
  value: room,
});

/**
 * Enters the room of a place. If the server no longer has the room, the game continues in a new one.
 * @param {string} place @param {NewGame | null} first A game to start immediately. If another game is in progress, the
 *   new game waits as `asked` for the user's consent.
 */
export function useRoom(place, first) {
  const { shown, told, hurry, receive, onShown } = usePlayback();
  const latest = useRef(/** @type {Room | null} */ (null));
  const [connected, setConnected] = useState(true);
  const [ended, setEnded] = useState(false);
  const [error, setError] = useState("");
  const [asked, setAsked] = useState(/** @type {NewGame | null} */ (null));
  const [hint, setHint] = useState(/** @type {{ ply: number, thought: Thought | null } | null} */ (null));
  const link = useRef(/** @type {import("./socket.js").Connection | null} */ (null));
  useEffect(() => {
    // The shared board has the same name on all devices.
    const known = place === "table" ? "table" : recall(`room.${place}`, null);
    let name = known;
    let wanted = first;
    /** Whether the game is the user's and is stored. The server's default game becomes the user's after a move. */
    let isOwn = place !== "play";
    /** @type {Room | null} The room before a new game was requested, in case the request is refused. */
    let before = null;
    /** @param {Room} next */
    const show = (next) => {
      const now = latest.current;
      if (now && now.room === next.room && now.revision > next.revision) return;
      latest.current = next;
      receive(item(next));
    };
    link.current = connect({
      room: known,
      onRoom(next) {
        const isNew = next.room !== name;
        name = next.room;
        keep(`room.${place}`, next.room);
        // In a new room, the game stored in the browser continues.
        let game = isNew && !next.terminal ? recall(`game.${place}`, null) : null;
        // A game on clocks against the engine waits until the user is ready.
        if (game?.clock && game.game.moves?.length && personsIn(game) === 1) game = { ...game, paused: true };
        if (!game && wanted) {
          if (isInProgress(next)) setAsked(wanted);
          else game = wanted;
          wanted = null;
        }
        isOwn ||= recall("game.play", null) !== null || next.terminal || next.scene.ply > 0;
        if (game) {
          before = next;
          isOwn = true;
          link.current?.send(begun(game));
          return;
        }
        if (isOwn) keep(`game.${place}`, remembered(next));
        show(next);
      },
      onMessage(message) {
        if (message.is === "refused") {
          if (!latest.current && before) show(before);
          setError(message.text);
        }
        if (message.is === "ended") setEnded(true);
        if (message.is === "hint") setHint({ ply: message.ply, thought: message.thought });
      },
      onState: setConnected,
    });
    return () => link.current?.close();
  }, [place]);
  // An error is shown until the next action, because the next message of the server follows immediately.
  const send = (/** @type {object} */ message) => {
    setError("");
    link.current?.send(message);
  };
  const begin = (/** @type {NewGame} */ game) => {
    keep(`game.${place}`, game);
    send(begun(game));
  };
  // An action refers to the current state, even if the board does not yet show that state.
  const act = (/** @type {{ kind: string, [key: string]: unknown }} */ what) =>
    send({ do: "act", ply: latest.current?.scene.ply ?? 0, act: what });
  const closeError = () => setError("");
  /** @type {Room | null} The room described beside the board. A result waits for the end of the last animation. */
  const room = told && ended ? { ...told, ended, thinking: false } : told;
  /** @type {import("../state/types.js").Scene | null} The scene on the board. */
  const scene = shown?.scene ?? null;
  const said = { ended, error, closeError, asked, setAsked, hint, setHint };
  return { room, scene, connected, ...said, send, begin, act, hurry, onShown };
}
