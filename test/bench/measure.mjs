import { checkAnswers } from './check-answers.mjs';
import { sendLoad, toRequestBytes } from './load.mjs';
import { startServer } from './server-process.mjs';

/**
 * Measures every server on one scenario, in interleaved rounds: `[{name, rounds: [{cpuUs, requestsPerSecond, p99Ms}]}]`.
 * Round n of one server stands beside round n of the others, so their ratio is free of what the machine did meanwhile.
 * Each server is started several times, because a process keeps the luck of its first compilations.
 */
export async function measureScenario({ servers, processes, ...plan }) {
  const measured = servers.map(({ name }) => ({ name, rounds: [] }));
  for (let turn = 0; turn < processes; turn++) {
    for (const { name, rounds } of await measureProcesses({
      servers: rotate(servers, turn),
      ...plan,
    })) {
      measured.find((each) => each.name === name).rounds.push(...rounds);
    }
  }
  return measured;
}

async function measureProcesses({ scenario, servers, node, rounds, requestsPerRound, warmUp }) {
  const running = [];
  try {
    for (const server of servers)
      running.push(await startServer({ server, app: server.app ?? scenario.app, node }));
    const subjects = running.map((server) => ({
      server,
      requests: toRequestBytes(scenario, server),
      rounds: [],
    }));
    for (const { server, requests } of subjects) {
      await checkAnswers(scenario, server);
      await sendLoad({ port: server.port, requests, status: scenario.status, count: warmUp });
    }
    for (let round = 0; round < rounds; round++) {
      for (const subject of rotate(subjects, round))
        subject.rounds.push(await measureRound(subject, scenario, requestsPerRound));
    }
    return subjects.map(({ server, rounds: measured }) => ({
      name: server.name,
      rounds: measured,
    }));
  } finally {
    await Promise.all(running.map((server) => server.end()));
  }
}

async function measureRound({ server, requests }, scenario, count) {
  const before = await server.readUsage();
  const { seconds, latenciesMs } = await sendLoad({
    port: server.port,
    requests,
    status: scenario.status,
    count,
  });
  const after = await server.readUsage();
  return {
    cpuUs: (after.cpuUs - before.cpuUs) / count,
    requestsPerSecond: count / seconds,
    p99Ms: latenciesMs[Math.floor(count * 0.99)],
  };
}

function rotate(list, by) {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
