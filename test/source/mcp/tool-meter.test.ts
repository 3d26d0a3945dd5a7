import { expect, it } from 'vitest';
import { capability, compileRegistry } from '../../../server-runtime/index.ts';
import { toToolMeter } from '../../../source/mcp/tool-meter.ts';

const all = { only: [], readOnly: false };

it('meters the tools that are asked for, the largest first', () => {
  const tree = Object.fromEntries(
    Array.from({ length: 129 }, (_, at) => [`get${at}`, capability(() => at)]),
  );
  const { operations } = compileRegistry({
    a: { ...tree, get7: tree['get7']!.describe('x'.repeat(100)) },
  });
  const { tools, tokens } = toToolMeter(operations, all);
  expect(tools).toHaveLength(129);
  expect(tools[0]).toMatchObject({ name: 'a_get7', isDescribed: true });
  expect(tokens).toBe(tools.reduce((sum, tool) => sum + tool.tokens, 0));
  expect(toToolMeter(operations, { ...all, only: ['a.get1', 'a.get2'] }).tools).toHaveLength(2);
});
