import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import {
  type AnyCapability,
  capability,
  createServer,
  noContent,
  reply,
  silentLogger,
  stream,
} from '../../../server-runtime/index.ts';

const Item = z.object({ id: z.string(), size: z.number().default(10), at: z.coerce.date() });
const given = { id: '1', at: '2026-01-31', secret: 'x' } as never;

async function readAll(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return value;
  const items: unknown[] = [];
  for await (const item of value as AsyncIterable<unknown>) items.push(item);
  return items;
}

describe('resolve gives what invoke gives', () => {
  it.each<[string, AnyCapability]>([
    ['without an output', capability(() => ({ a: 1 }))],
    ['fields dropped, defaults filled in and transforms run', capability(() => given).output(Item)],
    ['a reply', capability.output(Item, { status: 201 })(() => reply(given, { status: 201 }))],
    ['no content', capability(() => null).output(noContent)],
    [
      'items of a stream',
      capability(async function* () {
        yield given;
      }).output(stream(Item)),
    ],
    ['a value that does not fit', capability(() => ({ id: 1 }) as never).output(Item)],
    [
      'a status that is not declared',
      capability(() => reply(given, { status: 202 }) as never).output(Item),
    ],
  ])('%s', async (_name, run) => {
    const server = createServer({ capabilities: { a: { run } } as never });
    const end = async (call: Promise<unknown>): Promise<unknown> =>
      call
        .then(readAll)
        .catch((error: { readonly status: unknown; readonly cause?: unknown }) => [
          'refused',
          error.status,
          String(error.cause).replace('a.run', 'The handler'),
        ]);
    const invoked = await end(server.invoke({ capability: 'a.run' } as never));
    expect(await end(run.resolve({}, { requestId: 'r1', signal: AbortSignal.abort() }))).toEqual(
      invoked,
    );
  });

  it('in its types too', async () => {
    const getItem = capability(() => given).output(Item);
    const item = await getItem.resolve(
      {},
      { requestId: 'r1', signal: new AbortController().signal },
    );
    expectTypeOf(item).toEqualTypeOf<{ id: string; size: number; at: Date }>();
    expect(item).toEqual({ id: '1', size: 10, at: new Date('2026-01-31') });
  });

  it.each(['development', 'production'])('and refuses in %s what does not fit', async (mode) => {
    vi.stubEnv('NODE_ENV', mode);
    onTestFinished(() => void vi.unstubAllEnvs());
    const getItem = capability(() => ({ id: 1, secret: 'x' }) as never).output(
      z.object({ id: z.string() }),
    );
    const server = createServer({ capabilities: { a: { getItem } }, logger: silentLogger });
    await expect(server.invoke({ capability: 'a.getItem' })).rejects.toThrow(
      'a.getItem returned a value that',
    );
    await expect(
      getItem.resolve({}, { requestId: 'r1', signal: AbortSignal.abort() }),
    ).rejects.toThrow('id: Invalid');
  });
});

it('a method that is taken from its capability says how to call it', async () => {
  const { resolve, describe: toDescribed } = capability(() => 1, 'query') as unknown as Readonly<
    Record<string, (...values: unknown[]) => unknown>
  >;
  const sentence = 'Call a method of a capability on it: one.resolve(input, ctx).';
  await expect(resolve?.({}, {})).rejects.toThrow(sentence);
  expect(() => toDescribed?.()).toThrow(sentence);
});
