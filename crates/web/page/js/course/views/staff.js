// The staff's views: teams, one team, audit log, grades, copies.

import { html, useEffect, useRef, useState } from "../../../vendor/preact-htm.js";
import { Button, Select } from "../../panels/controls.js";
import { expect } from "../../state/check.js";
import { locale, text } from "../../text/index.js";
import { useDesk } from "../../transport/desk.js";
import { eloText, faultText, pointsText, ratingText, withMinus } from "../state/games.js";
import { teamLink } from "../state/route.js";
import { actionsFor, confirmation, courseActions, rulesOf, shownTeams, teamCounts } from "../state/staff.js";
import { shownOnce, sizeText, stateText } from "../state/upload.js";
import { words } from "../text/index.js";
import { fetched, usePolled } from "../transport.js";
import { Confirm } from "./confirm.js";
import { Copies, SideBySide } from "./copies.js";
import { Leave } from "./mine.js";
import { GameList, Program, Quoting, Steps, Time, Waiting, useGames } from "./parts.js";

/** @typedef {import("../types.js").About} About */
/** @typedef {import("../types.js").StaffTeam} StaffTeam */
/** @typedef {import("../types.js").Upload} Upload */
/** @typedef {import("../types.js").AuditEntry} AuditEntry */
/** @typedef {import("../types.js").Grade} Grade */
/** @typedef {import("./confirm.js").Wanted} Wanted */
/** @typedef {import("../state/staff.js").Action} Action */

/** @type {["teams" | "audit" | "grades" | "copies", string][]} */
const PAGES = [
  ["teams", "#/course/staff"],
  ["audit", "#/course/staff/audit"],
  ["grades", "#/course/staff/grades"],
  ["copies", "#/course/staff/copies"],
];

/** @param {{ about: About, ids: string[] }} props `ids`: the parts of the address after `staff`. */
export function CourseStaff(props) {
  expect("CourseStaff", props, { about: "object", ids: "array" });
  const { about, ids } = props;
  if (about.role !== "staff") return html`<${Waiting} error=${new Error(words.errors.notTeam)} />`;
  const [name = "teams", first, second] = ids;
  const shown = name === "team" ? "teams" : name;
  const page = () => {
    if (name === "audit") return html`<${Audit} />`;
    if (name === "grades") return html`<${Grades} />`;
    if (name === "copies") {
      return second ? html`<${SideBySide} key=${ids.join(" ")} a=${first} b=${second} />` : html`<${Copies} />`;
    }
    if (name === "team" && first) return html`<${OneTeam} key=${first} about=${about} id=${first} />`;
    return html`<${Teams} about=${about} />`;
  };
  return html`<main class="course staff">
    <header class="staff-head">
      <h1>${words.menu.staff}<span class="quiet"> · <bdi>${about.name}</bdi></span></h1>
      <nav class="tabs" aria-label=${words.staff.pages}>
        ${PAGES.map(
          ([key, href]) =>
            html`<a href=${href} aria-current=${key === shown ? "page" : undefined}>${words.staff[key]}</a>`,
        )}
      </nav>
    </header>
    ${page()}
    <${Leave} />
  </main>`;
}

/** Choices that remain when the user returns to the list. @type {{ query: string, show: any, sort: any }} */
let wantedTeams = { query: "", show: "all", sort: "id" };

/** @param {{ about: About }} props */
function Teams({ about }) {
  /** @type {import("../transport.js").Polled<import("../types.js").StaffTeams>} */
  const { data, error } = usePolled("staff/teams", () => about.phase !== "published");
  const [wanted, setWanted] = useState(wantedTeams);
  const [asked, setAsked] = useState(/** @type {Wanted | null} */ (null));
  wantedTeams = wanted;
  const said = words.staff;
  const teams = data?.teams ?? [];
  const counts = teamCounts(teams);
  const shown = shownTeams(teams, wanted);
  /** @param {Partial<typeof wantedTeams>} part */
  const change = (part) => setWanted({ ...wanted, ...part });
  const shows = Object.entries(said.shows).map(([key, name]) => [
    key,
    said.counted(name, counts[/** @type {keyof typeof counts} */ (key)]),
  ]);
  return html`<section aria-labelledby="course-actions">
      <h2 id="course-actions">${said.course}</h2>
      <p class=${`phase ${about.phase}`}>${words.phases[about.phase]}</p>
      ${data?.workers && html`<${WorkersLine} workers=${data.workers} />`}
      <${ActionButtons}
        actions=${courseActions(about.phase)}
        onAsk=${(/** @type {Action} */ action) => setAsked({ action, subject: {} })}
      />
      ${
        about.announcements.length > 0 &&
        html`<ul class="staff-announcements">
          ${about.announcements.map(
            ({ id, text: announced }) =>
              html`<li key=${id}>
                <span class="announcement">${announced}</span>
                <${Button}
                  kind="small"
                  label=${said.remove}
                  onClick=${() => setAsked({ action: "removeAnnouncement", subject: { announcement: id } })}
                />
              </li>`,
          )}
        </ul>`
      }
    </section>
    <section aria-labelledby="teams">
      <h2 id="teams">${said.teams}</h2>
      <div class="filters">
        <label class="field"
          ><span>${said.search}</span>
          <input
            type="search"
            value=${wanted.query}
            onInput=${(/** @type {any} */ { target }) => change({ query: target.value })}
          />
        </label>
        <${Select}
          label=${said.show}
          value=${wanted.show}
          options=${shows}
          onChange=${(/** @type {any} */ show) => change({ show })}
        />
        <${Select}
          label=${said.sort}
          value=${wanted.sort}
          options=${Object.entries(said.sorts)}
          onChange=${(/** @type {any} */ sort) => change({ sort })}
        />
      </div>
      ${error && html`<p class="error" role="alert">${error.message}</p>`}
      ${!data && !error && html`<p class="quiet" role="status">${text.server.loading}</p>`}
      ${data && shown.length === 0 && html`<p class="quiet">${said.noMatch}</p>`}
      ${shown.length > 0 && html`<${TeamTable} teams=${shown} />`}
    </section>
    ${asked && html`<${Confirm} wanted=${asked} opponents=${teams} onClose=${() => setAsked(null)} />`}`;
}

/** @param {{ workers: import("../types.js").Workers }} props */
function WorkersLine({ workers: { address, jobs, offered, trouble } }) {
  const said = words.staff;
  const state = trouble === null ? said.workersPlay(jobs, offered) : html`<bdi>${trouble}</bdi>`;
  return html`<p class=${trouble === null ? "quiet" : "error"}>
    ${said.workers} <bdi>${address}</bdi>: ${state}
  </p>`;
}

/** @param {{ actions: Action[], onAsk: (action: Action) => void }} props */
function ActionButtons({ actions, onAsk }) {
  return html`<div class="buttons">
    ${actions.map((action) => {
      const { button, isGrave } = confirmation(action);
      const kind = isGrave ? "warn" : "";
      return html`<${Button} key=${action} kind=${kind} label=${button} onClick=${() => onAsk(action)} />`;
    })}
  </div>`;
}

/** Returns the marks of a team: frozen, out. @param {StaffTeam} team */
function teamMarks({ frozen, withdrawn, disqualified }) {
  const said = words.staff;
  return [
    ...(frozen === null ? [] : [said.frozen]),
    ...(withdrawn === null ? [] : [said.withdrawn]),
    ...(disqualified === null ? [] : [said.disqualified]),
  ];
}

/** @param {{ teams: StaffTeam[] }} props */
function TeamTable({ teams }) {
  const said = words.staff;
  return html`<div class="table-scroll" tabindex="0" role="group" aria-labelledby="teams">
    <table class="course-table team-table">
      <thead>
        <tr>
          <th scope="col">${said.team}</th>
          <th scope="col">${said.state}</th>
          <th scope="col" class="number">${said.uploads}</th>
          <th scope="col">${said.last}</th>
          <th scope="col" class="number">${words.board.elo}</th>
          <th scope="col" class="number">${words.board.games}</th>
          <th scope="col" class="number">${words.board.faults}</th>
          <th scope="col">${said.link}</th>
        </tr>
      </thead>
      <tbody>
        ${teams.map((team) => {
          const marks = teamMarks(team);
          return html`<tr key=${team.id} class=${team.withdrawn !== null || team.disqualified !== null ? "out" : ""}>
            <th scope="row">
              <a class="team-name" href=${`#/course/staff/team/${encodeURIComponent(team.id)}`}>
                <bdi>${team.name}</bdi><span class="unseen">, ${said.manage(team.id)}</span>
              </a>
              <small class="quiet"><bdi>${team.id}</bdi>${team.mail && html` · <bdi>${team.mail}</bdi>`}</small>
            </th>
            <td>
              ${
                team.state
                  ? html`<span class=${`upload-state ${team.state}`}>${words.upload.states[team.state]}</span>`
                  : "–"
              }
              ${team.playing !== null && html` <small>${words.games.version(team.playing)}</small>`}
              ${marks.map((mark) => html` <span class="badge warn">${mark}</span>`)}
            </td>
            <td class="number">${team.uploads}</td>
            <td>${team.lastUpload ? html`<${Time} at=${team.lastUpload} />` : said.never}</td>
            <td class="number">${eloText(team.elo)}</td>
            <td class="number">${team.games}</td>
            <td class=${team.faults ? "number faulty" : "number"}>${team.faults}</td>
            <td>${said.links[team.link]}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

/** A team with its uploads and actions. @param {{ about: About, id: string }} props */
function OneTeam({ about, id }) {
  const said = words.staff;
  const path = encodeURIComponent(id);
  const desk = useDesk();
  /** @type {import("../transport.js").Polled<{ teams: StaffTeam[] }>} */
  const list = usePolled("staff/teams", () => about.phase !== "published");
  /** @type {import("../transport.js").Polled<import("../types.js").Team>} */
  const { data, error } = usePolled(`teams/${path}`, () => about.phase !== "published");
  const games = useGames(`team=${path}`, about.phase !== "published");
  const [asked, setAsked] = useState(/** @type {Wanted | null} */ (null));
  const teams = list.data?.teams ?? [];
  const team = teams.find((each) => each.id === id);
  const failure = error ?? list.error;
  if (failure) return html`<p class="error" role="alert">${failure.message}</p>`;
  if (!team || !data) {
    return html`<p class="quiet" role="status">${list.data && !team ? words.notFound : text.server.loading}</p>`;
  }
  const why = team.disqualified ?? team.withdrawn;
  const marks = teamMarks(team);
  const subject = { team: { id: team.id, name: team.name } };
  /** @param {Action} action @param {object} [more] */
  const ask = (action, more = {}) => setAsked({ action, subject: { ...subject, ...more } });
  const uploads = /** @type {Upload[]} */ (data.versions);
  return html`<p>
      <a href="#/course/staff">${said.allTeams}</a> · <a href=${teamLink(id)}>${said.teamPage(team.name)}</a>
    </p>
    <h2><bdi>${team.name}</bdi></h2>
    <p class="quiet">
      <bdi>${team.id}</bdi> · ${team.mail && html`<bdi>${team.mail}</bdi> · `}${said.link}: ${said.links[team.link]}
    </p>
    ${marks.length > 0 && html`<p>${marks.map((mark) => html`<span class="badge warn">${mark}</span> `)}</p>`}
    ${why && html`<p><bdi>${why}</bdi></p>`}
    ${data.row && html`<p>${words.board.elo} ${ratingText(data.row)} <${Program} agent=${data.row} /></p>`}
    <section aria-labelledby="team-actions">
      <h3 id="team-actions">${said.actions}</h3>
      <${ActionButtons} actions=${actionsFor(team)} onAsk=${ask} />
    </section>
    <section aria-labelledby="team-uploads">
      <h3 id="team-uploads">${said.uploads}</h3>
      ${uploads.length === 0 && html`<p class="quiet">${words.upload.noVersions}</p>`}
      <ul class="versions">
        ${uploads.map((upload) => html`<${StaffUpload} key=${upload.id} ...${{ upload, team, desk, ask }} />`)}
      </ul>
    </section>
    <section aria-labelledby="team-games">
      <h3 id="team-games">${words.games.title}</h3>
      <${GameList} games=${games.games} team=${id} more=${games.more} onMore=${games.fetchOlder} showsKind />
    </section>
    ${asked && html`<${Confirm} wanted=${asked} opponents=${teams} onClose=${() => setAsked(null)} />`}`;
}

/**
 * @param {{ upload: Upload, team: StaffTeam, desk: import("../../transport/desk.js").Desk,
 *   ask: (action: Action, more: object) => void }} props
 */
function StaffUpload({ upload, team, desk, ask }) {
  const said = words.upload;
  const { id, number, fileName, size, received, late, state, playing } = upload;
  const { notes, steps } = shownOnce(upload);
  return html`<li class=${playing ? "playing" : ""}>
    <div class="version-line">
      <b>${said.version(number)}</b>
      ${playing && html`<span class="badge">${said.playing}</span>`}
      ${late && html`<span class="badge warn">${said.lateMark}</span>`}
      <span class=${`upload-state ${state}`}>${stateText(upload)}</span>
      <span class="quiet"><bdi>${fileName}</bdi> · ${sizeText(size, locale)} · <${Time} at=${received} /></span>
    </div>
    <div class="buttons">
      <a class="button small" href=${`course/staff/uploads/${id}/file`} download=${fileName}>${said.download}</a>
      ${
        late &&
        html`<${Button}
          kind="small"
          label=${words.actions.acceptLate.button}
          onClick=${() => ask("acceptLate", { upload: { id, number } })}
        />`
      }
      ${
        state === "accepted" &&
        team.frozen !== number &&
        html`<${Button}
          kind="small"
          label=${words.actions.freeze.button}
          onClick=${() => ask("freeze", { upload: { id, number } })}
        />`
      }
    </div>
    <details>
      <summary>${said.details}<span class="unseen">: ${said.version(number)}</span></summary>
      ${
        notes.length > 0 &&
        html`<ul>${notes.map((note) => html`<li><bdi><${Quoting} said=${note} /></bdi></li>`)}</ul>`
      }
      <${Steps} steps=${steps} desk=${desk} />
    </details>
  </li>`;
}

function Audit() {
  const said = words.staff;
  /** @type {import("../transport.js").Polled<{ entries: AuditEntry[], more: boolean }>} */
  const { data, error } = usePolled("staff/audit");
  const [older, setOlder] = useState({ entries: /** @type {AuditEntry[]} */ ([]), more: true, error: "" });
  const byId = new Map([...older.entries, ...(data?.entries ?? [])].map((entry) => [entry.id, entry]));
  const entries = [...byId.values()].sort((a, b) => b.id - a.id);
  const more = older.entries.length ? older.more : (data?.more ?? false);
  const all = useRef(entries);
  all.current = entries;
  // Entries that have left the first page must not leave the table.
  useEffect(() => {
    if (older.entries.length) setOlder((now) => ({ ...now, entries: all.current }));
  }, [data]);
  const fetchOlder = () => {
    fetched(`staff/audit?before=${entries[entries.length - 1]?.id}`).then(
      (page) => setOlder({ entries: [...all.current, ...page.entries], more: page.more, error: "" }),
      (/** @type {Error} */ reason) => setOlder((now) => ({ ...now, error: reason.message })),
    );
  };
  const failure = error?.message || older.error;
  return html`<section aria-labelledby="audit">
    <h2 id="audit">${said.audit}</h2>
    ${failure && html`<p class="error" role="alert">${failure}</p>`}
    ${!data && !failure && html`<p class="quiet" role="status">${text.server.loading}</p>`}
    ${data && entries.length === 0 && html`<p class="quiet">${said.noEntries}</p>`}
    ${
      entries.length > 0 &&
      html`<div class="table-scroll" tabindex="0" role="group" aria-labelledby="audit">
        <table class="course-table audit-table">
          <thead>
            <tr>
              ${[said.time, said.actor, said.action, said.subject, said.detail].map(
                (name) => html`<th scope="col">${name}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${entries.map(
              ({ id, at, actor, action, subject, detail }) =>
                html`<tr key=${id}>
                  <td><${Time} at=${at} /></td>
                  <td><bdi>${actor}</bdi></td>
                  <td>${action}</td>
                  <td><bdi>${subject}</bdi></td>
                  <td class="free"><bdi>${detail}</bdi></td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
    ${more && html`<${Button} label=${said.older} onClick=${fetchOlder} />`}
  </section>`;
}

function Grades() {
  const said = words.staff;
  /** @type {import("../transport.js").Polled<Grade[]>} */
  const { data: grades, error } = usePolled("staff/grades.json");
  const rules = rulesOf(grades ?? []);
  return html`<section aria-labelledby="grades">
    <h2 id="grades">${said.grades}</h2>
    <p class="quiet">${said.gradesHow}</p>
    <div class="buttons">
      <a class="button" href="course/staff/grades.csv" download>${said.csv}</a>
      <a class="button" href="course/staff/grades.json" download>${said.json}</a>
    </div>
    ${error && html`<p class="error" role="alert">${error.message}</p>`}
    ${!grades && !error && html`<p class="quiet" role="status">${text.server.loading}</p>`}
    ${
      grades &&
      html`<div class="table-scroll" tabindex="0" role="group" aria-labelledby="grades">
        <table class="course-table grade-table">
          <thead>
            <tr>
              <th scope="col">${said.team}</th>
              <th scope="col" class="number">${said.total}</th>
              <th scope="col" class="number">${said.version}</th>
              <th scope="col" class="number">${said.checks}</th>
              <th scope="col" class="number">${words.board.rank}</th>
              <th scope="col" class="number">${words.board.points}</th>
              <th scope="col" class="number">${words.board.elo}</th>
              <th scope="col">${words.board.faults}</th>
              ${rules.map((rule) => html`<th scope="col" class="number">${rule}</th>`)}
              <th scope="col">${said.why}</th>
            </tr>
          </thead>
          <tbody>
            ${grades.map((grade) => html`<${GradeRow} key=${grade.id} grade=${grade} rules=${rules} />`)}
          </tbody>
        </table>
      </div>`
    }
  </section>`;
}

/** Formats marks with at most two decimal places. @param {number} marks */
const marksText = (marks) => withMinus(marks.toLocaleString(locale, { maximumFractionDigits: 2 }));

/** @param {{ grade: Grade, rules: string[] }} props */
function GradeRow({ grade, rules }) {
  const { id, name, version, checks, rank, points, faults, marks, total, why } = grade;
  return html`<tr>
    <th scope="row"><bdi>${name}</bdi> <small class="quiet"><bdi>${id}</bdi></small></th>
    <td class="number"><b>${marksText(total)}</b></td>
    <td class="number">${version ?? "–"}</td>
    <td class="number">${checks}</td>
    <td class="number">${rank ?? "–"}</td>
    <td class="number">${pointsText(points, locale)}</td>
    <td class="number">${ratingText(grade)}</td>
    <td class="free">${faultText(faults)}</td>
    ${rules.map((rule) => {
      const found = marks.find((mark) => mark.rule === rule);
      return html`<td class="number">${marksText(found?.marks ?? 0)}</td>`;
    })}
    <td class="free">${why}</td>
  </tr>`;
}
