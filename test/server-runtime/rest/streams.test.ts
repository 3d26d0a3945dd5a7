import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { capability, defaultErrors, reply } from '../../../server-runtime/index.ts';
import { describeEverywhere, json, startOverSocket } from '../../helpers/start-rest.ts';

async function* countTo(last: number): AsyncGenerator<{ n: number }> {
  for (let n = 1; n <= last; n++) yield { n };
}

const internal = '{"error":"Internal","message":"Internal server error"}';

const answers = {
  getCreated: capability(() =>
    reply(
      { id: 7 },
      { status: 201, headers: { Location: '/items/7', 'set-cookie': ['a=1', 'b=2'] } },
    ),
  ),
  getAccepted: capability(async () => reply(undefined, { status: 202 })),
  getEmpty: capability(() => reply(null, { status: 204 })),
  getHtml: capability(() =>
    reply('<p>ä</p>', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  ),
  getBytes: capability(() =>
    reply(new Uint8Array([1, 2, 3]), { headers: { 'content-type': 'image/png' } }),
  ),
  getPlainBytes: capability(() => reply(Buffer.from([9]))),
  getBareBytes: capability(() => new Uint8Array([97, 98])),
  getNested: capability(() =>
    reply(reply(1, { status: 201, headers: { 'x-a': 'b' } }), { headers: { 'x-c': 'd' } }),
  ),
  getResponseWithMore: capability(() =>
    reply(new Response('ab', { status: 202, headers: { 'x-a': 'b' } }), {
      headers: { 'x-c': 'd' },
    }),
  ),
  getErrorResponse: capability(() => Response.error()),
  getHops: capability(() =>
    reply(1, {
      headers: {
        Upgrade: 'h2c',
        'Proxy-Connection': 'close',
        'Keep-Alive': '9',
        'Transfer-Encoding': 'x',
      },
    }),
  ),
  getBadName: capability(() => reply(1, { headers: { ':status': '200' } })),
  getBadText: capability(() => reply(1, { headers: { 'x-a': '日本' } })),
  getWrongLength: capability(() => new Response('abc', { headers: { 'content-length': '9' } })),
  getProblem: capability(() =>
    reply({ a: 1 }, { headers: { 'content-type': 'application/vnd.x+json' } }),
  ),
  getOwn: capability(() =>
    reply(1, {
      headers: { 'x-request-id': 'forged', 'content-length': '9', connection: 'upgrade' },
    }),
  ),
  getBadHeader: capability(() => reply(1, { headers: { 'x-a': 'a\r\nb: 1' } })),
  getBadStatus: capability(() => reply(1, { status: 99 })),
  getResponse: capability(
    () =>
      new Response('moved', {
        status: 307,
        headers: { location: '/x', 'content-type': 'text/plain' },
      }),
  ),
  getEmptyResponse: capability(() => new Response(null, { status: 204 })),
  getNodeStream: capability(() => Readable.from([Buffer.from('ab'), Buffer.from('c')])),
  getWebStream: capability(() => new Blob(['abc']).stream()),
  getTypedStream: capability(() =>
    reply(Readable.from(['a,b\n']), { headers: { 'content-type': 'text/csv' } }),
  ),
  getItems: capability(() => countTo(3)),
  getNothing: capability(() => countTo(0)),
  getRefused: capability(async function* () {
    yield* [];
    throw defaultErrors.Forbidden('Not yours');
  }),
  getBroken: capability(async function* () {
    yield 1;
    throw new Error('secret');
  }),
  getReplied: capability(() => reply(countTo(1), { status: 206, headers: { 'x-a': 'b' } })),
};

describeEverywhere('what a handler may return', (start) => {
  it.each<[string, number, string | null, string]>([
    ['/answers/created', 201, 'application/json; charset=utf-8', '{"data":{"id":7}}'],
    ['/answers/accepted', 202, 'application/json; charset=utf-8', '{"data":null}'],
    ['/answers/empty', 204, null, ''],
    ['/answers/html', 200, 'text/html; charset=utf-8', '<p>ä</p>'],
    ['/answers/bytes', 200, 'image/png', '\u0001\u0002\u0003'],
    ['/answers/plain-bytes', 200, 'application/octet-stream', '\t'],
    ['/answers/bare-bytes', 200, 'application/octet-stream', 'ab'],
    ['/answers/nested', 201, 'application/json; charset=utf-8', '{"data":1}'],
    ['/answers/response-with-more', 202, 'text/plain;charset=UTF-8', 'ab'],
    ['/answers/hops', 200, 'application/json; charset=utf-8', '{"data":1}'],
    ['/answers/wrong-length', 200, 'text/plain;charset=UTF-8', 'abc'],
    ['/answers/error-response', 500, 'application/json; charset=utf-8', internal],
    ['/answers/bad-name', 500, 'application/json; charset=utf-8', internal],
    ['/answers/bad-text', 500, 'application/json; charset=utf-8', internal],
    ['/answers/problem', 200, 'application/vnd.x+json', '{"data":{"a":1}}'],
    ['/answers/response', 307, 'text/plain', 'moved'],
    ['/answers/empty-response', 204, null, ''],
    ['/answers/node-stream', 200, 'application/octet-stream', 'abc'],
    ['/answers/web-stream', 200, 'application/octet-stream', 'abc'],
    ['/answers/typed-stream', 200, 'text/csv', 'a,b\n'],
    ['/answers/items', 200, 'application/x-ndjson; charset=utf-8', '{"n":1}\n{"n":2}\n{"n":3}\n'],
    ['/answers/nothing', 200, 'application/x-ndjson; charset=utf-8', ''],
    ['/answers/replied', 206, 'application/x-ndjson; charset=utf-8', '{"n":1}\n'],
    [
      '/answers/refused',
      403,
      'application/json; charset=utf-8',
      '{"error":"Forbidden","message":"Not yours"}',
    ],
    [
      '/answers/broken',
      200,
      'application/x-ndjson; charset=utf-8',
      '1\n{"error":"Internal","message":"Internal server error"}\n',
    ],
    [
      '/answers/bad-header',
      500,
      'application/json; charset=utf-8',
      '{"error":"Internal","message":"Internal server error"}',
    ],
    [
      '/answers/bad-status',
      500,
      'application/json; charset=utf-8',
      '{"error":"Internal","message":"Internal server error"}',
    ],
  ])('%s is sent with %i and type %s', async (path, status, type, text) => {
    const { request } = await start({ capabilities: { answers } });
    const headers = { accept: 'application/x-ndjson' };
    const response = await request(path, { redirect: 'manual', headers });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      status,
      type,
      text,
    ]);
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('keeps the headers of a reply, and its own', async () => {
    const { request } = await start({ capabilities: { answers } });
    const { headers } = await request('/answers/created');
    expect([headers.get('location'), headers.getSetCookie()]).toEqual(['/items/7', ['a=1', 'b=2']]);
    const own = await request('/answers/own', { headers: { 'x-request-id': 'mine' } });
    expect([own.headers.get('x-request-id'), await own.json()]).toEqual(['mine', { data: 1 }]);
  });

  it('adds the headers of a reply to those of what is replied', async () => {
    const { request } = await start({ capabilities: { answers } });
    for (const path of ['/answers/nested', '/answers/response-with-more']) {
      const { headers } = await request(path);
      expect([headers.get('x-a'), headers.get('x-c')]).toEqual(['b', 'd']);
    }
  });

  it.each([
    [
      'of Node',
      () => {
        let made = 0;
        const stream = new Readable({
          read() {
            made++;
            this.push(Buffer.alloc(65_536));
          },
        });
        return [stream, () => made] as const;
      },
    ],
    [
      'of the web',
      () => {
        let made = 0;
        const stream = new ReadableStream({
          pull(controller) {
            made++;
            controller.enqueue(new Uint8Array(65_536));
          },
        });
        return [stream, () => made] as const;
      },
    ],
  ])(
    'reads a stream %s no faster than the client, and destroys it when the client leaves',
    async (_name, toStream) => {
      const [stream, made] = toStream();
      const capabilities = {
        answers: { getStream: capability(() => stream), createOne: capability(() => 1) },
      };
      const { request, log } = await start({ capabilities });
      const reader = (await request('/answers/stream')).body!.getReader();
      await reader.read();
      let before = -1;
      while (made() !== before) {
        before = made();
        for (let round = 0; round < 20; round++) await (await request('/answers', json({}))).text();
      }
      expect(made()).toBeLessThan(500);
      await reader.cancel();
      while (stream instanceof Readable ? !stream.destroyed : made() !== before) {
        before = made();
        await (await request('/answers', json({}))).text();
      }
      expect(log.errors).toEqual([]);
    },
  );

  it('answers HEAD of a stream without reading it', async () => {
    let read = false;
    const getStream = capability(() => new Readable({ read: () => (read = true) }));
    const { request } = await start({ capabilities: { answers: { getStream } } });
    const response = await request('/answers/stream', { method: 'HEAD' });
    expect([response.status, await response.text(), read]).toEqual([200, '', false]);
  });

  it('answers HEAD of an async iterable without starting it', async () => {
    let begun = false;
    const getAll = capability(async function* () {
      begun = true;
      yield 1;
    });
    const { request } = await start({ capabilities: { answers: { getAll } } });
    const response = await request('/answers/all', { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type'), begun]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      false,
    ]);
  });

  it('destroys a stream whose headers cannot be sent', async () => {
    const stream = Readable.from(['a']);
    const getStream = capability(() => reply(stream, { headers: { 'x-a': 'a\nb' } }));
    const { request } = await start({ capabilities: { answers: { getStream } } });
    expect((await request('/answers/stream')).status).toBe(500);
    expect(stream.destroyed).toBe(true);
  });

  it('sends an async iterable as server-sent events where they are accepted', async () => {
    const { request } = await start({ capabilities: { answers } });
    const headers = { accept: 'text/event-stream' };
    const response = await request('/answers/items', { headers });
    expect([
      response.headers.get('content-type'),
      response.headers.get('cache-control'),
      await response.text(),
    ]).toEqual([
      'text/event-stream; charset=utf-8',
      'no-cache, no-transform',
      'data: {"n":1}\n\ndata: {"n":2}\n\ndata: {"n":3}\n\n',
    ]);
    expect(await (await request('/answers/broken', { headers })).text()).toBe(
      'data: 1\n\nevent: error\ndata: {"error":"Internal","message":"Internal server error"}\n\n',
    );
  });
});

describe('a reply to a caller in the same process', () => {
  it('is its data', async () => {
    const { server } = await startOverSocket({ capabilities: { answers } });
    expect(await server.invoke({ capability: 'answers.getCreated' })).toEqual({ id: 7 });
    expect(await answers.getCreated.resolve({}, {})).toEqual({ id: 7 });
  });
});

it('passes on what fetch gave, as it was decoded', async () => {
  const origin = createHttpServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
      .end(gzipSync('plain text'));
  });
  origin.listen(0);
  await once(origin, 'listening');
  onTestFinished(() => {
    origin.close();
    origin.closeAllConnections();
  });
  const getProxied = capability(() =>
    fetch(`http://localhost:${(origin.address() as AddressInfo).port}`),
  );
  const { request } = await startOverSocket({ capabilities: { answers: { getProxied } } });
  expect(await (await request('/answers/proxied')).text()).toBe('plain text');
});
