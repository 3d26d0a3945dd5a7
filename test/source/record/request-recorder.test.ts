import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  type Server,
  silentLogger,
  toFetchHandler,
  toNodeHandler,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import type { DevLink } from '../../../server-runtime/server/dev-link.ts';
import type { RequestRecord } from '../../../source/record/request-record.ts';
import { RequestRecorder } from '../../../source/record/request-recorder.ts';

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
