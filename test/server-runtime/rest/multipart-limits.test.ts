import { expect, it } from 'vitest';
import { z } from 'zod';
import { type RestOptions, restTransport, uploadedFile } from '../../../server-runtime/index.ts';
import { called, file, files, form } from '../../helpers/file-capabilities.ts';
import { describeEverywhere, type ErrorBody } from '../../helpers/start-rest.ts';

describeEverywhere('limits of forms', (start) => {
  const limits: readonly (readonly [
    string,
    RestOptions['multipart'],
    RequestInit,
    number,
    RegExp,
    object,
  ])[] = [
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
      called.createFile = 0;
      const response = await request('/files', init);
      const body = (await response.json()) as ErrorBody;
      expect([response.status, body.message, body.meta]).toEqual([
        status,
        expect.stringMatching(message),
        meta,
      ]);
      expect(called.createFile).toBe(0);
      expect((await request('/files', { method: 'POST' })).status).toBe(200);
    },
  );

  it('takes what is exactly at the limits', async () => {
    const { request } = await start({
      capabilities: { files },
      rest: {
        multipart: {
          maxFileSize: 4,
          maxFiles: 2,
          maxParts: 3,
          maxFieldsSize: 5,
          allowedMimeTypes: ['text/*'],
        },
      },
    });
    expect(
      (
        await request(
          '/files',
          form(['title', 'x'.repeat(5)], ['pages', file('1234')], ['pages', file('1234')]),
        )
      ).status,
    ).toBe(200);
  });

  it.each([
    ['12345', 'text/plain', 413, "The file 'avatar' is larger than 4 bytes"],
    [
      '1',
      'text/html',
      415,
      "The file 'avatar' is of type text/html; allowed are image/*, text/plain",
    ],
    ['1', 'IMAGE/PNG', 200, undefined],
  ])(
    'checks the rules of uploadedFile() on the way in: %j of %s gives %i',
    async (text, type, status, message) => {
      const { request } = await start({ capabilities: { files } });
      const response = await request('/files/1', {
        ...form(['avatar', file(text, 'a', type)]),
        method: 'PATCH',
      });
      expect([response.status, ((await response.json()) as ErrorBody).message]).toEqual([
        status,
        message,
      ]);
    },
  );

  it.each([
    ['a text where a file is expected', form(['avatar', 'text'])],
    ['no file', form(['title', 'x'])],
    [
      'JSON',
      {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"avatar":{"mimeType":"a/b"}}',
      },
    ],
  ])('refuses %s with the field', async (_name, init) => {
    const { request } = await start({ capabilities: { files } });
    const response = await request('/files/1', { ...init, method: 'PATCH' });
    expect([response.status, ((await response.json()) as ErrorBody).meta?.['issues']]).toEqual([
      400,
      ['avatar: Expected a file'],
    ]);
  });
});

it.each([
  [
    { multipart: { maxFileSize: -1 } },
    /multipart\.maxFileSize: expected an integer of at least 0, got -1/,
  ],
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
  const schema = z.object({
    file: uploadedFile({ maxSize: 2, accept: ['image/*'] }).describe('A picture'),
  });
  const made = (size: number, mimeType: string): unknown =>
    schema.safeParse({ file: { buffer: Buffer.alloc(size), mimeType, filename: 'a', size } }).error
      ?.issues[0]?.message;
  expect([made(2, 'image/png'), made(3, 'image/png'), made(1, 'text/html')]).toEqual([
    undefined,
    'The file is larger than 2 bytes',
    'The file is of type text/html; allowed are image/*',
  ]);
});
