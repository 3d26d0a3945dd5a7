import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  capability,
  createServer,
  defineContext,
  silentLogger,
  toFetchHandler,
  uploadedFile,
} from '../../../server-runtime/index.ts';
import { called, files, rawForm } from '../../helpers/file-capabilities.ts';
import { openRaw, readAll, toRawAnswer } from '../../helpers/raw-http.ts';
import { defer, describeEverywhere, json, startOverSocket } from '../../helpers/start-rest.ts';

const head = (name: string, more = ''): string =>
  `--X\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
const upload = (length: number, path = '/files'): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=X\r\ncontent-length: ${length}\r\n\r\n`;

describe('a client who leaves in the middle of a form', () => {
  it.each([
    ['by closing', (socket: ReturnType<typeof openRaw>) => socket.destroy()],
    ['by a reset', (socket: ReturnType<typeof openRaw>) => socket.resetAndDestroy()],
    ['by ending its half', (socket: ReturnType<typeof openRaw>) => socket.end()],
  ])('%s: the parse ends, the signal fires, and the handler gets no file', async (_name, leave) => {
    const aborted = defer<unknown>();
    const reading = defer();
    const context = defineContext(({ signal }) => {
      signal.addEventListener('abort', () => aborted.resolve(signal.reason));
      reading.resolve();
      return {};
    });
    const { url, request, log } = await startOverSocket({ capabilities: { files }, context });
    called.createFile = 0;
    const socket = openRaw(url).on('error', () => {});
    socket.write(`${upload(10_000)}${head('avatar', '; filename="a"')}abc`);
    await reading.promise;
    leave(socket);
    expect(await aborted.promise).toMatchObject({ name: 'AbortError' });
    expect((await request('/files', { method: 'POST' })).status).toBe(200);
    expect([called.createFile, log.errors]).toEqual([1, []]);
  });

  it('through fetch: a body that fails is refused, and nothing is handed on', async () => {
    called.createFile = 0;
    const body = new ReadableStream({
      pull: (controller) => controller.error(new Error('gone')),
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode(`${head('avatar', '; filename="a"')}abc`)),
    });
    const answer = toFetchHandler(createServer({ capabilities: { files }, logger: silentLogger }));
    const init = { ...rawForm(''), body, duplex: 'half' } as RequestInit;
    const response = await answer(new Request('http://in-memory/files', init));
    expect([response.status, called.createFile]).toEqual([400, 0]);
  });
});

describeEverywhere('a form with many headers', (start) => {
  it.each([
    [98, { title: 'hi' }],
    [101, {}],
    [5000, {}],
  ])(
    '%i in front of its name is read up to a limit: the part is left out beyond it',
    async (count, data) => {
      const { request } = await start({ capabilities: { files } });
      const headers = Array.from({ length: count }, (_, at) => `x-${at}: y\r\n`).join('');
      const response = await request(
        '/files',
        rawForm(`--X\r\n${headers}${head('title').slice(5)}hi\r\n--X--\r\n`),
      );
      expect([response.status, await response.json()]).toEqual([200, { data }]);
    },
  );
});

describeEverywhere('a streamed upload', (start) => {
  it('is taken no faster than the handler reads it', async () => {
    const held = defer();
    const createFile = capability(
      z.object({ file: uploadedFile({ stream: true, maxSize: 1e12 }) }),
      async ({ file }) => {
        await held.promise;
        let length = 0;
        for await (const chunk of file.stream) {
          length += (chunk as Buffer).length;
          if (length > 1000) break;
        }
        return length > 1000;
      },
    );
    const { request } = await start({
      capabilities: { files: { createFile, updateFile: capability(() => 1) } },
    });
    let sent = 0;
    const body = new ReadableStream({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode(head('file', '; filename="a"'))),
      pull: (controller) => {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(120));
      },
    });
    const answer = request('/files', { ...rawForm(''), body, duplex: 'half' });
    answer.catch(() => {});
    let before = -1;
    while (sent !== before) {
      before = sent;
      for (let round = 0; round < 20; round++)
        await (await request('/files/1', json({}, 'PATCH'))).text();
    }
    expect(sent).toBeLessThan(50_000_000);
    held.resolve();
    expect(await (await answer).json()).toEqual({ data: true });
  });
});

describe('one connection', () => {
  const jobs = {
    getJobs: capability(() => 1),
    getStream: capability(() => Readable.from(['a', 'b'])),
    getEvents: capability(async function* () {
      yield 1;
    }),
    getFailing: capability(() => Readable.from([]).destroy(new Error('gone'))),
  };
  const get = (path: string, more = ''): string =>
    `GET /jobs${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

  it('has its answers in order, streams among them, however they are asked for', async () => {
    const { url } = await startOverSocket({ capabilities: { jobs } });
    const socket = openRaw(url);
    socket.write(
      `${get('/stream')}${get('')}${get('/events')}${get('/failing')}${get('/stream', 'connection: close\r\n')}`,
    );
    const text = await readAll(socket);
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
      '200',
      '500',
      '200',
    ]);
    expect([...text.matchAll(/\r\n\r\n([^]*?)(?=HTTP\/1\.1|$)/g)].map(([, body]) => body)).toEqual([
      '1\r\na\r\n1\r\nb\r\n0\r\n\r\n',
      '{"data":1}',
      '9\r\ndata: 1\n\n\r\n0\r\n\r\n',
      '{"error":"Internal","message":"Internal server error"}',
      '1\r\na\r\n1\r\nb\r\n0\r\n\r\n',
    ]);
  });

  it('gets its answer where the client has ended its half', async () => {
    const { url } = await startOverSocket({ capabilities: { jobs } });
    for (const [path, body] of [
      ['', '{"data":1}'],
      ['/stream', '1\r\na\r\n1\r\nb\r\n0\r\n\r\n'],
    ] as const) {
      const socket = openRaw(url);
      socket.end(get(path));
      expect(toRawAnswer(await readAll(socket))).toMatchObject({ status: 200, body });
    }
  });

  it('speaks HTTP/1.0 to a client that does, and ends', async () => {
    const { url } = await startOverSocket({ capabilities: { jobs } });
    for (const [path, body] of [
      ['', '{"data":1}'],
      ['/stream', 'ab'],
      ['/events', 'data: 1\n\n'],
    ] as const) {
      const socket = openRaw(url);
      socket.write(`GET /jobs${path} HTTP/1.0\r\n\r\n`);
      expect(toRawAnswer(await readAll(socket))).toMatchObject({ status: 200, body });
    }
  });

  it('is broken off by what is not HTTP in the middle of an answer, which nobody takes for more of it', async () => {
    const ended = defer();
    const getEndless = capability(async function* () {
      try {
        for (let n = 0; ; n++) yield 'x'.repeat(n);
      } finally {
        ended.resolve();
      }
    });
    const { url } = await startOverSocket({ capabilities: { jobs: { ...jobs, getEndless } } });
    const socket = openRaw(url).on('error', () => {});
    socket.write(get('/endless'));
    await once(socket, 'data');
    socket.write('nonsense\r\n\r\n');
    expect(await readAll(socket)).not.toContain('BadRequest');
    await ended.promise;
  });
});
