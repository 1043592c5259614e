// What attributes, indexing, operators and the builtin functions of a step mean. Plain values mean what they mean in
// Python: a null or undefined is None, an array a list, a Map or a plain object a dict, and a string is a list of code
// points. On any other object it is the object's own method or property that counts. `core` offers functions of core.js:
//   array(items), set(items)       collections of the submission's realm
//   missing(kind, name, on, near)  what is thrown for something that is not there
//   typeName(value), methodNames(value)
(function (core) {
  'use strict';
  const { array, set, missing, typeName, methodNames } = core;
  const { isArray } = Array;
  const { isInteger, isSafeInteger } = Number;
  const { abs, floor, max, min } = Math;
  const { getPrototypeOf, getOwnPropertyDescriptor, getOwnPropertyNames, keys, hasOwn } = Object;
  const { iterator } = Symbol;
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const [mapSize, setSize] = [Map, Set].map((type) => uncurry(getOwnPropertyDescriptor(type.prototype, 'size').get));
  const [mapEach, setEach] = [Map, Set].map((type) => uncurry(type.prototype.forEach));
  const [mapHas, setHas] = [Map, Set].map((type) => uncurry(type.prototype.has));
  const [mapGet, mapSet] = ['get', 'set'].map((name) => uncurry(Map.prototype[name]));
  const MOST_NAMES = 200;

  function works(size, value) {
    try {
      size(value);
      return true;
    } catch {
      return false;
    }
  }

  // What a value is in Python's words: none, number, str, list, set, dict; or own.
  function kindOf(value) {
    switch (typeof value) {
      case 'undefined': return 'none';
      case 'boolean': case 'number': case 'bigint': return 'number';
      case 'string': return 'str';
      case 'object': break;
      default: return 'own';
    }
    if (value === null) return 'none';
    if (isArray(value)) return 'list';
    const prototype = getPrototypeOf(value);
    // That of a plain object, of any realm.
    if (prototype === null || getPrototypeOf(prototype) === null && hasOwn(prototype, 'hasOwnProperty')) return 'dict';
    if (works(mapSize, value)) return 'dict';
    return works(setSize, value) ? 'set' : 'own';
  }

  function nameOf(value) {
    return value === null ? 'null' : typeof value === 'object' ? typeName(value) : typeof value;
  }

  // The error of values that do not have an operator: of an object's own, a method is missing.
  function without(what, ...values) {
    const own = values.find((value) => kindOf(value) === 'own');
    if (own !== undefined) return missing('method', what, typeName(own), methodNames(own));
    return new TypeError(`'${what}' is not supported for ${values.map(nameOf).join(' and ')}`);
  }

  // The error of a value that does not have what a method of this name would give.
  function lacks(value, what, method) {
    return kindOf(value) === 'own' ? without(method, value) : new TypeError(`${nameOf(value)} has no ${what}`);
  }

  function has(value, name) { return typeof value[name] === 'function'; }

  // ---- attributes, indexes and slices ------------------------------------------------------------------------------

  function attributeNames(value) {
    const found = [];
    for (let p = value; p !== null && found.length < MOST_NAMES; p = getPrototypeOf(p)) {
      if (p !== value && hasOwn(p, 'hasOwnProperty')) break;
      for (const name of getOwnPropertyNames(p)) {
        if (typeof getOwnPropertyDescriptor(p, name)?.value !== 'function') found.push(name.slice(0, 200));
      }
    }
    return found.slice(0, MOST_NAMES);
  }

  function attribute(on, name) {
    if (kindOf(on) !== 'none' && !(name in Object(on))) {
      throw missing('attribute', String(name), nameOf(on), attributeNames(Object(on)));
    }
    const value = on[name];
    // A method that should be called. An object may hold a function as well.
    if (typeof value === 'function' && !hasOwn(on, name)) throw missing('called', String(name), nameOf(on), []);
    return value;
  }

  function assign(on, name, value) { on[name] = value; }

  function whole(value, what) {
    if (kindOf(value) === 'number' && (typeof value !== 'number' || isInteger(value))) return Number(value);
    throw new TypeError(`${what} must be a whole number, not ${nameOf(value)}`);
  }

  function place(length, key, what) {
    const at = whole(key, `the index of a ${what}`);
    if (at >= length || at < -length) throw new Error(`${what} index out of range`);
    return at < 0 ? at + length : at;
  }

  // The key of a dict that is equal to this one; undefined if there is none.
  function keyIn(dict, key) {
    if (!works(mapSize, dict)) {
      const name = typeof key === 'number' ? String(key) : key;
      return typeof name === 'string' && hasOwn(dict, name) ? name : undefined;
    }
    return mapHas(dict, key) ? key : items(dict).find((other) => same(other, key));
  }

  function index(on, key) {
    switch (kindOf(on)) {
      case 'str': {
        const points = [...on];
        return points[place(points.length, key, 'string')];
      }
      case 'list': return on[place(on.length, key, 'list')];
      case 'dict': {
        const name = keyIn(on, key);
        if (name === undefined) throw new Error(repr(key));
        return works(mapSize, on) ? mapGet(on, name) : on[name];
      }
      case 'own': return attribute(on, key);
    }
    throw lacks(on, 'index');
  }

  function assignAt(on, key, value) {
    switch (kindOf(on)) {
      case 'list': on[place(on.length, key, 'list')] = value; return;
      case 'dict':
        if (works(mapSize, on)) mapSet(on, keyIn(on, key) ?? key, value);
        else on[key] = value;
        return;
      case 'own': on[key] = value; return;
    }
    throw lacks(on, 'index that can be set');
  }

  function sliced(on, [from, to, step]) {
    const kind = kindOf(on);
    if (kind !== 'list' && kind !== 'str') throw lacks(on, 'slices', 'slice');
    const all = items(on);
    const by = (step ?? null) === null ? 1 : whole(step, 'the step of a slice');
    if (by === 0) throw new Error('slice step cannot be zero');
    const [first, last] = by < 0 ? [-1, all.length - 1] : [0, all.length];
    const bound = (at, otherwise) => {
      if ((at ?? null) === null) return otherwise;
      const index = whole(at, 'the bound of a slice');
      return index < 0 ? max(index + all.length, first) : min(index, last);
    };
    const [begin, end] = [bound(from, by < 0 ? last : first), bound(to, by < 0 ? first : last)];
    const out = [];
    for (let i = begin; by > 0 ? i < end : i > end; i += by) out.push(all[i]);
    return kind === 'str' ? out.join('') : array(out);
  }

  // ---- what a value contains ---------------------------------------------------------------------------------------

  function pairs(dict) {
    const out = [];
    if (works(mapSize, dict)) mapEach(dict, (item, key) => { out.push([key, item]); });
    else for (const key of keys(dict)) out.push([key, dict[key]]);
    return out;
  }

  // What a loop over the value meets, as an array of the driver's own.
  function items(value) {
    const out = [];
    switch (kindOf(value)) {
      case 'str': return [...value];
      case 'list':
        for (let i = 0; i < value.length; i++) out[i] = value[i];
        return out;
      case 'set':
        setEach(value, (item) => { out.push(item); });
        return out;
      case 'dict': return pairs(value).map(([key]) => key);
      case 'own':
        if (has(value, iterator)) return [...value];
    }
    throw lacks(value, 'items', '[Symbol.iterator]');
  }

  // The items that are bound to so many names.
  function unpacked(value, count) {
    const all = items(value);
    if (all.length > count) throw new Error(`too many values to unpack (expected ${count})`);
    if (all.length < count) throw new Error(`not enough values to unpack (expected ${count}, got ${all.length})`);
    return all;
  }

  function size(value) {
    switch (kindOf(value)) {
      case 'none': case 'number': break;
      case 'own': {
        const name = ['length', 'size'].find((name) => name in value);
        if (name === undefined) break;
        return has(value, name) ? value[name]() : value[name];
      }
      default: return items(value).length;
    }
    throw lacks(value, 'length', 'length');
  }

  function contains(item, on) {
    switch (kindOf(on)) {
      case 'str':
        if (typeof item === 'string') return on.includes(item);
        throw without('in', item, on);
      case 'dict': return keyIn(on, item) !== undefined;
      case 'set':
        if (setHas(on, item)) return true;
        break;
      case 'own': {
        const name = ['has', 'includes'].find((name) => has(on, name));
        if (name !== undefined) return on[name](item);
      }
    }
    return items(on).some((other) => same(other, item));
  }

  // ---- comparisons ---------------------------------------------------------------------------------------------------

  function same(a, b) { return a === b || truth(equal(a, b)); }

  function equal(a, b) {
    const [one, other] = [kindOf(a), kindOf(b)];
    if (one === 'own' && has(a, 'equals')) return a.equals(b);
    if (other === 'own' && has(b, 'equals')) return b.equals(a);
    if (one !== other) return false;
    switch (one) {
      case 'none': return true;
      // A bigint, a number and a boolean with the same value are equal.
      case 'number': return a == b;
      case 'str': case 'own': return a === b;
    }
    const all = items(a);
    const others = items(b);
    if (all.length !== others.length) return false;
    if (one === 'list') return all.every((item, i) => same(item, others[i]));
    if (one === 'set') return all.every((item) => contains(item, b));
    return all.every((key) => contains(key, b) && same(index(a, key), index(b, key)));
  }

  function holds(op, order) {
    switch (op) {
      case '<': return order < 0;
      case '<=': return order <= 0;
      case '>': return order > 0;
      default: return order >= 0;
    }
  }

  function compare(op, a, b) {
    const [one, other] = [kindOf(a), kindOf(b)];
    if (one === 'own' && has(a, 'compareTo')) return holds(op, a.compareTo(b));
    if (other === 'own' && has(b, 'compareTo')) return holds(op, -b.compareTo(a));
    if (one === 'own' || other === 'own') throw without('compareTo', a, b);
    if (one !== other || one === 'none' || one === 'dict') throw without(op, a, b);
    if (one === 'number') {
      switch (op) {
        case '<': return a < b;
        case '<=': return a <= b;
        case '>': return a > b;
        default: return a >= b;
      }
    }
    const [all, others] = [items(a), items(b)];
    if (one === 'set') {
      const within = (few, many) => few.every((item) => contains(item, many));
      const part = op[0] === '<' ? within(all, b) : within(others, a);
      return part && (op.length === 2 || all.length !== others.length);
    }
    for (let i = 0; i < all.length && i < others.length; i++) {
      if (same(all[i], others[i])) continue;
      return one === 'list' ? compare(op, all[i], others[i])
        : holds(op, all[i].codePointAt(0) - others[i].codePointAt(0));
    }
    return holds(op, all.length - others.length);
  }

  function truth(value) {
    switch (kindOf(value)) {
      case 'none': return false;
      case 'number': return value != 0;
      case 'own': return true;
      default: return items(value).length > 0;
    }
  }

  // ---- arithmetic ----------------------------------------------------------------------------------------------------

  function arithmetic(op, a, b) {
    const [one, other] = [kindOf(a), kindOf(b)];
    if (one === 'number' && other === 'number') return small(calculated(op, a, b));
    if (op === '+' && one === other) {
      if (one === 'str') return a + b;
      if (one === 'list') return array([...items(a), ...items(b)]);
    }
    if (op === '-' && one === 'set' && other === 'set') return set(items(a).filter((item) => !contains(item, b)));
    if (op === '*') {
      if (one === 'number' && (other === 'str' || other === 'list')) return arithmetic(op, b, a);
      if (other === 'number' && (one === 'str' || one === 'list')) {
        const times = max(whole(b, 'a repetition'), 0);
        if (one === 'str') return a.repeat(times);
        const [all, out] = [items(a), []];
        for (let i = 0; i < times; i++) out.push(...all);
        return array(out);
      }
    }
    throw without(op, a, b);
  }

  // An integer is a bigint where a number could not hold it, as in literals.
  function small(value) {
    return typeof value === 'bigint' && isSafeInteger(Number(value)) ? Number(value) : value;
  }

  function calculated(op, a, b) {
    let [x, y] = [a, b].map((value) => (typeof value === 'boolean' ? Number(value) : value));
    if (typeof x !== typeof y) {
      // A bigint and a whole number give a bigint, with a fraction it is a number.
      const type = [x, y].every((value) => typeof value === 'bigint' || isInteger(value)) ? BigInt : Number;
      [x, y] = [type(x), type(y)];
    }
    const zero = y == 0;
    if (zero && (op === '/' || op === '//' || op === '%')) throw new Error('division by zero');
    switch (op) {
      case '+': return x + y;
      case '-': return x - y;
      // A whole number has no negative zero in Python.
      case '*': return typeof x === 'number' && isInteger(x) && isInteger(y) ? x * y + 0 : x * y;
      case '/': return Number(x) / Number(y);
      case '**':
        if (x == 0 && y < 0) throw new Error('zero to a negative power');
        return typeof x === 'bigint' && y < 0 ? Number(x) ** Number(y) : x ** y;
    }
    // The remainder has the sign of the divisor.
    let rest = x % y;
    if (rest != 0 && rest < 0 !== y < 0) rest += y;
    if (op === '%') return typeof rest === 'number' ? rest + 0 : rest;
    if (typeof x === 'bigint') return (x - rest) / y;
    const whole = (x - rest) / y;
    const down = floor(whole);
    return (whole - down > 0.5 ? down + 1 : down) + 0;
  }

  function negated(value) {
    if (kindOf(value) !== 'number') throw without('-', value);
    return typeof value === 'bigint' ? small(-value) : 0 - Number(value);
  }

  // ---- texts ---------------------------------------------------------------------------------------------------------

  const escapes = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

  function quoted(text) {
    const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
    const written = text.replace(/[\p{C}\p{Z}\\'"]/gu, (point) => {
      if (point === ' ' || (point !== quote && (point === '"' || point === "'"))) return point;
      if (point === quote) return '\\' + point;
      const code = point.codePointAt(0);
      const [mark, digits] = code > 0xffff ? ['U', 8] : code > 0xff ? ['u', 4] : ['x', 2];
      return escapes[point] ?? '\\' + mark + code.toString(16).padStart(digits, '0');
    });
    return quote + written + quote;
  }

  function numberText(value) {
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    if (typeof value === 'bigint') return String(value);
    if (value !== value) return 'nan';
    if (abs(value) === Infinity) return value < 0 ? '-inf' : 'inf';
    if (value === 0) return 1 / value < 0 ? '-0.0' : '0';
    return abs(value) < 1e-4 ? value.toExponential().replace(/-(\d)$/, '-0$1') : String(value);
  }

  function repr(value) {
    switch (kindOf(value)) {
      case 'none': return 'None';
      case 'number': return numberText(value);
      case 'str': return quoted(value);
      case 'list': return '[' + items(value).map(repr).join(', ') + ']';
      case 'set': return setSize(value) === 0 ? 'set()' : '{' + items(value).map(repr).join(', ') + '}';
      case 'dict': return '{' + pairs(value).map(([key, item]) => repr(key) + ': ' + repr(item)).join(', ') + '}';
    }
    return value.toString();
  }

  function isInstance(value, type) {
    return isArray(type) ? items(type).some((one) => isInstance(value, one)) : value instanceof type;
  }

  const builtins = {
    len: size,
    str: (value) => (typeof value === 'string' ? value : repr(value)),
    repr(value) {
      if (kindOf(value) === 'own') throw without('repr', value);
      return repr(value);
    },
    list: (value) => array(items(value)),
    sorted: (value) => array(items(value).sort((a, b) => (compare('<', a, b) ? -1 : compare('<', b, a) ? 1 : 0))),
    isinstance: isInstance,
  };

  return {
    attribute, assign, index, assignAt, sliced, unpacked,

    operator(op, args) {
      const [a, b] = args;
      switch (op) {
        case '==': return equal(a, b);
        case '!=': return !truth(equal(a, b));
        case '<': case '<=': case '>': case '>=': return compare(op, a, b);
        case 'in': return contains(a, b);
        case 'not': return !truth(a);
        case 'neg': return negated(a);
        default: return arithmetic(op, a, b);
      }
    },

    builtin: (name, args) => builtins[name](...args),
  };
})
