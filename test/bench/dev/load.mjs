/**
 * What the dev screen costs while it is busy: 2,000 requests a second, and then 200,000 lines at 20,000 a second. Tells how long answers take
 * with the screen and without, how long a key press takes to show, and the memory of the process that draws.
 *
 *     node test/bench/dev/load.mjs [--seconds 10] [--screen]
 */
import { execFileSync, spawn as spawnProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spawn } from '@lydell/node-pty';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, screen: { type: 'boolean', default: false } },
});
const REQUESTS_PER_SECOND = 2_000;
const environment = { ...process.env, TERM: 'xterm-256color' };
for (const name of ['NODE_EXTRA_CA_CERTS', 'CI', 'NO_COLOR']) delete environment[name];

const folder = await createProject();
try {
  const alone = await measureAlone();
  const plain = options.screen ? [] : [await measurePlain(['--no-requests']), await measurePlain([])];
  console.table([alone, ...plain, await measureScreen()]);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

async function measureAlone() {
  const port = await findFreePort();
  const child = spawnProcess(process.execPath, ['src/server.mjs'], {
    cwd: folder,
    env: { ...environment, PORT: String(port) },
    stdio: 'ignore',
  });
  await waitForServer(port);
  const times = await sendRequests(port, () => child.pid);
  child.kill();
  await once(child, 'exit');
  return { how: 'server alone', ...times };
}

async function measurePlain(flags) {
  const port = await findFreePort();
  const args = [join(root, 'dist', 'cli.js'), 'dev', 'src/server.mjs', '--plain', '--port', String(port), ...flags];
  const child = spawnProcess(process.execPath, args, { cwd: folder, env: environment, stdio: 'ignore' });
  await waitForServer(port);
  const times = await sendRequests(port, () => busiestChild(child.pid));
  child.kill('SIGINT');
  await once(child, 'exit');
  return { how: ['capix dev --plain', ...flags].join(' '), ...times };
}

async function measureScreen() {
  const port = await findFreePort();
  const args = [join(root, 'dist', 'cli.js'), 'dev', 'src/server.mjs', '--port', String(port)];
  const terminal = spawn(process.execPath, args, { cwd: folder, cols: 120, rows: 40, env: environment });
  let output = '';
  let watch = () => {};
  terminal.onData((data) => {
    output = (output + data).slice(-200_000);
    watch();
  });
  await waitForServer(port);
  const keys = setInterval(() => void measureKey(), 500);
  const keyTimesMs = [];
  const memory = trackMemory(terminal.pid);
  const parentBefore = readCpuMs(terminal.pid);
  const times = await sendRequests(port, () => busiestChild(terminal.pid));
  const parentMs = readCpuMs(terminal.pid) - parentBefore;
  await ask(port, '/floods');
  await sleep(12_000);
  clearInterval(keys);
  const peakMB = memory();
  terminal.write('q');
  await new Promise((resolve) => terminal.onExit(resolve));
  return {
    how: 'capix dev, screen',
    ...times,
    'screen CPU %': Math.round(parentMs / Number(options.seconds) / 10),
    'key p50 ms': percentile(keyTimesMs, 0.5),
    'key p95 ms': percentile(keyTimesMs, 0.95),
    'peak MB of the screen': peakMB,
  };

  async function measureKey() {
    const tab = keyTimesMs.length % 3;
    const wanted = ['[1 routes', '[2 requests', '[3 logs'][tab];
    const startedAt = performance.now();
    output = '';
    terminal.write(String(tab + 1));
    await new Promise((resolve) => {
      watch = () => output.includes(wanted) && resolve();
    });
    keyTimesMs.push(performance.now() - startedAt);
  }
}

function trackMemory(pid) {
  let peak = 0;
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    peak = Math.max(peak, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }, 100);
  return () => {
    clearInterval(timer);
    return Math.round(peak);
  };
}

/** CPU time of a process until now; the clock of Linux counts hundredths of a second. */
function readCpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The server among the processes of the screen: its spare does nothing, its bundler neither. */
function busiestChild(pid) {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  const servers = children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('dev-child'));
  return Math.max(
    ...servers
      .map(Number)
      .sort((a, b) => readCpuMs(b) - readCpuMs(a))
      .slice(0, 1),
  );
}

/** At a steady rate, whatever the answers take. */
async function sendRequests(port, findServer) {
  const cpuBefore = readCpuMs(findServer());
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const timesMs = [];
  const under = new Set();
  const startedAt = performance.now();
  const total = Number(options.seconds) * REQUESTS_PER_SECOND;
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1000) * REQUESTS_PER_SECOND);
    for (; sent < due; sent++) {
      const sentAt = performance.now();
      const answer = ask(port, '/notes', agent).then(() => {
        under.delete(answer);
        timesMs.push(performance.now() - sentAt);
      });
      under.add(answer);
    }
    await sleep(2);
  }
  await Promise.all(under);
  agent.destroy();
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = readCpuMs(findServer()) - cpuBefore;
  return {
    'server CPU µs/request': Math.round((cpuMs * 1000) / total),
    'requests/s': Math.round(total / seconds),
    'p50 ms': percentile(timesMs, 0.5),
    'p95 ms': percentile(timesMs, 0.95),
  };
}

function ask(port, path, agent = false) {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, path, agent }, (response) =>
      response.resume().on('end', resolve).on('error', reject),
    );
    outgoing.on('error', reject).end();
  });
}

async function waitForServer(port) {
  for (let left = 500; left > 0; left--) {
    if (
      await ask(port, '/notes').then(
        () => true,
        () => false,
      )
    )
      return;
    await sleep(20);
  }
  throw new Error('The server did not start.');
}

async function createProject() {
  const made = await mkdtemp(join(tmpdir(), 'capix-bench-'));
  await mkdir(join(made, 'src'));
  await mkdir(join(made, 'node_modules'));
  await symlink(root, join(made, 'node_modules', 'capix'));
  await symlink(join(root, 'node_modules', 'zod'), join(made, 'node_modules', 'zod'));
  await writeFile(join(made, 'package.json'), '{"name": "bench", "type": "module"}');
  await writeFile(
    join(made, 'src', 'server.mjs'),
    `import { capability, createServer, restTransport } from 'capix';
const notes = Array.from({ length: 20 }, (_, id) => ({ id: String(id), text: 'a note of some length', at: 1700000000000 }));
const listNotes = capability(() => notes);
const listFloods = capability(() => {
  let left = 200;
  const timer = setInterval(() => {
    for (let line = 0; line < 1000; line++) console.log('a line of the flood, as long as lines are on average ' + line);
    if (--left === 0) clearInterval(timer);
  }, 50);
});
await createServer({ capabilities: { notes: { listNotes }, floods: { listFloods } }, transports: [restTransport({ port: Number(process.env.PORT) })] }).start();
`,
  );
  return made;
}

async function findFreePort() {
  const server = createServer().listen(0);
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 100) / 100;
}
