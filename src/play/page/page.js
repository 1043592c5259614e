// The page knows no rules: it draws the spots it gets, lets the player choose one or two, and asks the server.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 100;
const DRAG_FROM = 6;
const AGAIN_AFTER = 1000;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const byId = id => document.getElementById(id);
const board = byId("board");

let state = null;
let spots = new Map();
let shape = "";
let picked = null;
let drag = null;
let dragged = false;
let stream = null;
let lang = new URLSearchParams(location.search).get("lang");

function make(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}

function option(value, text) {
  const made = document.createElement("option");
  made.value = value;
  made.textContent = text;
  return made;
}

// ---- the server

async function ask(path, body) {
  const answer = await fetch(`${path}?lang=${state.lang}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (answer && answer.status === 413) return { refused: state.words.long };
  if (!answer || !answer.ok) return { refused: state.words.lost };
  return answer.json();
}

async function carryOut(deed) {
  const answer = await ask("do", deed);
  byId("refused").textContent = answer.refused || "";
  return !answer.refused;
}

/** Listens to the server in a language, or in the server's default; reconnects if the connection is lost. */
function listen() {
  const address = new URL("events" + (lang ? `?lang=${lang}` : ""), location.href);
  address.protocol = "ws:";
  if (stream) stream.close();
  const opened = stream = new WebSocket(address);
  opened.onopen = () => {
    if (state && byId("refused").textContent === state.words.lost) byId("refused").textContent = "";
  };
  opened.onmessage = event => { if (opened === stream) show(JSON.parse(event.data)); };
  opened.onclose = () => {
    if (opened !== stream) return;
    if (state) byId("refused").textContent = state.words.lost;
    setTimeout(() => { if (opened === stream) listen(); }, AGAIN_AFTER);
  };
}

// ---- drawing

function place(at) {
  return [at[0] * UNIT, at[1] * UNIT];
}

function build(drawing) {
  board.replaceChildren();
  spots = new Map();
  const [cols, rows] = drawing.size;
  const margin = 62;
  board.setAttribute("viewBox", `${-margin} ${-margin} ${cols * UNIT + 2 * margin} ${rows * UNIT + 2 * margin}`);
  if (drawing.lines.length) {
    make("rect", { class: "ground", x: -58, y: -58, width: cols * UNIT + 116, height: rows * UNIT + 116, rx: 12 }, board);
  }
  for (const [from, to] of drawing.lines) {
    const [x1, y1] = place(from), [x2, y2] = place(to);
    make("line", { class: "line", x1, y1, x2, y2 }, board);
  }
  drawing.spots.forEach((spot, index) => {
    const [x, y] = place(spot.at);
    const group = make("g", { class: spot.kind, transform: `translate(${x} ${y})` }, board);
    outline(spot, group);
    const entry = { spot, group, x, y, layer: null, key: spot.name || `#${index}` };
    spots.set(entry.key, entry);
    if (spot.name) {
      group.classList.add("spot");
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "-1");
      group.dataset.name = spot.name;
    }
  });
  // Above all shapes, so that a moving piece passes over them.
  for (const entry of spots.values()) {
    entry.layer = make("g", { class: "layer", transform: `translate(${entry.x} ${entry.y})` }, board);
    entry.layer.style.pointerEvents = "none";
    if (entry.spot.name) marks(entry);
  }
  const first = [...spots.values()].find(entry => entry.spot.name);
  if (first) first.group.setAttribute("tabindex", "0");
}

function outline(spot, group) {
  const rect = (width, height, rx) =>
    make("rect", { class: "shape", x: -width / 2, y: -height / 2, width, height, rx }, group);
  if (spot.kind === "point") {
    make("circle", { class: "hit", r: 48 }, group);
    make("circle", { class: "shape", r: 21 }, group);
    make("text", { class: "number" }, group).textContent = spot.text;
  } else if (spot.kind === "cell" || spot.kind === "supply") rect(94, 94, 8);
  else if (spot.kind === "level") { make("rect", { class: "hit", x: -78, y: -34, width: 156, height: 68 }, group); rect(150, 20, 8); }
  else if (spot.kind === "upright") { make("rect", { class: "hit", x: -34, y: -78, width: 68, height: 156 }, group); rect(20, 150, 8); }
  else if (spot.kind === "area") rect(150, 150, 8);
  else if (spot.kind === "dot") make("circle", { class: "shape", r: 15 }, group);
  else if (spot.kind === "button") { rect(330, 84, 20); make("text", {}, group).textContent = spot.text; }
  else if (spot.kind === "label") make("text", {}, group).textContent = spot.text;
}

/** The rings and dots that show the use of a spot, drawn over its piece. */
function marks(entry) {
  const over = make("g", { transform: `translate(${entry.x} ${entry.y})` }, board);
  over.style.pointerEvents = "none";
  entry.marks = over;
  const round = entry.spot.kind === "point";
  const [w, h] = { level: [158, 44], upright: [44, 158], button: [338, 92] }[entry.spot.kind] || [88, 88];
  const ring = (name, more) => round
    ? make("circle", { class: `mark ${name}`, r: 40 + more }, over)
    : make("rect", { class: `mark ${name}`, x: -w / 2 - more, y: -h / 2 - more, width: w + 2 * more, height: h + 2 * more, rx: 10 }, over);
  ring("last", 0);
  ring("hint", 3);
  ring("picked", 1);
  ring("focus", 6);
  // A ring on a numbered point keeps the number legible.
  make("circle", { class: round ? "mark target open" : "mark target", r: round ? 31 : 13 }, over);
  make("path", { class: "mark taken", d: "M22 -44L44 -22M44 -44L22 -22" }, over);
}

function drawPiece(entry) {
  const { spot, layer } = entry;
  layer.replaceChildren();
  const piece = spot.piece;
  if (!piece) return;
  const group = make("g", { class: `piece ${piece.tone}` }, layer);
  const rect = (width, height, rx) => make("rect", { class: "body", x: -width / 2, y: -height / 2, width, height, rx }, group);
  if (spot.kind === "level") rect(170, 18, 9);
  else if (spot.kind === "upright") rect(18, 170, 9);
  else if (spot.kind === "area") rect(150, 150, 8);
  else if (piece.sign) rect(80, 80, 12);
  else make("circle", { class: "body", r: 36 }, group);
  if (piece.sign) make("text", {}, group).textContent = piece.sign;
  else if (spot.kind === "point") make("text", { class: "number" }, group).textContent = spot.text;
  else if (piece.fixed && spot.kind === "cell") make("circle", { class: "given", r: 12 }, group);
}

function slide(entry, from) {
  const piece = entry.layer.firstElementChild;
  if (!piece || calm.matches) return;
  piece.animate(
    [{ transform: `translate(${from.x - entry.x}px, ${from.y - entry.y}px)` }, { transform: "translate(0, 0)" }],
    { duration: 320, easing: "ease-in-out" });
}

function vanish(entry, before) {
  if (!before || calm.matches) return;
  entry.layer.append(before);
  before.animate([{ opacity: 1, transform: "scale(1)" }, { opacity: 0, transform: "scale(0.2)" }], { duration: 450, delay: 150, fill: "forwards" })
    .finished.finally(() => before.remove());
}

// ---- what the player may do

const sources = () => new Set(state.moves.map(move => move[0]).filter(Boolean));
const targets = from => new Set(state.moves.filter(move => move[0] === from).map(move => move[1]));
const alone = () => new Set(state.moves.filter(move => !move[0]).map(move => move[1]));

function refresh() {
  const from = sources(), to = picked ? targets(picked) : new Set(), single = alone();
  const words = state.words;
  for (const { spot, group, marks } of spots.values()) {
    if (!spot.name) continue;
    const last = state.last && (spot.name === state.last.from || spot.name === state.last.to) && spot.kind !== "supply";
    const flags = {
      "is-last": last,
      "is-picked": picked === spot.name,
      "is-target": to.has(spot.name),
      "is-movable": from.has(spot.name) || single.has(spot.name),
      "is-taken": Boolean(state.last && state.last.moved.length && state.last.taken.includes(spot.name) && !spot.piece),
    };
    for (const [name, on] of Object.entries(flags)) {
      group.classList.toggle(name, Boolean(on));
      marks.classList.toggle(name, Boolean(on));
    }
    const said = [spot.text, spot.kind === "button" ? "" : spot.piece ? spot.piece.word : words.empty];
    if (flags["is-picked"]) said.push(words.picked);
    else if (flags["is-target"]) said.push(words.target);
    else if (flags["is-movable"] && !picked) said.push(words.movable);
    if (last) said.push(words.last);
    group.setAttribute("aria-label", said.filter(Boolean).join(", "));
    group.setAttribute("aria-pressed", String(picked === spot.name));
  }
}

function forget() {
  for (const { group, marks } of spots.values()) {
    group.classList.remove("is-hint");
    if (marks) marks.classList.remove("is-hint");
  }
  byId("hinted").replaceChildren();
}

function pick(name) {
  picked = name;
  refresh();
}

async function move(text) {
  const supply = picked && spots.get(picked).spot.kind === "supply";
  // A stone from beside the board stays selected for the next cell.
  if (!supply) picked = null;
  refresh();
  await carryOut({ do: "move", text });
}

function activate(name) {
  byId("refused").textContent = "";
  if (picked === name) return pick(null);
  if (picked && targets(picked).has(name)) return move(`${picked}-${name}`);
  if (alone().has(name)) return move(name);
  if (sources().has(name)) return pick(name);
  return move(picked ? `${picked}-${name}` : name);
}

// ---- the state

function show(next) {
  const before = state;
  if (before && byId("refused").textContent === before.words.lost) byId("refused").textContent = "";
  state = next;
  lang = state.lang;
  const shapes = JSON.stringify([state.game, state.drawing.size, state.drawing.spots.map(spot => [spot.name, spot.at])]);
  const rebuilt = shapes !== shape;
  if (rebuilt) {
    shape = shapes;
    picked = null;
    build(state.drawing);
  }
  const old = new Map();
  state.drawing.spots.forEach((spot, index) => {
    const entry = spots.get(spot.name || `#${index}`);
    if (entry.spot.kind === "button" && entry.spot.text !== spot.text) entry.group.lastElementChild.textContent = spot.text;
    if (rebuilt || JSON.stringify(entry.spot.piece) !== JSON.stringify(spot.piece) || !entry.layer.firstElementChild) {
      old.set(entry.key, entry.layer.firstElementChild);
      entry.spot = spot;
      drawPiece(entry);
    }
  });
  if (picked && (!sources().has(picked) || !before || before.count > state.count)) picked = null;
  if (before && before.game === state.game && state.count === before.count + 1 && state.last) animate(old);
  if (before && before.count !== state.count) forget();
  refresh();
  fill(before);
}

function animate(old) {
  const at = name => spots.get(name);
  for (const [from, to] of state.last.moved) if (at(from) && at(to)) slide(at(to), at(from));
  for (const name of state.last.taken) vanish(at(name), old.get(name));
}

function fill(before) {
  const words = state.words;
  document.documentElement.lang = state.lang;
  document.title = `${state.title} · keur`;
  byId("title").textContent = state.title;
  byId("goal").textContent = state.goal;
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = words[element.dataset.word];
  board.setAttribute("aria-label", words.board);
  byId("text").setAttribute("aria-label", words.notation);
  const said = [state.told, state.thinking ? words.thinking : state.stands].filter(Boolean).join(". ");
  if (byId("stands").textContent !== said) byId("stands").textContent = said;
  byId("stands").classList.toggle("over", state.over);
  list(byId("notes"), state.notes);
  list(byId("history"), state.history);
  byId("history").scrollTop = byId("history").scrollHeight;
  if (!before || before.text !== state.text) byId("text").value = state.text;
  const undo = byId("undo");
  // A button that becomes disabled would lose the focus.
  const focused = document.activeElement === undo && !state.undo;
  undo.disabled = !state.undo;
  if (focused) board.querySelector(".spot[tabindex='0']").focus({ preventScroll: true });
  byId("hint").hidden = !state.hints;
  byId("hint").disabled = state.over || state.thinking;
  choices(byId("game"), state.games, state.game);
  choices(byId("level"), state.levels, state.level);
  byId("leveling").hidden = !state.computer;
  byId("lang").value = state.lang;
  seats();
}

function list(parent, texts) {
  parent.replaceChildren(...texts.map(text => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
}

function choices(select, pairs, chosen) {
  const made = JSON.stringify(pairs);
  if (select.dataset.made !== made) {
    select.replaceChildren(...pairs.map(([value, text]) => option(value, text)));
    select.dataset.made = made;
  }
  select.value = chosen;
}

function seats() {
  const parent = byId("seats");
  const sides = state.computer ? state.sides : [];
  while (parent.children.length > sides.length) parent.lastElementChild.remove();
  sides.forEach((side, index) => {
    let label = parent.children[index];
    if (!label) {
      label = document.createElement("label");
      label.append(document.createElement("span"), " ", document.createElement("select"));
      label.lastElementChild.addEventListener("change", event =>
        carryOut({ do: "seat", side: index, computer: event.target.value === "computer" }));
      parent.append(label);
    }
    label.firstElementChild.textContent = side;
    choices(label.lastElementChild, [["human", state.seats[0]], ["computer", state.seats[1]]], state.computers[index] ? "computer" : "human");
  });
}

// ---- mouse, finger, keys

const spotAt = element => element && element.closest && element.closest(".spot");

board.addEventListener("click", event => {
  const spot = spotAt(event.target);
  if (dragged) dragged = false;
  else if (spot) focus(spot), activate(spot.dataset.name);
});

board.addEventListener("pointerdown", event => {
  dragged = false;
  const spot = spotAt(event.target);
  if (!spot || event.button || !sources().has(spot.dataset.name)) return;
  drag = { name: spot.dataset.name, x: event.clientX, y: event.clientY, id: event.pointerId, under: false };
});

board.addEventListener("pointermove", event => {
  if (!drag || event.pointerId !== drag.id) return;
  const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
  if (!drag.under && Math.hypot(dx, dy) < DRAG_FROM) return;
  if (!drag.under) {
    drag.under = true;
    board.setPointerCapture(drag.id);
    pick(drag.name);
  }
  const piece = spots.get(drag.name).layer.firstElementChild;
  const scale = 1 / board.getScreenCTM().a;
  if (piece) piece.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
});

function drop(event, done) {
  if (!drag || event.pointerId !== drag.id) return;
  const { name, under } = drag;
  drag = null;
  if (!under) return;
  dragged = true;
  const piece = spots.get(name).layer.firstElementChild;
  if (piece) piece.removeAttribute("transform");
  const spot = done && spotAt(document.elementFromPoint(event.clientX, event.clientY));
  if (spot && spot.dataset.name !== name) move(`${name}-${spot.dataset.name}`);
  else pick(null);
}

// A finger that drags a piece does not scroll the page. (The style `touch-action` has no effect on parts of a drawing.)
board.addEventListener("touchmove", event => { if (drag) event.preventDefault(); }, { passive: false });
board.addEventListener("pointerup", event => drop(event, true));
board.addEventListener("pointercancel", event => drop(event, false));

function focus(spot) {
  for (const { group, spot: { name } } of spots.values()) if (name) group.setAttribute("tabindex", group === spot ? "0" : "-1");
  spot.focus({ preventScroll: true });
}

/** The nearest spot in a direction: sideways distance counts double. */
function neighbour(from, [dx, dy]) {
  let best = null, least = Infinity;
  for (const entry of spots.values()) {
    if (!entry.spot.name || entry === from) continue;
    const x = entry.x - from.x, y = entry.y - from.y;
    const along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
    const far = along + 2 * aside;
    if (along > 0 && far < least) [best, least] = [entry, far];
  }
  return best;
}

// The marks are above the pieces, where a selector for the focused element cannot reach them.
for (const kind of ["focusin", "focusout"]) {
  board.addEventListener(kind, event => {
    const spot = spotAt(event.target);
    const entry = spot && spots.get(spot.dataset.name);
    if (entry) entry.marks.classList.toggle("has-focus", kind === "focusin" && spot.matches(":focus-visible"));
  });
}

board.addEventListener("keydown", event => {
  const spot = spotAt(event.target);
  if (!spot || event.ctrlKey || event.altKey || event.metaKey) return;
  if (ARROWS[event.key]) {
    const next = neighbour(spots.get(spot.dataset.name), ARROWS[event.key]);
    if (next) focus(next.group);
  } else if (event.key === "Enter" || event.key === " ") activate(spot.dataset.name);
  else if (event.key === "Escape") pick(null);
  else return;
  event.preventDefault();
});

// ---- the panel

byId("undo").addEventListener("click", () => carryOut({ do: "undo" }));
byId("new").addEventListener("click", () => carryOut({ do: "new", game: state.game }));
byId("game").addEventListener("change", event => carryOut({ do: "new", game: event.target.value }));
byId("level").addEventListener("change", event => carryOut({ do: "level", level: event.target.value }));
byId("load").addEventListener("click", () => carryOut({ do: "load", text: byId("text").value }));
byId("lang").addEventListener("change", event => {
  lang = event.target.value;
  for (const said of ["refused", "hinted"]) byId(said).replaceChildren();
  // Kept by a reload.
  history.replaceState(null, "", `?lang=${lang}`);
  listen();
});

byId("hint").addEventListener("click", async () => {
  forget();
  byId("hint").disabled = true;
  const hint = await ask("hint", {});
  byId("hint").disabled = state.over || state.thinking;
  byId("refused").textContent = hint.refused || "";
  if (hint.refused) return;
  for (const name of [hint.from, hint.to]) {
    const entry = spots.get(name);
    if (entry) entry.marks.classList.add("is-hint");
  }
  byId("hinted").replaceChildren(...[hint.hint, hint.line].filter(Boolean).map(text => {
    const line = document.createElement("p");
    // Lines of moves break between moves.
    line.textContent = text === hint.line ? text.replaceAll("-", "\u2011") : text;
    return line;
  }));
});

byId("copy").addEventListener("click", async () => {
  const text = byId("text");
  try {
    await navigator.clipboard.writeText(text.value);
  } catch {
    text.select();
    document.execCommand("copy");
  }
  byId("copied").textContent = state.words.copied;
  setTimeout(() => { byId("copied").textContent = ""; }, 2000);
});

listen();
