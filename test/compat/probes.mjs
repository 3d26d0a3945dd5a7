import { isDeepStrictEqual } from 'node:util';

const json = { 'content-type': 'application/json' };
const toForm = (fields) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return { method: 'POST', body: form };
};

const loopback = /^(::1|(::ffff:)?127\.0\.0\.1)$/;

/** The probes by name: each asks, and gives what came and what should have. */
const probes = {
  'query, coerced': async ({ data }) => [
    await data('/things?limit=5&on=true'),
    { limit: 5, on: true },
  ],
  'path parameter': async ({ data }) => [await data('/things/a%20b'), { id: 'a b' }],
  'JSON body': async ({ data }) => [
    await data('/things', { method: 'POST', headers: json, body: '{"name":"ä"}' }),
    { name: 'ä' },
  ],
  validation: async ({ data }) => [
    await data('/things', { method: 'POST', headers: json, body: '{"name":7}' }),
    400,
  ],
  'malformed JSON': async ({ data }) => [
    await data('/things', { method: 'POST', headers: json, body: '{' }),
    400,
  ],
  'guard refuses': async ({ data }) => [await data('/things/guarded'), 401],
  'guard lets pass': async ({ data }) => [
    await data('/things/guarded', { headers: { 'x-user': 'Ann' } }),
    'Ann',
  ],
  'declared error': async ({ data }) => [await data('/things/missing'), 404],
  'thrown error says nothing': async ({ ask }) => [
    (await (await ask('/things/broken')).text()).includes('secret'),
    false,
  ],
  'three timeouts at once': async ({ data }) => [
    await Promise.all([1, 2, 3].map(() => data('/things/slow'))),
    [504, 504, 504],
  ],
  // A worker runs requests apart from each other, where one may have to wait for what another one has begun.
  'cache, and idempotency of calls at once': async ({ data }) => {
    const cached = [await data('/things/cached'), await data('/things/cached')];
    const headers = { ...json, 'idempotency-key': 'a' };
    const call = () => data('/things/once', { method: 'POST', headers, body: '{}' });
    const calls = [...(await Promise.all([call(), call(), call()])), await call()];
    return [
      [cached, calls],
      [
        [1, 1],
        [2, 2, 2, 2],
      ],
    ];
  },
  'rate limit, by address': async ({ data }) => [
    [loopback.test(await data('/things/limited')), await data('/things/limited')],
    [true, 429],
  ],
  'circuit breaker': async ({ data }) => [
    [await data('/things/failing'), await data('/things/failing')],
    [500, 503],
  ],
  upload: async ({ data }) => [
    await data('/things/upload', toForm({ title: 'a', file: new File(['abc'], 'a.txt') })),
    ['a', 3],
  ],
  'streamed upload': async ({ data }) => [
    await data('/things/upload-stream', toForm({ file: new File(['x'.repeat(200_000)], 'a.txt') })),
    200_000,
  ],
  'lines of JSON': async ({ ask }) => [
    await (await ask('/things/watch', { headers: { accept: 'application/x-ndjson' } })).text(),
    '{"n":1}\n{"n":2}\n',
  ],
  events: async ({ ask }) => [
    await (await ask('/things/watch')).text(),
    'data: {"n":1}\n\ndata: {"n":2}\n\n',
  ],
  bytes: async ({ ask }) => [
    [...new Uint8Array(await (await ask('/things/bytes')).arrayBuffer())],
    [1, 2, 3],
  ],
  'OpenAPI document': async ({ ask }) => [
    (await (await ask('/openapi.json')).json()).openapi.slice(0, 2),
    '3.',
  ],
};

/** Asks a server at `url` for everything. Gives a line for each probe that did not come out. */
export async function probe(url) {
  const ask = (path, init) => fetch(url + path, withAddress(init));
  const data = async (path, init) => {
    const response = await ask(path, init);
    const body = await response.json();
    return 'data' in body ? body.data : response.status;
  };
  const failures = [];
  for (const [name, run] of Object.entries(probes)) {
    const [got, wanted] = await run({ ask, data }).catch((error) => [String(error), undefined]);
    if (!isDeepStrictEqual(got, wanted))
      failures.push(`${name}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
  }
  return { count: Object.keys(probes).length, failures };
}

/** As Cloudflare does for a worker; others do not read this header. */
function withAddress(init = {}) {
  return { ...init, headers: { ...init.headers, 'cf-connecting-ip': '127.0.0.1' } };
}
