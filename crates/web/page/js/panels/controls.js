// Small things that panels are made of.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";

/**
 * @param {{ label: string, icon?: string, onClick: () => void, disabled?: boolean, kind?: string, pressed?: boolean,
 *   title?: string }} props
 */
export function Button(props) {
  expect("Button", props, {
    label: "string",
    icon: "string?",
    onClick: "function",
    disabled: "boolean?",
    kind: "string?",
    pressed: "boolean?",
    title: "string?",
  });
  const { label, icon, onClick, disabled = false, kind = "", pressed, title } = props;
  return html`<button
    type="button"
    class=${`button ${kind}`}
    disabled=${disabled}
    aria-pressed=${pressed}
    title=${title ?? (icon ? label : undefined)}
    onClick=${onClick}
  >
    ${icon && html`<${Icon} name=${icon} />`}<span class=${kind.includes("compact") ? "unseen" : ""}>${label}</span>
  </button>`;
}

/** @type {Record<string, string>} */
const ICONS = {
  undo: "M9 7 4 12l5 5M4 12h10a5 5 0 0 1 0 10h-2",
  redo: "M15 7l5 5-5 5M20 12H10a5 5 0 0 0 0 10h2",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.7.7 1 1.5 1 2.5h6c0-1 .3-1.800 1-2.500A6 6 0 0 0 12 3z",
  flag: "M5 21V4h11l-2 4 2 4H5",
  flip: "M7 4v16m0 0-3-3m3 3 3-3M17 20V4m0 0-3 3m3-3 3 3",
  plus: "M12 5v14M5 12h14",
  first: "M18 6l-8 6 8 6zM6 6v12",
  back: "M16 6l-8 6 8 6z",
  next: "M8 6l8 6-8 6z",
  last: "M6 6l8 6-8 6zM18 6v12",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  groups: "M8 8m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M16 16m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
  search: "M10 10m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M15 15l6 6",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  up: "M12 19V5M6 11l6-6 6 6",
};

/** @param {{ name: string }} props */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;
}

/**
 * @param {{ label: string, value: string | number, options: [string | number, string][], onChange: (value: string) =>
 *   void, disabled?: boolean }} props
 */
export function Select(props) {
  expect("Select", props, {
    label: "string",
    value: "string|number",
    options: "array",
    onChange: "function",
    disabled: "boolean?",
  });
  const { label, value, options, onChange, disabled = false } = props;
  /** @param {[string | number, string]} option */
  const option = ([key, text]) => {
    const selected = String(key) === String(value);
    return html`<option value=${String(key)} selected=${selected}>${text}</option>`;
  };
  return html`<label class="field"
    ><span>${label}</span>
    <select value=${String(value)} disabled=${disabled} onChange=${(/** @type {any} */ e) => onChange(e.target.value)}>
      ${options.map(option)}
    </select>
  </label>`;
}

/** A small disc, die or man in the colour of a side. @param {{ game: string, side: number }} props */
export function Token({ game, side }) {
  return html`<span class=${`token ${about(game).pieces} side${side}`} aria-hidden="true"></span>`;
}
