// What middleware costs a request, and what it costs where there is none: `node test/bench/middleware.mjs [folder of another build]`.
// In memory, without a socket, so that nothing hides it. The builds and cases take turns; each figure is the median of its rounds, in µs of CPU.
import { resolve } from 'node:path';

const ROUNDS = 11;
const REQUESTS = 2000;
const builds = { 'this build': new URL('../../dist', import.meta.url).pathname };
if (process.argv[2] !== undefined) builds['the other'] = resolve(process.argv[2]);

const cases = [];
for (const [build, folder] of Object.entries(builds)) {
  const capix = await import(`${folder}/server-runtime/index.js`);
  for (const [name, cap] of Object.entries(factories(capix)))
    cases.push({ name: `${name}, ${build}`, send: sender(capix, cap), rounds: [] });
}
for (let round = 0; round < ROUNDS + 2; round++) {
  for (const each of cases) {
    const before = process.cpuUsage();
    for (let n = 0; n < REQUESTS; n++) await each.send();
    const { user, system } = process.cpuUsage(before);
    if (round > 1) each.rounds.push((user + system) / REQUESTS);
  }
}
for (const { name, rounds } of cases) {
  const [median] = rounds.toSorted((a, b) => a - b).slice(rounds.length >> 1);
  console.log(name.padEnd(52), median.toFixed(2).padStart(7));
}

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
    'one that adds to the context': capability.use(defineMiddleware(({ next }) => next({ tenant: 'a' }))),
    'one that has something to let go of': capability.use(released),
  };
}

function sender({ createServer, restTransport, silentLogger, toFetchHandler }, cap) {
  const capabilities = { items: { listItems: cap(() => [], 'query') } };
  const server = createServer({ capabilities, transports: [restTransport({})], logger: silentLogger });
  const handle = toFetchHandler(server);
  // A request is made for each call: listeners would gather at the signal of one.
  return () => handle(new Request('http://localhost/items'));
}
