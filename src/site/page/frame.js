'use strict';
// Keeps the frame in which submissions in JavaScript run (frame.html), as keur's worker asks for it.

/** Milliseconds between two looks at the frame. */
const PULSE = 50;

/** Listens to a worker of keur: { frame, port }, a number and a port, asks for a new frame. Gives what removes the frame. */
function framed(grader, html) {
  let frame;
  let pulse;
  const remove = () => {
    clearInterval(pulse);
    frame?.remove();
  };
  grader.addEventListener('message', ({ data }) => {
    if (!data.frame) return;
    remove();
    const made = document.createElement('iframe');
    Object.assign(made, { sandbox: 'allow-scripts', srcdoc: html, className: 'engine', tabIndex: -1, ariaHidden: 'true' });
    made.onload = () => {
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
