// The menu of settings.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { text } from "../text/index.js";
import { Select } from "./controls.js";

/** @typedef {import("../state/memory.js").Settings} Settings */

/** @param {{ settings: Settings, onChange: (settings: Settings) => void }} props */
export function SettingsMenu(props) {
  expect("SettingsMenu", props, { settings: "object", onChange: "function" });
  const { settings, onChange } = props;
  const { title, theme, themes, cascades, speeds, coordinates } = text.settings;
  /** @param {Partial<Settings>} part */
  const change = (part) => onChange({ ...settings, ...part });
  const setTheme = (/** @type {any} */ next) => change({ theme: next });
  const setSpeed = (/** @type {string} */ speed) => change({ speed: Number(speed) });
  const setLabels = (/** @type {any} */ event) => change({ labels: event.target.checked });
  return html`<details class="settings">
    <summary>${title}</summary>
    <div class="menu">
      <${Select} label=${theme} value=${settings.theme} options=${Object.entries(themes)} onChange=${setTheme} />
      <${Select} label=${cascades} value=${settings.speed} options=${Object.entries(speeds)} onChange=${setSpeed} />
      <label class="check"
        ><input type="checkbox" checked=${settings.labels} onChange=${setLabels} /> ${coordinates}</label
      >
    </div>
  </details>`;
}
