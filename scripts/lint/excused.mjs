/** The files that may break a legible rule still: `scripts/lint/excused.json`, by rule. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import config, { legibleRules } from '../../oxlint.config.mjs';

const list = new URL('excused.json', import.meta.url);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files of the list that break their rule no longer, or that are gone, as `rule file`. */
export async function findClean() {
  const excused = await readExcused();
  const breaches = await findBreaches();
  return Object.entries(excused).flatMap(([rule, files]) =>
    files.filter((file) => !breaches.get(rule)?.has(file)).map((file) => `${rule} ${file}`),
  );
}

/** Takes the files that have become clean out of the list. Nothing adds one. */
export async function strikeClean() {
  const excused = await readExcused();
  const clean = await findClean();
  const left = Object.entries(excused).map(([rule, files]) => [
    rule,
    files.filter((file) => !clean.includes(`${rule} ${file}`)).toSorted(),
  ]);
  const rules = Object.fromEntries(left.filter(([, files]) => files.length > 0));
  await writeFile(list, `${JSON.stringify(rules, undefined, 2)}\n`);
  return clean;
}

/** The files of library and tool that break each legible rule, excused or not. */
export async function findBreaches() {
  const folder = await mkdtemp(join(tmpdir(), 'capix-legible-'));
  try {
    const strict = join(folder, 'strict.json');
    const plugin = join(root, 'scripts/lint/legible.mjs');
    await writeFile(
      strict,
      JSON.stringify({
        plugins: config.plugins,
        jsPlugins: [plugin],
        categories: { correctness: 'off' },
        rules: legibleRules,
      }),
    );
    return toFilesByRule(await runOxlint(strict));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readExcused() {
  return JSON.parse(await readFile(list, 'utf8'));
}

function runOxlint(strict) {
  const entry = createRequire(import.meta.url).resolve('oxlint/package.json');
  const program = join(dirname(entry), 'bin/oxlint');
  const product = ['server-runtime', 'source', 'commands', 'cli.ts'];
  const args = [program, '-c', strict, '--format', 'json', ...product];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      // Oxlint exits with 1 where it has found something, and writes its report all the same.
      if (stdout.startsWith('{')) resolve(JSON.parse(stdout));
      else reject(new Error(`Oxlint has written no report: ${stderr}`, { cause: error }));
    });
  });
}

/** Oxlint reports `eslint(complexity)` for what its configuration calls `complexity`. */
function toFilesByRule({ diagnostics }) {
  const files = new Map();
  for (const { code, filename } of diagnostics) {
    const rule = code.replace(/^eslint\((.*)\)$/, '$1').replace(/^(\w+)\((.*)\)$/, '$1/$2');
    files.set(rule, (files.get(rule) ?? new Set()).add(filename.replaceAll('\\', '/')));
  }
  return files;
}
