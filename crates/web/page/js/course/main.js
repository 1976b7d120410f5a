// The page on a course's server: scoreboard, the team's and the staff's views, lessons. It takes the place of
// `js/main.js`.

import { html, render, useEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { Icon } from "../panels/controls.js";
import { SettingsMenu } from "../panels/settings.js";
import { setGames } from "../state/games.js";
import { applyTheme, keep, settings as kept } from "../state/memory.js";
import { language, text } from "../text/index.js";
import { askByHttp } from "../transport/desk.js";
import { fetchGames } from "../transport/games.js";
import { Later } from "../views/later.js";
import { numberIn, routeOf } from "./state/route.js";
import { words } from "./text/index.js";
import { onLost, usePolled } from "./transport.js";
import { Waiting } from "./views/parts.js";
import { AllBoards, Scoreboard, isRunning } from "./views/scoreboard.js";

/** @typedef {import("./types.js").About} About */
/** @typedef {import("./state/route.js").Route} Route */

/** Returns the view of the address. An address without a view is replaced by the scoreboard's. @returns {Route} */
function route() {
  const found = routeOf(location.hash);
  if (!found) history.replaceState(null, "", "#/course");
  return found ?? { page: "scoreboard", ids: [], query: new URLSearchParams() };
}

/** Returns the entries of the menu: page, address, icon, name. @param {About | null} about */
const menu = (about) => [
  ["scoreboard", "#/course", "win", words.menu.scoreboard],
  ...(about?.team ? [["mine", "#/course/mine", "up", words.menu.mine]] : []),
  ...(about?.role === "staff" ? [["staff", "#/course/staff", "groups", words.menu.staff]] : []),
  ["learn", "#/learn", "learn", text.views.learn],
];

/** Returns the title of a view. @param {Route} at */
function titleOf({ page }) {
  return page === "learn" ? text.views.learn : words.menu[page];
}

function App() {
  const [at, setAt] = useState(route);
  const [settings, setSettings] = useState(kept);
  /** @type {import("./transport.js").Polled<About>} */
  const { data: about, error } = usePolled("about", isRunning);
  useEffect(() => {
    const onHash = () => {
      setAt(route());
      scrollTo(0, 0);
    };
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);
  useEffect(() => {
    applyTheme(settings);
    keep("settings", settings);
  }, [settings]);
  useEffect(() => {
    document.title = `${titleOf(at)} – ${about?.name ?? "Plyhouse"}`;
  }, [at, about?.name]);
  return html`<header class="top">
      <a class="brand" href="#/course" aria-label="Plyhouse"><${Icon} name="win" /><span>Plyhouse</span></a>
      ${about && about.rehearsal !== null && html`<span class="badge warn rehearsal">${words.rehearsal}</span>`}
      <nav aria-label=${text.common.views}>
        ${menu(about).map(
          ([page, href, icon, name]) =>
            html`<a key=${page} href=${href} aria-current=${at.page === page ? "page" : undefined}
              ><${Icon} name=${icon} /><span>${name}</span></a
            >`,
        )}
      </nav>
      <${SettingsMenu} settings=${settings} onChange=${setSettings} />
    </header>
    <${View} at=${at} about=${about} error=${error} settings=${settings} />
    <${PhaseNews} about=${about} />
    <${Lost} />`;
}

/**
 * @param {{ at: Route, about: About | null, error: Error | null, settings: import("../state/memory.js").Settings }}
 *   props
 */
function View({ at, about, error, settings }) {
  const { page, ids, query } = at;
  const [id = ""] = ids;
  if (page === "learn") {
    const game = id || about?.game || "";
    return html`<${Later} name="Learn" key=${game} with=${{ game, settings }} />`;
  }
  if (!about) return html`<${Waiting} error=${error} />`;
  if (page === "team") return html`<${Later} name="CourseTeam" key=${id} with=${{ about, id }} />`;
  if (page === "game") {
    const ply = query.has("ply") ? numberIn(query.get("ply"), 0) : null;
    return html`<${Later} name="CourseGame" key=${`${id} ${ply}`} with=${{ id, ply, settings }} />`;
  }
  if (page === "live" && id) {
    return html`<${Later} name="CourseLive" key=${id} with=${{ about, boardKey: id, settings }} />`;
  }
  if (page === "live") return html`<${AllBoards} about=${about} />`;
  if (page === "mine") return html`<${Later} name="CourseMine" with=${{ about }} />`;
  if (page === "staff") return html`<${Later} name="CourseStaff" with=${{ about, ids }} />`;
  return html`<${Scoreboard} about=${about} page=${numberIn(query.get("page"), 1)} />`;
}

/** Announces a new phase and new announcements to screen readers. @param {{ about: About | null }} props */
function PhaseNews({ about }) {
  const before = useRef(about);
  const [news, setNews] = useState("");
  useEffect(() => {
    const last = before.current;
    before.current = about ?? last;
    if (!about || !last) return;
    const phase = about.phase === last.phase ? [] : [words.nowPhase(words.phases[about.phase])];
    const known = new Set(last.announcements.map(({ id }) => id));
    const fresh = about.announcements.filter(({ id }) => !known.has(id)).map((each) => each.text);
    if (phase.length + fresh.length) setNews([...phase, ...fresh].join(" "));
  }, [about]);
  return html`<p class="unseen" role="status" aria-live="polite">${news}</p>`;
}

/** Reports a lost connection. */
function Lost() {
  const [lost, setLost] = useState(false);
  useEffect(() => onLost(setLost), []);
  return html`<p class=${lost ? "lost shown" : "lost"} role="status">${lost ? text.common.lost : ""}</p>`;
}

document.documentElement.lang = language;
document.documentElement.classList.add("on-course");
applyTheme(kept());
askByHttp();
setGames(await fetchGames());
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
