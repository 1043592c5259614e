// The host of the JavaScript driver on node: fresh contexts, module loading from memory, and the frames of
// docs/protocol.md. `CORE` is the function of javascript.js, `MODE` how the frames arrive: both stand before this text.
'use strict';
const fs = require('fs');
const vm = require('vm');
const { Console } = require('console');

// What a submission may require of node: what computes, and neither reads, writes nor starts anything.
const HARMLESS = ['assert', 'assert/strict', 'buffer', 'crypto', 'events', 'path', 'perf_hooks', 'punycode',
  'querystring', 'string_decoder', 'timers', 'url', 'util', 'util/types'];

const { readSync, writeSync } = fs;
const { Script, SourceTextModule, SyntheticModule, createContext, compileFunction } = vm;
const realRequire = require;
const realProcess = process;
const MOST_NAMES = 200;

let context;
let output;

function refuse(specifier) {
  const error = new Error(`module '${specifier}' is not available to a submission; available are its own files and ` +
    HARMLESS.join(', '));
  error.code = 'MODULE_NOT_FOUND';
  return error;
}

function builtin(specifier) {
  const name = specifier.startsWith('node:') ? specifier.slice(5) : specifier;
  return HARMLESS.includes(name) ? name : undefined;
}

// The submission's own global object: what node gives a script, less what reaches out of it.
function globals() {
  const own = {
    console: new Console({ stdout: output ?? realProcess.stdout, stderr: realProcess.stderr }),
    process: {
      argv: ['node'], env: {}, platform: realProcess.platform, version: realProcess.version,
      versions: realProcess.versions, exitCode: undefined,
      exit: (code) => realProcess.exit(code), cwd: () => '/', nextTick: realProcess.nextTick, on() { return this; },
      hrtime: realProcess.hrtime, memoryUsage: realProcess.memoryUsage, uptime: realProcess.uptime,
      stdout: { write: (text) => { writeOutput(text); return true; }, isTTY: false },
      stderr: { write: () => true, isTTY: false },
    },
    Buffer, URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa, structuredClone, queueMicrotask, performance,
    setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate, AbortController, AbortSignal,
    Event, EventTarget,
  };
  own.global = own;
  return own;
}

function writeOutput(text) {
  if (output) output.write(text);
  else writeSync(1, text);
}

class Loader {
  constructor(files, needs) {
    this.files = new Map(files.map((file) => [file.name, Buffer.from(file.data, 'base64').toString('utf8')]));
    this.needs = needs;
    this.cache = new Map();
    this.esm = new Map();
  }

  // The submission's own file that a specifier names, from whichever of its files.
  resolve(specifier) {
    const name = specifier.replace(/^(\.\/)+/, '');
    return [name, name + '.js', name + '.cjs', name + '.mjs'].find((candidate) => this.files.has(candidate));
  }

  require(specifier) {
    const safe = builtin(specifier);
    if (safe !== undefined) return realRequire(safe);
    const name = this.resolve(specifier);
    if (name === undefined) throw refuse(specifier);
    return this.commonjs(name).exports;
  }

  scope(module, name) {
    const require = (specifier) => this.require(specifier);
    require.main = undefined;
    return { module, exports: module.exports, require, __filename: '/' + name, __dirname: '/' };
  }

  // A module that another one requires, in node's own way: as the body of a function.
  commonjs(name) {
    if (this.cache.has(name)) return this.cache.get(name);
    const module = { exports: {}, id: name, filename: '/' + name, loaded: false };
    this.cache.set(name, module);
    const wanted = this.needs.map((need) => `${need}:typeof ${need}==='undefined'?undefined:${need}`).join();
    const scope = this.scope(module, name);
    const compile = (source) => compileFunction(source, Object.keys(scope), { parsingContext: context, filename: name });
    const body = compile(`${this.source(name)}\n;return {${wanted}}`);
    module.locals = Reflect.apply(body, module.exports, Object.values(scope));
    module.loaded = true;
    return module;
  }

  // The one file of a submission runs as a script, so that what it declares stays reachable even if it throws later.
  script(name) {
    const module = { exports: {}, id: name, filename: '/' + name, loaded: false };
    this.cache.set(name, module);
    const script = new Script(this.source(name), { filename: name });
    Object.assign(context, this.scope(module, name));
    module.locals = new Proxy({}, { get: (_, need) => lexical(need) });
    script.runInContext(context);
    module.loaded = true;
    return module;
  }

  source(name) {
    return this.files.get(name).replace(/^\uFEFF/, '');
  }

  async module(name) {
    const module = this.link(name);
    if (module.status === 'unlinked') await module.link((specifier) => this.import(specifier));
    await module.evaluate();
    return { exports: module.namespace, locals: module.namespace };
  }

  link(name) {
    if (!this.esm.has(name)) {
      const source = this.source(name);
      // A class that is declared but not exported can still be graded.
      const declared = this.needs.filter((need) => new RegExp(`^\\s*(class|function|const|let|var)\\s+${need}\\b`, 'm').test(source));
      const exported = declared.map((need) => `${need} as keur$${need}`).join();
      const make = (text) => new SourceTextModule(text, { context, identifier: name });
      let module;
      try { module = make(`${source}\n;export {${exported}}`); } catch { module = make(source); }
      this.esm.set(name, module);
    }
    return this.esm.get(name);
  }

  import(specifier) {
    const name = this.resolve(specifier);
    if (name !== undefined && isModule(this.source(name), name)) return this.link(name);
    const exports = this.require(specifier);
    const names = [...new Set(['default', ...Object.keys(exports)])];
    return new SyntheticModule(names, function () {
      for (const key of names) this.setExport(key, key === 'default' ? exports : exports[key]);
    }, { context });
  }

  async main(name, alone) {
    if (isModule(this.source(name), name)) return this.module(name);
    if (this.cache.has(name)) return this.cache.get(name);
    if (!alone) return this.commonjs(name);
    try {
      return this.script(name);
    } catch (error) {
      // A `return` outside a function is legal in a CommonJS module and not in a script.
      if (!/Illegal return statement/.test(String(error?.message))) throw error;
      this.cache.delete(name);
      return this.commonjs(name);
    }
  }
}

// Whether a file is an ES module: by its ending, or because only a module may hold what it holds.
function isModule(source, name) {
  if (name.endsWith('.mjs')) return true;
  if (name.endsWith('.cjs') || !/\b(import|export|await)\b/.test(source)) return false;
  try {
    new Script(source, { filename: name });
    return false;
  } catch (error) {
    return /Cannot use import statement|Unexpected token 'export'|import\.meta|await is only valid/.test(error.message);
  }
}

function lexical(name) {
  try {
    return new Script(`typeof ${name} === 'undefined' ? undefined : ${name}`).runInContext(context);
  } catch {
    return undefined;
  }
}

function pick(module, need, alone) {
  const { exports, locals } = module;
  const candidates = [exports?.[need], locals?.[need], locals?.['keur$' + need], exports?.default?.[need]];
  // A submission of one class may export just that class.
  if (alone) candidates.push(exports?.default, exports);
  return candidates.find((candidate) => typeof candidate === 'function');
}

const host = {
  realm() {
    context = createContext(globals());
    return new Script('({ Object, Array, Set, Map })').runInContext(context);
  },

  async load(files, modules, needs) {
    const loader = new Loader(files, needs);
    const definitions = Object.create(null);
    const result = { definitions, names: [] };
    const loaded = [];
    try {
      for (const name of modules) loaded.push(await loader.main(name, modules.length === 1));
    } catch (error) {
      result.problem = error;
      const last = loader.cache.get(modules[loaded.length]);
      if (last) loaded.push(last);
    }
    for (const module of loaded) {
      for (const need of needs) {
        try {
          const found = need in definitions ? undefined : pick(module, need, needs.length === 1);
          if (found !== undefined) definitions[need] = found;
        } catch { /* a getter or trap of the submission's own */ }
      }
    }
    const sources = modules.map((name) => loader.files.get(name)).join('\n');
    for (const [, name] of sources.matchAll(/^(?:export\s+)?(?:default\s+)?(?:class|function|const|let|var)\s+(\w+)/gm)) {
      if (result.names.length < MOST_NAMES) result.names.push(name.slice(0, 200));
    }
    return result;
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
      // What can never be told goes where the harness counts it, and ends the program for it.
      if (gathered.length < 1 << 20) gathered += chunk;
      else try { writeSync(2, chunk); } catch { /* a pipe that is full */ }
      done();
    },
  });
}

function flush() {
  if (!gathered) return '';
  const text = gathered.slice(0, 1 << 20);
  gathered = '';
  return ',"out":' + JSON.stringify(text);
}

async function serve() {
  realProcess.on('unhandledRejection', () => {});
  realProcess.on('uncaughtException', () => {});
  const handle = CORE(host, 'javascript', realProcess.versions.node);
  for (;;) {
    const { length, nonce } = { length: exactly(header).readUInt32LE(0), nonce: from(header.subarray(4, 12)) };
    const payload = exactly(alloc(length)).toString('utf8');
    if (payload === '{"op":"end"}') leave(0);
    send(nonce, '{' + (await handle(payload)) + flush() + '}');
  }
}

serve();
