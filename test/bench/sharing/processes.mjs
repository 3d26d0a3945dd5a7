import { sendLoad, toRequestBytes } from '../load.mjs';
import { median } from '../measure.mjs';
import { startServer } from '../server-process.mjs';
import { toText } from '../table.mjs';

const ROUNDS = 3;

/** One, two and four processes behind one port: `[{processes, requestsPerSecond, p99Ms, letThrough}]`. Servers, load and Redis share the machine. */
export async function measureProcesses(redis, isQuick) {
  const rows = [];
  for (const processes of [1, 2, 4]) {
    const server = await startServer({
      server: {
        name: `${processes} processes`,
        file: 'sharing-cluster.mjs',
        args: [redis],
        isSpread: true,
      },
      app: String(processes),
      node: process.execPath,
    });
    try {
      const requests = toRequestBytes({ requests: [{ method: 'GET', path: '/page' }] }, server);
      const send = (count) => sendLoad({ port: server.port, requests, status: 200, count });
      await send(isQuick ? 500 : 2000);
      const rounds = [];
      const count = isQuick ? 1500 : 6000;
      for (let round = 0; round < ROUNDS; round++) {
        const { seconds, latenciesMs } = await send(count);
        rounds.push({ perSecond: count / seconds, p99Ms: latenciesMs[Math.floor(count * 0.99)] });
      }
      const letThrough = await countLetThrough(server.port);
      rows.push({
        processes,
        requestsPerSecond: median(rounds.map(({ perSecond }) => perSecond)),
        p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
        letThrough,
      });
    } finally {
      await server.end();
    }
  }
  return rows;
}

/** The calls of 300 that a limit of 100 lets through. */
async function countLetThrough(port) {
  const statuses = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const response = await fetch(`http://127.0.0.1:${port}/few`);
      await response.text();
      return response.status;
    }),
  );
  return statuses.filter((status) => status === 200).length;
}

export function toProcessesText(rows) {
  const [first] = rows;
  return toText(
    ['processes', 'requests/s', '× one', 'p99 ms', 'let through of 300 at a limit of 100'],
    rows.map(({ processes, requestsPerSecond, p99Ms, letThrough }) => [
      String(processes),
      Math.round(requestsPerSecond).toLocaleString('en'),
      (requestsPerSecond / first.requestsPerSecond).toFixed(2),
      p99Ms.toFixed(1),
      String(letThrough),
    ]),
  );
}
