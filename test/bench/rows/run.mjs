/**
 * What a server does beside plain requests, as ratios of the CPU of its process: `node test/bench/rows/run.mjs [--quick]
 * [--only <rows>]`. Each peer has a process of its own, and the rounds of all of them run in turns. A row is a module with
 * `units`, the number of things that a round does, `peers`, what each process runs, and `load`, what this process does to
 * it; without `load`, the process does its work by itself.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../measure.mjs';

const rows = [
  { name: 'stream-events', of: 'an item', goals: { 'node:http': 1.8, Hono: 0.8 } },
  { name: 'stream-lines', of: 'an item', goals: { 'node:http': 1.8 } },
  { name: 'tool-call', of: 'a call', goals: { SDK: 0.9 } },
  { name: 'tool-list', of: 'a list', goals: { SDK: 0.5 } },
  { name: 'job', of: 'a job', goals: { BullMQ: 1.15 } },
  { name: 'two-zods', of: 'a request', goals: { 'one zod': 1.02 } },
  { name: 'upload', of: 'an upload', goals: { busboy: 1.15 } },
  { name: 'form', of: 'a form', goals: { busboy: 1.3 } },
  { name: 'short-answers', of: 'an answer', goals: { Fastify: 1 } },
  { name: 'import', of: 'an import', goals: { Fastify: 0.7 } },
];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    node: { type: 'string', default: process.execPath },
  },
});
const rounds = options.quick ? 3 : 5;
const chosen = options.only?.split(',');

for (const row of rows) {
  if (chosen !== undefined && !chosen.includes(row.name)) continue;
  const costs = await measureRow(row.name);
  for (const [peer, ofPeer] of Object.entries(costs)) {
    if (peer === 'capix') continue;
    const ratio = median(ofPeer.map((cost, round) => costs.capix[round] / cost));
    const goal = row.goals[peer];
    process.stdout.write(
      `${row.name.padEnd(14)} ${row.of}: ${median(costs.capix).toFixed(2)} µs, ${ratio.toFixed(2)} of ${peer}` +
        ` (${median(ofPeer).toFixed(2)} µs)${goal === undefined ? '' : `, goal ${goal}`}\n`,
    );
  }
}
process.exit(0);

/** The CPU of one unit in each round, microseconds, by peer. */
async function measureRow(name) {
  const file = new URL(`${name}.mjs`, import.meta.url).href;
  const { peers, load, units, warmUpRounds = 2 } = await import(file);
  const subjects = [];
  for (const peer of Object.keys(peers)) subjects.push(await open(file, peer));
  const costs = Object.fromEntries(subjects.map(({ peer }) => [peer, []]));
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      const { peer, child, url } = subjects[(turn + round + warmUpRounds) % subjects.length];
      const before = await ask(child, 'cpu');
      if (load !== undefined) await load(url, peer);
      const after = await ask(child, load === undefined ? 'work' : 'cpu');
      if (round >= 0) costs[peer].push((after.cpuUs - before.cpuUs) / units);
    }
  }
  for (const { child } of subjects) {
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  }
  return costs;
}

async function open(file, peer) {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const child = fork(fileURLToPath(new URL('child.mjs', import.meta.url)), [file, peer], {
    execPath: options.node,
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url }] = await once(child, 'message');
  return { peer, child, url };
}

async function ask(child, question) {
  const answer = once(child, 'message');
  child.send(question);
  const [message] = await answer;
  return message;
}
