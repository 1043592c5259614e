'use strict';
// Keeps the frame in which submissions in JavaScript run (frame.html), as keur's worker asks for it.

/** Milliseconds between two looks at the frame, and until it must have loaded: one whose process has ended never does. */
const PULSE = 50;
const LOADING = 20_000;

/** Listens to a worker of keur: { frame, port }, a number and a port, asks for a new frame. Gives what removes the frame. */
function framed(grader, html) {
  let frame;
  let pulse;
  let limit;
  const remove = () => {
    clearInterval(pulse);
    clearTimeout(limit);
    frame?.remove();
  };
  grader.addEventListener('message', ({ data }) => {
    if (!data.frame) return;
    remove();
    const made = document.createElement('iframe');
    Object.assign(made, { sandbox: 'allow-scripts', srcdoc: html, className: 'engine', tabIndex: -1, ariaHidden: 'true' });
    limit = setTimeout(() => {
      remove();
      grader.postMessage({ unloaded: data.frame });
    }, LOADING);
    made.onload = () => {
      clearTimeout(limit);
      made.contentWindow.postMessage(null, '*', [data.port]);
      // Its process has ended if the frame in it is gone.
      pulse = setInterval(() => {
        if (made.contentWindow.length > 0) return;
        remove();
        grader.postMessage({ fallen: data.frame });
      }, PULSE);
    };
    frame = made;
    document.body.append(frame);
  });
  return remove;
}
