/** capix with one enhancer around a handler: `node sharing-capix.mjs <enhancer> [address of a Redis]`. From the build in dist/. */
import * as capix from '../../../dist/server-runtime/index.js';
import { hello } from '../app/domain.mjs';
import { serve } from './serve.mjs';

const hour = 3_600_000;
const { withCache, withCircuitBreaker, withIdempotency, withRateLimit, withTimeout } = capix;
const enhancers = {
  withTimeout: () => withTimeout(30_000),
  withCircuitBreaker: () => withCircuitBreaker(),
  withRateLimit: () => withRateLimit({ limit: 1_000_000_000, windowMs: hour, by: 'address' }),
  withCache: () => withCache({ ttlMs: hour }),
  'withCache, tags': () => withCache({ ttlMs: hour, tags: () => ['hello'] }),
  'withIdempotency, no key': () => withIdempotency(),
  'withIdempotency, first call': () => withIdempotency({ ttlMs: 1 }),
  'withIdempotency, replay': () => withIdempotency(),
};

await serve(async (name) => {
  const [, , , redis] = process.argv;
  const isChange = name.startsWith('withIdempotency');
  const plain = capix
    .capability(hello, isChange ? 'mutation' : 'query')
    .route(isChange ? 'POST' : 'GET', '/hello');
  const made = enhancers[name]?.();
  const { redisStore } =
    redis === undefined ? {} : await import('../../../dist/server-runtime/stores/redis-store.js');
  const server = capix.createServer({
    capabilities: { hello: made === undefined ? plain : plain.enhance(made) },
    transports: [capix.restTransport({ port: 0, host: '127.0.0.1', etag: false })],
    logger: capix.silentLogger,
    ...(redis === undefined ? {} : { store: redisStore(redis) }),
  });
  const [started] = await server.start();
  return Number(new URL(started.url).port);
});
