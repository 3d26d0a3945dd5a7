// Boundary: anybody, over HTTP, by MCP and through queues. Promise: no name that a caller chooses reaches the prototype of
// an object, of the input or of the process.
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  restTransport,
  silentLogger,
  toFetchHandler,
} from '../../server-runtime/index.ts';
import { readJob } from '../../server-runtime/queue/read-job.ts';
import { countInputs } from '../helpers/count-inputs.ts';

const seen: unknown[] = [];
const receive = capability((input) => void seen.push(input));
const loose = capability(z.looseObject({}), (input) => void seen.push(input));
const a = {
  raw: receive.route('POST', '/raw').route('GET', '/raw/:id'),
  loose: loose.route('POST', '/loose').route('GET', '/loose/:id'),
  cookie: capability(z.looseObject({ c: z.string().optional() }), (input) => void seen.push(input))
    .takes({ cookies: { c: 'c' } })
    .route('POST', '/cookie'),
};
const server = createServer({
  capabilities: { a },
  transports: [restTransport({ calls: true })],
  logger: silentLogger,
});
const answer = toFetchHandler(server);
afterEach(() => void (seen.length = 0));

/** Looks at each object of what handlers got. */
function expectClean(): void {
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
    expect([Object.prototype, Array.prototype, null]).toContain(Object.getPrototypeOf(value));
    for (const name of ['__proto__', 'constructor', 'prototype'])
      expect(Object.hasOwn(value, name)).toBe(false);
    Object.values(value).forEach(walk);
  };
  seen.forEach(walk);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Reflect.get([], 'polluted')).toBeUndefined();
  expect(Reflect.get(() => {}, 'polluted')).toBeUndefined();
}

const json = { 'content-type': 'application/json' };
const multipart = { 'content-type': 'multipart/form-data; boundary=X' };
const part = (name: string, more = ''): string =>
  `--X\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\nyes\r\n--X--\r\n`;

const queries = [
  '__proto__[polluted]=yes',
  '__proto__.polluted=yes',
  '__proto__=yes',
  'constructor[prototype][polluted]=yes',
  'constructor.prototype.polluted=yes',
  'prototype=yes',
  '__proto__[]=yes',
  '%5F_proto__[polluted]=yes',
  'a[__proto__][polluted]=yes',
  'a[constructor][prototype][polluted]=yes',
];
const bodies = [
  '{"__proto__":{"polluted":"yes"}}',
  '{"constructor":{"prototype":{"polluted":"yes"}}}',
  '{"prototype":{"polluted":"yes"}}',
  '{"\\u005f_proto__":{"polluted":"yes"}}',
  '{"a":{"__proto__":{"polluted":"yes"}}}',
  '{"a":[{"__proto__":{"polluted":"yes"}}]}',
  '{"__proto__":null}',
  '{"a":1,"__proto__":[],"__proto__":{"polluted":"yes"}}',
];
const names = [
  '__proto__[polluted]',
  '__proto__',
  'constructor[prototype][polluted]',
  'a[__proto__]',
  'prototype',
];

describe.each(['/raw', '/loose'])('a handler behind %s gets no unsafe name', (path) => {
  it.each(queries)('of the query %s', async (query) => {
    expect((await answer(new Request(`http://a.test${path}/1?${query}`))).status).toBeLessThan(500);
    expect(seen).toHaveLength(1);
    expectClean();
  });

  it.each(bodies)('of the body %s', async (body) => {
    const init = { method: 'POST', headers: json, body };
    expect((await answer(new Request(`http://a.test${path}`, init))).status).toBeLessThan(500);
    expectClean();
  });

  it.each(names)('of the form field %s', async (name) => {
    for (const more of ['', '; filename="f"']) {
      const init = { method: 'POST', headers: multipart, body: part(name, more) };
      expect((await answer(new Request(`http://a.test${path}`, init))).status).toBeLessThan(500);
    }
    expectClean();
  });
});

it.each(['__proto__', 'constructor', 'toString', 'a.__proto__', '__proto__.raw', 'hasOwnProperty'])(
  'the key %s is no capability',
  async (key) => {
    const init = { method: 'POST', headers: json, body: '{}' };
    expect((await answer(new Request(`http://a.test/_call/${key}`, init))).status).toBe(404);
  },
);

it.each(['__proto__=yes', 'constructor=yes; c=1', '__proto__[polluted]=yes'])(
  'the cookie %s names nothing else',
  async (cookie) => {
    const init = { method: 'POST', headers: { ...json, cookie }, body: '{}' };
    expect((await answer(new Request('http://a.test/cookie', init))).status).toBe(200);
    expectClean();
  },
);

it.each([...bodies, '[]', '"x"', 'null'])('the job %s reaches no prototype', (text) => {
  const { input, headers } = readJob('a.send', 'a.send', {
    input: JSON.parse(text) as unknown,
    headers: JSON.parse(text) as unknown,
  });
  expect(Reflect.get(Object(input), 'polluted')).toBeUndefined();
  expect(Reflect.get(headers, 'polluted')).toBeUndefined();
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

it('no JSON changes the prototype of anything', async () => {
  const name = fc.constantFrom('__proto__', 'constructor', 'prototype', 'polluted', 'a');
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('yes', 1, null),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.array(fc.tuple(name, tie('node')), { maxLength: 4 }),
    ),
  })).node;
  // Fields are written by hand: an object of this process would not have them.
  const write = (node: unknown): string => {
    if (!Array.isArray(node)) return JSON.stringify(node);
    const isObject = node.every((each) => Array.isArray(each) && typeof each[0] === 'string');
    return isObject
      ? `{${node.map(([key, inner]) => `${JSON.stringify(key)}:${write(inner)}`).join(',')}}`
      : `[${node.map(write).join(',')}]`;
  };
  await fc.assert(
    fc.asyncProperty(value, async (node) => {
      seen.length = 0;
      const init = { method: 'POST', headers: json, body: `{"a":${write(node)}}` };
      const { status } = await answer(new Request('http://a.test/loose', init));
      expect([200, 400]).toContain(status);
      expectClean();
    }),
    { numRuns: countInputs(200) },
  );
});
