/**
 * The servers that are compared. capix comes first; the figures of the others are ratios to it.
 * `style: 'trpc'` has its own paths and envelope.
 */
export const servers = [
  { name: 'capix', file: 'capix.mjs' },
  { name: 'node:http', file: 'node-http.mjs' },
  { name: 'fastify', file: 'fastify.mjs', title: 'Fastify, JSON Schema' },
  {
    name: 'fastify-timeout',
    file: 'fastify.mjs',
    args: ['timeout'],
    title: 'Fastify, handler timeout on',
  },
  { name: 'fastify-zod', file: 'fastify-zod.mjs', title: 'Fastify with zod' },
  { name: 'hono', file: 'hono.mjs', title: 'Hono on node-server' },
  { name: 'orpc', file: 'orpc.mjs', title: 'oRPC, OpenAPI handler' },
  { name: 'trpc', file: 'trpc.mjs', title: 'tRPC, standalone', style: 'trpc' },
  { name: 'elysia', file: 'elysia.mjs', title: 'Elysia on Node' },
  { name: 'express', file: 'express.mjs', title: 'Express 5' },
];

/** The goals on Node 20 and 22, and on newer versions, where the peers gained more than capix. */
const goals = {
  older: {
    fastify: {
      hello: 1.02,
      params: 1.0,
      auth: 1.04,
      create: 1.1,
      list: 1.03,
      invalid: 1.0,
      routes: 1.08,
    },
    'fastify-timeout': {
      hello: 1.15,
      params: 1.15,
      auth: 1.15,
      create: 1.15,
      list: 1.05,
      invalid: 1.1,
      routes: 1.2,
    },
    'fastify-zod': { ...inEach(1.05), declared: 1 },
    hono: inEach(1.3),
    orpc: inEach(2.5),
  },
  newer: {
    fastify: {
      hello: 1.05,
      params: 1.05,
      auth: 1.05,
      create: 1.15,
      list: 1.2,
      invalid: 1.0,
      routes: 1.05,
    },
    'fastify-zod': { declared: 1 },
    hono: inEach(1.1),
    'node:http': { hello: 0.95, params: 0.95, auth: 0.95, list: 0.95 },
  },
};

function inEach(goal) {
  const names = ['hello', 'params', 'auth', 'create', 'list', 'invalid', 'routes'];
  return Object.fromEntries(names.map((name) => [name, goal]));
}

/** How many times as fast as that server capix is to be on that version of Node, at least; undefined where nothing is asked. */
export function findGoal(serverName, scenarioName, nodeVersion) {
  const asked = Number.parseInt(nodeVersion, 10) >= 24 ? goals.newer : goals.older;
  return asked[serverName]?.[scenarioName];
}
