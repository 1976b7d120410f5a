// The ladder of a game, and the finished games as a file.

import { useEffect, useState } from "../../vendor/preact-htm.js";
import { partsOf } from "../state/ladder.js";
import { text } from "../text/index.js";

/** @typedef {import("../state/ladder.js").Ladder} Ladder */
/** @typedef {import("./desk.js").Desk} Desk */

/** Maximum size of a part of an imported file, in bytes. The server accepts messages of 32 KiB. */
const PART = 30_000;

/**
 * Returns the ladder of a game, or `null` until it arrives and on a server without an archive.
 * @param {Desk} desk @param {string} game @param {unknown} [key] A change of this value requests the ladder again.
 */
export function useLadder(desk, game, key) {
  const [found, setFound] = useState(/** @type {{ game: string, ladder: Ladder } | null} */ (null));
  const [error, setError] = useState("");
  useEffect(() => {
    let current = true;
    setError("");
    desk.ladder(game, () => current).then(
      (ladder) => current && setFound({ game, ladder }),
      (/** @type {Error} */ reason) => current && setError(reason.message),
    );
    return () => {
      current = false;
    };
  }, [desk, game, key]);
  return { ladder: found?.game === game ? found.ladder : null, error };
}

/** Returns all finished games as a text. @param {Desk} desk */
export async function exportGames(desk) {
  let file = "";
  for (let skip = /** @type {number | null} */ (0); skip !== null; ) {
    const part = await desk.exported(skip);
    file += part.text;
    skip = part.next;
  }
  return file;
}

/** Adds the games of a file. Returns a summary and the first error. @param {Desk} desk @param {string} file */
export async function importGames(desk, file) {
  const sum = { added: 0, known: 0, skipped: 0 };
  let error = "";
  for (const part of partsOf(file, PART)) {
    if (part.fits) {
      const answer = await desk.imported(part.text, part.line);
      sum.added += answer.added;
      sum.known += answer.known;
      sum.skipped += answer.skipped;
      error ||= answer.error;
    } else {
      sum.skipped += 1;
      error ||= text.ladder.longLine(part.line);
    }
  }
  const { imported, skipped } = text.ladder;
  return { said: imported(sum.added, sum.known), error: error && `${skipped(sum.skipped)} ${error}` };
}
