/**
 * What a server does beside plain requests, as ratios of the CPU of its process: `npm run bench -- --rows [--quick]
 * [--only <rows>] [--node <versions>] [--write]`. Each peer has a process of its own, and the rounds of all of them run
 * in turns. A row is a module with `units`, the number of things that a round does, `peers`, what each process runs, and
 * `load`, what this process does to it; without `load`, the process does its work by itself. `--write` puts the figures
 * into docs/internals/performance.md.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../measure.mjs';
import { findNodes } from '../nodes.mjs';
import { writeRows } from './write-rows.mjs';

const rows = [
  {
    name: 'stream-events',
    of: 'an item of a stream, as an event',
    goals: { 'node:http': 1.8, Hono: 0.8 },
  },
  { name: 'stream-lines', of: 'an item of a stream, as a line', goals: { 'node:http': 1.8 } },
  { name: 'stream-socket', of: 'an item over a WebSocket', goals: { ws: 1.8 } },
  { name: 'stream-graphql', of: 'an item of a subscription of GraphQL', goals: { graphql: 1.8 } },
  { name: 'tool-call', of: 'a tool call in a session, of 20 tools', goals: { SDK: 0.9 } },
  { name: 'tool-list', of: 'a list of 200 tools', goals: { SDK: 0.5 } },
  { name: 'job', of: 'a job through Redis', goals: { BullMQ: 1.15 } },
  { name: 'two-zods', of: 'a create request with two zods', goals: { 'one zod': 1.02 } },
  { name: 'upload', of: 'an upload of 20 MB', goals: { busboy: 1.15 } },
  { name: 'form', of: 'a form of five fields and a file', goals: { busboy: 1.3 } },
  { name: 'short-answers', of: '404, 405, preflight, HEAD, 304', goals: { Fastify: 1 } },
  { name: 'first-answer', of: 'a start to the first answer, 300 routes', goals: { Hono: 0.9 } },
  {
    name: 'memory-after-start',
    of: 'memory after that start',
    goals: { 'Fastify with zod': 0.75 },
  },
  { name: 'import', of: 'an import', goals: { Fastify: 0.7 } },
  { name: 'marks', of: 'a call of 50 statements under dev', goals: { 'not recorded': 1.15 } },
  {
    name: 'unwatched-marks',
    of: 'a call of 50 statements that nobody records',
    goals: { 'without trace': 1.02 },
  },
  { name: 'client-written', of: 'a call of the written client', goals: { 'openapi-fetch': 0.8 } },
  { name: 'client-inferred', of: 'a call of the inferred client', goals: { 'openapi-fetch': 0.8 } },
];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    write: { type: 'boolean', default: false },
  },
});
const rounds = options.quick ? 3 : 5;
const chosen = options.only?.split(',');
const nodes = findNodes(options.node);
const figures = [];

for (const row of rows) {
  if (chosen !== undefined && !chosen.includes(row.name)) continue;
  for (const { node, version } of nodes) figures.push(...(await toFigures(row, node, version)));
}
if (options.write) await writeRows(figures, rows, rounds);
process.exit(0);

/** The figures of a row on one Node, one for each peer, which are printed. */
async function toFigures({ name, of, goals }, node, version) {
  const { costs, unit } = await measureRow(name, node);
  const peers = Object.entries(costs).filter(([peer]) => peer !== 'capix');
  return peers.map(([peer, ofPeer]) => {
    const ratio = median(ofPeer.map((cost, round) => costs.capix[round] / cost));
    const own = median(costs.capix);
    const goal = goals[peer];
    process.stdout.write(
      `${name.padEnd(18)} ${of}: ${own.toFixed(2)} ${unit}, ${ratio.toFixed(2)} of ${peer}` +
        ` (${median(ofPeer).toFixed(2)} ${unit})${goal === undefined ? '' : `, goal ${goal}`}, Node ${version}\n`,
    );
    return { name, peer, version, own, unit, ratio };
  });
}

/** The CPU of one unit in each round, microseconds, by peer; or what else a row says is measured. */
async function measureRow(name, node) {
  const file = new URL(`${name}.mjs`, import.meta.url).href;
  const { peers, load, units, warmUpRounds = 2, unit = 'µs' } = await import(file);
  const subjects = [];
  for (const peer of Object.keys(peers)) subjects.push(await open(file, peer, node));
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
  return { costs, unit };
}

async function open(file, peer, node) {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const child = fork(fileURLToPath(new URL('child.mjs', import.meta.url)), [file, peer], {
    execPath: node,
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const failed = once(child, 'exit').then(() => {
    throw new Error(`${peer} did not start.`);
  });
  const [{ url }] = await Promise.race([once(child, 'message'), failed]);
  return { peer, child, url };
}

async function ask(child, question) {
  const answer = once(child, 'message');
  child.send(question);
  const [message] = await answer;
  return message;
}
