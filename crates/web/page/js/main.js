// The page: which view the address asks for, and the settings.

import { html, render, useEffect, useState } from "../vendor/preact-htm.js";
import { SettingsMenu } from "./panels/settings.js";
import { setGames, usualGame } from "./state/games.js";
import { applyTheme, keep, recall, settings as kept } from "./state/memory.js";
import { fromLink } from "./state/share.js";
import { text } from "./text/index.js";
import { fetchGames } from "./transport/games.js";
import { Analyse } from "./views/analyse.js";
import { Learn } from "./views/learn.js";
import { Play } from "./views/play.js";
import { Puzzles } from "./views/puzzles.js";

/** @typedef {import("./state/memory.js").Settings} Settings */

/** @type {(keyof typeof text.views)[]} */
const VIEWS = ["play", "analyse", "puzzles", "watch", "learn"];

/** What the address asks for. */
function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, rest = ""] = path.split("/");
  return { view: VIEWS.find((name) => name === view) ?? "play", rest, query };
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
    document.title = `${text.views[at.view]} – Plyhouse`;
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
  /** @param {keyof typeof text.views} name */
  const link = (name) => {
    const current = at.view === name ? "page" : undefined;
    return html`<a href=${`#/${name}`} aria-current=${current}>${text.views[name]}</a>`;
  };
  return html`<header class="top">
      <a class="brand" href="#/play"><${Logo} />Plyhouse</a>
      <nav aria-label="Views">${VIEWS.map(link)}</nav>
      <${SettingsMenu} settings=${settings} onChange=${setSettings} />
    </header>
    ${views[at.view]()}`;
}

function Logo() {
  return html`<svg viewBox="0 0 32 32" aria-hidden="true">
    <path d="M4 15 16 4l12 11v13H4z" />
    <circle cx="12" cy="21" r="4.500" />
    <circle cx="20.500" cy="21" r="4.500" class="light" />
  </svg>`;
}

applyTheme(kept());
setGames(await fetchGames());
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
