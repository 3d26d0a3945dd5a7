import { request as requestOf } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  capability,
  defineEnvelope,
  defineError,
  type RestOptions,
  reply,
} from '../../../server-runtime/index.ts';
import { describeEverywhere, startOverSocket } from '../../helpers/start-rest.ts';

async function* countTo(last: number): AsyncGenerator<number> {
  for (let n = 1; n <= last; n++) yield n;
}

const getSequence = capability(() =>
  reply(countTo(2), {
    headers: { 'content-type': 'application/json-seq', 'cache-control': 'no-store' },
  }),
);
const getNumbers = capability(() => countTo(2));
const getTwice = capability(() =>
  reply('<p>', { headers: { 'Content-Type': 'text/plain', 'content-type': 'text/html' } }),
);
const getShared = capability(() =>
  reply(1, {
    headers: {
      'Access-Control-Allow-Origin': 'https://b.example',
      Vary: 'Accept-Language',
      'set-cookie': ['a=1', 'b=2'],
      'X-Frame-Options': 'SAMEORIGIN',
    },
  }),
);
const capabilities = { answers: { getSequence, getNumbers, getTwice, getShared } };

/** The header lines of an answer, as they are on the wire. */
async function readLines(
  path: string,
  rest: RestOptions = {},
  headers: Record<string, string> = {},
): Promise<(name: string) => readonly string[]> {
  const { url } = await startOverSocket({ capabilities, rest });
  const raw = await new Promise<readonly string[]>((resolve, reject) => {
    const sent = requestOf(url + path, { headers }, (response) => {
      response.resume().once('end', () => resolve(response.rawHeaders));
    });
    sent.once('error', reject).end();
  });
  return (name) => raw.filter((_text, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name);
}

describe('each header of an answer', () => {
  it('is sent once where a handler names it, too', async () => {
    const lines = await readLines('/answers/sequence');
    expect(lines('content-type')).toEqual(['application/json-seq']);
    expect(lines('cache-control')).toEqual(['no-store']);
  });

  it('is the last of two spellings of one reply', async () => {
    const lines = await readLines('/answers/twice');
    expect(lines('content-type')).toEqual(['text/html']);
  });

  it("is the handler's before the transport's; what it varies by is joined, and cookies add up", async () => {
    const cors = { origin: 'https://a.example' };
    const rest = { cors, securityHeaders: true };
    const lines = await readLines('/answers/shared', rest, { origin: 'https://a.example' });
    expect(lines('access-control-allow-origin')).toEqual(['https://b.example']);
    expect(lines('x-frame-options')).toEqual(['SAMEORIGIN']);
    expect(lines('x-content-type-options')).toEqual(['nosniff']);
    expect(lines('vary')).toEqual(['Accept-Language, Origin']);
    expect(lines('set-cookie')).toEqual(['a=1', 'b=2']);
  });
});

describeEverywhere('a stream of items', (start) => {
  it.each([
    ['text/event-stream', 'text/event-stream'],
    ['application/json, Text/Event-Stream;q=0.5', 'text/event-stream'],
    ['text/event-stream;q=0', 'application/x-ndjson'],
    ['text/event-stream; charset=utf-8; q=0.0, */*', 'application/x-ndjson'],
    ['application/x-ndjson, text/event-stream;q=0.1', 'application/x-ndjson'],
    ['x-text/event-streams', 'application/x-ndjson'],
    ['*/*', 'text/event-stream'],
  ])('is, for who accepts %s, %s, and says that it depends on that', async (accept, type) => {
    const { request } = await start({ capabilities });
    const response = await request('/answers/numbers', { headers: { accept } });
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(response.headers.get('vary')).toBe('Accept');
    expect(await response.text()).toContain(type === 'text/event-stream' ? 'data: 1' : '1\n2\n');
  });

  it('has the form of the type that its handler names, whatever the caller accepts', async () => {
    const getEvents = capability(() =>
      reply(countTo(1), { headers: { 'content-type': 'text/event-stream' } }),
    );
    const { request } = await start({ capabilities: { answers: { getSequence, getEvents } } });
    const lines = await request('/answers/sequence', { headers: { accept: 'text/event-stream' } });
    expect([lines.headers.get('vary'), await lines.text()]).toEqual([null, '1\n2\n']);
    const events = await request('/answers/events', { headers: { accept: 'application/json' } });
    expect([events.headers.get('vary'), await events.text()]).toEqual([null, 'data: 1\n\n']);
  });
});

describeEverywhere('a failure', (start) => {
  const Busy = defineError(503, 'Busy');

  it('says when to come back in no negative time', async () => {
    const failEarly = capability(() => {
      throw Busy('later', { retryAfterSeconds: -5 });
    }, 'query');
    const failNow = capability(() => {
      throw Busy('now', { retryAfterSeconds: 0 });
    }, 'query');
    const { request } = await start({ capabilities: { jobs: { failEarly, failNow } } });
    expect((await request('/jobs/fail-early')).headers.get('retry-after')).toBeNull();
    expect((await request('/jobs/fail-now')).headers.get('retry-after')).toBe('0');
  });

  it('is sent without more where the envelope throws, and the log says so', async () => {
    const fault = new Error('no way');
    const envelope = defineEnvelope({
      failure: () => {
        throw fault;
      },
      failureSchema: { type: 'object' },
    });
    const { request, log } = await start({ capabilities: {}, rest: { envelope } });
    const response = await request('/nowhere');
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: 'NotFound', message: 'Not found' },
    ]);
    expect(log.errors).toEqual([
      expect.objectContaining({
        message: '[capix] The envelope threw for NotFound; its name and message were sent alone.',
        error: fault,
      }),
    ]);
  });
});
