import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bytes, capability, reply, toFetchHandler } from '../../../server-runtime/index.ts';
import { findItemSource, throughItems } from '../../../server-runtime/resources/item-source.ts';
import { describeEverywhere, startOverSocket } from '../../helpers/start-rest.ts';

const chunks = ['012', '3456', '789'];

/** Has its chunks at once, so that they lie ready when its reader leaves. */
function toPushed(texts: readonly string[] = chunks): Readable {
  const stream = new Readable({ read: () => {} });
  for (const text of texts) stream.push(text);
  stream.push(null);
  return stream;
}

async function* generate(): AsyncGenerator<string> {
  yield* chunks;
}

const kinds: Record<string, () => ReadableStream> = {
  'chunks that lie ready': () => Readable.toWeb(toPushed()) as ReadableStream,
  'a list': () => Readable.toWeb(Readable.from(chunks)) as ReadableStream,
  'a generator': () => Readable.toWeb(Readable.from(generate())) as ReadableStream,
  'chunks through a transform': () =>
    (Readable.toWeb(toPushed()) as ReadableStream).pipeThrough(new TransformStream()),
  'one of two branches': () => (Readable.toWeb(toPushed()) as ReadableStream).tee()[0],
  'the body of a response': () =>
    new Response(Readable.toWeb(toPushed()) as ReadableStream).body as ReadableStream,
};

/** The errors that no code catches, which end a server. */
function collectUncaught(): unknown[] {
  const thrown: unknown[] = [];
  const note = (error: unknown): void => void thrown.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => void process.off('uncaughtException', note));
  return thrown;
}

describe('a web stream of a Node stream, whose reader leaves', () => {
  for (const [name, make] of Object.entries(kinds))
    it(`throws nowhere, for ${name}, after each number of items and of steps`, async () => {
      const thrown = collectUncaught();
      for (const reads of [0, 1, 2, 3])
        for (let steps = 0; steps < 12; steps++) {
          const source = findItemSource(make());
          for (let read = 0; read < reads; read++) await source?.next();
          for (let step = 0; step < steps; step++) await Promise.resolve();
          // A branch ends when the other one does.
          void source?.end();
          await nextTurn();
          await nextTurn();
        }
      expect(thrown).toEqual([]);
    });
});

describe('a response whose items pass through an enhancer', () => {
  it('throws nowhere, where code of the application leaves its body', async () => {
    const thrown = collectUncaught();
    for (const reads of [0, 1, 2, 3])
      for (let steps = 0; steps < 12; steps++) {
        const response = new Response(Readable.toWeb(toPushed()) as ReadableStream);
        const copy = throughItems(response, (source) => source) as Response;
        const reader = copy.body?.getReader();
        for (let read = 0; read < reads; read++) await reader?.read();
        for (let step = 0; step < steps; step++) await Promise.resolve();
        await reader?.cancel();
        await nextTurn();
      }
    expect(thrown).toEqual([]);
  });
});

const long = Array.from({ length: 60 }, () => 'x'.repeat(10_000));

describeEverywhere('a part of a web stream', (start) => {
  it('ends the stream behind the part, and throws nowhere', async () => {
    const thrown = collectUncaught();
    const { request } = await start({
      capabilities: {
        files: {
          get: capability(() =>
            reply(Readable.toWeb(toPushed(long)), { headers: { 'content-length': '600000' } }),
          ).output(bytes()),
        },
      },
    });
    for (let last = 9_990; last < 10_010; last++) {
      const response = await request('/files', { headers: { range: `bytes=0-${last}` } });
      expect((await response.arrayBuffer()).byteLength).toBe(last + 1);
    }
    await nextTurn();
    expect(thrown).toEqual([]);
  });
});

describe('a response through fetch, whose host leaves', () => {
  it('throws nowhere, after each number of chunks and of steps, and ends the stream', async () => {
    const thrown = collectUncaught();
    let closed = 0;
    const { server } = await startOverSocket({
      capabilities: {
        files: {
          get: capability(() => toPushed(long).once('close', () => closed++)).output(bytes()),
        },
      },
    });
    const answer = toFetchHandler(server, {});
    let calls = 0;
    for (const reads of [0, 1, 2, 3])
      for (let steps = 0; steps < 12; steps++) {
        const { body } = await answer(new Request('http://host/files'));
        const reader = body?.getReader();
        for (let read = 0; read < reads; read++) await reader?.read();
        for (let step = 0; step < steps; step++) await Promise.resolve();
        await reader?.cancel();
        calls++;
      }
    await expect.poll(() => closed).toBe(calls);
    expect(thrown).toEqual([]);
  });
});
