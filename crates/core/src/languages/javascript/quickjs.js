// The JavaScript driver on QuickJS, and in a worker of a page: a function of the natives that quickjs.rs or the worker
// offers and of those of loader.js and timers.js; it gives the host of core.js. The natives run in the submission's context, everything here in one of its own:
//   evaluate(source, name)    runs a script and gives its value
//   function(source)          the function of a body, to learn whether it can be one
//   global                    the global object
//   modules(source, exposing, imported)   says where the sources of ES modules come from
//   module(name)              runs an ES module; resolves to its namespace
//   text(data)                the text of a file, from base64
//   drain()                   runs what waits in the queue of microtasks
//   printed()                 what a reply says of the output before it
//   write(text), exit(code), exhausted()
(function (native, LOADER, TIMERS, seed) {
  'use strict';
  const { evaluate } = native;

  // What node prints of a value, for the values that students print.
  function inspect(value, depth, quoted) {
    switch (typeof value) {
      case 'string': return quoted ? quote(value) : value;
      case 'bigint': return `${value}n`;
      case 'number': return Object.is(value, -0) ? '-0' : String(value);
      case 'symbol': return value.toString();
      case 'function': return /^class\b/.test(Function.prototype.toString.call(value))
        ? `[class ${value.name || '(anonymous)'}]` : `[Function${value.name ? ': ' + value.name : ' (anonymous)'}]`;
    }
    if (typeof value !== 'object' || value === null) return String(value);
    if (typeof value.message === 'string' && typeof value.stack === 'string') return `${value.name}: ${value.message}\n${value.stack}`.trimEnd();
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    const name = value.constructor?.name;
    if (depth > 2) return Array.isArray(value) ? '[Array]' : `[${name || kind}]`;
    const inner = (item) => inspect(item, depth + 1, true);
    if (Array.isArray(value)) return enclosed('[', Array.from(value, inner), ']');
    if (kind === 'Map') return enclosed(`Map(${value.size}) {`, Array.from(value, ([k, v]) => `${inner(k)} => ${inner(v)}`), '}');
    if (kind === 'Set') return enclosed(`Set(${value.size}) {`, Array.from(value, inner), '}');
    const own = Object.keys(value).map((key) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key)}: ${inner(value[key])}`);
    return enclosed(`${name && name !== 'Object' ? name + ' ' : ''}{`, own, '}');
  }

  function quote(text) {
    return text.includes("'") ? JSON.stringify(text) : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}'`;
  }

  function enclosed(open, items, close) {
    if (items.length === 0) return open + close;
    const line = `${open} ${items.join(', ')} ${close}`;
    return line.length <= 76 ? line : `${open}\n  ${items.map((item) => item.replaceAll('\n', '\n  ')).join(',\n  ')}\n${close}`;
  }

  function format(...values) {
    const [first, ...rest] = values;
    if (typeof first !== 'string') return values.map((value) => inspect(value, 0, false)).join(' ');
    const text = first.replace(/%[sdifoOjc%]/g, (code) => {
      if (code === '%%') return '%';
      if (rest.length === 0) return code;
      const value = rest.shift();
      switch (code) {
        case '%d': return String(Number(value));
        case '%i': return String(parseInt(value, 10));
        case '%f': return String(parseFloat(value));
        case '%j': return JSON.stringify(value);
        case '%c': return '';
        case '%s': return inspect(value, 1, false);
        default: return inspect(value, 0, true);
      }
    });
    return [text, ...rest.map((value) => inspect(value, 0, false))].join(' ');
  }

  // The submission's global object: what node gives a script, as far as this engine has it.
  function globals(target) {
    let indent = '';
    const print = (...values) => native.write((indent + format(...values)).replaceAll('\n', '\n' + indent) + '\n');
    const quiet = () => {};
    const began = Date.now();
    const own = {
      console: {
        log: print, info: print, debug: print, dir: (value) => print(value), table: print,
        error: quiet, warn: quiet, trace: quiet, time: quiet, timeEnd: quiet, timeLog: quiet, count: quiet, clear: quiet,
        assert: quiet, group: (...label) => { if (label.length) print(...label); indent += '  '; },
        groupEnd: () => { indent = indent.slice(2); },
      },
      process: {
        argv: ['node'], env: {}, platform: 'linux', version: 'v20.0.0', versions: { node: '20.0.0' }, exitCode: undefined,
        exit: (code) => native.exit(Number(code) || 0), cwd: () => '/', on() { return this; },
        nextTick: (call, ...values) => { Promise.resolve().then(() => call(...values)); },
        uptime: () => (Date.now() - began) / 1000,
        stdout: { write: (text) => { native.write(String(text)); return true; }, isTTY: false },
        stderr: { write: () => true, isTTY: false },
      },
      queueMicrotask: (call) => { Promise.resolve().then(call); },
      ...timers.fresh(),
    };
    for (const name of Object.keys(own)) {
      Object.defineProperty(target, name, { value: own[name], writable: true, enumerable: false, configurable: true });
    }
    target.global = target;
    engine.refreshed = [...Object.keys(own), 'global'];
    // Adjacent seeds must not give adjacent numbers.
    state = (seed ^ 0x9e3779b9) >>> 0 || 1;
    for (let i = 0; i < 32; i++) next();
    target.Math.random = random;
  }

  const timers = TIMERS();

  // Random numbers that are the same in every run: xorshift of 32 bits (Marsaglia, "Xorshift RNGs", 2003).
  let state;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const random = () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;

  const engine = {
    realm() {
      globals(native.global);
      return evaluate('({ Object, Array, Set, Map })', 'realm');
    },

    drain: native.drain,

    turn() {
      native.drain();
      const fired = timers.fire();
      native.drain();
      return fired;
    },

    text: native.text,

    extensions: ['.js', '.cjs', '.mjs'],

    prepare: (source) => source,

    builtin: () => undefined,

    body: (begin, source, name, parameters) => evaluate(`(function (${parameters.join()}) {${begin}${source}\n})`, name),

    global: () => native.global,

    builtins: (source) => evaluate(source, 'builtins'),

    refresh: () => globals(native.global),

    printed: native.printed,

    keepsModules: true,

    // By its extension, or because it imports or exports and cannot be a function body.
    isModule(source, name) {
      if (name.endsWith('.mjs')) return true;
      if (name.endsWith('.cjs') || !/^\s*(?:import\b(?!\s*\()|export\b)|\bimport\.meta\b|\bawait\b/m.test(source)) return false;
      try {
        native.function(source);
        return false;
      } catch {
        return true;
      }
    },

    async module(name, loader) {
      // An imported CommonJS file: a module that exports what the file did.
      const shim = ({ names }) => 'const e = import.meta.exports;\nexport default e;\n' +
        names.filter((key) => key !== 'default').map((key, i) => `const e${i} = e[${JSON.stringify(key)}];\n` +
          `export { e${i} as ${JSON.stringify(key)} };\n`).join('');
      native.modules((specifier) => {
        const found = loader.imported(specifier);
        if (found.name !== undefined) {
          return { name: found.name, source: loader.source(found.name), exposing: loader.exposing(found.name) };
        }
        const source = shim(found);
        return { name: 'exports of ' + specifier, source, exposing: source, exports: found.exports };
      });
      return native.module('./' + name);
    },

    // Out of memory is thrown like any error here; a submission must not continue after it.
    exhausted(error) {
      if (typeof error !== 'object' || error === null) return;
      let text;
      try { text = `${error.name}: ${error.message}`; } catch { return; }
      if (text === 'InternalError: out of memory') native.exhausted();
    },
  };

  return LOADER(engine);
})
