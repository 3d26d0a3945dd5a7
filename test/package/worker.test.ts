import { execa } from 'execa';
import { expect, test } from 'vitest';
import { bundleServer } from '../helpers/bundle-server.ts';
import { cleanEnvironment } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';

const worker = `
import { capability, createServer, restTransport, toFetchHandler, withCache, withIdempotency, withRateLimit, withTimeout } from 'capix';

let calls = 0;
const slow = capability(() => new Promise(() => {}), 'query').enhance(withTimeout(20));
const server = createServer({
  capabilities: {
    a: {
      cached: capability(() => ++calls, 'query').enhance(withCache({ ttlMs: 60_000 })),
      limited: capability(() => 'ok', 'query').enhance(withRateLimit({ limit: 1, windowMs: 60_000 })),
      slow,
      submit: capability(async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return ++calls;
      }).enhance(withIdempotency()),
    },
  },
  transports: [restTransport({ docs: true })],
});
export const answer = toFetchHandler(server);
`;

/**
 * Loads the worker as Workers of Cloudflare do: outside a request there are neither timers, nor randomness, nor abort signals, and a timer ends
 * with the request that set it.
 */
const runtime = `
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { AsyncLocalStorage } from 'node:async_hooks';

const requests = new AsyncLocalStorage();
const expectRequest = (what) => { if (requests.getStore() === undefined) throw new Error('Outside a request there is no ' + what); };
const { AbortController, clearTimeout } = globalThis;
globalThis.AbortController = class extends AbortController { constructor() { expectRequest('AbortController'); super(); } };
const timers = new Map();
for (const name of ['setTimeout', 'setInterval']) {
  const start = globalThis[name];
  globalThis[name] = (run, ms) => {
    expectRequest('timer');
    const request = requests.getStore();
    const id = timers.size + 1;
    timers.set(id, start(() => { if (!request.isOver) run(); }, ms));
    return id;
  };
}
globalThis.clearTimeout = globalThis.clearInterval = (id) => clearTimeout(timers.get(id));
for (const name of ['randomBytes', 'randomUUID']) {
  const real = crypto[name];
  crypto[name] = (...words) => { expectRequest(name); return real.apply(crypto, words); };
}
syncBuiltinESMExports();
Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Cloudflare-Workers' }, configurable: true });

const { answer } = await import('./server.mjs');
await new Promise(setImmediate);
const ask = (path, init) => {
  const request = { isOver: false };
  return requests.run(request, async () => {
    const response = await answer(new Request('http://any' + path, init));
    request.isOver = true;
    const body = await response.json();
    return 'data' in body ? body.data : response.status;
  });
};
const seen = [];
for (const path of ['/a/cached', '/a/cached', '/a/limited', '/a/limited', '/nothing']) seen.push(await ask(path));
seen.push(await Promise.all(['/a/slow', '/a/slow', '/a/cached', '/a/slow'].map((path) => ask(path))));
const headers = { 'content-type': 'application/json', 'idempotency-key': 'a' };
const submit = () => ask('/a/submit', { method: 'POST', headers, body: '{}' });
seen.push(await Promise.all([submit(), submit()]), await submit());
console.log(JSON.stringify(seen));
process.exit(); // The timer of the limit would keep Node alive for a minute.
`;

test('a worker imports capix and creates its server outside a request, and each request has its own timer', async () => {
  const { folder } = await bundleServer(worker, 'esm');
  await writeTree(folder, { 'runtime.mjs': runtime });
  const { stdout, stderr } = await execa(process.execPath, ['runtime.mjs'], {
    cwd: folder,
    env: cleanEnvironment(),
    extendEnv: false,
    reject: false,
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([1, 1, 'ok', 429, 404, [504, 504, 1, 504], [2, 2], 2]);
});
