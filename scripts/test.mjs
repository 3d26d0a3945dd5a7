/**
 * `npm test`: everything that must hold before a change may land. Runs every check, each an npm script of its own, and says at the end which
 * failed and what each took; only checks that read `dist/` do not run where the build failed. Words after `npm test --` go to vitest, and then
 * the tests that they name are all that runs.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { findRedisServer } from './find-redis-server.mjs';

/** The cheapest first, so that a slip is seen early. */
const checks = [
  { script: 'format:check', what: 'format' },
  { script: 'typecheck', what: 'types' },
  { script: 'lint', what: 'lint' },
  { script: 'build', what: 'build' },
  { script: 'check:docs', what: 'generated pages', readsBuild: true },
  { script: 'check:api', what: 'API report', readsBuild: true },
  { script: 'check:unused', what: 'unused code and packages' },
  { script: 'check:exports', what: 'exports of the package', readsBuild: true },
  // attw packs the package, which by itself would build it again.
  {
    script: 'check:package-types',
    what: 'types of the package',
    readsBuild: true,
    env: { npm_config_ignore_scripts: 'true' },
  },
  { script: 'vitest', what: 'tests', readsBuild: true },
];

const words = process.argv.slice(2);
if (words.length > 0) process.exitCode = await runScript('vitest', words);
else await runAll();

async function runAll() {
  await installRedis();
  const results = [];
  for (const { script, what, readsBuild = false, env = {} } of checks) {
    const isBuilt = !results.some((result) => result.script === 'build' && result.outcome === 'failed');
    if (readsBuild && !isBuilt) {
      results.push({ script, what, outcome: 'not run', ms: 0 });
      continue;
    }
    process.stdout.write(`\n> ${what} (npm run ${script})\n`);
    const startedAt = performance.now();
    const exitCode = script === 'vitest' ? await runTests() : await runScript(script, [], env);
    results.push({ script, what, outcome: exitCode === 0 ? 'passed' : 'failed', ms: performance.now() - startedAt });
  }
  report(results);
  process.exitCode = results.every(({ outcome }) => outcome === 'passed') ? 0 : 1;
}

/** Tests of stores start a real Redis. Where there is none it is installed, where this may be done; else those tests are not run. */
async function installRedis() {
  if (findRedisServer() !== undefined || process.platform !== 'linux' || process.getuid() !== 0) return;
  process.stdout.write('\n> redis-server, for the tests of stores (apt-get install redis-server)\n');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '-q', '--no-install-recommends', 'redis-server'];
  if ((await run('apt-get', install, env)) === 0) return;
  await run('apt-get', ['update', '-q'], env);
  await run('apt-get', install, env);
}

function report(results) {
  const lines = results.map(
    ({ what, outcome, ms }) => `  ${outcome.padEnd(7)}  ${what.padEnd(26)}${toSeconds(ms).padStart(7)}`,
  );
  const total = results.reduce((sum, { ms }) => sum + ms, 0);
  const count = (wanted) => results.filter(({ outcome }) => outcome === wanted).length;
  const failed = results.length - count('passed');
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
  process.stdout.write(`Checks: ${count('passed')} passed, ${failed} failed or not run, in ${toSeconds(total)}\n`);
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

/** Runs an npm script of the package, with its output where ours goes. Gives its exit code; 1 where it could not start or was killed. */
function runScript(name, args, env = {}) {
  // npm is a .cmd file on Windows, which only a shell runs.
  const command = ['run', '--silent', name, ...(args.length > 0 ? ['--', ...args] : [])];
  return run('npm', command, env);
}

function run(file, words, env) {
  const child = spawn(file, words, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${[file, ...words].join(' ')} could not start: ${error.message}\n`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}
