import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  capability,
  createServer,
  type ServerOptions,
  silentLogger,
  sse,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { defer } from '../../helpers/start-rest.ts';

/** Streams without an end, of every kind that a handler may return, and what becomes of each. */
function endlessStreams(timeoutMs: number) {
  const began = defer();
  const ended = defer<string>();
  const fired = defer<unknown>();
  const watch = (signal: AbortSignal): void =>
    signal.addEventListener('abort', () => fired.resolve(signal.reason));
  const note = (signal: AbortSignal): void => {
    watch(signal);
    began.resolve();
  };
  async function* count() {
    // One that is ended before its first item never begins, and has nothing to clean up.
    began.resolve();
    try {
      for (let n = 0; ; n++) {
        yield n;
        await sleep(5);
      }
    } finally {
      ended.resolve('generator');
    }
  }
  const toWeb = () =>
    new ReadableStream({
      pull: (controller) => sleep(5).then(() => controller.enqueue(new TextEncoder().encode('x'))),
      cancel: () => ended.resolve('web stream'),
    });
  const kinds = {
    getGenerator: capability((_input, { signal }) => {
      watch(signal);
      return count();
    }),
    getEvents: capability(async function* (_input, { signal }) {
      note(signal);
      try {
        for (;;) {
          yield sse('x', { event: 'tick' });
          await sleep(5);
        }
      } finally {
        ended.resolve('events');
      }
    }),
    getSilent: capability((_input, { signal }) => {
      note(signal);
      const next = () => new Promise<never>(() => {});
      const end = () => {
        ended.resolve('silent');
        return Promise.resolve({ done: true as const, value: undefined });
      };
      return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
    }),
    getBytes: capability((_input, { signal }) => {
      note(signal);
      return new Readable({ read: () => {} }).once('close', () => ended.resolve('bytes'));
    }),
    getWeb: capability((_input, { signal }) => {
      note(signal);
      return toWeb();
    }),
    getResponse: capability((_input, { signal }) => {
      note(signal);
      return new Response(toWeb());
    }),
  };
  const enhanced = Object.entries(kinds).map(([name, each]) => [
    name,
    each.enhance(withTimeout(timeoutMs)),
  ]);
  return { capabilities: { a: Object.fromEntries(enhanced) as typeof kinds }, began, ended, fired };
}

const textOf = (result: unknown): string =>
  (result as { content: { text: string }[] }).content[0]?.text ?? '';

interface Conversation {
  readonly client: Client;
  /** Ends the input of the server, which still may write. */
  readonly endInput: () => void;
  readonly closed: Promise<void>;
}

async function converse(options: ServerOptions): Promise<Conversation> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const closed = defer();
  const transport = mcpTransport({
    stdio: { input: toServer, output: toClient, onClose: closed.resolve },
  });
  await createServer({ logger: silentLogger, ...options, transports: [transport] }).start();
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioServerTransport(toClient, toServer));
  onTestFinished(() => client.close());
  return { client, endInput: () => void toServer.end(), closed: closed.promise };
}

const kinds = [
  ['getGenerator', 'generator'],
  ['getEvents', 'events'],
  ['getSilent', 'silent'],
  ['getBytes', 'bytes'],
  ['getWeb', 'web stream'],
  ['getResponse', 'web stream'],
] as const;

const doors = [
  ['Streamable HTTP', connectToTools],
  ['stdio', async (options: ServerOptions) => (await converse(options)).client],
] as const;

describe.each(doors)('a stream over %s', (_name, connect) => {
  it.each(kinds)('ends with its timeout: %s', async (name, what) => {
    const { capabilities, ended, fired } = endlessStreams(60);
    const result = await (await connect({ capabilities })).callTool({
      name: `a_${name}`,
      arguments: {},
    });
    expect([result.isError, textOf(result)]).toEqual([
      true,
      'Timeout (504): Timeout after 60 ms\nIt took too long. Ask for less at a time, or try again later.',
    ]);
    expect([await ended.promise, await fired.promise]).toMatchObject([
      what,
      { name: 'TimeoutError' },
    ]);
  });

  it('is at most as long as a result may be, and is ended beyond that', async () => {
    let count = 0;
    const ended = defer();
    const list = capability(async function* () {
      try {
        for (;;) yield { text: 'x'.repeat(1000), n: count++ };
      } finally {
        ended.resolve();
      }
    });
    const client = await connect({ capabilities: { a: { list } } });
    const result = await client.callTool({ name: 'a_list', arguments: {} });
    expect([result.isError, textOf(result).split(',')[0]]).toEqual([
      true,
      'PayloadTooLarge (413): The result has more than 100 kB of text',
    ]);
    await ended.promise;
    expect(count).toBeLessThan(110);
  });

  it('may be as long as that in small items', async () => {
    const list = capability(async function* () {
      for (let n = 0; n < 5000; n++) yield n;
    });
    const result = await (await connect({ capabilities: { a: { list } } })).callTool({
      name: 'a_list',
      arguments: {},
    });
    expect((result.structuredContent as { data: number[] }).data).toHaveLength(5000);
  });

  it.each([
    ['items', () => 1],
    ['empty chunks', () => new Uint8Array()],
  ])(
    'of %s that come without a pause ends with its timeout or its length',
    async (_kind, toItem) => {
      const spin = capability(async function* () {
        for (;;) yield toItem();
      }).enhance(withTimeout(50));
      const client = await connect({ capabilities: { a: { spin } } });
      expect(textOf(await client.callTool({ name: 'a_spin', arguments: {} }))).toMatch(
        /^(Timeout|PayloadTooLarge) /,
      );
    },
  );
});

it.each(kinds)('a stream over HTTP ends when its caller leaves: %s', async (name, what) => {
  const { capabilities, began, ended, fired } = endlessStreams(60_000);
  const transport = mcpTransport({ port: 0 });
  const server = createServer({ capabilities, transports: [transport], logger: silentLogger });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const leave = new AbortController();
  const asked = fetch(started?.url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: `a_${name}`, arguments: {} },
    }),
    signal: leave.signal,
  });
  await began.promise;
  leave.abort();
  await expect(asked).rejects.toThrow('aborted');
  expect([await ended.promise, await fired.promise]).toMatchObject([what, { name: 'AbortError' }]);
});

describe('a stream over stdio', () => {
  it.each(kinds)('ends when it is cancelled: %s', async (name, what) => {
    const { capabilities, began, ended, fired } = endlessStreams(60_000);
    const { client } = await converse({ capabilities });
    const cancel = new AbortController();
    const asked = client.callTool({ name: `a_${name}`, arguments: {} }, undefined, {
      signal: cancel.signal,
    });
    await began.promise;
    cancel.abort();
    await expect(asked).rejects.toThrow('abort');
    expect([await ended.promise, await fired.promise]).toMatchObject([
      what,
      { name: 'AbortError' },
    ]);
  });

  it('ends soon after the input, is answered, and holds nothing open', async () => {
    const { capabilities, began, ended, fired } = endlessStreams(600_000);
    const { client, endInput, closed } = await converse({ capabilities });
    const asked = client.callTool({ name: 'a_getGenerator', arguments: {} });
    await began.promise;
    endInput();
    await expect(asked).rejects.toThrow('The call was cancelled: the input has ended.');
    await closed;
    expect([await ended.promise, await fired.promise]).toMatchObject([
      'generator',
      { name: 'AbortError' },
    ]);
  });

  it('that ends soon is answered whole, although the input has ended', async () => {
    const began = defer();
    const list = capability(async function* () {
      began.resolve();
      for (const n of [1, 2, 3]) {
        await sleep(20);
        yield n;
      }
    });
    const { client, endInput, closed } = await converse({ capabilities: { a: { list } } });
    const asked = client.callTool({ name: 'a_list', arguments: {} });
    await began.promise;
    endInput();
    expect((await asked).structuredContent).toEqual({ data: [1, 2, 3] });
    await closed;
  });
});
