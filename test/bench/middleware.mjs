// What middleware costs a request, and what it costs where there is none: `node test/bench/middleware.mjs [folder of another build]`.
import { measureInMemory } from './measure-in-memory.mjs';

await measureInMemory((capix) =>
  Object.fromEntries(
    Object.entries(factories(capix)).map(([name, cap]) => [name, sender(capix, cap)]),
  ),
);

/** The factories by what stands around their handlers. */
function factories({ capability, defineMiddleware }) {
  const none = { 'no middleware': capability };
  if (defineMiddleware === undefined) return none;
  const released = defineMiddleware(({ resources, next }) => {
    resources.defer(() => {});
    return next();
  });
  return {
    ...none,
    'one that goes on': capability.use(defineMiddleware(({ next }) => next())),
    'one that adds to the context': capability.use(
      defineMiddleware(({ next }) => next({ tenant: 'a' })),
    ),
    'one that has something to let go of': capability.use(released),
  };
}

function sender({ createServer, restTransport, silentLogger, toFetchHandler }, cap) {
  const capabilities = { items: { listItems: cap(() => [], 'query') } };
  const server = createServer({
    capabilities,
    transports: [restTransport({})],
    logger: silentLogger,
  });
  const handle = toFetchHandler(server);
  // A request is made for each call: listeners would gather at the signal of one.
  return () => handle(new Request('http://localhost/items'));
}
