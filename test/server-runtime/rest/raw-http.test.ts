import { once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { capability, reply } from '../../../server-runtime/index.ts';
import { openRaw, readAll, sendRaw, toRawAnswer } from '../../helpers/raw-http.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const capabilities = {
  items: {
    getItem: capability(z.object({ id: z.string() }), (input) => input),
    listItems: capability((input) => input),
    createItem: capability((input) => input),
  },
};

it.each([
  ['no HTTP', 'hello\r\n\r\n', 400, 'BadRequest', 'The request is not valid HTTP'],
  [
    'a header without a name',
    'GET / HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n',
    400,
    'BadRequest',
    'The request is not valid HTTP',
  ],
  [
    'a path that is not ASCII',
    'GET /items/\u00e9 HTTP/1.1\r\nhost: x\r\n\r\n',
    400,
    'BadRequest',
    'The request is not valid HTTP',
  ],
  [
    'a wrong content length',
    'POST /items HTTP/1.1\r\nhost: x\r\ncontent-length: abc\r\n\r\n',
    400,
    'BadRequest',
    'The request is not valid HTTP',
  ],
  [
    'two framings',
    'POST /items HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'BadRequest',
    'The request is not valid HTTP',
  ],
  [
    'a broken chunk',
    'POST /items HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n',
    400,
    'BadRequest',
    'The request is not valid HTTP',
  ],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nhost: x\r\nbig: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'RequestHeaderFieldsTooLarge',
    'The request headers are too large',
  ],
])(
  'answers %s in the envelope, and the next connection',
  async (_name, bytes, status, error, message) => {
    const { url, request } = await startOverSocket({ capabilities });
    const answer = await sendRaw(url, bytes);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([status, { error, message }]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
    expect((await request('/items')).status).toBe(200);
  },
);

it.each([
  ['an absolute address', 'GET http://x.example/items/7?a=1 HTTP/1.1', 200, '{"data":{"id":"7"}}'],
  [
    'an absolute address without a path',
    'GET http://x.example HTTP/1.1',
    404,
    '{"error":"NotFound","message":"Not found"}',
  ],
  ['the asterisk', 'GET * HTTP/1.1', 404, '{"error":"NotFound","message":"Not found"}'],
  [
    'a method that nobody takes',
    'PROPFIND /items HTTP/1.1',
    405,
    '{"error":"MethodNotAllowed","message":"Method not allowed"}',
  ],
  [
    'an address that only looks like another',
    'GET //evil.example/items HTTP/1.1',
    404,
    '{"error":"NotFound","message":"Not found"}',
  ],
])('answers %s', async (_name, line, status, body) => {
  const { url } = await startOverSocket({ capabilities });
  const answer = await sendRaw(
    url,
    Buffer.from(`${line}\r\nhost: x\r\nconnection: close\r\n\r\n`, 'latin1'),
  );
  expect([answer.status, Buffer.from(answer.body, 'latin1').toString()]).toEqual([status, body]);
});

it('answers requests that follow each other without waiting, in order', async () => {
  const { url } = await startOverSocket({ capabilities });
  const one = (id: number): string => `GET /items/${id} HTTP/1.1\r\nhost: x\r\n\r\n`;
  const socket = openRaw(url);
  socket.write(
    `${one(1)}${one(2)}POST /items HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n{"n":3}GET /items/4 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  );
  expect([...(await readAll(socket)).matchAll(/\{"data":.*?\}\}/g)].map(String)).toEqual([
    '{"data":{"id":"1"}}',
    '{"data":{"id":"2"}}',
    '{"data":{"n":3}}',
    '{"data":{"id":"4"}}',
  ]);
});

it('asks for the body where the client waits to be asked', async () => {
  const { url } = await startOverSocket({ capabilities });
  const socket = openRaw(url);
  socket.write(
    'POST /items HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 7\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n',
  );
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('{"n":1}');
  expect(toRawAnswer(await readAll(socket)).body).toBe('{"data":{"n":1}}');
});

it('sends the head once, with the length of the body in bytes', async () => {
  const { url } = await startOverSocket({ capabilities });
  const answer = await sendRaw(
    url,
    'GET /items/%C3%A9 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  );
  expect(answer.headers.get('content-length')).toBe(
    String(Buffer.byteLength('{"data":{"id":"é"}}')),
  );
  expect(answer.headers.get('date')).toBeDefined();
});

it('lets a client that is still sending see why it was refused, and ends the connection', async () => {
  const { url, request } = await startOverSocket({ capabilities, rest: { maxBodySize: 1000 } });
  const socket = openRaw(url);
  const answer = readAll(socket);
  socket.write(
    'POST /items HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50000000\r\n\r\n',
  );
  const chunk = 'x'.repeat(65_536);
  const send = (): void => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', send);
  send();
  const { status, headers, body } = toRawAnswer(await answer);
  expect([status, headers.get('connection'), body]).toEqual([
    413,
    'close',
    '{"error":"PayloadTooLarge","message":"The request body is larger than 1000 bytes"}',
  ]);
  expect((await request('/items')).status).toBe(200);
});

it('keeps the connection of a refused request whose body is small', async () => {
  const { url } = await startOverSocket({ capabilities });
  const socket = openRaw(url);
  socket.write(
    'POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 7\r\n\r\n{"n":1}GET /items HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  );
  const text = await readAll(socket);
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
});

it.each<[string, () => unknown]>([
  ['data', () => reply({}, { headers: { 'x-bad': 'a\nb' } })],
  ['data of another status', () => reply({}, { status: 302, headers: { 'x-bad': 'a\nb' } })],
  ['a stream', () => reply(Readable.from(['x']), { headers: { 'x-bad': 'a\nb' } })],
])(
  'says the words of its status where the head of %s could not be written',
  async (_what, listItems) => {
    const { url } = await startOverSocket({
      capabilities: { items: { listItems: capability(listItems) } },
    });
    const { text } = await sendRaw(
      url,
      'GET /items HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/);
  },
);

it('answers a status that nobody has named', async () => {
  const { url } = await startOverSocket({
    capabilities: { items: { listItems: capability(() => reply(1, { status: 299 })) } },
  });
  const { text } = await sendRaw(
    url,
    'GET /items HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  );
  expect(text).toMatch(/^HTTP\/1\.1 299 \w+\r\n/);
});
