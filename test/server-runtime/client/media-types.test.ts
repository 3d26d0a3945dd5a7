import { expect, it } from 'vitest';
import { createClientOf } from '../../../server-runtime/client/create-client-of.ts';
import { createClient } from '../../../server-runtime/client/index.ts';

interface Api {
  readonly one: () => Promise<unknown>;
  readonly all: () => Promise<AsyncIterable<unknown>>;
}

/** A client of an API that gives this body with this media type. */
function open(type: string, body: string): Api {
  const send = async (): Promise<Response> =>
    new Response(body, { headers: { 'content-type': type } });
  return createClientOf<Api>({
    one: ['GET', '/one'],
    all: ['GET', '/all', { contents: { 200: 'stream' } }],
  })({ baseUrl: 'http://a', fetch: send });
}

it.each(['application/json', 'Application/JSON', 'APPLICATION/VND.A+JSON; charset=UTF-8'])(
  'JSON is JSON in any case of its media type: %s',
  async (type) => {
    expect(await open(type, '{"data":1}').one()).toBe(1);
    const fetchIt = async (): Promise<Response> =>
      new Response('{"data":1}', { headers: { 'content-type': type } });
    const inferred = createClient<{ readonly one: never }>({ baseUrl: 'http://a', fetch: fetchIt });
    expect(await (inferred as unknown as Api).one()).toBe(1);
  },
);

it.each(['text/event-stream', 'Text/Event-Stream', 'TEXT/EVENT-STREAM; charset=utf-8'])(
  'events are events in any case of their media type: %s',
  async (type) => {
    const items: unknown[] = [];
    for await (const item of await open(type, 'data: 1\n\ndata: 2\n\n').all()) items.push(item);
    expect(items).toEqual([1, 2]);
  },
);
