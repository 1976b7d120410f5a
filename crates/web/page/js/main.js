// The page: which view the address asks for, and the settings.

import { html, render, useEffect, useState } from "../vendor/preact-htm.js";
import { Select } from "./panels/controls.js";
import { setGames, usualGame } from "./state/games.js";
import { applyTheme, keep, recall, settings as kept } from "./state/memory.js";
import { fromLink } from "./state/share.js";
import { fetchGames } from "./transport/games.js";
import { Analyse } from "./views/analyse.js";
import { Learn } from "./views/learn.js";
import { Play } from "./views/play.js";
import { Puzzles } from "./views/puzzles.js";

/** @typedef {import("./state/memory.js").Settings} Settings */

const VIEWS = [
  ["play", "Play"],
  ["analyse", "Analyse"],
  ["puzzles", "Puzzles"],
  ["watch", "Watch"],
  ["learn", "Learn"],
];

/** What the address asks for. */
function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, rest = ""] = path.split("/");
  return { view: VIEWS.some(([name]) => name === view) ? view : "play", rest, query };
}

/** A game that a link asks to play on. @param {string} query @returns {import("./panels/newgame.js").NewGame | null} */
function wantedGame(query) {
  const game = fromLink(query);
  if (!game) return null;
  /** @type {import("./state/types.js").Seat[]} */
  const seats = [{ kind: "person" }, { kind: "engine", level: 3, seconds: null }];
  const [first, second] = new URLSearchParams(query).get("side") === "1" ? seats.reverse() : seats;
  return { game, seats: [first, second] };
}

/** Two engines, which wait for a sign. @returns {import("./panels/newgame.js").NewGame} */
const watchedGame = () => ({
  game: { game: usualGame().name, size: usualGame().usualSize, limit: 200 },
  seats: [
    { kind: "engine", level: 10, seconds: null },
    { kind: "engine", level: 8, seconds: null },
  ],
  paused: true,
});

function App() {
  const [at, setAt] = useState(route);
  const [settings, setSettings] = useState(kept);
  useEffect(() => {
    const onHash = () => setAt(route());
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);
  useEffect(() => {
    applyTheme(settings);
    keep("settings", settings);
  }, [settings]);
  useEffect(() => {
    document.title = `${VIEWS.find(([name]) => name === at.view)?.[1] ?? ""} – Plyhouse`;
    // A game that was begun by a link is not begun again by a reload.
    if (at.view === "play" && at.query) history.replaceState(null, "", "#/play");
  }, [at]);

  const common = { settings, onSettings: setSettings };
  const views = {
    play: () => {
      const first = wantedGame(at.query);
      return html`<${Play} key=${`play${at.query}`} place="play" first=${first} ...${common} />`;
    },
    watch: () => {
      const first = recall("game.watch", null) ? null : watchedGame();
      return html`<${Play} key="watch" place="watch" first=${first} ...${common} />`;
    },
    analyse: () => html`<${Analyse} query=${at.query} ...${common} />`,
    puzzles: () => html`<${Puzzles} settings=${settings} />`,
    learn: () => html`<${Learn} key=${at.rest} game=${at.rest} />`,
  };
  /** @param {string[]} view */
  const link = ([name, title]) => {
    const current = at.view === name ? "page" : undefined;
    return html`<a href=${`#/${name}`} aria-current=${current}>${title}</a>`;
  };
  return html`<header class="top">
      <a class="brand" href="#/play"><${Logo} />Plyhouse</a>
      <nav aria-label="Views">${VIEWS.map(link)}</nav>
      <${SettingsMenu} settings=${settings} onChange=${setSettings} />
    </header>
    ${views[/** @type {keyof typeof views} */ (at.view)]()}`;
}

function Logo() {
  return html`<svg viewBox="0 0 32 32" aria-hidden="true">
    <path d="M4 15 16 4l12 11v13H4z" />
    <circle cx="12" cy="21" r="4.500" />
    <circle cx="20.500" cy="21" r="4.500" class="light" />
  </svg>`;
}

/** @param {{ settings: Settings, onChange: (settings: Settings) => void }} props */
function SettingsMenu({ settings, onChange }) {
  const themes = [
    ["system", "As the system"],
    ["light", "Light"],
    ["dark", "Dark"],
    ["contrast", "High contrast"],
  ];
  const speeds = [
    ["0", "at once"],
    ["120", "fast"],
    ["250", "normal"],
    ["600", "slow"],
  ];
  /** @param {Partial<Settings>} part */
  const change = (part) => onChange({ ...settings, ...part });
  const setTheme = (/** @type {any} */ theme) => change({ theme });
  const setSpeed = (/** @type {string} */ speed) => change({ speed: Number(speed) });
  const setLabels = (/** @type {any} */ event) => change({ labels: event.target.checked });
  return html`<details class="settings">
    <summary>Settings</summary>
    <div class="menu">
      <${Select} label="Colours" value=${settings.theme} options=${themes} onChange=${setTheme} />
      <${Select} label="Cascades" value=${settings.speed} options=${speeds} onChange=${setSpeed} />
      <label class="check"
        ><input type="checkbox" checked=${settings.labels} onChange=${setLabels} /> Coordinates</label
      >
    </div>
  </details>`;
}

applyTheme(kept());
setGames(await fetchGames());
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
