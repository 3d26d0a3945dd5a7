// Boundary: anybody, over HTTP. Promise: a request of the size that is let in is answered with work in proportion to it,
// whatever it consists of.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineGuard,
  silentLogger,
  toFetchHandler,
} from '../../server-runtime/index.ts';

const text = z.string().optional();
const formats = z.object({
  email: z.email().optional(),
  url: z.url().optional(),
  ip: z.ipv6().optional(),
  date: z.iso.datetime().optional(),
  uuid: z.uuid().optional(),
  count: z.number().optional(),
  list: z.array(z.string()).optional(),
  name: text,
});
const refuse = defineGuard(() => {
  throw defaultErrors.Unauthorized();
});
const a = {
  listOnes: capability(formats, () => 1, 'query').route('GET', '/a'),
  getOne: capability(z.object({ id: z.string(), c: z.string() }), () => 1, 'query').route(
    'GET',
    '/a/:id/b/:c',
  ),
  createOne: capability(z.looseObject({}), () => 1).route('POST', '/a'),
  closed: capability(z.looseObject({}), () => 1)
    .guard(refuse)
    .route('POST', '/closed'),
};
const server = createServer({ capabilities: { a }, logger: silentLogger });
const answer = toFetchHandler(server, { docs: true, compression: true, etag: true });

/** The time of the process that `work` takes, in milliseconds: the less of two tries, as other programs take time, too. */
async function measure(work: () => Promise<void> | void): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 2; count++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

/**
 * Compares a request with one of a tenth of its size: linear work takes ten times as much time. A short time is hard to
 * measure on a busy computer, so one below `shortMs` milliseconds passes: what is quadratic takes several times that
 * long. So does twice `parsingTime`, which is what JSON.parse alone takes for the body: for a million open brackets
 * that is 90 times as long as for a tenth of them.
 */
async function expectLinear(
  toRequest: (length: number) => Request,
  length: number,
  { shortMs = 100, parsingTime = 0 } = {},
): Promise<void> {
  const send = (size: number) => {
    const requests = [toRequest(size), toRequest(size)];
    return measure(async () => {
      const { status } = await answer(requests.pop() ?? toRequest(size));
      expect(status).toBeLessThan(500);
    });
  };
  const short = await send(length / 10);
  const long = await send(length);
  expect(long).toBeLessThan(Math.max(shortMs, 40 * short, 2 * parsingTime));
}

const LENGTH = 16_000;
const headers: readonly (readonly [name: string, toText: (length: number) => string])[] = [
  ['accept', (length) => 'a/b;q=0.'.repeat(length / 8)],
  ['accept', (length) => `${','.repeat(length)}x`],
  ['accept', (length) => `a/b;${' '.repeat(length)}q=x`],
  ['accept', (length) => `${'*/*,'.repeat(length / 4)}`],
  ['accept-encoding', (length) => 'gzip;q=0,'.repeat(length / 9)],
  ['accept-encoding', (length) => ';'.repeat(length)],
  ['authorization', (length) => `Bearer ${' '.repeat(length)}x`],
  ['cookie', (length) => 'a=b; '.repeat(length / 5)],
  ['cookie', (length) => ';'.repeat(length)],
  ['cookie', (length) => `a="${'\\'.repeat(length)}`],
  ['if-none-match', (length) => '"a", '.repeat(length / 5)],
  ['if-none-match', (length) => '"'.repeat(length)],
  ['if-none-match', (length) => `W/${','.repeat(length)}`],
  ['range', (length) => `bytes=${'0-1,'.repeat(length / 4)}`],
  ['origin', (length) => `http://${'a.'.repeat(length / 2)}`],
  ['x-request-id', (length) => 'a'.repeat(length)],
  ['traceparent', (length) => '0-'.repeat(length / 2)],
  ['x-forwarded-for', (length) => '1.2.3.4,'.repeat(length / 8)],
  ['idempotency-key', (length) => `"${'a'.repeat(length)}`],
  ['sec-fetch-site', (length) => 'cross'.repeat(length / 5)],
];
const paths: readonly ((length: number) => string)[] = [
  (length) => '/a'.repeat(length / 2),
  (length) => '/'.repeat(length),
  (length) => '/%61'.repeat(length / 4),
  (length) => `/a/${'x'.repeat(length)}/b/${'y'.repeat(length)}`,
  (length) => `/a?${'name=b&'.repeat(length / 7)}`,
  (length) => `/a?${'list[]=b&'.repeat(length / 9)}`,
  (length) => `/a?${'['.repeat(length)}=b`,
  (length) => `/a?${'a[b]'.repeat(length / 4)}=b`,
  (length) => `/a?${'%'.repeat(length)}`,
  (length) => `/a?${'+'.repeat(length)}`,
  (length) => `/a?email=${'a.'.repeat(length / 2)}@`,
  (length) => `/a?email=${'a@'.repeat(length / 2)}`,
  (length) => `/a?url=http://${'a.'.repeat(length / 2)}`,
  (length) => `/a?ip=${':'.repeat(length)}`,
  (length) => `/a?ip=${'1:'.repeat(length / 2)}`,
  (length) => `/a?date=2020-01-01T00:00:00.${'0'.repeat(length)}`,
  (length) => `/a?uuid=${'a-'.repeat(length / 2)}`,
  (length) => `/a?count=${'1'.repeat(length)}`,
  (length) => `/a?count=${' '.repeat(length)}1e`,
];

describe('a head is answered in linear time, with', () => {
  it.each(
    headers.map(
      ([name, toText]) => [`${name}: ${toText(24).slice(0, 24)}…`, name, toText] as const,
    ),
  )('%s', (_shown, name, toText) =>
    expectLinear(
      (length) => new Request('http://a.test/a', { headers: { [name]: toText(length) } }),
      LENGTH,
    ),
  );

  it.each(paths.map((toPath) => [`${toPath(24).slice(0, 40)}…`, toPath] as const))(
    '%s',
    (_shown, toPath) =>
      expectLinear((length) => new Request(`http://a.test${toPath(length)}`), LENGTH),
  );
});

const JSON_TYPE = 'application/json';
const FORM = 'multipart/form-data; boundary=X';
const part = (name: string): string =>
  `--X\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n1\r\n`;
const bodies: readonly (readonly [
  what: string,
  type: string,
  toBody: (length: number) => string,
])[] = [
  [
    'many keys',
    JSON_TYPE,
    (length) => `{${Array.from({ length: length / 11 }, (_, at) => `"k${at}":1`).join(',')}}`,
  ],
  [
    'integer keys',
    JSON_TYPE,
    (length) => `{${Array.from({ length: length / 11 }, (_, at) => `"${at}":1`).join(',')}}`,
  ],
  ['one key again and again', JSON_TYPE, (length) => `{${'"a":1,'.repeat(length / 6)}"a":1}`],
  ['brackets', JSON_TYPE, (length) => '['.repeat(length)],
  ['braces', JSON_TYPE, (length) => '{"a":'.repeat(length / 5)],
  [
    'levels',
    JSON_TYPE,
    (length) => `{"a":${'['.repeat(60)}${'1,'.repeat(length / 2)}1${']'.repeat(60)}}`,
  ],
  ['a long text', JSON_TYPE, (length) => JSON.stringify({ a: 'x'.repeat(length) })],
  ['escapes', JSON_TYPE, (length) => `{"a":"${'\\u0061'.repeat(length / 6)}"}`],
  ['a long number', JSON_TYPE, (length) => `{"a":${'1'.repeat(length)}}`],
  ['spaces', JSON_TYPE, (length) => `${' '.repeat(length)}{}`],
  ['unsafe names', JSON_TYPE, (length) => `{"a":[${'{"__proto__":1},'.repeat(length / 16)}1]}`],
  ['many items', JSON_TYPE, (length) => `{"a":[${'{},'.repeat(length / 3)}1]}`],
  ['fields of a form', FORM, (length) => `${part('a').repeat(length / 60)}--X--\r\n`],
  ['brackets of a form', FORM, (length) => `${part(`a${'[b]'.repeat(length / 3)}`)}--X--\r\n`],
  ['a form of boundaries', FORM, (length) => '--X\r\n'.repeat(length / 5)],
  ['a form of dashes', FORM, (length) => `--X\r\n${'-'.repeat(length)}`],
  ['a head of a part', FORM, (length) => `--X\r\n${'a: b\r\n'.repeat(length / 6)}\r\n--X--\r\n`],
];

function measureParsing(text: string): Promise<number> {
  return measure(() => {
    try {
      JSON.parse(text);
    } catch {
      // A body that is no JSON is read up to its mistake.
    }
  });
}

describe('a body is answered in linear time, of', () => {
  it.each(bodies)('%s', async (_what, type, toBody) => {
    const toRequest = (length: number) => {
      const init = { method: 'POST', headers: { 'content-type': type }, body: toBody(length) };
      return new Request('http://a.test/a', init);
    };
    const parsingTime = type === JSON_TYPE ? await measureParsing(toBody(1_000_000)) : 0;
    await expectLinear(toRequest, 1_000_000, { shortMs: 2000, parsingTime });
  });
});

it.each(['gzip', 'br', 'deflate', 'gzip, gzip'])(
  'a body in the coding %s is 415, and not read',
  async (coding) => {
    const headers = { 'content-type': JSON_TYPE, 'content-encoding': coding };
    const request = new Request('http://a.test/a', { method: 'POST', headers, body: '{}' });
    expect((await answer(request)).status).toBe(415);
  },
);

it('a caller whom a guard refuses has no body parsed', async () => {
  const headers = { 'content-type': JSON_TYPE };
  const init = { method: 'POST', headers, body: '['.repeat(1_000_000) };
  expect((await answer(new Request('http://a.test/closed', init))).status).toBe(401);
});
