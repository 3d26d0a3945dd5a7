import { sendLoad, toRequestBytes } from './load.mjs';
import { startServer } from './server-process.mjs';
import { toText } from './table.mjs';

const STEPS = 10;

/**
 * Heap and resident memory of a server while it answers `total` requests of all the given scenarios in turn, after a
 * collection each time: `[{server, requests, heapMiB, rssMiB}]`.
 */
export async function measureMemory({ server, scenarios, node, total }) {
  const running = await startServer({ server, app: 'small', node, nodeArgs: ['--expose-gc'] });
  const steps = [];
  try {
    for (let step = 0; step <= STEPS; step++) {
      if (step > 0) {
        for (const scenario of scenarios) {
          const requests = toRequestBytes(scenario, running);
          await sendLoad({
            port: running.port,
            requests,
            status: scenario.status,
            count: Math.round(total / STEPS / scenarios.length),
          });
        }
      }
      const { heapUsed, rss } = await running.readMemory();
      steps.push({
        server: server.name,
        requests: (total / STEPS) * step,
        heapMiB: heapUsed / 2 ** 20,
        rssMiB: rss / 2 ** 20,
      });
    }
  } finally {
    await running.end();
  }
  return steps;
}

export function toMemoryText(steps) {
  const lines = steps.map(({ server, requests, heapMiB, rssMiB }) => [
    server,
    requests.toLocaleString('en'),
    heapMiB.toFixed(1),
    rssMiB.toFixed(1),
  ]);
  return toText(['memory', 'requests', 'heap MiB', 'resident MiB'], lines);
}
