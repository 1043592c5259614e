'use strict';
// What this browser keeps of earlier results, and what changed since then.

const PLACE = `keur ${new URL('.', location.href).pathname}`;

/** What is kept under a name; null if there is nothing, or the browser keeps nothing. */
function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(`${PLACE} ${name}`));
  } catch {
    return null;
  }
}

/** Keeps a value under a name, if the browser keeps anything. */
function keep(name, value) {
  try {
    localStorage.setItem(`${PLACE} ${name}`, JSON.stringify(value));
  } catch {
    // Then there is no last time.
  }
}

/** Removes what was kept of results. */
function forget() {
  try {
    for (const key of Object.keys(localStorage).filter((key) => key.startsWith(`${PLACE} `) && key !== `${PLACE} lang`)) localStorage.removeItem(key);
  } catch {
    // Then nothing was kept.
  }
}

/** What is kept of a report: the points, and whether each case passed. */
function summary(report, exercise) {
  const cases = report.cases.map((each) => [each.name, each.verdict === 'passed']);
  return { points: report.points, most: report.max_points, cases: Object.fromEntries(cases), exercise };
}

/** The changes from an earlier summary to a report: points, and the titles of cases that newly pass or fail. */
function changes(before, report, exercise) {
  const passes = [];
  const fails = [];
  for (const { name, title, verdict } of report.cases) {
    const passed = verdict === 'passed';
    const known = Object.hasOwn(before.cases, name);
    if (known && before.cases[name] !== passed) (passed ? passes : fails).push(title);
  }
  const points = Math.round((report.points - before.points) * 100) / 100;
  return { points, passes, fails, other: before.exercise !== exercise };
}

/** A short digest of a text, to see whether it is another one. */
function digest(text) {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum >>> 0;
}
