// A button for the appearance of a board.

import { html } from "../../vendor/preact-htm.js";
import { expect } from "../state/check.js";
import { text } from "../text/index.js";
import { Button } from "./controls.js";

/** @typedef {import("../state/memory.js").Settings} Settings */

/**
 * A button that tints groups of pieces, in games that have them.
 * @param {{ scene: import("../state/types.js").Scene, settings: Settings, onSettings: (settings: Settings) => void }}
 *   props
 */
export function GroupsButton(props) {
  expect("GroupsButton", props, { scene: "object", settings: "object", onSettings: "function" });
  const { scene, settings, onSettings } = props;
  if (scene.groups.length === 0) return null;
  const change = () => onSettings({ ...settings, groups: !settings.groups });
  return html`<${Button} icon="groups" label=${text.play.groups} pressed=${settings.groups} onClick=${change} />`;
}
