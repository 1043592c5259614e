// The page knows no rules: it lets the player choose one or two spots of the board, and asks the server.
"use strict";

const AGAIN_AFTER = 1000;

let state = null;
let shape = "";
let picked = null;
let stream = null;
let lost = false;
/** The earlier position that is shown instead of the present one. */
let past = null;
/** The number of moves before the one that was asked for last, which may not be here yet. */
let wanted = null;
let evaluated = null;
let lang = new URLSearchParams(location.search).get("lang");

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

/** Begins or loads another game; asks first if that would end this one. */
async function leave(deed) {
  if (!state.underWay || await agreed()) await carryOut(deed);
  // The lists show the game that is there.
  if (!lost) fill(state);
}

function agreed() {
  const dialog = byId("sure");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise(done =>
    dialog.addEventListener("close", () => done(dialog.returnValue === "leave"), { once: true }));
}

/** Listens to the server in a language, or in the server's default; reconnects if the connection is lost. */
function listen() {
  const address = new URL("events" + (lang ? `?lang=${lang}` : ""), location.href);
  address.protocol = "ws:";
  if (stream) stream.close();
  const opened = stream = new WebSocket(address);
  opened.onmessage = event => { if (opened === stream) show(JSON.parse(event.data)); };
  opened.onclose = () => {
    if (opened !== stream) return;
    if (state && !lost) lose();
    setTimeout(() => { if (opened === stream) listen(); }, AGAIN_AFTER);
  };
}

/** Without a server nothing works but to read the page and to copy the game, which a new server can load. */
function lose() {
  lost = true;
  picked = null;
  refresh();
  document.body.classList.add("lost");
  board.setAttribute("aria-disabled", "true");
  byId("refused").textContent = state.words.lost;
  byId("sure").close();
  for (const control of document.querySelectorAll("button:not(#copy), select")) control.disabled = true;
  document.querySelector("details").open = true;
}

function find() {
  lost = false;
  document.body.classList.remove("lost");
  board.removeAttribute("aria-disabled");
  byId("refused").textContent = "";
  for (const control of document.querySelectorAll("button, select")) control.disabled = false;
}

// ---- what the player may do

const shown = () => past || state;
const moves = () => shown().moves;
const sources = () => new Set(moves().map(move => move[0]).filter(Boolean));
const targets = from => new Set(moves().filter(move => move[0] === from).map(move => move[1]));
const alone = () => new Set(moves().filter(move => !move[0]).map(move => move[1]));

function refresh() {
  const from = sources(), to = picked ? targets(picked) : new Set(), single = alone();
  const words = state.words, played = shown().last;
  for (const { spot, group, marks } of spots.values()) {
    if (!spot.name) continue;
    const last = played && (spot.name === played.from || spot.name === played.to) && spot.kind !== "supply";
    const flags = {
      "is-last": last,
      "is-picked": picked === spot.name,
      "is-target": to.has(spot.name),
      "is-movable": from.has(spot.name) || single.has(spot.name),
      "is-taken": Boolean(played && played.moved.length && played.taken.includes(spot.name) && !spot.piece),
    };
    for (const [name, on] of Object.entries(flags)) {
      group.classList.toggle(name, Boolean(on));
      marks.classList.toggle(name, Boolean(on));
    }
    const said = [spot.text, spot.kind === "button" ? "" : spot.piece ? spot.piece.word : words.empty];
    if (flags["is-picked"]) said.push(words.picked);
    else if (flags["is-target"]) said.push(words.target);
    else if (flags["is-movable"] && !picked) said.push(from.has(spot.name) ? words.movable : words.choosable);
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
  if (past && state.history[past.at] === text) return look(past.at + 1);
  // After an earlier position, the move begins another line.
  await carryOut({ do: "move", text, at: past?.at });
}

function activate(name) {
  if (lost) return;
  // Where the computer moved, no person can.
  if (past && !past.moves.length) return look(state.count);
  byId("refused").textContent = "";
  if (picked === name) return pick(null);
  if (picked && targets(picked).has(name)) return move(`${picked}-${name}`);
  if (alone().has(name)) return move(name);
  if (sources().has(name)) return pick(name);
  return move(picked ? `${picked}-${name}` : name);
}

// ---- the state

function show(next) {
  const before = state, was = state && position();
  if (lost) find();
  state = next;
  lang = state.lang;
  const shapes = JSON.stringify([state.game, state.drawing.size, state.drawing.spots.map(spot => [spot.name, spot.at])]);
  const rebuilt = shapes !== shape;
  if (rebuilt) {
    shape = shapes;
    picked = null;
    build(state.drawing);
  }
  past = wanted = null;
  if (before && before.text !== state.text) byId("refused").textContent = "";
  const old = placePieces(rebuilt);
  if (picked && (!sources().has(picked) || !before || before.count > state.count)) picked = null;
  if (was && !rebuilt) glide(was, old);
  if (before && before.count !== state.count) forget();
  refresh();
  fill(before);
  evaluate();
  if (!before) loadLinked();
}

/** Draws the pieces that changed; returns those before them. */
function placePieces(rebuilt) {
  const old = new Map();
  shown().drawing.spots.forEach((spot, index) => {
    const entry = spots.get(spot.name || `#${index}`);
    if (entry.spot.kind === "button" && entry.spot.text !== spot.text) entry.group.lastElementChild.textContent = spot.text;
    if (rebuilt || JSON.stringify(entry.spot.piece) !== JSON.stringify(spot.piece) || !entry.layer.firstElementChild) {
      old.set(entry.key, entry.layer.firstElementChild);
      entry.spot = spot;
      drawPiece(entry);
    }
  });
  return old;
}

// ---- earlier positions

const at = () => past ? past.at : state.count;
const goal = () => wanted ?? state.count;

async function look(count) {
  if (lost || count < 0 || count > state.count) return;
  wanted = count === state.count ? null : count;
  const found = wanted === null ? null : await ask("past", { at: count });
  if (goal() !== count || (found && found.at === undefined)) return;
  const was = position();
  past = found;
  picked = null;
  byId("refused").textContent = "";
  forget();
  glide(was, placePieces(false));
  refresh();
  tell();
  evaluate();
}

/** Shows who stands better in the position on the board. */
async function evaluate() {
  byId("bar").hidden = byId("evaluation").hidden = !state.computer;
  const asked = JSON.stringify([state.text, state.lang, at()]);
  if (!state.computer || asked === evaluated) return;
  evaluated = asked;
  const found = await ask("evaluate", { at: at() });
  if (evaluated !== asked) return;
  if (!found || found.share === undefined) {
    evaluated = null;
    return;
  }
  byId("share").style.width = `${found.share}%`;
  byId("share").style.setProperty("--tone", `var(--${state.tones[0]})`);
  byId("bar").style.setProperty("--rest", `var(--${state.tones[1]})`);
  byId("bar").setAttribute("aria-valuenow", found.share);
  byId("bar").setAttribute("aria-valuetext", found.said);
  byId("bar").setAttribute("aria-label", found.said);
  byId("evaluation").textContent = found.said;
}

/** The moves before the position on the board, and what the last of them did. */
const position = () => ({ moves: state.history.slice(0, at()), last: shown().last });

/** Lets pieces glide, if the position on the board is one move after or before the one that was there. */
function glide(was, old) {
  const now = position(), forward = now.moves.length > was.moves.length;
  const [fewer, more] = forward ? [was, now] : [now, was];
  if (more.moves.length !== fewer.moves.length + 1 || fewer.moves.some((move, index) => move !== more.moves[index])) return;
  for (const pair of more.last.moved) {
    const [from, to] = (forward ? pair : pair.toReversed()).map(name => spots.get(name));
    if (from && to && !(forward && pair.join("-") === dropped)) slide(to, from);
  }
  dropped = null;
  if (!forward) return;
  for (const name of now.last.taken) vanish(spots.get(name), old.get(name));
  sound(now.last.taken.length ? 220 : 330);
}

function fill(before) {
  const words = state.words;
  document.documentElement.lang = state.lang;
  document.title = `${state.title} · keur`;
  byId("title").textContent = state.title;
  byId("goal").textContent = state.goal;
  byId("keys").textContent = state.keys;
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = words[element.dataset.word];
  board.setAttribute("aria-label", words.board);
  byId("text").setAttribute("aria-label", words.notation);
  for (const step of ["first", "back", "forward", "latest"]) byId(step).setAttribute("aria-label", byId(step).title = words[step]);
  tell();
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
  choices(byId("size"), state.sizes, state.rows ?? "");
  byId("sizing").hidden = !state.sizes.length;
  byId("leveling").hidden = !state.computer;
  byId("lang").value = state.lang;
  seats();
}

/** What is said of the position on the board, and where it is in the list of moves. */
function tell() {
  const now = past ? [`${past.at} / ${state.count}`, past.moves.length && state.words.branch].filter(Boolean).join(". ") : state.thinking ? state.words.thinking : state.stands;
  const said = [shown().told, now].filter(Boolean).join(". ");
  if (byId("stands").textContent !== said) byId("stands").textContent = said;
  byId("stands").classList.toggle("over", state.over && !past);
  board.classList.toggle("past", Boolean(past));
  list(byId("notes"), shown().notes);
  const moves = byId("history");
  if (moves.dataset.made !== state.text) {
    moves.replaceChildren(...state.history.map((text, index) => moveButton(text, () => look(index + 1))));
    moves.dataset.made = state.text;
  }
  [...moves.children].forEach((item, index) => {
    const here = index + 1 === at();
    if (here) item.firstElementChild.setAttribute("aria-current", "true");
    else item.firstElementChild.removeAttribute("aria-current");
    if (here) moves.scrollTop = item.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  });
  byId("others").hidden = !state.variations.length;
  const others = JSON.stringify(state.variations);
  if (byId("variations").dataset.made !== others) {
    byId("variations").replaceChildren(...state.variations.map(({ index, at, moves }) =>
      moveButton(moves.map((move, nth) => `${at + nth + 1}.\u00a0${move}`).join(" "), () => carryOut({ do: "vary", index }))));
    byId("variations").dataset.made = others;
  }
  byId("steps").hidden = !state.count;
  byId("first").disabled = byId("back").disabled = at() === 0;
  byId("forward").disabled = byId("latest").disabled = !past;
}

/** An item of a list with a button of this text, whose moves are not broken. */
function moveButton(text, chosen) {
  const item = document.createElement("li"), button = document.createElement("button");
  button.type = "button";
  button.textContent = text.replaceAll("-", "\u2011");
  button.addEventListener("click", chosen);
  item.append(button);
  return item;
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
    label.style.setProperty("--tone", `var(--${state.tones[index]})`);
    choices(label.lastElementChild, [["human", state.seats[0]], ["computer", state.seats[1]]], state.computers[index] ? "computer" : "human");
  });
}

// ---- the panel

byId("first").addEventListener("click", () => look(0));
byId("back").addEventListener("click", () => look(goal() - 1));
byId("forward").addEventListener("click", () => look(goal() + 1));
byId("latest").addEventListener("click", () => look(state.count));
document.addEventListener("keydown", event => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || !state || event.defaultPrevented || event.target.closest("#board, select, textarea, dialog")) return;
  look(goal() + step);
  event.preventDefault();
});
for (const answer of ["stay", "leave"]) byId(answer).addEventListener("click", () => byId("sure").close(answer));
byId("undo").addEventListener("click", () => carryOut({ do: "undo" }));
byId("new").addEventListener("click", () => leave({ do: "new", game: state.game, rows: Number(byId("size").value) || null }));
byId("size").addEventListener("change", event =>
  leave({ do: "new", game: state.game, rows: Number(event.target.value) }));
byId("game").addEventListener("change", event => leave({ do: "new", game: event.target.value }));
byId("level").addEventListener("change", event => carryOut({ do: "level", level: event.target.value }));
byId("load").addEventListener("click", () => leave({ do: "load", text: unlinked(byId("text").value) }));
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

async function copy(copied) {
  const text = byId("text");
  try {
    await navigator.clipboard.writeText(copied);
  } catch {
    text.value = copied;
    text.select();
    document.execCommand("copy");
  }
  byId("copied").textContent = state.words.copied;
  setTimeout(() => { byId("copied").textContent = ""; }, 2000);
}

/** The address of the page with the game in it: each line of its text, except the header, is a parameter. */
function link() {
  const lines = state.text.trimEnd().split("\n").slice(1);
  return `${location.origin}${location.pathname}#${new URLSearchParams(lines.map(line => line.match(/(\S+) ?(.*)/).slice(1)))}`;
}

/** The text of the game in a link; another text is not changed. */
function unlinked(text) {
  const linked = text.split("#game=")[1];
  if (linked === undefined) return text;
  const lines = [...new URLSearchParams(`game=${linked}`)].map(pair => pair.join(" ").trimEnd());
  return [state.text.split("\n")[0], ...lines, ""].join("\n");
}

/** Loads the game that the address of the page holds, once. */
function loadLinked() {
  const text = unlinked(location.hash);
  if (text === location.hash) return;
  history.replaceState(null, "", location.pathname + location.search);
  if (text !== state.text) leave({ do: "load", text });
}

byId("copy").addEventListener("click", () => copy(byId("text").value));
byId("copy-link").addEventListener("click", () => copy(link()));
addEventListener("hashchange", () => { if (state) loadLinked(); });

listen();

for (const name of ["sound", "motion"]) {
  const kept = localStorage.getItem(name);
  if (kept) byId(name).checked = kept === "on";
  byId(name).addEventListener("change", event => localStorage.setItem(name, event.target.checked ? "on" : "off"));
}
