// Learning from the mistakes of a game: each mistake is shown on the board, and the user looks for a better move.

import { html, useEffect, useMemo, useState } from "../../vendor/preact-htm.js";
import { Board } from "../boards/board.js";
import { Button, Radios, Token } from "../panels/controls.js";
import { Moves } from "../panels/moves.js";
import { Report } from "../panels/report.js";
import { expect } from "../state/check.js";
import { MARKS, judgedMoves, keepsValue, lessonsOf } from "../state/review.js";
import { analysisLink, firstSide, turnedFor } from "../state/scene.js";
import { fromLink } from "../state/share.js";
import { gameText, spoken } from "../state/words.js";
import { text } from "../text/index.js";
import { useDesk } from "../transport/desk.js";
import { usePicture } from "../transport/pictures.js";
import { judgeAfter, useReviewed } from "../transport/review.js";
import { Later } from "./later.js";

/** @typedef {import("../state/types.js").Game} Game */
/** @typedef {import("../state/types.js").Scene} Scene */
/** @typedef {import("../state/memory.js").Settings} Settings */
/** @typedef {import("../state/review.js").Judged} Judged */
/** @typedef {import("../transport/review.js").Known} Known */
/** @typedef {import("../transport/desk.js").Desk} Desk */


/** @param {{ query: string, settings: Settings }} props */
export function Review(props) {
  expect("Review", props, { query: "string", settings: "object" });
  const { query, settings } = props;
  const desk = useDesk();
  const game = useMemo(() => fromLink(query), [query]);
  const { scene, first, known, done, error } = useReviewed(desk, game);
  const asked = new URLSearchParams(query);
  const [side, setSide] = useState(asked.get("side") === "1" ? 1 : 0);
  const words = text.review;
  if (error || !game) return html`<main class="wait"><p role="status">${words.broken}</p></main>`;
  if (!scene || !done) return html`<${Judging} done=${known.filter(Boolean).length} all=${known.length} />`;
  const moves = judgedMoves(
    known.map((position) => position?.value ?? null),
    first,
  );
  const choice = { scene, moves, side, ply: Number(asked.get("ply")), onSide: setSide };
  return html`<${Trainer} desk=${desk} game=${game} known=${known} settings=${settings} ...${choice} />`;
}

/** @param {{ done: number, all: number }} props */
function Judging({ done, all }) {
  return html`<main class="wait">
    <h1 class="unseen">${text.views.review}</h1>
    <p role="status">${all ? text.review.judging(done, all) : text.common.settingUp}</p>
    <progress max=${all || 1} value=${done} aria-label=${text.review.panel}></progress>
  </main>`;
}

/**
 * Moves tried by the user or shown by the trainer, after the position in question, and the sentence about them.
 * @typedef {{ moves: string[], said: string }} Shown
 */
/** @typedef {"asking" | "checking" | "right" | "wrong" | "shown"} Phase */

/**
 * Goes through the mistakes one by one.
 * @param {Desk} desk @param {Game} game @param {(Known | null)[]} known @param {Judged[]} lessons
 * @param {number} from Move of the first mistake that is shown.
 */
function useTrainer(desk, game, known, lessons, from) {
  const [at, setAt] = useState(0);
  const [found, setFound] = useState(/** @type {number[]} */ ([]));
  const [phase, setPhase] = useState(/** @type {Phase} */ ("asking"));
  const [shown, setShown] = useState(/** @type {Shown} */ ({ moves: [], said: "" }));
  const [steps, setSteps] = useState(0);
  const lesson = lessons[at] ?? null;
  const ply = lesson?.ply ?? 0;
  const best = lesson ? known[ply - 1] : null;
  const played = game.moves?.[ply - 1] ?? "";
  const words = text.review;

  useEffect(() => {
    setFound([]);
    go(Math.max(0, lessons.findIndex((mistake) => mistake.ply === from)));
  }, [lessons]);
  // Shown moves are played automatically, one at a time.
  useEffect(() => {
    if (steps >= shown.moves.length) return undefined;
    const timer = setTimeout(() => setSteps((n) => n + 1), 1100);
    return () => clearTimeout(timer);
  }, [shown, steps]);

  /** @param {Phase} next @param {string[]} moves @param {string} said @param {number} already Moves on the board. */
  const show = (next, moves, said, already) => {
    setPhase(next);
    setShown({ moves: moves.slice(0, 6), said });
    setSteps(already);
  };
  const ask = () => show("asking", [], "", 0);
  /** @param {number} next */
  const go = (next) => {
    setAt(next);
    ask();
  };
  /** @param {string} move @param {Known | null} after */
  const refute = (move, after) => {
    const answer = after?.line[0];
    const said = move === played ? words.same(move) : answer ? words.refuted(move, answer) : words.worse(move);
    show("wrong", [move, ...(after?.line ?? [])], said, 1);
  };
  /** @param {string} move */
  const attempt = async (move) => {
    if (!best || !lesson) return;
    /** @param {string} said */
    const accept = (said) => {
      setFound((all) => (all.includes(at) ? all : [...all, at]));
      show("right", [move], said, 1);
    };
    if (move === best.line[0]) return accept(words.best(move));
    if (move === played) return refute(move, known[ply]);
    show("checking", [move], "", 1);
    const before = (game.moves ?? []).slice(0, ply - 1);
    const after = await judgeAfter(desk, { ...game, moves: [...before, move] });
    if (after && keepsValue(best.value, after.value, lesson.side)) accept(words.right(move));
    else refute(move, after);
  };
  const solve = () => {
    if (best) show("shown", best.line, words.solution(best.line[0]), 0);
  };
  const moves = [...(game.moves ?? []).slice(0, ply - 1), ...shown.moves.slice(0, steps)];
  // While the user looks for the better move, the reason would give it away.
  const reason = phase === "right" || phase === "shown" ? (best?.reason ?? "") : "";
  return { at, lesson, played, phase, shown, steps, found, moves, reason, ask, go, attempt, solve };
}

/**
 * @param {{ desk: Desk, game: Game, known: (Known | null)[], settings: Settings, scene: Scene, moves: Judged[],
 *   side: number, ply: number, onSide: (side: number) => void }} props `ply` is the first mistake that is shown.
 */
function Trainer({ desk, game, known, settings, scene: last, moves, side, ply, onSide }) {
  const lessons = useMemo(() => lessonsOf(moves, side), [side]);
  const trainer = useTrainer(desk, game, known, lessons, ply);
  const { lesson, phase } = trainer;
  const position = useMemo(
    () => (lesson ? { ...game, moves: trainer.moves } : game),
    [lesson, trainer.moves.join(" ")],
  );
  const scene = usePicture(desk, position) ?? last;
  const words = text.review;
  const [sharing, setSharing] = useState(false);
  const flip = turnedFor(last.game, side);
  const options = [0, 1].map((own) => ({
    value: String(own),
    face: html`<${Token} game=${last.game} side=${own} /><span>${words.mistakesOf(last.sides[own])}</span>`,
  }));
  const marks = Object.fromEntries(moves.map(({ ply, kind }) => [ply, MARKS[kind]]));
  const asking = phase === "asking" && scene.played.length === trainer.moves.length;
  const wrong = phase === "asking" && lesson ? last.played[lesson.ply - 1] : "";
  const way = scene.moves.find(({ text: move }) => move === wrong);
  return html`<main class="table review">
    <h1 class="unseen">${words.heading}: ${gameText(last)}</h1>
    <section class="board-side" aria-label=${words.board}>
      <${Board}
        scene=${scene}
        flip=${flip}
        active=${asking}
        labels=${settings.labels}
        speed=${settings.speed}
        arrows=${asking && way ? [{ path: way.path, strength: 0.3 }] : []}
        name=${words.board}
        onMove=${trainer.attempt}
      />
      <p class="unseen" role="status" aria-live="polite">${spoken(scene)}</p>
    </section>
    <section class="panel-side" aria-label=${words.panel}>
      <${Report} scene=${last} moves=${moves} />
      <${Radios}
        legend=${words.whose}
        kind="segments"
        options=${options}
        value=${String(side)}
        onChange=${(/** @type {string} */ next) => onSide(Number(next))}
      />
      <${Lesson} trainer=${trainer} lessons=${lessons} sides=${last.sides} side=${side} />
      <${Moves} played=${last.played} at=${trainer.lesson?.ply ?? 0} notes=${marks} firstSide=${firstSide(last)} />
      <details class="advanced">
        <summary>${words.how}</summary>
        <p class="quiet">${words.counting}</p>
      </details>
      <div class="buttons">
        <a class="button" href=${analysisLink(last)}>${words.analyse}</a>
        <a class="button" href="#/">${words.newGame}</a>
        <${Button} label=${text.play.share} onClick=${() => setSharing(true)} />
      </div>
    </section>
    ${
      sharing &&
      html`<${Later}
        name="Sharing"
        dialog=${true}
        with=${{ scene, game, flip, onClose: () => setSharing(false) }}
      />`
    }
  </main>`;
}

/**
 * The question and the verdict.
 * @param {{ trainer: ReturnType<typeof useTrainer>, lessons: Judged[], sides: [string, string], side: number }} props
 */
function Lesson({ trainer, lessons, sides, side }) {
  const { at, lesson, played, phase, shown, steps, found, reason, ask, go, solve } = trainer;
  const words = text.review;
  if (!lesson) {
    const none = lessons.length === 0;
    const said = none ? words.none(sides[side]) : words.found(found.length, lessons.length);
    return html`<div class="lesson-box" role="status">
      <p>${said}</p>
      ${!none && html`<${Button} icon="again" label=${words.restart} onClick=${() => go(0)} />`}
    </div>`;
  }
  const waits = phase === "checking" ? words.checking : shown.said;
  const asked = phase === "asking" ? words.ask(sides[side], played) : waits;
  const line = phase === "wrong" || phase === "shown" ? shown.moves : [];
  const next = at + 1 < lessons.length ? words.next : words.finish;
  const kind = phase === "right" ? "primary" : "";
  /** @param {string} move @param {number} i */
  const step = (move, i) => html`<span class=${i < steps ? "move" : "move gone"}>${move}</span>`;
  return html`<div class=${`lesson-box ${phase}`}>
    <p class="quiet">
      ${words.progress(at + 1, lessons.length)} · <span class=${lesson.kind}>${words.kinds[lesson.kind]}</span>
    </p>
    <div role="status">
      <p class="said">${asked}</p>
      <p class="reason">${reason && words.because(played, reason)}</p>
    </div>
    <p class="line" aria-label=${words.line}>${line.map(step)}</p>
    <div class="buttons">
      ${
        (phase === "wrong" || phase === "shown") &&
        html`<${Button} label=${words.again} icon="again" onClick=${ask} />`
      }
      ${phase !== "right" && phase !== "shown" && html`<${Button} label=${words.show} icon="hint" onClick=${solve} />`}
      <${Button} label=${next} icon="next" kind=${kind} onClick=${() => go(at + 1)} />
    </div>
  </div>`;
}
