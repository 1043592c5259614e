// The core of the JavaScript driver, the same for every engine: it evaluates the requests of docs/protocol.md on a
// submission that the engine's host has loaded. A host is an object with
//   realm()            the submission's own { Object, Array, Set, Map } in a fresh context
//   load(files, modules, needs, watch)   runs the modules; resolves to { definitions, names, problem }
//   native(code, scope, binds)   runs code of the language with the names of `scope`; its value and those of `binds`
//   again()            runs them again as if nothing had run, after a load with `watch`; undefined if something is left
//   drain()            runs what waits in the queue of microtasks, as node does before it does anything else
//   turn()             the same, and then what a timer waits for; resolves to false if nothing is left to run
//   printed()          what a reply says of the output before it, as the end of its JSON text
//   program(files, module, args, raised)   runs a module as a program and replies for it; only where the engine can
//   exhausted(error)   for an engine that throws when memory runs out: ends the process if that is what was thrown
// A submission runs in this very process, so everything needed is captured before it is loaded, and no property of
// a submission's value is looked up but where a request asks for it. Nothing here is a secret: a submission that
// takes over the whole driver still earns only what its answers earn, because what is expected never comes here.
// `OPERATORS` is the function of operators.js.
(function (host, language, version, OPERATORS) {
  'use strict';
  const PROTOCOL = 1;
  const MOST_DEPTH = 40;        // levels of nesting in a value
  const MOST_NODES = 20000;     // values in one reply
  const MOST_BYTES = 1 << 20;   // characters of one value in a reply
  const MOST_TYPES = 100;       // classes that a value extends
  const MOST_SUBCLASSES = 20;   // types named beside a value that is written as one of a builtin type
  const MOST_MESSAGE = 4000;    // characters of an exception's message or stack
  const MOST_SHOWN = 1000;      // characters of a value as its own text shows it
  const MOST_NAMES = 200;       // names listed for suggestions

  const { stringify, parse } = JSON;
  const { isArray: isPlainArray } = Array;
  const { isView } = ArrayBuffer;
  // An array, also one of numbers of one type, such as a Float64Array; a DataView has no length.
  const isArray = (value) => isPlainArray(value) || isView(value) && typeof value.length === 'number';
  const { getPrototypeOf, getOwnPropertyNames, getOwnPropertyDescriptor, defineProperty, keys, create } = Object;
  const { apply, construct, ownKeys } = Reflect;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const charCodeAt = uncurry(String.prototype.charCodeAt);
  const slice = uncurry(String.prototype.slice);
  const bigToString = uncurry(BigInt.prototype.toString);
  const mapEach = uncurry(Map.prototype.forEach);
  const setEach = uncurry(Set.prototype.forEach);
  const setAdd = uncurry(Set.prototype.add);
  const mapSet = uncurry(Map.prototype.set);
  const promiseThen = uncurry(Promise.prototype.then);
  const toText = String;
  const toNumber = Number;
  const toBig = BigInt;
  const TOO_BIG = create(null);

  // A name that a request needs and the submission does not have; it carries the existing names.
  class Missing {
    #report;

    constructor(kind, name, on, near) {
      this.#report = '"missing":{"kind":' + quote(kind) + ',"name":' + quote(name) + ',"on":' + quote(on) +
        ',"near":' + strings(near) + '}';
    }

    // A thrown value may be a proxy: looking for a private field triggers none of its traps, `instanceof` does.
    static report(error) { return #report in error ? error.#report : undefined; }
  }

  const { attribute, assign, index, assignAt, sliced, unpacked, operator, builtin } = OPERATORS({
    array, set, typeName, methodNames, missing: (...report) => new Missing(...report),
  });

  let realm = host.realm();
  let definitions = create(null);
  let names = create(null);
  let views = create(null);
  let hasViews = false;
  let traced = false;

  // ---- values: from JavaScript to JSON text -----------------------------------------------------------------

  // The JSON text of a string; one with lone surrogates as its UTF-16 code units.
  function quote(text) {
    for (let i = 0; i < text.length; i++) {
      const unit = charCodeAt(text, i);
      if (unit < 0xd800 || unit > 0xdfff) continue;
      const next = i + 1 < text.length ? charCodeAt(text, i + 1) : 0;
      if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) { i++; continue; }
      let units = '';
      for (let k = 0; k < text.length; k++) units += (k ? ',' : '') + charCodeAt(text, k);
      return '{"units":[' + units + ']}';
    }
    return stringify(text);
  }

  function strings(list) {
    let out = '[';
    for (let i = 0; i < list.length; i++) out += (i ? ',' : '') + quote(list[i]);
    return out + ']';
  }

  function numberText(number) {
    return number === 0 && 1 / number < 0 ? '-0' : '' + number;
  }

  class Encoder {
    constructor() {
      this.nodes = 0;
      this.size = 0;
      // The names of types that were written as a builtin one: a Map is a dictionary, as a plain object is.
      this.subclasses = [];
    }

    put(text) {
      this.size += text.length;
      if (this.size > MOST_BYTES) throw TOO_BIG;
      return text;
    }

    value(value, depth) {
      if (++this.nodes > MOST_NODES) throw TOO_BIG;
      switch (typeof value) {
        case 'undefined': return this.put('{"undefined":true}');
        case 'boolean': return this.put(value ? 'true' : 'false');
        case 'string':
          if (value.length > MOST_BYTES) throw TOO_BIG;
          return this.put(quote(value));
        case 'number': return this.put('{"number":"' + numberText(value) + '"}');
        case 'bigint': {
          const hex = bigToString(value, 16);
          if (hex.length > MOST_BYTES / 16) return this.put('{"cut":"size"}');
          return this.put(hex[0] === '-' ? '{"bigint":"-0x' + slice(hex, 1) + '"}' : '{"bigint":"0x' + hex + '"}');
        }
        case 'symbol': return this.put('{"object":"symbol"}');
        case 'function': return this.put('{"object":"function"}');
      }
      if (value === null) return this.put('null');
      if (depth >= MOST_DEPTH) return this.put('{"cut":"depth"}');
      const view = hasViews ? viewOf(value) : undefined;
      if (view !== undefined) return this.array(seen(value, view), depth);
      if (isArray(value)) {
        this.extends(value, realm.Array, Array);
        return this.array(value, depth);
      }
      // The collections' own methods throw on anything else, whatever it imitates.
      const map = this.collection(mapEach, value, (item, key) => this.pair(this.value(key, depth + 1), item, depth));
      if (map !== undefined) {
        this.extends(value, realm.Map, Map);
        this.subclass('Map');
        return '{"dict":[' + map + ']}';
      }
      const set = this.collection(setEach, value, (item) => this.value(item, depth + 1));
      if (set !== undefined) {
        this.extends(value, realm.Set, Set);
        return '{"set":[' + set + ']}';
      }
      const prototype = getPrototypeOf(value);
      if (prototype === null || prototype === realm.Object.prototype || prototype === Object.prototype) {
        let out = '';
        const own = keys(value);
        for (let i = 0; i < own.length; i++) {
          out += (i ? ',' : '') + this.pair(this.put(quote(own[i])), value[own[i]], depth);
        }
        return '{"dict":[' + out + ']}';
      }
      return this.put('{"object":' + quote(typeName(value)) + '}');
    }

    extends(value, own, ours) {
      const prototype = getPrototypeOf(value);
      if (prototype !== own.prototype && prototype !== ours.prototype) this.subclass(typeName(value));
    }

    subclass(name) {
      const names = this.subclasses;
      for (let i = 0; i < names.length; i++) if (names[i] === name) return;
      if (names.length < MOST_SUBCLASSES) names[names.length] = name;
    }

    array(value, depth) {
      const length = value.length;
      if (length > MOST_NODES) throw TOO_BIG;
      let out = '{"list":[';
      for (let i = 0; i < length; i++) out += (i ? ',' : '') + this.value(value[i], depth + 1);
      return out + ']}';
    }

    pair(key, item, depth) { return '[' + key + ',' + this.value(item, depth + 1) + ']'; }

    collection(each, value, write) {
      let out = '';
      let entered = false;
      try {
        each(value, (item, key) => { entered = true; out += (out ? ',' : '') + write(item, key); });
      } catch (error) {
        if (entered || error === TOO_BIG) throw error;
        return undefined;
      }
      return out;
    }
  }

  // What a reply says of a value under `key`, and of the types in it that were written as a builtin one.
  function encoded(key, value) {
    const encoder = new Encoder();
    try {
      const text = ',"' + key + '":' + encoder.value(value, 0);
      const names = encoder.subclasses;
      return names.length && key === 'value' ? text + ',"subclasses":' + strings(names) : text;
    } catch (error) {
      if (error === TOO_BIG) return ',"' + key + '":{"cut":"size"}';
      throw error;
    }
  }

  function typeName(value) {
    try {
      const name = value.constructor.name;
      if (typeof name === 'string' && name) return slice(name, 0, 200);
    } catch { /* a trap of the submission's own */ }
    return 'object';
  }

  // A value as the submission itself would show it: an object by its own `toString`, else by its name and fields.
  function shown(value, depth) {
    if (typeof value === 'string') return stringify(slice(value, 0, MOST_SHOWN));
    if (typeof value === 'function') return '<function>';
    if (typeof value !== 'object' || value === null) return toText(value);
    if (depth > 3) return '…';
    let out = '';
    const add = (text) => { if (out.length < MOST_SHOWN) out += (out ? ', ' : '') + text; };
    if (isArray(value)) {
      for (let i = 0; i < value.length && out.length < MOST_SHOWN; i++) add(shown(value[i], depth + 1));
      return '[' + out + ']';
    }
    const prototype = getPrototypeOf(value);
    const isPlain = prototype === null || prototype === realm.Object.prototype || prototype === Object.prototype;
    const own = isPlain ? undefined : value.toString;
    if (typeof own === 'function' && own !== realm.Object.prototype.toString && own !== Object.prototype.toString) {
      const text = value.toString();
      if (typeof text !== 'string') return '<' + typeName(value) + '>';
      return '<' + typeName(value) + (/\n/.test(text) ? ':\n' : ': ') + slice(text, 0, MOST_SHOWN) + '>';
    }
    const fields = keys(value);
    for (let i = 0; i < fields.length && out.length < MOST_SHOWN; i++) {
      add(fields[i] + ': ' + shown(value[fields[i]], depth + 1));
    }
    return (isPlain ? '' : typeName(value) + ' ') + '{ ' + out + ' }';
  }

  // The names of the classes of a value: its own, and those that it extends.
  function types(value) {
    const names = [typeName(value)];
    try {
      for (let p = getPrototypeOf(value); p !== null && names.length < MOST_TYPES; p = getPrototypeOf(p)) {
        const own = getOwnPropertyDescriptor(p, 'constructor');
        const name = own && own.value && property(own.value, 'name');
        if (name) names[names.length] = slice(name, 0, 200);
      }
    } catch { /* a trap of the submission's own, or a value without properties */ }
    return names;
  }

  // ---- values: from JSON to the submission's realm ----------------------------------------------------------

  function array(items) {
    const out = new realm.Array();
    for (let i = 0; i < items.length; i++) {
      defineProperty(out, i, { value: items[i], writable: true, enumerable: true, configurable: true });
    }
    return out;
  }

  function set(items) {
    const out = new realm.Set();
    for (let i = 0; i < items.length; i++) setAdd(out, items[i]);
    return out;
  }

  // A dictionary is a plain object if its keys are strings, else a Map.
  function dict(pairs) {
    let plain = true;
    for (let i = 0; i < pairs.length; i++) plain = plain && typeof pairs[i][0] === 'string';
    const out = plain ? new realm.Object() : new realm.Map();
    for (let i = 0; i < pairs.length; i++) {
      const [key, value] = pairs[i];
      if (plain) defineProperty(out, key, { value, writable: true, enumerable: true, configurable: true });
      else mapSet(out, key, value);
    }
    return out;
  }

  function all(items, read) {
    const out = [];
    for (let i = 0; i < items.length; i++) out[i] = read(items[i]);
    return out;
  }

  function decoded(data) {
    if (typeof data !== 'object' || data === null) return data;
    const kind = keys(data)[0];
    const body = data[kind];
    switch (kind) {
      case 'undefined': return undefined;
      case 'int': {
        const negative = body[0] === '-';
        const magnitude = toBig(negative ? slice(body, 1) : body);
        return negative ? -magnitude : magnitude;
      }
      case 'float': return body === 'inf' ? Infinity : body === '-inf' ? -Infinity : toNumber(body);
      case 'units': return toText.fromCharCode(...body);
      case 'list': case 'tuple': return array(all(body, decoded));
      case 'set': return set(all(body, decoded));
      case 'dict': return dict(all(body, (pair) => all(pair, decoded)));
    }
    throw new TypeError('unknown value');
  }

  // ---- exceptions -------------------------------------------------------------------------------------------

  function property(value, name) {
    try {
      const found = value[name];
      return typeof found === 'string' ? found : undefined;
    } catch {
      return undefined;
    }
  }

  function raised(error) {
    if (host.exhausted !== undefined) host.exhausted(error);
    const object = (typeof error === 'object' && error !== null) || typeof error === 'function';
    const missing = object ? Missing.report(error) : undefined;
    if (missing !== undefined) return missing;
    let message;
    let type = typeof error;
    let stack;
    const bases = [];
    if (object) {
      message = property(error, 'message');
      type = property(error, 'name') || typeName(error);
      stack = property(error, 'stack');
      try {
        for (let p = getPrototypeOf(error); p !== null && bases.length < 20; p = getPrototypeOf(p)) {
          const own = getOwnPropertyDescriptor(p, 'constructor');
          const name = own && own.value && property(own.value, 'name');
          if (name) bases[bases.length] = slice(name, 0, 200);
        }
      } catch { /* a trap of the submission's own */ }
    } else {
      // A thrown value may be any object with a message; a bare value has none.
      if (error === null) type = 'null';
    }
    bases[bases.length] = slice(type, 0, 200);
    return '"raised":{"type":' + quote(slice(type, 0, 200)) + ',"bases":' + strings(bases) +
      (message === undefined ? '' : ',"message":' + quote(slice(message, 0, MOST_MESSAGE))) +
      (stack === undefined ? '' : ',"stack":' + quote(slice(stack, 0, MOST_MESSAGE))) + '}';
  }

  // The names of an object's methods.
  function methodNames(value) {
    const found = [];
    try {
      for (let p = value; p !== null && p !== realm.Object.prototype && p !== Object.prototype; p = getPrototypeOf(p)) {
        const own = getOwnPropertyNames(p);
        for (let i = 0; i < own.length && found.length < MOST_NAMES; i++) {
          const called = typeof getOwnPropertyDescriptor(p, own[i])?.value === 'function';
          if (called && own[i] !== 'constructor') found[found.length] = slice(own[i], 0, 200);
        }
      }
    } catch { /* a trap of the submission's own */ }
    return found;
  }

  // ---- the requests -----------------------------------------------------------------------------------------

  function definition(name) {
    if (!(name in definitions)) throw new Missing('definition', name, '', []);
    return definitions[name];
  }

  // The value of an expression, in steps: each value on the way is yielded, and what is given back is used in its place.
  function* evaluation(expr) {
    const value = yield* parts(expr);
    return (typeof value === 'object' && value !== null) ? yield value : value;
  }

  function* parts(expr) {
    if ('literal' in expr) return decoded(expr.literal);
    if ('name' in expr) return names[expr.name];
    if ('new' in expr) return construct(definition(expr.new), yield* args(expr.args));
    if ('call' in expr) return apply(definition(expr.call), undefined, yield* args(expr.args));
    if ('method' in expr) {
      const on = yield* evaluation(expr.on);
      const method = on[expr.method];
      if (typeof method !== 'function') {
        if (method === undefined) throw new Missing('method', expr.method, typeName(on), methodNames(on));
        throw new Missing('property', expr.method, typeName(on), []);
      }
      return apply(method, on, yield* args(expr.args));
    }
    if ('text' in expr) return (yield* evaluation(expr.text)).toString();
    if ('list' in expr) return array(yield* each(expr.list));
    if ('tuple' in expr) return array(yield* each(expr.tuple));
    if ('set' in expr) return set(yield* each(expr.set));
    if ('dict' in expr) {
      const pairs = [];
      for (let i = 0; i < expr.dict.length; i++) pairs[i] = yield* each(expr.dict[i]);
      return dict(pairs);
    }
    if ('get' in expr) return attribute(yield* evaluation(expr.on), expr.get);
    if ('index' in expr) return index(yield* evaluation(expr.on), yield* evaluation(expr.index));
    if ('slice' in expr) {
      const on = yield* evaluation(expr.on);
      const bounds = [];
      for (let i = 0; i < expr.slice.length; i++) bounds[i] = expr.slice[i] && (yield* evaluation(expr.slice[i]));
      return sliced(on, bounds);
    }
    if ('op' in expr) return operator(expr.op, yield* each(expr.args));
    if ('builtin' in expr) return builtin(expr.builtin, yield* each(expr.args));
    if ('class' in expr) return definition(expr.class);
    throw new TypeError('unknown expression');
  }

  function* each(exprs) {
    const out = [];
    for (let i = 0; i < exprs.length; i++) out[i] = yield* evaluation(exprs[i]);
    return out;
  }

  function args(list) { return each(all(list, (arg) => arg.value)); }

  // The value of an expression without waiting: a promise on the way stays a promise.
  function evaluate(expr) {
    const steps = evaluation(expr);
    let step = steps.next();
    while (!step.done) step = steps.next(step.value);
    return step.value;
  }

  function text(value) {
    return value === null || value === undefined ? '' + value : value.toString();
  }

  // A value of the submission's own type as plain data: the results of its view's expressions.
  function viewed(value, view) {
    if (value === null || value === undefined) return value;
    if (!view.each) return view.parts.length ? seen(value, view) : value;
    if (!isArray(value)) return value;
    return array(all(value, (item) => seen(item, view)));
  }

  // The view of a value's class: its own, or that of the nearest class that it extends.
  function viewOf(value) {
    const classes = types(value);
    for (let i = 0; i < classes.length; i++) if (classes[i] in views) return views[classes[i]];
    return undefined;
  }

  function seen(value, view) {
    const outer = names.it;
    names.it = value;
    try {
      return array(all(view.parts, (part) => {
        const inner = evaluate(part.expr);
        return 'view' in part ? viewed(inner, part.view) : inner;
      }));
    } finally {
      names.it = outer;
    }
  }

  function bind(name, value) {
    if (!isArray(name)) names[name] = value;
    else unpacked(value, name.length).forEach((item, i) => { names[name[i]] = item; });
  }

  function* place(target, value) {
    const on = yield* evaluation(target.on);
    if ('get' in target) assign(on, target.get, value);
    else assignAt(on, yield* evaluation(target.index), value);
  }

  // Runs code of the language as it stands, and binds the names that it is said to make.
  function native({ native, binds = [] }) {
    const { value, bound } = host.native(native, { ...definitions, ...names }, binds);
    for (let i = 0; i < binds.length; i++) names[binds[i]] = bound[i];
    return value;
  }

  // What becomes of a promise; undefined for any other value.
  function outcomeOf(value) {
    if (typeof value !== 'object' || value === null) return undefined;
    const outcome = { settled: false, failed: false, result: undefined };
    const settles = (failed) => (result) => { outcome.settled = true; outcome.failed = failed; outcome.result = result; };
    try {
      // It throws on anything but a promise, whatever that imitates.
      promiseThen(value, settles(false), settles(true));
      return outcome;
    } catch {
      return undefined;
    }
  }

  // Waits for each promise on the way to the end of these steps: it counts as what it becomes. One that nothing settles
  // any more stays a promise. The value is in an object that is no promise, so that nobody asks it for its `then`.
  async function awaited(steps) {
    let step = steps.next();
    while (!step.done) {
      const outcome = outcomeOf(step.value);
      while (outcome !== undefined && !outcome.settled && await host.turn()) { /* the next turn may settle it */ }
      if (outcome !== undefined && outcome.failed) step = steps.throw(outcome.result);
      else step = steps.next(outcome !== undefined && outcome.settled ? outcome.result : step.value);
    }
    return { __proto__: null, value: step.value };
  }

  function* ran(request) {
    const value = 'native' in request ? yield native(request) : yield* evaluation(request.expr);
    if ('bind' in request) bind(request.bind, value);
    if ('set' in request) yield* place(request.set, value);
    return value;
  }

  async function run(request) {
    const { value } = await awaited(ran(request));
    let reply = '"done":true';
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') {
      const same = ownKeys(names).filter((name) => name !== 'it' && names[name] === value);
      if (same.length) reply += ',"is":' + strings(same);
    }
    if (request.value) reply += encoded('value', 'view' in request ? viewed(value, request.view) : value);
    if (request.text) reply += encoded('text', text(value));
    if (request.shown) reply += ',"shown":' + quote(slice(shown(value, 0), 0, MOST_SHOWN));
    if (request.types) reply += ',"types":' + strings(types(value));
    return reply;
  }

  async function load(request) {
    views = create(null);
    const named = keys(request.views || {});
    for (let i = 0; i < named.length; i++) views[named[i]] = request.views[named[i]];
    hasViews = named.length > 0;
    return report(await host.load(request.files, request.modules, request.needs, request.watch === true));
  }

  async function again(request) {
    names = create(null);
    const loaded = await host.again(request.last === true);
    traced = loaded === undefined;
    return traced ? '"traced":true' : report(loaded);
  }

  function report(loaded) {
    definitions = loaded.definitions;
    return '"loaded":{"defined":' + strings(keys(definitions)) + ',"names":' + strings(loaded.names) +
      ',"classes":' + strings(loaded.classes) + ',"functions":' + strings(loaded.functions) + '}' +
      ('problem' in loaded ? ',' + raised(loaded.problem) : '');
  }

  function restart() {
    realm = host.realm();
    definitions = create(null);
    names = create(null);
    traced = false;
    return '"ready":{"protocol":' + PROTOCOL + ',"language":' + quote(language) + ',"version":' + quote(version) +
      (host.program === undefined ? '' : ',"programs":true') + ',"operators":true,"native":true}';
  }

  async function reply(request) {
    let text;
    try {
      text = await answer(request);
    } catch (error) {
      text = raised(error);
    }
    if (request.op === 'run') await host.drain();
    return finished(text);
  }

  async function answer(request) {
    switch (request.op) {
      case 'start': case 'reset': return restart();
      case 'load': return load(request);
      case 'again': return again(request);
      case 'run': return run(request);
      case 'program': if (host.program !== undefined) return host.program(request.files, request.module, request.args, raised);
    }
    return '"error":"unknown operation"';
  }

  function finished(text) { return '{' + text + host.printed() + '}'; }

  async function batch(requests) {
    let replies = '';
    for (let i = 0; i < requests.length && !traced; i++) replies += (i ? ',' : '') + await reply(parse(requests[i]));
    return '{"batch":[' + replies + ']}';
  }

  // Answers the text of a request with a promise of the text of its reply. A request takes as many turns of the engine's
  // queue in a batch as alone.
  return function handle(payload) {
    const request = parse(payload);
    return request.op === 'batch' ? batch(request.requests) : reply(request);
  };
})
