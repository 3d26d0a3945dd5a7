/** `npm run bench -- --engines`: capix on node:http beside its fetch handler on the server of the runtime itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sendLoad, toRequestBytes } from '../load.mjs';
import { median } from '../measure.mjs';
import { scenarios } from '../scenarios.mjs';
import { pinLoad, pinToServerCore } from '../server-process.mjs';
import { toText } from '../table.mjs';

const isQuick = process.argv.includes('--quick');
const [processes, rounds, requestsPerRound, warmUp] = isQuick
  ? [2, 5, 3000, 8000]
  : [3, 7, 5000, 20_000];
const file = join(import.meta.dirname, '..', 'servers', 'engine.mjs');
const chosen = scenarios.filter(({ name }) => ['hello', 'params', 'create', 'list'].includes(name));

/** By npx: the runtimes are npm packages that bring their program along. */
const npx = (name, ...words) => ['npx', '-y', name, ...words];
const engines = [
  { name: 'Node 26, node:http', command: npx('node@26'), engine: 'listen' },
  { name: 'Node 24, node:http', command: npx('node@24'), engine: 'listen' },
  { name: 'Bun, node:http', command: npx('bun@1'), engine: 'listen' },
  { name: 'Bun.serve', command: npx('bun@1'), engine: 'bun' },
  { name: 'Deno, node:http', command: npx('deno@2', 'run', '-A'), engine: 'listen' },
  { name: 'Deno.serve', command: npx('deno@2', 'run', '-A'), engine: 'deno' },
];

async function start({ name, command, engine }, app) {
  const [program, ...words] = command;
  const env = { ...process.env, NODE_ENV: 'production', DENO_NO_UPDATE_CHECK: '1' };
  const child = spawn(program, [...words, file, app, engine], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('at ')) {
      const port = Number(line.slice(3));
      const pid = findListening(child.pid);
      pinToServerCore(pid);
      return { name, port, pid, end: () => endGroup(child) };
    }
  }
  throw new Error(`${name} ended before it listened.`);
}

async function endGroup(child) {
  const exited = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await exited;
}

/** The last of the processes that npx starts one inside the other. */
function findListening(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? pid : findListening(Number(children.split(' ')[0]));
}

/** CPU time of a process and its threads, those that have ended among them, µs; in steps of 10 ms. */
function readCpuUs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

async function measureProcesses(scenario, figures) {
  const running = [];
  try {
    for (const engine of engines) running.push(await start(engine, scenario.app));
    const send = (server, count) =>
      sendLoad({
        port: server.port,
        requests: toRequestBytes(scenario, server),
        status: scenario.status,
        count,
      });
    for (const server of running) await send(server, warmUp);
    const totals = new Map(running.map(({ name }) => [name, 0]));
    for (let round = 0; round < rounds; round++) {
      for (const server of running) {
        const before = readCpuUs(server.pid);
        await send(server, requestsPerRound);
        totals.set(server.name, totals.get(server.name) + readCpuUs(server.pid) - before);
      }
    }
    for (const [name, total] of totals) figures.get(name).push(total / (rounds * requestsPerRound));
  } finally {
    await Promise.all(running.map((server) => server.end()));
  }
}

pinLoad();
const rows = [];
for (const scenario of chosen) {
  const figures = new Map(engines.map(({ name }) => [name, []]));
  for (let turn = 0; turn < processes; turn++) await measureProcesses(scenario, figures);
  rows.push({ scenario, figures });
}
const lines = engines.map(({ name }) => [
  name,
  ...rows.map(
    ({ figures }) =>
      `${median(figures.get(name)).toFixed(1)} / ${Math.min(...figures.get(name)).toFixed(1)}`,
  ),
]);
console.log(
  `\n${toText(['µs of CPU a request, median / least', ...chosen.map(({ title }) => title)], lines)}`,
);
