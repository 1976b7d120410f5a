// Shows a game move by move. The boards come from the page; no rules here.
"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const board = document.getElementById("board");
  const says = document.getElementById("says");
  const slider = document.getElementById("ply");
  const clocks = [document.getElementById("clock0"), document.getElementById("clock1")];
  const buttons = [...document.querySelectorAll(".moves button")];
  const columns = game.columns.length;
  let ply = 0;
  let timer = 0;

  const element = (name, className, text) => {
    const made = document.createElement(name);
    made.className = className;
    if (text) made.textContent = text;
    return made;
  };

  // A cell is a letter for whose it is, then its text.
  const content = (cell) => {
    const [tone, text] = [{ f: "first", s: "second", e: "empty" }[cell[0]], cell.slice(1)];
    if (/^\d/.test(text)) return element("span", "spots " + tone, text[0]);
    if (tone === "empty") return null;
    // In some games the first side is light, in others dark. Pieces are called `b` and `w` in all of them.
    const colour = text.toLowerCase() === "w" ? "light" : "dark";
    return element("span", "piece " + colour + (text === text.toUpperCase() ? " tower" : ""));
  };

  const draw = () => {
    const frame = game.frames[ply];
    const parts = [];
    board.style.gridTemplateColumns = "1.4rem repeat(" + columns + ", 1fr)";
    frame.cells.forEach((cell, i) => {
      const [row, column] = [Math.floor(i / columns), i % columns];
      if (column === 0) parts.push(element("span", "label", game.rows[row]));
      const square = element("div", "cell" + ((row + column) % 2 ? " dark" : ""));
      if (frame.from === i) square.classList.add("from");
      if (frame.to === i) square.classList.add("to");
      const piece = content(cell);
      if (piece) square.append(piece);
      parts.push(square);
    });
    parts.push(element("span", "label"), ...game.columns.map((name) => element("span", "label", name)));
    board.replaceChildren(...parts);
  };

  const clock = (side) => {
    let text = "";
    for (let i = 0; i < ply; i++) if (game.moves[i].side === side && game.moves[i].clock) text = game.moves[i].clock;
    return text;
  };

  const show = (to) => {
    ply = Math.max(0, Math.min(game.frames.length - 1, to));
    draw();
    slider.value = ply;
    buttons.forEach((button, i) => {
      if (i === ply - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const list = document.querySelector(".moves");
    const current = buttons[ply - 1];
    if (current) {
      const item = current.parentElement;
      if (item.offsetTop < list.scrollTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = item.offsetTop - list.clientHeight / 2;
      }
    } else {
      list.scrollTop = 0;
    }
    clocks.forEach((where, side) => { where.textContent = clock(side); });
    const move = game.moves[ply - 1];
    const last = ply === game.frames.length - 1 ? ". " + game.end : "";
    says.textContent = (move ? "Move " + ply + ", " + move.who + ": " + move.text + (move.note ? ", " + move.note : "") : "Start") + last;
    if (ply === game.frames.length - 1) stop();
  };

  const play = document.getElementById("play");
  const PLAY = play.querySelector("path").getAttribute("d");
  const picture = (path, label) => {
    play.querySelector("path").setAttribute("d", path);
    play.setAttribute("aria-label", label);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    picture(PLAY, "Play");
  };
  play.addEventListener("click", () => {
    if (timer) return stop();
    if (ply === game.frames.length - 1) show(0);
    picture("M3 2h4v12H3zM9 2h4v12H9z", "Pause");
    timer = setInterval(() => show(ply + 1), 700);
  });
  const go = { first: () => 0, back: () => ply - 1, on: () => ply + 1, last: () => game.frames.length - 1 };
  for (const name of Object.keys(go)) {
    document.getElementById(name).addEventListener("click", () => { stop(); show(go[name]()); });
  }
  slider.max = game.frames.length - 1;
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  buttons.forEach((button, i) => button.addEventListener("click", () => { stop(); show(i + 1); }));
  document.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
    const name = keys[event.key];
    if (!name || event.ctrlKey || event.altKey || event.metaKey || event.target === slider) return;
    event.preventDefault();
    stop();
    show(go[name]());
  });
  const asked = /^#(\d+)$/.exec(location.hash);
  show(asked ? Number(asked[1]) : game.frames.length - 1);
})();
