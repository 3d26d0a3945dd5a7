import { describe, expect, it } from 'vitest';
import { capability } from '../../../server-runtime/index.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';

const things = Object.fromEntries(
  Array.from({ length: 450 }, (_, at) => [
    `getThing${at}`,
    capability(() => at, 'query')
      .resource(`things://${at}`)
      .prompt(),
  ]),
);

describe('a list of more than 200 entries', () => {
  it('has pages, which together are the whole list in its order', async () => {
    const client = await connectToTools({ capabilities: { things } });
    const listers = {
      tools: async (cursor?: string) => client.listTools({ cursor }),
      resources: async (cursor?: string) => client.listResources({ cursor }),
      prompts: async (cursor?: string) => client.listPrompts({ cursor }),
    };
    for (const [name, list] of Object.entries(listers)) {
      const sizes: number[] = [];
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list(cursor);
        const entries = (page as unknown as Record<string, { name: string }[]>)[name] ?? [];
        sizes.push(entries.length);
        names.push(...entries.map((entry) => entry.name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect([name, sizes]).toEqual([name, [200, 200, 50]]);
      expect(names).toEqual(Object.keys(things).map((key) => `things_${key}`));
    }
  });

  it('has no page for a cursor that no page gave', async () => {
    const client = await connectToTools({ capabilities: { things } });
    for (const cursor of ['450', 'next', '-1'])
      await expect(client.listTools({ cursor })).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining('Ask for the list from its start'),
      });
  });
});
