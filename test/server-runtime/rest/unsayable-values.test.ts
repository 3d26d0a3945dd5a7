import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability, withCache } from '../../../server-runtime/index.ts';
import { toDataText } from '../../../server-runtime/server/to-json-text.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { describeOverSockets } from '../../helpers/every-door.ts';
import { recordLog, startOverSocket } from '../../helpers/start-rest.ts';

const internal = '{"error":"Internal","message":"Internal server error"}';

const lies: readonly (readonly [name: string, value: unknown, reason: string])[] = [
  ['a Map', new Map([['a', 1]]), 'it is a Map'],
  ['a Set in a field', { tags: new Set(['a']) }, 'tags is a Set'],
  ['NaN in a list', { lines: [{ price: 1 }, { price: Number.NaN }] }, 'lines[1].price is NaN'],
  ['Infinity', { ratio: Number.NEGATIVE_INFINITY, none: null }, 'ratio is -Infinity'],
  ['an invalid date', { at: new Date(Number.NaN) }, 'at is an invalid Date'],
  ['a promise that nobody awaited', { user: Promise.resolve(1) }, 'user is a Promise'],
  ['a typed array in a field', { vector: new Float32Array([0.5, 1]) }, 'vector is a Float32Array'],
  ['a typed array of nothing', [new Uint8Array()], '[0] is a Uint8Array'],
  ['a typed array of big integers', new BigInt64Array([1n]), 'it is a BigInt64Array'],
  ['a view of bytes', { view: new DataView(new ArrayBuffer(1)) }, 'view is a DataView'],
  ['what says itself how it is written', { toJSON: () => ({ all: new Set() }) }, 'all is a Set'],
];

describeOverSockets('a value that JSON writes as another one', () => {
  it.each(lies)(
    'is 500 over HTTP, and the log says where it is: %s',
    async (_name, value, reason) => {
      const { request, log } = await startOverSocket({
        capabilities: { items: { getItem: capability(() => value) } },
      });
      const response = await request('/items');
      expect([response.status, await response.text()]).toEqual([500, internal]);
      expect(String(log.errors[0]?.error)).toBe(
        `TypeError: items.getItem returned a value that cannot be written as JSON: ${reason}`,
      );
    },
  );

  it.each(lies)(
    'is a refusal of a tool, and the log says where it is: %s',
    async (_name, value, reason) => {
      const logger = recordLog();
      const client = await connectToTools({
        capabilities: { items: { getItem: capability(() => value) } },
        logger,
      });
      const answer = await client.callTool({ name: 'items_getItem', arguments: {} });
      expect(answer).toMatchObject({ isError: true });
      expect(JSON.stringify(answer.content)).toContain('Internal (500)');
      expect(String(logger.errors[0]?.error)).toContain(reason);
    },
  );

  it('ends a stream with an error in its place, after the items before it', async () => {
    const listItems = capability(async function* () {
      yield { id: 1 };
      yield { tags: new Set() };
    });
    const { request, log } = await startOverSocket({ capabilities: { items: { listItems } } });
    const headers = { accept: 'application/x-ndjson' };
    expect(await (await request('/items', { headers })).text()).toBe(`{"id":1}\n${internal}\n`);
    expect(String(log.errors[0]?.error)).toContain('tags is a Set');
  });

  it('is refused too where a schema allows it, and where the answer is kept', async () => {
    const toValue = () => ({ names: new Map([['a', 1]]) });
    const Names = z.object({ names: z.map(z.string(), z.number()) });
    const { request } = await startOverSocket({
      capabilities: {
        items: {
          getDeclared: capability(toValue).output(Names),
          getKept: capability(toValue).enhance(withCache({ ttlMs: 60_000 })),
        },
      },
    });
    for (const path of ['/items/declared', '/items/kept', '/items/kept'])
      expect((await request(path)).status).toBe(500);
  });

  it('is what a schema makes of it where it makes something else', async () => {
    const Names = z.object({
      names: z.map(z.string(), z.number()).transform((map) => Object.fromEntries(map)),
    });
    const getItem = capability(() => ({ names: new Map([['a', 1]]) })).output(Names);
    const { request } = await startOverSocket({ capabilities: { items: { getItem } } });
    expect(await (await request('/items')).json()).toEqual({ data: { names: { a: 1 } } });
  });
});

describeOverSockets('other values', () => {
  it.each([
    [{ text: 'null {}', none: null, empty: {} }, '{"text":"null {}","none":null,"empty":{}}'],
    [[undefined, () => 1], '[null,null]'],
    [
      { big: 1n, at: new Date(0), none: null },
      '{"big":"1","at":"1970-01-01T00:00:00.000Z","none":null}',
    ],
    [new (class Empty {})(), '{}'],
    [undefined, 'null'],
  ])('are sent as they were: case %#', (value, text) => {
    expect(toDataText(value)).toBe(text);
  });

  it('are written whatever JSON they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toDataText(value)).toBe(JSON.stringify(value));
      }),
    );
  });
});
