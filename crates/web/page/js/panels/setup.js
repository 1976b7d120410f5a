// The choices before a game: game, opponent, side, time.

import { html } from "../../vendor/preact-htm.js";
import { Picture } from "../boards/picture.js";
import { Portrait } from "../boards/portrait.js";
import { expect } from "../state/check.js";
import { about, allGames } from "../state/games.js";
import { opponentName } from "../state/scene.js";
import { offeredBuilds, offeredVariants, withGame } from "../state/setup.js";
import { text } from "../text/index.js";
import { usePictures } from "../transport/pictures.js";
import { Icon, Radios, Select, Token } from "./controls.js";

/** @typedef {import("../state/setup.js").Setup} Setup */
/** @typedef {(setup: Setup) => void} OnSetup */

const SHAPE = { setup: "object", onChange: "function" };

/**
 * The games as pictures.
 * @param {{ setup: Setup, onChange: OnSetup, desk: import("../transport/desk.js").Desk }} props
 */
export function GameChoice(props) {
  expect("GameChoice", props, { ...SHAPE, desk: "object" });
  const { setup, onChange, desk } = props;
  const pictures = usePictures(desk);
  const options = allGames().map(({ name, title, summary }) => ({
    value: name,
    face: html`<${Picture} game=${name} scene=${pictures.get(name) ?? null} />
      <span class="names"><strong>${title}</strong><small>${summary}</small></span>`,
  }));
  const choose = (/** @type {string} */ game) => onChange(withGame(setup, game));
  return html`<${Radios}
    legend=${text.newGame.game}
    kind="games"
    options=${options}
    value=${setup.game}
    onChange=${choose}
  />`;
}

/** The choice of the opponent. @param {{ setup: Setup, onChange: OnSetup }} props */
export function OpponentChoice(props) {
  expect("OpponentChoice", props, SHAPE);
  const { setup, onChange } = props;
  const { opponent, engine, friend } = text.newGame;
  const options = [
    { value: "engine", face: engine },
    { value: "friend", face: friend },
  ];
  const choose = (/** @type {any} */ against) => onChange({ ...setup, against });
  const setLevel = (/** @type {string} */ level) => onChange({ ...setup, levels: [level, level] });
  return html`<div class="opponents">
    <${Radios} legend=${opponent} kind="segments" options=${options} value=${setup.against} onChange=${choose} />
    ${
      setup.against === "engine"
        ? html`<${Strength} game=${setup.game} level=${setup.levels[0]} onChange=${setLevel} />`
        : html`<p class="quiet">${text.newGame.friendHow}</p>`
    }
  </div>`;
}

/**
 * A level, as an opponent with a name.
 * @param {{ game: string, level: string, label?: string, onChange: (level: string) => void }} props
 */
export function Strength(props) {
  expect("Strength", props, { game: "string", level: "string", label: "string?", onChange: "function" });
  const { game, level, label = text.newGame.strength, onChange } = props;
  const { levels } = about(game);
  const at = Math.max(
    0,
    levels.findIndex((info) => info.key === level),
  );
  // Gentle levels have only names, and a leaf as their symbol.
  const rank = levels[at].gentle ? html`<${Icon} name="leaf" />` : level;
  const { elo } = levels[at];
  const rating = elo === null ? null : text.opponents.elo(elo);
  const known = text.opponents.levels[level];
  const slide = (/** @type {any} */ event) => onChange(levels[Number(event.target.value)].key);
  return html`<div class="strength">
    <div class="rival">
      <span class="face-of" aria-hidden="true"><${Portrait} level=${level} /><span class="rank">${rank}</span></span>
      <div>
        <strong>${known?.name ?? opponentName(level)}</strong>
        ${rating && html`<span class="elo" title=${text.opponents.scale}>${rating}</span>`}
        <p>${known?.about ?? ""}</p>
      </div>
    </div>
    <label class="slider">
      <span class="unseen">${label}</span>
      <input
        type="range"
        min="0"
        max=${levels.length - 1}
        value=${at}
        aria-valuetext=${rating ? `${opponentName(level)}, ${rating}` : opponentName(level)}
        onInput=${slide}
      />
      <span class="ends" aria-hidden="true"
        ><span>${text.newGame.easier}</span><span>${text.newGame.stronger}</span></span
      >
    </label>
  </div>`;
}

/** The choice of the user's side. @param {{ setup: Setup, onChange: OnSetup }} props */
export function SideChoice(props) {
  expect("SideChoice", props, SHAPE);
  const { setup, onChange } = props;
  const { sides } = about(setup.game);
  /** @param {0 | 1} side */
  const option = (side) => ({
    value: String(side),
    face: html`<${Token} game=${setup.game} side=${side} /><span>${sides[side]}</span>`,
  });
  const tokens = [0, 1].map((side) => html`<${Token} game=${setup.game} side=${side} />`);
  const lot = { value: "lot", face: html`<span class="both">${tokens}</span><span>${text.newGame.byLot}</span>` };
  /** @param {string} side */
  const choose = (side) => onChange({ ...setup, side: side === "lot" ? "lot" : side === "1" ? 1 : 0 });
  return html`<${Radios}
    legend=${text.newGame.youPlay}
    kind="segments side"
    options=${[option(0), lot, option(1)]}
    value=${String(setup.side)}
    onChange=${choose}
  />`;
}

/** The strengths of two engines. @param {{ setup: Setup, onChange: OnSetup }} props */
export function EnginesChoice(props) {
  expect("EnginesChoice", props, SHAPE);
  const { setup, onChange } = props;
  const { sides } = about(setup.game);
  /** @param {number} side */
  const strength = (side) => {
    const set = (/** @type {string} */ level) => {
      const [first, second] = setup.levels;
      onChange({ ...setup, levels: side === 0 ? [level, second] : [first, level] });
    };
    return html`<div class="engine">
      <p class="legend"><${Token} game=${setup.game} side=${side} /> ${sides[side]}</p>
      <${Strength} game=${setup.game} level=${setup.levels[side]} label=${sides[side]} onChange=${set} />
    </div>`;
  };
  return html`<div class="engines">${[0, 1].map(strength)}</div>`;
}

/** Board and clock, and rarely changed options. @param {{ setup: Setup, onChange: OnSetup, clocks: boolean }} props */
export function MoreChoices(props) {
  expect("MoreChoices", props, { ...SHAPE, clocks: "boolean" });
  const { setup, onChange, clocks } = props;
  const words = text.newGame;
  const boards = about(setup.game).sizes.map((n) => [n, text.common.board(n)]);
  const setSize = (/** @type {string} */ n) => onChange({ ...setup, size: Number(n) });
  const setClock = (/** @type {string} */ clock) => onChange({ ...setup, clock });
  const setBuild = (/** @type {string} */ build) => onChange({ ...setup, build });
  const engines = offeredBuilds(setup.game).map((build) => [build, words.engines[build]]);
  const setLimit = (/** @type {string} */ limit) => onChange({ ...setup, limit });
  const setTime = (/** @type {string} */ time) => onChange({ ...setup, time });
  const setVariant = (/** @type {string} */ variant) => onChange({ ...setup, variant });
  return html`<div class="more">
    <div class="fields">
      <${Select} label=${words.board} value=${setup.size} options=${boards} onChange=${setSize} />
      ${
        clocks &&
        html`<${Select}
          label=${words.clock}
          value=${setup.clock}
          options=${words.clocks}
          onChange=${setClock}
        />`
      }
    </div>
    <details class="advanced">
      <summary>${words.advanced}</summary>
      <div class="fields">
        ${
          setup.against !== "friend" &&
          html`<${Select}
            label=${words.thinkingTime}
            value=${setup.time}
            options=${words.thinkingTimes}
            onChange=${setTime}
          />
            <${Select} label=${words.engineField} value=${setup.build} options=${engines} onChange=${setBuild} />`
        }
        <${Select} label=${words.moveLimit} value=${setup.limit} options=${words.limits} onChange=${setLimit} />
        <${RulesChoice} game=${setup.game} variant=${setup.variant} onChange=${setVariant} />
      </div>
    </details>
  </div>`;
}

/**
 * The choice of the rules, and of the start unless `starts` is false, in games that have several.
 * @param {{ game: string, variant: string, starts?: boolean, onChange: (variant: string) => void }} props
 */
export function RulesChoice(props) {
  expect("RulesChoice", props, { game: "string", variant: "string", starts: "boolean?", onChange: "function" });
  const { game, variant, starts = true, onChange } = props;
  const options = offeredVariants(game, starts);
  if (options.length === 1) return null;
  return html`<${Select} label=${text.newGame.rules} value=${variant} options=${options} onChange=${onChange} />`;
}
