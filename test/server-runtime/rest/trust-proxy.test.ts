import { describe, expect, it } from 'vitest';
import type { TrustProxy } from '../../../server-runtime/http/trust-proxy.ts';
import {
  capability,
  createServer,
  defineContext,
  restTransport,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const whoAmI = capability.withContext<{ caller: string | undefined }>()(
  (_input, { caller }) => caller ?? null,
  'query',
);
const context = defineContext(({ remoteAddress }) => ({ caller: remoteAddress }));
const options = { capabilities: { whoAmI }, context };

async function findCaller(
  trustProxy: TrustProxy | undefined,
  headers: Readonly<Record<string, string>>,
  remoteAddress?: string,
): Promise<unknown> {
  const answer = toFetchHandler(createServer(options), { trustProxy });
  const response = await answer(new Request('http://any/who-am-i', { headers }), { remoteAddress });
  return ((await response.json()) as { readonly data: unknown }).data;
}

const xff = (text: string) => ({ 'x-forwarded-for': text });

describe('trustProxy', () => {
  it.each<
    [string, TrustProxy | undefined, Record<string, string>, string | undefined, string | null]
  >([
    ['believes nobody by default', undefined, xff('198.51.100.1'), '10.0.0.1', '10.0.0.1'],
    ['believes nobody where it is false', false, xff('198.51.100.1'), '10.0.0.1', '10.0.0.1'],
    ['gives who connected where no proxy says anything', 1, {}, '10.0.0.1', '10.0.0.1'],
    [
      'takes what one proxy has added, not what the caller wrote',
      1,
      xff('6.6.6.6, 198.51.100.1'),
      '10.0.0.1',
      '198.51.100.1',
    ],
    [
      'goes as far as there are proxies',
      2,
      xff('6.6.6.6, 198.51.100.1, 10.0.0.2'),
      '10.0.0.1',
      '198.51.100.1',
    ],
    [
      'takes the first where there are fewer than proxies',
      5,
      xff('198.51.100.1, 10.0.0.2'),
      '10.0.0.1',
      '198.51.100.1',
    ],
    [
      'takes the first where all are believed',
      true,
      xff('6.6.6.6, 198.51.100.1'),
      '10.0.0.1',
      '6.6.6.6',
    ],
    [
      'passes proxies of a subnet',
      '10.0.0.0/8',
      xff('6.6.6.6, 198.51.100.1, 10.9.9.9'),
      '10.0.0.1',
      '198.51.100.1',
    ],
    [
      'passes proxies by address and range',
      ['loopback', '192.0.2.7'],
      xff('6.6.6.6, 198.51.100.1, 192.0.2.7'),
      '127.0.0.1',
      '198.51.100.1',
    ],
    [
      'knows an IPv4 address in IPv6',
      'loopback',
      xff('198.51.100.1'),
      '::ffff:127.0.0.1',
      '198.51.100.1',
    ],
    [
      'does not believe a stranger who writes the header',
      '10.0.0.0/8',
      xff('10.0.0.9'),
      '203.0.113.5',
      '203.0.113.5',
    ],
    [
      'does not believe one without an address by a list',
      'private',
      xff('198.51.100.1'),
      undefined,
      null,
    ],
    [
      'believes one without an address by a number',
      1,
      xff('198.51.100.1'),
      undefined,
      '198.51.100.1',
    ],
    ['leaves ports away', 1, xff('198.51.100.1:4711'), '10.0.0.1', '198.51.100.1'],
    ['reads IPv6 in brackets', 1, xff('[2001:db8::1]:4711'), '10.0.0.1', '2001:db8::1'],
    [
      'stays with the proxy that names no address',
      2,
      xff('6.6.6.6, unknown'),
      '10.0.0.1',
      '10.0.0.1',
    ],
    [
      'stays with the proxy where the header is anything',
      1,
      xff(', ,<script>'),
      '10.0.0.1',
      '10.0.0.1',
    ],
    ['does not read Forwarded', 1, { forwarded: 'for=6.6.6.6' }, '10.0.0.1', '10.0.0.1'],
  ])('%s', async (_what, trustProxy, headers, remoteAddress, caller) => {
    expect(await findCaller(trustProxy, headers, remoteAddress)).toBe(caller);
  });

  it('tells the caller over a socket, where a header comes more than once', async () => {
    const { request } = await startOverSocket({ ...options, rest: { trustProxy: 'loopback' } });
    const headers = new Headers([
      ['x-forwarded-for', '6.6.6.6'],
      ['x-forwarded-for', '198.51.100.1'],
    ]);
    expect(await (await request('/who-am-i', { headers })).json()).toEqual({
      data: '198.51.100.1',
    });
  });

  it.each<[unknown, string]>([
    [-1, 'expected true, the number of proxies, or their addresses'],
    [1.5, 'got 1.5'],
    [
      'proxy.example',
      "a subnet such as '10.0.0.0/8', or one of loopback, private, link-local; got",
    ],
    ['10.0.0.0/33', 'got "10.0.0.0/33"'],
    [['10.0.0.1', 7], 'got ["10.0.0.1",7]'],
    [{ from: 1 }, 'got {"from":1}'],
  ])('refuses %j', (trustProxy, message) => {
    expect(() => restTransport({ trustProxy: trustProxy as TrustProxy })).toThrow(message);
  });
});
