// The board: draws the spots it gets, and tells page.js which of them the player chooses.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 100;
/** Space around the board for the strokes at its edge. */
const EDGE = 4;
const DRAG_FROM = 6;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const byId = id => document.getElementById(id);
const board = byId("board");

let spots = new Map();
let drag = null;
let dragged = false;
/** The move that was made by dragging, whose piece need not glide. */
let dropped = null;
let audio = null;

function make(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}

// ---- drawing

function place(at) {
  return [at[0] * UNIT, at[1] * UNIT];
}

function build(drawing) {
  board.replaceChildren();
  spots = new Map();
  const [cols, rows] = drawing.size;
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
  const { x, y, width, height } = board.getBBox();
  board.setAttribute("viewBox", `${x - EDGE} ${y - EDGE} ${width + 2 * EDGE} ${height + 2 * EDGE}`);
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

const still = () => calm.matches || !byId("motion").checked;

function slide(entry, from) {
  const piece = entry.layer.firstElementChild;
  if (!piece || still()) return;
  piece.animate(
    [{ transform: `translate(${from.x - entry.x}px, ${from.y - entry.y}px)` }, { transform: "translate(0, 0)" }],
    { duration: 320, easing: "ease-in-out" });
}

function vanish(entry, before) {
  if (!before || still()) return;
  entry.layer.append(before);
  before.animate([{ opacity: 1, transform: "scale(1)" }, { opacity: 0, transform: "scale(0.2)" }], { duration: 450, delay: 150, fill: "forwards" })
    .finished.finally(() => before.remove());
}

/** A short tone of a frequency in hertz. */
function sound(frequency) {
  // Before the first click, a browser allows no sound.
  if (!byId("sound").checked || !navigator.userActivation.hasBeenActive) return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator(), volume = audio.createGain(), end = audio.currentTime + 0.15;
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(0.2, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(end);
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
  dropped = null;
  const spot = spotAt(event.target);
  if (!spot || lost || event.button || !sources().has(spot.dataset.name)) return;
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
  if (spot && spot.dataset.name !== name) move(dropped = `${name}-${spot.dataset.name}`);
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
