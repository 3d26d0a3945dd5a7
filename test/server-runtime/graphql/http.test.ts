import { expect, it } from 'vitest';
import { z } from 'zod';
import { capability } from '../../../server-runtime/index.ts';
import { startGraphql, toPost } from '../../helpers/start-graphql.ts';

const getThing = capability(z.object({ id: z.string().optional() }), ({ id = '1' }) => ({
  id,
})).output(z.object({ id: z.string() }));
const createThing = capability(() => ({ id: '2' })).output(z.object({ id: z.string() }));
const capabilities = { things: { getThing, createThing } };

const query = { query: '{ getThing { id } }' };

it('2 Accept of each kind, 406', async () => {
  const { send } = await startGraphql({ capabilities });
  const own = 'application/graphql-response+json';
  const json = 'application/json';
  const kinds: readonly (readonly [accept: string, type: string | undefined])[] = [
    [own, own],
    [json, json],
    ['*/*', json],
    ['application/*', json],
    [`${own}, ${json}`, own],
    [`${json}, ${own}`, own],
    [`${own};q=0.5, ${json}`, json],
    [`${own};q=0, ${json}`, json],
    [`${own}, text/event-stream, multipart/mixed`, own],
    ['text/html', undefined],
    [`${json};q=0`, undefined],
  ];
  for (const [accept, type] of kinds) {
    const { status, headers, data, errors } = await send(toPost(query, { headers: { accept } }));
    if (type === undefined) {
      expect([accept, status]).toEqual([accept, 406]);
      expect(errors?.[0]?.extensions).toEqual({ code: 'NotAcceptable', status: 406 });
      continue;
    }
    expect([accept, headers.get('content-type')]).toEqual([accept, `${type}; charset=utf-8`]);
    expect(headers.get('vary')).toContain('Accept');
    expect(data).toEqual({ getThing: { id: '1' } });
  }
  const fault = await send(toPost({ query: '{' }, { headers: { accept: json } }));
  expect(fault.status).toBe(200);
});

it('3 form, text/plain, no type, application/graphql 415', async () => {
  const { send } = await startGraphql({ capabilities });
  const text = JSON.stringify(query);
  const types = [
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/graphql',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
  ];
  for (const type of types) {
    const answer = await send({ method: 'POST', headers: { 'content-type': type }, body: text });
    expect([type, answer.status]).toEqual([type, 415]);
    expect(answer.errors?.[0]?.extensions).toEqual({ code: 'UnsupportedMediaType', status: 415 });
  }
  const bare = await send({ method: 'POST', body: new TextEncoder().encode(text) });
  expect(bare.status).toBe(415);
  expect(bare.errors?.[0]?.message).toBe(
    'Only application/json is taken here. Send files over REST',
  );
});

it('4 multipart from another site 403', async () => {
  const { send } = await startGraphql({ capabilities });
  const form = new FormData();
  form.set('operations', JSON.stringify({ query: 'mutation { createThing { id } }' }));
  const headers = { origin: 'https://evil.example', cookie: 'session=1' };
  expect(await send({ method: 'POST', body: form, headers })).toMatchObject({
    status: 403,
    errors: [{ extensions: { code: 'Forbidden' } }],
  });
});

it('a page of another site reads nothing that cors does not let it, and its preflight is answered', async () => {
  const { send } = await startGraphql({
    capabilities,
    rest: { cors: { origin: 'https://app.example' } },
  });
  const asked = {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };
  const preflight = await send({ method: 'OPTIONS', headers: asked });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example');
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
  const foreign = await send(toPost(query, { headers: { origin: 'https://evil.example' } }));
  expect(foreign.headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
});

it('5 GET mutation 405', async () => {
  const { send } = await startGraphql({ capabilities });
  const mutation = encodeURIComponent('mutation { createThing { id } }');
  const refused = await send({}, `?query=${mutation}`);
  expect(refused.status).toBe(405);
  expect(refused.headers.get('allow')).toBe('POST');
  expect(refused.errors?.[0]?.message).toBe('A mutation is sent by POST');
  const found = await send(
    {},
    `?query=${encodeURIComponent('query ($id: String) { getThing(id: $id) { id } }'.replace('String', 'ID'))}&variables=${encodeURIComponent('{"id":"7"}')}`,
  );
  expect(found.data).toEqual({ getThing: { id: '7' } });
  const other = await send({ method: 'DELETE' });
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
});

it('6 body over the limit 413', async () => {
  const { send } = await startGraphql({ capabilities, rest: { maxBodySize: 100 } });
  const long = await send(toPost({ query: `{ getThing { id } } #${'x'.repeat(200)}` }));
  expect(long.status).toBe(413);
  expect(long.errors?.[0]?.extensions).toEqual({ code: 'PayloadTooLarge', status: 413 });
});

it('7 batch 400', async () => {
  const { send } = await startGraphql({ capabilities });
  expect(await send(toPost([query, query]))).toMatchObject({
    status: 400,
    errors: [{ message: 'Send one operation a request, and not a list' }],
  });
});

it('8 bad UTF-8', async () => {
  const { send } = await startGraphql({ capabilities });
  const bytes = Buffer.concat([
    Buffer.from('{"query":"{ a'),
    Buffer.from([0xff]),
    Buffer.from('"}'),
  ]);
  const headers = { 'content-type': 'application/json' };
  expect(await send({ method: 'POST', headers, body: bytes })).toMatchObject({
    status: 400,
    errors: [
      { message: 'The request body is not valid UTF-8', extensions: { code: 'BadRequest' } },
    ],
  });
});

it('9 variables list, text', async () => {
  const { send } = await startGraphql({ capabilities });
  for (const variables of [['1'], '{}', 1])
    expect(await send(toPost({ ...query, variables }))).toMatchObject({
      status: 400,
      errors: [{ message: expect.stringMatching(/^`variables` must be an object, got /) }],
    });
  expect(await send({}, '?query={__typename}&variables={')).toMatchObject({
    status: 400,
    errors: [{ message: '`variables` is not valid JSON' }],
  });
});

it('10 two operations without a name', async () => {
  const { ask } = await startGraphql({ capabilities });
  const text = 'query A { getThing { id } } query B { getThing { id } }';
  expect(await ask(text)).toMatchObject({
    status: 400,
    errors: [
      {
        message: 'The document has several operations: say which one by `operationName`.',
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', status: 400 },
      },
    ],
  });
});

it('11 unknown operation name', async () => {
  const { send } = await startGraphql({ capabilities });
  expect(
    await send(toPost({ query: 'query A { getThing { id } }', operationName: 'B' })),
  ).toMatchObject({
    status: 400,
    errors: [{ message: 'The document has no operation "B".' }],
  });
  expect(
    await send(toPost({ query: 'query A { getThing { id } }', operationName: 'A' })),
  ).toMatchObject({ status: 200, data: { getThing: { id: '1' } } });
});

it('12 `{` has a location', async () => {
  const { ask } = await startGraphql({ capabilities });
  expect(await ask('{')).toMatchObject({
    status: 400,
    errors: [
      {
        message: 'Syntax Error: Expected Name, found <EOF>.',
        locations: [{ line: 1, column: 2 }],
        extensions: { code: 'GRAPHQL_PARSE_FAILED', status: 400 },
      },
    ],
  });
});

const alias = (count: number): string =>
  Array.from({ length: count }, (_, at) => `a${at}: getThing { id }`).join(' ');

it.each([
  ['13 31 root fields', `{ ${alias(31)} }`],
  [
    '14 by fragments',
    `{ ...A ... on Query { ${alias(16)} } } fragment A on Query { ${alias(31)
      .split(' } ')
      .slice(16)
      .join(' } ')} }`,
  ],
  ['15 by aliases', `{ ${alias(10_000)} }`],
])('%s', async (_, text) => {
  let calls = 0;
  const counted = capability(() => {
    calls++;
    return { id: '1' };
  }).output(z.object({ id: z.string() }));
  const { ask } = await startGraphql({
    capabilities: { things: { getThing: counted } },
    graphql: { limits: { tokens: 1_000_000 } },
  });
  expect(await ask(text)).toMatchObject({
    status: 400,
    errors: [
      {
        message: expect.stringMatching(
          /^The operation has \d+ fields at its root; it may have 30\.$/,
        ),
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ],
  });
  expect(calls).toBe(0);
  expect((await ask(`{ ${alias(30)} }`)).status).toBe(200);
  expect(calls).toBe(30);
});

interface Tree {
  up?: Tree | undefined;
}
const TreeSchema: z.ZodType<Tree> = z.object({
  get up() {
    return TreeSchema.optional();
  },
});
const trees = { trees: { getTree: capability((): Tree => ({})).output(TreeSchema) } };
const nest = (depth: number): string =>
  `{ getTree ${'{ up '.repeat(depth - 2)}{ __typename ${'}'.repeat(depth)}`;

it('16 depth 16', async () => {
  const { ask } = await startGraphql({ capabilities: trees });
  expect((await ask(nest(15))).status).toBe(200);
  expect(await ask(nest(16))).toMatchObject({
    status: 400,
    errors: [{ message: 'The operation has 16 levels of fields; it may have 15.' }],
  });
});

it('17 cycle of fragments', async () => {
  const { ask } = await startGraphql({ capabilities: trees });
  const text =
    '{ getTree { ...A } } fragment A on Tree { up { ...B } } fragment B on Tree { up { ...A } }';
  const answer = await ask(text);
  expect(answer.status).toBe(400);
  expect(answer.errors?.[0]?.message).toMatch(/^Cannot spread fragment "A" within itself/);
});

it('18 2,001 tokens', async () => {
  const { ask } = await startGraphql({ capabilities });
  // Five words and signs, and three for each field.
  const fields = Array.from({ length: 665 }, (_, at) => `a${at}: id`);
  const fits = `{ getThing { ${fields.join(' ')} } }`;
  expect(await ask(fits)).toMatchObject({ status: 200, data: { getThing: { a664: '1' } } });
  expect(await ask(fits.replace('a0: id', 'a0: id b'))).toMatchObject({
    status: 400,
    errors: [{ message: expect.stringContaining('2000 tokens') }],
  });
});

it('19 3,000 equal fields', async () => {
  const { ask } = await startGraphql({
    capabilities,
    graphql: { limits: { tokens: 100_000 } },
  });
  expect(await ask(`{ ${'getThing { id } '.repeat(1500)} }`)).toMatchObject({
    status: 400,
    errors: [{ message: 'The operation has 3000 fields; it may have 2000.' }],
  });
  // Fragments count wherever they are spread, and doubling them takes no time.
  const doubling = Array.from(
    { length: 40 },
    (_, at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`,
  );
  const bomb = `{ ...F0 } ${doubling.join(' ')} fragment F40 on Query { getThing { id } }`;
  expect(await ask(bomb)).toMatchObject({
    status: 400,
    errors: [{ message: expect.stringContaining('may have 2000') }],
  });
});

it('20 introspection off, `__typename` works', async () => {
  const { ask } = await startGraphql({ capabilities });
  expect(await ask('{ __typename getThing { __typename } }')).toMatchObject({
    status: 200,
    data: { __typename: 'Query', getThing: { __typename: 'Thing' } },
  });
  for (const text of ['{ __schema { queryType { name } } }', '{ __type(name: "Thing") { name } }'])
    expect((await ask(text)).errors?.[0]).toMatchObject({
      message: expect.stringContaining('introspection'),
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED', status: 400 },
    });
  const open = await startGraphql({ capabilities, graphql: { introspection: true } });
  expect((await open.ask('{ __schema { queryType { name } } }')).status).toBe(200);
});

it('21 no "Did you mean"', async () => {
  const typos = ['{ getThin { id } }', '{ getThing { i } }', '{ getThing(idd: 1) { id } }'];
  const { ask } = await startGraphql({ capabilities });
  const open = await startGraphql({ capabilities, graphql: { introspection: true } });
  for (const text of typos) {
    const [closed, told] = await Promise.all([ask(text), open.ask(text)]);
    expect([closed.status, told.status]).toEqual([400, 400]);
    expect(told.errors?.[0]?.message).toContain('Did you mean');
    expect(closed.errors?.[0]?.message).not.toContain('Did you mean');
  }
});
