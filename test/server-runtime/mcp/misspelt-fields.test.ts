import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, defaultErrors, defineGuard } from '../../../server-runtime/index.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';

const refuse = defineGuard(() => {
  throw defaultErrors.Unauthorized();
});
let deleted: unknown[] = [];
const Filter = z.object({
  state: z.string().optional(),
  page: z.object({ size: z.int().optional() }).optional(),
});
const a = {
  listOrders: capability(Filter, (input) => input, 'query'),
  deleteOrders: capability(Filter, (input) => {
    deleted.push(input);
    return 'deleted';
  }),
  deleteGuarded: capability(Filter, () => 'deleted').guard(refuse),
  rename: capability(
    z.preprocess(
      (input) => ({ name: (input as { readonly was: string }).was }),
      z.object({ name: z.string() }),
    ),
    ({ name }) => name,
    'mutation',
  ),
  store: capability(z.looseObject({}), (input) => input, 'mutation'),
  stop: capability(z.object({}), () => 'stopped', 'mutation'),
};

async function call(name: string, input: Record<string, unknown>) {
  const client = await connectToTools({ capabilities: { a } });
  const result = await client.callTool({ name: `a_${name}`, arguments: input });
  const texts = (result.content as { text: string }[]).map(({ text }) => text);
  return {
    isError: result.isError === true,
    texts,
    data: (result.structuredContent as { data?: unknown })?.data,
  };
}

describe('a misspelt optional field', () => {
  it('is refused before the call changes something', async () => {
    deleted = [];
    const { isError, texts } = await call('deleteOrders', { stat: 'old' });
    expect([isError, texts, deleted]).toEqual([
      true,
      [
        'BadRequest (400): Input validation failed\nCorrect these fields and call again:\n- stat: There is no such field. Did you mean state? (received "old")',
      ],
      [],
    ]);
  });

  it('is refused where the call only reads, too, wherever it stands', async () => {
    const { isError, texts } = await call('listOrders', { state: 'old', page: { sise: 5 } });
    expect([isError, texts]).toEqual([
      true,
      [
        expect.stringContaining(
          '- page.sise: There is no such field. Did you mean size? (received 5)',
        ),
      ],
    ]);
  });

  it('says nothing to a caller whom a guard refuses', async () => {
    const { texts } = await call('deleteGuarded', { stat: 'old' });
    expect(texts[0]).toMatch(/^Unauthorized \(401\)/);
  });

  it('stands beside what is wrong otherwise', async () => {
    const { texts } = await call('deleteOrders', { stat: 'old', state: 1 });
    expect(texts[0]).toContain(
      '- state: Invalid input: expected string, received number (received 1)',
    );
  });
});

describe('a field that a schema does not name', () => {
  it('is not misspelt where the schema takes any field, or renames them', async () => {
    expect(await call('store', { color: 'red' })).toMatchObject({
      data: { color: 'red' },
      texts: ['{"color":"red"}'],
    });
    expect(await call('rename', { was: 'Ada' })).toMatchObject({ data: 'Ada', texts: ['"Ada"'] });
  });

  it('is let be where there are no fields at all: some clients make one up', async () => {
    expect(await call('stop', { random_string: '' })).toMatchObject({
      data: 'stopped',
      isError: false,
    });
  });
});
