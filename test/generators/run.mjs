/**
 * `npm run generators`: what programs of others make of a server's document and tools. `kinds` calls a server through each program of `kinds/programs.mjs`, with
 * ten kinds of values; `walk` compiles and calls whole clients. All are npm packages, installed into `node_modules/.cache/capix-generators`. A run of all writes
 * the tables in `docs/compatibility.md`, and fails where a kind that was right there is no longer. Words choose: `npm run generators -- orval prism`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runKinds } from './kinds/run-kinds.mjs';
import { findLosses, writeRows } from './kinds/table.mjs';
import { runWalk } from './walk/run-walk.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const cache = join(root, 'node_modules', '.cache', 'capix-generators');
const page = join(root, 'docs', 'compatibility.md');
const words = process.argv.slice(2);
const isWanted = (what) => words.length === 0 || words.some((word) => what.includes(word));

const { rows, node } = await runKinds(cache, isWanted);
const { outcomes, packages } = await runWalk(isWanted);
const text = await readFile(page, 'utf8');
const losses = findLosses(text, rows);
if (losses.length > 0) {
  process.exitCode = 1;
  process.stdout.write(
    `\nRight in docs/compatibility.md, and no longer:\n  ${losses.join('\n  ')}\n`,
  );
}
if (words.length === 0) {
  const day = new Date().toISOString().slice(0, 10);
  await writeFile(page, writeOutcomes(writeRows(text, rows, { day, node }), { day, node }));
} else {
  for (const { title, verdicts } of rows)
    for (const { title: kind, outcome, note } of verdicts)
      if (note !== undefined) process.stdout.write(`${title}, ${kind}: ${outcome}: ${note}\n`);
}

/** Writes what came of the walk between two marks of the page. */
function writeOutcomes(written, { day, node: version }) {
  const [start, end] = ['<!-- generators -->\n', '<!-- end of generators -->'];
  const before = written.slice(0, written.indexOf(start) + start.length);
  const after = written.slice(written.indexOf(end));
  const versions = Object.entries(packages).map(([name, each]) => `${name} ${each}`);
  const facts = `Run on ${day} with Node ${version}: ${versions.join(', ')}.`;
  const lines = outcomes.map(([label, outcome]) => `| ${label} | ${outcome} |`);
  const table = ['| Reader | Outcome |', '|---|---|', ...lines].join('\n');
  return `${before}\n${facts}\n\n${table}\n\n${after}`;
}
