import { EventEmitter, once } from 'node:events';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { capability, trace } from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';
import { writeTree } from '../../helpers/scaffold.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

it('last() counts queries, with a socket and in memory', async () => {
  const db = new PGlite();
  onTestFinished(() => db.close());
  // As docs/where-time-goes.md writes it.
  const query = db.query.bind(db);
  db.query = (text, ...more) => trace('db', text, () => query(text, ...more));
  const getOrders = capability(z.object({ count: z.coerce.number() }), async ({ count }) => {
    for (let at = 0; at < count; at += 1) await db.query('select $1::int as line', [at]);
    return count;
  });
  for (const listen of [true, false]) {
    await using api = await testServer({ listen, capabilities: { orders: { getOrders } } });
    expect(() => api.last()).toThrow('no capability of this server was called yet');
    await (await api.fetch('/orders?count=41')).json();
    expect(api.last()).toMatchObject({ queries: 41, calls: 0, commands: 0 });
    expect(new Set(api.last().statements)).toEqual(new Set(['select $1::int as line']));
    await api.invoke({ capability: 'orders.getOrders', input: { count: 2 } });
    expect(api.last().queries).toBe(2);
    // What the test itself asks is no part of a call.
    await db.query('select 1');
    expect(api.last().queries).toBe(2);
  }
});

it('last() counts outgoing requests, by fetch and node:http', async () => {
  const far = createServer((_, response) => void response.end('{}'));
  await once(far.listen(0), 'listening');
  onTestFinished(() => void far.close());
  const url = `http://localhost:${(far.address() as AddressInfo).port}`;
  const getRates = capability(async () => {
    await (await fetch(url)).text();
    const [response] = await once(request(url).end(), 'response');
    await once(response.resume(), 'end');
    return trace('http', 'GET elsewhere', () => 'rates');
  });
  await using api = await testServer({ capabilities: { rates: { getRates } } });
  expect(await (await api.fetch('/rates')).json()).toEqual({ data: 'rates' });
  expect(api.last()).toEqual({ queries: 0, calls: 3, commands: 0, statements: [] });
});

it('last() counts queries of pg, which publishes none, from the next call after its code was loaded', async () => {
  const folder = await temporaryFolder();
  const client = 'node_modules/pg/lib/client.js';
  // The shape of pg that is wrapped; `npm run compat:waits` runs pg itself under `capix dev`.
  await writeTree(folder, {
    [client]: 'exports.prototype = { query: async (text) => text };',
  });
  const load = createRequire(import.meta.url);
  const { prototype: db } = load(join(folder, client)) as {
    readonly prototype: { readonly query: (text: string) => Promise<string> };
  };
  const getOne = capability(() => db.query('select 1'));
  await using api = await testServer({ capabilities: { ones: { getOne } } });
  expect(await api.invoke({ capability: 'ones.getOne' })).toBe('select 1');
  expect(api.last()).toMatchObject({ queries: 1, statements: ['select 1'] });
});

it('last() has what a call of a call waits for, all fields of an operation, and of two the newer', async () => {
  const ask = (): Promise<string> => trace('db', 'select 1', async () => 'one');
  const getOne = capability(ask);
  const waits = new EventEmitter();
  const getSlow = capability(async () => {
    waits.emit('began');
    await once(waits, 'go on');
    return ask();
  });
  const getBoth = capability(async (): Promise<unknown> => {
    await ask();
    return invokeOne();
  });
  const capabilities = { ones: { getOne }, boths: { getBoth }, slows: { getSlow } };
  await using api = await testServer({ capabilities, graphql: true });
  const invokeOne = (): Promise<unknown> => api.invoke({ capability: 'ones.getOne' });
  expect(await api.invoke({ capability: 'boths.getBoth' })).toBe('one');
  expect(api.last().queries).toBe(2);
  const { errors } = await api.graphql('{ a: getOne b: getOne c: getOne }');
  expect([errors, api.last().queries]).toEqual([undefined, 3]);
  const began = once(waits, 'began');
  const slow = api.invoke({ capability: 'slows.getSlow' });
  await began;
  await api.invoke({ capability: 'ones.getOne' });
  waits.emit('go on');
  await slow;
  expect(api.last().queries).toBe(1);
});

it('the statements of a job are none of the call that enqueued it', async () => {
  const ask = (text: string): string => trace('db', text, () => 'one');
  const jobs = queueTransport({
    capabilities: { mails: { send: capability(z.object({}), () => ask('select 2')) } },
  });
  const createUser = capability(async () => {
    await jobs.enqueue('mails.send', {});
    return ask('select 1');
  });
  await using api = await testServer({ capabilities: { users: { createUser } }, jobs: 'run' });
  expect((await api.fetch('/users', { json: {} })).status).toBe(200);
  await api.jobs.idle();
  expect(api.last().statements).toEqual(['select 1']);
});

describeWithRedis('Redis', () => {
  it('last() counts commands of Redis', async () => {
    const { url } = await startRedis();
    const redis = new Redis(url);
    onTestFinished(() => redis.disconnect());
    await redis.ping();
    const getUser = capability(async () => {
      await redis.set('user:1', 'ada');
      return redis.get('user:1');
    });
    await using api = await testServer({ capabilities: { users: { getUser } } });
    expect(await api.invoke({ capability: 'users.getUser' })).toBe('ada');
    expect(api.last()).toMatchObject({ queries: 0, commands: 2 });
  });
});
