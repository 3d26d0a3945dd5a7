import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { capability, defineError, sse, stream } from '../../../server-runtime/index.ts';
import { type RunningGraphql, startGraphql, toPost } from '../../helpers/start-graphql.ts';

const Thing = z.object({ id: z.string() });
const accept = 'text/event-stream';
const Unlucky = defineError(409, 'Unlucky');

interface Event {
  readonly event?: string | undefined;
  readonly data: string;
}

/** The events of a subscription, as they arrive. */
async function subscribe({ url }: RunningGraphql, query: string, init: RequestInit = {}) {
  const response = await fetch(url, toPost({ query }, { ...init, headers: { accept } }));
  const events = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  return { response, events: events as unknown as AsyncIterable<Event> };
}

async function collect(events: AsyncIterable<Event>) {
  const all: unknown[] = [];
  for await (const { event, data } of events) all.push([event, data && JSON.parse(data)]);
  return all;
}

const ended: string[] = [];
const watchThings = capability(
  z.object({ count: z.int32().default(2) }),
  async function* ({ count }, { signal }) {
    try {
      for (let id = 1; id <= count; id++)
        yield id === 2 ? sse({ id: '2' }, { id: 'e2' }) : { id: String(id) };
      if (count === 3) throw Unlucky('three');
      if (count === 4) throw new Error('a secret');
      if (count === 5) await once(signal, 'abort');
    } finally {
      ended.push(String(count));
    }
  },
).output(stream(Thing));
const capabilities = { things: { watchThings } };

it('53 subscription by SSE, leave ends the generator', async () => {
  const running = await startGraphql({ capabilities });
  const { response, events } = await subscribe(running, 'subscription { watchThings { id } }');
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
  expect(await collect(events)).toEqual([
    ['next', { data: { watchThings: { id: '1' } } }],
    ['next', { data: { watchThings: { id: '2' } } }],
    ['complete', ''],
  ]);
  const caller = new AbortController();
  const open = await subscribe(running, 'subscription { watchThings(count: 5) { id } }', {
    signal: caller.signal,
  });
  for await (const { data } of open.events) if (data.includes('"5"')) break;
  caller.abort();
  await expect.poll(() => ended).toContain('5');
});

it('errors of a subscription are its last result', async () => {
  const running = await startGraphql({ capabilities });
  const declared = await subscribe(running, 'subscription { watchThings(count: 3) { id } }');
  expect((await collect(declared.events)).slice(3)).toEqual([
    ['next', { errors: [{ message: 'three', extensions: { code: 'Unlucky', status: 409 } }] }],
    ['complete', ''],
  ]);
  const unexpected = await subscribe(running, 'subscription { watchThings(count: 4) { id } }');
  expect((await collect(unexpected.events)).slice(4)).toEqual([
    [
      'next',
      {
        errors: [
          { message: 'Internal server error', extensions: { code: 'Internal', status: 500 } },
        ],
      },
    ],
    ['complete', ''],
  ]);
  expect(running.log.errors).toHaveLength(1);
  const wrong = await subscribe(running, 'subscription { watchThings(count: "x") { id } }');
  expect(wrong.response.status).toBe(200);
  const refused = await running.ask('subscription { watchThings { id } }');
  expect(refused).toMatchObject({
    status: 406,
    errors: [{ message: 'A subscription is sent as events: accept text/event-stream' }],
  });
  expect((await running.send({}, '?query=subscription{watchThings{id}}')).status).toBe(405);
});

it('a reader that stops is waited for, and ended once it has taken nothing for a while', async () => {
  let made = 0;
  let hasEnded = false;
  const listTexts = capability(async function* () {
    try {
      for (;;) {
        made++;
        yield 'x'.repeat(20_000);
      }
    } finally {
      hasEnded = true;
    }
  }).output(stream(z.string()));
  const { url } = await startGraphql({
    capabilities: { texts: { listTexts } },
    rest: { limits: { slowReaderMs: 500 } },
  });
  const body = JSON.stringify({ query: 'subscription { listTexts }' });
  const headers = { accept, 'content-type': 'application/json' };
  const sent = request(url, { method: 'POST', headers }).end(body);
  onTestFinished(() => void sent.destroy());
  sent.on('error', () => {});
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.pause();
  await expect.poll(() => hasEnded).toBe(true);
  expect(made).toBeLessThan(1000);
});

it('55 drain ends both', async () => {
  const running = await startGraphql({ capabilities });
  const { events } = await subscribe(running, 'subscription { watchThings(count: 5) { id } }');
  const seen: unknown[] = [];
  let stopped: Promise<void> | undefined;
  for await (const { event, data } of events) {
    seen.push(event);
    if (data.includes('"5"')) stopped = running.server.stop({ graceMs: 5000 });
  }
  await stopped;
  // No `complete`: a client subscribes again.
  expect(seen).toEqual(['next', 'next', 'next', 'next', 'next']);
});
