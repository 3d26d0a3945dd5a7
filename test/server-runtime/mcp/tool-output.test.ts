import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type AnyCapability,
  bytes,
  capability,
  compileRegistry,
  noContent,
  redirect,
  stream,
  text,
} from '../../../server-runtime/index.ts';
import { toTools } from '../../../server-runtime/mcp/offers.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';

function outputOf(one: AnyCapability): object | undefined {
  const [tool] = toTools(compileRegistry({ one }).operations).values();
  return tool?.description.outputSchema;
}

const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree);
  },
});
const Job = z.object({ job: z.string() }).meta({ id: 'ToolJob' });
const tree = { name: 'a', children: [{ name: 'b', children: [] }] };

describe('the output schema of a tool', () => {
  it.each<[string, AnyCapability, readonly unknown[], readonly unknown[]]>([
    ['nothing', capability(() => {}).output(noContent), [null], ['x']],
    ['a text', capability(() => 'a').output(text()), ['a'], [1]],
    ['a redirect', capability(() => '/a').output(redirect), ['/a'], [null]],
    [
      'a value or nothing',
      capability(() => undefined).output(Job.optional()),
      [null, { job: 'a' }],
      ['x', {}],
    ],
    [
      'items or nothing',
      capability(async function* () {}).output(stream(Job.optional())),
      [[null]],
      [null, [1]],
    ],
    [
      'items',
      capability(async function* () {}).output(stream(Tree)),
      [[], [tree]],
      [tree, [{ name: 1 }]],
    ],
  ])('admits %s, and nothing else', (_name, one, good, bad) => {
    const validate = new Ajv2020({ strict: false }).compile(outputOf(one) ?? false);
    expect(good.map((data) => validate({ data }))).toEqual(good.map(() => true));
    expect(bad.map((data) => validate({ data }))).toEqual(bad.map(() => false));
  });

  it('is not told of bytes, nor of several answers, nor where nothing is declared', () => {
    expect(
      outputOf(
        capability(() => tree)
          .output(Tree)
          .output(Job, { status: 202 }),
      ),
    ).toBeUndefined();
    expect(outputOf(capability(() => new Uint8Array()).output(bytes()))).toBeUndefined();
    expect(outputOf(capability(() => 1))).toBeUndefined();
  });
});

/** Answers that are right, which a client refuses where the schema of the tool says less than the truth. */
const answers: readonly (readonly [string, z.ZodType, unknown])[] = [
  ['a duration with fractions', z.object({ took: z.iso.duration() }), { took: 'PT1.5S' }],
  ['a multiple of a fraction', z.object({ price: z.number().multipleOf(0.1) }), { price: 0.3 }],
  [
    'a text whose expression has the flag i',
    z.object({ code: z.string().regex(/^abc$/i) }),
    { code: 'ABC' },
  ],
  [
    'a text whose expression has the flag v',
    z.object({ code: z.string().regex(new RegExp(String.raw`^[\p{L}--[a-z]]+$`, 'v')) }),
    { code: 'ABC' },
  ],
  ['a value that may be undefined', z.object({ id: z.string() }).optional(), undefined],
  [
    'items that may be undefined',
    z.object({ list: z.array(z.string().optional()) }),
    { list: ['a', undefined] },
  ],
  [
    'a date-time with an offset',
    z.object({ at: z.iso.datetime({ offset: true }) }),
    { at: '2026-01-01T00:00:00+02:00' },
  ],
];

it('admits for the official client each answer that its schema makes, and no expression hides the list', async () => {
  const readAnswer = answers.map(([, schema, value]) =>
    capability(() => value as never, 'query').output(schema),
  );
  const client = await connectToTools({
    capabilities: { a: Object.fromEntries(readAnswer.map((each, at) => [`read${at}`, each])) },
  });
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(answers.length);
  for (const [at, [name, , value]] of answers.entries()) {
    const { structuredContent } = await client.callTool({ name: `a_read${at}`, arguments: {} });
    const sent = JSON.parse(
      JSON.stringify({ data: value ?? null }, (_key, each: unknown) => each ?? null),
    ) as unknown;
    expect([name, structuredContent]).toEqual([name, sent]);
  }
});

it.each([
  ['i', /^abc$/i],
  ['v', new RegExp(String.raw`^[\p{L}--[a-z]]+$`, 'v')],
])('says an expression with the flag %s of an input in words', async (_flag, expression) => {
  const client = await connectToTools({
    capabilities: {
      a: { findIt: capability(z.object({ code: z.string().regex(expression) }), () => 1, 'query') },
    },
  });
  const { tools } = await client.listTools();
  expect(tools[0]?.inputSchema.properties).toEqual({
    code: { type: 'string', description: `Matches ${String(expression)}.` },
  });
  expect(await client.callTool({ name: 'a_findIt', arguments: { code: 'ABC' } })).toMatchObject({
    structuredContent: { data: 1 },
  });
});
