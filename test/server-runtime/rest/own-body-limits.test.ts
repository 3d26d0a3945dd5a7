import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createClient } from '../../../server-runtime/client/index.ts';
import { capability, uploadedFile } from '../../../server-runtime/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { describeEverywhere, type ErrorBody, json } from '../../helpers/start-rest.ts';

const Text = z.object({ text: z.string() });
const createSmall = capability(Text, ({ text }) => text.length).takes({ maxBodySize: 20 });
const createLarge = capability(Text, ({ text }) => text.length).takes({ maxBodySize: 3_000_000 });
const createUsual = capability(Text, ({ text }) => text.length);
const importRows = capability(
  z.object({ rows: z.array(z.number()) }),
  ({ rows }) => rows.length,
).takes({ body: 'rows', maxBodySize: 20 });
const createFile = capability(z.object({ file: uploadedFile() }), ({ file }) => file.size).takes({
  maxBodySize: 400,
});
const capabilities = {
  smalls: { createSmall },
  larges: { createLarge },
  usuals: { createUsual },
  rows: { importRows },
  files: { createFile },
};

const toForm = (field: string, value: string | Blob): RequestInit => {
  const body = new FormData();
  body.set(field, value);
  return { method: 'POST', body };
};
const BOUNDARY = 'boundary';
/** A body of undeclared length. */
const toStream = (init: RequestInit): RequestInit & { readonly duplex: 'half' } => ({
  ...init,
  body: new Response(init.body).body,
  duplex: 'half',
});

describeEverywhere('a capability with a limit of its own', (start) => {
  const ask = async (path: string, init: RequestInit): Promise<unknown> => {
    const { request } = await start({ capabilities, rest: { maxBodySize: 1000, calls: true } });
    const response = await request(path, init);
    const body = (await response.json()) as { readonly data: unknown } & ErrorBody;
    return response.ok ? body.data : [response.status, body.message];
  };
  const tooLong = (bytes: number) => [413, `The request body is larger than ${bytes} bytes`];

  it('counts a form up to the end of a file that is streamed', async () => {
    const read: number[] = [];
    const importFile = capability(
      z.object({ file: uploadedFile({ stream: true }) }),
      async ({ file }) => {
        let size = 0;
        for await (const chunk of file.stream) size += (chunk as Buffer).length;
        read.push(size);
        return size;
      },
    ).takes({ maxBodySize: 200_000 });
    const { request } = await start({ capabilities: { files: { importFile } } });
    const send = async (size: number, toInit = (form: RequestInit): RequestInit => form) => {
      const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
      const body = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${'x'.repeat(size)}\r\n--${BOUNDARY}--\r\n`;
      const response = await request(
        '/files/import-file',
        toInit({ method: 'POST', headers, body }),
      );
      const answer = (await response.json()) as { readonly data: unknown } & ErrorBody;
      return response.ok ? answer.data : [response.status, answer.message];
    };
    const refused = [413, 'The form is larger than 200000 bytes (maxBodySize)'];
    expect(await send(199_000)).toBe(199_000);
    expect(await send(199_000, toStream)).toBe(199_000);
    expect(await send(300_000)).toEqual(refused);
    expect(await send(300_000, toStream)).toEqual(refused);
    expect(read).toEqual([199_000, 199_000]);
  });

  it.each([
    ['smaller, just fits', '/smalls', json({ text: 'x'.repeat(9) }), 9],
    ['smaller', '/smalls', json({ text: 'x'.repeat(10) }), tooLong(20)],
    [
      'smaller, of undeclared length',
      '/smalls',
      toStream(json({ text: 'x'.repeat(10) })),
      tooLong(20),
    ],
    ['larger', '/larges', json({ text: 'x'.repeat(2_000_000) }), 2_000_000],
    [
      'larger, and still too long',
      '/larges',
      json({ text: 'x'.repeat(3_000_000) }),
      tooLong(3_000_000),
    ],
    ['none', '/usuals', json({ text: 'x'.repeat(1000) }), tooLong(1000)],
    ['of a list', '/rows/import-rows', json([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), tooLong(20)],
    ['by its key', '/_call/smalls.createSmall', json({ text: 'x'.repeat(10) }), tooLong(20)],
    ['by its key, larger', '/_call/larges.createLarge', json({ text: 'x'.repeat(2000) }), [2000]],
    [
      'of a form',
      '/smalls',
      toForm('text', 'x'),
      [413, 'The form is larger than 20 bytes (maxBodySize)'],
    ],
    ['of a form, larger', '/larges', toForm('text', 'x'.repeat(2000)), 2000],
    [
      'of a form with a file',
      '/files',
      toForm('file', new Blob(['x'.repeat(400)])),
      [413, 'The form is larger than 400 bytes (maxBodySize)'],
    ],
  ] as const)('%s', async (_name, path, init, expected) => {
    expect(await ask(path, init)).toEqual(expected);
  });
});

describe('the limit of a capability', () => {
  it('holds for messages of WebSockets, too', async () => {
    await using api = await testServer({ capabilities, webSocket: true });
    const client = createClient<typeof capabilities>({ transport: api.webSocket() });
    expect(await client.smalls.createSmall({ text: 'x'.repeat(9) })).toBe(9);
    await expect(client.smalls.createSmall({ text: 'x'.repeat(10) })).rejects.toMatchObject({
      status: 413,
      message: 'The input is larger than 20 bytes',
    });
  });

  it('holds for fields of GraphQL, too', async () => {
    const smalls = { createSmall: createSmall.output(z.number()) };
    await using api = await testServer({ capabilities: { smalls }, graphql: true });
    const ask = (size: number) =>
      api.graphql(`mutation { createSmall(input: { text: "${'x'.repeat(size)}" }) }`);
    expect(await ask(9)).toEqual({ data: { createSmall: 9 } });
    expect(await ask(10)).toMatchObject({
      data: { createSmall: null },
      errors: [{ message: 'The input is larger than 20 bytes', extensions: { status: 413 } }],
    });
  });

  it('holds for calls of agents, too', async () => {
    const client = await connectToTools({ capabilities });
    const call = (text: string) =>
      client.callTool({ name: 'smalls_createSmall', arguments: { text } });
    expect(await call('x'.repeat(9))).not.toHaveProperty('isError', true);
    expect(await call('x'.repeat(10))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('The input is larger than 20 bytes') }],
    });
  });

  it('is refused where it is no number of bytes', () => {
    expect(() => createUsual.takes({ maxBodySize: -1 })).toThrow('.takes maxBodySize');
    expect(() => createUsual.takes({ maxBodySize: 1.5 })).toThrow('.takes maxBodySize');
  });

  it('stays where takes is called again', async () => {
    const twice = createSmall.takes({ headers: { text: 'x-text' } });
    await using api = await testServer({
      capabilities: { smalls: { createSmall: twice } },
      listen: false,
    });
    expect((await api.fetch('/smalls', { json: { other: 'x'.repeat(20) } })).status).toBe(413);
  });
});
