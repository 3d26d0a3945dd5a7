/**
 * `npm test`: everything that must hold before a change may land. Runs every check, each an npm script of its own, and says at the end which
 * failed and what each took; only checks that read `dist/` do not run where the build failed. Words after `npm test --` go to vitest, and then
 * the tests that they name are all that runs.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { findRedisServer } from './find-redis-server.mjs';

/**
 * The cheapest first, so that a slip is seen early. Those `beside` others have one thread of their own and change nothing: they run at the same time,
 * and the output of each is printed when it ends.
 */
const checks = [
  { script: 'format:check', what: 'format' },
  { script: 'typecheck', what: 'types' },
  { script: 'lint', what: 'lint' },
  { script: 'build', what: 'build' },
  { script: 'check:docs', what: 'generated pages', beside: true, readsBuild: true },
  { script: 'check:api', what: 'API report', beside: true, readsBuild: true },
  { script: 'check:unused', what: 'unused code and packages', beside: true },
  { script: 'check:exports', what: 'exports of the package', beside: true, readsBuild: true },
  // attw packs the package, which by itself would build it again.
  {
    script: 'check:package-types',
    what: 'types of the package',
    readsBuild: true,
    beside: true,
    env: { npm_config_ignore_scripts: 'true' },
  },
  { script: 'vitest', what: 'tests', readsBuild: true },
];

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const words = process.argv.slice(2);
if (words.length > 0) process.exitCode = await runScript('vitest', words);
else await runAll();

async function runAll() {
  await installRedis();
  const startedAt = performance.now();
  const results = [];
  for (const check of checks.filter(({ beside, script }) => !beside && script !== 'vitest')) {
    results.push(await runCheck(check, results));
  }
  const waiting = checks.filter(({ beside }) => beside);
  const runWaiting = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      results.push(await runCheck(check, results));
    }
  };
  await Promise.all([runWaiting(), runWaiting()]);
  results.push(await runCheck(checks.at(-1), results));
  report(results, performance.now() - startedAt);
  process.exitCode = results.every(({ outcome }) => outcome === 'passed') ? 0 : 1;
}

/** Runs one of `checks` after those that gave `results`. */
async function runCheck({ script, what, readsBuild = false, beside = false, env = {} }, results) {
  const isBuilt = !results.some((result) => result.script === 'build' && result.outcome === 'failed');
  if (readsBuild && !isBuilt) return { script, what, outcome: 'not run', ms: 0 };
  const heading = `\n> ${what} (npm run ${script})\n`;
  if (!beside) process.stdout.write(heading);
  const startedAt = performance.now();
  const exitCode =
    script === 'vitest' ? await runTests() : await runScript(script, [], { env, ...(beside && { heading }) });
  return { script, what, outcome: exitCode === 0 ? 'passed' : 'failed', ms: performance.now() - startedAt };
}

/** Tests of stores start a real Redis. Where there is none it is installed, where this may be done; else those tests are not run. */
async function installRedis() {
  if (findRedisServer() !== undefined || process.platform !== 'linux' || process.getuid() !== 0) return;
  process.stdout.write('\n> redis-server, for the tests of stores (apt-get install redis-server)\n');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '-q', '--no-install-recommends', 'redis-server'];
  if ((await run('apt-get', install, { env })) === 0) return;
  await run('apt-get', ['update', '-q'], { env });
  await run('apt-get', install, { env });
}

/** `totalMs`: less than all checks took where some ran at the same time. */
function report(results, totalMs) {
  const lines = results.map(
    ({ what, outcome, ms }) => `  ${outcome.padEnd(7)}  ${what.padEnd(26)}${toSeconds(ms).padStart(7)}`,
  );
  const count = (wanted) => results.filter(({ outcome }) => outcome === wanted).length;
  const failed = results.length - count('passed');
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
  process.stdout.write(`Checks: ${count('passed')} passed, ${failed} failed or not run, in ${toSeconds(totalMs)}\n`);
  process.stdout.write(`Tests: ${toTestCounts(results)}\n`);
}

function toSeconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** What vitest counted in `testReport()`. */
function toTestCounts(results) {
  if (results.at(-1).outcome === 'not run') return 'not run';
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(testReport(), 'utf8'));
    const skipped = numPendingTests === 0 ? '' : `, ${numPendingTests} not run${toReason()}`;
    return `${numPassedTests} passed, ${numFailedTests} failed${skipped}`;
  } catch {
    return 'vitest ended before it counted them';
  }
}

function toReason() {
  return findRedisServer() === undefined ? ': install redis-server (apt-get install redis-server)' : '';
}

function runTests() {
  rmSync(testReport(), { force: true });
  mkdirSync(dirname(testReport()), { recursive: true });
  return runScript('vitest', ['--reporter=default', '--reporter=json', `--outputFile.json=${testReport()}`]);
}

function testReport() {
  return join(process.cwd(), 'node_modules', '.cache', 'capix-tests.json');
}

/**
 * Runs an npm script of the package, with its output where ours goes; with a `heading`, both are printed when it has ended. Gives its exit code; 1
 * where it could not start or was killed.
 */
function runScript(name, args, { env = {}, heading } = {}) {
  if (process.platform === 'win32') {
    // npm is a .cmd file on Windows, which only a shell runs.
    return run('npm', ['run', '--silent', name, ...(args.length > 0 ? ['--', ...args] : [])], { env, heading });
  }
  // As npm runs it, without the fifth of a second of CPU time that npm takes to start.
  const PATH = [join(process.cwd(), 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  return run('/bin/sh', ['-c', `${scripts[name]} "$@"`, name, ...args], { env: { ...env, PATH }, heading });
}

function run(file, words, { env = {}, heading } = {}) {
  const child = spawn(file, words, {
    stdio: heading === undefined ? 'inherit' : ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  const output = [heading ?? ''];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => output.push(bytes));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${[file, ...words].join(' ')} could not start: ${error.message}\n`);
      resolve(1);
    });
    child.on('close', (code, signal) => {
      for (const part of output) process.stdout.write(part);
      if (signal !== null) process.stderr.write(`${[file, ...words].join(' ')} was ended by ${signal}\n`);
      resolve(code ?? 1);
    });
  });
}
