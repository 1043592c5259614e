// The JavaScript driver on node: fresh contexts, ES modules, and the frames of docs/protocol.md. `CORE` is the function
// of core.js, `OPERATORS`, `LOADER` and `TIMERS` are those of the files with these names, `MODE` is how the frames arrive,
// `EXTENSIONS` are those of the files, and `PREPARE` makes JavaScript of a source: they stand before this text.
'use strict';
const fs = require('fs');
const vm = require('vm');
const { Console } = require('console');

const { readSync, writeSync, fstatSync } = fs;
const { Script, SourceTextModule, SyntheticModule, createContext, compileFunction } = vm;
const realRequire = require;
const realProcess = process;

// The working folder, if the submission may use files: the folder that this process is in.
const folder = realProcess.argv[1] === 'folder' ? realProcess.cwd() : undefined;

const { setImmediate: immediately, setTimeout: later } = globalThis;
const timers = TIMERS();
const { promisify } = realRequire('util');
const { setTimeout: afterwards } = timers.fresh();
afterwards[promisify.custom] = (delay, value) => new Promise((resolve) => { afterwards(resolve, delay, value); });

// What node calls a file that is being read, written or closed.
const OF_FILES = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq']);

let context;
let output;

// What node gives a script, without access to the system: for the submission's global object, which is `target` or what
// this returns.
function globals(target) {
  const own = {
    process: {
      argv: ['node'], env: {}, platform: realProcess.platform, version: realProcess.version,
      versions: realProcess.versions, exitCode: undefined,
      exit: (code) => realProcess.exit(code), cwd: () => folder ?? '/', nextTick: realProcess.nextTick, on() { return this; },
      hrtime: realProcess.hrtime, memoryUsage: realProcess.memoryUsage, uptime: realProcess.uptime,
      stdout: { write: (text) => { writeOutput(text); return true; }, isTTY: false },
      stderr: { write: () => true, isTTY: false },
    },
    Buffer, URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa, structuredClone, queueMicrotask, performance,
    ...timers.fresh(), AbortController, AbortSignal, Event, EventTarget,
  };
  own.global = own;
  // Made on demand: it costs a fifth of a context, and most submissions print nothing.
  const define = (value) => Object.defineProperty(target ?? own, 'console', { value, writable: true, configurable: true });
  Object.defineProperty(own, 'console', {
    configurable: true,
    get: () => define(new Console({ stdout: output ?? realProcess.stdout, stderr: realProcess.stderr })).console,
    set: define,
  });
  return own;
}

// What `require('timers')` gives: the timers of this global object.
function timersOf({ setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate }) {
  return { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate };
}

function writeOutput(text) {
  if (output) output.write(text);
  else writeSync(1, text);
}

const engine = {
  realm() {
    context = createContext(globals());
    engine.refreshed = Reflect.ownKeys(context);
    return new Script('({ Object, Array, Set, Map })').runInContext(context);
  },

  // Between two turns of the event loop, node runs all microtasks.
  drain: () => new Promise((resolve) => { immediately(resolve); }),

  async turn() {
    await engine.drain();
    const waiting = realProcess.getActiveResourcesInfo();
    // A file takes less time than any timer.
    const waitsForFile = waiting.some((kind) => OF_FILES.has(kind));
    if (!waitsForFile && timers.fire()) return true;
    // What node itself times, such as an AbortSignal.
    const waits = waitsForFile || waiting.includes('Timeout');
    if (waits) await new Promise((resolve) => { later(resolve, 1); });
    return waits;
  },

  text: (data) => Buffer.from(data, 'base64').toString('utf8'),

  extensions: EXTENSIONS,

  prepare: PREPARE,

  builtin: (name) => (name === 'timers' ? timersOf(context) : realRequire(name)),

  folder,

  body: (begin, source, name, parameters) =>
    compileFunction(begin + source, parameters, { parsingContext: context, filename: name, columnOffset: -begin.length }),

  global: () => context,

  builtins: (source) => new Script(source).runInContext(context),

  refresh() {
    Object.defineProperties(context, Object.getOwnPropertyDescriptors(globals(context)));
    context.global = context;
  },

  printed: flush,

  // By its extension, or because only a module may contain this syntax.
  isModule(source, name) {
    if (/\.m[jt]s$/.test(name)) return true;
    if (/\.c[jt]s$/.test(name) || !/\b(import|export|await)\b/.test(source)) return false;
    try {
      new Script(source, { filename: name });
      return false;
    } catch (error) {
      return /Cannot use import statement|Unexpected token 'export'|import\.meta|await is only valid/.test(error.message);
    }
  },

  async module(name, loader) {
    const make = (name) => {
      if (!loader.modules.has(name)) {
        const compile = (source) => new SourceTextModule(source, { context, identifier: name });
        let module;
        try { module = compile(loader.exposing(name)); } catch { module = compile(loader.source(name)); }
        loader.modules.set(name, module);
      }
      return loader.modules.get(name);
    };
    const link = (specifier) => {
      const { name, exports, names } = loader.imported(specifier);
      if (name !== undefined) return make(name);
      return new SyntheticModule(names, function () {
        for (const key of names) this.setExport(key, key === 'default' ? exports : exports[key]);
      }, { context });
    };
    const module = make(name);
    await module.link(link);
    await module.evaluate();
    return module.namespace;
  },
};

// ---- frames: length (4 bytes, little endian), nonce (8 bytes), payload ----------------------------------------

const incoming = MODE === 'socket' ? 3 : 0;
const outgoing = MODE === 'socket' ? 3 : 1;
const header = Buffer.alloc(12);
const { from, alloc } = Buffer;
const leave = realProcess.reallyExit.bind(realProcess);

function exactly(buffer) {
  let at = 0;
  while (at < buffer.length) {
    let count;
    try {
      count = readSync(incoming, buffer, at, buffer.length - at, null);
    } catch (error) {
      if (error.code === 'EAGAIN') continue;
      count = 0;
    }
    if (count === 0) leave(0);
    at += count;
  }
  return buffer;
}

function send(nonce, text) {
  const payload = from(text, 'utf8');
  const frame = alloc(12 + payload.length);
  frame.writeUInt32LE(payload.length, 0);
  nonce.copy(frame, 4);
  payload.copy(frame, 12);
  let at = 0;
  while (at < frame.length) at += writeSync(outgoing, frame, at);
}

let gathered = '';
if (MODE !== 'socket') {
  const { Writable } = require('stream');
  output = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      // Bytes that cannot be reported go where the harness counts them, and the program is ended for them.
      if (gathered.length < 1 << 20) gathered += chunk;
      else try { writeSync(2, chunk); } catch { /* a pipe that is full */ }
      done();
    },
  });
}

// What a reply says of the output before it: itself, or how much of it is in its file.
function flush() {
  if (MODE === 'socket') return ',"at":' + fstatSync(1).size;
  if (!gathered) return '';
  const text = gathered.slice(0, 1 << 20);
  gathered = '';
  return ',"out":' + JSON.stringify(text);
}

// The nonce of the request to answer next.
let nonce;

function receive() {
  const length = exactly(header).readUInt32LE(0);
  nonce = from(header.subarray(4, 12));
  const payload = exactly(alloc(length)).toString('utf8');
  if (payload === '{"op":"end"}') leave(0);
  return payload;
}

function answer(reply) {
  send(nonce, '{' + reply + flush() + '}');
}

// ---- programs ---------------------------------------------------------------------------------------------------

const { parse } = JSON;
let inputEnded = false;

// A program's next input, as bytes; null when its input has ended, and from then on.
function ask() {
  if (inputEnded) return undefined;
  answer('"waits":true');
  const { data } = parse(receive());
  inputEnded = data === undefined;
  return inputEnded ? undefined : from(data, 'utf8');
}

function everything() {
  const parts = [];
  for (let part = ask(); part !== undefined; part = ask()) parts.push(part);
  return Buffer.concat(parts);
}

// A program's process is over with its reply: pending work is dropped.
let tell;
function end(status, ...errors) {
  const problem = errors.length ? ',' + tell(errors[0]) : '';
  answer(`"ended":{"status":${Number(status) & 255}}${problem}`);
  leave(0);
}

engine.program = {
  begin(name, args, raised) {
    tell = raised;
    const stdin = new (realRequire('stream').Readable)({
      highWaterMark: 1,
      // A program waits only when it can do nothing else: its next output is a prompt.
      read() { setImmediate(() => { stdin.push(ask() ?? null); }); },
    });
    Object.assign(stdin, { fd: 0, isTTY: false });
    const own = context.process;
    // Its input comes by the event loop, beside real timers.
    Object.assign(context, timersOf(globalThis));
    Object.assign(own, { argv: ['node', name, ...args], stdin, exit: (code) => end(code ?? own.exitCode ?? 0) });
    own.stderr.write = (text) => { writeSync(2, String(text)); return true; };
    realProcess.removeAllListeners('unhandledRejection').on('unhandledRejection', (error) => end(1, error));
    realProcess.removeAllListeners('uncaughtException').on('uncaughtException', (error) => end(1, error));
    realProcess.on('beforeExit', () => end(own.exitCode ?? 0));
  },

  builtin(name) {
    if (name === 'process') return context.process;
    if (name !== 'fs') return realRequire(name);
    const standard = (path) => path === 0 || path === '/dev/stdin';
    return {
      ...(folder === undefined ? {} : fs),
      readFileSync(path, options) {
        if (!standard(path) && folder !== undefined) return fs.readFileSync(path, options);
        if (!standard(path)) throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' });
        const encoding = typeof options === 'string' ? options : options?.encoding;
        return encoding ? everything().toString(encoding) : everything();
      },
      existsSync: (path) => standard(path) || folder !== undefined && fs.existsSync(path),
      writeSync(descriptor, text, ...rest) {
        if (descriptor > 2 && folder !== undefined) return fs.writeSync(descriptor, text, ...rest);
        if (descriptor === 1) writeOutput(String(text));
        else writeSync(2, String(text));
        return String(text).length;
      },
    };
  },

  end,
};

async function serve() {
  realProcess.on('unhandledRejection', () => {});
  realProcess.on('uncaughtException', () => {});
  const handle = CORE(LOADER(engine), 'javascript', realProcess.versions.node, OPERATORS);
  for (;;) {
    const reply = await handle(receive());
    send(nonce, reply);
  }
}

serve();
