import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { capability, type RestOptions, reply } from '../../../server-runtime/index.ts';
import { describeEverywhere } from '../../helpers/start-rest.ts';

const long = 'a long text. '.repeat(1000);
const type = (contentType: string): { headers: Record<string, string> } => ({
  headers: { 'content-type': contentType },
});
const capabilities = {
  texts: {
    getLong: capability(() => long),
    getShort: capability(() => 'short'),
    getImage: capability(() => reply(Buffer.from(long), type('image/png'))),
    getPacked: capability(() =>
      reply(Buffer.from(long), {
        headers: { 'content-type': 'text/plain', 'content-encoding': 'x-own' },
      }),
    ),
    getKept: capability(() => reply(long, { headers: { 'cache-control': 'no-transform' } })),
    getStream: capability(() => reply(Readable.from([long, long]), type('text/csv'))),
    getBroken: capability(() => reply(long, { headers: { 'x-bad': 'a\nb' } })),
    watchLong: capability(async function* () {
      yield await Promise.resolve(long);
    }, 'query'),
    failLong: capability(() => {
      throw new Error('x');
    }, 'query'),
  },
};

describeEverywhere('compression', (start) => {
  const begin = async (compression: RestOptions['compression']) => {
    const { request } = await start({ capabilities, rest: { compression, docs: true } });
    return async (path: string, accept = 'gzip', init: RequestInit = {}) => {
      const response = await request(path, { headers: { 'accept-encoding': accept }, ...init });
      const [coding, vary] = ['content-encoding', 'vary'].map((name) => response.headers.get(name));
      const length = Number(response.headers.get('content-length'));
      return { response, status: response.status, coding, vary, length };
    };
  };

  it('is brotli, else gzip, of texts, as the caller accepts it, and says what it depends on', async () => {
    const ask = await begin(true);
    for (const [accept, coding] of [
      ['gzip', 'gzip'],
      ['GZIP , deflate', 'gzip'],
      ['gzip, br', 'br'],
      ['gzip;q=1.0, br;q=0.0', 'gzip'],
      ['br;q=0,gzip;q=0.001', 'gzip'],
      ['gzip;q=1, br;q=0.1', 'gzip'],
      ['br;q=0;x=1, gzip', 'gzip'],
      ['br; Q=0.5, gzip;q=0.4', 'br'],
      ['*', 'br'],
      ['*;q=0.1, gzip', 'gzip'],
      ['*;q=0, gzip', 'gzip'],
      ['br;q=0, *', 'gzip'],
      ['x-gzip', 'gzip'],
      ['identity, gzip;q=0.5', null],
      ['gzip;q=0', null],
      ['identity', null],
      ['deflate, zstd', null],
    ] as const) {
      const got = await ask('/texts/long', accept);
      expect([accept, got.coding, got.vary]).toEqual([accept, coding, 'Accept-Encoding']);
      expect(JSON.parse(await decode(got.response))).toEqual({ data: long });
      if (coding === null) expect(got.length).toBeGreaterThan(long.length);
      else expect(got.response.headers.get('content-length')).toBeNull();
    }
    const page = await ask('/openapi.json');
    expect([page.coding, JSON.parse(await decode(page.response))]).toEqual([
      'gzip',
      expect.anything(),
    ]);
  });

  it('leaves alone what is small, packed, not text, an error, or forbidden', async () => {
    const ask = await begin(true);
    const alone = { coding: null, vary: null };
    expect(await ask('/texts/short')).toMatchObject({ coding: null, vary: 'Accept-Encoding' });
    expect(await ask('/texts/image')).toMatchObject(alone);
    expect(await ask('/texts/kept')).toMatchObject(alone);
    expect(await ask('/texts/fail-long')).toMatchObject({ status: 500, ...alone });
    expect(await ask('/texts/watch-long')).toMatchObject({ status: 200, ...alone, vary: 'Accept' });
    expect(await ask('/texts/packed')).toMatchObject({ coding: 'x-own', length: long.length });
  });

  it('takes streams as they come', async () => {
    const ask = await begin(true);
    for (const coding of ['gzip', 'br']) {
      const streamed = await ask('/texts/stream', coding);
      expect([streamed.coding, await decode(streamed.response)]).toEqual([coding, long + long]);
    }
  });

  it('answers HEAD with the head of GET, and headers that cannot be sent with 500', async () => {
    const ask = await begin(true);
    expect(await ask('/texts/long', 'gzip', { method: 'HEAD' })).toMatchObject({
      status: 200,
      coding: 'gzip',
    });
    expect(await ask('/texts/stream', 'gzip', { method: 'HEAD' })).toMatchObject({
      status: 200,
      coding: 'gzip',
    });
    expect(await ask('/texts/broken')).toMatchObject({ status: 500, coding: null });
  });

  it('is off unless it is asked for', async () => {
    const ask = await begin(undefined);
    expect(await ask('/texts/long')).toMatchObject({ coding: null, vary: null });
  });
});

/** A client over a socket has done it already. */
async function decode(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const coding =
    bytes[0] === 0x7b || bytes[0] === 0x61 ? null : response.headers.get('content-encoding');
  return (
    coding === 'gzip' ? gunzipSync(bytes) : coding === 'br' ? brotliDecompressSync(bytes) : bytes
  ).toString();
}
