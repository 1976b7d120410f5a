// Basic controls of the panels.

import { html, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { about } from "../state/games.js";
import { variantText } from "../state/words.js";
import { text } from "../text/index.js";

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

/** The name of unusual rules, or of an unusual start. @param {{ variant: string }} props */
export function Variant(props) {
  expect("Variant", props, { variant: "string" });
  const { variant } = props;
  return variant && html`<small class="variant">${variantText(variant)}</small>`;
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
  learn: "M12 6c-2-2-5-2-8-2v14c3 0 6 0 8 2 2-2 5-2 8-2V4c-3 0-6 0-8 2zM12 6v14",
  leaf: "M5 19c0-9 5-14 15-14 0 10-5 15-13 14-1 0-2-1-2-2M5 21c2-5 5-8 9-10",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 13l5 5L20 7",
  ladder: "M8 3v18M16 3v18M8 7h8M8 12h8M8 17h8",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  save: "M12 4v11M8 11l4 4 4-4M5 20h14",
  share: "M12 15V4M8 8l4-4 4 4M6 12v8h12v-8",
  win: "M7 4h10v5a5 5 0 0 1-10 0zM7 6H4q-.500 4 4 5M17 6h3q.500 4-4 5M12 14v4M8 20h8",
  loss: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7v9M8.500 13l3.500 3.500 3.500-3.500",
  draw: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M8 10h8M8 14h8",
  again: "M5 12a7 7 0 1 0 2-5M7 3v4h4",
  puzzle: "M4 8h4.500a2.500 2.500 0 1 1 5 0H18v4.500a2.500 2.500 0 1 1 0 5V20H4z",
  eye: "M2 12c3-5 6.500-7 10-7s7 2 10 7c-3 5-6.500 7-10 7s-7-2-10-7zM12 12m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
  threat: "M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 1v6M12 17v6M1 12h6M17 12h6",
  edit: "M4 20l1-5L16 4l4 4L9 19zM13 7l4 4",
  sound: "M4 9v6h4l5 4V5L8 9zM16.500 9a4 4 0 0 1 0 6M19 6.500a8 8 0 0 1 0 11",
  silence: "M4 9v6h4l5 4V5L8 9zM16.500 9.500l5 5M21.500 9.500l-5 5",
  settings:
    "M4 7h9M19 7h1M4 17h1M11 17h9M13.500 7a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0" +
    "M5.500 17a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0",
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

/** A small piece in the colour of a side: a disc, die or man. @param {{ game: string, side: number }} props */
export function Token({ game, side }) {
  return html`<span class=${`token ${about(game).pieces} side${side}`} aria-hidden="true"></span>`;
}

/**
 * A button for an irreversible action. A second click within a few seconds confirms it.
 * @param {{ label: string, sure: string, icon?: string, disabled?: boolean, onClick: () => void }} props
 */
export function SureButton(props) {
  expect("SureButton", props, {
    label: "string",
    sure: "string",
    icon: "string?",
    disabled: "boolean?",
    onClick: "function",
  });
  const { label, sure, icon, disabled = false, onClick } = props;
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (!asked) return undefined;
    const timer = setTimeout(() => setAsked(false), 5000);
    return () => clearTimeout(timer);
  }, [asked]);
  const click = () => {
    setAsked(!asked);
    if (asked) onClick();
  };
  return html`<button
    type="button"
    class=${asked && !disabled ? "button sure" : "button"}
    disabled=${disabled}
    data-stay=${asked ? undefined : ""}
    onClick=${click}
    onBlur=${() => setAsked(false)}
  >
    ${icon && html`<${Icon} name=${icon} />`}<span>${asked && !disabled ? sure : label}</span>
  </button>`;
}

/**
 * A group of radio buttons with custom labels.
 * @param {{ legend: string, options: { value: string, face: unknown }[], value: string, kind: string,
 *   onChange: (value: string) => void }} props
 */
export function Radios(props) {
  expect("Radios", props, {
    legend: "string",
    options: "array",
    value: "string",
    kind: "string",
    onChange: "function",
  });
  const { legend, options, value, kind, onChange } = props;
  const name = useRef(`radios${Math.random()}`);
  /** @param {{ value: string, face: unknown }} option */
  const option = ({ value: own, face }) =>
    html`<label class="radio" key=${own}>
      <input
        class="unseen"
        type="radio"
        name=${name.current}
        value=${own}
        checked=${own === value}
        onChange=${() => onChange(own)}
      />
      <span class="face">${face}</span>
    </label>`;
  return html`<fieldset class=${`radios ${kind}`}>
    <legend>${legend}</legend>
    ${options.map(option)}
  </fieldset>`;
}

/**
 * A button that opens a menu of more buttons. A click on a button of the menu closes the menu.
 * @param {{ children?: unknown }} props
 */
export function Menu({ children }) {
  const sheet = useRef(/** @type {HTMLElement | null} */ (null));
  /**
   * Closes the menu if appropriate. Runs before the button's own handler, because that handler may replace the button.
   * @param {any} event
   */
  const close = (event) => {
    const stays = event.target.closest("[data-stay]") || !event.target.closest("button, a");
    if (!stays) setTimeout(() => sheet.current?.hidePopover());
  };
  return html`<button type="button" class="button" popovertarget="menu">
      <${Icon} name="menu" /><span>${text.common.menu}</span>
    </button>
    <div id="menu" popover="auto" class="sheet" ref=${sheet} aria-label=${text.common.menu} onClickCapture=${close}>
      ${children}
    </div>`;
}

/** Returns whether a media query matches, and updates when it changes. @param {string} query */
export function useMedia(query) {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const onChange = () => setHolds(list.matches);
    onChange();
    list.addEventListener("change", onChange);
    return () => list.removeEventListener("change", onChange);
  }, [query]);
  return holds;
}
