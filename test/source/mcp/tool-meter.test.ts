import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type AnyCapability, capability, compileRegistry } from '../../../server-runtime/index.ts';
import { type MeteredTool, toToolMeter } from '../../../source/mcp/tool-meter.ts';

const all = { only: [], tag: [], readOnly: false };
const Address = z.object({ street: z.string(), city: z.string() }).meta({ id: 'Address' });

function meterOf(one: AnyCapability): MeteredTool {
  const [tool] = toToolMeter(compileRegistry({ a: { one } }).operations, all).tools;
  return tool!;
}

describe('toToolMeter', () => {
  it('tells what each part and the largest fields of a tool cost, also where a definition holds them', () => {
    const { tokens, parts, fields } = meterOf(
      capability(z.object({ id: z.string(), note: z.string().describe('x'.repeat(100)) }), () => [])
        .output(z.array(Address))
        .describe('Gives addresses'),
    );
    const sum = Object.values(parts).reduce((before, part) => before + part, 0);
    expect(sum).toBeLessThan(tokens);
    expect(tokens - sum).toBeLessThan(20);
    expect(fields.map(({ part, name }) => `${part}.${name}`)).toEqual([
      'input.note',
      'output.street',
      'output.city',
      'input.id',
    ]);
  });

  it('meters the tools that are asked for', () => {
    const tree = Object.fromEntries(Array.from({ length: 129 }, (_, at) => [`get${at}`, capability(() => at)]));
    const { operations } = compileRegistry({ a: tree });
    expect(toToolMeter(operations, all).tools).toHaveLength(129);
    expect(toToolMeter(operations, { ...all, only: ['a.get1', 'a.get2'] }).tools).toHaveLength(2);
  });
});
