// keur in a worker of the page: it loads the module keur.wasm, and starts, feeds and ends the workers that submissions
// run in. The page sends
//   { start: { module, pyodide } }   addresses of keur.wasm and of the folder of Pyodide; `warm` names programs to start, and
//                                    `kept` the cache of the browser for what makes Pyodide start sooner
//   { grade: { exercise, files, lang } }   one at a time; the answer is { graded } or { failed }; `exercise.wheels` names
//                                    the files of its Python packages in Pyodide's folder
//   { stop: true }                   ends the grading at once; the answer to that is { stopped: true }
//   { fallen }                       the process of the frame with this number has ended
//   { unloaded }                     the frame with this number has not loaded in time
// and gets { ready }, { python } when Python has been loaded, { progress }, { loading }, { graded }, { failed }, with the name
// of an engine that is `lacking` if it cannot be loaded, { stopped }, and { frame, port }, which asks for a frame (frame.js).
// The module suspends while it waits for a worker, by JSPI (`WebAssembly.Suspending`); a browser without that gets { failed }
// for an answer to `start`.
// The scripts of the workers are beside keur.wasm. Each worker begins with a blob of its script: so it inherits the policy of
// this one, which inherits that of the page if it begins with a blob too, or that of the frame. With an address it would have
// none.
const SCRIPTS = { pyodide: 'python.js', browser: 'javascript.js' };

// What is kept of what a worker writes outside its channel, in bytes, by stream: as much as its limit of output, and more of
// standard error than any report shows.
const MOST_WORDS = { 1: 1 << 20, 2: 1 << 16 };

const decoder = new TextDecoder();
const encoder = new TextEncoder();

let settings;
let compiled;
let exports;
let programs = new Map();
let count = 0;

// Workers that have started and run nothing yet, and those that have run cases of the present submission, by program.
const fresh = new Map();
const used = new Map();
const add = (pool, kind, worker) => pool.set(kind, [...(pool.get(kind) ?? []), worker]);
const remove = (pool, kind) => pool.get(kind)?.shift();

const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at, length);
const text = (at, length) => decoder.decode(bytes(at, length).slice());

// The memory of a Pyodide that has just started, or nothing if it cannot be had: from it others start in a fraction of the
// time. The first one makes it, and the others wait for that. The browser keeps it for the next visit.
let snapshot;
const kept = () => settings.kept && globalThis.caches?.open(settings.kept);
const place = () => new URL('snapshot', settings.pyodide).href;

// Starts the first worker of Pyodide; the snapshot that the browser keeps or that this worker makes.
async function first(worker) {
  const cache = await kept();
  const found = await cache?.match(place());
  const given = found && new Uint8Array(await found.arrayBuffer());
  worker.postMessage({ pyodide: settings.pyodide, snapshot: given });
  const { snapshot: made } = await worker.ready;
  if (made) cache?.put(place(), new Response(made)).catch(() => {});
  return made ?? given;
}

// The script of a program in the frame, and the address of a blob with that of another.
const scripts = new Map();
async function load(kind) {
  const answer = await fetch(new URL(SCRIPTS[kind], settings.module));
  if (!answer.ok) throw new Error(`${SCRIPTS[kind]} cannot be loaded`);
  const script = await answer.text();
  scripts.set(kind, kind === 'browser' ? script : URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
}

// The frame of the page where workers of JavaScript are, with its port and its workers by number.
let frame;
let number = 0;

// Asks the page for a new frame; the one before it ends, with all that is in it.
function openFrame() {
  const { port1, port2 } = new MessageChannel();
  const workers = new Map();
  const id = ++number;
  port1.onmessage = ({ data: { id, error } }) => workers.get(id)?.onerror({ message: error });
  port1.postMessage({ script: scripts.get('browser') });
  fresh.delete('browser');
  frame = { id, port: port1, workers };
  postMessage({ frame: id, port: port2 }, [port2]);
}

// The process of a frame has ended: the memory of a program in it ran out.
function fallen(id) {
  if (frame?.id !== id) return;
  const { workers } = frame;
  openFrame();
  for (const worker of workers.values()) {
    worker.onmessage({ data: { words: encoder.encode('out of memory\n') } });
    worker.onerror({ message: 'its process has ended' });
  }
}

// A frame does not load, so no worker in it starts. The next worker asks for another frame.
function unloaded(id) {
  if (frame?.id !== id) return;
  const { workers } = frame;
  frame = undefined;
  for (const worker of workers.values()) worker.onerror({ message: 'the frame does not load' });
}

// A worker in the frame.
class Framed {
  constructor() {
    if (frame === undefined) openFrame();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (event) => this.onmessage(event);
    Object.assign(this, { id: ++number, port: port1, frame });
    frame.port.postMessage({ start: this.id }, [port2]);
    frame.workers.set(this.id, this);
  }

  postMessage(data) { this.port.postMessage(data); }

  // A program that runs would go on for seconds, and use up the memory of the others.
  terminate(isRunning) {
    this.port.close();
    if (isRunning && this.frame === frame) openFrame();
    else this.frame.port.postMessage({ end: this.id });
    this.frame.workers.delete(this.id);
  }
}

// How many workers that run nothing yet are kept, by program.
const SPARES = { pyodide: 1, browser: 2 };

// What the last worker of a program was launched with: the next ones are launched with it before they are needed.
const foreseen = new Map();
function foresee(launch) {
  const before = foreseen.get(launch.program);
  if (JSON.stringify(launch) === JSON.stringify(before)) return;
  foreseen.set(launch.program, launch);
  const spare = fresh.get(launch.program) ?? [];
  if (before === undefined) spare.forEach((worker) => prepare(worker, launch.program));
  else while (spare.length) spare.shift().terminate();
}

function prepare(worker, kind) {
  worker.ready.then(() => worker.postMessage({ launch: foreseen.get(kind) }), () => {});
}

// Starts a worker; `worker.ready` resolves when it takes requests, and rejects if it cannot be loaded.
function boot(kind) {
  const worker = kind === 'browser' ? new Framed() : new Worker(scripts.get(kind), { type: 'module' });
  worker.ready = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (data?.ready) resolve(data);
      if (data?.failed) reject(new Error(data.failed));
    };
    worker.onerror = (event) => reject(new Error(event.message || `${SCRIPTS[kind]} does not start`));
  });
  worker.ready.then(() => { if (kind === 'pyodide') postMessage({ python: true }); }, () => {});
  if (foreseen.has(kind)) prepare(worker, kind);
  if (kind !== 'pyodide') return worker;
  if (snapshot === undefined) snapshot = first(worker).catch(() => { snapshot = undefined; });
  else snapshot.then((snapshot) => worker.postMessage({ pyodide: settings.pyodide, snapshot }));
  return worker;
}

// A worker while it runs one case.
class Program {
  constructor(worker, kind) {
    this.worker = worker;
    this.kind = kind;
    this.isAsked = false;
    this.inbox = [];
    this.size = 0;
    this.streams = { 1: { words: [], kept: 0, written: 0 }, 2: { words: [], kept: 0, written: 0 } };
    this.hasEnded = false;
    this.status = -1;
    this.wake = undefined;
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = () => this.receive({ ended: -1 });
  }

  receive(data) {
    if (data instanceof Uint8Array && this.isAsked) {
      this.isAsked = false;
      this.inbox.push(data);
      this.size += data.length;
    } else if (data?.words instanceof Uint8Array) {
      const number = data.stream === 1 ? 1 : 2;
      const stream = this.streams[number];
      stream.written += data.words.length;
      if (stream.kept < MOST_WORDS[number]) {
        stream.words.push(data.words);
        stream.kept += data.words.length;
      }
    } else {
      // It has ended, or sends what no driver sends.
      this.hasEnded = true;
      this.status = Number.isInteger(data?.ended) ? data.ended : -1;
      this.worker.terminate();
    }
    if (this.isReady()) this.wake?.();
  }

  isReady() { return this.size > 0 || this.hasEnded; }

  send(frame) {
    this.isAsked = true;
    this.worker.postMessage(frame);
  }

  take(buffer) {
    const taken = drain(this.inbox, buffer);
    this.size -= taken;
    return taken || (this.hasEnded ? -1 : 0);
  }

  wait(milliseconds) {
    if (this.isReady()) return 1;
    return new Promise((resolve) => {
      const woken = () => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve(Number(this.isReady()));
      };
      const timer = setTimeout(woken, milliseconds);
      this.wake = woken;
    });
  }

  // A worker of Python that waits for a request can run another case of the submission, with its memory put back.
  end() {
    if (this.kind !== 'pyodide' || this.isAsked || this.hasEnded || this.size > 0) this.kill();
    else add(used, this.kind, this.worker);
  }

  kill() {
    const isRunning = this.isAsked && !this.hasEnded;
    this.hasEnded = true;
    this.worker.terminate(isRunning);
  }
}

// Moves bytes from the front of these parts into a buffer; how many.
function drain(parts, buffer) {
  let at = 0;
  while (at < buffer.length && parts.length) {
    const part = parts[0].subarray(0, buffer.length - at);
    buffer.set(part, at);
    at += part.length;
    if (part.length === parts[0].length) parts.shift();
    else parts[0] = parts[0].subarray(part.length);
  }
  return at;
}

// A task of a millisecond or so; how long so many of them take. The shortest time is that of an idle processor.
const PROBE = 8;
let unit = Infinity;

function clocked(tasks) {
  const began = performance.now();
  let state = 1;
  for (let i = 0; i < tasks * 300_000; i++) state = (state * 48271) % 2147483647;
  return performance.now() - began + (state === 0 ? 1 : 0);
}

function calibrate() {
  for (let i = 0; i < 20; i++) unit = Math.min(unit, clocked(1));
}

// What the module is offered. A rejected promise ends the grading.
let stop;
let stopped;

const keur = {
  spawn: async (at, length) => {
    const launch = { ...JSON.parse(text(at, length)), wheels };
    const kind = launch.program;
    foresee(launch);
    const again = remove(used, kind);
    const worker = again ?? remove(fresh, kind) ?? boot(kind);
    // The next ones start while this one is at work.
    while ((fresh.get(kind)?.length ?? 0) < SPARES[kind]) add(fresh, kind, boot(kind));
    const waiting = setTimeout(() => postMessage({ loading: { what: kind } }), 300);
    try {
      await Promise.race([worker.ready, stopped]);
    } catch (error) {
      if (error === stop.reason) {
        add(fresh, kind, worker);
        throw error;
      }
      // Spares that were started with it have failed too, or will.
      for (const failed of [worker, ...fresh.get(kind) ?? []]) failed.terminate();
      fresh.delete(kind);
      failure = error.message;
      lacking = kind === 'pyodide' ? 'Python' : 'JavaScript';
      return 0;
    } finally {
      clearTimeout(waiting);
    }
    const program = new Program(worker, kind);
    again?.postMessage({ launch });
    programs.set(++count, program);
    return count;
  },
  send: (id, at, length) => programs.get(id)?.send(bytes(at, length).slice()),
  take: (id, at, length) => programs.get(id)?.take(bytes(at, length)) ?? -1,
  wait: (id, milliseconds) => {
    const waits = programs.get(id)?.wait(milliseconds) ?? 1;
    return waits === 1 ? 1 : Promise.race([waits, stopped]);
  },
  unread: (id) => programs.get(id)?.size ?? 0,
  written: (id, stream) => programs.get(id)?.streams[stream].written ?? 0,
  words: (id, stream, at, length) => drain(programs.get(id)?.streams[stream].words ?? [], bytes(at, length)),
  status: (id) => programs.get(id)?.status ?? -1,
  kill: (id) => programs.get(id)?.kill(),
  end: (id) => {
    programs.get(id)?.end();
    programs.delete(id);
  },
  now: () => performance.now(),
  busy: () => clocked(PROBE) / (PROBE * unit),
  random: (at, length) => { crypto.getRandomValues(bytes(at, length)); },
  tell: (at, length) => {
    const news = JSON.parse(text(at, length));
    if ('panic' in news) failure = news.panic;
    else postMessage({ progress: news });
  },
};

// The files of the packages of the exercise that is graded.
let wheels = [];

// The last thing that went wrong, which says more than the error that it leads to.
let failure;

// The name of an engine that cannot be loaded.
let lacking;

async function instantiate() {
  const suspending = { ...keur };
  for (const name of ['spawn', 'wait']) suspending[name] = new WebAssembly.Suspending(keur[name]);
  exports = (await WebAssembly.instantiate(compiled, { keur: suspending })).exports;
}

async function start(given) {
  settings = given;
  if (!('Suspending' in WebAssembly)) {
    throw new Error('This browser cannot grade here: it has no JSPI (WebAssembly.Suspending). Chrome and Edge 137, Firefox 153 and newer ones have it.');
  }
  const kinds = Object.keys(SCRIPTS).filter((kind) => kind !== 'pyodide' || given.pyodide);
  const warmed = Promise.all(kinds.map(load)).then(() => {
    for (const kind of given.warm ?? []) add(fresh, kind, boot(kind));
  });
  const compiling = WebAssembly.compileStreaming(fetch(given.module));
  calibrate();
  [compiled] = await Promise.all([compiling, warmed]);
  await instantiate();
  postMessage({ ready: {} });
}

async function grade(request) {
  failure = lacking = undefined;
  wheels = request.exercise.wheels ?? [];
  stop = {};
  stopped = new Promise((_, reject) => { stop.now = () => { stop.reason = new Error('stopped'); reject(stop.reason); }; });
  stopped.catch(() => {});
  const asked = encoder.encode(JSON.stringify(request));
  try {
    const at = exports.alloc(asked.length);
    bytes(at, asked.length).set(asked);
    const answer = await WebAssembly.promising(exports.grade)(at, asked.length);
    const length = new DataView(exports.memory.buffer).getUint32(answer, true);
    const graded = JSON.parse(text(answer + 4, length));
    exports.free(at, asked.length);
    exports.free(answer, 4 + length);
    if (graded.error && failure) postMessage({ failed: failure, lacking });
    else postMessage({ graded });
  } catch (error) {
    // Whatever is left of it in the module, the next submission has another one.
    const isStopped = error === stop.reason;
    postMessage(isStopped ? { stopped: true } : { failed: failure ?? `keur has failed: ${error}` });
    await instantiate();
  } finally {
    for (const program of programs.values()) program.kill();
    programs = new Map();
    for (const workers of used.values()) workers.forEach((worker) => worker.terminate());
    used.clear();
    stop = undefined;
  }
}

let queue = Promise.resolve();
onmessage = ({ data }) => {
  if (data.stop) return stop?.now();
  if (data.fallen) return fallen(data.fallen);
  if (data.unloaded) return unloaded(data.unloaded);
  queue = queue.then(async () => {
    try {
      if (data.start) await start(data.start);
      if (data.grade) await grade(data.grade);
    } catch (error) {
      postMessage({ failed: error.message });
    }
  });
};
