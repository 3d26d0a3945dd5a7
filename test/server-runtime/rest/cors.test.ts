import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  capability,
  cors,
  defineGuard,
  type RestOptions,
  redirect,
  restTransport,
  withIdempotency,
  withRateLimit,
} from '../../../server-runtime/index.ts';
import { describeEverywhere } from '../../helpers/start-rest.ts';

const capabilities = { items: { listItems: capability(() => []) } };
const A = 'https://a.example';
const B = 'https://b.example';

function corsHeaders(response: Response): Record<string, string> {
  return Object.fromEntries(
    [...response.headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  );
}

describeEverywhere('CORS', (start) => {
  it('lets pages send the header of an API key that a guard declares', async () => {
    const scheme = { type: 'apiKey', in: 'header', name: 'x-api-key' } as const;
    const inQuery = { type: 'apiKey', in: 'query', name: 'key' } as const;
    const mustHaveKey = defineGuard(() => {}, { name: 'mustHaveKey', security: [scheme, inQuery] });
    const listItems = capability(() => []).guard(mustHaveKey);
    const { request } = await start({ capabilities: { items: { listItems } } });
    const preflight = await request('/items', { method: 'OPTIONS', headers: { origin: A } });
    expect(preflight.headers.get('access-control-allow-headers')).toBe(
      'Content-Type, Authorization, x-api-key',
    );
  });

  it('lets pages read the headers that answers have, where nobody says which', async () => {
    const sending = {
      items: {
        listItems: capability(() => [], 'query')
          .output(z.array(z.string()), { headers: { 'X-Total': z.string() } })
          .enhance(withRateLimit({ limit: 9, windowMs: 1000 })),
        createItem: capability(() => 1).enhance(withIdempotency()),
        moveItem: capability(() => 'https://a.example', 'query').output(redirect),
      },
    };
    const exposed = async (rest: RestOptions): Promise<string | null> => {
      const { request } = await start({ capabilities: sending, rest });
      const response = await request('/items', { headers: { origin: A } });
      return response.headers.get('access-control-expose-headers');
    };
    const all = 'X-Total, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, Location';
    expect(await exposed({})).toBe(all);
    expect(await exposed({ etag: true, ...cors({ origin: [A] }) })).toBe(`ETag, ${all}`);
    expect(await exposed({ cors: { exposeHeaders: '' } })).toBeNull();
    expect(await exposed({ cors: { exposeHeaders: 'X-Total' } })).toBe('X-Total');
  });

  const cases: readonly (readonly [
    string,
    RestOptions,
    string | undefined,
    Record<string, string>,
    Record<string, string>,
  ])[] = [
    [
      'the default allows every origin',
      {},
      A,
      { 'access-control-allow-origin': '*' },
      {
        'access-control-allow-methods': 'GET, POST, PATCH, PUT, DELETE, OPTIONS',
        'access-control-allow-headers': 'Content-Type, Authorization',
      },
    ],
    [
      'an empty object is the default',
      { cors: {} },
      undefined,
      { 'access-control-allow-origin': '*' },
      {
        'access-control-allow-methods': 'GET, POST, PATCH, PUT, DELETE, OPTIONS',
        'access-control-allow-headers': 'Content-Type, Authorization',
      },
    ],
    [
      'headers of answers that pages may read',
      { ...cors({ origin: [A, B], exposeHeaders: ['X-Total', 'X-Request-Id'] }) },
      B,
      {
        'access-control-allow-origin': B,
        'access-control-expose-headers': 'X-Total, X-Request-Id',
        vary: 'Origin',
      },
      {
        'access-control-allow-methods': 'GET, POST, PATCH, PUT, DELETE, OPTIONS',
        'access-control-allow-headers': 'Content-Type, Authorization',
      },
    ],
    ['false sends none', { cors: false }, A, {}, {}],
    [
      'methods and headers are the literal values',
      { cors: { methods: 'GET', headers: 'X-One', maxAge: 600 } },
      A,
      { 'access-control-allow-origin': '*' },
      {
        'access-control-allow-methods': 'GET',
        'access-control-allow-headers': 'X-One',
        'access-control-max-age': '600',
      },
    ],
    [
      'one origin allows itself',
      { cors: { origin: A, methods: 'GET', headers: 'X' } },
      A,
      { 'access-control-allow-origin': A, vary: 'Origin' },
      { 'access-control-allow-methods': 'GET', 'access-control-allow-headers': 'X' },
    ],
    ['one origin refuses another', { cors: { origin: A } }, B, { vary: 'Origin' }, {}],
    [
      'a function may allow, with credentials',
      {
        cors: { origin: (origin) => origin === B, credentials: true, methods: 'GET', headers: 'X' },
      },
      B,
      {
        'access-control-allow-origin': B,
        'access-control-allow-credentials': 'true',
        vary: 'Origin',
      },
      { 'access-control-allow-methods': 'GET', 'access-control-allow-headers': 'X' },
    ],
    [
      'a function may refuse',
      { cors: { origin: (origin) => origin === B } },
      A,
      { vary: 'Origin' },
      {},
    ],
    [
      'a function that throws refuses',
      {
        cors: {
          origin: () => {
            throw new Error('bug');
          },
        },
      },
      A,
      { vary: 'Origin' },
      {},
    ],
    [
      'a function is not asked without an origin',
      { cors: { origin: () => true } },
      undefined,
      { vary: 'Origin' },
      {},
    ],
    [
      'the plugin takes a list',
      cors({ origin: [A, B], methods: ['GET', 'POST'], headers: ['X', 'Y'] }),
      B,
      { 'access-control-allow-origin': B, vary: 'Origin' },
      { 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': 'X, Y' },
    ],
    [
      'the plugin refuses what is not on its list',
      cors({ origin: [A] }),
      B,
      { vary: 'Origin' },
      {},
    ],
    [
      'the plugin takes one origin',
      cors({ origin: A, methods: 'GET', headers: 'X' }),
      A,
      { 'access-control-allow-origin': A, vary: 'Origin' },
      { 'access-control-allow-methods': 'GET', 'access-control-allow-headers': 'X' },
    ],
  ];

  it.each(cases)('%s', async (_name, rest, origin, expected, preflight) => {
    const { request } = await start({ capabilities, rest });
    const headers = origin === undefined ? {} : { origin };
    expect(corsHeaders(await request('/items', { headers }))).toEqual(expected);
    expect(corsHeaders(await request('/nowhere', { headers }))).toEqual(expected);
    expect(corsHeaders(await request('/items', { headers, method: 'OPTIONS' }))).toEqual({
      ...expected,
      ...preflight,
    });
  });
});

it.each([
  [{ cors: { credentials: true } }, /browsers refuse credentials with the origin '\*'/],
  [cors({ origin: ['*'], credentials: true }), /browsers refuse credentials/],
  [
    { cors: { origin: [A] as unknown as string } },
    /cors\.origin: expected a string or a function, got an array.*cors\(\{origin/,
  ],
  [{ cors: { methods: ['GET'] as unknown as string } }, /cors\.methods: expected a string/],
  [{ cors: { headers: 7 as unknown as string } }, /cors\.headers: expected a string/],
  [{ cors: { headers: 'X\r\nY: 1' } }, /cors\.headers/],
  [{ cors: { maxAge: -1 } }, /cors\.maxAge/],
])('refuses %j when the transport is made', (options, message) => {
  expect(() => restTransport(options)).toThrow(message);
});
