/**
 * `npm test`: everything that must hold before a change may land. Runs every check, each an npm script of its own, and
 * says at the end which failed and what each took; what reads `dist/` does not run where the build failed. With words
 * after `npm test --`, only the tests that they name run. The longest tests are those of `npm run long`.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { findRedisServer } from './find-redis-server.mjs';

/** The cheapest first, so that a slip is seen early. Those that are `quiet` run at the same time. */
const checks = [
  { script: 'format:check', what: 'format' },
  { script: 'typecheck', what: 'types' },
  { script: 'lint', what: 'lint' },
  { script: 'build', what: 'build' },
  { script: 'check:docs', what: 'generated pages', isQuiet: true },
  { script: 'check:api', what: 'API report', isQuiet: true, readsBuild: true },
  { script: 'check:unused', what: 'unused code and packages', isQuiet: true },
  { script: 'check:exports', what: 'exports of the package', isQuiet: true, readsBuild: true },
  { script: 'check:package-types', what: 'types of the package', isQuiet: true, readsBuild: true },
  { script: 'vitest', what: 'tests', readsBuild: true },
];
const report = join(process.cwd(), 'node_modules', '.cache', 'capix-tests.json');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

const words = process.argv.slice(2);
if (words.length > 0) process.exitCode = await runScript('vitest', words);
else await runAll();

async function runAll() {
  await installRedis();
  const startedAt = performance.now();
  const results = new Map();
  const runCheck = async (check) => {
    const isBuilt = !check.readsBuild || results.get('build')?.outcome === 'passed';
    results.set(check.script, isBuilt ? await time(check) : { outcome: 'not run', ms: 0 });
  };
  for (const check of checks) {
    if (check.script === 'vitest')
      await Promise.all(checks.filter(({ isQuiet }) => isQuiet).map(runCheck));
    if (!check.isQuiet) await runCheck(check);
  }
  const ended = checks.map(({ script, what }) => ({ what, ...results.get(script) }));
  const passed = ended.filter(({ outcome }) => outcome === 'passed').length;
  const lines = ended.map(
    ({ what, outcome, ms }) => `  ${outcome.padEnd(7)}  ${what.padEnd(26)}${toSeconds(ms)}`,
  );
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
  const total = toSeconds(performance.now() - startedAt).trim();
  process.stdout.write(
    `Checks: ${passed} passed, ${checks.length - passed} failed or not run, in ${total}\n`,
  );
  process.stdout.write(
    `Tests: ${results.get('vitest').outcome === 'not run' ? 'not run' : countTests()}\n`,
  );
  process.exitCode = passed === checks.length ? 0 : 1;
}

async function time({ script, what, isQuiet }) {
  const heading = `\n> ${what} (npm run ${script})\n`;
  if (!isQuiet) process.stdout.write(heading);
  const startedAt = performance.now();
  const exitCode =
    script === 'vitest'
      ? await runTests()
      : await runScript(script, [], isQuiet ? heading : undefined);
  return { outcome: exitCode === 0 ? 'passed' : 'failed', ms: performance.now() - startedAt };
}

/** Tests of stores start a real Redis, which is installed where this may be done; else those tests are not run. */
async function installRedis() {
  if (findRedisServer() !== undefined || process.platform !== 'linux' || process.getuid() !== 0)
    return;
  process.stdout.write(
    '\n> Installing redis-server for the tests of stores (apt-get install redis-server)\n',
  );
  const install = 'apt-get install -y -q --no-install-recommends redis-server';
  await run(
    `export DEBIAN_FRONTEND=noninteractive; ${install} || (apt-get update -q && ${install})`,
  );
}

function toSeconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`.padStart(7);
}

/** What vitest has counted. */
function countTests() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    const reason =
      findRedisServer() === undefined
        ? ': install redis-server (apt-get install redis-server)'
        : '';
    const skipped = numPendingTests === 0 ? '' : `, ${numPendingTests} not run${reason}`;
    return `${numPassedTests} passed, ${numFailedTests} failed${skipped}`;
  } catch {
    return 'vitest ended before it counted them';
  }
}

function runTests() {
  rmSync(report, { force: true });
  mkdirSync(dirname(report), { recursive: true });
  const projects = ['--project=sources', '--project=alone', '--project=built'];
  return runScript('vitest', [
    ...projects,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
}

/** Runs an npm script, as npm does. With a `heading`, that and its output are printed when it has ended. */
function runScript(name, args, heading) {
  const PATH = [join(process.cwd(), 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  // attw packs the package, which by itself would build it again.
  const env = {
    ...process.env,
    PATH,
    ...(name === 'check:package-types' && { npm_config_ignore_scripts: 'true' }),
  };
  return run([scripts[name], ...args.map((arg) => JSON.stringify(arg))].join(' '), {
    heading,
    env,
  });
}

/** Runs a line of a shell. Gives the exit code; 1 where it was killed. */
function run(line, { heading, env = process.env } = {}) {
  const stdio = heading === undefined ? 'inherit' : ['inherit', 'pipe', 'pipe'];
  const child = spawn(line, { stdio, env, shell: true });
  const output = [heading ?? ''];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes) => output.push(bytes));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      for (const part of output) process.stdout.write(part);
      if (signal !== null) process.stderr.write(`${line} was ended by ${signal}\n`);
      resolve(code ?? 1);
    });
  });
}
