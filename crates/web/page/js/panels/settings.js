// The settings menu, and the mute button beside it.

import { html, useEffect, useLayoutEffect, useRef } from "../../vendor/preact-htm.js";
import { setSlide, still } from "../boards/motion.js";
import { Lights, Piece } from "../boards/pieces.js";
import { play, setVolume } from "../boards/sound.js";
import { expect } from "../state/check.js";
import { allGames, usualGame } from "../state/games.js";
import { BOARDS, COLOURS, PIECES, keep } from "../state/memory.js";
import { LANGUAGES, text } from "../text/index.js";
import { Icon, Select } from "./controls.js";

/** @typedef {import("../state/memory.js").Settings} Settings */

/** Applies the settings to boards and sounds. @param {Settings} settings @param {boolean} sounds */
function useBoards({ slide, volume }, sounds) {
  useLayoutEffect(() => {
    setSlide(slide);
    document.documentElement.style.setProperty("--slide", `${slide}ms`);
  }, [slide]);
  const first = useRef(true);
  useLayoutEffect(() => {
    setVolume(sounds ? volume / 100 : 0);
    // Plays a move sound at the new volume.
    if (!first.current) play("move");
    first.current = false;
  }, [sounds, volume]);
}

/** Holds the state of a menu that closes on Escape, and when something else is clicked or focused. */
function useMenu() {
  const menu = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useEffect(() => {
    const close = () => menu.current?.removeAttribute("open");
    const onElsewhere = (/** @type {Event} */ event) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) close();
    };
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || !menu.current?.open) return;
      close();
      menu.current.querySelector("summary")?.focus();
    };
    addEventListener("pointerdown", onElsewhere);
    addEventListener("focusin", onElsewhere);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("pointerdown", onElsewhere);
      removeEventListener("focusin", onElsewhere);
      removeEventListener("keydown", onKey);
    };
  }, []);
  return menu;
}

/** @param {{ settings: Settings, onChange: (settings: Settings) => void }} props */
export function SettingsMenu(props) {
  expect("SettingsMenu", props, { settings: "object", onChange: "function" });
  const { settings, onChange } = props;
  const words = text.settings;
  // Reduced motion also turns off sounds by default; the user can turn them on.
  const sounds = settings.sound ?? !still();
  useBoards(settings, sounds);
  const menu = useMenu();
  /** @param {Partial<Settings>} part */
  const change = (part) => onChange({ ...settings, ...part });
  const setPremoves = (/** @type {boolean} */ premoves) => change({ premoves });
  /** @type {[string, string][]} */
  const languages = [["", words.browserLanguage], ...LANGUAGES];
  const setLanguage = (/** @type {string} */ to) => {
    keep("settings", { ...settings, language: to });
    // Strings are read when the page loads.
    location.reload();
  };
  const switchSound = () => change({ sound: !sounds });
  return html`<${Lights} />
    <button
      type="button"
      class="plain sound"
      aria-label=${sounds ? words.soundOff : words.soundOn}
      title=${sounds ? words.soundOff : words.soundOn}
      onClick=${switchSound}
    >
      <${Icon} name=${sounds ? "sound" : "silence"} />
    </button>
    <details class="settings" ref=${menu}>
      <summary class="plain"><${Icon} name="settings" /><span>${words.title}</span></summary>
      <div class="menu">
        <section>
          <${Select} label=${words.language} value=${settings.language} options=${languages} onChange=${setLanguage} />
        </section>
        <${Look} settings=${settings} change=${change} />
        <${Movement} settings=${settings} change=${change} />
        <${Sounds} volume=${settings.volume} on=${sounds} change=${change} />
        <section>
          <h2>${words.playing}</h2>
          <${Check} label=${words.premoves} on=${settings.premoves} onChange=${setPremoves} />
        </section>
      </div>
    </details>`;
}

/** @typedef {{ settings: Settings, change: (part: Partial<Settings>) => void }} PartProps */

/** @param {PartProps} props */
function Look({ settings, change }) {
  const words = text.settings;
  const dice = allGames().find(({ pieces }) => pieces === "dice") ?? usualGame();
  const discs = allGames().find(({ pieces }) => pieces === "discs") ?? usualGame();
  const setLabels = (/** @type {boolean} */ labels) => change({ labels });
  /** @param {string} game @param {string[]} spots One of each side. */
  const both = (game, spots) =>
    spots.map((spot, side) => html`<svg viewBox="0 0 100 100"><${Piece} game=${game} spot=${[spot, side]} /></svg>`);
  return html`<section>
    <h2>${words.look}</h2>
    <${Select}
      label=${words.theme}
      value=${settings.theme}
      options=${Object.entries(words.themes)}
      onChange=${(/** @type {any} */ theme) => change({ theme })}
    />
    <${Swatches}
      label=${words.board}
      names=${words.boards}
      values=${BOARDS}
      value=${settings.board}
      onChange=${(/** @type {any} */ board) => change({ board })}
      draw=${(/** @type {string} */ name) => html`<span class="swatch-board" data-board=${name}></span>`}
    />
    <${Swatches}
      label=${words.pieces}
      names=${words.pieceSets}
      values=${PIECES}
      value=${settings.pieces}
      onChange=${(/** @type {any} */ pieces) => change({ pieces })}
      draw=${(/** @type {string} */ name) => html`<span data-pieces=${name}>${both(discs.name, ["b", "w"])}</span>`}
    />
    <${Swatches}
      label=${words.colours}
      names=${words.palettes}
      values=${COLOURS}
      value=${settings.colours}
      onChange=${(/** @type {any} */ colours) => change({ colours })}
      draw=${(/** @type {string} */ name) => html`<span data-colours=${name}>${both(dice.name, ["2r", "3b"])}</span>`}
    />
    <${Check} label=${words.coordinates} on=${settings.labels} onChange=${setLabels} />
  </section>`;
}

/** @param {PartProps} props */
function Movement({ settings, change }) {
  const words = text.settings;
  return html`<section class="two">
    <h2>${words.movement}</h2>
    <${Select}
      label=${words.slide}
      value=${settings.slide}
      options=${Object.entries(words.slides)}
      onChange=${(/** @type {string} */ ms) => change({ slide: Number(ms) })}
    />
    <${Select}
      label=${words.cascades}
      value=${settings.speed}
      options=${Object.entries(words.speeds)}
      onChange=${(/** @type {string} */ ms) => change({ speed: Number(ms) })}
    />
  </section>`;
}

/** @param {{ volume: number, on: boolean, change: (part: Partial<Settings>) => void }} props */
function Sounds({ volume, on, change }) {
  const words = text.settings;
  const setSound = (/** @type {boolean} */ sound) => change({ sound });
  const setLoudness = (/** @type {any} */ event) => change({ volume: Number(event.target.value) });
  return html`<section class="two">
    <${Check} label=${words.sound} on=${on} onChange=${setSound} />
    <label class="field"
      ><span>${words.volume}</span>
      <input type="range" min="0" max="100" step="5" value=${volume} disabled=${!on} onInput=${setLoudness} />
    </label>
  </section>`;
}

/** @param {{ label: string, on: boolean, onChange: (on: boolean) => void }} props */
function Check({ label, on, onChange }) {
  const change = (/** @type {any} */ event) => onChange(event.target.checked);
  return html`<label class="check"><input type="checkbox" checked=${on} onChange=${change} /> ${label}</label>`;
}

/**
 * A selection of pictures.
 * @param {{ label: string, names: Record<string, string>, values: readonly string[], value: string, onChange: (value:
 *   string) => void, draw: (value: string) => unknown }} props
 */
function Swatches({ label, names, values, value, onChange, draw }) {
  /** @param {string} each */
  const swatch = (each) => {
    const choose = () => onChange(each);
    return html`<label class="swatch" title=${names[each]}>
      <input type="radio" name=${label} value=${each} checked=${each === value} onChange=${choose} />
      <span class="unseen">${names[each]}</span>${draw(each)}
    </label>`;
  };
  return html`<fieldset class="swatches">
    <legend>${label}</legend>
    ${values.map(swatch)}
  </fieldset>`;
}
