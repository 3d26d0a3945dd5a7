// What declared answers, middleware, a store and an envelope cost a capability that uses none of them: `node test/bench/unused.mjs [folder of another build]`. The capability that is asked
// has nothing; the others of its server have what the row says. All but the first row should read as the first.

import { measureInMemory } from './measure-in-memory.mjs';
import * as z from './zod-of-capix.mjs';

const hour = 3_600_000;

await measureInMemory((capix) => {
  const { capability, dataEnvelope, defineMiddleware, withCache, withRateLimit } = capix;
  const give = () => ({ name: 'x' });
  const plain = capability(give, 'query');
  const enhancers = [
    withRateLimit({ limit: 1_000_000_000, windowMs: hour }),
    withCache({ ttlMs: hour }),
  ];
  return {
    nothing: ask(capix, plain),
    'others declare their answers': ask(capix, plain.output(z.object({ name: z.string() }))),
    'others have middleware': ask(
      capix,
      capability.use(defineMiddleware(({ next }) => next()))(give, 'query'),
    ),
    'others have limits and kept answers in a store': ask(
      capix,
      enhancers.reduce((cap, enhancer) => cap.enhance(enhancer), plain),
    ),
    'the usual envelope, by its name': ask(capix, plain, { envelope: dataEnvelope }),
  };
});

/** One of ten capabilities is asked, the others are `other`. */
function ask(
  { capability, createServer, restTransport, silentLogger, toFetchHandler },
  other,
  rest = {},
) {
  const others = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`others${index}`, { listOthers: other }]),
  );
  const items = { listItems: capability(() => ({ name: 'x' }), 'query') };
  const server = createServer({
    capabilities: { items, ...others },
    transports: [restTransport({ etag: false, ...rest })],
    logger: silentLogger,
  });
  const handle = toFetchHandler(server);
  return async () => (await handle(new Request('http://localhost/items'))).arrayBuffer();
}
