import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  capability,
  compileRegistry,
  createServer,
  defineContext,
  generateOpenAPI,
  silentLogger,
  toFetchHandler,
  toNodeHandler,
  uploadedFile,
} from '../../../server-runtime/index.ts';
import { openRaw, readAll, toRawAnswer } from '../../helpers/raw-http.ts';
import {
  defer,
  describeEverywhere,
  type ErrorBody,
  startOverSocket,
} from '../../helpers/start-rest.ts';

const Event = z.object({ type: z.string(), at: z.number() });
const tenant = z.coerce.number().optional();

const hooks = {
  sendEvents: capability(z.object({ events: z.array(Event) }), (input) => input).takes({
    body: 'events',
  }),
  sendLines: capability(z.object({ events: z.array(Event) }), ({ events }) => events).takes({
    body: { field: 'events', types: ['application/x-ndjson'] },
  }),
  sendNote: capability(
    z.object({ note: z.object({ type: z.string() }) }),
    ({ note }) => note,
  ).takes({
    body: { field: 'note', types: ['text/plain', 'application/json'] },
  }),
  sendXml: capability(
    z.object({ id: z.string(), limit: z.number(), xml: z.string(), tenant }),
    (input) => input,
  )
    .route('POST', '/orders/:id')
    .takes({ body: { field: 'xml', types: ['application/xml', 'text/xml'] } }),
  sendCount: capability(z.object({ count: z.number() }), ({ count }) => count).takes({
    body: { field: 'count', types: ['text/plain'] },
  }),
  sendMaybe: capability(z.object({ note: z.string().default('none') }), ({ note }) => note).takes({
    body: { field: 'note', types: ['text/plain'] },
  }),
  sendImage: capability(
    z.object({ image: uploadedFile({ accept: ['image/*'], maxSize: 10 }) }),
    ({ image }) => ({ ...image, buffer: image.buffer.toString('latin1') }),
  ).takes({ body: 'image' }),
  sendBytes: capability(z.object({ file: uploadedFile({ stream: true }) }), async ({ file }) => [
    file.mimeType,
    await readText(file.stream),
  ]).takes({ body: 'file' }),
};

const post = (
  type: string,
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = {},
): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type, ...headers },
  body,
});

describeEverywhere('bodies that are one field', (start) => {
  const events = [{ type: 'a', at: 1 }];
  const lines = '{"type":"a","at":1}\r\n\n{"type":"b","at":2}';

  it.each([
    ['a list', '/hooks/send-events', 'application/json', JSON.stringify(events), { events }],
    ['an empty list', '/hooks/send-events', 'application/json', '[]', { events: [] }],
    [
      'JSON of another name',
      '/hooks/send-events',
      'application/cloudevents-batch+json; charset=UTF-8',
      JSON.stringify(events),
      { events },
    ],
    [
      'lines',
      '/hooks/send-lines',
      'application/x-ndjson',
      lines,
      [...events, { type: 'b', at: 2 }],
    ],
    [
      'JSON that calls itself text',
      '/hooks/send-note',
      'text/plain; charset=UTF-8',
      '\ufeff{"type":"n"}',
      { type: 'n' },
    ],
    ['JSON in place of it', '/hooks/send-note', 'application/json', '{"type":"n"}', { type: 'n' }],
    [
      'text beside path and query',
      '/orders/7?limit=2&xml=no',
      'text/xml',
      '<a>1</a>',
      { id: '7', limit: 2, xml: '<a>1</a>' },
    ],
    ['a number as text', '/hooks/send-count', 'text/plain', '42', 42],
    ['text of ASCII', '/hooks/send-maybe', 'text/plain; charset=us-ascii', 'x', 'x'],
    ['no text', '/hooks/send-maybe', 'text/plain', '', 'none'],
    ['an empty text', '/orders/7?limit=2', 'text/xml', '', { id: '7', limit: 2, xml: '' }],
    ['no lines', '/hooks/send-lines', 'application/x-ndjson', '', []],
    ['an empty line', '/hooks/send-lines', 'application/x-ndjson', '\n', []],
    [
      'an empty file',
      '/hooks/send-image',
      'image/png',
      '',
      { mimeType: 'image/png', filename: '', size: 0, buffer: '' },
    ],
    [
      'an empty stream',
      '/hooks/send-bytes',
      'application/octet-stream',
      '',
      ['application/octet-stream', ''],
    ],
    [
      'an image',
      '/hooks/send-image',
      'image/png',
      'ÿØ',
      { mimeType: 'image/png', filename: '', size: 4, buffer: 'Ã¿Ã\u0098' },
    ],
    [
      'a stream',
      '/hooks/send-bytes',
      'application/octet-stream',
      'x'.repeat(200_000),
      ['application/octet-stream', 'x'.repeat(200_000)],
    ],
  ])('reads %s', async (_name, path, type, body, data) => {
    const { request } = await start({ capabilities: { hooks } });
    const response = await request(path, post(type, body));
    expect(await response.json()).toEqual({ data });
  });

  it.each([
    [
      'an object for a list',
      '/hooks/send-events',
      'application/json',
      '{}',
      400,
      'events: Invalid input: expected array, received object',
    ],
    ['no body', '/hooks/send-events', 'application/json', '', 400, 'events'],
    [
      'another type',
      '/hooks/send-events',
      'text/plain',
      '[]',
      415,
      "Content type 'text/plain' is not supported; send application/json",
    ],
    ['no type', '/hooks/send-note', '', 'x', 415, 'send text/plain or application/json'],
    [
      'a form',
      '/hooks/send-note',
      'multipart/form-data; boundary=x',
      'x',
      415,
      'multipart/form-data',
    ],
    [
      'another charset',
      '/orders/7?limit=2',
      'text/xml; charset=utf-16',
      'x',
      415,
      "Charset 'utf-16'",
    ],
    [
      'a broken line',
      '/hooks/send-lines',
      'application/x-ndjson',
      '{"type":"a","at":1}\n{',
      400,
      'Line 2 of the request body is not valid JSON',
    ],
    [
      'broken JSON',
      '/hooks/send-events',
      'application/json',
      '[',
      400,
      'The request body is not valid JSON',
    ],
    [
      'text for an object',
      '/hooks/send-note',
      'text/plain',
      'x',
      400,
      'note: Invalid input: expected object, received string',
    ],
    [
      'no number',
      '/hooks/send-count',
      'text/plain',
      '4x',
      400,
      'count: Invalid input: expected number, received string',
    ],
    ['a file of another type', '/hooks/send-image', 'text/html', 'x', 415, 'send image/*'],
    [
      'a file that is too large',
      '/hooks/send-image',
      'image/png',
      'x'.repeat(11),
      413,
      'larger than 10 bytes',
    ],
    [
      'a body that is too large',
      '/hooks/send-note',
      'text/plain',
      'x'.repeat(2_000_000),
      413,
      'larger than 1048576 bytes',
    ],
  ])('refuses %s', async (_name, path, type, body, status, message) => {
    const { request, log } = await start({ capabilities: { hooks } });
    const response = await request(path, post(type, new Blob([body])));
    const error = (await response.json()) as ErrorBody;
    expect([response.status, JSON.stringify(error)]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
    expect(log.errors).toEqual([]);
  });

  it('refuses bytes that are no UTF-8 as text, and unsafe keys in lines', async () => {
    const { request } = await start({ capabilities: { hooks } });
    const bad = await request('/hooks/send-maybe', post('text/plain', new Uint8Array([0xff])));
    expect([bad.status, ((await bad.json()) as ErrorBody).message]).toEqual([
      400,
      'The request body is not valid UTF-8',
    ]);
    const line = '{"type":"a","at":1,"__proto__":{"x":1}}';
    const safe = await request('/hooks/send-lines', post('application/x-ndjson', line));
    expect(await safe.json()).toEqual({ data: [{ type: 'a', at: 1 }] });
  });

  it('refuses text that a page of another site sends, which no browser asks for beforehand', async () => {
    const { request } = await start({ capabilities: { hooks } });
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const ask = async (type: string, path: string, body: string) =>
      (await request(path, post(type, body, foreign))).status;
    expect(await ask('text/plain', '/hooks/send-note', '{"type":"n"}')).toBe(403);
    expect(await ask('application/json', '/hooks/send-note', '{"type":"n"}')).toBe(200);
    expect(await ask('application/x-ndjson', '/hooks/send-lines', '')).toBe(200);
  });

  it('gives contexts the bytes of a text, for signatures, and calls by key the field', async () => {
    const context = defineContext(({ rawBody }) => ({ raw: rawBody?.toString() }));
    const sendNote = capability
      .withContext<{ readonly raw: string | undefined }>()(
        z.object({ note: z.string() }),
        (input, { raw }) => [input.note, raw],
      )
      .takes({ body: { field: 'note', types: ['text/plain'] } });
    const { request } = await start({
      context,
      capabilities: { a: { sendNote } },
      rest: { calls: true },
    });
    const sent = await request('/a/send-note', post('text/plain', 'é'));
    expect(await sent.json()).toEqual({ data: ['é', 'é'] });
    const called = await request('/_call/a.sendNote', post('application/json', '{"note":"x"}'));
    expect(await called.json()).toMatchObject({ data: [expect.anything(), 'x', '{"note":"x"}'] });
  });

  it('gives any JSON as it was sent', async () => {
    const sendAny = capability(z.object({ value: z.unknown() }), ({ value }) => ({ value })).takes({
      body: 'value',
    });
    const { request } = await start({ capabilities: { a: { sendAny } } });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const body = JSON.stringify(value);
        fc.pre(!/"(__proto__|constructor|prototype)":/.test(body));
        const response = await request('/a/send-any', post('application/json', body));
        expect(await response.text()).toBe(JSON.stringify({ data: { value: JSON.parse(body) } }));
      }),
      { numRuns: 100 },
    );
  });
});

it('reads the body behind a handler of node:http', async () => {
  const server = createServer({ capabilities: { hooks }, logger: silentLogger });
  const host = createHttpServer(toNodeHandler(server)).listen(0, '127.0.0.1');
  await once(host, 'listening');
  onTestFinished(() => void host.close());
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const response = await fetch(
    `${url}/hooks/send-events`,
    post('application/json', '[{"type":"a","at":1}]'),
  );
  expect(await response.json()).toEqual({ data: { events: [{ type: 'a', at: 1 }] } });
});

it('refuses a stream that is too long with 413, and serves the next request', async () => {
  const sendBytes = capability(
    z.object({ file: uploadedFile({ stream: true, maxSize: 10 }) }),
    ({ file }) => readText(file.stream),
  ).takes({ body: 'file' });
  const { url, request } = await startOverSocket({ capabilities: { a: { sendBytes } } });
  const socket = openRaw(url);
  const head =
    'POST /a/send-bytes HTTP/1.1\r\nhost: x\r\ncontent-type: application/octet-stream\r\ntransfer-encoding: chunked\r\n\r\n';
  socket.write(`${head}14\r\n${'x'.repeat(20)}\r\n0\r\n\r\n`);
  socket.write(
    'POST /a/send-bytes HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/octet-stream\r\ncontent-length: 2\r\n\r\nok',
  );
  const text = await readAll(socket);
  expect(toRawAnswer(text).status).toBe(413);
  expect((await request('/a/send-bytes', post('application/octet-stream', 'ok'))).status).toBe(200);
});

it('reads the rest of a file to its end where the handler has answered without it', async () => {
  const sendBytes = capability(z.object({ file: uploadedFile({ stream: true }) }), () => 1).takes({
    body: 'file',
  });
  const handle = toNodeHandler(
    createServer({ capabilities: { a: { sendBytes } }, logger: silentLogger }),
  );
  const answered = defer();
  const ended = defer<boolean>();
  const host = createHttpServer((request, response) => {
    request.once('end', () => ended.resolve(request.complete));
    response.once('finish', answered.resolve);
    handle(request, response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    host.close();
    host.closeAllConnections();
  });
  await once(host, 'listening');
  const socket = openRaw(`http://127.0.0.1:${(host.address() as AddressInfo).port}`);
  const head = 'POST /a/send-bytes HTTP/1.1\r\nhost: x\r\ncontent-type: application/octet-stream';
  socket.write(`${head}\r\ncontent-length: 65536\r\n\r\nx`);
  await answered.promise;
  // As much as the stream of the file holds, which would read no further by itself.
  socket.write('x'.repeat(65_535));
  expect(await ended.promise).toBe(true);
  socket.destroy();
});

it('documents the field in each of its types, and the others in path and query', () => {
  const { paths } = generateOpenAPI(compileRegistry({ hooks }));
  const of = (path: string) => paths[path]?.['post'];
  expect(of('/hooks/send-events')?.requestBody).toEqual({
    required: true,
    content: { 'application/json': { schema: { type: 'array', items: expect.any(Object) } } },
  });
  expect(Object.keys(of('/hooks/send-note')?.requestBody?.content ?? {})).toEqual([
    'text/plain',
    'application/json',
  ]);
  expect(of('/orders/{id}')?.parameters?.map(({ name, in: place }) => [name, place])).toEqual([
    ['id', 'path'],
    ['limit', 'query'],
    ['tenant', 'query'],
  ]);
  expect(of('/orders/{id}')?.requestBody?.content).toEqual({
    'application/xml': { schema: { type: 'string' } },
    'text/xml': { schema: { type: 'string' } },
  });
  expect(of('/hooks/send-maybe')?.requestBody?.required).toBe(false);
  expect(of('/hooks/send-image')?.requestBody?.content).toEqual({
    'image/*': { schema: { type: 'string', format: 'binary', maxLength: 10 } },
  });
});

it('refuses a declaration that cannot be', () => {
  const cap = capability(z.object({ a: z.string() }), ({ a }) => a);
  // @ts-expect-error -- no field of the input
  expect(() => cap.takes({ body: 'b' })).toThrow("the input has no field 'b'");
  // @ts-expect-error -- no field of the input
  expect(() => cap.takes({ body: { field: 'b' } })).toThrow("the input has no field 'b'");
  // @ts-expect-error -- no media types
  expect(() => cap.takes({ body: { field: 'a', types: [] } })).toThrow('media types');
  expect(() => cap.takes({ body: { field: 'a', types: ['xml'] } })).toThrow('media types');
  expect(() => cap.takes({ body: 'a', form: true })).toThrow('not both');
  // @ts-expect-error -- no option
  expect(() => cap.takes({ body: { field: 'a', type: 'x' } })).toThrow('type');
});

it('applies to each capability of a factory whose input has the field', async () => {
  const hook = capability.takes({ body: 'events' });
  const a = {
    sendA: hook(z.object({ events: z.array(z.number()) }), ({ events }) => events),
    sendB: hook(z.object({ b: z.string() }), ({ b }) => b),
  };
  const answer = toFetchHandler(createServer({ capabilities: { a }, logger: silentLogger }));
  const ask = async (path: string, body: string) =>
    (await answer(new Request(`http://x.test${path}`, post('application/json', body)))).json();
  expect(await ask('/a/send-a', '[1]')).toEqual({ data: [1] });
  expect(await ask('/a/send-b', '{"b":"x"}')).toEqual({ data: 'x' });
});
