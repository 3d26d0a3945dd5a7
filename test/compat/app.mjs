import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  restTransport,
  silentLogger,
  toFetchHandler,
  uploadedFile,
  withCache,
  withCircuitBreaker,
  withIdempotency,
  withRateLimit,
  withTimeout,
} from 'capix';
import * as z from 'zod';

let calls = 0;
const mustBeUser = defineGuard(({ user }) => {
  if (user === undefined) throw defaultErrors.Unauthorized();
});

/** Every feature that runtimes may get wrong; `probes.mjs` asks for each. Made where a module is loaded, as users do. */
export const server = createServer({
  context: defineContext(({ headers, remoteAddress }) => ({
    user: headers['x-user'],
    remoteAddress,
  })),
  capabilities: {
    things: {
      listThings: capability(z.object({ limit: z.number(), on: z.boolean() }), (input) => input),
      getThing: capability(z.object({ id: z.string() }), ({ id }) => ({ id })),
      createThing: capability(z.object({ name: z.string() }), (input) => input),
      guarded: capability((_input, { user }) => user, 'query').guard(mustBeUser),
      missing: capability(() => {
        throw defaultErrors.NotFound('No thing');
      }, 'query'),
      broken: capability(() => {
        throw new Error('a secret');
      }, 'query'),
      slow: capability(() => new Promise(() => {}), 'query').enhance(withTimeout(50)),
      cached: capability(() => ++calls, 'query').enhance(withCache({ ttlMs: 60_000 })),
      once: capability(async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        return ++calls;
      }).enhance(withIdempotency()),
      limited: capability((_input, { remoteAddress }) => remoteAddress, 'query').enhance(
        withRateLimit({ limit: 1, windowMs: 60_000, by: 'address' }),
      ),
      failing: capability(() => {
        throw new Error('down');
      }, 'query').enhance(withCircuitBreaker({ failures: 1 })),
      upload: capability(
        z.object({ title: z.string(), file: uploadedFile() }),
        ({ title, file }) => [title, file.size],
      ),
      uploadStream: capability(
        z.object({ file: uploadedFile({ stream: true }) }),
        async ({ file }) => {
          let bytes = 0;
          for await (const chunk of file.stream) bytes += chunk.length;
          return bytes;
        },
      ),
      watch: capability(async function* () {
        yield { n: 1 };
        yield { n: 2 };
      }, 'query'),
      bytes: capability(() => new Uint8Array([1, 2, 3]), 'query'),
    },
  },
  transports: [restTransport({ port: 0, docs: true })],
  logger: silentLogger,
});

export const answer = toFetchHandler(server);
/** Where only a header says who calls: Next.js. */
export const answerForwarded = toFetchHandler(server, { docs: true, trustProxy: 1 });
