'use strict';
// The page: takes files, has keur's worker grade them, and shows the report.

const SITE = JSON.parse(document.getElementById('site').textContent);
const HERE = new URL('.', location.href).href;
/** The most megabytes of a submission. */
const MOST_SIZE = 20;
/** Milliseconds between two looks at a file that is watched, and until a worker that does not stop is ended. */
const LOOK = 1000;
const GRACE = 1000;
/** Matches the names of files with one of these extensions. */
const ending = (extensions) => new RegExp(`\\.(${extensions.join('|')})$`, 'i');
/** The files of Python, and all that a page can grade: also those that may hold such files. */
const PYTHON = ending(SITE.extensions.python);
const GRADED = ending([...SITE.extensions.python, ...SITE.extensions.javascript, 'zip']);
/** The files of the languages that it cannot grade. */
const ELSEWHERE = ending(SITE.extensions.elsewhere);
/** The most titles listed of cases that changed. */
const MOST_TITLES = 6;
/** The worker of keur, which starts those of submissions, and the frame of those in JavaScript. */
const GRADER = 'grader.js';
const FRAME = 'frame.html';

const part = (id) => document.getElementById(id);
/** The exercises; the chosen one with its content; the files that were chosen, and what is known of them. */
const state = {
  lang: 'en', list: [], exercise: null, opening: null, content: null, guarded: false, python: false,
  sources: [], sample: null, seen: '', before: null, report: null, shown: null,
};

/** The names of files that a submission has, by each language that the page grades. */
function wanted() {
  const graded = SITE.pyodide ? ['python', 'javascript'] : ['javascript'];
  return graded.map((language) => state.exercise?.files[language] ?? []).filter((files) => files.length);
}

/** The same names as a text; without them, the endings of files. */
const expected = () => wanted().map((files) => files.join(' + ')).join(' / ') || (SITE.pyodide ? '.py / .js' : '.js');

function firstLanguage() {
  const known = navigator.languages.map((each) => each.slice(0, 2)).find((each) => SITE.words[each]);
  return kept('lang') ?? SITE.lang ?? known ?? 'en';
}

/** Keur in its worker, which ends and starts again where it does not answer. */
const grader = {
  worker: null,
  begun: null,
  unframe: null,
  /** Starts the worker; its promise is kept until it ends. */
  start() {
    this.begun ??= this.load().catch((error) => {
      this.begun = null;
      throw error;
    });
    return this.begun;
  },
  async load() {
    // A worker from a text inherits the policy of the page; one from an address has none, unless its server sends one.
    const [text, html] = await Promise.all([GRADER, FRAME].map(async (file) => (await get(file)).text()));
    const own = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    const warm = !SITE.pyodide ? ['browser'] : state.exercise?.languages.includes('python') ? ['pyodide'] : [];
    const pyodide = SITE.pyodide && new URL(SITE.pyodide, HERE).href;
    const module = new URL(SITE.module, HERE).href;
    await new Promise((resolve, reject) => {
      this.worker = new Worker(own, { type: 'module' });
      this.unframe = framed(this.worker, html);
      this.worker.onerror = (event) => {
        event.preventDefault();
        reject(notLoaded(event.message));
        broken(event.message ?? GRADER);
      };
      this.worker.onmessage = ({ data }) => {
        if (data.ready) resolve();
        else if (data.failed !== undefined && !this.asked) reject(notLoaded(data.failed));
        else heard(data);
      };
      // The service worker keeps Pyodide in the same cache, and removes it when it is out of date.
      this.worker.postMessage({ start: { module, pyodide, warm, kept: `keur ${HERE} python ${SITE.python}` } });
    });
  },
  end() {
    this.worker?.terminate();
    this.unframe?.();
    this.worker = this.begun = this.unframe = null;
    this.asked = false;
  },
  asked: false,
};

async function get(file) {
  const answer = await fetch(new URL(file, HERE)).catch(() => null);
  if (!answer?.ok) throw new Refusal(() => say('unreachable', { what: file }));
  return answer;
}

const notLoaded = (details, what = 'keur') => new Refusal(() => say('unreachable', { what }), details);

/** What keur's worker says while it grades. */
function heard(data) {
  if (data.loading) tell('count', () => (data.loading.what === 'pyodide' ? say('loading-python') : say('loading')));
  if (data.progress) {
    const { done, total } = data.progress;
    Object.assign(part('bar'), { max: total, value: done });
    tell('count', () => say('progress', { done, total }));
  }
  if (data.graded !== undefined) run.end?.({ answer: data.graded });
  if (data.failed !== undefined) run.end?.({ failed: data.failed, lacking: data.lacking });
  if (data.python) {
    state.python = true;
    offline().catch(() => {});
  }
  if (data.stopped) run.end?.({});
}

/** Keur's worker itself has ended: another one starts. */
function broken(why) {
  if (!grader.asked) return;
  grader.end();
  run.end?.({ failed: why });
  grader.start().catch(() => {});
}

/** The run in progress: how it ends, and the files that are graded after it. */
const run = { end: null, next: null, timer: 0 };

/** Grades files; those of a run in progress are no longer of interest. */
async function grade(sources, { relabel = false, shown = true, sample = null } = {}) {
  if (!sources.length) return undefined;
  if (!relabel) state.report = null;
  Object.assign(state, { sources, sample });
  if (run.end) {
    run.next = { relabel, shown, sample };
    return stop();
  }
  const ended = new Promise((resolve) => { run.end = resolve; });
  busy(sample?.name ?? sources[0].name);
  showSample(sample);
  try {
    await state.opening;
    const files = await contents(sources);
    if (!files) run.end({});
    else if (await Promise.race([grader.start().then(() => 'ready'), ended]) === 'ready') {
      grader.asked = true;
      tell('count', nothing);
      grader.worker?.postMessage({ grade: { exercise: state.content, files, lang: state.lang } });
    }
  } catch (error) {
    run.end?.({ error });
  }
  const { answer, failed: why, lacking, stopped, error } = await ended;
  clearTimeout(run.timer);
  Object.assign(run, { end: null, timer: 0 });
  grader.asked = false;
  idle();
  const next = run.next;
  run.next = null;
  if (next) return grade(state.sources, next);
  if (!state.sources.length) return undefined;
  if (stopped) halted();
  else if (error) failed(error);
  else if (lacking) failed(notLoaded(why, lacking));
  else if (why !== undefined || answer?.error) failed(new Error(why ?? answer.error));
  else if (answer?.elsewhere) trouble(() => say('not-here'), { command: command(sources) });
  else if (answer) show(answer, relabel, shown);
  return undefined;
}

/** Says that a run was stopped. The report that is shown is of other files, or of what these were before. */
function halted() {
  tell('status', () => say('stopped'));
  clearReport();
}

/** Takes away the report that is shown, and what changed. */
function clearReport() {
  part('since').hidden = true;
  part('report').replaceChildren();
  state.report = state.shown = null;
}

/** The command that grades files on the student's own machine. */
const command = (sources) => `keur grade ${sources.length > 1 ? '.' : sources[0].name}`;

/** Stops the run in progress: keur's worker has a moment to do it, else it is ended. */
function stop() {
  if (!run.end || run.timer) return;
  const end = run.end;
  run.end = () => end({ stopped: true });
  grader.worker?.postMessage({ stop: true });
  run.timer = setTimeout(() => {
    grader.end();
    end({ stopped: true });
    grader.start().catch(() => {});
  }, GRACE);
}

/** The files with their bytes; null, with a message, if they cannot be graded. */
async function contents(sources) {
  const has = (files) => sources.some(({ name }) => files.test(name));
  const python = has(PYTHON);
  const elsewhere = { command: command(sources) };
  if (!('Suspending' in WebAssembly)) return trouble(() => say('too-old'), elsewhere);
  if (!has(GRADED) && !has(ELSEWHERE)) return trouble(() => say('unexpected', { files: expected() }));
  if (python && !SITE.pyodide || !has(GRADED)) return trouble(() => say('not-here'), elsewhere);
  if (python && !SITE.pyodide.startsWith('pyodide') && !state.guarded) return trouble(() => say('needs-worker'));
  const files = [];
  let size = 0;
  for (const { name, read } of sources) {
    try {
      const file = await read();
      size += file.size;
      if (size > MOST_SIZE * 1e6) return trouble(() => say('too-large', { size: MOST_SIZE }));
      files.push({ name, data: await base64(file) });
    } catch {
      return trouble(() => say('unread', { name }));
    }
  }
  state.seen = await stamp();
  return files;
}

function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

function busy(name) {
  const hadFocus = document.activeElement === part('again');
  part('trouble').hidden = part('next').hidden = true;
  part('progress').hidden = false;
  if (hadFocus) part('stop').focus();
  part('bar').removeAttribute('value');
  tell('status', () => say('grading', { name }));
  tell('count', () => say('loading'));
  part('report').classList.add('earlier');
}

function idle() {
  const hadFocus = document.activeElement === part('stop');
  part('progress').hidden = true;
  part('next').hidden = !state.sources.length;
  if (hadFocus) part('again').focus();
  part('watch').hidden = !state.sources.every((source) => source.handle);
  part('report').classList.remove('earlier');
}

function show({ report, html }, relabel, shown) {
  const about = digest(JSON.stringify(state.content));
  if (!relabel) {
    // A sample is not the student's own.
    state.before = state.sample ? null : kept(state.exercise.name);
    if (!report.error && !state.sample) keep(state.exercise.name, summary(report, about));
  }
  const earlier = state.shown === state.sources ? openCards() : new Map();
  Object.assign(state, { report, shown: state.sources });
  part('report').innerHTML = html;
  part('all').classList.add('graded');
  const cards = [...part('report').querySelectorAll('main > article')];
  // Cards of the same files stay as they are, unless the ones that were open are gone.
  const left = cards.filter((card) => card.id && earlier.has(card.id));
  const stay = left.length && (left.some((card) => earlier.get(card.id)) || ![...earlier.values()].includes(true));
  cards.forEach((card, index) => fold(card, stay ? earlier.get(keyOf(card)) ?? false : index === 0));
  const causes = cards.filter((card) => card.id).length;
  const points = `${number(report.points)}/${number(report.max_points)}`;
  const causesLeft = report.passed ? say('all-passed') : causes ? say('causes', { count: causes }) : '';
  const name = state.sample?.name ?? (state.sources.length > 1 ? state.exercise.title[state.lang] : report.name);
  tell('status', () => [say('done', { name, points }), causesLeft].filter(Boolean).join(' · '));
  showChanges(report, about);
  // Some reports have the source themselves.
  if (part('source')) part('sample').hidden = true;
  if (shown) part('work').scrollIntoView({ block: 'start' });
}

/** The identifier of a card: that of its first case, or its heading. */
const keyOf = (card) => card.id || card.querySelector('h2')?.textContent;

/** Whether each card of the report is open. */
function openCards() {
  const cards = [...document.querySelectorAll('#report main > article > details')];
  return new Map(cards.map((details) => [keyOf(details.parentElement), details.open]));
}

const number = (value) => value.toLocaleString(state.lang);

/** Makes a card one that folds, with its verdict beside its heading while it is folded. */
function fold(card, open) {
  const heading = card.querySelector('h2');
  if (!heading) return;
  const details = document.createElement('details');
  const line = document.createElement('summary');
  details.open = open;
  line.append(heading);
  const verdict = card.querySelector(':scope > .facts > .verdict');
  if (verdict) line.append(verdict.cloneNode(true));
  details.append(line, ...card.childNodes);
  card.replaceChildren(details);
}

function showChanges(report, about) {
  const before = state.before;
  part('since').hidden = !before || Boolean(report.error);
  if (part('since').hidden) return;
  const { points, passes, fails, other } = changes(before, report, about);
  const up = points > 0 ? 'up' : points < 0 ? 'down' : '';
  const size = number(Math.abs(points));
  const change = up === 'up' ? say('since-up', { points: size }) : up ? say('since-down', { points: size }) : '';
  const same = passes.length + fails.length === 0;
  const first = document.createElement('p');
  first.className = up;
  first.textContent = change || (same ? say('since-same') : say('since-level'));
  const parts = [first, ...titles('v-p', '✓', say('since-passes'), passes), ...titles('v-w', '✗', say('since-fails'), fails)];
  if (other) parts.push(Object.assign(document.createElement('p'), { className: 'quiet', textContent: say('since-other') }));
  part('changes').replaceChildren(...parts);
}

/** The titles of cases that changed, below a label; nothing if there are none. */
function titles(kind, sign, label, all) {
  if (!all.length) return [];
  const text = document.createElement('p');
  const mark = Object.assign(document.createElement('span'), { className: `verdict ${kind}`, textContent: `${sign} ${label}` });
  const more = all.length > MOST_TITLES ? ` … +${all.length - MOST_TITLES}` : '';
  text.append(mark, ` ${all.slice(0, MOST_TITLES).join(' · ')}${more}`);
  return [text];
}

/** When the files that are watched were changed; empty if they cannot be watched. */
async function stamp() {
  if (!state.sources.length || !state.sources.every((each) => each.handle)) return '';
  const files = await Promise.all(state.sources.map((each) => each.handle.getFile().catch(() => null)));
  return files.every(Boolean) ? files.map((file) => `${file.lastModified} ${file.size}`).join() : '';
}

async function look() {
  if (!part('watching').checked || run.end) return;
  const now = await stamp();
  if (now && state.seen && now !== state.seen) grade(state.sources, { shown: false });
}

async function openExercise(name) {
  const exercise = state.list.find((each) => each.name === name) ?? null;
  stop();
  Object.assign(state, { exercise, opening: null, content: null, sources: [], sample: null });
  clearReport();
  part('all').classList.remove('graded');
  tell('status', nothing);
  for (const id of ['trouble', 'progress', 'next']) part(id).hidden = true;
  offerSamples(exercise?.samples ?? []);
  showSample(null);
  part('submission').hidden = !exercise;
  part('names').replaceChildren(...wanted().flat().map((file) => new Option(file, file)));
  part('file').value = wanted()[0]?.[0] ?? '';
  part('exercise').value = exercise?.name ?? '';
  part('code').value = '';
  sayAll();
  if (!exercise) return trouble(() => say('unknown-exercise', { name }));
  if (state.list.length > 1) history.replaceState(null, '', `?exercise=${encodeURIComponent(name)}`);
  state.opening = get(`exercises/${encodeURIComponent(name)}.json`).then((answer) => answer.json()).then((content) => {
    if (state.exercise !== exercise) return undefined;
    state.content = content;
    return offline().catch(() => {});
  });
  return state.opening;
}

/** Whether a service worker answers for this page: it keeps the site, and checks what comes from elsewhere. */
async function guard() {
  const container = navigator.serviceWorker;
  if (!container) return false;
  const earlier = container.controller;
  try {
    const registration = await container.register('sw.js');
    const first = registration.installing;
    const failed = new Promise((resolve) => {
      first?.addEventListener('statechange', () => { if (first.state === 'redundant') resolve(null); });
    });
    const ready = await Promise.race([container.ready, failed]);
    if (!ready) return false;
    if (!container.controller) {
      const taken = new Promise((resolve) => { container.addEventListener('controllerchange', resolve, { once: true }); });
      ready.active.postMessage('claim');
      await Promise.race([taken, new Promise((resolve) => { setTimeout(resolve, GRACE); })]);
    }
  } catch {
    return false;
  }
  if (earlier) container.addEventListener('controllerchange', () => { part('newer').hidden = false; });
  return container.controller !== null;
}

/** Says that the page works without a network, once the browser keeps all that the exercise needs. */
async function offline() {
  const { exercise, content } = state;
  part('offline').hidden = true;
  if (!state.guarded || !content) return;
  if (SITE.pyodide && exercise.languages.includes('python')) {
    if (!state.python) return;
    await Promise.all((content.wheels ?? []).map((wheel) => get(`${SITE.pyodide}${wheel}`)));
  }
  part('offline').hidden = content !== state.content;
}

function listen() {
  part('choose').addEventListener('click', choose);
  part('files').addEventListener('change', () => {
    const files = [...part('files').files];
    part('files').value = '';
    if (files.length) grade(files.map((file) => fromFile(file)));
  });
  part('choose-folder').addEventListener('click', chooseFolder);
  part('folder').addEventListener('change', () => {
    const files = [...part('folder').files];
    part('folder').value = '';
    gradeFound(ofFolder(files));
  });
  part('pasted').addEventListener('submit', (event) => {
    event.preventDefault();
    grade([fromFile(new File([part('code').value], part('file').value.trim()))]);
  });
  part('stop').addEventListener('click', stop);
  part('again').addEventListener('click', () => grade(state.sources, { sample: state.sample }));
  part('reload').addEventListener('click', () => location.reload());
  part('forget').addEventListener('click', () => {
    forget();
    state.before = null;
    part('since').hidden = true;
    tell('forgotten', () => say('forgotten'));
  });
  part('exercise').addEventListener('change', () => openExercise(part('exercise').value).catch(failed));
  part('lang').addEventListener('change', () => {
    state.lang = part('lang').value;
    keep('lang', state.lang);
    sayAll();
    if (run.end || state.report) grade(state.sources, { relabel: !run.end, shown: false, sample: state.sample });
  });
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    part('drop').classList.add('over');
  });
  document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) part('drop').classList.remove('over'); });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    part('drop').classList.remove('over');
    if (state.exercise) dropped(event.dataTransfer).catch(failed);
  });
  document.addEventListener('paste', (event) => {
    const data = event.clipboardData;
    if (!state.exercise || event.target.closest?.('textarea, input')) return undefined;
    if (data.files.length) return grade([...data.files].map((file) => fromFile(file)));
    if (!data.getData('text')) return undefined;
    part('paste').open = true;
    part('code').value = data.getData('text');
    part('code').focus();
    return event.preventDefault();
  });
  // A link to a part of the report unfolds it.
  part('report').addEventListener('click', (event) => {
    const target = part(event.target.closest('a[href^="#"]')?.hash.slice(1));
    target?.querySelector(':scope > details')?.setAttribute('open', '');
    for (let fold = target?.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  });
  document.addEventListener('visibilitychange', look);
  setInterval(look, LOOK);
}

async function begin() {
  state.lang = firstLanguage();
  listen();
  sayAll();
  part('unstarted').hidden = true;
  part('all').hidden = false;
  tell('status', () => say('loading'));
  // Keur starts while the student looks for the file; an error is shown when it is needed. Its worker asks the service worker
  // for Python only if that is there first.
  const start = () => grader.start().catch(() => {});
  const early = SITE.pyodide ? undefined : start();
  state.list = (await (await get(SITE.list)).json()).exercises;
  part('choose-folder').hidden = !('webkitdirectory' in part('folder'));
  part('choice').hidden = state.list.length < 2;
  part('exercise').replaceChildren(...state.list.map((each) => new Option(each.name, each.name)));
  await openExercise(new URLSearchParams(location.search).get('exercise') ?? state.list[0].name);
  await early;
  state.guarded = await guard();
  await Promise.all([start(), offline()]);
}

begin().catch(failed);
