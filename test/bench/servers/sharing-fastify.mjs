/** Fastify with a limit around a handler: `node sharing-fastify.mjs <plugin> [address of a Redis]`. */
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { hello } from '../app/domain.mjs';
import { answers } from '../app/json-schemas.mjs';
import { serve } from './serve.mjs';

const LIMIT = 1_000_000_000;
const [, , , redis] = process.argv;
const client =
  redis === undefined
    ? undefined
    : new Redis(redis, { enableOfflineQueue: false, lazyConnect: true });

await serve(async (name) => {
  await client?.connect();
  const fastify = Fastify();
  if (name === '@fastify/rate-limit') {
    const { default: rateLimit } = await import('@fastify/rate-limit');
    await fastify.register(rateLimit, {
      max: LIMIT,
      timeWindow: 3_600_000,
      ...(client === undefined ? {} : { redis: client }),
    });
  }
  if (name === 'rate-limiter-flexible') fastify.addHook('onRequest', await toHook());
  fastify.get('/hello', { schema: answers.hello }, async () => ({ data: hello() }));
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  return fastify.server.address().port;
});

/** As its documentation has it: the answer says what is left. */
async function toHook() {
  const { RateLimiterMemory, RateLimiterRedis } = await import('rate-limiter-flexible');
  const options = { points: LIMIT, duration: 3600 };
  const limiter =
    client === undefined
      ? new RateLimiterMemory(options)
      : new RateLimiterRedis({ ...options, storeClient: client });
  return async (request, reply) => {
    try {
      const taken = await limiter.consume(request.ip);
      reply
        .header('x-ratelimit-limit', LIMIT)
        .header('x-ratelimit-remaining', taken.remainingPoints);
    } catch {
      reply.code(429).send({ error: 'TooManyRequests', message: 'Too many requests' });
    }
  };
}
