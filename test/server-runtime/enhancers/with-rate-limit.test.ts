import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  toFetchHandler,
  withRateLimit,
} from '../../../server-runtime/index.ts';
import { describeOverSockets, itOverHttp } from '../../helpers/every-door.ts';
import { json, recordLog, startOverSocket } from '../../helpers/start-rest.ts';

const minute = { limit: 2, windowMs: 60_000 };
const ping = capability(() => 'pong', 'query');
const context = defineContext(({ headers }) => ({ user: headers['x-user'] as string | undefined }));
const byUser = (_input: unknown, ctx: { user: string | undefined }): string | undefined => ctx.user;

describeOverSockets('over HTTP', () => {
  itOverHttp(
    'every answer has the headers of the draft, and a refusal says when to come back',
    async () => {
      const { request } = await startOverSocket({
        capabilities: { a: { getPing: ping.enhance(withRateLimit(minute)) } },
      });
      const answers = [];
      for (let call = 0; call < 3; call++) {
        const { status, headers } = await request('/a/ping');
        answers.push([
          status,
          headers.get('ratelimit-policy'),
          headers.get('ratelimit'),
          headers.get('retry-after'),
        ]);
      }
      expect(answers).toEqual([
        [200, '"a.getPing";q=2;w=60', '"a.getPing";r=1;t=60', null],
        [200, '"a.getPing";q=2;w=60', '"a.getPing";r=0;t=60', null],
        [429, '"a.getPing";q=2;w=60', '"a.getPing";r=0;t=60', '60'],
      ]);
    },
  );

  itOverHttp('two limits of one capability count alone, and tell of both', async () => {
    const limited = ping
      .enhance(withRateLimit({ limit: 100, windowMs: 60_000 }))
      .enhance(withRateLimit(minute))
      .enhance(withRateLimit(minute));
    const { request } = await startOverSocket({ capabilities: { a: { getPing: limited } } });
    const { headers } = await request('/a/ping');
    expect(headers.get('ratelimit')).toBe(
      '"a.getPing";r=99;t=60, "a.getPing";r=1;t=60, "a.getPing";r=1;t=60',
    );
  });

  it('counts calls that are refused too, where it says so, before the guard and the body', async () => {
    const guard = defineGuard(() => {
      throw defaultErrors.Unauthorized();
    });
    const input = z.object({ name: z.string() });
    const createItem = capability(input, () => 'made');
    const { request } = await startOverSocket({
      capabilities: {
        valid: { createItem: createItem.enhance(withRateLimit(minute)) },
        every: {
          createItem: createItem
            .guard(guard)
            .enhance(withRateLimit({ ...minute, countsRefused: true })),
        },
      },
    });
    const statuses = async (path: string): Promise<readonly number[]> => {
      const answers = [];
      for (let call = 0; call < 3; call++)
        answers.push((await request(path, json({ wrong: true }))).status);
      return answers;
    };
    expect(await statuses('/valid')).toEqual([400, 400, 400]);
    expect(await statuses('/every')).toEqual([401, 401, 429]);
  });

  it('counts by user, else by address, behind proxies that are trusted', async () => {
    const getPing = capability
      .withContext<{ user: string | undefined }>()(() => 'pong', 'query')
      .enhance(withRateLimit({ limit: 1, windowMs: 60_000, by: byUser }));
    const { request } = await startOverSocket({
      context,
      capabilities: { a: { getPing } },
      rest: { trustProxy: 1 },
    });
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await request('/a/ping', { headers })).status;
    expect(await ask({ 'x-user': 'ann' })).toBe(200);
    expect(await ask({ 'x-user': 'bob' })).toBe(200);
    expect(await ask({ 'x-user': 'ann' })).toBe(429);
    expect(await ask({ 'x-forwarded-for': '203.0.113.1' })).toBe(200);
    expect(await ask({ 'x-forwarded-for': '203.0.113.2' })).toBe(200);
    // What the caller made up comes before what the proxy wrote.
    expect(await ask({ 'x-forwarded-for': '198.51.100.9, 203.0.113.2' })).toBe(429);
    // A user who is called as an address is another caller.
    expect(await ask({ 'x-user': '203.0.113.1' })).toBe(200);
  });

  itOverHttp('counts a factory, or the server, together by name', async () => {
    const cap = capability.use(withRateLimit({ name: 'factory', limit: 2, windowMs: 60_000 }));
    const both = { getOne: cap(() => 'pong'), getTwo: cap(() => 'pong') };
    const { request } = await startOverSocket({
      capabilities: { a: both, b: { getThree: ping } },
      use: [withRateLimit({ name: 'server', limit: 3, windowMs: 60_000 })],
    });
    const status = async (path: string): Promise<number> => (await request(path)).status;
    expect([await status('/a/one'), await status('/a/two'), await status('/b/three')]).toEqual([
      200, 200, 200,
    ]);
    const { headers } = await request('/a/one');
    expect(headers.get('ratelimit')).toBe('"server";r=0;t=60');
  });

  it('counts without trustProxy the address of who is connected, whatever he writes', async () => {
    const { request } = await startOverSocket({
      capabilities: {
        a: { getPing: ping.enhance(withRateLimit({ limit: 1, windowMs: 60_000, by: 'address' })) },
      },
    });
    const ask = async (address: string): Promise<number> =>
      (await request('/a/ping', { headers: { 'x-forwarded-for': address } })).status;
    expect([await ask('203.0.113.1'), await ask('203.0.113.2')]).toEqual([200, 429]);
  });

  it('an object that the builder gives to all requests keeps them apart', async () => {
    for (const shared of [{ name: 'shared' }, Object.freeze({ name: 'shared' })]) {
      const { request } = await startOverSocket({
        context: defineContext(() => shared),
        rest: { trustProxy: 1 },
        capabilities: {
          a: {
            getPing: ping.enhance(withRateLimit({ limit: 1, windowMs: 60_000, by: 'address' })),
          },
        },
      });
      const ask = async (address: string): Promise<number> =>
        (await request('/a/ping', { headers: { 'x-forwarded-for': address } })).status;
      expect([await ask('1.1.1.1'), await ask('1.1.1.2'), await ask('1.1.1.1')]).toEqual([
        200, 200, 429,
      ]);
    }
  });

  itOverHttp('lets calls through uncounted for which skip says so', async () => {
    const skip = (_input: unknown, ctx: { user: string | undefined }): boolean =>
      ctx.user === 'robot';
    const limited = capability.withContext<{ user: string | undefined }>()(() => 'pong', 'query');
    const { request } = await startOverSocket({
      context,
      capabilities: {
        a: { getPing: limited.enhance(withRateLimit({ limit: 1, windowMs: 60_000, skip })) },
        b: {
          getPing: limited.enhance(
            withRateLimit({ limit: 1, windowMs: 60_000, skip, countsRefused: true }),
          ),
        },
      },
    });
    for (const path of ['/a/ping', '/b/ping']) {
      const ask = async (user: string): Promise<readonly unknown[]> => {
        const { status, headers } = await request(path, { headers: { 'x-user': user } });
        return [status, headers.has('ratelimit')];
      };
      for (let call = 0; call < 3; call++) expect(await ask('robot')).toEqual([200, false]);
      expect([await ask('ann'), await ask('ann'), await ask('robot')]).toEqual([
        [200, true],
        [429, true],
        [200, false],
      ]);
    }
  });
});

describeOverSockets('by address', () => {
  const limited = {
    a: { getPing: ping.enhance(withRateLimit({ limit: 1, windowMs: 60_000, by: 'address' })) },
  };

  it('says once in the log that no address is known, and how to pass it', async () => {
    const log = recordLog();
    const answer = toFetchHandler(createServer({ capabilities: limited, logger: log }));
    const ask = async (info?: { remoteAddress: string }): Promise<number> =>
      (await answer(new Request('http://in-memory/a/ping'), info)).status;
    expect([
      await ask({ remoteAddress: '192.0.2.1' }),
      await ask({ remoteAddress: '192.0.2.2' }),
    ]).toEqual([200, 200]);
    expect(log.errors).toEqual([]);
    expect([await ask(), await ask(), await ask()]).toEqual([200, 429, 429]);
    expect(log.errors).toHaveLength(1);
    expect(log.errors[0]?.message).toContain(
      'withRateLimit on a.getPing counts callers by address',
    );
    expect(log.errors[0]?.message).toContain('answer(request, { remoteAddress })');
  });

  it('says nothing where there can be none: a call in this process', async () => {
    const log = recordLog();
    const server = createServer({ capabilities: limited, logger: log });
    expect(await server.invoke({ capability: 'a.getPing' })).toBe('pong');
    expect(log.errors).toEqual([]);
  });

  /** Asks as each of these addresses in turn; gives the places of those that were let through. */
  async function askAs(
    addresses: readonly string[],
    ipv6SubnetBits?: number,
  ): Promise<readonly number[]> {
    const getPing = ping.enhance(
      withRateLimit({ limit: 1, windowMs: 60_000, by: 'address', ipv6SubnetBits }),
    );
    const answer = toFetchHandler(
      createServer({ capabilities: { a: { getPing } }, logger: recordLog() }),
    );
    const passed: number[] = [];
    for (const [at, remoteAddress] of addresses.entries()) {
      const { status } = await answer(new Request('http://in-memory/a/ping'), { remoteAddress });
      if (status === 200) passed.push(at);
    }
    return passed;
  }

  it('counts an IPv6 caller by network, /56 where nothing else is said', async () => {
    const addresses = [
      '2001:db8:1:200::1',
      '2001:db8:1:2ff:ffff::9',
      '2001:db8:1:300::1',
      '2001:DB8:1:0200:0:0:0:1',
    ];
    expect(await askAs(addresses)).toEqual([0, 2]);
    expect(await askAs(addresses, 64)).toEqual([0, 1, 2]);
    expect(await askAs(addresses, 128)).toEqual([0, 1, 2]);
    expect(await askAs(addresses, 48)).toEqual([0]);
    expect(await askAs(['fe80::1%eth0', 'fe80::2%eth1', '::1', '::2'])).toEqual([0, 2]);
  });

  it('counts an IPv4 address that is written as IPv6 as what it is', async () => {
    const same = [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '::FFFF:cb00:7107',
      '0:0:0:0:0:ffff:203.0.113.7',
    ];
    expect(await askAs(same)).toEqual([0]);
    expect(await askAs(['::ffff:203.0.113.7', '::ffff:203.0.113.8', 'a name'])).toEqual([0, 1, 2]);
  });

  it('of any two addresses in one network, the second is the same caller, and of any two networks it is not', async () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const toAddress = (groups: readonly number[]): string =>
      groups.map((each) => each.toString(16)).join(':');
    const first = fc.tuple(
      group.filter((each) => each > 0),
      ...Array.from({ length: 7 }, () => group),
    );
    await fc.assert(
      fc.asyncProperty(
        first,
        fc.integer({ min: 1, max: 128 }),
        fc.nat(127),
        async (groups, bits, at) => {
          const other = groups.map((each, index) =>
            index === at >> 4 ? each ^ (0x8000 >> (at & 15)) : each,
          );
          const passed = await askAs([toAddress(groups), toAddress(other)], bits);
          expect(passed).toEqual(at < bits ? [0, 1] : [0]);
        },
      ),
      { numRuns: 50 },
    );
  });
});
