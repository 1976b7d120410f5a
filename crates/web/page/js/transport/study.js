// The study on the board: from a link, from the last time, or from what the user opens. What the server refuses never
// replaces what is there.

import { useCallback, useEffect, useMemo, useState } from "../../vendor/preact-htm.js";
import { keep, recall } from "../state/memory.js";
import { emptyGame, packed, studyOf, unpacked, wanted } from "../state/study.js";
import * as Tree from "../state/tree.js";
import { text } from "../text/index.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").PlainNode} PlainNode */
/** @typedef {import("../state/study.js").Study} Study */
/**
 * What is said to the user, and how what happened is taken back.
 * @typedef {{ text: string, kind: "said" | "error", undo?: () => void }} Notice
 */

/** The query of an address of an analysis; empty if it has none. */
const queryNow = () => location.hash.match(/^#\/analyse\?(.*)$/)?.[1] ?? "";

/** @param {import("./desk.js").Desk} desk */
export function useStudy(desk) {
  const [study, setStudy] = useState(() => {
    const kept = unpacked(recall("study", null));
    return wanted(queryNow(), kept) ? null : (kept ?? studyOf(emptyGame()));
  });
  const [version, setVersion] = useState(0);
  const [notice, setNotice] = useState(/** @type {Notice | null} */ (null));

  /** @param {Study} next @param {Study | null} before @param {string} said */
  const replace = (next, before, said) => {
    setStudy(next);
    keep("study", packed(next));
    const undo = () => before && replace(before, null, text.analysis.undone);
    setNotice(said ? { text: said, kind: "said", undo: before ? undo : undefined } : null);
  };

  useEffect(() => {
    const follow = () => {
      const query = queryNow();
      const before = unpacked(recall("study", null));
      const game = wanted(query, before);
      if (!game) return;
      desk.look(game).then(
        () => replace(studyOf(game, null, query), null, ""),
        (reason) => {
          setStudy((now) => now ?? before ?? studyOf(emptyGame()));
          setNotice({ text: text.analysis.badLink(reason.message), kind: "error" });
        },
      );
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [desk]);

  /** Changes the tree. @type {(how: (tree: Tree.Tree) => void) => void} */
  const change = useCallback(
    (how) => {
      if (!study) return;
      how(study.tree);
      setVersion((v) => v + 1);
      setNotice(null);
      keep("study", packed(study));
    },
    [study],
  );

  /**
   * Replaces the study by a game that the server has accepted.
   * @param {Game} game @param {PlainNode[] | null} [nodes]
   */
  const open = (game, nodes = null) => {
    // A reload must not open the link again that led here.
    if (queryNow()) history.replaceState(null, "", "#/analyse");
    replace(studyOf(game, nodes), study && (study.tree.root.children.length ? study : null), text.analysis.opened);
  };

  const line = useMemo(() => (study ? Tree.currentLine(study.tree) : []), [study, version]);
  const setting = study?.setting ?? emptyGame();
  // The same game as before is the same object, so that a new comment asks the server for nothing.
  const game = useSame({ ...setting, moves: study ? Tree.movesTo(study.tree.at) : [] });
  const whole = useSame({ ...setting, moves: line.map((node) => node.move) });
  return { study, version, line, game, whole, change, open, notice, setNotice };
}

/** @param {Game} game @returns {Game} */
function useSame(game) {
  const key = JSON.stringify(game);
  return useMemo(() => game, [key]);
}
