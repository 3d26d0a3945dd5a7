// Boundary: other sites and other machines, before a server under `capix dev`. Promise: pages of this machine and of the
// hosts that the settings name may ask, and nobody else's.
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  capability,
  createServer,
  type RestOptions,
  restTransport,
  silentLogger,
  toFetchHandler,
} from '../../server-runtime/index.ts';
import { isOwnOrigin } from '../../source/serve/refuse-foreign-hosts.ts';
import { countInputs } from '../helpers/count-inputs.ts';

const allowed = ['shop.test', '.tunnel.example'];

/** A server as under `capix dev`, and the calls that ran. */
function serve(rest: RestOptions = {}) {
  const key = Symbol.for('capix.devLink');
  const value = {
    observe: <App>(app: App) => app,
    allowsOrigin: (origin: string, host: string | undefined) => isOwnOrigin(origin, host, allowed),
  };
  Object.defineProperty(globalThis, key, { value, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, key));
  const ran: string[] = [];
  const note = (name: string) => void ran.push(name);
  const items = {
    listItems: capability(() => note('list'), 'query'),
    createItem: capability(() => note('create')),
  };
  const server = createServer({
    capabilities: { items },
    hooks: { onRequest: () => note('hook') },
    transports: [restTransport(rest)],
    logger: silentLogger,
  });
  const answer = toFetchHandler(server);
  const ask = (origin: string | undefined, method = 'GET', host = 'localhost:3000') => {
    const headers = { host, ...(origin === undefined ? {} : { origin }) };
    return answer(new Request(`http://${host}/items`, { method, headers }));
  };
  return { ask, ran };
}

describe('a request from a page', () => {
  it.each([
    'http://evil.test',
    'https://evil.test:3000',
    'null',
    'http://localhost.evil.test',
    'http://127.0.0.1.evil.test',
    'http://localhost@evil.test',
    'http://10.0.0.7',
    'http://shop.test.evil.test',
    'chrome-extension://localhost',
    'file://',
    'not an origin',
  ])('of %s is 403 before any code, in words that name the setting', async (origin) => {
    const { ask, ran } = serve();
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const response = await ask(origin, method);
      expect(response.status).toBe(403);
      const { error, message } = (await response.json()) as Record<'error' | 'message', string>;
      expect(error).toBe('Forbidden');
      expect(message).toContain('dev.allowedHosts');
    }
    expect(ran).toEqual([]);
  });

  it.each([
    undefined,
    'http://localhost:5173',
    'http://app.localhost',
    'http://127.0.0.1:3000',
    'http://127.8.8.8',
    'http://[::1]:3000',
    'https://shop.test',
    'https://a.tunnel.example',
    'https://tunnel.example',
  ])('of %s is answered', async (origin) => {
    const { ask, ran } = serve();
    expect((await ask(origin)).status).toBe(200);
    expect(ran).toEqual(['hook', 'list']);
  });

  it('of the server itself, at an address of the network, is answered', async () => {
    const { ask } = serve();
    expect((await ask('http://192.168.1.7:3000', 'GET', '192.168.1.7:3000')).status).toBe(200);
    expect((await ask('http://192.168.1.8:3000', 'GET', '192.168.1.7:3000')).status).toBe(403);
  });

  it.each([{ origin: '*' }, { origin: 'http://evil.test' }, {}])(
    'is answered as the code says with cors: %o',
    async (cors) => {
      expect((await serve({ cors }).ask('http://evil.test')).status).toBe(200);
    },
  );
});

it('takes no origin for one of this machine but by its host', () => {
  const text = fc.string({ unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(text, fc.domain(), text, (before, domain, after) => {
      for (const origin of [`${before}${domain}${after}`, `http://${before}@${domain}/${after}`]) {
        const isOurs = isOwnOrigin(origin, 'localhost:3000', allowed);
        if (!isOurs) continue;
        const { hostname } = new URL(origin);
        expect(hostname).toMatch(
          /^127\.|^\[::1\]$|(^|\.)localhost$|(^|\.)tunnel\.example$|^shop\.test$/,
        );
      }
    }),
    { numRuns: countInputs(300) },
  );
});
