// The JavaScript driver in a worker of a page: a function of the natives that the worker offers, which are those of
// quickjs.js, of the browser's version and of the seed; it gives what answers the text of a request with a promise of
// the text of its reply. `native.drain` resolves between two tasks of the worker, when all microtasks have run.
(function (native, version, seed) {
  let timers;
  const loader = (engine) => LOADER(Object.assign(engine, {
    async turn() {
      await native.drain();
      const fired = timers.fire();
      await native.drain();
      return fired;
    },
  }));
  return CORE(HOST(native, loader, () => (timers = TIMERS()), seed), 'javascript', version, OPERATORS);
})
