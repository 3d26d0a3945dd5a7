import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  bytes,
  type Capability,
  capability,
  generateOpenAPI,
  reply,
  text,
} from '../../../server-runtime/index.ts';
import { defer, describeEverywhere } from '../../helpers/start-rest.ts';

const content = Buffer.from('0123456789');
const changedAt = 'Wed, 21 Oct 2015 07:28:00 GMT';
const own = { etag: '"v1"', 'last-modified': changedAt };
const long = 'a,b\n'.repeat(1000);
let ended = 0;

/** A stream of chunks of three bytes, which says how long it is. */
function toStream(length: number | undefined, given = content): Readable {
  const chunks = Array.from({ length: Math.ceil(given.length / 3) }, (_, at) =>
    given.subarray(at * 3, at * 3 + 3),
  );
  const stream = Readable.from(chunks);
  stream.once('close', () => {
    ended++;
  });
  return reply(stream, {
    headers: { ...own, ...(length !== undefined && { 'Content-Length': `${length}` }) },
  }) as never;
}

const declared = {
  getBuffer: capability(() => reply(content, { headers: own })).output(bytes('image/png')),
  getTagged: capability(() => reply(content, { headers: { etag: 'W/"v1"' } })).output(bytes()),
  getEmpty: capability(() => new Uint8Array()).output(bytes()),
  getStream: capability(() => toStream(10)).output(bytes('image/png')),
  getWeb: capability(() =>
    reply(Readable.toWeb(Readable.from(['012', '3456', '789'])), {
      headers: { 'content-length': '10' },
    }),
  ).output(bytes()),
  getResponse: capability(
    () => new Response(content, { headers: { ...own, 'content-length': '10' } }),
  ).output(bytes()),
} satisfies Record<string, Capability<undefined>>;

const whole = {
  getUnknown: capability(() => toStream(undefined)).output(bytes()),
  getData: capability(() => '0123456789').output(z.string()),
  getText: capability(() => '0123456789').output(text()),
  getOther: capability(() => reply(content, { status: 202 })).output(bytes(), { status: 202 }),
  getUndeclared: capability(() => content),
  getPacked: capability(() => reply(content, { headers: { 'accept-ranges': 'none' } })).output(
    bytes(),
  ),
  createFile: capability(() => content).output(bytes()),
} satisfies Record<string, Capability<undefined>>;

const csv = {
  getCsv: capability(() => reply(Buffer.from(long), { headers: own })).output(bytes('text/csv')),
  getCsvStream: capability(() =>
    reply(Readable.from([long]), { headers: { ...own, 'content-length': `${long.length}` } }),
  ).output(bytes('text/csv')),
};

const ranges: readonly (readonly [range: string, status: number, part: string, says?: string])[] = [
  ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
  ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
  ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
  ['bytes=0-', 206, '0123456789', 'bytes 0-9/10'],
  ['bytes=9-9', 206, '9', 'bytes 9-9/10'],
  ['bytes=-3', 206, '789', 'bytes 7-9/10'],
  ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
  ['bytes=5-99999999999999999999', 206, '56789', 'bytes 5-9/10'],
  ['Bytes=2-4', 206, '234', 'bytes 2-4/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
  ['bytes=99999999999999999999-', 416, '', 'bytes */10'],
  ['bytes=-0', 416, '', 'bytes */10'],
  // A server may pass over several ranges, other units, and what is no range.
  ['bytes=0-1,4-5', 200, '0123456789'],
  ['bytes=5-2', 200, '0123456789'],
  ['bytes=a-b', 200, '0123456789'],
  ['bytes=', 200, '0123456789'],
  ['bytes=-', 200, '0123456789'],
  ['bytes 0-3', 200, '0123456789'],
  ['items=0-3', 200, '0123456789'],
];

/** `fetch` has unpacked what came over a socket. */
function unpack(content: Buffer): string {
  return (content[0] === 0x1f ? gunzipSync(content) : content).toString();
}

describeEverywhere('ranges', (start) => {
  const begin = async (rest = {}) => {
    const { request, log } = await start({
      capabilities: { files: { ...declared, ...whole, ...csv } },
      rest,
    });
    return async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
      const response = await request(`/files/${path}`, { headers, method });
      const named = (name: string): string | null => response.headers.get(name);
      return {
        status: response.status,
        body: unpack(Buffer.from(await response.arrayBuffer())),
        range: named('content-range'),
        accepts: named('accept-ranges'),
        length: named('content-length'),
        named,
        log,
      };
    };
  };
  const known = ['buffer', 'stream', 'web', 'response'];

  it('are cut out of declared bytes of a known length', async () => {
    const ask = await begin();
    for (const path of known) {
      for (const [range, status, part, says = null] of ranges) {
        const got = await ask(path, { range });
        expect([path, range, got.status, got.range, got.accepts]).toEqual([
          path,
          range,
          status,
          says,
          'bytes',
        ]);
        if (status === 416) {
          expect(JSON.parse(got.body)).toEqual({
            error: 'RangeNotSatisfiable',
            message: 'The content has 10 bytes',
          });
        } else
          expect([path, range, got.body, got.length]).toEqual([
            path,
            range,
            part,
            `${part.length}`,
          ]);
      }
    }
  });

  it('end their stream at once, however slow the rest of it is', async () => {
    const headers = { 'content-length': '10' };
    const first = content.subarray(0, 5);
    const toStalled = (onLeave: () => void): ReadableStream =>
      new ReadableStream({ start: (controller) => controller.enqueue(first), cancel: onLeave });
    const toSilent = (onLeave: () => void): Readable => {
      const stream = new Readable({ read: () => {} }).once('close', onLeave);
      stream.push(first);
      return stream;
    };
    for (const make of [toStalled, toSilent]) {
      const left = defer();
      const stream = make(left.resolve);
      const { request } = await start({
        capabilities: {
          files: { get: capability(() => reply(stream, { headers })).output(bytes()) },
        },
      });
      const response = await request('/files', { headers: { range: 'bytes=1-3' } });
      expect(await response.text()).toBe('123');
      await left.promise;
    }
  });

  it('keep the other headers of the whole', async () => {
    const ask = await begin();
    for (const path of ['buffer', 'stream']) {
      const part = await ask(path, { range: 'bytes=1-2' });
      expect(['etag', 'last-modified', 'content-type'].map(part.named)).toEqual([
        '"v1"',
        changedAt,
        'image/png',
      ]);
    }
  });

  it('are any part of any content', async () => {
    const ask = await begin();
    const at = fc.integer({ min: 0, max: 9 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...known), at, at, async (path, one, other) => {
        const [first, last] = [Math.min(one, other), Math.max(one, other)];
        const got = await ask(path, { range: `bytes=${first}-${last}` });
        expect(got.body).toBe(content.toString().slice(first, last + 1));
        expect(got.range).toBe(`bytes ${first}-${last}/10`);
      }),
      { numRuns: 60 },
    );
  });

  it('are of no use for anything else, which is sent whole', async () => {
    const ask = await begin();
    for (const path of ['unknown', 'data', 'text', 'other', 'undeclared', 'packed']) {
      const got = await ask(path, { range: 'bytes=0-3' });
      expect([path, got.status < 203, got.range, got.accepts]).toEqual([
        path,
        true,
        null,
        path === 'packed' ? 'none' : null,
      ]);
      expect(got.body).toContain('0123456789');
    }
    const posted = await ask(
      '',
      { range: 'bytes=0-3', 'content-type': 'application/json' },
      'POST',
    );
    expect([posted.status, posted.body, posted.accepts]).toEqual([200, '0123456789', null]);
  });

  it('do not change HEAD, which tells the length of the whole', async () => {
    const ask = await begin();
    for (const path of ['buffer', 'stream', 'response']) {
      const head = await ask(path, { range: 'bytes=0-3' }, 'HEAD');
      expect([path, head.status, head.length, head.accepts, head.range, head.body]).toEqual([
        path,
        200,
        '10',
        'bytes',
        null,
        '',
      ]);
    }
  });

  it('of nothing are the whole, or not there', async () => {
    const ask = await begin();
    const rows = await Promise.all(
      ['bytes=0-', 'bytes=-5', 'bytes=-0'].map(async (range) => {
        const got = await ask('empty', { range });
        return [range, got.status, got.range];
      }),
    );
    expect(rows).toEqual([
      ['bytes=0-', 416, 'bytes */0'],
      ['bytes=-5', 200, null],
      ['bytes=-0', 416, 'bytes */0'],
    ]);
  });

  it('are sent under `If-Range` where the content is still the same by a strong tag or its date', async () => {
    const rows: readonly (readonly [condition: string, status: number])[] = [
      ['"v1"', 206],
      ['"v2"', 200],
      ['W/"v1"', 200],
      ['v1', 200],
      [changedAt, 206],
      ['Wed, 21 Oct 2015 07:28:01 GMT', 200],
      ['yesterday', 200],
      ['', 200],
    ];
    const ask = await begin();
    for (const path of ['buffer', 'stream'])
      for (const [condition, status] of rows) {
        const got = await ask(path, { range: 'bytes=0-3', 'if-range': condition });
        expect([path, condition, got.status]).toEqual([path, condition, status]);
        expect(got.body).toBe(status === 206 ? '0123' : '0123456789');
      }
    // A weak tag says that two contents mean the same, not that their bytes are the same.
    const weak = await ask('tagged', { range: 'bytes=0-3', 'if-range': 'W/"v1"' });
    const unnamed = await ask('web', { range: 'bytes=0-3', 'if-range': changedAt });
    expect([weak.status, unnamed.status]).toEqual([200, 200]);
  });

  it('come after the question whether the caller has the whole already', async () => {
    const ask = await begin({ etag: true });
    for (const path of ['buffer', 'stream', 'web']) {
      const tag = (await ask(path)).named('etag');
      const range = 'bytes=0-3';
      if (tag !== null) {
        const unchanged = await ask(path, { range, 'if-none-match': tag });
        expect([path, unchanged.status, unchanged.range]).toEqual([path, 304, null]);
        const conditional = await ask(path, { range, 'if-range': tag });
        expect([path, conditional.status]).toEqual([path, tag.startsWith('W/') ? 200 : 206]);
      }
      const changed = await ask(path, { range, 'if-none-match': '"v0"' });
      expect([path, changed.status, changed.body]).toEqual([path, 206, '0123']);
    }
    const made = (await ask('empty')).named('etag');
    expect(made).toMatch(/^W\//);
  });

  it('are not compressed, and what is compressed has none', async () => {
    const ask = await begin({ compression: true });
    for (const path of ['csv', 'csv-stream']) {
      const packed = { 'accept-encoding': 'gzip' };
      const all = await ask(path, packed);
      expect([
        path,
        all.status,
        all.named('content-encoding'),
        all.accepts,
        all.length,
        all.body,
      ]).toEqual([path, 200, 'gzip', null, null, long]);
      const part = await ask(path, { ...packed, range: 'bytes=0-1999' });
      expect([path, part.status, part.named('content-encoding'), part.named('vary')]).toEqual([
        path,
        206,
        null,
        'Accept-Encoding',
      ]);
      expect([part.body, part.length]).toEqual([long.slice(0, 2000), '2000']);
      // The tag of the compressed bytes is weak, but their date is that of both.
      const byTag = await ask(path, { ...packed, range: 'bytes=0-3', 'if-range': '"v1"' });
      const byDate = await ask(path, { ...packed, range: 'bytes=0-3', 'if-range': changedAt });
      expect([byTag.status, byDate.status, byDate.body]).toEqual([206, 200, long]);
    }
  });

  it('end the stream that they are cut out of, also where they are not there', async () => {
    const ask = await begin();
    for (const range of ['bytes=0-3', 'bytes=-2', 'bytes=99-']) {
      const before = ended;
      await ask('stream', { range });
      await expect.poll(() => ended).toBe(before + 1);
    }
  });

  it('leave a long stream behind their last byte', async () => {
    const megabyte = 1_048_576;
    let given = 0;
    let hasEnded = false;
    async function* toChunks() {
      try {
        for (; given < 64; given++) yield Buffer.alloc(megabyte, given);
      } finally {
        hasEnded = true;
      }
    }
    const getIt = capability(() =>
      reply(Readable.from(toChunks()), { headers: { 'content-length': `${64 * megabyte}` } }),
    ).output(bytes());
    const { request } = await start({ capabilities: { files: { getIt } } });
    const range = `bytes=${2 * megabyte - 1}-${2 * megabyte}`;
    const response = await request('/files/it', { headers: { range } });
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([1, 2]);
    await expect.poll(() => hasEnded).toBe(true);
    expect(given).toBeLessThan(10);
  });
});

describeEverywhere('a stream of declared length', (start) => {
  for (const [length, what] of [
    [12, 'gave 10 bytes, and its content-length is 12'],
    [8, 'gave more bytes than its content-length, 8'],
  ] as const)
    it(`breaks off where it has another one than ${length}, and the log says so`, async () => {
      const getIt = capability(() => toStream(length)).output(bytes());
      const { request, log } = await start({ capabilities: { files: { getIt } } });
      const read = async (): Promise<string> => (await request('/files/it')).text();
      await expect(read()).rejects.toThrow();
      expect(String(log.errors.at(-1)?.error)).toContain(what);
    });
});

describeEverywhere('the document of bytes', () => {
  it('names the part and the range that is not there, for what is read by GET', () => {
    const { paths } = generateOpenAPI({ files: { ...declared, ...whole } });
    const { 200: all, 206: part, 416: none } = paths['/files/buffer']?.['get']?.responses ?? {};
    expect(part).toMatchObject({ content: (all as { content: object }).content });
    expect(part).toMatchObject({ headers: { 'content-range': { required: true } } });
    expect(none).toMatchObject({ $ref: '#/components/responses/RangeNotSatisfiable' });
    for (const [path, method] of [
      ['/files/data', 'get'],
      ['/files/text', 'get'],
      ['/files/other', 'get'],
      ['/files', 'post'],
    ] as const)
      expect([path, Object.keys(paths[path]?.[method]?.responses ?? {})]).not.toEqual([
        path,
        expect.arrayContaining(['206']),
      ]);
  });
});

describeEverywhere('a page of another origin', (start) => {
  it('may ask for parts of bytes, and sees which it has', async () => {
    const { request } = await start({ capabilities: { files: { getBuffer: declared.getBuffer } } });
    const origin = 'https://app.example';
    const asked = await request('/files/buffer', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    });
    expect(asked.headers.get('access-control-allow-headers')).toContain('Range, If-Range');
    const got = await request('/files/buffer', { headers: { origin, range: 'bytes=0-3' } });
    expect(got.headers.get('access-control-expose-headers')).toContain(
      'Accept-Ranges, Content-Range',
    );
  });
});
