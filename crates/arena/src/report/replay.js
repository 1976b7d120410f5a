// Replays a game: `#NUMBER`, or `#NUMBER/PLY`. The boards come from the report's data, so this script needs no rules.
// Data is inserted as text, never as markup.
"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const [board, says, slider, play, list] = ["board", "says", "ply", "play", "moves"].map(at);
  const PLAY = play.querySelector("path").getAttribute("d");
  const chunks = [];
  let game = null; // current game
  let frames = []; // cells of its boards
  let moves = [];
  let buttons = []; // one per move
  let ply = 0;
  let timer = 0;

  // Strings among the children become text nodes.
  const element = (name, className, ...children) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  };
  const drawn = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const seconds = (milliseconds) => (milliseconds / 1000).toFixed(2) + " s";
  const signed = (number, digits) => (number < 0 ? "−" : "+") + Math.abs(number).toFixed(digits);
  const nameOf = (side) => tournament.agents[game.agents[side]].name;

  // A cell is a letter for its owner, followed by its text.
  const content = (cell) => {
    const [tone, text] = [{ f: "first", s: "second", e: "empty" }[cell[0]], cell.slice(1)];
    if (/^\d/.test(text)) return element("span", "spots " + tone, text[0]);
    if (tone === "empty") return null;
    // The colour does not depend on the side: the first side is light in some games and dark in others, but `w` is
    // always light.
    const colour = text.toLowerCase() === "w" ? "light" : "dark";
    return element("span", "piece " + colour + (text === text.toUpperCase() ? " tower" : ""));
  };

  const draw = () => {
    const { cells, starts } = chunks[game.chunk];
    const { rows, columns } = starts[game.start];
    const move = moves[ply - 1];
    const parts = [];
    board.style.gridTemplateColumns = "1.4rem repeat(" + columns.length + ", 1fr)";
    frames[ply].forEach((cell, i) => {
      const [row, column] = [Math.floor(i / columns.length), i % columns.length];
      if (column === 0) parts.push(element("span", "label", rows[row]));
      const square = element("div", "cell" + ((row + column) % 2 ? " dark" : ""));
      if (move && move.from === i) square.classList.add("from");
      if (move && move.to === i) square.classList.add("to");
      const piece = content(cells[cell]);
      if (piece) square.append(piece);
      parts.push(square);
    });
    parts.push(element("span", "label"), ...columns.map((name) => element("span", "label", name)));
    board.replaceChildren(...parts);
  };

  // Returns the clock of a side after the first `ply` moves.
  const clock = (side) => moves.slice(0, ply).findLast((move) => move.side === side && move.clock)?.clock ?? "";

  const show = (to) => {
    ply = Math.max(0, Math.min(moves.length, to));
    draw();
    slider.value = ply;
    buttons.forEach((button, i) => {
      if (i === ply - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const item = buttons[ply - 1]?.parentElement;
    if (!item) list.scrollTop = 0;
    else if (item.offsetTop < list.scrollTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = item.offsetTop - list.clientHeight / 2;
    }
    [0, 1].forEach((side) => { at("clock" + side).textContent = clock(side); });
    const move = moves[ply - 1];
    const note = move?.note ? ", " + move.note : "";
    const last = ply === moves.length ? ". " + game.end : "";
    says.textContent = (move ? "Move " + ply + ", " + nameOf(move.side) + ": " + move.text + note : "Start") + last;
    if (ply === moves.length) stop();
  };

  const picture = (path, label) => {
    play.querySelector("path").setAttribute("d", path);
    play.setAttribute("aria-label", label);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    picture(PLAY, "Play");
  };

  // Returns the score of a move as text.
  const scoreText = (score) => (typeof score === "number" ? signed(score / 100, 2) : score);

  // Returns the moves with their texts, clocks and search information.
  const movesOf = ({ steps, texts }, game) => {
    const used = [0, 0];
    return game.steps.map((step, i) => {
      const [text, side, from, to, changes] = steps[step];
      const move = { text: texts[text], side, from, to, changes };
      const number = i - game.opening;
      if (number < 0) return { ...move, note: "opening", time: "opening" };
      used[side] += game.times[number];
      const entry = (column) => game[column]?.[number] ?? null;
      const [left, depth, nodes, line] = ["left", "depths", "nodes", "lines"].map(entry);
      const thought = [
        depth === null ? "" : "depth " + depth,
        nodes === null ? "" : nodes + " positions",
        line === null ? "" : line.map((word) => texts[word]).join(" "),
      ];
      return {
        ...move,
        time: seconds(game.times[number]),
        clock: left === null ? seconds(used[side]) + " used" : seconds(left) + " left",
        note: game.replaced?.includes(number) ? "a random move by the referee" : "",
        score: entry("scores"),
        thought: thought.filter(Boolean).join(", "),
      };
    });
  };

  // Returns the boards, beginning with the start.
  const framesOf = ({ starts }, game, moves) => {
    const frames = [starts[game.start].cells];
    for (const { changes } of moves) {
      const cells = frames[frames.length - 1].slice();
      for (const [cell, value] of changes) cells[cell] = value;
      frames.push(cells);
    }
    return frames;
  };

  const moveItem = (move, i) => {
    const button = element("button", "", element("span", "n", i + 1 + "."), element("span", "", move.text));
    button.type = "button";
    const tagged = (className, text, title) => {
      const made = element("span", className, text);
      made.title = title;
      button.append(made);
    };
    if (move.note && move.clock) tagged("bad", "random", move.note);
    if (move.score != null) tagged("small", scoreText(move.score), move.thought);
    button.append(element("span", "t soft small", move.time));
    button.addEventListener("click", () => { stop(); show(i + 1); });
    return element("li", "", button);
  };

  const player = (side) => {
    const { name, title } = tournament.agents[game.agents[side]];
    const link = element("a", "", name);
    link.href = "agent-" + game.agents[side] + ".html";
    const box = element("div", "", link, " ", element("span", "soft", tournament.sides[side]));
    if (game.winner === side) box.append(element("span", "good", " won"));
    const parts = title.map(([text, isLink]) => {
      if (!isLink) return text;
      const address = element("a", "", text);
      [address.href, address.rel] = [text, "nofollow noopener"];
      return address;
    });
    if (parts.length) box.append(element("div", "soft small", ...parts));
    const clock = element("div", "clock");
    clock.id = "clock" + side;
    box.append(clock);
    return box;
  };

  const SIZE = [600, 120]; // width and height of the graph before it is stretched
  const MAX_SCORE = 1000; // score at the upper edge, in hundredths of a piece
  const INTERVALS = 4; // number of intervals of an axis

  // Returns the scores of a side as points of the graph. Up is good for the first side.
  const dotsOf = (side, span) => moves.slice(game.opening).flatMap((move, i) => {
    if (move.side !== side || move.score === null) return [];
    const units = typeof move.score === "number" ? move.score : move.score.startsWith("win") ? Infinity : -Infinity;
    const up = side === 0 ? units : -units;
    const y = (SIZE[1] / 2) * (1 - Math.max(-MAX_SCORE, Math.min(MAX_SCORE, up)) / MAX_SCORE);
    return [{ x: ((i / span) * SIZE[0]).toFixed(1), y: y.toFixed(1), clipped: Math.abs(up) > MAX_SCORE }];
  });

  const graph = (sides, span) => {
    const [width, height] = SIZE;
    const label = "Scores in pieces; up is good for " + nameOf(0);
    const made = drawn("svg", { viewBox: "0 0 " + width + " " + height, preserveAspectRatio: "none", role: "img", "aria-label": label });
    for (let k = 0; k <= INTERVALS; k++) {
      const [x, y] = [(k / INTERVALS) * width, (k / INTERVALS) * height];
      made.append(drawn("line", { x1: 0, x2: width, y1: y, y2: y }), drawn("line", { x1: x, x2: x, y1: 0, y2: height }));
    }
    sides.forEach((dots, side) => {
      const colour = ["one", "two"][side];
      made.append(drawn("polyline", { class: colour, points: dots.map(({ x, y }) => x + "," + y).join(" ") }));
      // A line of length 0 draws a dot that keeps its shape when the graph is stretched.
      for (const { x, y, clipped } of dots) {
        made.append(drawn("path", { class: colour + (clipped ? " clipped" : " dot"), d: "M" + x + " " + y + "h0" }));
      }
    });
    const labels = [...Array(INTERVALS + 1).keys()];
    const pieces = labels.map((k) => (MAX_SCORE / 100) * (1 - (2 * k) / INTERVALS));
    return element("div", "chart",
      element("div", "pieces", ...pieces.map((score) => element("span", "", score === 0 ? "0" : signed(score, 0)))),
      made,
      element("div", "plies", ...labels.map((k) => element("span", "", game.opening + 1 + (k * span) / INTERVALS))));
  };

  // Returns the graph of the reported scores with its legend; nothing without scores.
  const scores = () => {
    // Rounded up to a multiple of the number of intervals, so that all labels are integers.
    const span = Math.ceil(Math.max(1, moves.length - game.opening - 1) / INTERVALS) * INTERVALS;
    const sides = [0, 1].map((side) => dotsOf(side, span));
    if (sides.every((dots) => dots.length < 2)) return [];
    const clipped = sides.flat().some((dot) => dot.clipped);
    const beyond = clipped ? " ■ beyond the edge: more than " + MAX_SCORE / 100 + " pieces, or a forced win." : "";
    const legend = [0, 1].flatMap((side) => [element("span", ["one", "two"][side], "●"), " " + nameOf(side) + " "]);
    const text = "Pieces, by the number of the move; up is good for " + nameOf(0) + "." + beyond;
    return [element("h2", "", "Scores"), graph(sides, span), element("p", "small legend", ...legend, element("span", "soft", text))];
  };

  const faults = (texts) => {
    const item = ([side, before, kind, detail]) =>
      element("li", "", nameOf(side) + ", after " + before + " moves: ", element("span", "bad", texts[kind]), ": " + texts[detail]);
    return game.faults ? [element("h2", "", "Faults"), element("ul", "", ...game.faults.map(item))] : [];
  };

  const stderr = (texts) => (game.stderr ?? []).flatMap((text, side) => (text === null ? [] : [
    element("details", "", element("summary", "", "Standard error of " + nameOf(side)), element("pre", "", texts[text])),
  ]));

  // Fills in the page for a game.
  const open = (chunk, found) => {
    const { texts } = chunks[chunk];
    game = { ...found, chunk, end: texts[found.end] };
    moves = movesOf(chunks[chunk], game);
    frames = framesOf(chunks[chunk], game, moves);
    document.title = "Game " + game.number + ": " + nameOf(0) + " – " + nameOf(1);
    at("title").textContent = nameOf(0) + " – " + nameOf(1);
    at("end").textContent = game.end;
    at("facts").textContent = " · game " + game.number + ", " + texts[game.began] + ", " + game.seconds.toFixed(2) + " s";
    at("players").replaceChildren(player(0), player(1));
    list.replaceChildren(...moves.map(moveItem));
    buttons = [...list.querySelectorAll("button")];
    slider.max = moves.length;
    at("more").replaceChildren(...scores(), ...faults(texts), ...stderr(texts));
  };

  const fail = (why) => {
    game = null;
    at("game").hidden = true;
    at("error").hidden = false;
    at("error").textContent = why;
  };

  const load = (chunk) => {
    const script = document.createElement("script");
    script.src = "data/chunk-" + chunk + ".js";
    script.addEventListener("error", () => fail("The file " + script.src + " cannot be read. The report needs all files of its folder."));
    document.head.append(script);
  };

  // Shows the game of the address. Loads its chunk first if necessary.
  const go = () => {
    stop();
    const asked = /^#(\d+)(?:\/(\d+))?$/.exec(location.hash);
    if (!asked) return fail("The address names no game. Choose one from the tournament's list of games.");
    const number = Number(asked[1]);
    const chunk = tournament.chunks.filter((first) => first <= number).length - 1;
    if (chunk >= 0 && !chunks[chunk]) return load(chunk);
    const found = chunks[chunk]?.games.find((game) => game.number === number);
    if (!found) return fail("Game " + number + " is not in this report.");
    at("error").hidden = true;
    at("game").hidden = false;
    if (game?.number !== number) open(chunk, found);
    show(asked[2] === undefined ? moves.length : Number(asked[2]));
  };

  // Called by the scripts of chunks.
  window.receive = (chunk, data) => {
    chunks[chunk] = data;
    go();
  };

  play.addEventListener("click", () => {
    if (timer) return stop();
    if (ply === moves.length) show(0);
    picture("M3 2h4v12H3zM9 2h4v12H9z", "Pause");
    timer = setInterval(() => show(ply + 1), 700);
  });
  const turns = { first: () => 0, back: () => ply - 1, on: () => ply + 1, last: () => moves.length };
  const turn = (name) => { stop(); show(turns[name]()); };
  for (const name of Object.keys(turns)) at(name).addEventListener("click", () => turn(name));
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  document.addEventListener("keydown", (event) => {
    const name = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (!game || !name || event.ctrlKey || event.altKey || event.metaKey || event.target === slider) return;
    event.preventDefault();
    turn(name);
  });
  window.addEventListener("hashchange", go);
  go();
})();
