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
import { toTools } from '../../../server-runtime/mcp/tools.ts';

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
const startIt = capability(() => tree as z.infer<typeof Tree>).answers({ 200: Tree, 202: Job, 204: noContent });

describe('the output schema of a tool', () => {
  it.each<[string, AnyCapability, readonly unknown[], readonly unknown[]]>([
    ['nothing', capability(() => {}).output(noContent), [null], ['x']],
    ['a text', capability(() => 'a').output(text()), ['a'], [1]],
    ['a redirect', capability(() => '/a').output(redirect), ['/a'], [null]],
    ['a value or nothing', capability(() => undefined).output(Job.optional()), [null, { job: 'a' }], ['x', {}]],
    ['items or nothing', capability(async function* () {}).output(stream(Job.optional())), [[null]], [null, [1]]],
    ['items', capability(async function* () {}).output(stream(Tree)), [[], [tree]], [tree, [{ name: 1 }]]],
    ['one of several', startIt, [tree, { job: 'a' }, null], [{ name: 'a', children: [{}] }, { job: 1 }, 'x']],
  ])('admits %s, and nothing else', (_name, one, good, bad) => {
    const validate = new Ajv2020({ strict: false }).compile(outputOf(one) ?? false);
    expect(good.map((data) => validate({ data }))).toEqual(good.map(() => true));
    expect(bad.map((data) => validate({ data }))).toEqual(bad.map(() => false));
  });

  it('is not told of bytes, nor where nothing is declared', () => {
    expect(outputOf(capability(() => new Uint8Array()).output(bytes()))).toBeUndefined();
    expect(outputOf(capability(() => 1))).toBeUndefined();
  });
});
