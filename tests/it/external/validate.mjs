// Reads reports with the readers of their formats: `validate.mjs tap|ctrf FILE…`, beside a node_modules that holds them.
// Prints for each file how many tests it holds and how many of them failed.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, format, ...files] = process.argv.slice(2);
const require = createRequire(path.join(modules, 'x.js'));
const load = (name) => import(pathToFileURL(require.resolve(name)));

async function tap(text) {
  const { Parser } = await load('tap-parser');
  const parser = new Parser({ strict: true });
  const problems = [];
  let named = 0;
  parser.on('extra', (line) => problems.push(`no line of TAP: ${line}`));
  parser.on('assert', (test) => {
    if (test.skip || test.todo) problems.push(`a directive: ${test.name}`);
    if (!test.ok && !test.diag?.message) problems.push(`no diagnosis: ${test.name}`);
    named += test.name ? 1 : 0;
  });
  const done = new Promise((resolve) => parser.on('complete', resolve));
  parser.end(text);
  const result = await done;
  problems.push(...result.failures.filter((failure) => failure.tapError).map((failure) => failure.tapError));
  if (named !== result.count) problems.push('a test without a name');
  return [problems, result.count, result.fail];
}

async function ctrf(text) {
  const { validate } = await load('ctrf');
  const report = JSON.parse(text);
  const { valid, errors } = validate(report);
  const { tests, failed } = report.results.summary;
  return [valid ? [] : errors, tests, failed];
}

for (const file of files) {
  const [problems, count, failed] = await { tap, ctrf }[format](fs.readFileSync(file, 'utf8'));
  if (problems.length) {
    console.error(file, problems.slice(0, 5));
    process.exitCode = 1;
  }
  console.log(count, failed);
}
