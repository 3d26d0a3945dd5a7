import { measureScenario } from '../measure.mjs';
import { toRows, toText } from '../table.mjs';

/** The enhancers that are of one process, and those that a store lets processes share. */
export const inMemory = ['withTimeout', 'withCircuitBreaker', 'withIdempotency, no key'];
export const shared = [
  'withRateLimit',
  'withCache',
  'withCache, tags',
  'withIdempotency, first call',
  'withIdempotency, replay',
];

/** The figures of the servers on one enhancer, as a table; the first server is what the others are compared with. */
export async function measureCases(name, servers, plan) {
  const isChange = name.startsWith('withIdempotency');
  // Calls with one key at once would wait for each other.
  const keys = name.endsWith('no key')
    ? [undefined]
    : Array.from({ length: 1000 }, (_, number) => `"key-${number}"`);
  const requests = isChange
    ? keys.map((key) => ({
        method: 'POST',
        path: '/hello',
        body: {},
        headers: key === undefined ? {} : { 'idempotency-key': key },
      }))
    : [{ method: 'GET', path: '/hello' }];
  const scenario = { name, app: name, status: 200, requests };
  const rows = toRows(scenario, await measureScenario({ scenario, servers, ...plan }));
  return toText(
    ['', 'CPU µs/request', 'requests/s', 'p99 ms', '× the first'],
    rows.map(({ server, cpuUs, requestsPerSecond, p99Ms, ratio }) => [
      server,
      cpuUs.toFixed(1),
      Math.round(requestsPerSecond).toLocaleString('en'),
      p99Ms.toFixed(2),
      ratio.toFixed(2),
    ]),
  );
}

/** capix without the enhancer, with it, and with it in Redis. */
export function toEnhancerServers(name, redis) {
  const file = 'sharing-capix.mjs';
  const bare = {
    name: 'without',
    file,
    app: name.startsWith('withIdempotency') ? 'withIdempotency, no enhancer' : 'none',
  };
  const alone = { name: 'in memory', file };
  return redis === undefined
    ? [bare, alone]
    : [bare, alone, { name: 'in Redis', file, args: [redis] }];
}

/** A limit by address, in capix and by two packages in Fastify. */
export function toLimitServers(redis) {
  const args = redis === undefined ? [] : [redis];
  return [
    { name: 'capix withRateLimit', file: 'sharing-capix.mjs', args },
    { name: '@fastify/rate-limit', file: 'sharing-fastify.mjs', app: '@fastify/rate-limit', args },
    {
      name: 'rate-limiter-flexible in Fastify',
      file: 'sharing-fastify.mjs',
      app: 'rate-limiter-flexible',
      args,
    },
    { name: 'Fastify without a limit', file: 'sharing-fastify.mjs', app: 'none' },
    { name: 'capix without a limit', file: 'sharing-capix.mjs', app: 'none' },
  ];
}
