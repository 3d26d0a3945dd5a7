import { expect, test } from 'vitest';
import { startInBackground } from '../helpers/background-process.ts';
import { bundleServer } from '../helpers/bundle-server.ts';

const server = `
import * as z from 'zod';
import {
  capability, createServer, defaultErrors, restTransport, uploadedFile, withCache, withCircuitBreaker, withRateLimit, withTimeout,
} from 'capix';

let calls = 0;
const counted = capability(() => ++calls, 'query');
const failing = capability(() => {
  throw new Error('down');
}, 'query');
const ByTitle = z.object({ title: z.string() });

createServer({
  capabilities: {
    a: {
      cached: counted.enhance(withCache({ ttlMs: 60_000 })),
      limited: capability(() => 'ok', 'query').enhance(withRateLimit({ limit: 1, windowMs: 60_000 })),
      broken: failing.enhance(withCircuitBreaker({ failures: 1 })),
      slow: capability(() => new Promise(() => {}), 'query').enhance(withTimeout(20)),
      form: capability(ByTitle.extend({ file: uploadedFile() }), ({ title, file }) => [title, file.size]),
      stream: capability(ByTitle.extend({ file: uploadedFile({ stream: true }) }), async ({ title, file }) => [
        title, (await file.stream.toArray()).length,
      ]),
      query: capability(ByTitle, ({ title }) => title, 'query'),
    },
  },
  transports: [restTransport({ port: 0, docs: true })],
  logger: { info: (line) => console.log(line), warn: () => {}, error: () => {} },
}).start();
`;

test.each(['esm', 'cjs'] as const)(
  'a server bundled to one %s file runs where there are no packages',
  async (format) => {
    const { folder, file } = await bundleServer(server, format);
    const running = startInBackground([process.execPath, file], { cwd: folder });
    const [, url = ''] = await running.waitFor(/started on (\S+)/);
    const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
      const response = await fetch(`${url}${path}`, init);
      const body = (await response.json()) as { readonly data?: unknown };
      return 'data' in body ? body.data : response.status;
    };
    expect([await ask('/a/cached'), await ask('/a/cached')]).toEqual([1, 1]);
    expect([await ask('/a/limited'), await ask('/a/limited')]).toEqual(['ok', 429]);
    expect([await ask('/a/broken'), await ask('/a/broken')]).toEqual([500, 503]);
    expect(await ask('/a/slow')).toBe(504);
    expect(await ask('/a/query?title=a%20b')).toBe('a b');
    for (const [path, expected] of [
      ['/a/form', ['hello', 3]],
      ['/a/stream', ['hello', 1]],
    ] as const) {
      const body = new FormData();
      body.append('title', 'hello');
      body.append('file', new File(['abc'], 'a.txt'));
      expect(await ask(path, { method: 'POST', body })).toEqual(expected);
    }
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
  },
);
