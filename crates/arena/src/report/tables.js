// Sorts tables, and shows the list of games and the crosstable. Data is inserted as text, never as markup.
"use strict";
(() => {
  const ROWS = 100; // games per page
  const BLOCK = 40; // rows and columns of a page of the crosstable

  // Strings among the children become text nodes.
  const element = (name, className, ...children) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  };
  const link = (address, text) => {
    const made = element("a", "", text);
    made.href = address;
    return made;
  };
  const agentLink = (agent) => link("agent-" + agent + ".html", tournament.agents[agent].name);

  // Turns the header cells of a table into buttons. The first click sorts in descending order, the next one in
  // ascending order.
  const sortable = (heads, sort) => heads.forEach((head, column) => {
    const button = element("button", "", ...head.childNodes);
    button.type = "button";
    head.append(button);
    button.addEventListener("click", () => {
      const upwards = head.getAttribute("aria-sort") === "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
      sort(column, upwards);
    });
  });

  // Static tables sort by the `data-v` of cells, or by their text.
  for (const table of document.querySelectorAll("table.sortable")) {
    sortable([...table.tHead.rows[0].cells], (column, upwards) => {
      const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent.trim();
      const compare = (a, b) => {
        const [x, y] = [value(a), value(b)];
        const difference = Number(x) - Number(y);
        return Number.isNaN(difference) ? x.localeCompare(y) : difference;
      };
      const body = table.tBodies[0];
      body.append(...[...body.rows].sort((a, b) => (upwards ? compare(a, b) : compare(b, a))));
    });
  }

  // Returns a navigation bar for pages of `size` entries, and a function that goes to the page of an entry. The bar is
  // hidden if there is only one page.
  const pager = (count, size, what, show) => {
    let from = 0;
    const bar = element("nav", "pager");
    bar.setAttribute("aria-label", "Pages: " + what);
    bar.hidden = count <= size;
    const range = element("span", "soft");
    const last = Math.max(0, Math.ceil(count / size) - 1) * size;
    const turn = (to) => {
      from = Math.max(0, Math.min(last, to));
      const end = Math.min(count, from + size);
      range.textContent = what + " " + (from + 1) + "–" + end + " of " + count;
      buttons.forEach(([button, , backwards]) => { button.disabled = backwards ? from === 0 : from === last; });
      show(from, end);
    };
    const button = (sign, label, to, backwards) => {
      const made = element("button", "", sign);
      made.type = "button";
      made.setAttribute("aria-label", label);
      made.addEventListener("click", () => turn(to()));
      return [made, label, backwards];
    };
    const buttons = [
      button("«", "First page", () => 0, true),
      button("‹", "Previous page", () => from - size, true),
      button("›", "Next page", () => from + size, false),
      button("»", "Last page", () => last, false),
    ];
    bar.append(buttons[0][0], buttons[1][0], range, buttons[2][0], buttons[3][0]);
    return [bar, turn];
  };

  // Returns the alphabetical rank of each text.
  const places = (texts) => {
    const order = texts.map((_, i) => i).sort((a, b) => texts[a].localeCompare(texts[b]));
    const places = [];
    order.forEach((text, place) => { places[text] = place; });
    return places;
  };

  // CSS classes and texts of results in ascending order. The first one is for void games, the next three are for the
  // page of an agent, and the last three for the list of all games.
  const RESULTS = [["", "void"], ["bad", "lost"], ["", "drawn"], ["good", "won"], ["", "0–1"], ["", "½–½"], ["", "1–0"]];

  // Returns the columns of the list of games: head, class, sort key and content of game `i`. On the page of an agent,
  // results are from its point of view.
  const columnsOf = (own) => {
    const names = places(tournament.agents.map((agent) => agent.name));
    const endings = places(games.texts);
    // Index in RESULTS.
    const resultOf = (i) => {
      const result = games.results[i];
      if (own === null || result === "-") return { "-": 0, 2: 4, "=": 5, 1: 6 }[result];
      if (result === "=") return 2;
      return (result === "1") === (games.first[i] === own) ? 3 : 1;
    };
    const rounds = ["Round", "text round", (i) => games.rounds[i], (i) => tournament.rounds[games.rounds[i]]];
    return [
      ["Game", "", (i) => games.numbers[i], (i) => link("game.html#" + games.numbers[i], games.numbers[i])],
      ...(games.rounds.length ? [rounds] : []),
      ["First side", "text name", (i) => names[games.first[i]], (i) => agentLink(games.first[i])],
      ["Result", "text", resultOf, (i) => element("span", ...RESULTS[resultOf(i)])],
      ["Second side", "text name", (i) => names[games.second[i]], (i) => agentLink(games.second[i])],
      ["Ending", "text", (i) => endings[games.endings[i]], (i) => games.texts[games.endings[i]]],
      ["Moves", "", (i) => games.plies[i], (i) => games.plies[i]],
      ["Seconds", "", (i) => games.times[i], (i) => (games.times[i] / 100).toFixed(2)],
      ["Faults", "", (i) => games.faults[i], (i) => games.faults[i]],
    ];
  };

  const showGames = (place) => {
    const own = place.dataset.agent === undefined ? null : Number(place.dataset.agent);
    const columns = columnsOf(own);
    const shown = games.numbers.map((_, i) => i).filter((i) => own === null || games.first[i] === own || games.second[i] === own);
    const heads = columns.map(([head, kind]) => element("th", kind.startsWith("text") ? "text" : "", head));
    const body = element("tbody");
    const row = (i) => element("tr", "", ...columns.map(([, kind, , content]) => element("td", kind, content(i))));
    const [bar, turn] = pager(shown.length, ROWS, "Games", (from, to) => body.replaceChildren(...shown.slice(from, to).map(row)));
    sortable(heads, (column, upwards) => {
      const value = columns[column][2];
      shown.sort((a, b) => (upwards ? value(a) - value(b) : value(b) - value(a)));
      turn(0);
    });
    const table = element("table", "", element("thead", "", element("tr", "", ...heads)), body);
    place.replaceChildren(bar, element("div", "wide", table));
    turn(0);
  };

  // Returns a function that looks up how many games one agent has won, drawn and lost against another. It returns
  // `undefined` if the agents have no such game.
  const meetings = () => {
    const count = tournament.agents.length;
    const tallies = new Map();
    const add = (one, other, slot) => {
      const key = one * count + other;
      if (!tallies.has(key)) tallies.set(key, [0, 0, 0]);
      tallies.get(key)[slot] += 1;
    };
    games.numbers.forEach((_, i) => {
      const slot = "1=2".indexOf(games.results[i]);
      if (slot < 0) return;
      add(games.first[i], games.second[i], slot);
      add(games.second[i], games.first[i], 2 - slot);
    });
    return (one, other) => tallies.get(one * count + other);
  };

  const showCrosstable = (place) => {
    const { agents, ranking } = tournament;
    const against = meetings();
    const cell = (one, other) => {
      if (one === other) return element("td", "self");
      const tally = against(one, other);
      if (!tally) return element("td", "soft", "–");
      const [won, drawn, lost] = tally;
      const made = element("td", "", (won + drawn / 2).toFixed(1));
      made.title = agents[one].name + " against " + agents[other].name + ": " + won + " won, " + drawn + " drawn, " + lost + " lost";
      return made;
    };
    const table = element("table", "cross");
    let [rows, columns] = [[0, 0], [0, 0]];
    const draw = () => {
      const across = ranking.slice(...columns);
      const heads = across.map((_, i) => element("th", "", columns[0] + i + 1));
      const row = (agent, i) => element("tr", "", element("td", "", rows[0] + i + 1), element("td", "name", agentLink(agent)),
        ...across.map((other) => cell(agent, other)));
      table.replaceChildren(
        element("thead", "", element("tr", "", element("th"), element("th", "text", "Agent"), ...heads)),
        element("tbody", "", ...ranking.slice(...rows).map(row)),
      );
    };
    const [down, turnDown] = pager(ranking.length, BLOCK, "Rows", (...range) => { rows = range; draw(); });
    const [right, turnRight] = pager(ranking.length, BLOCK, "Columns", (...range) => { columns = range; draw(); });
    turnDown(0);
    turnRight(0);
    place.replaceChildren(down, right, element("div", "wide", table));
  };

  const [list, cross] = ["games", "cross"].map((id) => document.getElementById(id));
  if (list) showGames(list);
  if (cross) showCrosstable(cross);
})();
