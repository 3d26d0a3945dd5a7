/**
 * From a save to the first answer of the new code, asked every 2 ms by two clients in turn, one of GET and one of POST, each of which keeps its
 * connection and sends no request twice: `capix dev` against `tsx watch`, `node --watch --import tsx`, `wrangler dev` and `node`, a fresh
 * process of plain Node for each save that loads the same files as JavaScript, on a project of 3 and one of 100 capability files, interleaved.
 *
 *     node test/bench/dev/reload.mjs [--rounds 15] [--files 3,100,1000] [--tools 'capix dev,tsx watch']
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createProject, writeMark } from './reload-projects.mjs';
import { ask } from './steady-load.mjs';

const bench = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(bench, 'node_modules');

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    files: { type: 'string', default: '3,100' },
    tools: { type: 'string' },
  },
});
// Node 20 reads the file of certificates at every start: it is no part of what is measured.
delete process.env.NODE_EXTRA_CA_CERTS;

const all = [
  {
    name: 'capix dev',
    style: 'capix',
    toArgs: () => [
      join(dirname(dirname(bench)), 'dist', 'cli.cjs'),
      'dev',
      '--plain',
      '--no-requests',
      'src/server.ts',
    ],
  },
  {
    name: 'tsx watch',
    style: 'capix',
    toArgs: () => [
      join(modules, 'tsx', 'dist', 'cli.mjs'),
      'watch',
      '--clear-screen=false',
      'src/server.ts',
    ],
  },
  {
    name: 'node --watch',
    style: 'capix',
    toArgs: () => ['--watch', '--import', 'tsx', 'src/server.ts'],
  },
  {
    name: 'node',
    style: 'script',
    isFresh: true,
    toArgs: () => ['src/server.js'],
  },
  {
    name: 'wrangler dev',
    style: 'worker',
    toArgs: (port) => [
      join(modules, 'wrangler', 'bin', 'wrangler.js'),
      'dev',
      '--local',
      '--ip=127.0.0.1',
      `--port=${port}`,
      '--inspector-port=0',
    ],
  },
];

const tools = all.filter(({ name }) => options.tools?.split(',').includes(name) ?? true);
for (const fileCount of options.files.split(',').map(Number)) {
  const runners = [];
  for (const tool of tools) runners.push(await startTool(tool, fileCount));
  for (let round = 1; round <= Number(options.rounds); round++) {
    for (const runner of runners) await measureReload(runner, round);
  }
  const rows = [];
  for (const runner of runners) {
    rows.push(toRow(runner));
    await endTool(runner);
  }
  process.stdout.write(
    `${fileCount} capability files, ${options.rounds} saves, Node ${process.version}\n`,
  );
  console.table(rows);
}

async function startTool(tool, fileCount) {
  const { style } = tool;
  const runner = {
    ...tool,
    folder: await createProject(style, fileCount),
    reloadsMs: [],
    failed: 0,
    polls: 0,
    refusedMs: [],
  };
  await startProcess(runner);
  runner.startMs = (await waitForAnswer(runner, 'round 0')).durationMs;
  return runner;
}

async function startProcess(runner) {
  const port = await findFreePort();
  runner.port = port;
  runner.clients = ['GET', 'POST'].map((method) => ({
    method,
    agent: new Agent({ keepAlive: true, maxSockets: 1 }),
  }));
  runner.child = spawn(process.execPath, runner.toArgs(String(port)), {
    cwd: runner.folder,
    stdio: 'ignore',
    env: { ...process.env, PORT: String(port), WRANGLER_SEND_METRICS: 'false' },
    detached: true,
  });
}

async function endTool(runner) {
  await endProcess(runner);
  await rm(runner.folder, { recursive: true, force: true, maxRetries: 10 });
}

async function endProcess({ child, clients }) {
  for (const { agent } of clients) agent.destroy();
  process.kill(-child.pid, 'SIGKILL');
  await once(child, 'exit');
}

function toRow({ name, startMs, reloadsMs, failed, polls, refusedMs }) {
  return {
    tool: name,
    'start ms': Math.round(startMs),
    'reload ms': Math.round(median(reloadsMs)),
    'min ms': Math.round(Math.min(...reloadsMs)),
    'max ms': Math.round(Math.max(...reloadsMs)),
    'failed requests': `${failed} of ${polls}`,
    'refusing ms': Math.round(median(refusedMs)),
  };
}

async function measureReload(runner, round) {
  await sleep(400);
  if (runner.isFresh) await endProcess(runner);
  await writeMark(runner, round);
  if (runner.isFresh) await startProcess(runner);
  const { durationMs, failed, polls, refusedMs } = await waitForAnswer(runner, `round ${round}`);
  runner.reloadsMs.push(durationMs);
  runner.refusedMs.push(refusedMs);
  runner.failed += failed;
  runner.polls += polls;
}

async function waitForAnswer({ name, port, clients }, mark) {
  const startedAt = performance.now();
  let [failed, polls, firstFailure, lastFailure] = [0, 0, 0, 0];
  for (;;) {
    const body = await ask(port, '/marks', clients[polls % clients.length]).catch(() => undefined);
    polls++;
    const now = performance.now();
    if (body?.includes(`"${mark}"`))
      return { durationMs: now - startedAt, failed, polls, refusedMs: lastFailure - firstFailure };
    if (body === undefined) {
      failed++;
      firstFailure ||= now;
      lastFailure = now;
    }
    if (now - startedAt > 30_000) throw new Error(`${name} never answered with ${mark}.`);
    await sleep(2);
  }
}

async function findFreePort() {
  const server = createServer().listen(0);
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
