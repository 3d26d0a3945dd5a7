import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { capability, defineContext, uploadedFile } from '../../../server-runtime/index.ts';
import { file, files, form, rawForm } from '../../helpers/file-capabilities.ts';
import { describeEverywhere, type ErrorBody } from '../../helpers/start-rest.ts';

const context = defineContext(({ headers }) => ({
  user: headers['authorization'] as string | undefined,
}));

describeEverywhere('forms', (start) => {
  it('merges texts, coerced, and files into one input', async () => {
    const { request } = await start({ capabilities: { files } });
    const response = await request(
      '/files',
      form(
        ['title', '007'],
        ['count', '3'],
        ['tags', 'a'],
        ['tags', 'b'],
        ['avatar', file('hällo', 'ä b.txt')],
      ),
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

  it.each([['pages'], ['pages[]']])(
    'makes an array of the files of %s, of one too',
    async (name) => {
      const { request } = await start({ capabilities: { files } });
      const one = { text: '1', mimeType: 'text/plain', filename: 'a.txt', size: 1 };
      expect(await (await request('/files', form([name, file('1')]))).json()).toEqual({
        data: { pages: [one] },
      });
      expect(
        await (await request('/files', form([name, file('1')], [name, file('2', 'b.txt')]))).json(),
      ).toEqual({
        data: { pages: [one, { ...one, text: '2', filename: 'b.txt' }] },
      });
    },
  );

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
        await request(
          '/files/hash-file',
          form(['file', file(bytes, 'b.bin', 'application/octet-stream')]),
        )
      ).json(),
    ).toEqual({ data: createHash('sha256').update(bytes).digest('hex') });
  });

  it('refuses one of another site before it is read, unless the site is named or a token shows that its page asked', async () => {
    const { request } = await start({
      capabilities: { files },
      rest: { cors: { origin: 'https://shop.example' } },
    });
    const post = async (headers: Record<string, string>): Promise<number> =>
      (await request('/files', { ...form(['title', 'a'], ['avatar', file('abc')]), headers }))
        .status;
    const evil = { origin: 'https://evil.example' };
    expect(await post(evil)).toBe(403);
    expect(await post({ ...evil, 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await post({ ...evil, authorization: 'Basic YTpi' })).toBe(403);
    expect(await post({ ...evil, authorization: 'Bearer abc' })).toBe(200);
    expect(await post({ origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' })).toBe(
      200,
    );
    expect(await post({ ...evil, 'sec-fetch-site': 'same-origin' })).toBe(200);
    const everybody = await start({ capabilities: { files } });
    const foreign = await everybody.request('/files', {
      ...form(['avatar', file('abc')]),
      headers: evil,
    });
    expect(await foreign.json()).toEqual({
      error: 'Forbidden',
      message: 'Changes that pages of other sites ask for are not accepted',
    });
  });

  it('lets the path win', async () => {
    const { request } = await start({ capabilities: { files } });
    const response = await request('/files/7', {
      ...form(['id', '8'], ['avatar', file('abc')]),
      method: 'PATCH',
    });
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
        await request(
          '/files',
          form(['title', 'x'], ['avatar', file('', '', 'application/octet-stream')]),
        )
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
    const { request } = await start({
      capabilities: { echo: { createEcho: capability((input) => input) } },
    });
    expect(
      await (
        await request('/echo', form(['__proto__', 'x'], ['constructor', 'y'], ['a', '1']))
      ).json(),
    ).toEqual({
      data: { a: '1' },
    });
  });

  it.each([
    [
      'no boundary',
      rawForm('x', 'multipart/form-data'),
      'The content type multipart/form-data needs a boundary',
    ],
    [
      'another boundary',
      rawForm('--Y\r\n'),
      'The form ended early or is not valid multipart/form-data',
    ],
    [
      'an end in the middle of a file',
      rawForm('--X\r\nContent-Disposition: form-data; name="avatar"; filename="a"\r\n\r\nabc'),
      'The form ended early or is not valid multipart/form-data',
    ],
    [
      'an end in the middle of a header',
      rawForm('--X\r\nContent-Dispo'),
      'The form ended early or is not valid multipart/form-data',
    ],
    [
      'text that is not UTF-8',
      rawForm(
        Buffer.from(
          '--X\r\nContent-Disposition: form-data; name="title"\r\n\r\n\xff\r\n--X--\r\n',
          'latin1',
        ),
      ),
      "The field 'title' is not valid UTF-8",
    ],
  ])('refuses a form with %s with 400', async (_name, init, message) => {
    const { request } = await start({ capabilities: { files } });
    const response = await request('/files', init);
    expect([response.status, ((await response.json()) as ErrorBody).message]).toEqual([
      400,
      message,
    ]);
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
});
