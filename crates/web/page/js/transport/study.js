// The current study: from a link, from the last visit, or opened by the user. If the server refuses a game, the study
// is unchanged.

import { useCallback, useEffect, useMemo, useState } from "../../vendor/preact-htm.js";
import { keep, recall } from "../state/memory.js";
import { emptyGame, packed, studyOf, unpacked, wanted } from "../state/study.js";
import * as Tree from "../state/tree.js";
import { text } from "../text/index.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").PlainNode} PlainNode */
/** @typedef {import("../state/study.js").Study} Study */
/**
 * A message for the user, with a function that undoes the change.
 * @typedef {{ text: string, kind: "said" | "error", undo?: () => void }} Notice
 */

/** Returns the query in the address of an analysis, or an empty string. */
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
   * Replaces the study with a game that the server has accepted.
   * @param {Game} game @param {PlainNode[] | null} [nodes] @param {string} [leftOut] Message about missing moves.
   */
  const open = (game, nodes = null, leftOut = "") => {
    const said = `${text.analysis.opened} ${leftOut}`.trim();
    // A reload must not open the link again.
    if (queryNow()) history.replaceState(null, "", "#/analyse");
    replace(studyOf(game, nodes), study && (study.tree.root.children.length ? study : null), said);
  };

  const line = useMemo(() => (study ? Tree.currentLine(study.tree) : []), [study, version]);
  const setting = study?.setting ?? emptyGame();
  // Equal games are represented by the same object, so that a new comment causes no request.
  const game = useSame({ ...setting, moves: study ? Tree.movesTo(study.tree.at) : [] });
  const whole = useSame({ ...setting, moves: line.map((node) => node.move) });
  return { study, version, line, game, whole, change, open, notice, setNotice };
}

/** @param {Game} game @returns {Game} */
function useSame(game) {
  const key = JSON.stringify(game);
  return useMemo(() => game, [key]);
}
