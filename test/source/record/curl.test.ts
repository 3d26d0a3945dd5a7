import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { fillRoute } from '../../../server-runtime/routing/fill-route.ts';
import { toApiSchema } from '../../../source/document/branch.ts';
import { toSampleValue } from '../../../source/document/samples/sample-value.ts';
import { toCapabilityCurl } from '../../../source/record/curl.ts';

const baseUrl = 'http://localhost:3000';

it.each([
  [
    'a read',
    { method: 'GET', path: '/items/:id', params: ['id'] },
    { id: 'a/b', limit: 2 },
    "curl 'http://localhost:3000/items/a%2Fb?limit=2'",
  ],
  [
    'a list in a query',
    { method: 'GET', path: '/items', params: [] },
    { tag: ['a', 'b'] },
    "curl 'http://localhost:3000/items?tag=a&tag=b'",
  ],
  [
    'a write',
    { method: 'POST', path: '/items', params: [] },
    { name: "Ada's" },
    String.raw`curl -X POST 'http://localhost:3000/items' -H 'content-type: application/json' -d '{"name":"Ada'\''s"}'`,
  ],
  [
    'a removal',
    { method: 'DELETE', path: '/items/:id', params: ['id'] },
    { id: '1', hard: true },
    "curl -X DELETE 'http://localhost:3000/items/1?hard=true'",
  ],
  [
    'no input',
    { method: 'GET', path: '/items/:id', params: ['id'] },
    undefined,
    "curl 'http://localhost:3000/items/:id'",
  ],
] as const)('writes %s as a command line', (_, capability, input, command) => {
  expect(toCapabilityCurl(capability, { baseUrl, input })).toBe(command);
});

it('writes files and what goes with them as a form', () => {
  const capability = { method: 'POST', path: '/items/:id/photos', params: ['id'] } as const;
  const input = { id: '1', title: '@home', tags: ['a', 'b'] };
  expect(
    toCapabilityCurl(capability, { baseUrl, input, files: { photo: ["/tmp/Ada's.png"] } }),
  ).toBe(
    [
      "curl -X POST 'http://localhost:3000/items/1/photos'",
      "--form-string 'title=@home' --form-string 'tags=a' --form-string 'tags=b'",
      String.raw`-F 'photo=@/tmp/Ada'\''s.png'`,
    ].join(' '),
  );
});

it('names secret headers as variables of the shell', () => {
  const capability = { method: 'GET', path: '/items', params: [] } as const;
  const headers = { accept: 'text/plain', 'x-api-key': 'k-1', authorization: 'Bearer abc' };
  expect(toCapabilityCurl(capability, { baseUrl, input: {}, headers })).toBe(
    `curl 'http://localhost:3000/items' -H 'accept: text/plain' -H 'x-api-key: '"$X_API_KEY" -H 'authorization: '"$AUTHORIZATION"`,
  );
});

it('loses nothing on the way into path and query', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (id, text) => {
      const { url } = fillRoute({ method: 'GET', path: '/a/:id' }, { id, text });
      const [path = '', query] = url.split('?');
      expect(new URLSearchParams(query).get('text')).toBe(text);
      expect(decodeURIComponent(path.slice('/a/'.length))).toBe(id);
    }),
  );
});

it('makes a sample that the schema takes', () => {
  const schema = z.object({
    id: z.uuid(),
    email: z.email(),
    count: z.number().min(3),
    kind: z.enum(['a', 'b']),
    tags: z.array(z.string()),
    inner: z.object({ on: z.boolean() }),
    size: z.number().default(4),
    left: z.string().optional(),
  });
  const sample = toSampleValue(toApiSchema(z.toJSONSchema(schema, { io: 'input' })));
  expect(schema.safeParse(sample).success).toBe(true);
  expect(sample).not.toHaveProperty('left');
});

it('makes a sample of what JSON has no word for as the text that it is sent as', () => {
  const properties = {
    from: { type: 'string', format: 'date-time', 'x-capix-kind': 'date' },
    count: { type: 'string', pattern: String.raw`^-?\d+$`, 'x-capix-kind': 'bigint' },
  };
  const schema = toApiSchema({ type: 'object', properties, required: ['from', 'count'] });
  const dates = z.object({ from: z.coerce.date(), count: z.coerce.bigint() });
  expect(dates.safeParse(toSampleValue(schema)).success).toBe(true);
});
