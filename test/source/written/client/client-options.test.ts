import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type PluginBuild, transform } from 'esbuild';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  createServer,
  defineContext,
  restTransport,
  silentLogger,
  sse,
  stream,
} from '../../../../server-runtime/index.ts';
import { describeApi } from '../../../../source/manifest/describe-api.ts';
import { otherFunctions, schemasByMaker, zodFunctions } from '../../../helpers/every-schema.ts';
import { writeClient as writeClientOf } from '../../../helpers/generated-client.ts';
import { packageRoot } from '../../../helpers/run-capix.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

let asked = 0;
const count = (): number => ++asked;
const lastIds: (string | undefined)[] = [];
const capabilities = {
  things: {
    getThing: capability(z.object({ id: z.string() }), count).output(z.number()),
    createThing: capability(z.object({}), count).output(z.number()),
    waitSlowly: capability(() => new Promise<string>(() => {}), 'query'),
    readAuth: capability
      .withContext<{ readonly auth: string | undefined }>()((_input, { auth }) => auth ?? null)
      .output(z.string().nullable()),
    watchThings: capability
      .withContext<{ readonly lastEventId: string | undefined }>()(async function* (
        _input,
        { lastEventId },
      ) {
        lastIds.push(lastEventId);
        for (let id = Number(lastEventId ?? 0) + 1; id <= 4; id++)
          yield sse(id, { id: String(id), retryMs: 1 });
      }, 'query')
      .output(stream(z.number())),
  },
};
const source = await writeClient();
async function writeClient(
  groups: Parameters<typeof compileRegistry>[0] = capabilities,
): Promise<string> {
  return writeClientOf(describeApi({ registry: compileRegistry(groups), restOptions: {} }));
}

type Run = (input?: unknown, options?: object) => Promise<unknown>;
type Client = { readonly things: Record<keyof typeof capabilities.things, Run> };
let createClient: (options: object) => Client;
let queries: Record<
  'toQuery' | 'toMutation' | 'toQueryKey',
  (...args: readonly unknown[]) => Record<string, unknown>
>;
let url = '';
const server = createServer({
  context: defineContext((request) => ({
    auth: request.headers['authorization'],
    lastEventId: request.headers['last-event-id']?.toString(),
  })),
  capabilities,
  transports: [restTransport({ port: 0, host: '127.0.0.1' })],
  logger: silentLogger,
});
let folder = '';
beforeAll(async () => {
  const [started] = await server.start();
  url = started?.url ?? '';
  folder = await temporaryFolder();
  await writeFile(join(folder, 'client.ts'), source);
  await writeFile(join(folder, 'client.mjs'), (await transform(source, { loader: 'ts' })).code);
  queries = (await import(pathToFileURL(join(folder, 'client.mjs')).href)) as typeof queries;
  ({ createClient } = queries as unknown as { createClient: typeof createClient });
});
afterAll(() => server.stop({ graceMs: 0 }));
beforeEach(() => {
  asked = 0;
});

it('refuses a text that no path can carry', async () => {
  const { things } = createClient({ baseUrl: url });
  for (const id of ['', '.', '..'])
    await expect(things.getThing({ id })).rejects.toThrow('which no path can carry');
  expect(asked).toBe(0);
});

it('ends a call whose signal fires', async () => {
  const { things } = createClient({ baseUrl: url });
  const signal = AbortSignal.timeout(20);
  await expect(things.waitSlowly(undefined, { signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  const leaving = new AbortController();
  const left = things.waitSlowly(undefined, { signal: leaving.signal });
  leaving.abort();
  await expect(left).rejects.toMatchObject({ name: 'AbortError' });
});

it('hands requests through its interceptors, the first outermost', async () => {
  const seen: string[] = [];
  type Next = (request: Request) => Promise<Response>;
  const watch = async (request: Request, next: Next): Promise<Response> => {
    seen.push(`${request.method} ${new URL(request.url).pathname}`);
    const response = await next(request);
    seen.push(String(response.status));
    return response;
  };
  const sign = (request: Request, next: Next): Promise<Response> => {
    request.headers.set('authorization', 'signed');
    return next(request);
  };
  const { things } = createClient({
    baseUrl: url,
    intercept: [watch, sign],
    credentials: 'include',
  });
  expect(await things.readAuth()).toBe('signed');
  expect(seen).toEqual(['GET /things', '200']);
});

it('gives the fetch of its options a Request, and the global one an address', async () => {
  const original = globalThis.fetch;
  const seen: unknown[] = [];
  const watch = async (...args: Parameters<typeof fetch>): Promise<Response> => {
    seen.push(args[0]);
    return original(...args);
  };
  await createClient({ baseUrl: url, fetch: watch }).things.getThing({ id: '1' });
  vi.stubGlobal('fetch', watch);
  try {
    await createClient({ baseUrl: url }).things.getThing({ id: '1' });
  } finally {
    vi.unstubAllGlobals();
  }
  expect(seen).toEqual([expect.any(Request), `${url}/things/1`]);
});

it('asks for the rest of a stream that broke off behind the last event', async () => {
  let streams = 0;
  const breakOnce = async (...args: Parameters<typeof fetch>): Promise<Response> => {
    const response = await fetch(...args);
    streams++;
    if (streams > 1) return response;
    const text = await response.text();
    const half = text.slice(0, text.indexOf('id: 3'));
    const body = new ReadableStream(
      {
        start(controller) {
          controller.enqueue(new TextEncoder().encode(half));
        },
        pull(controller) {
          controller.error(new TypeError('terminated'));
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, response);
  };
  const { things } = createClient({ baseUrl: url, fetch: breakOnce });
  const items: unknown[] = [];
  for await (const item of (await things.watchThings()) as AsyncIterable<unknown>) items.push(item);
  expect(items).toEqual([1, 2, 3, 4]);
  expect(lastIds).toEqual([undefined, '2']);
});

it('does not ask again for a stream whose time is over', async () => {
  let requests = 0;
  const runOut = (): Response => {
    requests += 1;
    const chunks = [new TextEncoder().encode('id: 1\nretry: 1\ndata: 1\n\n')];
    const body = new ReadableStream({
      pull(controller) {
        const chunk = chunks.pop();
        if (chunk === undefined)
          controller.error(new DOMException('It took too long.', 'TimeoutError'));
        else controller.enqueue(chunk);
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const { things } = createClient({ baseUrl: url, fetch: async () => runOut() });
  const items = ((await things.watchThings()) as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  expect(await items.next()).toEqual({ done: false, value: 1 });
  await expect(items.next()).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(requests).toBe(1);
});

it('gives the options of TanStack Query', async () => {
  const { things } = createClient({ baseUrl: url });
  const { queryKey, queryFn } = queries.toQuery(things.getThing, { id: '1' });
  expect(queryKey).toEqual(['things.getThing', { id: '1' }]);
  expect(await (queryFn as Run)({ signal: new AbortController().signal })).toBe(1);
  expect(queries.toQueryKey(things.getThing)).toEqual(['things.getThing']);
  const { mutationKey, mutationFn } = queries.toMutation(things.createThing);
  expect([mutationKey, await (mutationFn as Run)({})]).toEqual([['things.createThing'], 2]);
});

it('compiles with its options for three compilers at their strictest', async () => {
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    verbatimModuleSyntax: true,
    module: 'nodenext',
    target: 'es2022',
    noEmit: true,
    skipLibCheck: true,
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  };
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['program.ts'] }),
  );
  await writeFile(
    join(folder, 'everything.ts'),
    await writeClient({
      all: everything,
      to: { query: ping },
      fetch: ping,
      delete: ping,
      arguments: ping,
    }),
  );
  await writeFile(
    join(folder, 'program.ts'),
    `import { createClient, toMutation, toQuery } from './client.js';
     import * as all from './everything.js';
     const { things } = createClient({ baseUrl: '', credentials: 'include', intercept: [(request, next) => next(request)] });
     const { queryFn, queryKey } = toQuery(things.getThing, { id: '1' });
     export const number: number = await queryFn({ signal: AbortSignal.timeout(1) });
     export const key: string = queryKey[0];
     toQuery(things.readAuth);
     toMutation(things.createThing).mutationFn();
     // @ts-expect-error: the id is missing
     toQuery(things.getThing);
     // @ts-expect-error: an id is a text
     toQuery(things.getThing, { id: 1 });
     const { all: api } = all.createClient({ baseUrl: '' });
     export const day: Date = await api.savedate({ field: new Date() });
     export const size: bigint = await api.savebigint({ field: 1n });
     const safely = await things.getThing.safe({ id: '1' }, { signal: AbortSignal.timeout(1) });
     if (safely.ok) safely.status satisfies 200;
     export const slow = [await things.waitSlowly({}, { intercept: [] }), await things.waitSlowly(), await things.createThing({})];
     // @ts-expect-error: it takes nothing
     things.waitSlowly({ id: 1 });
     // @ts-expect-error: an id is a text
     things.getThing({ id: 1 });
     // @ts-expect-error: a date is no text
     await api.savedate({ field: '2026-03-01' });
     `,
  );
  await mkdir(join(folder, 'node_modules'));
  for (const compiler of ['typescript', 'typescript-5.9', 'typescript-5.4']) {
    await symlink(
      join(packageRoot, 'node_modules', compiler),
      join(folder, 'node_modules', compiler),
      'junction',
    );
    const tsc = join(packageRoot, 'node_modules', compiler, 'bin/tsc');
    expect(
      (await execa(process.execPath, [tsc, '-p', '.'], { cwd: folder, reject: false })).stdout,
    ).toBe('');
  }
});

it('was compiled with every schema that zod makes', () => {
  const known = [...Object.keys(schemasByMaker), ...Object.values(otherFunctions).flat()];
  expect(zodFunctions().filter((name) => !known.includes(name))).toEqual([]);
});

it('is under 4.3 KB with its runtime, bundled, minified and compressed', async () => {
  const program =
    "import { createClient } from 'client.js'; export const api = createClient({ baseUrl: '/' });";
  const { outputFiles } = await build({
    entryPoints: ['program'],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    plugins: [
      {
        name: 'in memory',
        setup: (bundler) => loadFrom(bundler, { 'client.js': source, program }),
      },
    ],
  });
  expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThan(4300);
});

function loadFrom(bundler: PluginBuild, files: Readonly<Record<string, string>>): void {
  bundler.onResolve({ filter: /./ }, ({ path }) => ({ path, namespace: 'memory' }));
  bundler.onLoad({ filter: /./ }, ({ path }) => ({ contents: files[path] ?? '', loader: 'ts' }));
}

/** Every schema that zod makes, as input and answer. */
const ping = capability(() => 1);
const everything = Object.fromEntries(
  Object.entries(schemasByMaker).map(([name, schema]) => [
    `save${name.replaceAll(/\W|_/g, '')}`,
    capability(z.object({ field: schema as z.ZodType }), () => undefined as never).output(
      schema as z.ZodType,
    ),
  ]),
);
