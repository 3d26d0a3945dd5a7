import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defineContext,
  toFetchHandler,
  uploadedFile,
} from '../../../server-runtime/index.ts';
import { openRaw, readAll } from '../../helpers/raw-http.ts';
import { describeEverywhere, json, startOverSocket } from '../../helpers/start-rest.ts';

// Requests that users of other frameworks have reported, because theirs were read otherwise, refused, or answered late.

const Shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('circle'), r: z.number() }),
  z.object({ kind: z.literal('word'), text: z.string() }),
]);
const Line = z.object({ sku: z.string() });
const cap = capability.withContext<{ readonly raw: string | undefined }>();
const context = defineContext(({ rawBody }) => ({
  raw: rawBody && Buffer.from(rawBody).toString('latin1'),
}));

const capabilities = {
  items: { getItem: capability(z.object({ id: z.string() }), ({ id }) => id) },
  things: {
    listThings: capability(
      z.object({
        ids: z.array(z.number()).optional(),
        names: z.array(z.string()).optional(),
        n: z.number().optional(),
        on: z.boolean().optional(),
        shape: Shape.optional(),
        lines: z.array(Line).optional(),
        o: z.object({ a: z.string() }).optional(),
      }),
      (sent) => sent,
    ),
    getThing: capability(z.object({ id: z.string() }), ({ id }) => id),
    deleteThing: capability(z.object({ id: z.string() }), (sent) => sent),
    createThing: cap(z.object({ name: z.string() }), ({ name }, { raw }) => ({ name, raw })).takes({
      form: true,
    }),
    searchBoth: capability(
      z.intersection(
        z.object({ n: z.number() }),
        z.union([z.object({ a: z.boolean() }), z.object({ b: z.string() })]),
      ),
      (sent) => sent,
      'query',
    ).route('GET', '/both'),
    readCookies: capability(
      z.object({ p: z.string().optional(), q: z.string().optional() }),
      (sent) => sent,
      'query',
    )
      .takes({ cookies: { p: 'p', q: 'q' } })
      .route('GET', '/cookies'),
    sendFiles: capability(
      z.object({
        file: uploadedFile().optional(),
        files: z.array(uploadedFile()).optional(),
        tags: z.array(z.string()).optional(),
        at: z.coerce.date().optional(),
      }),
      ({ file, files, tags, at }) => ({
        file: file && [file.filename, file.size],
        files: files?.map(({ filename }) => filename),
        tags,
        at,
      }),
      'mutation',
    ).route('POST', '/files'),
  },
};

describeEverywhere('a request that is read otherwise elsewhere', (start) => {
  const open = async () => (await start({ capabilities, context })).request;

  it.each<readonly [what: string, path: string, expected: unknown]>([
    ['one value for a list', '/things?ids=1', { ids: [1] }],
    ['numbers and booleans', '/things?n=42&on=true', { n: 42, on: true }],
    ['a list in one text with commas', '/things?ids=1,2', 400],
    ['a list of texts that look like something else', '/things?names=false', { names: ['false'] }],
    [
      'a tagged union by its branch, of numbers',
      '/things?shape[kind]=circle&shape[r]=2',
      { shape: { kind: 'circle', r: 2 } },
    ],
    [
      'a tagged union by its branch, of texts',
      '/things?shape[kind]=word&shape[text]=2',
      { shape: { kind: 'word', text: '2' } },
    ],
    ['an intersection with a union', '/both?n=1&a=true', { n: 1, a: true }],
    ['an intersection with the other branch', '/both?n=1&b=true', { n: 1, b: 'true' }],
    ['NUL in a path', '/things/%00', '\0'],
    ['a blank in a path', '/things/%20', ' '],
    ['an empty segment for a parameter', '/items/', 404],
    ['a slash in a path parameter', '/things/a%2Fb', 'a/b'],
    ['a percent sign in a path parameter', '/things/100%25', '100%'],
    ['a percent sign that begins nothing', '/things/100%', 400],
    ['a list with one far index', '/things?lines[999999999][sku]=x', { lines: [{ sku: 'x' }] }],
    ['a list with an index below zero', '/things?lines[-1][sku]=x', 400],
    ['a name that could reach a prototype', '/things?__proto__[n]=1&o[__proto__][a]=x', 400],
    ['a name that is a value and an object', '/things?o=1&o[a]=2', { o: { a: '2' } }],
  ])('%s is read, or refused, as the contract says', async (_, path, expected) => {
    const response = await (await open())(path);
    const { data } = (await response.json()) as { readonly data?: unknown };
    expect(response.status === 200 ? data : response.status).toEqual(expected);
    expect(Object.hasOwn(Object.prototype, 'n')).toBe(false);
  });

  it.each<readonly [what: string, cookie: string, expected: object]>([
    ['in quotes', 'p="q v"', { p: 'q v' }],
    ['with a percent sign that begins nothing', 'p=100%zz', { p: '100%zz' }],
    ['with an equals sign', 'p=a=b', { p: 'a=b' }],
    ['of which there are two', 'p=1; p=2; q=3', { p: '1', q: '3' }],
    ['beside one that could reach a prototype', '__proto__=1; p=2', { p: '2' }],
  ])('a cookie %s is read', async (_, cookie, expected) => {
    const response = await (await open())('/cookies', { headers: { cookie } });
    expect(await response.json()).toEqual({ data: expected });
  });

  const toPart = (head: string, text = 'x'): string =>
    `--B\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  it.each<readonly [what: string, parts: string, expected: unknown]>([
    ['one part for a list', toPart('name="tags"', 'a'), { tags: ['a'] }],
    ['a name in UTF-8', toPart('name="file"; filename="日本.txt"'), { file: ['日本.txt', 1] }],
    [
      '`filename*` beside it, which no form has',
      toPart('name="file"; filename="a.txt"; filename*=UTF-8\'\'b.txt'),
      { file: ['a.txt', 1] },
    ],
    ['an optional file that nobody chose', toPart('name="file"; filename=""', ''), {}],
    ['a text for a list of files', toPart('name="files"', ''), 400],
    [
      'several files under one name',
      toPart('name="files"; filename="a"') + toPart('name="files"; filename="b"'),
      { files: ['a', 'b'] },
    ],
    [
      'several files by their index',
      toPart('name="files[0]"; filename="a"') + toPart('name="files[1]"; filename="b"'),
      { files: ['a', 'b'] },
    ],
    ['a date', toPart('name="at"', '2026-01-02T03:04:05Z'), { at: '2026-01-02T03:04:05.000Z' }],
  ])('%s in a form is read, or refused, as the contract says', async (_, parts, expected) => {
    const response = await (await open())('/files', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=B' },
      body: `${parts}--B--\r\n`,
    });
    const { data } = (await response.json()) as { readonly data?: unknown };
    expect(response.status === 200 ? data : response.status).toEqual(expected);
  });

  it.each<readonly [what: string, type: string, body: string | Uint8Array, expected: unknown]>([
    ['JSON', 'application/json', '{"name": "a"}', '{"name": "a"}'],
    [
      'JSON behind a byte order mark',
      'application/json',
      '\uFEFF{"name":"a"}',
      '\u00EF\u00BB\u00BF{"name":"a"}',
    ],
    ['an HTML form', 'application/x-www-form-urlencoded', 'name=a&token=%2B', 'name=a&token=%2B'],
    [
      'JSON in UTF-8 that says so',
      'application/json; charset=UTF-8',
      '{"name":"a"}',
      '{"name":"a"}',
    ],
    ['JSON in UTF-16', 'application/json; charset=utf-16', '{"name":"a"}', 415],
  ])('the bytes of %s are there for a signature', async (_, type, body, expected) => {
    const response = await (await open())('/things', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    const { data } = (await response.json()) as { readonly data?: { readonly raw: string } };
    expect(response.status === 200 ? data?.raw : response.status).toEqual(expected);
  });

  it('a body of DELETE is passed over', async () => {
    const { headers = {} } = json({});
    const sent = { method: 'DELETE', headers, body: '{"id":"8"}' };
    const response = await (await open())('/things/7', sent);
    expect(await response.json()).toEqual({ data: { id: '7' } });
  });
});

it('a body whose length is no number is limited as any other one', async () => {
  const answer = toFetchHandler(createServer({ capabilities, context }));
  const send = async (name: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'content-length': 'many' };
    const init = { method: 'POST', headers, body: JSON.stringify({ name }) };
    return (await answer(new Request('http://a/things', init))).status;
  };
  expect([await send('a'), await send('a'.repeat(2_000_000))]).toEqual([200, 413]);
});

describe('a request on a connection', () => {
  const open = async () => startOverSocket({ capabilities, context, rest: { maxBodySize: 1000 } });
  const ask = async (url: string, text: string): Promise<string> => {
    const socket = openRaw(url);
    socket.write(text.replaceAll('\n', '\r\n'));
    return readAll(socket);
  };

  it.each<readonly [what: string, text: string, answer: string]>([
    [
      'with an upgrade to h2c',
      'Upgrade: h2c\nHTTP2-Settings: AAMAAABkAAQAAP__\nConnection: Upgrade, HTTP2-Settings, close\n\n',
      '200',
    ],
    [
      'with an upgrade to a WebSocket',
      'Upgrade: websocket\nConnection: Upgrade, close\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\n\n',
      '200',
    ],
    [
      'with a body of GET',
      'Content-Type: application/json\nContent-Length: 2\nConnection: close\n\n{}',
      '200',
    ],
    ['with a length that is no number', 'Content-Length: many\n\n', '400'],
    ['with a broken head', 'a b c\n\n', '400'],
  ])('%s is answered', async (_, rest, status) => {
    const { url, request } = await open();
    const answer = await ask(url, `GET /things/7 HTTP/1.1\nHost: a\n${rest}`);
    expect(answer.slice(9, 12)).toBe(status);
    expect((await request('/things/7')).status).toBe(200);
  });

  it('in the form of HTTP/0.9 is answered, and the server goes on', async () => {
    const { url, request } = await open();
    expect(await ask(url, 'GET /things/7\n\n')).toMatch(/^HTTP\/1.1 200 /);
    expect((await request('/things/7')).status).toBe(200);
  });

  it('in chunks is limited', async () => {
    const { url } = await open();
    const head =
      'POST /things HTTP/1.1\nHost: a\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n';
    expect(await ask(url, `${head}3e9\n${'a'.repeat(1001)}\n0\n\n`)).toMatch(/^HTTP\/1.1 413 /);
  });
});
