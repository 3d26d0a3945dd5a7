import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { capability, uploadedFile } from '../../../server-runtime/index.ts';
import { file, files, form, rawForm } from '../../helpers/file-capabilities.ts';
import { openRaw, readAll } from '../../helpers/raw-http.ts';
import {
  defer,
  describeEverywhere,
  type ErrorBody,
  startOverSocket,
} from '../../helpers/start-rest.ts';

describeEverywhere('streamed files', (start) => {
  it('streams a file to the handler, with the fields before it', async () => {
    const { request } = await start({ capabilities: { files } });
    const bytes = new Uint8Array(2_500_000).map((_, index) => index * 13);
    const response = await request(
      '/files/hash-file',
      form(['name', 'big'], ['file', file(bytes, 'big.bin')]),
    );
    expect(await response.json()).toEqual({
      data: {
        name: 'big',
        filename: 'big.bin',
        hash: createHash('sha256').update(bytes).digest('hex'),
      },
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

  it.each([20_000, 80_000, 300_000])(
    'waits for a handler that reads late and slowly: %d bytes',
    async (size) => {
      const createFile = capability(
        z.object({ file: uploadedFile({ stream: true }) }),
        async ({ file: { stream } }) => {
          await pause(100);
          let length = 0;
          for await (const chunk of stream) {
            length += (chunk as Buffer).length;
            await pause(2);
          }
          return length;
        },
      );
      const { request } = await start({ capabilities: { files: { createFile } } });
      const response = await request('/files', form(['file', file(new Uint8Array(size))]));
      expect(await response.json()).toEqual({ data: size });
    },
  );

  it.each([
    [
      'in the file',
      '--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      400,
    ],
    [
      'after the file',
      '--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--X\r\nContent-Disposition: form-data; name="b"; filename="b"\r\n\r\nd',
      200,
    ],
  ])('a form that is cut off %s', async (_name, body, status) => {
    const createFile = capability(
      z.object({ file: uploadedFile({ stream: true }) }),
      async ({ file: { stream } }) => {
        await pause(20);
        return (await stream.toArray()).join('');
      },
    );
    const { request } = await start({ capabilities: { files: { createFile } } });
    expect((await request('/files', rawForm(body))).status).toBe(status);
  });

  it('reads no field that follows the file', async () => {
    const Video = z.object({ file: uploadedFile({ stream: true }), note: z.string().optional() });
    const createVideo = capability(Video, async ({ file: { stream }, note }) => ({
      size: (await stream.toArray()).reduce((sum: number, chunk: Buffer) => sum + chunk.length, 0),
      note,
    }));
    const { request } = await start({ capabilities: { videos: { createVideo } } });
    const bytes = file(new Uint8Array(90_000));
    const before = await request('/videos', form(['note', 'n'], ['file', bytes]));
    expect(await before.json()).toEqual({ data: { size: 90_000, note: 'n' } });
    const behind = await request('/videos', form(['file', bytes], ['note', 'n']));
    expect(await behind.json()).toEqual({ data: { size: 90_000 } });
  });

  it('ends the stream of a file that is too large with 413', async () => {
    const { request } = await start({ capabilities: { files } });
    const response = await request(
      '/files/hash-file',
      form(['file', file(new Uint8Array(3_100_000))]),
    );
    expect([response.status, ((await response.json()) as ErrorBody).message]).toEqual([
      413,
      "The file 'file' is larger than 3000000 bytes",
    ]);
    expect((await request('/files', { method: 'POST' })).status).toBe(200);
  });
});

it('leaves the connection of a long file to the next request', async () => {
  const size = 100_000;
  const received = defer();
  const createFile = capability(
    z.object({ file: uploadedFile({ stream: true }) }),
    async ({ file: { stream } }) => {
      let length = 0;
      for await (const chunk of stream) {
        length += (chunk as Buffer).length;
        if (length === size) received.resolve();
      }
      return length;
    },
  );
  const { url } = await startOverSocket({
    capabilities: { files: { createFile, listFiles: capability(() => 2) } },
  });
  const socket = openRaw(url);
  const answers = readAll(socket);
  const file = `--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${'x'.repeat(size)}`;
  const end = '\r\n--X--\r\n';
  socket.write(
    `POST /files HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=X\r\ncontent-length: ${file.length + end.length}\r\n\r\n${file}`,
  );
  await received.promise;
  socket.write(`${end}GET /files HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  expect((await answers).match(/HTTP\/1\.1 \d+|"data":\d+/g)).toEqual([
    'HTTP/1.1 200',
    `"data":${size}`,
    'HTTP/1.1 200',
    '"data":2',
  ]);
});

describe('a form that is not read to its end', () => {
  const padding = 'x'.repeat(40_000);
  const partOf = (name: string): string =>
    `--X\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n`;

  it.each([
    ['refused at a limit', `${partOf('avatar')}12345${padding}\r\n--X--\r\n`, 413],
    [
      'answered by a handler that does not want it',
      `${partOf('ignored')}${padding}\r\n--X--\r\n`,
      200,
    ],
  ])('leaves the connection to the next request: %s', async (_name, body, status) => {
    const createFile = capability(
      z.object({
        avatar: uploadedFile({ maxSize: 4 }).optional(),
        ignored: uploadedFile({ stream: true }).optional(),
      }),
      () => 1,
    );
    const { url } = await startOverSocket({
      capabilities: { files: { createFile, listFiles: capability(() => 2) } },
    });
    const socket = openRaw(url);
    const answers = readAll(socket);
    socket.write(
      `POST /files HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=X\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    socket.write('GET /files HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect((await answers).match(/HTTP\/1\.1 \d+/g)).toEqual([
      `HTTP/1.1 ${status}`,
      'HTTP/1.1 200',
    ]);
  });
});

describe('a sender who leaves', () => {
  it('ends the stream of its file', async () => {
    const ended = defer<unknown>();
    const reading = defer();
    const capabilities = {
      files: {
        createFile: capability(
          z.object({ file: uploadedFile({ stream: true }) }),
          async ({ file: { stream } }) => {
            stream.once('data', () => reading.resolve());
            await pipeline(stream, async (chunks) => {
              for await (const chunk of chunks) void chunk;
            }).catch((error: unknown) => ended.resolve(error));
            return null;
          },
        ),
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
