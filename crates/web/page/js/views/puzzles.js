// Puzzles: positions that are won by force; every move that keeps the win is right.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { Board } from "../boards/board.js";
import { Button, Select, Token } from "../panels/controls.js";
import { PUZZLES } from "../puzzles/data.js";
import { keep, recall } from "../state/memory.js";
import { toLink } from "../state/share.js";
import { GAMES, spoken } from "../state/words.js";
import { useDesk } from "../transport/desk.js";

/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/types.js").Value} Value */
/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/memory.js").Settings} Settings */
/** @typedef {{ solved: Record<string, number[]>, streak: number, best: number }} Record_ */

/** A position is looked at for so many milliseconds at most; the wins of all puzzles are proven much sooner. */
const LONGEST_LOOK = 6000;

/** In how many plies a side has a proven win. @param {Value | undefined} value @param {number} side */
function winIn(value, side) {
  if (!value) return null;
  if (side === 0 && "wins" in value) return value.wins;
  if (side === 1 && "loses" in value) return value.loses;
  return null;
}

/** The first engine's opinion that proves something, or the last one. @param {import("../transport/desk.js").Desk} desk @param {Game} game @returns {Promise<import("../state/types.js").Variation | null>} */
function judge(desk, game) {
  return new Promise((resolve) => {
    /** @type {import("../state/types.js").Variation | null} */
    let best = null;
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve(best);
    };
    const timer = setTimeout(end, LONGEST_LOOK);
    const stop = desk.analyse(game, 1, ({ thought, done }) => {
      best = thought?.lines[0] ?? null;
      if (done || !best || !("units" in best.value)) end();
    });
  });
}

/** @param {{ settings: Settings }} props */
export function Puzzles(props) {
  expect("Puzzles", props, { settings: "object" });
  const { settings } = props;
  const [game, setGame] = useState(recall("puzzles.game", "loa"));
  const [record, setRecord] = useState(/** @type {Record_} */ (recall("puzzles", { solved: {}, streak: 0, best: 0 })));
  const all = PUZZLES[game];
  const [number, setNumber] = useState(() => Math.max(0, firstOpen(all, record.solved[game] ?? [])));
  const [moves, setMoves] = useState(/** @type {string[]} */ ([]));
  const [scene, setScene] = useState(/** @type {Scene | null} */ (null));
  const [state, setState] = useState(/** @type {"open" | "checking" | "wrong" | "solved" | "shown"} */ ("open"));
  const [said, setSaid] = useState("");
  const desk = useDesk();
  const [position, plies] = all[number];
  const [solver, setSolver] = useState(0);
  // Answers and solutions that were asked for before another puzzle was opened come too late.
  const opened = useRef(0);

  useEffect(() => {
    let current = true;
    desk.look({ game, start: position, moves }).then((next) => {
      if (!current) return;
      setScene(next);
      if (moves.length === 0) setSolver(next.turn);
    });
    return () => {
      current = false;
    };
  }, [game, number, moves]);

  /** @param {string} nextGame @param {number} next */
  const open = (nextGame, next) => {
    opened.current += 1;
    setGame(nextGame);
    keep("puzzles.game", nextGame);
    setNumber(next);
    setMoves([]);
    setState("open");
    setSaid("");
  };
  /** @param {boolean} right */
  const score = (right) => {
    const solved = { ...record.solved, [game]: right ? [...new Set([...(record.solved[game] ?? []), number])] : (record.solved[game] ?? []) };
    const streak = right ? record.streak + 1 : 0;
    const next = { solved, streak, best: Math.max(record.best, streak) };
    setRecord(next);
    keep("puzzles", next);
  };

  /** @param {import("../state/types.js").End} end */
  const finish = (end) => {
    const won = end.winner === solver;
    setState(won ? "solved" : "wrong");
    setSaid(end.text);
    score(won);
  };

  /** @param {string} text */
  async function attempt(text) {
    const [tried, now] = [[...moves, text], opened.current];
    setMoves(tried);
    setState("checking");
    const after = await desk.look({ game, start: position, moves: tried });
    if (opened.current !== now) return;
    if (after.end) {
      finish(after.end);
      return;
    }
    const answer = await judge(desk, { game, start: position, moves: tried });
    if (opened.current !== now) return;
    if (winIn(answer?.value, solver) === null) {
      setState("wrong");
      setSaid(`${text} lets the win go.`);
      score(false);
      return;
    }
    const reply = answer?.moves[0];
    const replied = reply ? [...tried, reply] : tried;
    const next = await desk.look({ game, start: position, moves: replied });
    if (opened.current !== now) return;
    setMoves(replied);
    if (next.end) {
      finish(next.end);
      return;
    }
    setState("open");
    setSaid("Right. Go on.");
  }

  async function showSolution() {
    const now = opened.current;
    setState("shown");
    const answer = await judge(desk, { game, start: position, moves: [] });
    if (opened.current !== now) return;
    score(false);
    setSaid(`The win: ${answer?.moves.join(" ") ?? "?"}`);
    for (let i = 1; i <= (answer?.moves.length ?? 0); i += 1) {
      setMoves(answer?.moves.slice(0, i) ?? []);
      await new Promise((resolve) => setTimeout(resolve, 900));
      if (opened.current !== now) return;
    }
  }

  if (!scene) return html`<main class="wait"><p role="status">Setting up the board …</p></main>`;
  const solved = record.solved[game] ?? [];
  const sides = scene.sides;
  const task = `${sides[solver]} wins in ${Math.ceil(plies / 2)} ${plies > 1 ? "moves" : "move"}`;
  return html`<main class="table">
    <h1 class="unseen">Puzzles</h1>
    <section class="board-side" aria-label="Board">
      <${Board} scene=${scene} flip=${false} active=${state === "open" && !scene.end} labels=${settings.labels} speed=${settings.speed} groups=${settings.groups} name=${`Puzzle: ${task}`} onMove=${attempt} />
      <p class="unseen" role="status" aria-live="polite">${spoken(scene)}</p>
    </section>
    <section class="panel-side" aria-label="Puzzle">
      <div class="row">
        <${Select} label="Game" value=${game} options=${Object.values(GAMES).map((g) => [g.name, g.title])} onChange=${(/** @type {string} */ g) => open(g, Math.max(0, firstOpen(PUZZLES[g], record.solved[g] ?? [])))} />
        <p class="streak"><b>${record.streak}</b> in a row<br /><span class="quiet">best ${record.best}</span></p>
      </div>
      <h2><${Token} game=${game} side=${solver} /> ${task}</h2>
      <p class=${state === "wrong" ? "error" : state === "solved" ? "success" : "quiet"} role="status">
        ${state === "checking" ? "Looking …" : state === "solved" ? `Solved! ${said}` : said || `Puzzle ${number + 1} of ${all.length}. Every move that keeps the win counts as right.`}
      </p>
      <div class="buttons">
        ${state === "wrong" && html`<${Button} label="Try again" kind="primary" onClick=${() => open(game, number)} />`}
        ${state === "solved" && html`<${Button} label="Next puzzle" kind="primary" onClick=${() => open(game, (number + 1) % all.length)} />`}
        <${Button} label="Show the solution" disabled=${state === "solved" || state === "shown" || state === "checking"} onClick=${showSolution} />
        <a class="button" href=${`#/analyse?${toLink({ game, start: position, moves })}`}>Analyse</a>
      </div>
      <div class="dots" role="group" aria-label="All puzzles">
        ${all.map(([, length], i) => html`<button type="button" class=${`dot ${solved.includes(i) ? "done" : ""}`} aria-current=${i === number ? "true" : undefined} aria-label=${`Puzzle ${i + 1}, ${Math.ceil(length / 2)} moves${solved.includes(i) ? ", solved" : ""}`} onClick=${() => open(game, i)}>${Math.ceil(length / 2)}</button>`)}
      </div>
    </section>
  </main>`;
}

/** @param {[string, number][]} all @param {number[]} solved */
function firstOpen(all, solved) {
  return all.findIndex((_, i) => !solved.includes(i));
}
