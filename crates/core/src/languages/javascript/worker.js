// The JavaScript driver in a worker of a page: a function of the natives that the worker offers, which are those of
// quickjs.js, of the browser's version and of the seed; it gives what answers the text of a request with a promise of
// the text of its reply. `native.drain` resolves between two tasks of the worker, when all microtasks have run, and
// `native.line(source)` to the line of its first error in syntax, which a browser tells of whole scripts alone.
// `native.forget()` gives modules that run from now on new addresses.
(function (native, version, seed) {
  let timers;
  // The source that could not be read last.
  let unread;
  const evaluate = (source, name) => {
    unread = { source, name };
    return native.evaluate(source, name);
  };
  const refreshing = (refresh) => () => {
    native.forget();
    refresh();
  };
  const loader = (engine) => LOADER(Object.assign(engine, {
    // A module at another address is another one.
    keepsModules: false,
    refresh: refreshing(engine.refresh),
    async turn() {
      await native.drain();
      const fired = timers.fire();
      await native.drain();
      return fired;
    },
  }));
  const host = HOST({ ...native, evaluate }, loader, () => (timers = TIMERS()), seed);
  const { load } = host;
  host.load = async (...request) => {
    const loaded = await load(...request);
    const { problem } = loaded;
    // Its stack has frames of this driver alone.
    if (problem instanceof SyntaxError && !problem.stack.includes(`(${unread.name}:`)) {
      const line = await native.line(unread.source);
      if (line !== undefined) problem.stack = `${unread.name}:${line}\n${problem.stack}`;
    }
    return loaded;
  };
  return CORE(host, 'javascript', version, OPERATORS);
})
