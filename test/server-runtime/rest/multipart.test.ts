import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
  type RestOptions,
  restTransport,
  type UploadedFile,
  uploadedFile,
} from '../../../server-runtime/index.ts';
import { openRaw, readAll } from '../../helpers/raw-http.ts';
import { defer, describeOverBoth, type ErrorBody, startOverSocket } from '../../helpers/start-rest.ts';

const shown = (file: UploadedFile): object => ({
  text: file.buffer.toString(),
  mimeType: file.mimeType,
  filename: file.filename,
  size: file.size,
});
const mustBeUser = defineGuard((ctx: { readonly user?: string | undefined }) => {
  if (ctx.user === undefined) throw defaultErrors.Unauthorized();
});
let handled = 0;

const files = {
  createFile: capability(
    z.object({
      title: z.string().optional(),
      count: z.number().optional(),
      tags: z.array(z.string()).optional(),
      avatar: z.custom<UploadedFile>().optional(),
      pages: z.array(uploadedFile()).optional(),
    }),
    ({ avatar, pages, ...texts }) => {
      handled++;
      return { ...texts, ...(avatar && { avatar: shown(avatar) }), ...(pages && { pages: pages.map(shown) }) };
    },
  ),
  updateFile: capability(
    z.object({ id: z.number(), avatar: uploadedFile({ maxSize: 4, accept: ['image/*', 'text/plain'] }) }),
    ({ id, avatar }) => ({ id, ...shown(avatar) }),
  ),
  replaceFile: capability
    .withContext<{ readonly user?: string | undefined }>()(
      z.object({ id: z.string(), avatar: uploadedFile() }),
      ({ id }) => id,
    )
    .guard(mustBeUser),
  hashFile: capability(
    z.object({ name: z.string().optional(), file: uploadedFile({ stream: true, maxSize: 3_000_000 }) }),
    async ({ name, file }) => {
      const hash = createHash('sha256');
      await pipeline(file.stream, hash);
      return { name, filename: file.filename, hash: hash.digest('hex') };
    },
    'mutation',
  ),
};
const context = defineContext(({ headers }) => ({ user: headers['authorization'] as string | undefined }));

function form(...parts: readonly (readonly [name: string, value: string | File])[]): RequestInit {
  const body = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, value, value.name);
  }
  return { method: 'POST', body };
}

function file(text: string | Uint8Array<ArrayBuffer>, name = 'a.txt', type = 'text/plain'): File {
  return new File([text], name, { type });
}

function raw(body: string | Uint8Array<ArrayBuffer>, type = 'multipart/form-data; boundary=X'): RequestInit {
  return { method: 'POST', headers: { 'content-type': type }, body };
}

describeOverBoth('forms', (start) => {
  it('merges texts, coerced, and files into one input', async () => {
    const { request } = await start({ capabilities: { files } });
    const response = await request(
      '/files',
      form(['title', '007'], ['count', '3'], ['tags', 'a'], ['tags', 'b'], ['avatar', file('hällo', 'ä b.txt')]),
    );
    expect(await response.json()).toEqual({
      data: {
        title: '007',
        count: 3,
        tags: ['a', 'b'],
        avatar: { text: 'hällo', mimeType: 'text/plain', filename: 'ä b.txt', size: 6 },
      },
    });
  });

  it.each([['pages'], ['pages[]']])('makes an array of the files of %s, of one too', async (name) => {
    const { request } = await start({ capabilities: { files } });
    const one = { text: '1', mimeType: 'text/plain', filename: 'a.txt', size: 1 };
    expect(await (await request('/files', form([name, file('1')]))).json()).toEqual({ data: { pages: [one] } });
    expect(await (await request('/files', form([name, file('1')], [name, file('2', 'b.txt')]))).json()).toEqual({
      data: { pages: [one, { ...one, text: '2', filename: 'b.txt' }] },
    });
  });

  it('keeps the bytes of a file', async () => {
    const { request } = await start({
      capabilities: {
        files: {
          hashFile: capability(
            z.object({ file: uploadedFile() }),
            (input) => createHash('sha256').update(input.file.buffer).digest('hex'),
            'mutation',
          ),
        },
      },
    });
    const bytes = new Uint8Array(300_000).map((_, index) => index * 7);
    expect(
      await (
        await request('/files/hash-file', form(['file', file(bytes, 'b.bin', 'application/octet-stream')]))
      ).json(),
    ).toEqual({ data: createHash('sha256').update(bytes).digest('hex') });
  });

  it('lets the path win', async () => {
    const { request } = await start({ capabilities: { files } });
    const response = await request('/files/7', { ...form(['id', '8'], ['avatar', file('abc')]), method: 'PATCH' });
    expect(await response.json()).toEqual({
      data: { id: 7, text: 'abc', mimeType: 'text/plain', filename: 'a.txt', size: 3 },
    });
  });

  it('takes no file for a field where a browser sends an empty one', async () => {
    const { request } = await start({
      capabilities: { files },
      rest: { multipart: { allowedMimeTypes: ['image/png'] } },
    });
    expect(
      await (
        await request('/files', form(['title', 'x'], ['avatar', file('', '', 'application/octet-stream')]))
      ).json(),
    ).toEqual({ data: { title: 'x' } });
  });

  it('gives z.file() the File that it expects', async () => {
    const createFile = capability(
      z.object({ avatar: z.file().max(4).mime('text/plain').optional() }),
      async ({ avatar }) => [avatar?.name, avatar?.type, await avatar?.text()],
    );
    const { request } = await start({ capabilities: { files: { createFile } } });
    expect(await (await request('/files', form(['avatar', file('abcd')]))).json()).toEqual({
      data: ['a.txt', 'text/plain', 'abcd'],
    });
    expect((await request('/files', form(['avatar', file('abcde')]))).status).toBe(400);
  });

  it('drops names that could reach a prototype', async () => {
    const { request } = await start({ capabilities: { echo: { createEcho: capability((input) => input) } } });
    expect(await (await request('/echo', form(['__proto__', 'x'], ['constructor', 'y'], ['a', '1']))).json()).toEqual({
      data: { a: '1' },
    });
  });

  const limits: readonly (readonly [string, RestOptions['multipart'], RequestInit, number, RegExp, object])[] = [
    [
      'a file that is too large',
      { maxFileSize: 3 },
      form(['avatar', file('1234')]),
      413,
      /^The file 'avatar' is larger than 3 bytes$/,
      { field: 'avatar', limit: 3 },
    ],
    [
      'too many files',
      { maxFiles: 1 },
      form(['pages', file('1')], ['pages', file('2')]),
      413,
      /^More than 1 files$/,
      { limit: 1 },
    ],
    [
      'too many parts',
      { maxParts: 2 },
      form(['a', '1'], ['b', '2'], ['c', '3']),
      413,
      /^More than 2 parts$/,
      { limit: 2 },
    ],
    [
      'too much text in one field',
      { maxFieldsSize: 10 },
      form(['title', 'x'.repeat(11)]),
      413,
      /^The text fields are larger than 10 bytes, at 'title'$/,
      { field: 'title', limit: 10 },
    ],
    [
      'too much text in all',
      { maxFieldsSize: 10 },
      form(['title', 'x'.repeat(6)], ['count', '1'.repeat(6)]),
      413,
      /larger than 10 bytes, at 'count'$/,
      { field: 'count', limit: 10 },
    ],
    [
      'a type that is not allowed',
      { allowedMimeTypes: ['image/png', 'audio/*'] },
      form(['avatar', file('1')]),
      415,
      /^The file 'avatar' is of type text\/plain; allowed are image\/png, audio\/\*$/,
      { field: 'avatar', limit: ['image/png', 'audio/*'] },
    ],
  ];
  it.each(limits)(
    'refuses %s, hands nothing on and answers the next request',
    async (_name, multipart, init, status, message, meta) => {
      const { request } = await start({ capabilities: { files }, rest: { multipart } });
      handled = 0;
      const response = await request('/files', init);
      const body = (await response.json()) as ErrorBody;
      expect([response.status, body.message, body.meta]).toEqual([status, expect.stringMatching(message), meta]);
      expect(handled).toBe(0);
      expect((await request('/files', { method: 'POST' })).status).toBe(200);
    },
  );

  it('takes what is exactly at the limits', async () => {
    const { request } = await start({
      capabilities: { files },
      rest: { multipart: { maxFileSize: 4, maxFiles: 2, maxParts: 3, maxFieldsSize: 5, allowedMimeTypes: ['text/*'] } },
    });
    expect(
      (await request('/files', form(['title', 'x'.repeat(5)], ['pages', file('1234')], ['pages', file('1234')])))
        .status,
    ).toBe(200);
  });

  it.each([
    ['12345', 'text/plain', 413, "The file 'avatar' is larger than 4 bytes"],
    ['1', 'text/html', 415, "The file 'avatar' is of type text/html; allowed are image/*, text/plain"],
    ['1', 'IMAGE/PNG', 200, undefined],
  ])('checks the rules of uploadedFile() on the way in: %j of %s gives %i', async (text, type, status, message) => {
    const { request } = await start({ capabilities: { files } });
    const response = await request('/files/1', { ...form(['avatar', file(text, 'a', type)]), method: 'PATCH' });
    expect([response.status, ((await response.json()) as ErrorBody).message]).toEqual([status, message]);
  });

  it.each([
    ['a text where a file is expected', form(['avatar', 'text'])],
    ['no file', form(['title', 'x'])],
    [
      'JSON',
      { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"avatar":{"mimeType":"a/b"}}' },
    ],
  ])('refuses %s with the field', async (_name, init) => {
    const { request } = await start({ capabilities: { files } });
    const response = await request('/files/1', { ...init, method: 'PATCH' });
    expect([response.status, ((await response.json()) as ErrorBody).meta?.['issues']]).toEqual([
      400,
      ['avatar: Expected a file'],
    ]);
  });

  it.each([
    ['no boundary', raw('x', 'multipart/form-data'), 'The content type multipart/form-data needs a boundary'],
    ['another boundary', raw('--Y\r\n'), 'The form ended early or is not valid multipart/form-data'],
    [
      'an end in the middle of a file',
      raw('--X\r\nContent-Disposition: form-data; name="avatar"; filename="a"\r\n\r\nabc'),
      'The form ended early or is not valid multipart/form-data',
    ],
    [
      'an end in the middle of a header',
      raw('--X\r\nContent-Dispo'),
      'The form ended early or is not valid multipart/form-data',
    ],
    [
      'text that is not UTF-8',
      raw(Buffer.from('--X\r\nContent-Disposition: form-data; name="title"\r\n\r\n\xff\r\n--X--\r\n', 'latin1')),
      "The field 'title' is not valid UTF-8",
    ],
  ])('refuses a form with %s with 400', async (_name, init, message) => {
    const { request } = await start({ capabilities: { files } });
    const response = await request('/files', init);
    expect([response.status, ((await response.json()) as ErrorBody).message]).toEqual([400, message]);
    expect((await request('/files', { method: 'POST' })).status).toBe(200);
  });

  it('asks the guards before it reads the form', async () => {
    const { request } = await start({ capabilities: { files }, context });
    const upload = (headers: Record<string, string>): RequestInit => ({
      ...form(['avatar', file('x'.repeat(6 * 1024 * 1024))]),
      method: 'PUT',
      headers,
    });
    expect((await request('/files/1', upload({}))).status).toBe(401);
    expect((await request('/files/1', upload({ authorization: 'me' }))).status).toBe(413);
  });

  it('refuses every form with 415 where they are off', async () => {
    const { request } = await start({ capabilities: { files }, rest: { multipart: false } });
    const response = await request('/files', form(['title', 'x']));
    expect([response.status, ((await response.json()) as ErrorBody).message]).toEqual([
      415,
      'Forms are not accepted here; send application/json',
    ]);
  });

  it('streams a file to the handler, with the fields before it', async () => {
    const { request } = await start({ capabilities: { files } });
    const bytes = new Uint8Array(2_500_000).map((_, index) => index * 13);
    const response = await request('/files/hash-file', form(['name', 'big'], ['file', file(bytes, 'big.bin')]));
    expect(await response.json()).toEqual({
      data: { name: 'big', filename: 'big.bin', hash: createHash('sha256').update(bytes).digest('hex') },
    });
  });

  it('may answer with what is still being uploaded', async () => {
    const mirrorFile = capability(
      z.object({ file: uploadedFile({ stream: true }) }),
      (input) => input.file.stream,
      'mutation',
    );
    const { request } = await start({ capabilities: { files: { mirrorFile } } });
    const bytes = new Uint8Array(1_000_000).map((_, index) => index * 13);
    const response = await request('/files/mirror-file', form(['file', file(bytes)]));
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('ends the stream of a file that is too large with 413', async () => {
    const { request } = await start({ capabilities: { files } });
    const response = await request('/files/hash-file', form(['file', file(new Uint8Array(3_100_000))]));
    expect([response.status, ((await response.json()) as ErrorBody).message]).toEqual([
      413,
      "The file 'file' is larger than 3000000 bytes",
    ]);
    expect((await request('/files', { method: 'POST' })).status).toBe(200);
  });
});

describe('a form that is not read to its end', () => {
  const padding = 'x'.repeat(40_000);
  const partOf = (name: string): string =>
    `--X\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n`;

  it.each([
    ['refused at a limit', `${partOf('avatar')}12345${padding}\r\n--X--\r\n`, 413],
    ['answered by a handler that does not want it', `${partOf('ignored')}${padding}\r\n--X--\r\n`, 200],
  ])('leaves the connection to the next request: %s', async (_name, body, status) => {
    const createFile = capability(
      z.object({ avatar: uploadedFile({ maxSize: 4 }).optional(), ignored: uploadedFile({ stream: true }).optional() }),
      () => 1,
    );
    const { url } = await startOverSocket({ capabilities: { files: { createFile, listFiles: capability(() => 2) } } });
    const socket = openRaw(url);
    const answers = readAll(socket);
    socket.write(
      `POST /files HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=X\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    socket.write('GET /files HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect((await answers).match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, 'HTTP/1.1 200']);
  });
});

describe('a sender who leaves', () => {
  it('ends the stream of its file', async () => {
    const ended = defer<unknown>();
    const reading = defer();
    const capabilities = {
      files: {
        createFile: capability(z.object({ file: uploadedFile({ stream: true }) }), async ({ file: { stream } }) => {
          stream.once('data', () => reading.resolve());
          await pipeline(stream, async (chunks) => {
            for await (const chunk of chunks) void chunk;
          }).catch((error: unknown) => ended.resolve(error));
          return null;
        }),
      },
    };
    const { request } = await startOverSocket({ capabilities });
    const leaving = new AbortController();
    const body = new ReadableStream({
      start: (controller) =>
        controller.enqueue(
          new TextEncoder().encode(
            '--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabcdefghijklmnop',
          ),
        ),
    });
    const answer = request('/files', {
      method: 'POST',
      duplex: 'half',
      headers: { 'content-type': 'multipart/form-data; boundary=X' },
      body,
      signal: leaving.signal,
    });
    answer.catch(() => {});
    await reading.promise;
    leaving.abort();
    expect(await ended.promise).toMatchObject({ message: 'The form ended before the file did' });
  });
});

it.each([
  [{ multipart: { maxFileSize: -1 } }, /multipart\.maxFileSize: expected an integer of at least 0, got -1/],
  [{ multipart: { maxFiles: 1.5 } }, /multipart\.maxFiles/],
  [
    { multipart: { allowedMimeTypes: 'image/png' as unknown as string[] } },
    /multipart\.allowedMimeTypes: expected a list/,
  ],
  [{ multipart: { allowedMimeTypes: ['png'] } }, /multipart\.allowedMimeTypes/],
])('refuses %j when the transport is made', (options, message) => {
  expect(() => restTransport(options)).toThrow(message);
});

it('checks the rules of uploadedFile() in the same process too', () => {
  const schema = z.object({ file: uploadedFile({ maxSize: 2, accept: ['image/*'] }).describe('A picture') });
  const made = (size: number, mimeType: string): unknown =>
    schema.safeParse({ file: { buffer: Buffer.alloc(size), mimeType, filename: 'a', size } }).error?.issues[0]?.message;
  expect([made(2, 'image/png'), made(3, 'image/png'), made(1, 'text/html')]).toEqual([
    undefined,
    'The file is larger than 2 bytes',
    'The file is of type text/html; allowed are image/*',
  ]);
});
