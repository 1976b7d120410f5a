// Analysis of any position: a tree of variations, the engine's lines, a graph, an editor, games in and out.

import { html, useCallback, useEffect, useMemo, useState } from "../../vendor/preact-htm.js";
import { Board } from "../boards/board.js";
import { EngineRow, Line, OpinionLines, useStepKeys } from "../panels/analysing.js";
import { Button } from "../panels/controls.js";
import { Editor } from "../panels/editor.js";
import { Exchange } from "../panels/exchange.js";
import { FlipButton, GroupsButton } from "../panels/look.js";
import { Bar } from "../panels/thoughts.js";
import { expect } from "../state/check.js";
import { keep, recall } from "../state/memory.js";
import { fromLink, toLink } from "../state/share.js";
import { arrowsOf, emptyGame, firstStudy, packed, studyOf } from "../state/study.js";
import * as Tree from "../state/tree.js";
import { spoken } from "../state/words.js";
import { useJudgement, useOpinion, useScene } from "../transport/analysis.js";
import { useDesk } from "../transport/desk.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/memory.js").Settings} Settings */

/** The study of a link or of the last time, and the line that is on the board. @param {string} query */
function useStudy(query) {
  const [study, setStudy] = useState(() => firstStudy(query, recall("study", null)));
  const [version, setVersion] = useState(0);
  const { setting, tree } = study;
  useEffect(() => {
    if (fromLink(query)) setStudy(firstStudy(query, null));
  }, [query]);
  const moves = useMemo(() => Tree.movesTo(tree.at), [tree, version]);
  const line = useMemo(() => Tree.currentLine(tree), [tree, version]);
  /** The position on the board, and the whole line. @type {[Game, Game]} */
  const [game, whole] = useMemo(
    () => [
      { ...setting, moves },
      { ...setting, moves: line.map((node) => node.move) },
    ],
    [setting, moves, line],
  );
  /** Changes the tree. @type {(how: (tree: Tree.Tree) => void) => void} */
  const change = useCallback(
    (how) => {
      how(tree);
      setVersion((v) => v + 1);
    },
    [tree],
  );
  return { study, line, game, whole, change, open: (/** @type {Game} */ next) => setStudy(studyOf(next)) };
}

/** @param {{ settings: Settings, query: string, onSettings: (settings: Settings) => void }} props */
export function Analyse(props) {
  expect("Analyse", props, { settings: "object", query: "string", onSettings: "function" });
  const { settings, query, onSettings } = props;
  const desk = useDesk();
  const { study, line, game, whole, change, open } = useStudy(query);
  const { scene, error } = useScene(desk, game, () => keep("study", packed(study)));
  const [on, setOn] = useState(true);
  const [wanted, setWanted] = useState(3);
  const [editing, setEditing] = useState(false);
  const [flip, setFlip] = useState(false);
  const { judging, values, judge, forget } = useJudgement(desk, whole, new URLSearchParams(query).has("review"));
  const opinion = useOpinion(desk, game, wanted, on && !judging && !editing);
  /** @type {(where: import("../panels/analysing.js").Where) => void} */
  const step = useCallback((where) => change((tree) => Tree.step(tree, where)), [change]);
  useStepKeys(step);
  /** @param {Game} next */
  const openGame = (next) => {
    open(next);
    forget();
    setEditing(false);
  };

  if (!scene) return html`<${Waiting} error=${error} onBegin=${() => openGame(emptyGame())} />`;
  if (editing) {
    return html`<${Editor} scene=${scene} desk=${desk} onDone=${openGame} onCancel=${() => setEditing(false)} />`;
  }
  const moves = game.moves ?? [];
  // Until the server has answered, the board shows another position of the tree.
  const behind = scene.game !== game.game || scene.played.join() !== moves.join();
  const thought = opinion?.thought ?? null;
  /** @param {string[]} more */
  const playAll = (more) => change((tree) => more.forEach((move) => Tree.play(tree, move)));

  return html`<main class="game analysis">
    <h1 class="unseen">Analysis</h1>
    <section class="board-side with-bar" aria-label="Board">
      <${Bar} value=${thought?.lines[0]?.value ?? null} flip=${flip} sides=${scene.sides} />
      <${Board}
        scene=${scene}
        flip=${flip}
        active=${!scene.end && !behind}
        groups=${settings.groups}
        labels=${settings.labels}
        speed=${settings.speed}
        arrows=${on ? arrowsOf(thought, scene, wanted) : []}
        name="Analysis board"
        onMove=${(/** @type {string} */ text) => playAll([text])}
      />
      <p class="unseen" role="status" aria-live="polite">${spoken(scene)}</p>
    </section>
    <section class="panel-side" aria-label="Analysis">
      <${EngineRow} on=${on} wanted=${wanted} onSwitch=${() => setOn(!on)} onWanted=${setWanted} />
      ${error && html`<p class="error" role="alert">${error}</p>`}
      ${
        on && !judging && html`<${OpinionLines} opinion=${opinion} scene=${scene} wanted=${wanted} onPlay=${playAll} />`
      }
      ${judging && html`<p class="quiet" role="status">Judging the game …</p>`}
      <${Line}
        scene=${scene}
        line=${line}
        at=${moves.length}
        values=${values}
        onGo=${(/** @type {number} */ id) => change((tree) => Tree.goTo(tree, id))}
        onStep=${step}
        onPromote=${(/** @type {Tree.Node} */ node) => change(() => Tree.promote(node))}
        onRemove=${(/** @type {Tree.Node} */ node) => change((tree) => Tree.remove(tree, node))}
      />
      <div class="buttons">
        <${Button} label="Judge the game" disabled=${line.length === 0 || judging} onClick=${judge} />
        <${Button} label="Edit position" onClick=${() => setEditing(true)} />
        <${FlipButton} flip=${flip} onFlip=${setFlip} />
        <${GroupsButton} scene=${scene} settings=${settings} onSettings=${onSettings} />
        <a class="button" href=${`#/play?${toLink({ ...game, size: scene.size })}&side=${scene.turn}`}
          >Play on from here</a
        >
      </div>
      <${Exchange} desk=${desk} game=${{ ...whole, size: scene.size }} position=${scene.position} onOpen=${openGame} />
    </section>
  </main>`;
}

/** There is no board yet, or none at all. @param {{ error: string, onBegin: () => void }} props */
function Waiting({ error, onBegin }) {
  return html`<main class="wait">
    <p role="status">${error || "Setting up the board …"}</p>
    ${error && html`<${Button} label="Begin with an empty game" onClick=${onBegin} />`}
  </main>`;
}
