'use strict';
// Samples: submissions that a student may try.

/** The buttons of an exercise's samples. */
function offerSamples(names) {
  part('samples').hidden = !names.length;
  part('sample-list').replaceChildren(...names.map((name) => {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: name });
    button.addEventListener('click', () => trySample(name).catch(failed));
    return button;
  }));
}

async function trySample(name) {
  const exercise = state.exercise;
  const samples = await (await get(`samples/${encodeURIComponent(exercise.name)}.json`)).json();
  const sample = samples.find((each) => each.name === name);
  if (!sample || exercise !== state.exercise) return undefined;
  return grade(sample.files.map((file) => fromFile(new File([file.text], file.name), file.name)), { sample });
}

/** Shows the files of the sample that is graded, folded; nothing if it is no sample. */
function showSample(sample) {
  part('sample').hidden = !sample;
  for (const button of part('sample-list').children) button.ariaPressed = String(button.textContent === sample?.name);
  part('sample-name').textContent = sample?.name ?? '';
  const several = sample?.files.length > 1;
  part('sample-files').replaceChildren(...(sample?.files ?? []).flatMap(({ name, text }) => {
    const code = Object.assign(document.createElement('pre'), { textContent: text });
    return several ? [Object.assign(document.createElement('p'), { textContent: name }), code] : [code];
  }));
}
