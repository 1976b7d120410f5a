// The analysis of any position: a variation tree with notes, the engine's lines, a review, an editor, import and
// export.

import { html, useState } from "../../vendor/preact-htm.js";
import { Board } from "../boards/board.js";
import { NARROW } from "../panels/actions.js";
import { EngineRow, Standing, StepBar, useKeys } from "../panels/analysing.js";
import { Button, Icon, Menu } from "../panels/controls.js";
import { Editor } from "../panels/editor.js";
import { Exchange } from "../panels/exchange.js";
import { Explorer } from "../panels/explorer.js";
import { NewAnalysis } from "../panels/newanalysis.js";
import { Notes } from "../panels/notes.js";
import { Prove } from "../panels/proof.js";
import { Review } from "../panels/review.js";
import { Bar, Lines } from "../panels/thoughts.js";
import { Variations } from "../panels/variations.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { keep, recall } from "../state/memory.js";
import { MARKS, judgedMoves } from "../state/review.js";
import { firstSide } from "../state/scene.js";
import { toLink } from "../state/share.js";
import { arrowsOf, emptyGame, valueOf } from "../state/study.js";
import * as Tree from "../state/tree.js";
import { gameText, spoken } from "../state/words.js";
import { text } from "../text/index.js";
import { useOpinion, usePassed, useProof, useReview, useScene } from "../transport/analysis.js";
import { useDesk } from "../transport/desk.js";
import { useStudy } from "../transport/study.js";
import { Later } from "./later.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").PlainNode} PlainNode */
/** @typedef {import("../state/memory.js").Settings} Settings */
/** @typedef {import("../transport/study.js").Notice} Notice */
/** @typedef {{ on: boolean, wanted: number, tool: string }} Habits */
/** @typedef {{ label: string, panel: () => any }} Tool */

/** @param {Tree.Node[]} line */
const idsOf = (line) => line.map((node) => node.id).join();

/** Returns the user's preferences for the analysis. Small screens start with one line. @returns {Habits} */
const habitsOf = () => {
  const small = matchMedia(NARROW).matches;
  return { on: true, wanted: small ? 1 : 3, tool: "notes", ...recall("analysis", {}) };
};

/** @param {{ settings: Settings, query: string, onSettings: (settings: Settings) => void }} props */
export function Analyse(props) {
  expect("Analyse", props, { settings: "object", query: "string", onSettings: "function" });
  const { settings, query, onSettings } = props;
  const desk = useDesk();
  const { study, version, line, game, whole, change, open, notice, setNotice } = useStudy(desk);
  const { scene, error } = useScene(desk, study && game);
  const [habits, setHabits] = useState(habitsOf);
  const [dialog, setDialog] = useState(/** @type {"" | "edit" | "new" | "share"} */ (""));
  const [flip, setFlip] = useState(false);
  const [threat, setThreat] = useState(false);
  const review = useReview(desk, whole, line, new URLSearchParams(query).has("review"));
  const thinks = habits.on && !review.judging && dialog !== "edit" && scene !== null;
  const passed = usePassed(desk, thinks && threat && !scene.end ? game : null);
  const { proof, prove, stop } = useProof(desk);
  const opinion = useOpinion(desk, thinks ? (passed?.game ?? game) : null, habits.wanted);

  /** @param {Partial<Habits>} changes */
  const setHabit = (changes) => {
    setHabits({ ...habits, ...changes });
    keep("analysis", { ...habits, ...changes });
  };
  /** @param {Tree.Where} where */
  const step = (where) => change((tree) => Tree.step(tree, where));
  /** @param {string[]} more */
  const playAll = (more) => change((tree) => more.forEach((move) => Tree.play(tree, move)));
  /** @param {Game} next @param {PlainNode[] | null} [nodes] @param {string} [leftOut] */
  const openGame = (next, nodes = null, leftOut = "") => {
    open(next, nodes, leftOut);
    review.forget();
    stop();
    setDialog("");
    setFlip(false);
  };
  /** Shows a line from a position of this study. @param {Game} from @param {string[]} more */
  const show = (from, more) =>
    change((tree) => {
      tree.at = tree.root;
      for (const move of [...(from.moves ?? []), ...more]) Tree.play(tree, move);
    });
  const best = passed ? null : opinion?.thought?.lines[0]?.moves[0];
  useKeys(step, {
    f: () => setFlip(!flip),
    l: () => setHabit({ on: !habits.on }),
    x: () => setThreat(!threat),
    " ": () => best && playAll([best]),
  });

  if (!scene || !study) return html`<${Waiting} error=${error} onBegin=${() => openGame(emptyGame())} />`;
  if (dialog === "edit") {
    return html`<${Editor} scene=${scene} desk=${desk} onDone=${openGame} onCancel=${() => setDialog("")} />`;
  }
  const { tree } = study;
  const at = game.moves?.length ?? 0;
  // Until the server has answered, the board shows another position of the tree.
  const behind = scene.game !== game.game || scene.played.join() !== game.moves?.join();
  const thought = (behind ? null : opinion?.thought) ?? null;
  const { judged } = review;
  const values = judged && idsOf(judged.line) === idsOf(line) ? judged.values : null;
  /** @type {Map<Tree.Node, string>} */
  const found = new Map();
  if (judged) {
    const moves = judgedMoves(judged.values, firstSide(scene));
    for (const { ply, kind } of moves) if (MARKS[kind]) found.set(judged.line[ply - 1], MARKS[kind]);
  }

  /** @type {Record<string, Tool>} */
  const tools = {
    notes: {
      label: text.analysis.notes,
      panel: () => html`<${Notes} node=${tree.at} version=${version} onChange=${change} />`,
    },
    review: {
      label: text.analysis.review,
      panel: () =>
        html`<${Review}
          scene=${scene}
          at=${at}
          length=${line.length}
          values=${values}
          reason=${(values && judged?.reasons[at]) ?? ""}
          judging=${review.judging}
          trainer=${`#/review?${toLink({ ...whole, size: scene.size })}`}
          onJudge=${review.judge}
          onGo=${(/** @type {number} */ ply) => change((t) => Tree.goTo(t, ply === 0 ? 0 : line[ply - 1].id))}
        />`,
    },
    proof: {
      label: text.analysis.proof,
      panel: () =>
        html`<${Prove}
          desk=${desk}
          proof=${proof}
          game=${game}
          over=${!!scene.end}
          sides=${scene.sides}
          onProve=${() => prove(game)}
          onStop=${stop}
          onShow=${show}
        />`,
    },
    explorer: {
      label: text.analysis.explorer,
      panel: () =>
        html`<${Explorer}
          desk=${desk}
          game=${game}
          side=${scene.sides[scene.turn]}
          onPlay=${(/** @type {string} */ move) => playAll([move])}
        />`,
    },
    share: {
      label: text.analysis.share,
      panel: () =>
        html`<${Exchange}
          desk=${desk}
          game=${{ ...whole, size: scene.size }}
          title=${gameText(scene)}
          tree=${tree}
          position=${scene.position}
          onPictures=${() => setDialog("share")}
          onTry=${() => setNotice(null)}
          onOpen=${openGame}
        />`,
    },
  };

  return html`<main class="analysis">
    <h1 class="unseen">${text.analysis.title}</h1>
    <section class="analysis-board" aria-label=${text.analysis.board}>
      <${Bar} value=${passed ? null : valueOf(thought)} scene=${scene} flip=${flip} />
      <${Board}
        scene=${scene}
        flip=${flip}
        active=${!scene.end && !behind}
        groups=${settings.groups}
        labels=${settings.labels}
        speed=${settings.speed}
        arrows=${habits.on ? arrowsOf(thought, passed?.scene ?? scene, habits.wanted) : []}
        shapes=${tree.at.shapes}
        name=${text.analysis.boardName}
        onMove=${(/** @type {string} */ move) => playAll([move])}
        onDraw=${(/** @type {import("../state/types.js").Shape} */ shape) => change((t) => Tree.draw(t, shape))}
      />
      <p class="unseen" role="status" aria-live="polite">${spoken(scene)}</p>
    </section>
    <section class="analysis-panel" aria-label=${text.analysis.title}>
      <${Said} notice=${error ? { text: error, kind: "error" } : notice} onClose=${() => setNotice(null)} />
      <${Standing} scene=${scene} />
      <div class="engine-box">
        <${EngineRow}
          on=${habits.on}
          opinion=${behind ? null : opinion}
          scene=${passed?.scene ?? scene}
          wanted=${habits.wanted}
          threat=${about(scene.game).turnIsFree ? threat : null}
          onSwitch=${() => setHabit({ on: !habits.on })}
          onWanted=${(/** @type {number} */ wanted) => setHabit({ wanted })}
          onThreat=${() => setThreat(!threat)}
        />
        ${passed && html`<p class="passed">${text.analysis.ifPasses(scene.sides[scene.turn])}</p>`}
        ${
          habits.on &&
          !scene.end &&
          html`<${Lines} thought=${thought} scene=${scene} wanted=${habits.wanted} onPlay=${passed ? null : playAll} />`
        }
      </div>
      <${Variations}
        tree=${tree}
        version=${version}
        firstSide=${firstSide(scene)}
        found=${found}
        onGo=${(/** @type {Tree.Node} */ node) => change((t) => Tree.goTo(t, node.id))}
      />
      <${Tools} tools=${tools} chosen=${habits.tool} onChoose=${(/** @type {string} */ tool) => setHabit({ tool })} />
      <${StepBar} at=${at} length=${line.length} onStep=${step} onFlip=${() => setFlip(!flip)}>
        <${Menu}>
          <${Button} icon="plus" label=${text.analysis.newAnalysis} onClick=${() => setDialog("new")} />
          ${
            about(scene.game).brushes.length > 0 &&
            html`<${Button} icon="edit" label=${text.analysis.editPosition} onClick=${() => setDialog("edit")} />`
          }
          ${
            scene.groups.length > 0 &&
            html`<${Button}
              icon="groups"
              label=${text.analysis.groups}
              pressed=${settings.groups}
              onClick=${() => onSettings({ ...settings, groups: !settings.groups })}
            />`
          }
          <a class="button" href=${`#/play?${toLink({ ...game, size: scene.size })}&side=${scene.turn}`}
            ><${Icon} name="play" /><span>${text.analysis.playOn}</span></a
          >
        <//>
      <//>
    </section>
    ${
      dialog === "share" &&
      html`<${Later}
        name="Sharing"
        dialog=${true}
        with=${{ scene, game: whole, nodes: Tree.toList(tree), flip, onClose: () => setDialog("") }}
      />`
    }
    ${
      dialog === "new" &&
      html`<${NewAnalysis} scene=${scene} onBegin=${openGame} onClose=${() => setDialog("")} />`
    }
  </main>`;
}

/**
 * The message about the last action, shown until the next one.
 * @param {{ notice: Notice | null, onClose: () => void }} props
 */
function Said({ notice, onClose }) {
  const undo = () => {
    onClose();
    notice?.undo?.();
  };
  return html`<div class="notice">
    <p class=${notice?.kind === "error" ? "error" : "quiet"} role=${notice?.kind === "error" ? "alert" : "status"}>
      ${notice?.text}
      ${notice?.undo && html`<button type="button" class="link" onClick=${undo}>${text.analysis.undo}</button>`}
    </p>
  </div>`;
}

/**
 * One of several tools, selected by its button.
 * @param {{ tools: Record<string, Tool>, chosen: string, onChoose: (name: string) => void }} props
 */
function Tools({ tools, chosen, onChoose }) {
  const open = tools[chosen] ? chosen : "notes";
  /** @param {string} name */
  const button = (name) => {
    const pressed = name === open ? "true" : "false";
    return html`<button type="button" class="tool" aria-pressed=${pressed} onClick=${() => onChoose(name)}>
      ${tools[name].label}
    </button>`;
  };
  return html`<div class="tools">
    <div class="tool-row" role="group" aria-label=${text.analysis.tools}>${Object.keys(tools).map(button)}</div>
    <div class="tool-panel" key=${open}>${tools[open].panel()}</div>
  </div>`;
}

/** The view before the first board, or after an error. @param {{ error: string, onBegin: () => void }} props */
function Waiting({ error, onBegin }) {
  return html`<main class="wait">
    <p role="status">${error || text.analysis.settingUp}</p>
    ${error && html`<${Button} label=${text.analysis.startOver} onClick=${onBegin} />`}
  </main>`;
}
