/**
 * `node test/bench/slow-export.mjs`: memory and time of a long answer, 168 MB of CSV that the handler makes as it is read, to readers of three speeds. Needs a
 * build (`npm run build`).
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import process from 'node:process';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROWS = 1_000_000;

function* makeRows() {
  for (let row = 0; row < ROWS; row++)
    yield `${row},Ada Lovelace,ada${row}@example.org,2026-11-29T08:00:00.000Z,confirmed,${'x'.repeat(90)}\n`;
}

async function serve() {
  const { bytes, capability, createServer, reply, restTransport, silentLogger } = await import(
    '../../dist/server-runtime/index.js'
  );
  const headers = { 'content-disposition': 'attachment; filename="rows.csv"' };
  const exportRows = capability
    .output(bytes('text/csv'))(() => reply(Readable.from(makeRows()), { headers }), 'query')
    .route('GET', '/export');
  const server = createServer({
    capabilities: { rows: { exportRows } },
    transports: [restTransport({ port: 0, host: '127.0.0.1' })],
    logger: silentLogger,
  });
  const [{ url }] = await server.start();
  let peakBytes = 0;
  const look = () => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  };
  setInterval(look, 50);
  process.on('message', () => {
    process.send({ peakBytes, cpu: process.cpuUsage() });
    globalThis.gc();
    peakBytes = process.memoryUsage.rss();
  });
  process.send(url);
}

/** Reads at most `limitBytes`, at `bytesPerSecond`. */
async function read(url, bytesPerSecond, limitBytes) {
  const startedAt = performance.now();
  let count = 0;
  const [response] = await once(get(`${url}/export`), 'response');
  for await (const chunk of response) {
    count += chunk.length;
    if (count >= limitBytes) break;
    const dueMs = (count / bytesPerSecond) * 1000 - (performance.now() - startedAt);
    if (dueMs > 0) await pause(dueMs);
  }
  return { megabytes: count / 1e6, seconds: (performance.now() - startedAt) / 1000 };
}

async function measure() {
  const child = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: ['--expose-gc'] });
  const [url] = await once(child, 'message');
  const ask = async () => {
    child.send('look');
    return (await once(child, 'message'))[0];
  };
  for (const [speed, limitBytes] of [
    [Number.POSITIVE_INFINITY, 20e6],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [20e6, Number.POSITIVE_INFINITY],
    [1e6, 20e6],
  ]) {
    const before = await ask();
    const { megabytes, seconds } = await read(url, speed, limitBytes);
    const after = await ask();
    const cpuSeconds =
      (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1e6;
    const parts = [
      `${speed / 1e6} MB/s`.padEnd(14),
      `${megabytes.toFixed(0)} MB`.padEnd(8),
      `${seconds.toFixed(1)} s`.padEnd(8),
      `CPU ${cpuSeconds.toFixed(2)} s`.padEnd(12),
      `at its peak ${(after.peakBytes / 1e6).toFixed(0)} MB`,
    ];
    process.stdout.write(`${parts.join(' ')}\n`);
  }
  child.kill();
}

await (process.argv[2] === 'serve' ? serve() : measure());
