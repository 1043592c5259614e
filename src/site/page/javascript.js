// A worker in which a submission in JavaScript runs one case: the browser's engine with keur's driver. The first message
// has its port. Over that it takes { launch } and frames, each of which it answers with one. It posts { ready }, { words },
// bytes that were written beyond what a reply holds, and { ended }, the status with which the submission ended.

const {
  Function: Make, URL: Address, Blob, TextDecoder, TextEncoder, Uint8Array: Bytes, DataView, MessageChannel, Map: Table, Worker,
  Promise: Future, SyntaxError: Unreadable, Error: Failure, Object: { assign }, JSON: { stringify }, atob: fromBase64,
} = globalThis;
let post;
const close = globalThis.close.bind(globalThis);
const run = globalThis.eval;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

// What a reply holds of the output before it, in characters. More is beyond a limit, and sent at once.
const MOST_GATHERED = 1 << 20;

// The names of a script on node that no standard of the language has; all others of a worker are taken away.
const KEPT = ['console', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'atob', 'btoa', 'structuredClone',
  'queueMicrotask', 'performance', 'AbortController', 'AbortSignal', 'Event', 'EventTarget', 'WebAssembly', 'DOMException'];

// Those of the language, as a worker has them beside its own.
const LANGUAGE = ['Object', 'Function', 'Array', 'Number', 'parseFloat', 'parseInt', 'Infinity', 'NaN', 'undefined',
  'Boolean', 'String', 'Symbol', 'Date', 'Promise', 'RegExp', 'Error', 'AggregateError', 'EvalError', 'RangeError',
  'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'SuppressedError', 'globalThis', 'JSON', 'Math', 'Intl',
  'ArrayBuffer', 'Atomics', 'Uint8Array', 'Int8Array', 'Uint16Array', 'Int16Array', 'Uint32Array', 'Int32Array',
  'Float16Array', 'Float32Array', 'Float64Array', 'Uint8ClampedArray', 'BigUint64Array', 'BigInt64Array', 'DataView', 'Map',
  'BigInt', 'Set', 'Iterator', 'WeakMap', 'WeakSet', 'WeakRef', 'Proxy', 'Reflect', 'FinalizationRegistry', 'decodeURI',
  'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape', 'eval', 'isFinite', 'isNaN',
  'DisposableStack', 'AsyncDisposableStack'];

// The version of the browser, for the report.
function version() {
  const [, found] = /(?:Chrome|Firefox|Version)\/([\d.]+)/.exec(navigator.userAgent) ?? [];
  return found ?? '0';
}

// Takes away what a worker has and a script on node has not: the network, storage, and the way to the page.
function strip() {
  const names = new Set([...KEPT, ...LANGUAGE]);
  for (let object = globalThis; object !== null && object !== Object.prototype; object = Object.getPrototypeOf(object)) {
    for (const key of Reflect.ownKeys(object)) {
      if (typeof key !== 'string' || key === 'constructor' || names.has(key)) continue;
      // A script has these methods on other objects than the global one.
      if (object === EventTarget.prototype) Reflect.defineProperty(globalThis, key, { value: undefined });
      else Reflect.deleteProperty(object, key);
    }
    if (object !== globalThis && object !== EventTarget.prototype) Reflect.deleteProperty(object, 'constructor');
  }
  Reflect.deleteProperty(Worker.prototype, 'constructor');
}

let gathered = '';

function write(text) {
  gathered += text.slice(0, MOST_GATHERED);
  if (gathered.length < MOST_GATHERED) return;
  post({ words: encoder.encode(gathered), stream: 1 });
  gathered = '';
}

function printed() {
  if (!gathered) return '';
  const text = gathered;
  gathered = '';
  return ',"out":' + stringify(text);
}

// Microtasks run before the next message of a channel arrives.
const { port1, port2 } = new MessageChannel();
const drained = [];
port1.onmessage = () => drained.shift()();
const drain = () => new Future((resolve) => {
  drained.push(resolve);
  port2.postMessage(0);
});

// ---- ES modules, each at the address of a blob -------------------------------------------------------------------

const SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\2/g;
const addresses = new Table();
const exported = [];
let find;

async function address({ name, source, exposing, exports }) {
  if (addresses.has(name)) return addresses.get(name);
  const placed = async (text) => {
    const known = new Table();
    for (const [, , , specifier] of text.matchAll(SPECIFIER)) known.set(specifier, await address(find(specifier)));
    return text.replace(SPECIFIER, (_, before, quote, specifier) => before + quote + known.get(specifier) + quote);
  };
  const made = async (text) =>
    Address.createObjectURL(new Blob([await placed(text) + `\n//# sourceURL=${name}`], { type: 'text/javascript' }));
  if (exports !== undefined) {
    exported.push(exports);
    globalThis.keur$exports = exported;
    exposing = exposing.replace('import.meta.exports', `globalThis.keur$exports[${exported.length - 1}]`);
  }
  let at = await made(exposing);
  try {
    await import(at);
  } catch (error) {
    // A source that exposes names it does not have is used unchanged.
    if (error instanceof Unreadable) at = await made(source);
  }
  delete globalThis.keur$exports;
  addresses.set(name, at);
  return at;
}

function unreadable(source) {
  try {
    run(`throw 0;${source}`);
  } catch (error) {
    return error?.lineNumber;
  }
}

// The line of the first error in syntax of a script, which runs nothing of it: a script with such an error does not run.
const line = (source) => new Future((resolve) => {
  const at = Address.createObjectURL(new Blob([`throw 0;${source}`], { type: 'text/javascript' }));
  const worker = new Worker(at);
  worker.onerror = (event) => {
    event.preventDefault();
    worker.terminate();
    // Firefox does not say why it cannot read a script, but its errors have a line.
    if (event.message === undefined) resolve(unreadable(source));
    else resolve(event.message.includes('SyntaxError') ? event.lineno : undefined);
  };
});

const native = {
  line,
  evaluate: (source, name) => run(`${source}\n//# sourceURL=${name}`),
  function: Make,
  global: globalThis,
  modules(given) { find = given; },
  forget() { addresses.clear(); },
  module: async (name) => import(await address(find(name))),
  text: (data) => decoder.decode(Bytes.from(fromBase64(data), (char) => char.charCodeAt(0))),
  drain,
  printed,
  write,
  exit(status) {
    post({ ended: status & 255 });
    close();
    throw new Failure('ended');
  },
  exhausted() {},
};

let handle;

async function take(data) {
  if (data instanceof Bytes) {
    const reply = encoder.encode(await handle(decoder.decode(data.subarray(12))));
    const frame = new Bytes(12 + reply.length);
    new DataView(frame.buffer).setUint32(0, reply.length, true);
    frame.set(data.subarray(4, 12), 4);
    frame.set(reply, 12);
    post(frame);
  } else if (data.launch) {
    const { driver, args: [seed] } = data.launch;
    const begin = run(driver);
    const browser = version();
    strip();
    handle = begin(native, browser, Number(seed));
  }
}

let queue = Future.resolve();
addEventListener('message', ({ ports: [port] }) => {
  post = port.postMessage.bind(port);
  port.onmessage = ({ data }) => {
    queue = queue.then(() => take(data)).catch((error) => {
      post({ words: encoder.encode(`${error}\n`) });
      post({ ended: 1 });
    });
  };
  post({ ready: true });
}, { once: true });
