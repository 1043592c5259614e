// The host of the JavaScript driver, the same for every engine: it finds the files of a submission, runs them as the
// CommonJS or ES modules that they are, and picks the definitions that are asked for. An engine is an object with
//   realm()                        { Object, Array, Set, Map } of a fresh context, in which all that follows runs
//   text(data)                     the text of a file, from base64
//   extensions                     those of its files, each with its dot
//   prepare(source)                the JavaScript of a source in a language that is JavaScript except for its types
//   builtin(name)                  what a module of node's exports, where the engine has it
//   body(begin, source, name, parameters)   the function whose body is the source, after `begin` on its first line
//   isModule(source, name)         whether only a module can be what the source is
//   module(name, loader)           runs an ES module; resolves to its namespace
//   global()                       the global object
//   folder                         the path of the working folder, where there is one and files may be used
//   builtins(source)               the value of an expression in the submission's context
//   refresh()                      renews what the engine itself put on the global object
//   refreshed                      the names of that
//   printed()                      what a reply says of the output before it
//   keepsModules                   whether an ES module that ran cannot run again in the same context
//   program                        where it can run programs: begin(name, args, raised), which makes their process and
//                                  their input, builtin(name), what they may require besides, and end(status, error),
//                                  which replies that they have ended and does not return
(function (engine) {
  'use strict';
  const MOST_NAMES = 200;

  // What a submission may require of node: what computes, and neither reads, writes nor starts anything.
  const HARMLESS = ['assert', 'assert/strict', 'buffer', 'crypto', 'events', 'path', 'perf_hooks', 'punycode',
    'querystring', 'string_decoder', 'timers', 'url', 'util', 'util/types'];

  // What a program may also require: modules that read its input and write its output.
  const OF_PROGRAMS = ['fs', 'process', 'readline', 'readline/promises', 'stream', 'timers/promises'];

  // What may be required where there is a working folder.
  const OF_FOLDERS = ['fs', 'fs/promises'];

  // A source that begins with the directive for strict mode. Comments before it can be read in one way only: a pattern that
  // has to try others takes forever on a line of slashes.
  const STRICT = /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(['"])use strict\1/;

  // What a file declares on lines of its own: the keyword, the name and how its value begins.
  const DECLARED =
    /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(class|function|const|let|var)\b[ \t*]*(\w+)(?:\s*=\s*(\S.{0,80}))?/gm;

  // The variables that a file declares at its top level.
  const VARIABLE = /^(?:const|let|var)[ \t]+([\w$]+)/gm;

  // The message of an engine, or of this loader, about an `import` of something that is not there.
  const UNPLACED =
    /^(?:Cannot find module|module|The requested module '.*' does not provide an export named|Could not find export) '([^']+)'/;

  class Loader {
    constructor(files, needs) {
      this.files = new Map(files.map((file) => [file.name, engine.text(file.data)]));
      this.needs = needs;
      // Sources in the form in which they run, by name.
      this.sources = new Map();
      // The functions of those that run as the body of one, and whether others can only be ES modules.
      this.bodies = new Map();
      this.kinds = new Map();
      this.cache = new Map();
      // ES modules by name, for an engine that does not keep them itself.
      this.modules = new Map();
      // The file that runs as a program.
      this.program = undefined;
    }

    // A loader of the same files that has run none of them.
    again() {
      const { files, needs, sources, bodies, kinds } = this;
      return Object.assign(new Loader([], needs), { files, sources, bodies, kinds });
    }

    // The submission's file that a specifier names.
    resolve(specifier) {
      const name = specifier.replace(/^(\.\/)+/, '');
      // An import in TypeScript may name the file that a compiler would make.
      const written = name.replace(/\.([cm]?)js$/, '.$1ts');
      const names = [name, ...engine.extensions.map((extension) => name + extension), written];
      return names.find((candidate) => this.files.has(candidate));
    }

    require(specifier) {
      const known = specifier.replace(/^node:/, '');
      const builtin = HARMLESS.includes(known) ? engine.builtin(known) : undefined;
      if (builtin !== undefined) {
        watch?.noteModule(builtin);
        return builtin;
      }
      if (this.program !== undefined && OF_PROGRAMS.includes(known)) return engine.program.builtin(known);
      if (engine.folder !== undefined && OF_FOLDERS.includes(known)) return engine.builtin(known);
      const name = this.resolve(specifier);
      if (name !== undefined) return this.commonjs(name).exports;
      const error = new Error(HARMLESS.includes(known)
        ? `module '${specifier}' is part of node, and this was run without node; install it`
        : /^\.{0,2}\//.test(specifier) ? `Cannot find module '${specifier}'`
          : `module '${specifier}' is not available to a submission`);
      error.code = 'MODULE_NOT_FOUND';
      throw error;
    }

    scope(module, name) {
      const require = (specifier) => this.require(specifier);
      require.main = name === this.program ? module : undefined;
      const folder = engine.folder ?? '';
      const [__filename, __dirname] = [folder + '/' + name, folder || '/'];
      return { module, exports: module.exports, require, __filename, __dirname };
    }

    // A file that is no ES module, in node's own way: as the body of a function.
    commonjs(name) {
      if (this.cache.has(name)) return this.cache.get(name);
      const module = { exports: {}, id: name, filename: '/' + name, loaded: false };
      this.cache.set(name, module);
      const scope = { ...this.scope(module, name), keur$declares: (locals) => { module.locals = locals; } };
      if (!this.bodies.has(name)) {
        const source = this.source(name);
        // What the file declares is handed out first, so that it can be found even if the file throws later. A name may come
        // from the file that requires this one, and not have its value yet.
        const names = new Set([...this.needs, ...variables(source)]);
        const wanted = [...names].map((name) => `get ${name}(){try{return ${name}}catch{}}`).join();
        const begin = (STRICT.test(source) ? "'use strict';" : '') + `keur$declares({${wanted}});`;
        this.bodies.set(name, engine.body(begin, source, name, Object.keys(scope)));
      }
      Reflect.apply(this.bodies.get(name), scope.exports, Object.values(scope));
      module.loaded = true;
      return module;
    }

    source(name) {
      if (!this.sources.has(name)) this.sources.set(name, engine.prepare(this.files.get(name).replace(/^\uFEFF/, '').replace(/^#!.*/, ''), name));
      return this.sources.get(name);
    }

    // The source of an ES module that also exports the requested names: a class that is not exported can be graded.
    exposing(name) {
      const source = this.source(name);
      const declares = (need) => new RegExp(`^\\s*(class|function|const|let|var)\\s+${need}\\b`, 'm').test(source);
      const exported = this.needs.filter(declares).map((need) => `${need} as keur$${need}`);
      return `${source}\n;export {${exported.join()}}`;
    }

    // The result of an `import`: the name of an ES module of the submission, else what a `require` would return.
    imported(specifier) {
      const name = this.resolve(specifier);
      if (name !== undefined && this.isModule(name)) return { name };
      const exports = this.require(specifier);
      return { exports, names: [...new Set(['default', ...Object.keys(exports)])] };
    }

    isModule(name) {
      if (!this.kinds.has(name)) this.kinds.set(name, engine.isModule(this.source(name), name));
      return this.kinds.get(name);
    }

    // Says in the stack of an error which `import` asks for something that is not there: engines do not.
    place(error) {
      const message = error?.message;
      const [, sought] = (typeof message === 'string' && UNPLACED.exec(message)) || [];
      if (sought === undefined) return;
      const asks = new RegExp(`^[ \\t]*(?:import|export)\\b[^;]{0,2000}?\\W${sought.replace(/\W/g, '\\$&')}\\W`, 'm');
      const name = [...this.kinds.keys()].find((name) => this.kinds.get(name) && asks.test(this.source(name)));
      if (name === undefined) return;
      const line = this.source(name).slice(0, this.source(name).search(asks)).split('\n').length;
      error.stack = `${error.name}: ${message}\n    at ${name}:${line}:1`;
    }

    async main(name) {
      if (this.isModule(name)) {
        const namespace = await engine.module(name, this).catch((error) => {
          this.place(error);
          throw error;
        });
        return { exports: namespace, locals: namespace };
      }
      return this.commonjs(name);
    }
  }

  // The names of the variables that a source declares at its top level, for code that runs as it stands.
  function variables(source) {
    const found = [...source.matchAll(VARIABLE)].slice(0, MOST_NAMES);
    return found.map(([, name]) => name).filter(isVariable);
  }

  function pick(module, need, alone) {
    const { exports, locals } = module;
    // Every object has a `toString`, which is not that of the submission.
    const own = isObject(exports) ? Object.getOwnPropertyDescriptor(exports, need)?.value : undefined;
    const candidates = [own, locals?.[need], locals?.['keur$' + need], exports?.default?.[need], exports?.[need]];
    // A submission of one class may export just that class.
    if (alone) candidates.push(exports?.default, exports);
    return candidates.find((candidate) => typeof candidate === 'function');
  }

  // What no case may leave changed for the next one in the same context: the names on the global object, and the properties
  // of the objects that the engine gives to every program.
  class Watch {
    constructor() {
      const global = engine.global();
      this.names = new Set(ownKeys(global));
      this.globals = [...this.names].filter((name) => !engine.refreshed.includes(name)).map((name) => [name, global[name]]);
      this.known = new Set();
      this.noted = [];
      for (const value of engine.builtins(BUILTINS)) this.noteAll(value);
    }

    // Notes an object, what it inherits from and, of a constructor, what its instances inherit from.
    noteAll(value) {
      for (let object = value; isObject(object); object = Object.getPrototypeOf(object)) this.note(object);
      const own = isObject(value) ? Object.getOwnPropertyDescriptor(value, 'prototype') : undefined;
      if (own !== undefined) for (let object = own.value; isObject(object); object = Object.getPrototypeOf(object)) this.note(object);
    }

    noteModule(exports) {
      if (this.known.has(exports)) return;
      this.noteAll(exports);
      for (const { value } of Object.values(Object.getOwnPropertyDescriptors(exports))) this.noteAll(value);
    }

    note(object) {
      if (this.known.has(object)) return;
      this.known.add(object);
      const all = ownKeys(object);
      const [keys, values, accessors] = [[], [], []];
      for (const key of all) {
        const property = Object.getOwnPropertyDescriptor(object, key);
        if ('value' in property) {
          keys.push(key);
          values.push(property.value);
        } else {
          accessors.push([key, property.get, property.set, setting(object, key)]);
        }
      }
      this.noted.push({
        object, count: all.length, parent: Object.getPrototypeOf(object), extensible: Object.isExtensible(object),
        keys, values, accessors,
      });
    }

    // Whether a global name differs, or with `everything`, anything.
    traced(everything) {
      const global = engine.global();
      for (const name of ownKeys(global)) if (!this.names.has(name)) return true;
      for (const [name, value] of this.globals) if (!Object.is(global[name], value)) return true;
      return everything && this.noted.some(({ object, count, parent, extensible, keys, values, accessors }) => {
        if (ownKeys(object).length !== count || Object.getPrototypeOf(object) !== parent) return true;
        if (Object.isExtensible(object) !== extensible) return true;
        for (let i = 0; i < keys.length; i++) if (!Object.is(object[keys[i]], values[i])) return true;
        return accessors.some(([key, get, set, value]) => {
          const now = Object.getOwnPropertyDescriptor(object, key);
          return now === undefined || now.get !== get || now.set !== set || setting(object, key) !== value;
        });
      });
    }
  }

  const { ownKeys } = Reflect;

  function isObject(value) {
    return (typeof value === 'object' && value !== null) || typeof value === 'function';
  }

  // The value of a setting that is an accessor in some engines. Others change with use, as those of RegExp do.
  function setting(object, key) {
    return key === 'stackTraceLimit' ? object[key] : undefined;
  }

  // The values on the global object that are there before a submission, and objects that inherit what has no name there.
  const BUILTINS = `[
    ...Object.getOwnPropertyNames(globalThis)
      .filter((name) => !['globalThis', 'global', 'console', 'process'].includes(name))
      .map((name) => globalThis[name]),
    ...Object.values(process),
    ...[typeof Intl, typeof WebAssembly].includes('undefined') ? [] :
      [Intl, WebAssembly].flatMap((space) => Object.getOwnPropertyNames(space).map((name) => space[name])),
    [][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator](), 'x'.matchAll(/x/g), function* () {},
    async function () {}, async function* () {}, (function* () {})(), (async function* () {})(),
  ]`;

  let watch;
  let watched;
  let loaded = [];

  // What may stand as the name of a variable.
  function isVariable(name) {
    try {
      return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && engine.body('', `var ${name}`, 'do', []) !== undefined;
    } catch {
      return false;
    }
  }

  // Runs a module as `node file` would. The engine replies when it has ended.
  async function program(files, name, args, raised) {
    const loader = new Loader(files, []);
    loader.program = name;
    engine.program.begin(name, args, raised);
    try {
      await loader.main(name);
    } catch (error) {
      engine.program.end(1, error);
    }
    return new Promise(() => {});
  }

  return {
    realm: engine.realm,
    program: engine.program && program,
    exhausted: engine.exhausted,
    printed: engine.printed,
    drain: engine.drain,
    turn: engine.turn,

    async load(files, modules, needs, again) {
      const loader = new Loader(files, needs);
      watch = again ? new Watch() : undefined;
      watched = { loader, modules, first: true };
      const result = await run(loader, modules);
      const sources = modules.map((name) => loader.files.get(name)).join('\n');
      for (const [, keyword, name, value] of sources.matchAll(DECLARED)) {
        const kind = keyword === 'class' || /^class\b/.test(value) ? result.classes
          : keyword === 'function' || /^(async\b|function\b|\(|\w+\s*=>)/.test(value) ? result.functions : [];
        for (const names of [result.names, kind]) if (names.length < MOST_NAMES) names.push(name.slice(0, 200));
      }
      return result;
    },

    // Runs code among what the submission exports or declares, and the names of `scope`. Nothing that it declares stays: it is in
    // functions of its own. A declaration has no value, so the one behind the code leaves that of its last expression.
    native(code, scope, binds) {
      const exported = loaded.flatMap(({ locals, exports }) => [locals, exports]).filter(isObject);
      const all = Object.assign(Object.create(null), ...binds.map((name) => ({ [name]: undefined })), ...exported, scope);
      const names = Object.keys(all).filter(isVariable);
      const source = engine.prepare(code, 'do') + `\n;var keur$bound = keur$declares(() => [${binds.join()}]);`;
      let bound;
      const run = engine.body('', 'return eval(keur$code)', 'do', ['keur$code', 'keur$declares', ...names]);
      const declares = (values) => { bound = values; };
      const value = Reflect.apply(run, undefined, [source, declares, ...names.map((name) => all[name])]);
      return { value, bound: bound() };
    },

    // Loads the same files as if nothing had run; undefined if something is left of what ran. The objects of the engine are
    // compared after the first run and the last: an engine that has not optimised that takes long for it.
    async again(last) {
      const { loader, modules, first } = watched;
      watched.first = false;
      if (watch.traced(first || last) || (engine.keepsModules && [...loader.kinds.values()].includes(true))) return undefined;
      engine.refresh();
      return run(loader.again(), modules);
    },
  };

  async function run(loader, modules) {
    const { needs } = loader;
    const definitions = Object.create(null);
    const result = { definitions, names: [], classes: [], functions: [] };
    loaded = [];
    for (const name of modules) {
      try {
        loaded.push(await loader.main(name));
      } catch (error) {
        // The other files may be all that a case needs.
        if (!('problem' in result)) result.problem = error;
        const part = loader.cache.get(name);
        if (part) loaded.push(part);
      }
    }
    for (const module of loaded) {
      for (const need of needs) {
        try {
          const found = need in definitions ? undefined : pick(module, need, needs.length === 1);
          if (found !== undefined) definitions[need] = found;
        } catch { /* a getter or trap of the submission's own */ }
      }
    }
    return result;
  }
})
