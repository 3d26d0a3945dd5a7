import { execFileSync, spawn as spawnProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import { pinToServerCore } from '../server-process.mjs';
import { ask, percentile } from './steady-load.mjs';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const cli = join(root, 'dist', 'cli.cjs');

/** A server that answers GET and POST of `/notes` and, once asked for `/floods`, writes 200,000 lines at 20,000 a second. */
export async function createProject() {
  const folder = await mkdtemp(join(tmpdir(), 'capix-bench-'));
  await mkdir(join(folder, 'src'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules', 'capix'));
  await symlink(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'));
  await writeFile(join(folder, 'package.json'), '{"name": "bench", "type": "module"}');
  await writeFile(
    join(folder, 'src', 'server.mjs'),
    `import { capability, createServer, restTransport } from 'capix';
const notes = Array.from({ length: 20 }, (_, id) => ({ id: String(id), text: 'a note of some length', at: 1700000000000 }));
const listNotes = capability(() => notes);
const createNote = capability(() => notes);
const listFloods = capability(() => {
  let left = 200;
  const timer = setInterval(() => {
    for (let line = 0; line < 1000; line++) console.log('a line of the flood, as long as lines are on average ' + line);
    if (--left === 0) clearInterval(timer);
  }, 50);
});
await createServer({ capabilities: { notes: { listNotes, createNote }, floods: { listFloods } }, transports: [restTransport({ port: Number(process.env.PORT) })] }).start();
`,
  );
  return folder;
}

/** `{name, port, serverPid, flood, stop}`; what it writes is read by a process of its own. */
export async function startAlone(folder) {
  const port = await findFreePort();
  const reader = spawnProcess('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  const child = spawnProcess(process.execPath, ['src/server.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout.pipe(reader.stdin);
  await waitForServer(port);
  return toSubject({
    name: 'alone',
    port,
    serverPid: child.pid,
    stop: () => end(child, 'SIGTERM'),
  });
}

export async function startPlain(folder, flags) {
  const port = await findFreePort();
  const child = spawnProcess(
    process.execPath,
    [cli, 'dev', 'src/server.mjs', '--plain', '--port', port, ...flags],
    {
      cwd: folder,
      stdio: 'ignore',
    },
  );
  const name = ['capix dev --plain', ...flags].join(' ');
  await waitForServer(port);
  return toSubject({
    name,
    port,
    serverPid: await findServer(child.pid, port),
    stop: () => end(child, 'SIGINT'),
  });
}

/** With `watchKeysAndMemory()`, which gives a function that stops it and tells what was seen. */
export async function startScreen(folder) {
  const port = await findFreePort();
  const terminal = spawn(process.execPath, [cli, 'dev', 'src/server.mjs', '--port', String(port)], {
    cwd: folder,
    cols: 120,
    rows: 40,
    env: { ...process.env, TERM: 'xterm-256color' },
  });
  let output = '';
  let onOutput = () => {};
  terminal.onData((data) => {
    output = (output + data).slice(-200_000);
    onOutput();
  });
  await waitForServer(port);
  const stop = async () => {
    const ended = new Promise((resolve) => terminal.onExit(resolve));
    terminal.write('q');
    await ended;
  };
  const subject = toSubject({
    name: 'capix dev',
    port,
    serverPid: await findServer(terminal.pid, port),
    stop,
  });
  return { ...subject, watchKeysAndMemory };

  function watchKeysAndMemory() {
    const timesMs = [];
    let peakMB = 0;
    const keys = setInterval(() => void pressKey(timesMs), 500);
    const memory = setInterval(() => {
      peakMB = Math.max(peakMB, readMemoryMB(terminal.pid));
    }, 100);
    return () => {
      clearInterval(keys);
      clearInterval(memory);
      return {
        'keys pressed': timesMs.length,
        'key p50 ms': Math.round(percentile(timesMs, 0.5)),
        'key p95 ms': Math.round(percentile(timesMs, 0.95)),
        'key max ms': Math.round(Math.max(...timesMs)),
        'peak MB of the screen': Math.round(peakMB),
      };
    };
  }

  async function pressKey(timesMs) {
    const tab = timesMs.length % 3;
    const wanted = ['[1 routes', '[2 requests', '[3 logs'][tab];
    const pressedAt = performance.now();
    output = '';
    terminal.write(String(tab + 1));
    await new Promise((resolve) => {
      onOutput = () => output.includes(wanted) && resolve();
    });
    timesMs.push(performance.now() - pressedAt);
  }
}

function toSubject(subject) {
  pinToServerCore(subject.serverPid);
  return { ...subject, flood: () => ask(subject.port, '/floods') };
}

async function end(child, signal) {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** The process under the command that answers: the one that an answer costs time. */
async function findServer(pid, port) {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  const servers = children.filter((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('dev-child'),
  );
  await sleep(1_000);
  const before = servers.map(readSwitches);
  for (let count = 0; count < 200; count++) await ask(port, '/notes');
  const grown = servers.map((child, index) => readSwitches(child) - before[index]);
  return Number(servers[grown.indexOf(Math.max(...grown))]);
}

function readSwitches(pid) {
  return Number(
    /^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
  );
}

function readMemoryMB(pid) {
  return (
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  );
}

async function waitForServer(port) {
  for (let left = 500; left > 0; left--) {
    const answers = await ask(port, '/notes').then(
      () => true,
      () => false,
    );
    if (answers) return;
    await sleep(20);
  }
  throw new Error('The server did not start.');
}

async function findFreePort() {
  const server = createServer().listen(0);
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
