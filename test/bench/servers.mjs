/**
 * The servers that are compared. capix comes first; the figures of the others are ratios to it.
 * `style: 'trpc'` has its own paths and envelope.
 */
export const servers = [
  { name: 'capix', file: 'capix.mjs' },
  { name: 'node:http', file: 'node-http.mjs' },
  { name: 'fastify', file: 'fastify.mjs', title: 'Fastify, JSON Schema' },
  { name: 'fastify-timeout', file: 'fastify.mjs', args: ['timeout'], title: 'Fastify, handler timeout on' },
  { name: 'fastify-zod', file: 'fastify-zod.mjs', title: 'Fastify with zod' },
  { name: 'hono', file: 'hono.mjs', title: 'Hono on node-server' },
  { name: 'orpc', file: 'orpc.mjs', title: 'oRPC, OpenAPI handler' },
  { name: 'trpc', file: 'trpc.mjs', title: 'tRPC, standalone', style: 'trpc' },
  { name: 'elysia', file: 'elysia.mjs', title: 'Elysia on Node' },
  { name: 'express', file: 'express.mjs', title: 'Express 5' },
];

const ofFastify = { hello: 1.02, params: 1.0, auth: 1.04, create: 1.1, list: 1.03, invalid: 1.0, routes: 1.08 };
const ofFastifyWithTimeout = {
  hello: 1.15,
  params: 1.15,
  auth: 1.15,
  create: 1.15,
  list: 1.05,
  invalid: 1.1,
  routes: 1.2,
};
const inEach = { 'fastify-zod': 1.05, hono: 1.3, orpc: 2.5 };

/** How many times as fast as that server capix is to be, at least; undefined where nothing is asked. */
export function findGoal(serverName, scenarioName) {
  if (serverName === 'fastify') return ofFastify[scenarioName];
  if (serverName === 'fastify-timeout') return ofFastifyWithTimeout[scenarioName];
  return scenarioName === 'invalid-one' ? undefined : inEach[serverName];
}
