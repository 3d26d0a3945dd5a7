import { expect, it } from 'vitest';
import { z } from 'zod';
import { capability, defineContext } from '../../../server-runtime/index.ts';
import { describeEverywhere, type ErrorBody } from '../../helpers/start-rest.ts';

const capabilities = {
  echo: {
    createEcho: capability((input) => input),
    updateEcho: capability(
      z.object({ id: z.string(), count: z.number().optional() }).loose(),
      (input) => input,
    ),
    replaceEcho: capability(z.object({ id: z.number() }), (input) => input),
    deleteEcho: capability(
      z.object({ id: z.string(), force: z.boolean().optional() }),
      (input) => input,
    ),
    checkSignature: capability.withContext<{ readonly raw: string }>()(
      (_input, ctx) => ctx.raw,
      'mutation',
    ),
  },
};
const context = defineContext(({ rawBody }) => ({
  raw: rawBody === undefined ? 'none' : Buffer.from(rawBody).toString(),
}));

function post(
  body: string | Uint8Array<ArrayBuffer>,
  type: string | undefined = 'application/json',
): RequestInit {
  return {
    method: 'POST',
    headers: type === '' ? {} : { 'content-type': type },
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  };
}

describeEverywhere('bodies', (start) => {
  it.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['Application/JSON;Charset="UTF-8"'],
    ['application/vnd.api+json'],
    ['application/problem+json; charset=utf8; profile=x'],
  ])('reads %j as JSON', async (type) => {
    const { request } = await start({ capabilities });
    expect(await (await request('/echo', post('{"name":"ä","n":1}', type))).json()).toEqual({
      data: { name: 'ä', n: 1 },
    });
  });

  it.each([
    ['text/plain', /Content type 'text\/plain' is not supported; send application\/json/],
    ['application/x-www-form-urlencoded', /is not supported/],
    ['application/jsonp', /is not supported/],
    ['text/json', /is not supported/],
    ['', /The request body has no content type; send application\/json or multipart\/form-data/],
    [';', /The request body has no content type/],
    ['; charset=utf-8', /The request body has no content type/],
    ['application/json; charset=latin1', /Charset 'latin1' is not supported; send UTF-8/],
  ])('refuses %j with 415, unless the body is empty', async (type, message) => {
    const { request } = await start({ capabilities });
    const response = await request('/echo', post('a=1', type));
    expect(response.status).toBe(415);
    const body = (await response.json()) as ErrorBody;
    expect(body.error).toBe('UnsupportedMediaType');
    expect(body.message).toMatch(message);
    expect((await request('/echo', post('', type))).status).toBe(200);
  });

  it('refuses a compressed body with 415', async () => {
    const { request } = await start({ capabilities });
    const response = await request('/echo', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: '{}',
    });
    expect([response.status, ((await response.json()) as ErrorBody).message]).toEqual([
      415,
      "Content encoding 'gzip' is not supported; send the body as it is",
    ]);
  });

  it('takes an empty body as {}', async () => {
    const { request } = await start({ capabilities });
    expect(await (await request('/echo', { method: 'POST' })).json()).toEqual({ data: {} });
    expect(await (await request('/echo', post(''))).json()).toEqual({ data: {} });
  });

  it('takes a body with a byte order mark', async () => {
    const { request } = await start({ capabilities });
    expect(await (await request('/echo', post('\ufeff{"a":1}'))).json()).toEqual({
      data: { a: 1 },
    });
  });

  it.each([
    [
      new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      'The request body is not valid UTF-8',
    ],
    ['{"a":1', 'The request body is not valid JSON'],
    ['{"token": "s3cr3t" x}', 'The request body is not valid JSON'],
    ['7', 'The request body must be a JSON object, got a number'],
  ])('refuses %j with 400', async (body, message) => {
    const { request } = await start({ capabilities });
    const response = await request('/echo', post(body));
    const answer = await response.text();
    expect([response.status, (JSON.parse(answer) as ErrorBody).message]).toEqual([400, message]);
    expect(answer).not.toContain('s3cr3t');
  });

  it('drops keys that could reach a prototype, at any depth and however they are written', async () => {
    const { request } = await start({ capabilities });
    const body = String.raw`{"a":{"__proto__":{"x":1},"b":[{"constructor":{"prototype":1},"c":1}]},"\u005f_proto__":{"y":1},"prototype":2,"keep":"__proto__"}`;
    expect(await (await request('/echo', post(body))).json()).toEqual({
      data: { a: { b: [{ c: 1 }] }, keep: '__proto__' },
    });
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it.each([
    ['arrays', (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`],
    ['objects', (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`],
    [
      'both, after a text of brackets',
      (depth: number) =>
        `{"b":"]]]\\"]}}}","a":${'[{"a":'.repeat(depth / 2 - 1)}[]${'}]'.repeat(depth / 2 - 1)}}`,
    ],
  ])('reads %s of 64 levels, and refuses those of more with 400', async (_kind, ofDepth) => {
    const { request } = await start({ capabilities });
    expect((await request('/echo', post(ofDepth(64)))).status).toBe(200);
    for (const depth of [66, 5_000, 150_000]) {
      const response = await request('/echo', post(ofDepth(depth)));
      expect([depth, response.status, await response.json()]).toEqual([
        depth,
        400,
        { error: 'BadRequest', message: 'The request body is nested deeper than 64 levels' },
      ]);
    }
  });

  it('refuses what is too deep before a schema that contains itself, a handler and the log hear of it', async () => {
    const Tree = z.object({
      get child() {
        return Tree.optional();
      },
    });
    const { request, log } = await start({
      capabilities: { trees: { createTree: capability(Tree, (tree) => tree) } },
    });
    const response = await request(
      '/trees',
      post(`${'{"child":'.repeat(9_000)}{}${'}'.repeat(9_000)}`),
    );
    expect([response.status, log.errors]).toEqual([400, []]);
  });

  it('drops keys that could reach a prototype from wide JSON too', async () => {
    const { request } = await start({ capabilities });
    const items = Array.from({ length: 40 }, (_, n) => `{"n":${n},"a":[{}]}`).join();
    const last = String.raw`{"__proto__":{"x":1},"\u0063onstructor":1,"a":[{"prototype":1,"b":1}]}`;
    const { data } = (await (
      await request('/echo', post(`{"items":[${items},${last}]}`))
    ).json()) as {
      data: { items: object[] };
    };
    expect([data.items.length, data.items[39], data.items[40]]).toEqual([
      41,
      { n: 39, a: [{}] },
      { a: [{ b: 1 }] },
    ]);
  });

  it('reads wide JSON, and texts full of brackets', async () => {
    const { request } = await start({ capabilities });
    const wide = { a: Array.from({ length: 1000 }, (_, n) => ({ n: [n] })), b: '[{'.repeat(1000) };
    expect(await (await request('/echo', post(JSON.stringify(wide)))).json()).toEqual({
      data: wide,
    });
  });

  it('merges body and path, and the path wins', async () => {
    const { request } = await start({ capabilities });
    const response = await request('/echo/7?other=1', {
      ...post('{"id":"8","count":2,"more":true}'),
      method: 'PATCH',
    });
    expect(await response.json()).toEqual({ data: { id: '7', count: 2, more: true } });
  });

  it('coerces the path and never the JSON', async () => {
    const { request } = await start({ capabilities });
    expect(await (await request('/echo/7', { ...post('{}'), method: 'PUT' })).json()).toEqual({
      data: { id: 7 },
    });
    const response = await request('/echo/7', { ...post('{"count":"2"}'), method: 'PATCH' });
    expect(response.status).toBe(400);
    expect(((await response.json()) as ErrorBody).meta?.['issues']).toEqual([
      expect.stringMatching(/^count: /),
    ]);
  });

  it('reads DELETE from query and path', async () => {
    const { request } = await start({ capabilities });
    expect(await (await request('/echo/7?force=true&id=9', { method: 'DELETE' })).json()).toEqual({
      data: { id: '7', force: true },
    });
  });

  it('gives the context builder the bytes of JSON', async () => {
    const { request } = await start({ capabilities, context });
    expect(await (await request('/echo/check-signature', post('{ "a" : 1 }'))).json()).toEqual({
      data: '{ "a" : 1 }',
    });
    const form = new FormData();
    form.set('a', '1');
    expect(
      await (await request('/echo/check-signature', { method: 'POST', body: form })).json(),
    ).toEqual({
      data: 'none',
    });
  });

  it.each([
    [16, 200],
    [17, 413],
    [5_000_000, 413],
  ])('answers a body of %i bytes, where 16 are allowed, with %i', async (size, status) => {
    const { request } = await start({ capabilities, rest: { maxBodySize: 16 } });
    const response = await request('/echo', post(`{"a":"${'x'.repeat(size - 8)}"}`));
    expect(response.status).toBe(status);
    if (status === 413)
      expect(await response.json()).toEqual({
        error: 'PayloadTooLarge',
        message: 'The request body is larger than 16 bytes',
      });
    expect((await request('/echo', { method: 'POST' })).status).toBe(200);
  });

  it('counts the bytes of a body whose length is not said', async () => {
    const { request } = await start({ capabilities, rest: { maxBodySize: 1000 } });
    const chunked = (chunks: number): RequestInit & { duplex: 'half' } => ({
      method: 'POST',
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
      body: new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('{"a":"'));
          for (let count = 0; count < chunks; count++)
            controller.enqueue(new TextEncoder().encode('x'.repeat(100)));
          controller.enqueue(new TextEncoder().encode('"}'));
          controller.close();
        },
      }),
    });
    expect((await request('/echo', chunked(9))).status).toBe(200);
    expect((await request('/echo', chunked(10))).status).toBe(413);
  });
});
