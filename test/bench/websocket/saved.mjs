/**
 * Measures a save of `capix dev` beside many connections: the time until each of them has an answer of the new code, from
 * when that is ready, and the CPU that clients, servers and tool take meanwhile (of `/proc`).
 * `npm run build && node test/bench/websocket/saved.mjs [connections] [saves] [busy programs beside it]`
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { createClient, webSocket } from '../../../dist/server-runtime/client/index.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const connectionCount = Number(process.argv[2] ?? 500);
const saveCount = Number(process.argv[3] ?? 3);
const busyCount = Number(process.argv[4] ?? 0);
const TICK_MS = 10;

const toServer = (version) => `
  import { capability, createServer, restTransport } from 'capix';
  import { webSocketTransport } from 'capix/websocket';
  const getVersion = capability(() => '${version}');
  await createServer({
    capabilities: { texts: { getVersion } },
    transports: [restTransport({ port: 0 }), webSocketTransport()],
  }).start();`;

const folder = mkdtempSync(join(tmpdir(), 'capix-saved-'));
mkdirSync(join(folder, 'src'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules', 'capix'), 'junction');
writeFileSync(join(folder, 'package.json'), '{"name": "saved", "type": "module"}');
const save = (version) => writeFileSync(join(folder, 'src', 'server.ts'), toServer(version));
save(0);

const dev = fork(join(root, 'dist', 'cli.cjs'), ['dev', '--json', '--port', '0'], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
const ready = followReady();
const busy = Array.from({ length: busyCount }, () => spawn(process.execPath, ['-e', 'for (;;);']));
try {
  const url = await ready();
  const links = Array.from({ length: connectionCount }, () => webSocket(url, { WebSocket }));
  const apis = links.map((transport) => createClient({ transport }));
  await Promise.all(apis.map((api) => api.texts.getVersion()));
  for (let version = 1; version <= saveCount; version++) await measure(apis, version);
  for (const link of links) link.close();
} finally {
  for (const each of [...busy, dev]) each.kill();
  await once(dev, 'exit');
  rmSync(folder, { recursive: true });
}

async function measure(apis, version) {
  const moves = apis.map((api) => move(api, version));
  save(version);
  await ready();
  const readyAtMs = performance.now();
  const before = readCpu();
  const own = process.cpuUsage();
  const movedAtMs = Math.max(...(await Promise.all(moves)));
  const { user, system } = process.cpuUsage(own);
  const after = readCpu();
  const used = (pid) => (after.get(pid) ?? 0) - (before.get(pid) ?? 0);
  const others = [...after.keys()].filter((pid) => pid !== dev.pid);
  const servers = others.map((pid) => used(pid)).join(' + ');
  process.stdout.write(
    `${connectionCount} connections moved in ${(movedAtMs - readyAtMs).toFixed(0)} ms; CPU in ms: clients ` +
      `${((user + system) / 1000).toFixed(0)}, servers ${servers}, tool ${used(dev.pid)}; load ${loadavg()[0]}\n`,
  );
}

/** Calls again and again until it has an answer of this version, and gives the time of that. */
async function move(api, version) {
  while ((await api.texts.getVersion()) !== String(version))
    await new Promise((resolve) => setTimeout(resolve, 100));
  return performance.now();
}

/** Gives what resolves with the URL of the next version that is ready. */
function followReady() {
  const lines = createInterface({ input: dev.stdout });
  const urls = [];
  let take;
  lines.on('line', (line) => {
    const { event, urls: found } = JSON.parse(line);
    if (event !== 'ready') return;
    urls.push(found[0]);
    take?.();
  });
  return async () => {
    if (urls.length === 0) await new Promise((resolve) => (take = resolve));
    return urls.shift();
  };
}

/** The CPU in ms that the tool and its children have used, by the id of each. */
function readCpu() {
  const used = new Map();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const text = readIfThere(`/proc/${name}/stat`);
    const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    if (Number(name) !== dev.pid && Number(parent) !== dev.pid) continue;
    used.set(Number(name), (Number(rest[9]) + Number(rest[10])) * TICK_MS);
  }
  return used;
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}
