import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  restTransport,
  type Server,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import type { DevLink } from '../../../server-runtime/server/dev-link.ts';
import type { RequestRecord } from '../../../source/record/request-record.ts';
import { createRequestRecorder } from '../../../source/record/request-recorder.ts';

it('a call that a context begins in the turn of its request is recorded as another one', async () => {
  const records: RequestRecord[] = [];
  const tell = (requests: readonly RequestRecord[]): void => void records.push(...requests);
  const recorder = createRequestRecorder(tell, { detailsPerSecond: 100 });
  const link: Pick<DevLink, 'observe' | 'started'> = { observe: recorder.observe, started: () => {} };
  Object.assign(globalThis, { [Symbol.for('capix.devLink')]: link });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, Symbol.for('capix.devLink')));

  const http = createHttpServer().listen(0);
  await once(http, 'listening');
  onTestFinished(() => void http.close());
  const calls: Promise<unknown>[] = [];
  const server: Server = createServer({
    context: defineContext(({ transport }) => {
      if (transport === 'rest') calls.push(server.invoke({ capability: 'a.getInner' }));
      return {};
    }),
    capabilities: {
      a: {
        getOuter: capability(() => 'outer'),
        getInner: capability(async () => new Promise((resolve) => void setTimeout(resolve, 20, 'inner'))).guard(
          defineGuard(() => {}, { name: 'ofInner' }),
        ),
      },
    },
    transports: [restTransport({ server: http })],
    logger: silentLogger,
  });
  await server.start();
  recorder.attach(http);
  await (await fetch(`http://localhost:${(http.address() as AddressInfo).port}/a/outer`)).text();
  await Promise.all(calls);
  recorder.flush();
  expect(
    records.map(({ method, url, capability: key, details }) => [method, url, key, details?.guards, details?.answer]),
  ).toEqual([
    ['GET', '/a/outer', 'a.getOuter', [], 'outer'],
    ['INVOKE', 'a.getInner', 'a.getInner', undefined, undefined],
  ]);
});

it('a job is a line with the key of its capability, and the status of its end', async () => {
  const records: RequestRecord[] = [];
  const recorder = createRequestRecorder((requests) => void records.push(...requests), { detailsPerSecond: 0 });
  const link: Pick<DevLink, 'observe' | 'started'> = { observe: recorder.observe, started: () => {} };
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
});
