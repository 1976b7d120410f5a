// Analysis of any position: a tree of variations, the engine's lines, a graph, an editor, games in and out.

import { html, useCallback, useEffect, useMemo, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { Board } from "../boards/board.js";
import { Button, Select } from "../panels/controls.js";
import { Editor } from "../panels/editor.js";
import { Exchange } from "../panels/exchange.js";
import { Branches, Moves, Steps } from "../panels/moves.js";
import { Bar, Graph, Lines, mistakes } from "../panels/thoughts.js";
import { keep, recall } from "../state/memory.js";
import { fromLink, toLink } from "../state/share.js";
import * as Tree from "../state/tree.js";
import { spoken } from "../state/words.js";
import { useDesk } from "../transport/desk.js";
import { firstSide } from "./play.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Value} Value */
/** @typedef {import("../transport/desk.js").Opinion} Opinion */
/** @typedef {import("../state/memory.js").Settings} Settings */

/** What is analysed: a setting and a tree of moves. @typedef {{ setting: Game, tree: Tree.Tree }} Study */

/** @param {string} query @returns {Study} */
function begin(query) {
  const linked = fromLink(query);
  const kept = recall("study", null);
  if (!linked && kept) return { setting: kept.setting, tree: Tree.unpack(kept.tree) };
  const game = linked ?? { game: "loa", size: 8, start: null, moves: [] };
  return study(game);
}

/** @param {Game} game @returns {Study} */
function study(game) {
  const tree = Tree.newTree();
  for (const move of game.moves ?? []) Tree.play(tree, move);
  return { setting: { game: game.game, size: game.size, start: game.start }, tree };
}

/** @param {{ settings: Settings, query: string, onSettings: (settings: Settings) => void }} props */
export function Analyse(props) {
  expect("Analyse", props, { settings: "object", query: "string", onSettings: "function" });
  const { settings, query, onSettings } = props;
  const [{ setting, tree }, setStudy] = useState(() => begin(query));
  const [version, setVersion] = useState(0);
  const [scene, setScene] = useState(/** @type {Scene | null} */ (null));
  const [error, setError] = useState("");
  const [on, setOn] = useState(true);
  const [wanted, setWanted] = useState(3);
  const [opinion, setOpinion] = useState(/** @type {Opinion | null} */ (null));
  const [judged, setJudged] = useState(/** @type {{ moves: string, values: (Value | null)[] } | null} */ (null));
  const [judging, setJudging] = useState(() => new URLSearchParams(query).has("review"));
  const [editing, setEditing] = useState(false);
  const [flip, setFlip] = useState(false);
  const desk = useDesk();
  useEffect(() => {
    if (fromLink(query)) {
      setStudy(begin(query));
      setVersion(0);
    }
  }, [query]);

  const moves = useMemo(() => Tree.movesTo(tree.at), [tree, version]);
  const line = useMemo(() => Tree.currentLine(tree), [tree, version]);
  const lineText = line.map((node) => node.move).join(" ");
  const game = useMemo(() => ({ ...setting, moves }), [setting, moves]);

  useEffect(() => {
    let current = true;
    desk
      .look(game)
      .then((next) => {
        if (!current) return;
        setScene(next);
        setError("");
        keep("study", { setting, tree: Tree.pack(tree.root) });
      })
      .catch((reason) => current && setError(reason.message));
    return () => {
      current = false;
    };
  }, [game]);

  useEffect(() => {
    setOpinion(null);
    if (!on || judging || editing) return undefined;
    return desk.analyse(game, wanted, (next) => setOpinion((now) => (next.thought && now?.thought && next.thought.lines.length < Math.min(wanted, now.thought.lines.length) ? now : next)));
  }, [game, on, wanted, judging, editing]);

  useEffect(() => {
    if (!judging) return undefined;
    const values = /** @type {(Value | null)[]} */ (Array(line.length + 1).fill(null));
    return desk.judge({ ...setting, moves: line.map((node) => node.move) }, ({ ply, thought, done }) => {
      values[ply] = thought?.lines[0]?.value ?? values[ply + 1] ?? null;
      setJudged({ moves: lineText, values: [...values] });
      if (done) setJudging(false);
    });
  }, [judging]);

  const change = useCallback((/** @type {() => void} */ how) => {
    how();
    setVersion((v) => v + 1);
  }, []);
  /** @param {Game} next */
  const open = (next) => {
    setStudy(study(next));
    setVersion((v) => v + 1);
    setJudged(null);
    setEditing(false);
  };
  /** @param {"first" | "back" | "next" | "last"} where */
  const go = (where) => change(() => Tree.step(tree, where));
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      const target = event.target;
      // On the board the arrows go from square to square.
      const own = event.key.startsWith("Arrow") ? "input, textarea, select, [role=grid], dialog" : "input, textarea, select, dialog";
      if (target instanceof HTMLElement && target.closest(own)) return;
      const where = /** @type {const} */ ({ ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" })[/** @type {"Home"} */ (event.key)];
      if (where) go(where);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [tree]);

  if (!scene) {
    const anew = () => open({ game: "loa", size: 8, start: null, moves: [] });
    return html`<main class="wait">
      <p role="status">${error || "Setting up the board …"}</p>
      ${error && html`<${Button} label="Begin with an empty game" onClick=${anew} />`}
    </main>`;
  }
  // The server has not answered yet: the board still shows another position of the tree.
  const behind = scene.game !== setting.game || scene.played.join() !== moves.join();
  const value = opinion?.thought?.lines[0]?.value ?? null;
  const values = judged?.moves === lineText ? judged.values : null;
  const notes = values ? mistakes(values, firstSide(scene)) : {};
  const arrows = (opinion?.thought?.lines ?? []).slice(0, wanted).flatMap(({ moves: best }, i) => {
    const way = scene.moves.find((w) => w.text === best[0]);
    return way ? [{ path: way.path, strength: 1 - i / 3 }] : [];
  });
  /** @param {string[]} more */
  const playAll = (more) => change(() => more.forEach((move) => Tree.play(tree, move)));
  if (editing) return html`<${Editor} scene=${scene} desk=${desk} onDone=${open} onCancel=${() => setEditing(false)} />`;

  return html`<main class="table analysis">
    <h1 class="unseen">Analysis</h1>
    <section class="board-side with-bar" aria-label="Board">
      <${Bar} value=${value} flip=${flip} sides=${scene.sides} />
      <${Board} scene=${scene} flip=${flip} active=${!scene.end && !behind} groups=${settings.groups} labels=${settings.labels} speed=${settings.speed} arrows=${on ? arrows : []} name="Analysis board" onMove=${(/** @type {string} */ text) => change(() => Tree.play(tree, text))} />
      <p class="unseen" role="status" aria-live="polite">${spoken(scene)}</p>
    </section>
    <section class="panel-side" aria-label="Analysis">
      <div class="row">
        <${Button} label=${on ? "Engine on" : "Engine off"} icon="search" pressed=${on} onClick=${() => setOn(!on)} />
        <${Select} label="Lines" value=${wanted} options=${[1, 2, 3, 5].map((n) => [n, String(n)])} onChange=${(/** @type {string} */ n) => setWanted(Number(n))} />
      </div>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      ${on && !judging && html`<${Lines} thought=${opinion?.thought ?? null} seconds=${opinion?.seconds ?? 0} done=${opinion?.done ?? false} scene=${scene} wanted=${wanted} onPlay=${playAll} />`}
      ${judging && html`<p class="quiet" role="status">Judging the game …</p>`}
      ${values && html`<${Graph} values=${values} at=${moves.length} sides=${scene.sides} onGo=${(/** @type {number} */ ply) => change(() => Tree.goTo(tree, ply === 0 ? 0 : line[ply - 1].id))} />`}
      ${values && html`<p class="quiet">${summary(notes, firstSide(scene), scene.sides)}</p>`}
      <${Moves} played=${line.map((node) => node.move)} at=${moves.length} firstSide=${(scene.turn + scene.ply) % 2} notes=${notes} onGo=${(/** @type {number} */ ply) => change(() => Tree.goTo(tree, line[ply - 1].id))} />
      <${Branches} line=${line} onGo=${(/** @type {number} */ id) => change(() => Tree.goTo(tree, id))} onPromote=${(/** @type {Tree.Node} */ node) => change(() => Tree.promote(node))} onRemove=${(/** @type {Tree.Node} */ node) => change(() => Tree.remove(tree, node))} />
      <${Steps} at=${moves.length} length=${line.length} onStep=${go} />
      <div class="buttons">
        <${Button} label="Judge the game" disabled=${line.length === 0 || judging} onClick=${() => setJudging(true)} />
        <${Button} label="Edit position" onClick=${() => setEditing(true)} />
        <${Button} icon="flip" label="Flip" onClick=${() => setFlip(!flip)} />
        ${scene.groups.length > 0 && html`<${Button} icon="groups" label="Groups" pressed=${settings.groups} onClick=${() => onSettings({ ...settings, groups: !settings.groups })} />`}
        <a class="button" href=${`#/play?${toLink({ ...game, size: scene.size })}&side=${scene.turn}`}>Play on from here</a>
      </div>
      <${Exchange} desk=${desk} game=${{ ...setting, size: scene.size, moves: line.map((node) => node.move) }} position=${scene.position} onOpen=${open} />
    </section>
  </main>`;
}

/** @param {Record<number, string>} notes @param {number} first @param {[string, string]} sides */
function summary(notes, first, sides) {
  const counts = [0, 1].map((side) => {
    const plies = Object.entries(notes).filter(([ply]) => (first + Number(ply) - 1) % 2 === side);
    const bad = plies.filter(([, note]) => note === "??").length;
    return `${sides[side]}: ${bad} ${bad === 1 ? "blunder" : "blunders"}, ${plies.length - bad} ${plies.length - bad === 1 ? "mistake" : "mistakes"}`;
  });
  return counts.join(" · ");
}
