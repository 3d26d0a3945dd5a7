import { expect, it } from 'vitest';
import { z } from 'zod';
import { createClientOf } from '../../../server-runtime/client/create-client-of.ts';
import { capability, generateOpenAPI, uploadedFile } from '../../../server-runtime/index.ts';
import { describeEverywhere } from '../../helpers/start-rest.ts';

/** Forms and queries as Swagger UI, hey-api, orval and pages of a browser send them. */
const line = z.object({ sku: z.string() });
const fields = {
  name: z.string().optional(),
  either: z.union([z.string(), line]).optional(),
  tags: z.array(z.string()).optional(),
  counts: z.array(z.number()).optional(),
  meta: z.object({ a: z.number() }).optional(),
  lines: z.array(line).optional(),
  filter: z.object({ in: z.object({ deep: z.boolean() }).optional() }).optional(),
};
const send = capability(
  z.object({ ...fields, file: uploadedFile() }),
  ({ file, ...rest }) => ({ ...rest, file: file.filename }),
  'mutation',
);
const look = capability(z.object(fields), (input) => input, 'query');
const capabilities = { forms: { send, look } };

type Part = readonly [name: string, value: string | Blob];

function toForm(...parts: readonly Part[]): RequestInit {
  const body = new FormData();
  for (const [name, value] of parts) body.append(name, value);
  body.append('file', new File(['x'], 'a.txt', { type: 'text/plain' }));
  return { method: 'POST', body };
}

describeEverywhere('what clients of others send', (start) => {
  it.each<readonly [string, readonly Part[], object]>([
    ['an object as a text of JSON', [['meta', '{"a":1}']], { meta: { a: 1 } }],
    ['one with a type of text', [['meta', new Blob(['{"a":1}'], { type: 'text/plain' })]], {}],
    [
      'a list as one part',
      [['lines', '[{"sku":"a"},{"sku":"b"}]']],
      { lines: [{ sku: 'a' }, { sku: 'b' }] },
    ],
    ['a list of one as one part', [['lines', '{"sku":"a"}']], { lines: [{ sku: 'a' }] }],
    [
      'a list as parts',
      [
        ['lines', '{"sku":"a"}'],
        ['lines', '{"sku":"b"}'],
      ],
      { lines: [{ sku: 'a' }, { sku: 'b' }] },
    ],
    ['numbers as one part', [['counts', '[1,2]']], { counts: [1, 2] }],
    ['one number', [['counts', '5']], { counts: [5] }],
    ['a text that looks like JSON', [['name', '{"a":1}']], { name: '{"a":1}' }],
    ['a list of such texts', [['tags', '["a"]']], { tags: ['["a"]'] }],
    ['what may be a text or an object', [['either', '{"sku":"a"}']], { either: '{"sku":"a"}' }],
  ])('in a form: %s', async (_, parts, input) => {
    const { request } = await start({ capabilities });
    const response = await request('/forms/send', toForm(...parts));
    const expected = Object.keys(input).length > 0 ? { ...input, file: 'a.txt' } : undefined;
    const { data, error } = (await response.json()) as { data?: object; error?: string };
    // A part with a name of a file and a type of text is a file, which is no object.
    expect(expected === undefined ? error : data).toEqual(expected ?? 'BadRequest');
  });

  it.each([
    ['filter[in]={"deep":true}', { filter: { in: { deep: true } } }],
    ['filter={"in":{"deep":true}}', { filter: { in: { deep: true } } }],
    ['lines={"sku":"a"}&lines={"sku":"b"}', { lines: [{ sku: 'a' }, { sku: 'b' }] }],
    ['lines=[{"sku":"a"}]', { lines: [{ sku: 'a' }] }],
    ['lines[0][sku]=a', { lines: [{ sku: 'a' }] }],
    ['counts=1&counts=2', { counts: [1, 2] }],
    ['name={"a":1}', { name: '{"a":1}' }],
  ])('in a query: %s', async (query, input) => {
    const { request } = await start({ capabilities });
    const response = await request(
      `/forms/look?${query.replaceAll('{', '%7B').replaceAll('}', '%7D')}`,
    );
    expect(await response.json()).toEqual({ data: input });
  });

  it.each([
    ['{"a":', 'meta'],
    [`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, 'meta'],
    ['[1]', 'meta'],
  ])('a text that is no such JSON, %s, is refused by validation', async (text, name) => {
    const { request } = await start({ capabilities });
    const response = await request('/forms/send', toForm([name, text]));
    const { error, message } = (await response.json()) as { error: string; message: string };
    expect([response.status, error, message]).toEqual([
      400,
      'BadRequest',
      'Input validation failed',
    ]);
  });

  it('keys that could reach a prototype are left out of such JSON', async () => {
    const { request } = await start({ capabilities });
    const response = await request('/forms/send', toForm(['meta', '{"a":1,"__proto__":{"b":2}}']));
    expect(await response.json()).toEqual({ data: { meta: { a: 1 }, file: 'a.txt' } });
  });

  it.each(['12" pipe.txt', 'a\nb.txt', '50%.txt', '%41.txt', 'ü.txt'])(
    'a file has the name that its sender gave it: %j',
    async (name) => {
      const { request } = await start({ capabilities });
      const body = new FormData();
      body.append('file', new File(['x'], name));
      const response = await request('/forms/send', { method: 'POST', body });
      expect(await response.json()).toEqual({ data: { file: name } });
    },
  );
});

it('the document says how lists and objects stand in a form and in a query', () => {
  const { paths } = generateOpenAPI(capabilities);
  const { content } = paths['/forms/send']?.['post']?.requestBody ?? {};
  const repeated = { style: 'form', explode: true };
  const json = { contentType: 'application/json' };
  expect(content?.['multipart/form-data']?.encoding).toEqual({
    tags: repeated,
    counts: repeated,
    meta: json,
    lines: json,
    filter: json,
    either: json,
  });
  const parameters = paths['/forms/look']?.['get']?.parameters ?? [];
  const forms = parameters.map(({ name, style, content: media }) => [
    name,
    style ?? Object.keys(media ?? {})[0],
  ]);
  expect(Object.fromEntries(forms)).toEqual({
    name: undefined,
    either: 'deepObject',
    tags: undefined,
    counts: undefined,
    meta: 'deepObject',
    lines: 'application/json',
    filter: 'application/json',
  });
});

it.each(['Application/JSON', 'application/JSON; charset=UTF-8', 'APPLICATION/PROBLEM+JSON'])(
  'a client reads an answer of the type %s',
  async (type) => {
    const body = JSON.stringify({ data: 1 });
    const answer = async () => new Response(body, { headers: { 'content-type': type } });
    const createClient = createClientOf<{ get: () => Promise<unknown> }>({ get: ['GET', '/'] });
    expect(await createClient({ baseUrl: 'http://localhost', fetch: answer }).get()).toBe(1);
  },
);
