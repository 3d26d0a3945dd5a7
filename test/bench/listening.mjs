/**
 * `node test/bench/listening.mjs [rounds] [path of a node …]`: from the start of the process until it listens, with 500 operations that have a schema
 * each, as users write them: zod alone, capix and Hono with its zod-validator, in turns. CPU and clock in milliseconds.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './measure.mjs';
import { toText } from './table.mjs';

const root = join(import.meta.dirname, '..', '..');
const [rounds = '7', ...nodes] = process.argv.slice(2);
const GROUPS = 100;

const id = 'z.object({ id: z.string().min(1) })';
const order =
  'z.object({ name: z.string().min(1).max(80), price: z.number().positive(), tags: z.array(z.string()).default([]), note: z.string().optional() })';
const change =
  'z.object({ name: z.string().min(1).max(80).optional(), price: z.number().positive().optional(), note: z.string().nullish() })';
const list =
  'z.object({ limit: z.coerce.number().int().max(100).default(20), search: z.string().optional() })';
const changeWithId = change.replace('{', '{ id: z.string().min(1),');

const end = `const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ cpu: (user + system) / 1000, clock: performance.now() }));
process.exit();`;

const toGroups = (toGroup) =>
  Array.from({ length: GROUPS }, (_, index) => toGroup(`group${index}`)).join('\n');
const zodOfTree = `import * as z from '${join(root, 'node_modules/zod/index.js')}';`;

const apps = {
  'node alone': end,
  'zod: 500 schemas': `${zodOfTree}
const all = [];
${toGroups(() => `all.push(${[id, list, order, changeWithId, id].join(', ')});`)}
${end}`,
  capix: `import { capability, createServer, restTransport, silentLogger } from '${join(root, 'dist/server-runtime/index.js')}';
${zodOfTree}
const capabilities = {};
${toGroups(
  (name) => `capabilities.${name} = {
  getItem: capability(${id}, ({ id }) => ({ id })),
  listItems: capability(${list}, ({ limit }) => [{ limit }]),
  createItem: capability(${order}, (input) => ({ id: '1', ...input })),
  updateItem: capability(${changeWithId}, (input) => input),
  deleteItem: capability(${id}, () => null),
};`,
)}
const server = createServer({ capabilities, transports: [restTransport({ port: 0 })], logger: silentLogger });
await server.start();
${end}`,
  hono: `import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import * as z from 'zod';
const app = new Hono();
${toGroups(
  (name) => `const ${name} = new Hono();
${name}.get('/:id', zValidator('param', ${id}), (c) => c.json({ data: c.req.valid('param') }));
${name}.get('/', zValidator('query', ${list}), (c) => c.json({ data: [c.req.valid('query')] }));
${name}.post('/', zValidator('json', ${order}), (c) => c.json({ data: { id: '1', ...c.req.valid('json') } }, 201));
${name}.patch('/:id', zValidator('param', ${id}), zValidator('json', ${change}), (c) => c.json({ data: { ...c.req.valid('param'), ...c.req.valid('json') } }));
${name}.delete('/:id', zValidator('param', ${id}), (c) => c.json({ data: null }));
app.route('/${name}', ${name});`,
)}
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => { ${end} });`,
};

const results = join(import.meta.dirname, 'results');
mkdirSync(results, { recursive: true });
// Beside the packages of the benchmark, which the apps import.
const folder = mkdtempSync(join(results, 'listening-'));
try {
  for (const [name, code] of Object.entries(apps)) writeFileSync(toFile(name), code);
  for (const node of nodes.length === 0 ? [process.execPath] : nodes) console.log(measureOn(node));
} finally {
  rmSync(folder, { recursive: true });
}

function toFile(name) {
  return join(folder, `${name.replaceAll(/\W/g, '-')}.mjs`);
}

function measureOn(node) {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const names = Object.keys(apps);
  const taken = Array.from({ length: Number(rounds) }, () =>
    Object.fromEntries(
      names.map((name) => [name, JSON.parse(execFileSync(node, [toFile(name)], { env }))]),
    ),
  );
  const toCells = (name) =>
    ['cpu', 'clock'].flatMap((kind) => [
      median(taken.map((round) => round[name][kind])).toFixed(0),
      Math.min(...taken.map((round) => round[name][kind])).toFixed(0),
      median(taken.map((round) => round[name][kind] / round.hono[kind])).toFixed(2),
    ]);
  const head = ['until it listens, ms', 'CPU', 'least', '× hono', 'clock', 'least', '× hono'];
  return `${execFileSync(node, ['-v'], { encoding: 'utf8' }).trim()}\n${toText(
    head,
    names.map((name) => [name, ...toCells(name)]),
  )}`;
}
