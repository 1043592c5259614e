// A worker in which a submission in Python runs: Pyodide with keur's driver. It takes { pyodide }, the address of Pyodide's
// folder, with a snapshot of another one's memory if there is one, then { launch } before each case, and frames, each of
// which it answers with one. It posts { ready }, with a snapshot if it made one, or { failed }, { words, stream }, bytes
// that were written to standard output (1) or standard error (2), and { ended }, the status with which the interpreter
// ended.
//
// A fresh interpreter takes seconds to start. Instead the memory of this one is copied once, after the driver has begun, and
// put back for each further case: what a case did to it is undone, modules and all.

// Writing is passed on in pieces of this size, in bytes, and at the end of each request.
const PIECE = 1024;

const post = globalThis.postMessage.bind(globalThis);
const { Uint8Array: Bytes, WebAssembly: { Memory } } = globalThis;

const encoder = new TextEncoder();

let pyodide;
let folder;
let answer;
let saved;
let streams;
let launched;

// Python's local time is UTC, as in `keur grade`, and not that of the browser.
const { Date: Time } = globalThis;
const UTC = class extends Time {
  constructor(...parts) { super(...(parts.length > 1 ? [Time.UTC(...parts)] : parts)); }
  getTimezoneOffset() { return 0; }
};
for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds']) {
  UTC.prototype[`get${part}`] = Time.prototype[`getUTC${part}`];
}
globalThis.Date = UTC;

// The memory of WebAssembly may grow to this many bytes.
let most = Infinity;
const grow = Memory.prototype.grow;
Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65536 > most) throw new RangeError('the memory limit is reached');
  return Reflect.apply(grow, this, [pages]);
};

// What is written to standard output and to standard error is gathered, so that a flood is not a flood of messages.
const gathered = [1, 2].map((stream) => ({ stream, pieces: [], size: 0, total: 0 }));
const [output, errors] = gathered;

const writer = (to) => (buffer) => {
  to.pieces.push(buffer.slice());
  to.size += buffer.length;
  to.total += buffer.length;
  if (to.size >= PIECE) flush(to);
  return buffer.length;
};

function flush(of) {
  if (of.size === 0) return;
  const words = new Bytes(of.size);
  let at = 0;
  for (const piece of of.pieces) {
    words.set(piece, at);
    at += piece.length;
  }
  of.pieces = [];
  of.size = 0;
  post({ words, stream: of.stream });
}

// A program that reads waits here for the next frame, while Python is suspended.
let pending;
const next = (reply) => {
  gathered.forEach(flush);
  post(reply.toJs());
  return new Promise((resolve) => { pending = resolve; });
};

const BEGIN = `
def begin(text, arguments, next, printed):
    import asyncio, builtins, os, sys, time
    from pyodide.ffi import run_sync
    sys.argv = [''] + arguments.to_py()
    sys.setrecursionlimit(1000)
    # Pyodide leaves timers to the browser, which would call them after the memory is put back. This loop runs them itself.
    class Selector:
        def select(self, timeout):
            time.sleep(3600 if timeout is None else timeout)
    class Loop(asyncio.BaseEventLoop):
        _selector = Selector()
        def _process_events(self, events): pass
        def _write_to_self(self): pass
    class Policy(asyncio.events._BaseDefaultEventLoopPolicy):
        _loop_factory = Loop
    browser = asyncio.events._get_running_loop()
    asyncio.events._set_running_loop(None)
    asyncio.events._set_event_loop_policy(Policy())
    asyncio.run = asyncio.run.__wrapped__
    time.sleep = time.sleep.__wrapped__
    # Nothing of the module site, which keur imports nowhere, and no other variables than elsewhere.
    for name in ('copyright', 'credits', 'exit', 'help', 'license', 'quit'):
        builtins.__dict__.pop(name, None)
    for name in set(os.environ) - {'LANG', 'PYTHONHASHSEED', 'PYTHONUTF8'}:
        del os.environ[name]
    # No way from Python to the page that a submission would find by importing it.
    hidden = 'js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core', 'micropip'
    class Hidden:
        def find_spec(self, name, path=None, target=None):
            if name.partition('.')[0] in hidden:
                raise ModuleNotFoundError(f'No module named {name!r}', name=name)
    sys.meta_path[:] = [Hidden(), *(finder for finder in sys.meta_path if type(finder).__name__ != 'JsFinder')]
    for name in list(sys.modules):
        if name.partition('.')[0] in hidden:
            del sys.modules[name]
    def wait(reply):
        running = asyncio.events._get_running_loop()
        asyncio.events._set_running_loop(browser)
        try:
            return run_sync(next(reply)).to_bytes()
        finally:
            asyncio.events._set_running_loop(running)
    names = {'__name__': 'driver', '__builtins__': __builtins__, 'WAIT': wait, 'PRINTED': printed}
    exec(compile(text, 'driver', 'exec'), names)
    answer = names['answer']
    return lambda frame: answer(frame.to_bytes())
begin`;

async function load({ pyodide: given, snapshot }) {
  folder = given;
  const { loadPyodide } = await import(new URL('pyodide.mjs', folder).href);
  const env = { PYTHONHASHSEED: '0', HOME: '/', LANG: 'C.UTF-8', PYTHONUTF8: '1' };
  const start = (more) => loadPyodide({ indexURL: folder, env, ...more });
  pyodide = snapshot && await start({ _loadSnapshot: snapshot }).catch(() => undefined);
  let made;
  if (pyodide === undefined) {
    pyodide = await start({ _makeSnapshot: true });
    made = pyodide.makeMemorySnapshot?.();
  }
  pyodide.setStdout({ write: writer(output) });
  pyodide.setStderr({ write: writer(errors) });
  pyodide.setStdin({ stdin: () => null });
  post({ ready: true, snapshot: made }, made === undefined ? [] : [made.buffer]);
}

// What a worker has and a submission must not reach: the network and what outlives the page.
const WITHHELD = ['fetch', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'EventSource', 'WebTransport', 'BroadcastChannel',
  'Worker', 'indexedDB', 'caches', 'importScripts', 'postMessage', 'navigator', 'WorkerNavigator', 'StorageManager',
  'webkitRequestFileSystem', 'webkitRequestFileSystemSync', 'webkitResolveLocalFileSystemURL',
  'webkitResolveLocalFileSystemSyncURL'];

// Closes the world around the interpreter: no file can be written, as on a system, since files are not in its memory and
// would stay.
function close() {
  for (const name of WITHHELD) Reflect.deleteProperty(globalThis, name);
  for (let object = Object.getPrototypeOf(globalThis); object !== null; object = Object.getPrototypeOf(object)) {
    for (const name of WITHHELD) Reflect.deleteProperty(object, name);
  }
  const { FS } = pyodide;
  const shut = (path) => {
    for (const name of FS.readdir(path)) {
      const inner = `${path === '/' ? '' : path}/${name}`;
      if (name !== '.' && name !== '..' && inner !== '/proc/self/fd' && FS.isDir(FS.lstat(inner).mode)) shut(inner);
    }
    FS.chmod(path, 0o555);
  };
  shut('/');
  for (const name of ['chmod', 'lchmod', 'fchmod']) FS[name] = () => { throw new FS.ErrnoError(63); };
}

// Puts the memory back, with the open files and the folder, which are not in it; or begins: then the driver starts, and
// its memory is copied.
async function launch(given) {
  const key = JSON.stringify(given);
  if (launched !== undefined && launched !== key) throw new Error('a worker serves one submission');
  most = Infinity;
  const memory = pyodide._module;
  if (launched === undefined) {
    const { driver, args: [role, seed], wheels } = given;
    if (wheels.length) await pyodide.loadPackage(wheels.map((name) => new URL(name, folder).href));
    const begin = pyodide.runPython(BEGIN);
    answer = begin(driver, [role, seed], next, () => output.total);
    begin.destroy();
    close();
    launched = key;
    streams = [...pyodide.FS.streams];
    saved = memory.HEAPU8.slice();
  } else {
    pyodide.FS.streams.splice(0, Infinity, ...streams);
    streams.forEach((stream, fd) => { if (stream) stream.fd = fd; });
    pyodide.FS.currentPath = '/';
    if (memory.HEAPU8.length > saved.length) memory.HEAPU8.fill(0, saved.length);
    memory.HEAPU8.set(saved);
  }
  most = Math.max(saved.length + given.memory, memory.HEAPU8.length);
}

async function ask(frame) {
  const reply = await answer.callPromising(frame);
  const bytes = reply.toJs();
  reply.destroy();
  gathered.forEach(flush);
  post(bytes);
}

// A promise while something is done.
let queue = Promise.resolve();

function take(data) {
  if (data instanceof Bytes && pending !== undefined) {
    const resolve = pending;
    pending = undefined;
    return resolve(data);
  }
  queue = queue.then(async () => {
    try {
      if (data instanceof Bytes) await ask(data);
      else if (data.launch) await launch(data.launch);
    } catch (error) {
      writer(errors)(encoder.encode(`${error}\n`));
      gathered.forEach(flush);
      post({ ended: Number.isInteger(error?.status) ? error.status : 1 });
    }
  });
}

onmessage = ({ data }) => {
  if (data.pyodide) queue = load(data).catch((error) => post({ failed: `Pyodide cannot be loaded: ${error.message}` }));
  else take(data);
};
