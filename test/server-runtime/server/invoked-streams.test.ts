import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  capability,
  createServer,
  type Failure,
  silentLogger,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { defer } from '../../helpers/start-rest.ts';

/** What a handler may stream, and how a caller in the same process reads it. */
const kinds = {
  'an async iterable': (ended: () => void) =>
    (async function* () {
      try {
        for (;;) {
          yield 'x';
          await sleep(5);
        }
      } finally {
        ended();
      }
    })(),
  'an iterator that never answers': (ended: () => void) => ({
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise<never>(() => {}),
      return: async () => {
        ended();
        return { done: true as const, value: undefined };
      },
    }),
  }),
  'a stream of Node': (ended: () => void) => new Readable({ read: () => {} }).once('close', ended),
  'a stream of the web': (ended: () => void) => new ReadableStream({ cancel: ended }),
  'a Response': (ended: () => void) => new Response(new ReadableStream({ cancel: ended })),
};

function start(kind: keyof typeof kinds, timeoutMs: number) {
  const ended = defer();
  const fired = defer<unknown>();
  const failures: Failure[] = [];
  const stream = capability((_input, { signal }) => {
    signal.addEventListener('abort', () => fired.resolve(signal.reason));
    return kinds[kind](ended.resolve);
  }).enhance(withTimeout(timeoutMs));
  const hooks = { onError: ({ failure }: { failure: Failure }) => void failures.push(failure) };
  const server = createServer({ capabilities: { a: { stream } }, hooks, logger: silentLogger });
  return { server, ended: ended.promise, fired: fired.promise, failures };
}

async function readAll(given: unknown): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for await (const item of (given instanceof Response
    ? given.body
    : given) as AsyncIterable<unknown>)
    items.push(item);
  return items;
}

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])('%s that invoke gives', (kind) => {
  it('ends when its caller leaves', async () => {
    const { server, ended, fired, failures } = start(kind, 60_000);
    const leave = new AbortController();
    const given = await server.invoke({ capability: 'a.stream', signal: leave.signal });
    const read = readAll(given);
    leave.abort();
    await expect(read).rejects.toMatchObject({ name: 'AbortError' });
    await ended;
    expect([await fired, failures]).toMatchObject([{ name: 'AbortError' }, [{ status: 503 }]]);
  });
});

describe('what invoke gives', () => {
  const served = { reads: 0 };
  const { invoke } = createServer({
    capabilities: {
      a: {
        list: capability(async function* () {
          try {
            yield 1;
            yield 2;
          } finally {
            served.reads++;
          }
        }),
        listSlowly: capability(async function* () {
          yield 1;
          await sleep(10);
          yield 2;
        }).enhance(withTimeout(1)),
        getText: capability(() => Readable.from(['a', 'b'])),
        getWeb: capability(() => new Blob(['ab']).stream()),
        getResponse: capability(() => Response.json({ a: 1 }, { status: 201 })),
        getEmpty: capability(() => new Response(null, { status: 204 })),
        fail: capability(async function* () {
          yield 1;
          throw new Error('broken');
        }),
      },
    },
    logger: silentLogger,
  });

  it('is read as what the handler returned', async () => {
    expect(await readAll(await invoke({ capability: 'a.list' }))).toEqual([1, 2]);
    expect(await readAll(await invoke({ capability: 'a.getText' }))).toEqual(['a', 'b']);
    expect(await readAll(await invoke({ capability: 'a.getWeb' }))).toEqual([
      new TextEncoder().encode('ab'),
    ]);
    const response = (await invoke({ capability: 'a.getResponse' })) as Response;
    expect([response.status, await response.json()]).toEqual([201, { a: 1 }]);
    expect(((await invoke({ capability: 'a.getEmpty' })) as Response).status).toBe(204);
  });

  it('may take longer than the timeout of its call, as over HTTP', async () => {
    expect(await readAll(await invoke({ capability: 'a.listSlowly' }))).toEqual([1, 2]);
  });

  it('is ended where its reader stops', async () => {
    const before = served.reads;
    for await (const item of (await invoke({ capability: 'a.list' })) as AsyncIterable<number>)
      if (item === 1) break;
    expect(served.reads).toBe(before + 1);
  });

  it('fails as it failed', async () => {
    await expect(invoke({ capability: 'a.fail' }).then(readAll)).rejects.toThrow('broken');
  });
});
