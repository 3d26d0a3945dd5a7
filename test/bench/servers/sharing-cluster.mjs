/**
 * One port, and as many processes as it is told, by `node:cluster`: `node sharing-cluster.mjs <processes> <address of a Redis>`. Each call takes a millisecond
 * of work, as one that makes a page or checks a password does, and counts against one limit of all.
 */
import cluster from 'node:cluster';
import { createHash } from 'node:crypto';
import { serve } from './serve.mjs';

if (cluster.isPrimary) await serve(startWorkers);
else await startServer();

async function startWorkers(processes) {
  const workers = Array.from({ length: Number(processes) }, () => cluster.fork());
  const ports = await Promise.all(
    workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))),
  );
  return ports[0].port;
}

async function startServer() {
  const { capability, createServer, restTransport, silentLogger, withRateLimit } = await import(
    '../../../dist/server-runtime/index.js'
  );
  const { redisStore } = await import('../../../dist/server-runtime/stores/redis-store.js');
  const [, , processes, redis] = process.argv;
  const limited = (limit) => withRateLimit({ limit, windowMs: 3_600_000, by: 'address' });
  const text = 'x'.repeat(100_000);
  const getPage = capability(() => createHash('sha512').update(text).update(text).digest('hex'));
  const server = createServer({
    capabilities: {
      pages: {
        getPage: getPage.route('GET', '/page').enhance(limited(1_000_000_000)),
        getFew: capability(() => 'ok')
          .route('GET', '/few')
          .enhance(limited(100)),
      },
    },
    transports: [restTransport({ port: 0, host: '127.0.0.1' })],
    store: redisStore(redis, { prefix: `${processes} processes:` }),
    logger: silentLogger,
  });
  const [{ url }] = await server.start();
  process.send({ port: Number(new URL(url).port) });
}
