import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/index.ts';
import { toMeantInput } from '../../../server-runtime/mcp/to-meant-input.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';

const Line = z.object({ sku: z.string(), count: z.int().optional() });
type Tree = { readonly name: string; readonly inner?: readonly Tree[] | undefined };
const Tree: z.ZodType<Tree> = z.object({
  name: z.string(),
  get inner() {
    return z.array(Tree).optional();
  },
});
const Input = z.object({
  tags: z.array(z.string()).optional(),
  lines: z.array(Line).optional(),
  filter: z.object({ state: z.string(), size: z.int().default(5) }).optional(),
  byName: z.record(z.string(), z.int()).optional(),
  pair: z.tuple([z.string(), z.int()]).optional(),
  of: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('card'), number: z.string() }),
      z.object({ kind: z.literal('bank'), iban: z.string(), bic: z.string().optional() }),
    ])
    .optional(),
  tree: Tree.optional(),
  limit: z.int().default(10),
  note: z.string().nullish(),
  any: z.unknown().optional(),
  text: z.string().optional(),
  textOrList: z.union([z.string(), z.array(z.int())]).optional(),
  own: z.preprocess((value) => value, z.array(z.string())).optional(),
});

/** What a handler gets of an agent's arguments, or the text of the refusal. */
async function send(input: unknown, schema: z.ZodType = Input): Promise<unknown> {
  const store = capability(schema, (given) => given, 'mutation');
  const client = await connectToTools({ capabilities: { a: { store } } });
  const result = await client.callTool({ name: 'a_store', arguments: input as never });
  if (result.isError === true) return (result.content as { text: string }[])[0]?.text;
  return (result.structuredContent as { data: unknown }).data;
}

describe('an input of an agent', () => {
  it.each([
    [{ tags: '["a","b"]' }, { tags: ['a', 'b'] }],
    [{ tags: ' [] ' }, { tags: [] }],
    [{ lines: '[{"sku":"x","count":null}]' }, { lines: [{ sku: 'x' }] }],
    [{ lines: ['{"sku":"x"}', { sku: 'y' }] }, { lines: [{ sku: 'x' }, { sku: 'y' }] }],
    [{ filter: '{"state":"[open]"}' }, { filter: { state: '[open]', size: 5 } }],
    [{ filter: { state: 'open', size: null } }, { filter: { state: 'open', size: 5 } }],
    [{ byName: '{"a":1}' }, { byName: { a: 1 } }],
    [{ pair: '["a",1]' }, { pair: ['a', 1] }],
    [{ of: '{"kind":"bank","iban":"DE","bic":null}' }, { of: { kind: 'bank', iban: 'DE' } }],
    [
      { tree: { name: 'a', inner: '[{"name":"b","inner":null}]' } },
      { tree: { name: 'a', inner: [{ name: 'b' }] } },
    ],
    [{ tags: null, limit: null, filter: null, any: null }, { any: null }],
  ])('is read as it is meant: %j', async (input, expected) => {
    expect(await send(input)).toEqual({ limit: 10, ...expected });
  });

  it.each([
    [{ text: '["a"]', textOrList: '[1]', any: '{"a":1}', note: null }],
    [{ any: { tags: null, list: '[1]' } }],
    [{ own: ['[1]', '{}'] }],
  ])('stays as it was sent where that may be meant: %j', async (input) => {
    expect(await send(input)).toEqual({ limit: 10, ...input });
  });

  it.each([
    [{ tags: 'a, b' }, 'tags: Invalid input: expected array, received string'],
    [{ tags: '{"0":"a"}' }, 'tags: Invalid input: expected array'],
    [{ filter: '[1]' }, 'filter: Invalid input: expected object'],
    [{ filter: null, unknown: null }, 'unknown: There is no such field'],
    [{ filter: { state: null } }, 'filter.state: Invalid input: expected string, received null'],
    [{ lines: [null] }, 'lines[0]: Invalid input: expected object, received null'],
    [{ limit: '7' }, 'limit: Invalid input: expected number, received string'],
  ])('is refused in words where nothing else is meant: %j', async (input, words) => {
    expect(await send(input)).toContain(words);
  });

  it('whose text is JSON deeper than an input may be is refused, not read', async () => {
    const Deep = z.object({ tree: z.array(z.unknown()) });
    const text = `${'['.repeat(70)}${']'.repeat(70)}`;
    expect(await send({ tree: text }, Deep)).toContain('tree: Invalid input: expected array');
  });

  it('that fits its schema is the same object', () => {
    const fitting = fc.record(
      {
        tags: fc.array(fc.string()),
        lines: fc.array(
          fc.record({ sku: fc.string(), count: fc.nat() }, { requiredKeys: ['sku'] }),
        ),
        byName: fc.dictionary(fc.string(), fc.nat()),
        note: fc.option(fc.string()),
        any: fc.jsonValue(),
        text: fc.json(),
        limit: fc.nat(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fitting, (input) => {
        expect(toMeantInput(Input, input)).toBe(input);
      }),
    );
  });
});

describe('arguments', () => {
  const a = {
    ping: capability(() => 'pong'),
    getItem: capability(z.object({ id: z.string() }), ({ id }) => id),
  };

  it.each([
    ['a_ping', null, 'pong'],
    ['a_ping', undefined, 'pong'],
    ['a_getItem', '{"id":"1"}', '1'],
  ])('of %s may be %j', async (name, sent, data) => {
    const client = await connectToTools({ capabilities: { a } });
    const result = await client.callTool({ name, arguments: sent as never });
    expect(result.structuredContent).toEqual({ data });
  });

  it.each([
    ['[1]', 'Send `arguments` as a JSON object, not as a string.'],
    ['id=1', 'Send `arguments` as a JSON object, not as a string.'],
    [[1], 'Send `arguments` as a JSON object, not as an array.'],
  ])('that are no object are refused in words that mend them: %j', async (sent, words) => {
    const client = await connectToTools({ capabilities: { a } });
    const asked = client.callTool({ name: 'a_getItem', arguments: sent as never });
    await expect(asked).rejects.toThrow(words);
  });
});

describe('the schemas of tools', () => {
  it('say the properties of every object, as the API of OpenAI wants it', async () => {
    const a = {
      ping: capability(() => ({ byName: {} })).output(
        z.object({ byName: z.record(z.string(), z.object({})) }),
      ),
      take: capability(z.record(z.string(), z.unknown()), () => 1),
      any: capability(z.any(), () => 1),
      store: capability(
        z.object({
          inner: z.looseObject({}).nullable(),
          all: z.array(z.record(z.string(), z.int())),
        }),
        () => 1,
      ),
      choose: capability(
        z.union([z.object({ a: z.string() }), z.record(z.string(), z.int())]),
        () => 1,
      ),
    };
    const client = await connectToTools({ capabilities: { a } });
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(5);
    for (const { inputSchema, outputSchema } of tools) {
      expect(inputSchema.properties).toBeDefined();
      for (const each of findObjects([inputSchema, outputSchema]))
        expect(each).toHaveProperty('properties');
    }
  });
});

function findObjects(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(findObjects);
  return (value as { type?: unknown }).type === 'object' ? [value, ...inside] : inside;
}
