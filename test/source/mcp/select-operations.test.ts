import { describe, expect, it } from 'vitest';
import { capability, compileRegistry } from '../../../server-runtime/index.ts';
import { selectOperations, type ToolSelection } from '../../../source/mcp/select-operations.ts';

const cap = capability(() => 1);
const { operations } = compileRegistry({
  users: {
    getUser: cap,
    createUser: cap,
    countAll: cap.tool({ readOnly: true }),
    listUsers: cap.tool({ readOnly: false }),
  },
  catalog: { prices: { getPrice: cap }, buy: cap },
});

const select = (selection: Partial<ToolSelection>): readonly string[] =>
  selectOperations(operations, { only: [], readOnly: false, ...selection }).map(({ key }) => key);

describe('selectOperations', () => {
  it.each<[string, Partial<ToolSelection>, readonly string[]]>([
    ['a key', { only: ['users.getUser'] }, ['users.getUser']],
    [
      'keys with *',
      { only: ['users.*User', 'catalog.*'] },
      ['users.getUser', 'users.createUser', 'catalog.prices.getPrice', 'catalog.buy'],
    ],
    [
      'what changes nothing, as tools say it',
      { readOnly: true },
      ['users.getUser', 'users.countAll', 'catalog.prices.getPrice'],
    ],
    [
      'both of these',
      { only: ['users.*', '*.buy'], readOnly: true },
      ['users.getUser', 'users.countAll'],
    ],
  ])('takes %s', (_name, selection, keys) => {
    expect(select(selection)).toEqual(keys);
  });

  it('refuses what fits nothing, and names the nearest', () => {
    expect(() => select({ only: ['users.getUsr'] })).toThrow(
      'option --only: no capability fits `users.getUsr`',
    );
    expect(() => select({ only: ['users.getUser+'] })).toThrow('no capability fits');
  });
});
