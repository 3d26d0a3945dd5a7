import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  defineInputGuard,
  reply,
  type Server,
  silentLogger,
  toFetchHandler,
  toNodeHandler,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import type { DevLink } from '../../../server-runtime/server/dev-link.ts';
import type { RequestRecord } from '../../../source/record/request-record.ts';
import { RequestRecorder } from '../../../source/record/request-recorder.ts';
import {
  type SocketServerOptions,
  startSockets,
  type Talk,
} from '../../helpers/start-web-sockets.ts';

it('a call that a context begins in the turn of its request is recorded as another one', async () => {
  const records: RequestRecord[] = [];
  const tell = (requests: readonly RequestRecord[]): void => void records.push(...requests);
  const recorder = new RequestRecorder(tell, 100);
  const link: Pick<DevLink, 'observe' | 'started'> = {
    observe: recorder.observe,
    started: () => {},
  };
  Object.assign(globalThis, { [Symbol.for('capix.devLink')]: link });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, Symbol.for('capix.devLink')));

  const http = createHttpServer().listen(0);
  await once(http, 'listening');
  onTestFinished(() => void http.close());
  const calls: Promise<unknown>[] = [];
  const server: Server = createServer({
    context: defineContext(({ transport }) => {
      if (transport === 'rest') calls.push(server.invoke({ capability: 'a.getInner' }));
      return { lent: 1 };
    }),
    capabilities: {
      a: {
        getOuter: capability(() => 'outer'),
        getInner: capability(
          async () => new Promise((resolve) => void setTimeout(resolve, 20, 'inner')),
        ).guard(defineGuard(() => {}, { name: 'ofInner' })),
      },
    },
    logger: silentLogger,
  });
  http.on('request', toNodeHandler(server));
  recorder.attach(http);
  await (await fetch(`http://localhost:${(http.address() as AddressInfo).port}/a/outer`)).text();
  await Promise.all(calls);
  recorder.flush();
  expect(
    records.map(({ method, url, capability: key, details }) => [
      method,
      url,
      key,
      details?.guards,
      details?.answer,
      details?.context,
    ]),
  ).toEqual([
    ['GET', '/a/outer', 'a.getOuter', [], 'outer', expect.objectContaining({ lent: 1 })],
    ['INVOKE', 'a.getInner', 'a.getInner', undefined, undefined, undefined],
  ]);
  expect(records[0]?.details?.answerHeaders).toEqual(
    expect.arrayContaining([
      ['content-type', expect.stringContaining('application/json')],
      ['x-request-id', records[0]?.requestId],
    ]),
  );
});

it.each(['a parser of Express', 'an adapter of Hono'])(
  'a request that comes by way of %s is one record, with its path, its capability and what it wrote',
  async (way) => {
    const records: RequestRecord[] = [];
    const recorder = new RequestRecorder((requests) => void records.push(...requests), 100);
    const mounted: unknown[] = [];
    const link: Pick<DevLink, 'observe' | 'started' | 'mounted'> = {
      observe: recorder.observe,
      started: () => {},
      mounted: (routes) => void mounted.push(routes),
    };
    Object.assign(globalThis, { [Symbol.for('capix.devLink')]: link });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, Symbol.for('capix.devLink')));
    const createItem = capability(z.object({ name: z.string() }), async ({ name }) => {
      await Promise.resolve();
      process.stdout.write(`got ${name}\n`);
      return name;
    });
    const server = createServer({ capabilities: { items: { createItem } }, logger: silentLogger });
    const hono = getRequestListener(new Hono().mount('/api', toFetchHandler(server)).fetch, {
      // Other tests of this process keep the Response of Node.
      overrideGlobalObjects: false,
    });
    const http = createHttpServer(
      way.includes('Express')
        ? express().use(express.json()).use('/api', toNodeHandler(server))
        : (request, response) => void hono(request, response),
    );
    await once(http.listen(0), 'listening');
    onTestFinished(() => void http.close());
    recorder.attach(http);
    await Promise.all(
      ['a', 'b'].map(async (name) => {
        const init = {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name }),
        };
        return (
          await fetch(`http://localhost:${(http.address() as AddressInfo).port}/api/items`, init)
        ).text();
      }),
    );
    await expect.poll(() => (recorder.flush(), records.length)).toBe(2);
    expect(mounted[0]).toEqual([{ method: 'POST', path: '/items', key: 'items.createItem' }]);
    for (const name of ['a', 'b']) {
      expect(records.find(({ details }) => details?.answer === name)).toMatchObject({
        url: '/api/items',
        capability: 'items.createItem',
        details: { body: `{"name":"${name}"}`, logs: [{ stream: 'stdout', text: `got ${name}` }] },
      });
    }
  },
);

it('has the input as it was sent where the schema makes another one of it, and of a reply the answer itself', async () => {
  const records: RequestRecord[] = [];
  const recorder = new RequestRecorder((requests) => void records.push(...requests), 100);
  const link: Pick<DevLink, 'observe' | 'started'> = {
    observe: recorder.observe,
    started: () => {},
  };
  Object.assign(globalThis, { [Symbol.for('capix.devLink')]: link });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, Symbol.for('capix.devLink')));
  const http = createHttpServer().listen(0);
  await once(http, 'listening');
  onTestFinished(() => void http.close());
  const input = z.object({ name: z.string().transform((name) => name.length) });
  const server: Server = createServer({
    capabilities: {
      a: {
        getLength: capability(input, ({ name }) => reply({ length: name }, { status: 202 })),
        getSame: capability(z.object({ name: z.string() }), () => 'same'),
      },
    },
    logger: silentLogger,
  });
  http.on('request', toNodeHandler(server));
  recorder.attach(http);
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  await (await fetch(`${url}/a/length?name=Ada`)).text();
  await (await fetch(`${url}/a/same?name=Ada`)).text();
  recorder.flush();
  expect(records.map(({ status, details }) => [status, details])).toMatchObject([
    [202, { sent: { name: 'Ada' }, input: { name: 3 }, answer: { length: 3 } }],
    [200, { input: { name: 'Ada' }, answer: 'same' }],
  ]);
  expect(records[1]?.details).not.toHaveProperty('sent');
});

it('a job is a line with the key of its capability, and the status of its end', async () => {
  const records: RequestRecord[] = [];
  const recorder = new RequestRecorder((requests) => void records.push(...requests), 0);
  const link: Pick<DevLink, 'observe' | 'started'> = {
    observe: recorder.observe,
    started: () => {},
  };
  Object.assign(globalThis, { [Symbol.for('capix.devLink')]: link });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, Symbol.for('capix.devLink')));
  const send = capability((input) => {
    if (Object(input).to !== 'ada') throw defaultErrors.NotFound('No address');
  });
  const jobs = queueTransport({ capabilities: { emails: { send } } });
  const server = createServer({ transports: [jobs], logger: silentLogger });
  await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  await jobs.enqueue('emails.send', { to: 'ada' });
  await jobs.enqueue('emails.send', { to: 'bob' });
  await expect
    .poll(() => records)
    .toMatchObject([
      { method: 'JOB', capability: 'emails.send', status: 200 },
      { method: 'JOB', capability: 'emails.send', status: 404 },
    ]);
  expect(new Set(records.map(({ id }) => id)).size).toBe(2);
});

it('a guard that returns an error refuses a call that is recorded, and the refusal has its name', async () => {
  const failures: unknown[] = [];
  const recorder = new RequestRecorder(() => {}, 100);
  const link: Pick<DevLink, 'observe' | 'started'> = {
    observe: recorder.observe,
    started: () => {},
  };
  Object.assign(globalThis, { [Symbol.for('capix.devLink')]: link });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, Symbol.for('capix.devLink')));
  const refuse = () => defaultErrors.Forbidden('Not yours');
  const byGuard = defineGuard(refuse as () => void, { name: 'mustOwn' });
  const byInput = defineInputGuard(refuse as () => void, { name: 'mustOwnIt' });
  const server = createServer({
    capabilities: {
      a: {
        getOne: capability(() => 'got').guard(byGuard),
        getOther: capability(z.object({}), () => 'got').inputGuard(byInput),
      },
    },
    hooks: { onError: ({ failure }) => void failures.push(failure.refusedBy) },
    logger: silentLogger,
  });
  const http = createHttpServer().listen(0);
  await once(http, 'listening');
  onTestFinished(() => void http.close());
  http.on('request', toNodeHandler(server));
  recorder.attach(http);
  const { port } = http.address() as AddressInfo;
  for (const path of ['one', 'other'])
    expect((await fetch(`http://localhost:${port}/a/${path}`)).status).toBe(403);
  expect(failures).toEqual([
    { name: 'mustOwn', sawInput: false },
    { name: 'mustOwnIt', sawInput: true },
  ]);
});

it('two processes give their first requests two ids', async () => {
  const ids: string[] = [];
  for (let start = 0; start < 2; start += 1) {
    const recorder = new RequestRecorder((records) => {
      for (const { id } of records) ids.push(id);
    }, 100);
    const http = createHttpServer((_request, response) => response.end()).listen(0);
    onTestFinished(() => void http.close());
    recorder.attach(http);
    await once(http, 'listening');
    await (await fetch(`http://localhost:${(http.address() as AddressInfo).port}`)).text();
    await expect.poll(() => ids).toHaveLength(start + 1);
  }
  expect(new Set(ids).size).toBe(2);
});

describe('a connection of a WebSocket', () => {
  interface Recorded {
    readonly records: RequestRecord[];
    readonly recorder: RequestRecorder;
  }

  function record(detailsPerSecond: number): Recorded {
    const records: RequestRecord[] = [];
    const recorder = new RequestRecorder(
      (requests) => void records.push(...requests),
      detailsPerSecond,
    );
    const link: Pick<DevLink, 'observe' | 'started' | 'replaced'> = {
      observe: recorder.observe,
      started: () => {},
      replaced: new AbortController().signal,
    };
    Object.assign(globalThis, { [Symbol.for('capix.devLink')]: link });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, Symbol.for('capix.devLink')));
    return { records, recorder };
  }

  const capabilities = {
    items: {
      getItem: capability(z.object({ id: z.string(), password: z.string() }), async ({ id }) => {
        await Promise.resolve();
        process.stdout.write(`got ${id}\n`);
        return { id };
      }).guard(defineGuard(() => {}, { name: 'mayRead' })),
      getNothing: capability(() => {
        throw defaultErrors.NotFound('It is away');
      }),
    },
  };

  it('is recorded when it opens and once more when it closes, and each of its calls with what it carried', async () => {
    const { records, recorder } = record(100);
    const { open } = await startSockets({ capabilities });
    const talk = await open({ headers: { 'x-user': 'ada' } });
    await talk.ask(
      'items.getItem',
      { id: 'a', password: 'hunter2' },
      { headers: { 'x-own': 'b' } },
    );
    await talk.ask('items.getNothing');
    talk.webSocket.close(1000, 'done');
    await expect.poll(() => (recorder.flush(), records.length)).toBe(4);
    const [opened, call, failed, ended] = records;
    expect(opened).toMatchObject({ method: 'GET', url: '/_call', status: 101 });
    expect(opened?.details?.headers).toContainEqual(['x-user', 'ada']);
    expect(call).toMatchObject({
      method: 'WS',
      url: 'items.getItem',
      capability: 'items.getItem',
      status: 200,
      details: {
        guards: [{ name: 'mayRead' }],
        input: { id: 'a', password: '•••' },
        answer: { id: 'a' },
        hasRun: true,
        logs: [{ stream: 'stdout', text: 'got a' }],
      },
    });
    expect(call?.details?.headers).toEqual(
      expect.arrayContaining([
        ['x-user', 'ada'],
        ['x-own', 'b'],
      ]),
    );
    expect(failed).toMatchObject({ status: 404, details: { error: { message: 'It is away' } } });
    const { closed, ...rest } = ended ?? {};
    expect(rest).toEqual(opened);
    expect(closed).toEqual({
      by: 'client',
      code: 1000,
      reason: 'done',
      calls: 2,
      received: 2,
      sent: 2,
      openMs: expect.any(Number) as number,
    });
  });

  it.each<[string, Partial<SocketServerOptions>, (talk: Talk) => unknown, object]>([
    ['broke off', {}, (talk) => talk.webSocket.terminate(), { by: 'nobody', code: 1006 }],
    [
      'sent no frame',
      {},
      (talk) => (talk.webSocket as unknown as { _socket: Socket })._socket.write('no frame'),
      { by: 'server', code: 1002, reason: expect.stringContaining('Invalid') as string },
    ],
    [
      'sent too much',
      { socket: { limits: { maxMessageSize: 64 } } },
      (talk) => talk.call('x'.repeat(100)),
      { by: 'server', code: 1009, received: 0 },
    ],
    [
      'sent bytes',
      {},
      (talk) => talk.webSocket.send(Buffer.from('a')),
      { by: 'server', code: 1003, received: 1 },
    ],
    [
      'answered no ping',
      { socket: { limits: { pingMs: 20 } } },
      (talk) => talk.webSocket.pause(),
      { by: 'server', code: 1006, reason: 'The client answered no ping' },
    ],
    [
      'was refused by a guard once it was open',
      {
        socket: {
          guards: [
            defineGuard(() => {
              throw defaultErrors.Forbidden('Not you');
            }),
          ],
        },
      },
      () => undefined,
      { by: 'server', code: 4403, reason: 'Forbidden: Not you', calls: 0 },
    ],
  ])(
    'that %s is recorded with its code, and the side that closed it',
    async (_how, options, act, end) => {
      const { records, recorder } = record(0);
      const { open } = await startSockets({ capabilities, ...options });
      const talk = await open({ protocols: 'capix.v1' });
      act(talk);
      const findEnd = (): RequestRecord | undefined => {
        recorder.flush();
        return records.find(({ closed }) => closed !== undefined);
      };
      await expect.poll(findEnd).toMatchObject({ url: '/_call', status: 101, closed: end });
    },
  );

  it('that the server leaves is recorded before it has stopped', async () => {
    const { records, recorder } = record(0);
    const { open, server } = await startSockets({ capabilities });
    await open();
    await server.stop();
    recorder.flush();
    expect(records.at(-1)?.closed).toMatchObject({
      by: 'server',
      code: 1001,
      reason: 'stop',
      sent: 1,
    });
  });
});
