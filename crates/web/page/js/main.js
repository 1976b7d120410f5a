// The page: shows the view that the address names, and holds the settings.

import { html, render, useEffect, useState } from "../vendor/preact-htm.js";
import { Button, Icon } from "./panels/controls.js";
import { SettingsMenu } from "./panels/settings.js";
import { setGames, usualGame } from "./state/games.js";
import { applyTheme, keep, recall, settings as kept } from "./state/memory.js";
import { newGameOf, setupFrom, watchedGame } from "./state/setup.js";
import { fromLink } from "./state/share.js";
import { language, text } from "./text/index.js";
import { fetchGames } from "./transport/games.js";
import { onLost } from "./transport/socket.js";
import { onNewVersion } from "./transport/wire.js";
import { Analyse } from "./views/analyse.js";
import { Home } from "./views/home.js";
import { Later, fetchAll } from "./views/later.js";
import { Play } from "./views/play.js";

/** @typedef {import("./state/memory.js").Settings} Settings */
/** @typedef {import("./state/types.js").NewGame} NewGame */

/** @typedef {keyof typeof text.views} View */

/** The views of the menu. @type {View[]} */
const MENU = ["play", "analyse", "puzzles", "watch", "learn"];
const WATCH = MENU.indexOf("watch");
/** @type {Record<string, string>} */
const ICONS = { play: "play", analyse: "search", puzzles: "puzzle", watch: "eye", arena: "eye", learn: "learn" };
/** The views outside the menu, which other views link to. @type {View[]} */
const OTHERS = ["home", "review", "table", "arena", "ladder"];
/** The views that report a lost connection themselves. @type {View[]} */
const REPORTS_LOSS = ["play", "watch", "table", "arena"];

/** Parses the address. */
function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, rest = ""] = path.split("/");
  return { view: [...MENU, ...OTHERS].find((name) => name === view) ?? "home", rest, query };
}

/** Returns the new game that a link describes. @param {string} query @returns {NewGame | null} */
function wantedGame(query) {
  const values = new URLSearchParams(query);
  try {
    const whole = JSON.parse(values.get("new") ?? "null");
    if (whole?.game && Array.isArray(whole.seats)) return whole;
  } catch {
    // The link may describe the game by its moves instead.
  }
  const game = fromLink(query);
  if (!game) return null;
  const setup = setupFrom({ ...recall("setup", {}), game: game.game, against: "engine" });
  const { seats } = newGameOf({ ...setup, side: values.get("side") === "1" ? 1 : 0 }, 0);
  return { game, seats };
}

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
    // A reload must not start the game of the link again.
    if (at.view === "play" && at.query) history.replaceState(null, "", "#/play");
  }, [at]);

  // Once the page has shown a tournament, the menu links to it in place of games between engines.
  const [watches, setWatches] = useState(at.view === "arena");
  if (at.view === "arena" && !watches) setWatches(true);

  const common = { settings, onSettings: setSettings };
  const views = {
    home: () => html`<${Home} />`,
    play: () => {
      // Without a game, show the choices of the start page.
      if (!at.query && !recall("game.play", null)) return html`<${Home} />`;
      const first = wantedGame(at.query);
      return html`<${Play} key=${`play${at.query}`} place="play" first=${first} ...${common} />`;
    },
    watch: () => {
      const first = recall("game.watch", null) ? null : watchedGame(usualGame().name);
      return html`<${Play} key="watch" place="watch" first=${first} ...${common} />`;
    },
    table: () => html`<${Play} key="table" place="table" first=${null} ...${common} />`,
    arena: () => html`<${Later} name="Arena" with=${{ settings }} />`,
    analyse: () => html`<${Analyse} query=${at.query} ...${common} />`,
    puzzles: () => html`<${Later} name="Puzzles" key=${at.query} with=${{ query: at.query, settings }} />`,
    learn: () => html`<${Later} name="Learn" key=${at.rest} with=${{ game: at.rest, settings }} />`,
    ladder: () => html`<${Later} name="Ladder" key=${at.rest} with=${{ game: at.rest }} />`,
    review: () => html`<${Later} name="Review" key=${at.query} with=${{ query: at.query, settings }} />`,
  };
  /** @param {View} name */
  const link = (name) => {
    const current = at.view === name ? "page" : undefined;
    return html`<a href=${`#/${name}`} aria-current=${current}
      ><${Icon} name=${ICONS[name]} /><span>${text.views[name]}</span></a
    >`;
  };
  return html`<header class="top">
      <a class="brand" href="#/" aria-label="Plyhouse" aria-current=${at.view === "home" ? "page" : undefined}
        ><${Logo} /><span>Plyhouse</span></a
      >
      <nav aria-label=${text.common.views}>${(watches ? MENU.with(WATCH, "arena") : MENU).map(link)}</nav>
      <${SettingsMenu} settings=${settings} onChange=${setSettings} />
    </header>
    ${views[at.view]()} ${!REPORTS_LOSS.includes(at.view) && html`<${Lost} />`} <${NewVersion} />`;
}

/** Offers a new version of the static site. */
function NewVersion() {
  /** @type {[{ accept?: () => void }, any]} */
  const [{ accept }, setOffer] = useState({});
  useEffect(() => onNewVersion((accept) => setOffer({ accept })), []);
  return html`<p class=${accept ? "news shown" : "news"} role="status">
    ${
      accept &&
      html`${text.common.newVersion} <${Button} label=${text.common.update} onClick=${accept} />
        <button type="button" class="shut" aria-label=${text.common.close} onClick=${() => setOffer({})}>
          <${Icon} name="close" />
        </button>`
    }
  </p>`;
}

/** Reports a lost connection in the views that do not do so themselves. */
function Lost() {
  const [lost, setLost] = useState(false);
  useEffect(() => onLost(setLost), []);
  return html`<p class=${lost ? "lost shown" : "lost"} role="status">${lost ? text.common.lost : ""}</p>`;
}

function Logo() {
  return html`<svg viewBox="0 0 32 32" aria-hidden="true">
    <path d="M4 15 16 4l12 11v13H4z" />
    <circle cx="12" cy="21" r="4.500" />
    <circle cx="20.500" cy="21" r="4.500" class="light" />
  </svg>`;
}

document.documentElement.lang = language;
applyTheme(kept());
setGames(await fetchGames());
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
fetchAll();
