import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, createServer, type Server, silentLogger } from '../../../server-runtime/index.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';

const Tree = z.object({
  get child() {
    return Tree.optional();
  },
});
const capabilities = {
  trees: { createTree: capability(Tree, () => 'planted'), addAny: capability(() => 'planted') },
};
const tree = (levels: number): object =>
  JSON.parse(`${'{"child":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`) as object;
const refusal = { status: 400, name: 'BadRequest', message: 'The input is nested deeper than 64 levels' };

describe('an input of 64 levels is the deepest', () => {
  it('of invoke', async () => {
    const server = createServer({ capabilities, logger: silentLogger });
    const plant = (input: unknown) => (server as Server).invoke({ capability: 'trees.createTree', input });
    expect(await plant(tree(64))).toBe('planted');
    await expect(plant(tree(65))).rejects.toMatchObject(refusal);
    await expect(plant(tree(5_000))).rejects.toMatchObject(refusal);
    await expect(plant([[tree(63)]])).rejects.toMatchObject(refusal);
  });

  it('of invoke, where what contains itself has no end', async () => {
    const circle: Record<string, unknown> = {};
    circle['a'] = [circle];
    const server = createServer({ capabilities, logger: silentLogger });
    await expect(server.invoke({ capability: 'trees.addAny', input: circle })).rejects.toMatchObject(refusal);
  });

  it('of invoke, which does not look into files, streams and other instances', async () => {
    class Linked {
      readonly self = this;
    }
    const input = { file: Buffer.alloc(10_000_000), stream: Readable.from([]), linked: new Linked(), none: null };
    const server = createServer({ capabilities, logger: silentLogger });
    expect(await server.invoke({ capability: 'trees.addAny', input })).toBe('planted');
  });

  it('of an agent', async () => {
    const client = await connectToTools({ capabilities });
    const plant = (levels: number) => client.callTool({ name: 'trees_createTree', arguments: { ...tree(levels) } });
    expect(await plant(64)).toMatchObject({ structuredContent: { data: 'planted' } });
    expect(await plant(65)).toMatchObject({
      isError: true,
      content: [{ text: 'BadRequest (400): The input is nested deeper than 64 levels' }],
    });
  });
});
