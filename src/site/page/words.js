'use strict';
// What the page says in its language, and says again when the language changes.

/** The texts that are shown now, by the identifier of their element. */
const told = new Map();

/** A text of the page in its language, with values in its places. */
function say(name, values = {}) {
  const words = SITE.words[state.lang];
  const text = (Number(values.count ?? values.points) === 1 && words[`${name}-one`]) || words[name] || '';
  return text.replace(/\{(\w+)\}/g, (place, key) => values[key] ?? place);
}

/** Shows the text that a function returns. */
function tell(id, text) {
  told.set(id, text);
  part(id).textContent = text();
}

const nothing = () => '';

/** Shows everything in the language of the page. */
function sayAll() {
  document.documentElement.lang = state.lang;
  for (const element of document.querySelectorAll('[data-word]')) element.textContent = say(element.dataset.word);
  for (const element of document.querySelectorAll('[data-label]')) element.ariaLabel = say(element.dataset.label);
  for (const [id, text] of told) part(id).textContent = text();
  part('lang').value = state.lang;
  for (const option of part('exercise').options) {
    option.textContent = state.list.find((each) => each.name === option.value)?.title[state.lang] ?? '';
  }
  const exercise = state.exercise;
  const title = exercise?.title[state.lang] ?? say('title');
  part('title').textContent = document.title = title;
  part('drop-here').textContent = wanted().length ? say('drop-files', { files: expected() }) : say('drop');
  const what = exercise?.ungraded.map((text) => `“${text[state.lang]}”`) ?? [];
  if (exercise?.hidden) what.unshift(say('hidden', { count: exercise.hidden }));
  part('left-out').textContent = what.length ? say('left-out', { what: what.join(', ') }) : '';
}

/** A reason why something was not done: a function that returns the sentence, and the error itself for somebody who helps. */
class Refusal extends Error {
  constructor(text, details = '') {
    super(details || text());
    Object.assign(this, { text, details });
  }
}

/** Says what went wrong, with a command that helps or with the error itself, and returns null. */
function trouble(text, { command = '', details = '' } = {}) {
  tell('why-not', text);
  for (const [id, shown, words] of [['command', 'command', command], ['details', 'error', details]]) {
    part(id).hidden = !words;
    part(shown).textContent = words;
  }
  part('details').open = false;
  part('trouble').hidden = false;
  tell('status', nothing);
  part('sample').hidden = true;
  clearReport();
  return null;
}

/** Says that an error ended something. Its own words are for somebody who helps. */
function failed(error) {
  return trouble(error.text ?? (() => say('failed')), { details: error.text ? error.details : error.message });
}
