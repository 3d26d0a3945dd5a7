import { checkAnswers } from './check-answers.mjs';
import { median } from './measure.mjs';
import { startServer } from './server-process.mjs';
import { toText } from './table.mjs';

/** Milliseconds from the start of the process to its first answer, with 500 operations: `[{server, ms, ratio}]`, the ratio to capix. */
export async function measureStartUp({ servers, scenario, node, rounds }) {
  const first = { ...scenario, requests: scenario.requests.slice(0, 1) };
  const times = servers.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, server] of servers.entries()) {
      const startedAt = performance.now();
      const running = await startServer({ server, app: scenario.app, node });
      await checkAnswers(first, running);
      times[index].push(performance.now() - startedAt);
      await running.end();
    }
  }
  const capix = times[servers.findIndex(({ name }) => name === 'capix')];
  return servers.map(({ name }, index) => ({
    server: name,
    ms: median(times[index]),
    ratio:
      capix === undefined ? undefined : median(times[index].map((ms, round) => ms / capix[round])),
  }));
}

export function toStartUpText(rows) {
  const lines = rows.map(({ server, ms, ratio }) => [
    server,
    ms.toFixed(0),
    ratio?.toFixed(2) ?? '',
  ]);
  return toText(['start to first answer, 500 operations', 'ms', 'capix is × as fast'], lines);
}
