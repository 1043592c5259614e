// The timers of a submission, the same on every engine. No time passes for it between two calls: a timer fires when a
// call waits for a promise, at once and in the order of the times.
(function () {
  'use strict';
  // Those that have not fired, and the time that has passed for them.
  let waiting = [];
  let clock = 0;

  const add = (every) => (call, delay, ...values) => {
    const after = Math.max(1, Number(delay) || 0);
    const made = { ref() { return made; }, unref() { return made; }, hasRef: () => true };
    waiting.push({ made, time: clock + after, every: every ? after : 0, call: () => call(...values) });
    return made;
  };
  const clear = (made) => { waiting = waiting.filter((timer) => timer.made !== made); };
  const functions = {
    setTimeout: add(false), setInterval: add(true), clearTimeout: clear, clearInterval: clear, clearImmediate: clear,
    setImmediate: (call, ...values) => functions.setTimeout(call, 0, ...values),
  };

  return {
    // What a fresh global object has; no timer of an earlier one fires any more.
    fresh() {
      waiting = [];
      return functions;
    },

    // Fires the next timer; false if there is none.
    fire() {
      const next = waiting.reduce((first, timer) => (first === undefined || timer.time < first.time ? timer : first), undefined);
      if (next === undefined) return false;
      clock = next.time;
      if (next.every) next.time += next.every;
      else waiting.splice(waiting.indexOf(next), 1);
      try { next.call(); } catch { /* as an error in a timer ends a program of its own, not this one */ }
      return true;
    },
  };
})
