// The view of a team: upload, checks, versions, own games, practice, advice.

import { html, useEffect, useRef, useState } from "../../../vendor/preact-htm.js";
import { Button, Icon, Select } from "../../panels/controls.js";
import { expect } from "../../state/check.js";
import { opponentName } from "../../state/scene.js";
import { endingText } from "../../state/tournament.js";
import { locale, text } from "../../text/index.js";
import { useDesk } from "../../transport/desk.js";
import { cancel, closeNotice, send, sendAgain, useSending } from "../sending.js";
import { percentText } from "../state/games.js";
import { gameLink, teamLink } from "../state/route.js";
import { checkNews, fileTrouble, isOpen, sentPercent, shownOnce, sizeText, stateText } from "../state/upload.js";
import { words } from "../text/index.js";
import { post, usePolled } from "../transport.js";
import { secondsText } from "./game.js";
import { Answer, GameList, Position, Program, Quoting, Steps, Time, Waiting, useAnswer, useGames } from "./parts.js";
import { Deadline } from "./scoreboard.js";

/** @typedef {import("../types.js").About} About */
/** @typedef {import("../types.js").Upload} Upload */
/** @typedef {import("../types.js").Kind} Kind */
/** @typedef {import("../types.js").Advice} AdviceData */
/** @typedef {import("../types.js").PracticeRequest} PracticeRequest */
/** @typedef {import("../../transport/desk.js").Desk} Desk */

/** Endings of files that the browser's dialog offers first. */
const ACCEPT = ".zip,.py,.java,.jar,.c,.cc,.cpp,.rs,.go,.js,.toml,.sh";

/** @param {{ about: About }} props */
export function CourseMine(props) {
  expect("CourseMine", props, { about: "object" });
  const { about } = props;
  const desk = useDesk();
  /** @type {import("../transport.js").Polled<import("../types.js").Own>} */
  const { data, error } = usePolled(about.team ? "uploads" : null, (known) => known.uploads.some(isOpen));
  const uploads = data?.uploads ?? [];
  const news = useNews(uploads[0] ?? null, data !== null);
  if (!about.team) return html`<${Waiting} error=${new Error(words.errors.notTeam)} />`;
  if (!data) return html`<${Waiting} error=${error} />`;
  const playing = uploads.find((upload) => upload.playing) ?? null;
  const [latest] = uploads;
  return html`<main class="course mine">
    <header class="mine-head">
      <h1><bdi>${data.name}</bdi></h1>
      <p class="quiet"><a href=${teamLink(about.team)}>${words.staff.teamPage(data.name)}</a></p>
      <p class=${`phase ${about.phase}`}>${words.phases[about.phase]}</p>
      ${about.phase === "open" && html`<dl><${Deadline} about=${about} /></dl>`}
    </header>
    ${
      data.out &&
      html`<p class="error mine-out"><span>${words.upload.out[data.out.kind]} <bdi>${data.out.reason}</bdi></span></p>`
    }
    <p class="unseen" role="status" aria-live="polite">${news}</p>
    <div class="mine-left">
      <${Uploading} about=${about} />
      ${
        latest &&
        html`<section aria-labelledby="check">
          <h2 id="check">${words.upload.check(latest.number)}</h2>
          <${Checked} upload=${latest} desk=${desk} />
        </section>`
      }
      <${Versions} uploads=${uploads} isFrozen=${data.frozen} isOut=${data.out !== null} desk=${desk} />
    </div>
    <div class="mine-right">
      <${OwnGames} about=${about} />
      <${Practice} about=${about} hasVersion=${playing !== null} />
      <${Improve} desk=${desk} game=${about.game} />
    </div>
    <${Leave} />
  </main>`;
}

/**
 * Returns what has changed in the check of the latest upload since the last answer.
 * @param {Upload | null} latest @param {boolean} isKnown
 */
function useNews(latest, isKnown) {
  const before = useRef(/** @type {any} */ (null));
  const [news, setNews] = useState("");
  useEffect(() => {
    const changed = checkNews(before.current, latest);
    if (changed) setNews(changed);
    before.current = latest;
  }, [latest, isKnown]);
  return news;
}

/** The field for files, and the progress of a transfer. @param {{ about: About }} props */
function Uploading({ about }) {
  const said = words.upload;
  const sending = useSending();
  const [trouble, setTrouble] = useState("");
  const [isOver, setOver] = useState(false);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const isSending = sending.phase === "sending";
  // A file that misses the field would replace the page.
  useEffect(() => {
    const onMiss = (/** @type {DragEvent} */ event) => event.preventDefault();
    addEventListener("dragover", onMiss);
    addEventListener("drop", onMiss);
    return () => {
      removeEventListener("dragover", onMiss);
      removeEventListener("drop", onMiss);
    };
  }, []);
  const isClosed = about.phase !== "open" && !about.lateUploads;
  /** @param {File[]} files @param {boolean} isFolder */
  const take = (files, isFolder) => {
    const described = files.map(({ name, size }) => ({ name, size, isFolder }));
    const found = fileTrouble(described, about.uploadLimit, locale);
    setTrouble(found);
    if (!found) send(files[0]);
  };
  /** @param {any} event */
  const onChoose = ({ target }) => {
    const files = [...target.files];
    // The same file can be chosen again after a correction.
    target.value = "";
    if (files.length) take(files, false);
  };
  /** @param {DragEvent} event */
  const onDrop = (event) => {
    event.preventDefault();
    setOver(false);
    if (isSending) return;
    const entry = event.dataTransfer?.items[0]?.webkitGetAsEntry?.();
    take([...(event.dataTransfer?.files ?? [])], entry?.isDirectory ?? false);
  };
  /** @param {DragEvent} event */
  const onOver = (event) => {
    event.preventDefault();
    setOver(true);
  };
  return html`<section aria-labelledby="upload">
    <h2 id="upload">${said.title}</h2>
    ${isClosed && html`<p class="help-text">${said.closed}</p>`}
    ${
      !isClosed &&
      html`${about.phase !== "open" && html`<p class="help-text">${said.late}</p>`}
        <div
          class=${`drop-zone${isOver ? " over" : ""}`}
          onDrop=${onDrop}
          onDragOver=${onOver}
          onDragLeave=${() => setOver(false)}
        >
          <${Icon} name="up" />
          <p class="drop-words">${said.drop} <span class="quiet">${said.or}</span></p>
          <${Button}
            kind="primary"
            label=${said.choose}
            disabled=${isSending}
            onClick=${() => input.current?.click()}
          />
          <input ref=${input} type="file" hidden accept=${ACCEPT} onChange=${onChoose} />
          <p class="quiet small">${said.limit(sizeText(about.uploadLimit, locale))}</p>
        </div>`
    }
    ${trouble && html`<p class="error" role="alert">${trouble}</p>`}
    <${Transfer} sending=${sending} />
    <p class="quiet small">
      ${said.offline}${" "}
      <code class="command">${about.checkCommand.split(" ").map((part) => html`<span>${part}</span> `)}</code>
    </p>
  </section>`;
}

/** @param {{ sending: import("../state/upload.js").Sending }} props */
function Transfer({ sending }) {
  const said = words.upload;
  if (sending.phase === "idle") return null;
  if (sending.phase === "sending") {
    const percent = sentPercent(sending);
    return html`<div class="transfer">
      <p role="status"><bdi>${said.sending(sending.name)}</bdi></p>
      <progress max="100" value=${percent} aria-label=${said.sending(sending.name)}></progress>
      <span class="quiet">${percent < 100 ? said.percent(percent) : said.sent}</span>
      <${Button} label=${said.cancel} onClick=${cancel} />
    </div>`;
  }
  const { name } = sending;
  const close = html`<button type="button" class="shut" aria-label=${text.common.close} onClick=${closeNotice}>
    <${Icon} name="close" />
  </button>`;
  if (sending.phase === "received") {
    return html`<p class="answer" role="status"><span>${said.received(name, sending.number)}</span>${close}</p>`;
  }
  const isFailed = sending.phase === "failed";
  return html`<div class=${isFailed ? "error" : "help-text"} role=${isFailed ? "alert" : "status"}>
    <span>${isFailed ? `${said.failed(name)} ${sending.error}` : said.cancelled(name)}</span>
    ${(!isFailed || sending.again) && html`<${Button} kind="small" label=${said.again} onClick=${sendAgain} />`}
    ${close}
  </div>`;
}

/** The state of an upload, its steps and what was repaired. @param {{ upload: Upload, desk: Desk }} props */
function Checked({ upload, desk }) {
  const said = words.upload;
  const { notes, steps } = shownOnce(upload);
  return html`<p class=${`upload-state ${upload.state}`}>
      <b>${stateText(upload)}</b> · <bdi>${upload.fileName}</bdi> · ${sizeText(upload.size, locale)}
    </p>
    ${upload.agent && html`<p><${Program} agent=${upload.agent} /></p>`}
    ${
      notes.length > 0 &&
      html`<div class="repaired">
        ${upload.state === "accepted" && html`<b>${said.repaired}</b>`}
        <ul>
          ${notes.map((note) => html`<li><bdi><${Quoting} said=${note} /></bdi></li>`)}
        </ul>
      </div>`
    }
    ${steps.length > 0 && html`<${Steps} steps=${steps} desk=${desk} />`}`;
}

/** @param {{ uploads: Upload[], isFrozen: boolean, isOut: boolean, desk: Desk }} props */
function Versions({ uploads, isFrozen, isOut, desk }) {
  const said = words.upload;
  const answer = useAnswer();
  /** @param {Upload} upload */
  const choose = ({ id, number }) => answer.run(post(`uploads/${id}/play`), () => said.playsNow(number));
  return html`<section aria-labelledby="versions">
    <h2 id="versions">${said.versions}</h2>
    ${isFrozen && html`<p class="help-text">${said.frozen}</p>`}
    <${Answer} said=${answer.said} bad=${answer.bad} />
    ${uploads.length === 0 && html`<p class="quiet">${said.noVersions}</p>`}
    <ul class="versions">
      ${uploads.map(
        (upload, i) =>
          html`<li key=${upload.id} class=${upload.playing ? "playing" : ""}>
            <div class="version-line">
              <b>${said.version(upload.number)}</b>
              ${upload.playing && html`<span class="badge">${said.playing}</span>`}
              ${upload.late && html`<span class="badge warn">${said.lateMark}</span>`}
              <span class=${`upload-state ${upload.state}`}>${stateText(upload)}</span>
              <span class="quiet"><${Time} at=${upload.received} /></span>
            </div>
            ${
              upload.state === "accepted" &&
              !upload.playing &&
              !isFrozen &&
              !isOut &&
              html`<button
                type="button"
                class="button small"
                disabled=${answer.busy}
                onClick=${() => choose(upload)}
              >
                ${said.play}<span class="unseen">: ${said.version(upload.number)}</span>
              </button>`
            }
            ${
              // The check of the latest version is above the list.
              i > 0 &&
              html`<details>
                <summary>${said.details}<span class="unseen">: ${said.version(upload.number)}</span></summary>
                <${Checked} upload=${upload} desk=${desk} />
              </details>`
            }
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Number of games that are shown first, and that each click adds. */
const FEW = 8;
const MORE = 20;

/** @param {{ about: About }} props */
function OwnGames({ about }) {
  const [kind, setKind] = useState(/** @type {Kind} */ ("ladder"));
  const team = /** @type {string} */ (about.team);
  const query = `team=${encodeURIComponent(team)}&kind=${kind}`;
  const { games, isKnown, more, error, fetchOlder } = useGames(query, true);
  const [count, setCount] = useState(FEW);
  const showMore = () => {
    setCount(count + MORE);
    if (more && games.length < count + MORE) fetchOlder();
  };
  const kinds = Object.entries(words.games.kinds);
  return html`<section aria-labelledby="own-games">
    <h2 id="own-games">${words.games.own}</h2>
    <div class="kinds" role="group" aria-labelledby="own-games">
      ${kinds.map(
        ([key, label]) =>
          html`<button
            type="button"
            class="button small"
            aria-pressed=${key === kind ? "true" : "false"}
            onClick=${() => setKind(/** @type {Kind} */ (key))}
          >
            ${label}
          </button>`,
      )}
    </div>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${
      isKnown
        ? html`<${GameList}
            games=${games.slice(0, count)}
            team=${team}
            more=${more || games.length > count}
            onMore=${showMore}
          />`
        : html`<p class="quiet" role="status">${text.server.loading}</p>`
    }
  </section>`;
}

/** The chosen opponent, which remains when the user returns to the view. @type {string | null} */
let lastLevel = null;

/** @param {{ about: About, hasVersion: boolean }} props */
function Practice({ about, hasVersion }) {
  const said = words.practice;
  const { levels, left, perHour } = about.practice;
  const keys = levels.map(String);
  const [chosen, setChosen] = useState(lastLevel);
  lastLevel = chosen;
  const level = chosen !== null && keys.includes(chosen) ? chosen : (keys[0] ?? "");
  const answer = useAnswer();
  if (keys.length === 0) return null;
  const start = () => answer.run(post("practice", { level }), () => said.asked(opponentName(level)));
  return html`<section aria-labelledby="practice">
    <h2 id="practice">${said.title}</h2>
    <p class="quiet">${hasVersion ? said.how : said.noVersion}</p>
    <div class="practice-row">
      <${Select}
        label=${said.level}
        value=${level}
        options=${keys.map((key) => [key, opponentName(key)])}
        onChange=${setChosen}
      />
      <${Button} label=${said.start} disabled=${!hasVersion || left === 0 || answer.busy} onClick=${start} />
    </div>
    <p class="quiet small">${said.left(left, perHour)}</p>
    <${Answer} said=${answer.said} bad=${answer.bad} />
    <${Requests} />
  </section>`;
}

/** Number of requests among which failures are shown. */
const RECENT = 3;

/** The practice games that are not over, and recent failures. */
function Requests() {
  const said = words.practice.states;
  /** @type {import("../transport.js").Polled<PracticeRequest[]>} */
  const { data } = usePolled("practice", (all) => all.some(({ state }) => state === "waiting" || state === "playing"));
  const shown = (data ?? []).filter(({ state }, i) => state !== "played" && (state !== "failed" || i < RECENT));
  if (shown.length === 0) return null;
  return html`<ul class="practice-requests">
    ${shown.map(
      ({ game, level, state, detail }) =>
        html`<li key=${game}>
          ${opponentName(level)}: <b>${state === "played" ? "" : said[state]}</b>
          ${detail && html`<bdi class="quiet small">${detail}</bdi>`}
        </li>`,
    )}
  </ul>`;
}

/** Faults, slow moves and lost positions. @param {{ desk: Desk, game: string }} props */
function Improve({ desk }) {
  const said = words.advice;
  /** @type {import("../transport.js").Polled<AdviceData>} */
  const { data } = usePolled("advice");
  if (!data) return null;
  const { faults, slowest, lost } = data;
  const isEmpty = faults.length + slowest.length + lost.length === 0;
  return html`<section class="advice" aria-labelledby="advice">
    <h2 id="advice">${said.title}</h2>
    ${isEmpty && html`<p class="quiet">${said.none}</p>`}
    ${
      faults.length > 0 &&
      html`<h3>${said.faults}</h3>
        <ul>
          ${faults.map(
            ({ kind, count, game, ply }) =>
              html`<li>
                ${said.fault(endingText(kind), count)} ·${" "}
                <a href=${gameLink(game, ply)}>${said.example}<span class="unseen">: ${endingText(kind)}</span></a>
              </li>`,
          )}
        </ul>`
    }
    ${
      lost.length > 0 &&
      html`<h3>${said.lost}</h3>
        <p class="quiet">${said.lostHow}</p>
        <ul class="lost-positions">
          ${lost.map(
            ({ game, ply, position, before, after }) =>
              html`<li key=${`${game} ${ply}`}>
                <${Position} desk=${desk} game=${position} label=${said.lostAt(game, ply + 1)} />
                <p>
                  <a href=${gameLink(game, ply)}>${said.lostAt(game, ply + 1)}</a><br />
                  <span class="quiet small">
                    ${said.chance(percentText(before, locale), percentText(after, locale))}
                  </span>
                </p>
              </li>`,
          )}
        </ul>`
    }
    ${
      slowest.length > 0 &&
      html`<h3>${said.slowest}</h3>
        <ul>
          ${slowest.map(
            ({ game, ply, seconds }) =>
              html`<li><a href=${gameLink(game, ply)}>${said.slow(game, ply, secondsText(seconds))}</a></li>`,
          )}
        </ul>`
    }
  </section>`;
}

/** Signs the browser out. */
export function Leave() {
  const answer = useAnswer();
  const leave = async () => {
    if (await answer.run(post("leave"), () => "")) location.replace("#/course");
  };
  return html`<p class="leave">
    <${Button} kind="small" label=${words.leave} onClick=${leave} />
    <span class="quiet small">${words.leaveHow}</span>
    ${answer.said && html`<${Answer} said=${answer.said} bad=${answer.bad} />`}
  </p>`;
}
